from __future__ import annotations

import shutil
import ssl
import stat
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.hashes import SHA256

from api.files.data_folder import AUTHORITY
from api.http.serve.certificates import LIFE, SERVER, Certificate, CertificateError, Certificates

NOW = datetime.now(UTC)
NAMES, ADDRESSES = ("kitchen", "kitchen.local"), ("192.168.1.20", "172.17.0.1")


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    return Certificates(tmp_path)


@pytest.fixture
def certificate(certificates: Certificates) -> Certificate:
    return certificates.for_server(NAMES, ADDRESSES)


def loaded(certificate: Certificate) -> x509.Certificate:
    return x509.load_pem_x509_certificate(certificate.file.read_bytes())


def shake_hands(certificate: Certificate, host: str, file: Path | None = None, authority: bytes | None = None) -> None:
    """A whole TLS handshake, in memory, with a phone that trusts the authority and wants to talk to that host.

    Raises:
        ssl.SSLCertVerificationError: the phone hangs up.
    """
    there = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    there.load_cert_chain(file or certificate.file)
    here = ssl.create_default_context(cadata=authority or certificate.authority)
    here.verify_flags |= ssl.VERIFY_X509_STRICT
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [here.wrap_bio(down, up, server_hostname=host), there.wrap_bio(up, down, server_side=True)]
    while sides:
        side = sides.pop(0)
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            sides.append(side)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "::1", "kitchen", "kitchen.local", "192.168.1.20", "172.17.0.1"]
)
def test_a_phone_that_trusts_the_authority_trusts_the_server(certificate: Certificate, host: str) -> None:
    shake_hands(certificate, host)


@pytest.mark.parametrize("host", ["192.168.1.21", "bank.example", "pantry.local"])
def test_but_only_as_what_it_is(certificate: Certificate, host: str) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
        shake_hands(certificate, host)


def test_and_not_the_server_of_another_authority(certificate: Certificate, tmp_path: Path) -> None:
    other = Certificates(tmp_path / "other").for_server(NAMES, ADDRESSES)
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(certificate, "localhost", authority=other.authority)


@pytest.mark.parametrize("host", ["bank.example", "8.8.8.8"])
def test_who_steals_the_authority_cannot_pose_as_a_bank(
    certificate: Certificate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    # The thief has the key and this program, and signs anything.
    everything = x509.SubjectAlternativeName([x509.DNSName("bank.example"), x509.IPAddress(ip_address("8.8.8.8"))])
    monkeypatch.setattr("api.http.serve.certificates._wanted", lambda *_: everything)
    forged = Certificates(tmp_path).for_server((), ())
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        shake_hands(certificate, host, forged.file)


def test_keys_are_for_their_owner_alone(certificate: Certificate, tmp_path: Path) -> None:
    for path in (AUTHORITY, SERVER):
        assert stat.S_IMODE((tmp_path / path).stat().st_mode) == 0o600
        assert b"PRIVATE KEY" in (tmp_path / path).read_bytes()
    assert b"PRIVATE" not in certificate.authority
    assert sorted(path.name for path in (tmp_path / "https").iterdir()) == ["authority.pem", "server.pem"]


def test_a_key_that_others_may_read_is_not_used(
    certificates: Certificates, certificate: Certificate, tmp_path: Path
) -> None:
    (tmp_path / AUTHORITY).chmod(0o644)
    with pytest.raises(CertificateError, match="chmod 600"):
        certificates.for_server(NAMES, ADDRESSES)


def test_what_the_certificates_say(certificate: Certificate) -> None:
    server, authority = loaded(certificate), x509.load_der_x509_certificate(certificate.authority)
    assert "Muggins on" in authority.subject.rfc4514_string()
    assert authority.extensions.get_extension_for_class(x509.NameConstraints).critical
    life = server.not_valid_after_utc - server.not_valid_before_utc
    assert life == LIFE < timedelta(days=398)
    assert server.not_valid_before_utc < NOW - timedelta(hours=23), "phones whose clock is behind"
    assert certificate.fingerprint.replace(" ", "") == authority.fingerprint(SHA256()).hex().upper()
    assert not server.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_it_is_kept_while_it_does(certificates: Certificates, certificate: Certificate) -> None:
    before = certificate.file.read_bytes()
    assert certificates.for_server(NAMES, ADDRESSES, now=NOW + timedelta(days=300)) == certificate
    certificates.for_server(NAMES[:1], ADDRESSES[:1])
    assert certificate.file.read_bytes() == before


@pytest.mark.parametrize(
    ("names", "addresses", "days"),
    [
        ((*NAMES, "table.local"), ADDRESSES, 0),
        (NAMES, ("192.168.7.7",), 0),
        (NAMES, ADDRESSES, 370),
        (NAMES, ADDRESSES, 500),
    ],
    ids=["another name", "another address", "near its end", "after its end"],
)
def test_it_is_renewed_when_it_no_longer_does(
    certificates: Certificates, certificate: Certificate, names: tuple[str, ...], addresses: tuple[str, ...], days: int
) -> None:
    before = loaded(certificate)
    renewed = certificates.for_server(names, addresses, now=NOW + timedelta(days=days))
    assert loaded(renewed).serial_number != before.serial_number
    assert renewed.authority == certificate.authority, "phones need not do anything"
    assert {*names, "localhost"} <= renewed.names
    assert {*addresses, "127.0.0.1"} <= renewed.addresses


def test_a_damaged_certificate_is_made_anew_but_a_damaged_authority_is_said(
    certificates: Certificates, certificate: Certificate, tmp_path: Path
) -> None:
    certificate.file.write_text("?")
    shake_hands(certificates.for_server(NAMES, ADDRESSES), "kitchen")
    (tmp_path / AUTHORITY).write_text("?")
    with pytest.raises(CertificateError, match="Delete it"):
        certificates.for_server(NAMES, ADDRESSES)


def test_the_authority_of_another_folder_renews_the_servers(certificate: Certificate, tmp_path: Path) -> None:
    other = Certificates(tmp_path / "other").for_server(NAMES, ADDRESSES)
    shutil.copy(other.file, certificate.file)
    shake_hands(Certificates(tmp_path).for_server(NAMES, ADDRESSES), "kitchen")


def test_names_that_somebody_asks_for_are_in_it_or_refused(tmp_path: Path) -> None:
    certificates = Certificates(tmp_path)
    first = certificates.for_server(NAMES, (), asked=["dice.example"])
    shake_hands(first, "dice.example")
    with pytest.raises(CertificateError, match=r"cannot sign for other\.example"):
        certificates.for_server(NAMES, (), asked=["other.example"])
    moved = certificates.for_server(["now.called.example"], ())
    assert "now.called.example" not in moved.names, "the computer's own name may change with the network"


def test_addresses_of_the_internet_are_left_out(certificates: Certificates) -> None:
    assert "8.8.8.8" not in certificates.for_server((), ["8.8.8.8", "10.0.0.7"]).addresses


def test_an_old_authority_is_said(certificates: Certificates, certificate: Certificate) -> None:
    with pytest.raises(CertificateError, match="expires within 30 days"):
        certificates.for_server(NAMES, ADDRESSES, now=NOW + timedelta(days=3640))


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CertificateError, match="Cannot use the certificates in"):
        Certificates(tmp_path / "file").for_server((), ())
