"""Compares moves with readings, and readings with each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import hypot
from typing import Any

from api.evidence.throws import Line
from api.interpret.corrections import REFUSED, corrected
from api.interpret.observation import seen_from_reading
from scorer.camera.referee import rule
from scorer.engine.game import Move, Seen
from scorer.games.registry import AnyGame
from scorer.pieces.text import listed, several
from vision.reading import Quad, Reading, Tile, middle_of

_ELSEWHERE = 0.5
"""The largest distance, as a share of a piece's longer side, at which another reading has it in the same place."""
_NOTES = {"corrections", "confirmed", "said", "again_of", "first", "taken", "elsewhere", "watched", "inferred"}
"""The known notes that a server or a camera writes beside a move."""
_MOST = 1000
"""The most corrections of one reading that are applied."""


def follows(game: AnyGame, lines: Sequence[Line]) -> bool:
    """Whether the last of these lines has a move that the referee finds in its reading, as corrected and confirmed by people.

    Args:
        game: that is played.
        lines: with the same reading, played at once: a photo may show several moves, which are ruled on before the first.
    """
    line = lines[-1]
    notes = line.by_hand
    if "said" in notes:
        return bool(notes["said"] == str(line.entry.move))
    try:
        seen = seen_from_reading(as_corrected(line), game.name)
    except REFUSED:
        return False
    return any(line.entry.move in _ruled(game, each.state, seen, "confirmed" in notes) for each in lines)


def as_corrected(line: Line) -> Reading:
    """The line's reading with the corrections that it notes.

    Raises:
        api.interpret.corrections.REFUSED: they are invalid, or do not fit the reading.
    """
    assert line.reading is not None, "the line has a reading"
    noted = line.by_hand.get("corrections", [])
    if not isinstance(noted, list) or len(noted) > _MOST:
        raise TypeError
    return corrected(line.reading, noted)


def read_plainly(game: AnyGame, lines: Sequence[Line]) -> tuple[Move, ...]:
    """What the reading of the last of these lines shows without a doubt, where that is not its move; otherwise empty.

    Args:
        game: that is played.
        lines: as for `follows`.
    """
    reading, move = lines[-1].reading, lines[-1].entry.move
    assert reading is not None, "the line has a reading"
    if not reading.sure:
        return ()
    try:
        seen = seen_from_reading(reading, game.name)
    except REFUSED:
        return ()
    shown = [_ruled(game, each.state, seen, False) for each in lines]
    return () if any(move in moves for moves in shown) else next(filter(None, shown), ())


def unknown_notes(line: Line) -> list[str]:
    """The names of unknown notes beside the move."""
    return sorted(line.by_hand.keys() - _NOTES)


def _ruled(game: AnyGame, state: Any, seen: Seen, confirmed: bool) -> tuple[Move, ...]:
    ruling = rule(game, state, seen)
    return ruling.doubt.moves if confirmed and ruling.doubt else ruling.moves


def differences(then: Reading, now: Reading) -> str:
    """The differences between two readings as a phrase; empty if both show the same pieces."""
    before, after = _pieces(then), _pieces(now)
    gone, new = before - after, after - before
    if not gone and not new:
        return ""
    return f"then {_phrase(gone) or 'nothing more'}, now {_phrase(new) or 'nothing there'}"


def shows_another_table(then: Reading, now: Reading) -> bool:
    """Whether none of several pieces of a reading is in another: no rounding of a computer does that."""
    before = _pieces(then)
    return before.total() > 1 and not before & _pieces(now)


def moved(then: Reading, now: Reading) -> int:
    """The number of pieces whose place differs from that in another reading of the same pieces."""
    places: dict[tuple[str, str], list[Quad]] = defaultdict(list)
    for name, box in _named_boxes(now):
        places[name].append(box)
    return sum(not _take_near(box, places[name]) for name, box in _named_boxes(then))


def _take_near(box: Quad, places: list[Quad]) -> bool:
    """Remove the nearest of these places, and tell whether it is near the box."""
    x, y = middle_of(box)
    nearest = min(places, key=lambda each: hypot(middle_of(each)[0] - x, middle_of(each)[1] - y), default=None)
    if nearest is None:
        return False
    places.remove(nearest)
    other_x, other_y = middle_of(nearest)
    return hypot(other_x - x, other_y - y) <= _ELSEWHERE * _longer_side(nearest)


def _longer_side(box: Quad) -> float:
    across, down = [x for x, _ in box], [y for _, y in box]
    return max(max(across) - min(across), max(down) - min(down))


def _pieces(reading: Reading) -> Counter[tuple[str, str]]:
    """Kind and value of every piece, regardless of position."""
    return Counter(name for name, _ in _named_boxes(reading))


def _named_boxes(reading: Reading) -> list[tuple[tuple[str, str], Quad]]:
    """Kind and value of every piece, with its place."""
    dice = [(("starter" if die.starter else die.kind, str(die.value)), die.box) for die in reading.dice]
    return [*dice, *((("tile", _ends(tile)), tile.box) for tile in reading.tiles)]


def _ends(tile: Tile) -> str:
    return "-".join(map(str, sorted(tile.shown))) if tile.shown else tile.name


def _phrase(pieces: Counter[tuple[str, str]]) -> str:
    return listed([_said(kind, value, count) for (kind, value), count in sorted(pieces.items())])


def _said(kind: str, value: str, count: int) -> str:
    if kind == "tile":
        return value if count == 1 else f"{count} times {value}"
    mark = {"starter": " as the starter", "d12": " on twelve sides"}.get(kind, "")
    return f"{several(count, int(value))}{mark}"
