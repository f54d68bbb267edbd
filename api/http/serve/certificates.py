"""HTTPS at a kitchen table: a certificate authority of this computer's own, and the certificate that it signs for the server.

    certificate = Certificates(data_folder).for_server(names, addresses)
    certificate.file                    what the server shows, with its key
    certificate.authority               what phones are to trust, as DER

The authority's key stays in the data folder, for its owner alone, and the authority can vouch for computers at home only:
for addresses that nobody in the internet has, for names of the home, and for those the server had when it was made
(RFC 5280, 4.2.1.10). So whoever steals the key cannot pose as a bank.
"""

from __future__ import annotations

import socket
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from api.files import private_file
from api.files.data_folder import AUTHORITY

SERVER = Path("https/server.pem")
"""In the data folder: a key and its certificate each."""

_AUTHORITY_LIFE = timedelta(days=3650)
LIFE = timedelta(days=397)
"""Of the server's certificate, all of it: phones refuse those of 398 days and more."""
_EARLY = timedelta(days=1)
"""A phone's clock may be behind."""
RENEWED = timedelta(days=30)
"""Before its end."""

_HOME_ADDRESSES: tuple[IPv4Network | IPv6Network, ...] = tuple(
    map(
        ip_network,
        (
            *("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"),
            *("192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("::1/128", "fc00::/7", "fe80::/10"),
        ),
    )
)
"""Nobody in the internet has one of these (IANA's special-purpose address registries)."""
_HOME_NAMES = ("localhost", "local", "home.arpa", "internal", "lan", "home")
"""With all names that end in them; nobody in the internet has one (RFC 6761, 6762, 8375; ICANN reserved the others)."""


class CertificateTrouble(Exception):  # noqa: N818 - the trouble is the file's
    """A certificate cannot be made or used; the text says which, why, and the way out."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a server shows.

    Attributes:
        file: its certificate and key, PEM.
        authority: the certificate of the authority that vouches for it, DER.
        names: host names that it is for.
        addresses: that it is for.
        ends: when it is no longer good.
    """

    file: Path
    authority: bytes
    names: frozenset[str]
    addresses: frozenset[str]
    ends: datetime

    @property
    def fingerprint(self) -> str:
        """The authority's SHA-256, as phones show it: pairs of hexadecimal digits."""
        digits = x509.load_der_x509_certificate(self.authority).fingerprint(SHA256()).hex().upper()
        return " ".join(digits[at : at + 2] for at in range(0, len(digits), 2))


@dataclass(frozen=True, slots=True)
class _Signed:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        key = self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return key + self.certificate.public_bytes(Encoding.PEM)

    @classmethod
    def load(cls, path: Path) -> _Signed:
        """What `pem` wrote.

        Raises:
            ValueError, TypeError: it did not.
            OSError: it cannot be read.
        """
        pem = path.read_bytes()
        key, certificate = load_pem_private_key(pem, password=None), x509.load_pem_x509_certificate(pem)
        if not isinstance(key, EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            raise ValueError("the key is another's")
        return cls(certificate, key)


class Certificates:
    """The authority of a data folder, and what it signs."""

    def __init__(self, folder: Path) -> None:
        self._authority = folder / AUTHORITY
        self._server = folder / SERVER

    def for_server(
        self,
        names: Collection[str],
        addresses: Collection[str],
        *,
        asked: Collection[str] = (),
        now: datetime | None = None,
    ) -> Certificate:
        """The certificate for these names and addresses: the one that is there, or a new one if that one does not do.

        Args:
            names: that this computer has; those that the authority may not vouch for are left out.
            addresses: the same.
            asked: names that somebody asked for: none of them is left out.
            now: the time; None: this moment.

        Raises:
            CertificateTrouble: something cannot be made, or read, or vouched for.
        """
        at = now or datetime.now(UTC)
        try:
            authority = self._open_authority([*names, *asked], at)
            _check_allowed(authority.certificate, asked, self._authority)
            wanted = _wanted(authority.certificate, {*names, *asked}, addresses)
            return self._described(authority, self._kept(authority, wanted, at) or self._renew(authority, wanted, at))
        except OSError as error:
            raise CertificateTrouble(
                f"Cannot use the certificates in {self._server.parent}: {error.strerror or error}."
            ) from error

    def _open_authority(self, names: Collection[str], now: datetime) -> _Signed:
        if not self._authority.exists():
            private_file.make(self._authority, _new_authority(names, now).pem)
        if private_file.others_may_read(self._authority):
            raise CertificateTrouble(_OPEN.format(self._authority))
        try:
            authority = _Signed.load(self._authority)
        except (ValueError, TypeError) as error:
            raise CertificateTrouble(_DAMAGED.format(self._authority)) from error
        if authority.certificate.not_valid_after_utc - now < RENEWED:
            raise CertificateTrouble(_OLD.format(self._authority))
        return authority

    def _kept(self, authority: _Signed, wanted: x509.SubjectAlternativeName, now: datetime) -> _Signed | None:
        """The one that is there, if it is still good."""
        try:
            kept = _Signed.load(self._server)
            kept.certificate.verify_directly_issued_by(authority.certificate)
        except Exception:  # whatever is wrong with it, it is made anew
            return None
        fresh = kept.certificate.not_valid_after_utc - now >= RENEWED
        return kept if fresh and set(wanted) <= set(_alternatives(kept.certificate)) else None

    def _renew(self, authority: _Signed, wanted: x509.SubjectAlternativeName, now: datetime) -> _Signed:
        made = _new_server(authority, wanted, now)
        private_file.replace(self._server, made.pem)
        return made

    def _described(self, authority: _Signed, made: _Signed) -> Certificate:
        alternatives = _alternatives(made.certificate)
        return Certificate(
            self._server,
            authority.certificate.public_bytes(Encoding.DER),
            frozenset(alternatives.get_values_for_type(x509.DNSName)),
            frozenset(str(address) for address in alternatives.get_values_for_type(x509.IPAddress)),
            made.certificate.not_valid_after_utc,
        )


_OPEN = (
    "Others on this computer may read the key {0}. Forbid it with: chmod 600 {0}. If somebody may have copied it, delete it "
    "instead: a new one is made, and phones have to trust that."
)
_DAMAGED = "{0} is damaged or another. Delete it: a new one is made, and phones have to trust that."
_OLD = "The certificate authority {0} has come to its end. Delete it: a new one is made, and phones have to trust that."
_NOT_FOR = (
    "The certificate authority {0} was made for home names, and may not vouch for {1}. Delete it: a new one is made for "
    "that name too, and phones have to trust that."
)


# What is wanted, and what is allowed


def _alternatives(certificate: x509.Certificate) -> x509.SubjectAlternativeName:
    return certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def _wanted(
    authority: x509.Certificate, names: Collection[str], addresses: Collection[str]
) -> x509.SubjectAlternativeName:
    """Of these and of the computer's own for itself, those that the authority may vouch for."""
    allowed = [name for name in sorted({"localhost", *names}) if _may_name(authority, name)]
    parsed = sorted({ip_address(each) for each in {"127.0.0.1", "::1", *addresses}}, key=lambda one: (one.version, one))
    at_home = [one for one in parsed if any(one in network for network in _HOME_ADDRESSES)]
    return x509.SubjectAlternativeName([*map(x509.DNSName, allowed), *map(x509.IPAddress, at_home)])


def _check_allowed(authority: x509.Certificate, asked: Collection[str], path: Path) -> None:
    for name in asked:
        if not _may_name(authority, name):
            raise CertificateTrouble(_NOT_FOR.format(path, name))


def _may_name(authority: x509.Certificate, name: str) -> bool:
    permitted = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    ends = [each.value for each in permitted if isinstance(each, x509.DNSName)]
    return any(name == end or name.endswith(f".{end}") for end in ends)


# Making


def _new_authority(names: Collection[str], now: datetime) -> _Signed:
    key = generate_private_key(SECP256R1())
    name = _named(f"Muggins on {socket.gethostname()[:30] or 'this computer'}, made {now:%Y-%m-%d}")
    ends = sorted({*_HOME_NAMES, *names})
    homes = [*map(x509.DNSName, ends), *map(x509.IPAddress, _HOME_ADDRESSES)]
    builder = (
        _begun(name, name, key, now, _AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=homes, excluded_subtrees=None), critical=True)
    )
    return _Signed(builder.sign(key, SHA256()), key)


def _new_server(authority: _Signed, wanted: x509.SubjectAlternativeName, now: datetime) -> _Signed:
    key = generate_private_key(SECP256R1())
    issuer = authority.certificate
    life = min(LIFE, issuer.not_valid_after_utc - now + _EARLY)
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = (
        _begun(_named("Muggins server"), issuer.subject, key, now, life)
        .add_extension(wanted, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(signer, critical=False)
    )
    return _Signed(builder.sign(authority.key, SHA256()), key)


def _begun(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, now: datetime, life: timedelta
) -> x509.CertificateBuilder:
    """What every certificate has."""
    begins = now - _EARLY
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + life)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _named(common_name: str) -> x509.Name:
    named = ((NameOID.ORGANIZATION_NAME, "Muggins"), (NameOID.COMMON_NAME, common_name))
    return x509.Name([x509.NameAttribute(*each) for each in named])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
