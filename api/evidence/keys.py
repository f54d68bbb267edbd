"""The server's key, which signs the head of a record, so that later rewriting is noticed.

    key = ServerKey.open(data_folder)                       created once, then reused
    signed = key.sign(Head.of(record, game_id))
    signed.check()                                          raises BadSignature
    short(signed.head.hash)                                 "K7QD-…": for people to compare on their screens

Each line of a record contains the hash of the previous one, so the last hash, the head, covers all of it. But the owner of
a record could recompute the whole chain. So the server signs the head after every move and shows it to everyone in the
game: a saved head proves that the record was different. Phones save the whole signed head; the short form of 80 bits is for
the eye. The signature proves which server it was, not that the server was honest.
"""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from api.files import private_file
from scorer.engine.record import Record

FILE = "signing-key.pem"
"""File name of the key in the data folder."""
_DOMAIN = "muggins record head 1"
"""Domain separation: these signatures are valid for nothing else, and no others are valid here."""
_GAME_ID = re.compile(r"[A-Za-z0-9_.-]{0,100}")
_HASH = re.compile(r"[0-9a-f]{64}")
_MOST_LINES = 10**9


class KeyFileError(Exception):
    """The key cannot be created or used; the message says where, why, and what to do."""


class BadSignature(Exception):  # noqa: N818 - it says what it found
    """The signature is not valid for this key and head."""


@dataclass(frozen=True, slots=True)
class Head:
    """The state of a record that is signed.

    Attributes:
        game: id on the server, of letters, digits, "_", "-" and "."; empty without a server.
        lines: length of the record.
        hash: of its last line, 64 hexadecimal digits.
    """

    game: str
    lines: int
    hash: str

    def __post_init__(self) -> None:
        if not (_GAME_ID.fullmatch(self.game) and _HASH.fullmatch(self.hash) and 0 < self.lines < _MOST_LINES):
            raise ValueError("not the head of a record")

    @classmethod
    def of(cls, record: Record, game: str = "") -> Head:
        """The head of this record."""
        return cls(game, len(record.lines), record.head)

    @property
    def message(self) -> bytes:
        """The signed bytes."""
        return "\n".join((_DOMAIN, self.game, str(self.lines), self.hash, "")).encode()


@dataclass(frozen=True, slots=True)
class SignedHead:
    """A head with a server's signature.

    Attributes:
        head: the signed head.
        key: the server's public key, 32 bytes (RFC 8032).
        signature: 64 bytes.
    """

    head: Head
    key: bytes
    signature: bytes

    def check(self) -> None:
        """Check the signature against head and key.

        Raises:
            BadSignature: it does not match.
        """
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(self.signature, self.head.message)
        except (InvalidSignature, ValueError) as error:
            raise BadSignature("The signature does not match this key and head.") from error

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "game": self.head.game,
            "lines": self.head.lines,
            "head": self.head.hash,
            "short": short(self.head.hash),
            "key": self.key.hex(),
            "signature": self.signature.hex(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SignedHead:
        """Parse what `to_json` wrote, without checking the signature.

        Raises:
            BadSignature: a field is missing or invalid.
        """
        try:
            if type(data["lines"]) is not int:
                raise TypeError("lines must be an integer")
            head = Head(data["game"], data["lines"], data["head"])
            return cls(head, bytes.fromhex(data["key"]), bytes.fromhex(data["signature"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadSignature("The signature is malformed.") from error


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The signing key of a server. Its private half never leaves this object."""

    _private: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def open(cls, folder: Path) -> ServerKey:
        """Open the key in a folder, creating it the first time; servers that start at once agree on one.

        Raises:
            KeyFileError: it cannot be created or read, others can read it, or it is not an Ed25519 key.
        """
        path = folder / FILE
        try:
            if not path.exists():
                _make(path)
            return cls(_load(path))
        except OSError as error:
            raise KeyFileError(f"Cannot use the signing key {path}: {error.strerror or error}.") from error

    @property
    def public(self) -> bytes:
        """The public half, 32 bytes."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, head: Head) -> SignedHead:
        """Sign a head; signatures are deterministic."""
        return SignedHead(head, self.public, self._private.sign(head.message))


def short(digits: str) -> str:
    """The short form of a hash or key for people to compare: "K7QD-2MXA-…", four groups of four (RFC 4648, base 32).

    Args:
        digits: hexadecimal, 20 digits or more.
    """
    letters = b32encode(bytes.fromhex(digits[:20])).decode()
    return "-".join(letters[at : at + 4] for at in range(0, 16, 4))


def same_head(kept: str, digits: str) -> bool:
    """Whether a noted head matches this hash, in short form with any spacing, or in full.

    Args:
        kept: as noted.
        digits: the hash, 64 hexadecimal digits.
    """
    noted = re.sub(r"[\s-]", "", kept).upper()
    return noted in (short(digits).replace("-", ""), digits.upper())


_EITHER = "A code or key has 16 letters A to Z and digits 2 to 7, or 64 digits 0 to 9 and a to f"


def mistyped(kept: str) -> str | None:
    """Why this cannot be a noted head or key, in a sentence; None if it can.

    Args:
        kept: as noted.
    """
    noted = re.sub(r"[\s-]", "", kept)
    letters = {16: "[A-Za-z2-7]", 64: "[0-9A-Fa-f]"}.get(len(noted))
    if letters is None:
        return f"{_EITHER}; '{kept}' has {len(noted)}."
    strange = dict.fromkeys(re.sub(letters, "", noted))
    return f"{_EITHER}; '{kept}' has {', '.join(strange)}, which none has." if strange else None


def _make(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # If another server has just created one, that is the key.
    private_file.make(path, pem)


def _load(path: Path) -> Ed25519PrivateKey:
    if private_file.others_may_read(path):
        raise KeyFileError(
            f"Other users can read the signing key {path}. Run: chmod 600 {path}. If somebody may have copied it, "
            "delete it instead: a new one is made."
        )
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise KeyFileError(_NO_KEY.format(path)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(_NO_KEY.format(path))
    return key


_NO_KEY = (
    "There is no Ed25519 key in {0}: the file is damaged or another. Bring it back from a copy, or delete it, and a new one "
    "is made."
)
