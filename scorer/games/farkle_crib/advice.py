"""Farkle Cribbage: what to do at a moment of a game, and how much each choice is worth."""

from __future__ import annotations

from scorer.engine.advice import Advice
from scorer.engine.game import GO_ON, Move
from scorer.games.farkle_crib import odds
from scorer.games.farkle_crib.legal import STOP, legal_moves
from scorer.games.farkle_crib.state import State
from scorer.games.set_aside_game import Phase


def advise(state: State) -> Advice | None:
    """The best decision now."""
    if state.phase not in (Phase.THROW, Phase.KEEP, Phase.GO_ON):
        return None
    return odds.advise(state.rules, state.turn.points, state.turn.dice, state.turn.thrown)


def choice_worths(state: State) -> dict[Move | None, float]:
    """The worths of stopping and of going on, or the holes that an exchange gains."""
    if state.phase is Phase.GO_ON:
        points = state.turn.points
        on = odds.points_of(state.rules).throw(points, state.turn.dice).worth
        return {STOP: float(points), GO_ON: float(on)}
    exchanges = (move for move in legal_moves(state).choices if move.verb == "exchange")
    return {move: float(state.holes[move.numbers[0]] - state.hole) for move in exchanges}
