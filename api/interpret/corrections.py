"""Corrections of a reading by a person: change a value, add or remove a piece. The original reading is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Any, TypeVar

from vision.classify.colour import UNKNOWN
from vision.reading import Die, Doubt, DoubtReason, Point, Quad, Reading, Tile

_SIDES = {"d6": 6, "d12": 12}
_SMALL = 0.05
"""Size of an added piece relative to the photo's longer side, if no other piece of its kind shows the size."""
_NUMBER: tuple[DoubtReason, ...] = ("number", "other-pieces", "no-pieces")
"""Doubts about how many pieces there are."""
_P = TypeVar("_P", bound=Die | Tile)


class InvalidCorrection(ValueError):  # noqa: N818 - named after what is wrong
    """A correction does not fit the reading; the message says why."""


REFUSED = (InvalidCorrection, KeyError, TypeError, ValueError, AttributeError)
"""Exceptions of `corrected` for unvalidated corrections from a record."""


def corrected(reading: Reading, corrections: Iterable[Mapping[str, Any]]) -> Reading:
    """The reading with corrections applied.

    Args:
        reading: the original.
        corrections: in order; each is `{"change": …}`, `{"add": …}` or `{"remove": …}`, with indices as left by the
            previous ones.

    Raises:
        InvalidCorrection: one refers to a missing piece or an impossible value.
    """
    for correction in corrections:
        for verb, what in correction.items():
            reading = _DONE[verb](reading, what)
    return reading


def _changed(reading: Reading, what: Mapping[str, Any]) -> Reading:
    if what.get("die") is not None:
        at = _there(what["die"], reading.dice, "die")
        die = _certain(reading.dice[at], what["value"], what.get("starter"))
        return _settled(_with_starter(replace(reading, dice=_with(reading.dice, at, die)), at), "piece", at)
    at = _there(what["tile"], reading.tiles, "tile")
    ends = _ends(what["ends"])
    tile = replace(reading.tiles[at], ends=ends, confidence=1.0, alternatives=((ends, 1.0),), face_up=True)
    return _settled(replace(reading, tiles=_with(reading.tiles, at, tile)), "tile", at)


def _added(reading: Reading, what: Mapping[str, Any]) -> Reading:
    x, y = what["at"]
    if not (0 <= x <= reading.width and 0 <= y <= reading.height):
        raise InvalidCorrection("This position is outside the photo.")
    if what["kind"] == "domino":
        ends = _ends(what["ends"])
        box = _box((x, y), _size([tile.box for tile in reading.tiles], reading))
        return _recounted(replace(reading, tiles=(*reading.tiles, Tile(ends, 1.0, ((ends, 1.0),), box))))
    box = _box((x, y), _size([die.box for die in reading.dice], reading))
    die = Die(what["value"], 1.0, (), box, UNKNOWN, what["kind"])
    dice = (*reading.dice, _certain(die, what["value"], what.get("starter")))
    return _recounted(_with_starter(replace(reading, dice=dice), len(dice) - 1))


def _removed(reading: Reading, what: Mapping[str, Any]) -> Reading:
    if what.get("die") is not None:
        at = _there(what["die"], reading.dice, "die")
        return _closed_up(replace(reading, dice=_without(reading.dice, at)), "piece", at)
    at = _there(what["tile"], reading.tiles, "tile")
    return _closed_up(replace(reading, tiles=_without(reading.tiles, at)), "tile", at)


_DONE = {"change": _changed, "add": _added, "remove": _removed}


def _certain(die: Die, value: int, starter: bool | None) -> Die:
    if value > _SIDES[die.kind]:
        raise InvalidCorrection(f"A die with {_SIDES[die.kind]} sides cannot show {value}.")
    if starter and die.kind != "d12":
        raise InvalidCorrection("Only a twelve-sided die can be the starter.")
    odd = die.starter if starter is None else starter
    return replace(die, value=value, confidence=1.0, alternatives=((value, 1.0),), starter=odd)


def _with_starter(reading: Reading, at: int) -> Reading:
    """If this die is the starter, no other is, and the doubt about the starter is settled."""
    if not reading.dice[at].starter:
        return reading
    dice = tuple(replace(die, starter=die.starter and place == at) for place, die in enumerate(reading.dice))
    return replace(reading, dice=dice, doubts=tuple(doubt for doubt in reading.doubts if doubt.reason != "starter"))


def _ends(ends: Sequence[int]) -> tuple[int, int]:
    first, second = ends
    return first, second


def _there(at: int, pieces: Sequence[object], kind: str) -> int:
    if not 0 <= at < len(pieces):
        raise InvalidCorrection(f"There is no {kind} {at}: the reading has {len(pieces)}, numbered from 0.")
    return at


def _with(pieces: tuple[_P, ...], at: int, piece: _P) -> tuple[_P, ...]:
    return (*pieces[:at], piece, *pieces[at + 1 :])


def _without(pieces: tuple[_P, ...], at: int) -> tuple[_P, ...]:
    return (*pieces[:at], *pieces[at + 1 :])


# Doubts: a correction settles the doubts about its piece, and the number of pieces if it changes that; no others


def _settled(reading: Reading, kind: str, at: int) -> Reading:
    return replace(reading, doubts=tuple(doubt for doubt in reading.doubts if getattr(doubt, kind) != at))


def _recounted(reading: Reading) -> Reading:
    """The reading without doubts about the count, for a person counted the pieces; the referee checks the number by the game."""
    return replace(reading, doubts=tuple(doubt for doubt in reading.doubts if doubt.reason not in _NUMBER))


def _closed_up(reading: Reading, kind: str, at: int) -> Reading:
    settled = _recounted(_settled(reading, kind, at))
    return replace(settled, doubts=tuple(_moved_up(doubt, kind, at) for doubt in settled.doubts))


def _moved_up(doubt: Doubt, kind: str, at: int) -> Doubt:
    place = getattr(doubt, kind)
    if place is None or place < at:
        return doubt
    return replace(doubt, piece=place - 1) if kind == "piece" else replace(doubt, tile=place - 1)


# Position of an added piece


def _size(boxes: Sequence[Quad], reading: Reading) -> float:
    sides = [max(x for x, _ in box) - min(x for x, _ in box) for box in boxes]
    return median(sides) if sides else _SMALL * max(reading.width, reading.height)


def _box(at: Point, size: float) -> Quad:
    (x, y), half = at, size / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
