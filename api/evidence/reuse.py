"""Whether one throw was counted twice: the same photo again, another picture of the same pieces in the same places, or an
old photo.

A photo that is saved anew, cropped, scaled or turned keeps how its pieces lie to each other; two throws of three pieces or
more do not fall alike. Of one or two pieces nothing can be said but that it is the same file.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import permutations

from vision.reading import Quad, Reading

FEWEST = 3
"""Pieces whose places tell a throw from another: two can always be laid on two."""
_NEAR = 0.03
"""Of the distance between the two pieces that lie farthest apart: how exactly places must agree."""
PHOTO_OLD = "photo-old"
"""Code of the doubt about a photo that was taken before the last move."""
_CLOCKS = timedelta(minutes=2)
"""How far the clocks of a phone and of the server may be apart."""
_Piece = tuple[str, complex]


def same_throw(one: Reading, other: Reading) -> bool:
    """Whether both show the same file, or the same pieces with the same values in the same places to each other."""
    return one.sha256 == other.sha256 or same_layout(one, other)


def same_layout(one: Reading, other: Reading) -> bool:
    """Whether the pieces of one, moved, turned and scaled together, lie on those of the other."""
    first, second = _pieces(one), _pieces(other)
    if len(first) < FEWEST or sorted(name for name, _ in first) != sorted(name for name, _ in second):
        return False
    (name_a, a), (name_b, b) = _far_apart(first)
    if a == b:
        return False
    near = _NEAR * max(abs(place - each) for _, place in second for _, each in second)
    for (name_c, c), (name_d, d) in permutations(second, 2):
        if (name_a, name_b) == (name_c, name_d):
            turn = (d - c) / (b - a)
            if _lies_on([(name, c + turn * (place - a)) for name, place in first], second, near):
                return True
    return False


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


def _pieces(reading: Reading) -> list[_Piece]:
    dice = [(f"{die.kind} {die.value}", _middle(die.box)) for die in reading.dice]
    return [*dice, *((tile.name, _middle(tile.box)) for tile in reading.tiles)]


def _middle(box: Quad) -> complex:
    return sum((complex(x, y) for x, y in box), 0j) / len(box)


def _far_apart(pieces: Sequence[_Piece]) -> tuple[_Piece, _Piece]:
    return max(permutations(pieces, 2), key=lambda pair: abs(pair[0][1] - pair[1][1]))


def _lies_on(moved: Sequence[_Piece], pieces: Sequence[_Piece], near: float) -> bool:
    """Whether each has a piece of its name near it, and no two the same one."""
    left = list(pieces)
    for name, place in moved:
        found = next((each for each in left if each[0] == name and abs(each[1] - place) <= near), None)
        if found is None:
            return False
        left.remove(found)
    return True
