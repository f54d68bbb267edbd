"""Compares moves with readings, and readings with each other."""

from __future__ import annotations

from collections import Counter

from api.evidence.throws import Line
from api.interpret.observation import seen_from_reading
from scorer.camera.referee import rule
from scorer.games.registry import AnyGame
from scorer.pieces.text import listed, several
from vision.reading import Reading


def follows(game: AnyGame, line: Line) -> bool:
    """Whether the move is a ruling of the referee on the line's reading in that state of the game."""
    assert line.reading is not None, "the line has a reading"
    try:
        seen = seen_from_reading(line.reading, game.name)
    except ValueError:
        return False
    return line.entry.move in rule(game, line.state, seen).moves


def differences(then: Reading, now: Reading) -> str:
    """The differences between two readings as a phrase; empty if both show the same pieces."""
    before, after = _pieces(then), _pieces(now)
    gone, new = before - after, after - before
    if not gone and not new:
        return ""
    return f"then {_phrase(gone) or 'nothing more'}, now {_phrase(new) or 'nothing there'}"


def _pieces(reading: Reading) -> Counter[tuple[str, str]]:
    """Kind and value of every piece, regardless of position."""
    dice = (("starter" if die.starter else die.kind, str(die.value)) for die in reading.dice)
    tiles = (("tile", "-".join(map(str, sorted(tile.shown))) if tile.shown else tile.name) for tile in reading.tiles)
    return Counter([*dice, *tiles])


def _phrase(pieces: Counter[tuple[str, str]]) -> str:
    return listed([_said(kind, value, count) for (kind, value), count in sorted(pieces.items())])


def _said(kind: str, value: str, count: int) -> str:
    if kind == "tile":
        return value if count == 1 else f"{count} times {value}"
    mark = {"starter": " as the starter", "d12": " on twelve sides"}.get(kind, "")
    return f"{several(count, int(value))}{mark}"
