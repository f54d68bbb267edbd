"""Cribbage Dice: what to do at a moment of a game, and how much each choice is worth."""

from __future__ import annotations

from scorer.engine.advice import Advice
from scorer.engine.game import Move
from scorer.games.cribbage_dice import odds
from scorer.games.cribbage_dice.prompts import offers
from scorer.games.cribbage_dice.state import ROLLS, State


def advise(state: State) -> Advice | None:
    """The best decision now."""
    return _advice(state) if state.phase in ("decide", "discard") else None


def choice_worths(state: State) -> dict[Move | None, float]:
    """The worths of every keep and of stopping; for a discard, those of the hands that stay."""
    if state.phase != "decide":
        return {offer.move: float(offer.points) for offer in offers(state)}
    return {Move.parse(each.move): float(each.worth) for each in _advice(state).alternatives}


def _advice(state: State) -> Advice:
    turn = state.turn
    # A player who stopped early has rolls left, but none to make.
    rolls_left = ROLLS - turn.rolls if state.phase == "decide" else 0
    return odds.advise(state.rules, turn.starter, turn.others, rolls_left, turn.locked)
