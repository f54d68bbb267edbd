"""What lies face up on the table: the last throw, roll or tile, and what lay there before it, for whoever draws the dice."""

from __future__ import annotations

from typing import Any

from scorer.camera.observation import VISIBLE_VERBS
from scorer.engine.game import Move
from scorer.engine.record import Record
from scorer.games.registry import AnyGame


def lying(record: Record) -> dict[str, Any] | None:
    """What lies there since the last throw, roll or tile that stands.

    Returns:
        "player" who put it there, "kind" ("d6", "d12", "domino"), "thrown", "aside" (what lay there before, the starter first)
        and "starter": values of dice, or names of tiles. None where nothing lies face up.
    """
    for move, before in zip(reversed(record.moves), reversed(record.history[:-1]), strict=True):
        if move.verb in record.game.hidden_verbs and move.verb in VISIBLE_VERBS:
            # All tiles are taken up, and the hands lie face down.
            return None
        if move.verb in VISIBLE_VERBS:
            return _told(record.game, move, before)
    return None


def _told(game: AnyGame, move: Move, before: Any) -> dict[str, Any]:
    return {
        "player": before.to_act,
        "kind": game.kind,
        "thrown": [*move.numbers, *map(str, move.tiles)],
        "aside": list(game.lay_before(before, move)),
        "starter": game.starter(before, move),
    }
