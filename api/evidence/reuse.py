"""Whether one throw was counted twice: the same photo again, another picture of the same pieces in the same places, or an
old photo.

A photo that is saved again, cropped, scaled, rotated or mirrored keeps its pieces in the same places relative to each other; a
stretched one does so along each axis. Two throws of three pieces or more never fall in the same layout. Any two pieces match any
other two by moving and scaling: they are the same throw only if they are at the same place in the picture, saved again or
scaled. A single piece proves nothing except in the same file: a die often enough falls on the same place with the same value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, Self

from api.evidence.throws import Line
from scorer.engine.record import Entry
from vision.reading import Quad, Reading

FEWEST = 2
"""The fewest pieces whose places distinguish one throw from another,"""
_ANYWHERE = 3
"""and the fewest that do so wherever they are in the picture."""
_NEAR = 0.03
"""Tolerance of places, as a share of the distance between the two pieces that are farthest apart."""
_STRETCH = 1.5
"""The largest ratio by which a picture may have been stretched in width or height."""
_STILL = 0.005
"""Tolerance of places, as a share of the picture's diagonal, where only the place in the picture counts."""
MOST_COMPARED = 500
"""Lines of a record whose throws are compared with each other."""
PHOTO_AGAIN = "photo-again"
"""Code of the doubt about a throw that was played already in this game."""
PHOTO_ELSEWHERE = "photo-elsewhere"
"""Code of the doubt about a throw that was played already in another game."""
PHOTO_OLD = "photo-old"
"""Code of the doubt about a photo that was taken before the last move."""
ELSEWHERE = "elsewhere"
"""Key beside a move in the record: the day on which another game played its throw."""
_CLOCKS = timedelta(minutes=2)
"""The largest difference between the clocks of a phone and of the server."""
_Piece = tuple[str, complex]


@dataclass(frozen=True)
class Layout:
    """The pieces of a throw and their places: what a photo keeps even when it comes back as another file.

    Attributes:
        pieces: name and place of each, in the order of their names; a place is in diagonals of the picture.
    """

    pieces: tuple[_Piece, ...]

    @classmethod
    def of(cls, reading: Reading) -> Self:
        """The layout of a reading."""
        size = abs(complex(reading.width, reading.height))
        dice = [(f"{die.kind} {die.value}", _middle(die.box) / size) for die in reading.dice]
        tiles = [(tile.name, _middle(tile.box) / size) for tile in reading.tiles]
        return cls(tuple(sorted([*dice, *tiles], key=lambda piece: piece[0])))

    @classmethod
    def from_json(cls, told: Sequence[tuple[str, float, float]]) -> Self:
        """Read what `to_json` wrote."""
        return cls(tuple((name, complex(x, y)) for name, x, y in told))

    def to_json(self) -> list[tuple[str, float, float]]:
        """A plain list, ready for `json.dumps`."""
        return [(name, round(place.real, 6), round(place.imag, 6)) for name, place in self.pieces]

    @property
    def telling(self) -> bool:
        """Whether it can distinguish one throw from another."""
        return len(self.pieces) >= FEWEST and self._widest > 0

    @cached_property
    def names(self) -> str:
        """A digest of the names, equal for equal throws."""
        return hashlib.sha256("\n".join(name for name, _ in self.pieces).encode()).hexdigest()

    @cached_property
    def shape(self) -> float:
        """A number from 0 to 1 that moving, rotating, scaling and mirroring leave unchanged, and stretching nearly so.

        It is about the same for all photos of one throw.
        """
        if len(self.pieces) < _ANYWHERE:
            return self._widest
        distances = [abs(a - b) for (_, a), (_, b) in combinations(self.pieces, 2)]
        return sum(distances) / len(distances) / self._widest

    @property
    def tolerance(self) -> float:
        """The largest difference between the shapes of one throw."""
        # Both ends of a distance may be off, and so may the largest distance, by which it is divided.
        return 2 * _STILL if len(self.pieces) < _ANYWHERE else 4 * _NEAR

    def is_as(self, other: Layout) -> bool:
        """Whether the pieces of one, moved, rotated, scaled and perhaps mirrored together, match those of the other.

        With three pieces or more, they may also be stretched along or across the picture.
        """
        if self.names != other.names or not (self.telling and other.telling):
            return False
        if len(self.pieces) < _ANYWHERE:
            return _lies_on(self.pieces, other.pieces, _STILL)
        mirrored = [(name, place.conjugate()) for name, place in self.pieces]
        return any(_can_lie_on(way, other) or _stretches_onto(way, other) for way in (self.pieces, mirrored))

    @cached_property
    def _widest(self) -> float:
        return max((abs(a - b) for (_, a), (_, b) in combinations(self.pieces, 2)), default=0.0)


def _can_lie_on(pieces: Sequence[_Piece], other: Layout) -> bool:
    (name_a, a), (name_b, b) = _far_apart(pieces)
    near = _NEAR * other._widest
    for (name_c, c), (name_d, d) in permutations(other.pieces, 2):
        if (name_a, name_b) == (name_c, name_d):
            turn = (d - c) / (b - a)
            if _lies_on([(name, c + turn * (place - a)) for name, place in pieces], other.pieces, near):
                return True
    return False


def _stretches_onto(pieces: Sequence[_Piece], other: Layout) -> bool:
    """Whether they match those of the other after stretching to the same width and height, perhaps rotated by quarter turns."""
    wide, high = _extent(other.pieces)
    near = _NEAR * other._widest
    for quarters in range(4):
        turned = [(name, place * 1j**quarters) for name, place in pieces]
        across, along = _extent(turned)
        if min(wide, high, across, along) <= near:
            continue  # in one line, anything can be stretched onto anything
        stretch_x, stretch_y = wide / across, high / along
        if max(stretch_x, stretch_y) <= _STRETCH * min(stretch_x, stretch_y):
            moved = [(name, complex(place.real * stretch_x, place.imag * stretch_y)) for name, place in turned]
            away = _corner(other.pieces) - _corner(moved)
            if _lies_on([(name, place + away) for name, place in moved], other.pieces, near):
                return True
    return False


def _corner(pieces: Sequence[_Piece]) -> complex:
    """The left and top of the pieces' places."""
    return complex(min(place.real for _, place in pieces), min(place.imag for _, place in pieces))


def _extent(pieces: Sequence[_Piece]) -> tuple[float, float]:
    """The width and height of the pieces' places."""
    far = complex(max(place.real for _, place in pieces), max(place.imag for _, place in pieces)) - _corner(pieces)
    return far.real, far.imag


def same_throw(one: Reading, other: Reading) -> bool:
    """Whether both show the same file, or the same pieces with the same values in the same layout."""
    return one.sha256 == other.sha256 or same_layout(one, other)


def same_layout(one: Reading, other: Reading) -> bool:
    """Whether both show the same pieces with the same values in the same layout."""
    return Layout.of(one).is_as(Layout.of(other))


def counted_again(lines: Sequence[Line], most: int) -> Iterator[tuple[Line, Line]]:
    """Lines that play the throw of an earlier line, with that line. A photo may show several moves, which are played at one
    moment, in consecutive lines.

    Args:
        lines: of a record.
        most: lines with a photo that are compared with each other.
    """
    plays = _first_of_plays(lines)
    standing = [
        (line, line.reading.sha256, Layout.of(line.reading)) for line in lines if line.reading and not line.undone_by
    ][:most]
    for at, (line, photo, layout) in enumerate(standing):
        for earlier, other, before in standing[:at]:
            one_play = plays[earlier.number] == plays[line.number]
            if not one_play and (photo == other or before.is_as(layout)):
                yield line, earlier
                break


def _first_of_plays(lines: Sequence[Line]) -> dict[int, int]:
    """For the number of each line, the number of the first line of its play.

    Equal times do not show that two lines are one play of a photo: times are in whole seconds. But between two plays another
    move was made, or the second was confirmed.
    """
    first: dict[int, int] = {}
    before: Line | None = None
    for line in lines:
        goes_on = before is not None and line.reading is not None and _told(before) == _told(line)
        first[line.number] = first[before.number] if before and goes_on else line.number
        before = line
    return first


def _told(line: Line) -> tuple[Any, ...]:
    """What the lines of all moves of one play have in common."""
    return line.same_as, line.entry.at, line.entry.corrected


def elsewhere(entry: Entry) -> str:
    """The day on which another game played the throw of a line, as the server noted it; empty if it did not."""
    told: Mapping[str, Any] = entry.corrected or {}
    return str(told[ELSEWHERE]) if told.get(ELSEWHERE) else ""


def is_older(taken: str, before: str) -> bool:
    """Whether a photo was taken before the last move was made. False if either time is unknown.

    Args:
        taken: of the photo, ISO 8601 with time zone.
        before: time of the last move, ISO 8601 with time zone.
    """
    try:
        return datetime.fromisoformat(taken) + _CLOCKS < datetime.fromisoformat(before)
    except (ValueError, TypeError, OverflowError):
        return False


def _middle(box: Quad) -> complex:
    return sum((complex(x, y) for x, y in box), 0j) / len(box)


def _far_apart(pieces: Sequence[_Piece]) -> tuple[_Piece, _Piece]:
    return max(permutations(pieces, 2), key=lambda pair: abs(pair[0][1] - pair[1][1]))


def _lies_on(moved: Sequence[_Piece], pieces: Sequence[_Piece], near: float) -> bool:
    """Whether each piece has another of its name near it, and no two have the same one."""
    left = list(pieces)
    for name, place in moved:
        found = next((each for each in left if each[0] == name and abs(each[1] - place) <= near), None)
        if found is None:
            return False
        left.remove(found)
    return True
