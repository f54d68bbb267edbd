"""The pieces face up on the table: the last throw, roll or tile, and the pieces before it, for drawing."""

from __future__ import annotations

from typing import Any

from scorer.engine.game import Move
from scorer.engine.record import Record
from scorer.games.registry import AnyGame


def on_table(record: Record) -> dict[str, Any] | None:
    """The pieces on the table after the last throw, roll or tile.

    Returns:
        "player" who moved last, "kind" ("d6", "d12", "domino"), "thrown", "aside" (pieces from before, the starter first) and
        "starter": values of dice or names of tiles. None if nothing is face up.
    """
    for move, before in zip(reversed(record.moves), reversed(record.history[:-1]), strict=True):
        laid = record.game.laid_by(move)
        if laid and move.verb in record.game.hidden_verbs:
            # The table is cleared, and the hands are face down.
            return None
        if laid:
            return _as_json(record.game, move, before)
    return None


def _as_json(game: AnyGame, move: Move, before: Any) -> dict[str, Any]:
    return {
        "player": before.to_act,
        "kind": game.kind,
        "thrown": list(game.laid_by(move)),
        "aside": list(game.lay_before(before, move)),
        "starter": game.starter(before, move),
    }
