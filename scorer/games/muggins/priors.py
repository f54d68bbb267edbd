"""Muggins: the probabilities of moves that no camera sees, for a camera that follows the game.

A laid tile is seen, so only what happens between two tiles is estimated: mostly nothing. Where hands are secret, every tile
that fits is a choice, so a draw among them gets the share of turns in which somebody draws.
"""

from __future__ import annotations

from math import log

from scorer.engine.game import Move
from scorer.games.muggins.legal import CALL, legal_moves
from scorer.games.muggins.state import Phase, State

DRAWS = 0.2
"""The share of choices that are draws, a round figure: of 202 in 20 random hands of two players 56 were draws."""
CALLS = 0.95
"""The share of scores that are called by the player who made them; assumed, not measured."""


def choice_worths(state: State, weighs_points: float) -> dict[Move | None, float]:
    """Worths that give the choices these shares under the weighting of `scorer.camera.priors`.

    Args:
        state: with something to choose.
        weighs_points: of the game.
    """
    choices = legal_moves(state).choices
    if state.phase is Phase.CALL:
        shares = {move: CALLS if move == CALL else (1 - CALLS) / (len(choices) - 1) for move in choices}
    else:
        plays = sum(move.verb == "play" for move in choices) or len(choices)
        shares = {move: (1 - DRAWS) / plays if move.verb == "play" else DRAWS for move in choices}
    return {move: weighs_points * log(share) for move, share in shares.items()}
