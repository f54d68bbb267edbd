"""A roll that another program has seen, read again by the server: evidence contains only what the server has read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import dist

from api.http.cameras.schemas import Point, SeenRoll
from vision.reading import Die, Doubt, Quad, Reading, Tile, middle_of
from vision.watch.events import Piece, Roll


def rolled(seen: SeenRoll, reading: Reading) -> Roll:
    """The roll. The program says which pieces were thrown; the server reads their values, with a doubt if the two differ."""
    both: tuple[Die | Tile, ...] = (*reading.dice, *reading.tiles)
    pieces = tuple(Piece(at, piece, _was_thrown(piece.box, seen)) for at, piece in enumerate(both))
    names = [str(each.value) if isinstance(each, Die) else each.name for each in both]
    if sorted(names) != sorted(seen.pieces):
        text = f"The camera's program read {_row(seen.pieces)}; in this picture there is {_row(names)}."
        reading = replace(reading, doubts=(*reading.doubts, Doubt("uncertain-piece", text)))
    return Roll(seen.number, seen.frame, seen.time, seen.frame, seen.time, reading, pieces)


def _was_thrown(box: Quad, seen: SeenRoll) -> bool:
    """Whether the nearest piece that the program saw was thrown; a piece that it did not see counts as thrown."""
    middle = middle_of(box)
    return _nearest(middle, seen.thrown) <= _nearest(middle, seen.still)


def _nearest(place: Point, places: Sequence[Point]) -> float:
    return min((dist(place, each) for each in places), default=float("inf"))


def _row(names: Sequence[str]) -> str:
    return " ".join(sorted(names)) or "nothing"
