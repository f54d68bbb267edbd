"""HTTPS in a home network: a certificate authority on this computer and the server certificate that it signs.

    certificate = Certificates(data_folder).for_server(names, addresses)
    certificate.file                    certificate and key for the server
    certificate.authority               what phones have to trust, as DER

The authority's key stays in the data folder, readable by its owner only, and the authority is limited to home networks:
for addresses that nobody on the internet has, for names of the home, and for those the server had when it was made
(RFC 5280, 4.2.1.10). So a stolen key cannot be used to impersonate a bank.
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
"""Paths in the data folder; each file holds a key and its certificate."""

_AUTHORITY_LIFE = timedelta(days=3650)
LIFE = timedelta(days=397)
"""Total lifetime of the server certificate; phones refuse 398 days and more."""
_EARLY = timedelta(days=1)
"""Certificates start this much earlier, since a phone's clock may be slow."""
RENEWED = timedelta(days=30)
"""Renewal before expiry."""

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
"""Private addresses (IANA special-purpose address registries)."""
_HOME_NAMES = ("localhost", "local", "home.arpa", "internal", "lan", "home")
"""Suffixes of private names (RFC 6761, 6762, 8375; the others are reserved by ICANN)."""


class CertificateError(Exception):
    """A certificate cannot be created or used; the message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A server certificate.

    Attributes:
        file: its certificate and key, PEM.
        authority: the certificate of its authority, DER.
        names: host names it covers.
        addresses: IP addresses it covers.
        ends: when it expires.
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
        """Load what `pem` wrote.

        Raises:
            ValueError, TypeError: invalid contents.
            OSError: it cannot be read.
        """
        pem = path.read_bytes()
        key, certificate = load_pem_private_key(pem, password=None), x509.load_pem_x509_certificate(pem)
        if not isinstance(key, EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            raise ValueError("the key does not match the certificate")
        return cls(certificate, key)


class Certificates:
    """The certificate authority in a data folder."""

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
        """The certificate for these names and addresses: the existing one, or a new one if that does not cover them.

        Args:
            names: of this computer; those outside the authority's limits are skipped.
            addresses: of this computer; likewise.
            asked: names requested by the user; none is skipped.
            now: the current time; None: the clock.

        Raises:
            CertificateError: a file cannot be created or read, or a requested name is outside the limits.
        """
        at = now or datetime.now(UTC)
        try:
            authority = self._open_authority([*names, *asked], at)
            _check_allowed(authority.certificate, asked, self._authority)
            wanted = _wanted(authority.certificate, {*names, *asked}, addresses)
            return self._described(authority, self._kept(authority, wanted, at) or self._renew(authority, wanted, at))
        except OSError as error:
            raise CertificateError(
                f"Cannot use the certificates in {self._server.parent}: {error.strerror or error}."
            ) from error

    def _open_authority(self, names: Collection[str], now: datetime) -> _Signed:
        if not self._authority.exists():
            private_file.make(self._authority, _new_authority(names, now).pem)
        if private_file.others_may_read(self._authority):
            raise CertificateError(_OPEN.format(self._authority))
        try:
            authority = _Signed.load(self._authority)
        except (ValueError, TypeError) as error:
            raise CertificateError(_DAMAGED.format(self._authority)) from error
        if authority.certificate.not_valid_after_utc - now < RENEWED:
            raise CertificateError(_OLD.format(self._authority, RENEWED.days))
        return authority

    def _kept(self, authority: _Signed, wanted: x509.SubjectAlternativeName, now: datetime) -> _Signed | None:
        """The existing certificate, if still usable."""
        try:
            kept = _Signed.load(self._server)
            kept.certificate.verify_directly_issued_by(authority.certificate)
        except Exception:  # whatever is wrong, a new one is made
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
    "Other users can read the key {0}. Run: chmod 600 {0}. If somebody may have copied it, delete it instead: "
    "a new one is made, which phones have to trust again."
)
_DAMAGED = "{0} is damaged. Delete it: a new one is made, which phones have to trust again."
_OLD = "The certificate authority {0} expires within {1} days. Delete it: a new one is made, which phones have to trust again."
_NOT_FOR = (
    "The certificate authority {0} is limited to home names and cannot sign for {1}. Delete it: a new one is made for "
    "that name too, which phones have to trust again."
)


# Names and limits


def _alternatives(certificate: x509.Certificate) -> x509.SubjectAlternativeName:
    return certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def _wanted(
    authority: x509.Certificate, names: Collection[str], addresses: Collection[str]
) -> x509.SubjectAlternativeName:
    """These names and addresses plus the loopback ones, as far as the authority may sign for them."""
    allowed = [name for name in sorted({"localhost", *names}) if _may_name(authority, name)]
    parsed = sorted({ip_address(each) for each in {"127.0.0.1", "::1", *addresses}}, key=lambda one: (one.version, one))
    at_home = [one for one in parsed if any(one in network for network in _HOME_ADDRESSES)]
    return x509.SubjectAlternativeName([*map(x509.DNSName, allowed), *map(x509.IPAddress, at_home)])


def _check_allowed(authority: x509.Certificate, asked: Collection[str], path: Path) -> None:
    for name in asked:
        if not _may_name(authority, name):
            raise CertificateError(_NOT_FOR.format(path, name))


def _may_name(authority: x509.Certificate, name: str) -> bool:
    permitted = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    ends = [each.value for each in permitted if isinstance(each, x509.DNSName)]
    return any(name == end or name.endswith(f".{end}") for end in ends)


# Creating certificates


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
    """The fields that all certificates share."""
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
