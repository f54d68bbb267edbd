"""What lies face up on the table: the last throw, roll or tile, and what lay there before it, for whoever draws the dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scorer.engine.game import Move
from scorer.engine.record import Record

KINDS: Mapping[str, str] = {
    "crib-dice": "d6",
    "farkle-crib": "d6",
    "cribbage-dice": "d12",
    "domino-cribbage": "domino",
}
"""What every game is played with."""

_SHOWS = ("throw", "piddle", "opening", "roll-off", "starter", "play")
"""Moves that put something on the table."""
_CLEARS = "deal"
"""All tiles are taken up, and the hands lie face down."""

Before = tuple[int | str | None, Sequence[int | str]]
"""The starter, if one lies there, and everything that lies there, the starter first."""


def lying(record: Record) -> dict[str, Any] | None:
    """What lies there since the last throw, roll or tile that stands.

    Returns:
        "player" who put it there, "kind" ("d6", "d12", "domino"), "thrown", "aside" (what lay there before, the starter first)
        and "starter": values of dice, or names of tiles. None where nothing lies face up.
    """
    for move, before in zip(reversed(record.moves), reversed(record.history[:-1]), strict=True):
        if move.verb == _CLEARS:
            return None
        if move.verb in _SHOWS:
            return _told(record.header.game, move, before)
    return None


def _told(game: str, move: Move, before: Any) -> dict[str, Any]:
    starter, aside = _BEFORE[game](move, before)
    thrown = [*move.numbers, *map(str, move.tiles)]
    return {
        "player": before.to_act,
        "kind": KINDS[game],
        "thrown": thrown,
        "aside": list(aside),
        "starter": thrown[0] if _brings_starter(game, move, starter) else starter,
    }


def _brings_starter(game: str, move: Move, starter: int | str | None) -> bool:
    """Whether the starter comes with this move: then it is the first of what is thrown."""
    return starter is None and (move.verb == "starter" or (game == "cribbage-dice" and move.verb == "throw"))


# What lay there before


def _crib_dice(move: Move, before: Any) -> Before:
    on = move.verb == "piddle" or before.phase == "safe"
    return None, (before.turn.point,) * before.turn.frozen if on else ()


def _farkle_crib(move: Move, before: Any) -> Before:
    return None, before.turn.aside if move.verb == "throw" else ()


def _cribbage_dice(move: Move, before: Any) -> Before:
    if move.verb != "throw" or not before.turn.starter:
        return None, ()
    return before.turn.starter, before.turn.table


def _domino_cribbage(move: Move, before: Any) -> Before:
    if move.verb != "play":
        return None, tuple(map(str, before.drawn)) if move.verb == "opening" else ()
    return str(before.starter), (str(before.starter), *(str(play.tile) for play in before.played))


_BEFORE: Mapping[str, Callable[[Move, Any], Before]] = {
    "crib-dice": _crib_dice,
    "farkle-crib": _farkle_crib,
    "cribbage-dice": _cribbage_dice,
    "domino-cribbage": _domino_cribbage,
}
