"""A profile: the pieces that people have taught under one name, as a small file.

    profile = Profile("dragons").with_pieces(pieces)
    write(profile, Path("dragons.json"))

The file is JSON: a version, the name, and the pieces with their pictures. Features are computed from the pictures when a profile
is loaded.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from vision.detect.boxes import Kind
from vision.taught.pieces import ENDS, SIDES, InvalidProfile, TaughtPiece

MAGIC, VERSION = "muggins-profile", 1
MOST_PIECES = 200
"""Ten photos of a handful of pieces have a third of this."""
MOST_BYTES = 8_000_000
_NAME = re.compile(r"[\w][\w .'()+-]{0,39}")
_NAMING = "Use up to 40 letters, digits, spaces and . ' ( ) + - _, beginning with a letter, digit or _."
_TEACH = "Teach it again with `muggins teach`."


@dataclass(frozen=True)
class Profile:
    """Taught pieces under a name.

    Attributes:
        name: the name that people gave it.
        pieces: in the order in which they were taught.
    """

    name: str
    pieces: tuple[TaughtPiece, ...] = field(default=())

    def __post_init__(self) -> None:
        """Check the name and the number of pieces.

        Raises:
            InvalidProfile: either is invalid.
        """
        if not _NAME.fullmatch(self.name):
            raise InvalidProfile(f"{self.name[:60]!r} cannot be the name of a profile. {_NAMING}")
        if len(self.pieces) > MOST_PIECES:
            raise InvalidProfile(
                f"A profile has at most {MOST_PIECES} pieces, got {len(self.pieces)}. Teach it from fewer photos."
            )

    def with_pieces(self, pieces: Iterable[TaughtPiece]) -> Profile:
        """The profile with more pieces; a piece at the same point of the same photo replaces the earlier one."""
        more = tuple(pieces)
        places = {(piece.photo, piece.at) for piece in more if piece.photo}
        return replace(self, pieces=(*(p for p in self.pieces if (p.photo, p.at) not in places), *more))

    def without(self, number: int) -> Profile:
        """The profile without the piece of that index, from 0.

        Raises:
            InvalidProfile: there is no such piece.
        """
        if not 0 <= number < len(self.pieces):
            raise InvalidProfile(f"{self.name} has no piece {number + 1}; it has {len(self.pieces)}.")
        return replace(self, pieces=(*self.pieces[:number], *self.pieces[number + 1 :]))

    @cached_property
    def data(self) -> bytes:
        """The content of the file: equal profiles give equal bytes."""
        told = {
            "profile": MAGIC,
            "version": VERSION,
            "name": self.name,
            "pieces": [piece.to_json() for piece in self.pieces],
        }
        return f"{json.dumps(told, indent=1, sort_keys=True)}\n".encode()

    @cached_property
    def sha256(self) -> str:
        """The hash of the file."""
        return hashlib.sha256(self.data).hexdigest()

    @classmethod
    def from_bytes(cls, data: bytes) -> Profile:
        """The profile in a file's content.

        Raises:
            InvalidProfile: it is not a profile, or one of another version.
        """
        if len(data) > MOST_BYTES:
            raise InvalidProfile(f"This profile has more than {MOST_BYTES // 1_000_000} MB. {_TEACH}")
        try:
            told = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise InvalidProfile("This file is not a profile: it is no JSON.") from error
        return cls._from_json(told)

    @classmethod
    def _from_json(cls, told: Any) -> Profile:
        if not isinstance(told, Mapping) or told.get("profile") != MAGIC:
            raise InvalidProfile("This file is not a profile of dice or dominoes.")
        if told.get("version") != VERSION:
            raise InvalidProfile(f"This profile has version {told.get('version')!r}. Update Muggins to read it.")
        pieces = told.get("pieces")
        if not isinstance(pieces, list) or not all(isinstance(each, Mapping) for each in pieces):
            raise InvalidProfile(f"This profile has no list of pieces. {_TEACH}")
        if len(pieces) > MOST_PIECES:
            raise InvalidProfile(f"A profile has at most {MOST_PIECES} pieces, got {len(pieces)}. {_TEACH}")
        return cls(str(told.get("name", "")), tuple(_pieces(pieces)))


def _pieces(pieces: Iterable[Mapping[str, Any]]) -> Iterator[TaughtPiece]:
    """The pieces of a file. The error for an invalid one names its number, as `muggins profiles` counts."""
    for number, each in enumerate(pieces, 1):
        try:
            yield TaughtPiece.from_json(each)
        except InvalidProfile as error:
            raise InvalidProfile(f"Piece {number}: {error}") from error


_SHOWN: Mapping[Kind, range] = {**{kind: range(1, sides + 1) for kind, sides in SIDES.items()}, "domino": range(ENDS)}
"""All values of each kind."""


@dataclass(frozen=True, slots=True)
class MissingSides:
    """Sides of dice, or ends of tiles, that a profile was not taught.

    Attributes:
        kind: the kind of piece.
        sides: the missing values.
        photos: how many more photos it takes, with as many pieces on each as on the fullest photo so far.
    """

    kind: Kind
    sides: tuple[int, ...]
    photos: int


def missing(profile: Profile) -> list[MissingSides]:
    """The values that are still to be taught, for each kind of piece in a profile; empty if there are none."""
    found = []
    for kind, sides in _SHOWN.items():
        own = [(value, piece.photo) for piece in profile.pieces if piece.kind == kind for value in piece.shows]
        left = tuple(sorted(set(sides) - {value for value, _ in own}))
        if own and left:
            together = max(Counter(photo for _, photo in own if photo).values(), default=1)
            found.append(MissingSides(kind, left, -(-len(left) // together)))
    return found


def read(path: Path) -> Profile:
    """The profile in a file.

    Raises:
        InvalidProfile: it is not a profile.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return Profile.from_bytes(file.read(MOST_BYTES + 1))
