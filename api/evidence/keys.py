"""The server's own key, and what it signs: the head of a record, so that a record rewritten later is noticed.

    key = ServerKey.open(data_folder)                       made once, then always the same
    signed = key.sign(Head.of(record, game_id))
    signed.check()                                          raises BadSignature
    short(signed.head.hash)                                 "K7QD-…": what people compare on their screens

Each line of a record has the hash of the one before, so its last hash, the head, stands for all of it. But whoever holds
a record can write a whole chain anew. So the server signs the head after every move, and everybody who is joined sees
it: one who kept it can show that the record was another. A phone keeps the whole signed head; the short form, 80 bits of
it, is for the eye. The signature says which server it was, not that it was honest at the time.
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
"""The key's name in the data folder."""
_DOMAIN = "muggins record head 1"
"""So that a signature made here can be taken for nothing else, nor the other way round."""
_GAME_ID = re.compile(r"[A-Za-z0-9_.-]{0,100}")
_HASH = re.compile(r"[0-9a-f]{64}")
_MOST_LINES = 10**9


class KeyTrouble(Exception):  # noqa: N818 - the trouble is the file's
    """The key cannot be made or used; the text says where, why, and the way out."""


class BadSignature(Exception):  # noqa: N818 - it says what it found
    """A signature that is not that of this key under this head, or is none at all."""


@dataclass(frozen=True, slots=True)
class Head:
    """How far a record had come.

    Attributes:
        game: the game's id on the server, of letters, digits, "_", "-" and "."; empty where it has none.
        lines: how many lines the record had.
        hash: of the last of them, 64 hexadecimal digits.
    """

    game: str
    lines: int
    hash: str

    def __post_init__(self) -> None:
        if not (_GAME_ID.fullmatch(self.game) and _HASH.fullmatch(self.hash) and 0 < self.lines < _MOST_LINES):
            raise ValueError("no head of a record")

    @classmethod
    def of(cls, record: Record, game: str = "") -> Head:
        """Where this record stands."""
        return cls(game, len(record.lines), record.head)

    @property
    def message(self) -> bytes:
        """What is signed."""
        return "\n".join((_DOMAIN, self.game, str(self.lines), self.hash, "")).encode()


@dataclass(frozen=True, slots=True)
class SignedHead:
    """A head with a server's signature.

    Attributes:
        head: what is signed.
        key: the server's public key, 32 bytes (RFC 8032).
        signature: 64 bytes.
    """

    head: Head
    key: bytes
    signature: bytes

    def check(self) -> None:
        """Compare the signature with the head and the key that are named here.

        Raises:
            BadSignature: it is another's, or about something else.
        """
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(self.signature, self.head.message)
        except (InvalidSignature, ValueError) as error:
            raise BadSignature("The signature is not that of this key under this head.") from error

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
        """The signed head that `to_json` wrote; not yet checked.

        Raises:
            BadSignature: something is missing or cannot be.
        """
        try:
            if type(data["lines"]) is not int:
                raise TypeError("lines are counted")
            head = Head(data["game"], data["lines"], data["head"])
            return cls(head, bytes.fromhex(data["key"]), bytes.fromhex(data["signature"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadSignature("The signature is not written as it should be.") from error


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The key that one server signs with. Its private half is never shown."""

    _private: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def open(cls, folder: Path) -> ServerKey:
        """The key in that folder; the first time it is made. Servers that start at once agree on one.

        Raises:
            KeyTrouble: it cannot be made or read, others may read it, or it is no Ed25519 key.
        """
        path = folder / FILE
        try:
            if not path.exists():
                _make(path)
            return cls(_load(path))
        except OSError as error:
            raise KeyTrouble(f"Cannot use the signing key {path}: {error.strerror or error}.") from error

    @property
    def public(self) -> bytes:
        """The half that everybody may know, 32 bytes."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, head: Head) -> SignedHead:
        """The head with this server's signature: the same head is always signed alike."""
        return SignedHead(head, self.public, self._private.sign(head.message))


def short(digits: str) -> str:
    """The beginning of a hash or key for people to compare: "K7QD-2MXA-…", four groups of four (RFC 4648, base 32).

    Args:
        digits: hexadecimal, 20 digits or more.
    """
    letters = b32encode(bytes.fromhex(digits[:20])).decode()
    return "-".join(letters[at : at + 4] for at in range(0, 16, 4))


def same_head(kept: str, digits: str) -> bool:
    """Whether somebody's note of a head means this hash: the short form however it is spaced, or all of it.

    Args:
        kept: as it was noted.
        digits: the hash, 64 hexadecimal digits.
    """
    noted = re.sub(r"[\s-]", "", kept).upper()
    return noted in (short(digits).replace("-", ""), digits.upper())


def _make(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # Has another server made one just now, then that one's key is the key.
    private_file.make(path, pem)


def _load(path: Path) -> Ed25519PrivateKey:
    if private_file.others_may_read(path):
        raise KeyTrouble(
            f"Others on this computer may read the signing key {path}. Forbid it with: chmod 600 {path}. If somebody may "
            "have copied it, delete it instead, and a new one is made."
        )
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise KeyTrouble(_NO_KEY.format(path)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyTrouble(_NO_KEY.format(path))
    return key


_NO_KEY = (
    "There is no Ed25519 key in {0}: the file is damaged or another. Bring it back from a copy, or delete it, and a new one "
    "is made."
)
