"""Whether a move is what the camera saw, and where a second look at a photo sees otherwise."""

from __future__ import annotations

from collections import Counter

from api.evidence.throws import Line
from api.interpret.observation import seen_of
from scorer.camera.referee import rule
from scorer.games.registry import AnyGame
from scorer.pieces.text import listed, several
from vision.reading import Reading


def follows(game: AnyGame, line: Line) -> bool:
    """Whether the move is one that the referee makes of the line's reading, in the game as it stood."""
    assert line.reading is not None, "only what was read can be followed"
    try:
        seen = seen_of(line.reading, game.name)
    except ValueError:
        return False
    return line.entry.move in rule(game, line.state, seen).moves


def differences(then: Reading, now: Reading) -> str:
    """How a second reading differs in what lies there, as a phrase; empty where both see the same."""
    before, after = _pieces(then), _pieces(now)
    gone, new = before - after, after - before
    if not gone and not new:
        return ""
    return f"then {_phrase(gone) or 'nothing more'}, now {_phrase(new) or 'nothing there'}"


def _pieces(reading: Reading) -> Counter[tuple[str, str]]:
    """Kind and value of every piece, whatever its place."""
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
