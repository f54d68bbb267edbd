"""Crib Dice: what to do at a moment of a game, and how much each choice is worth."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from scorer.engine.advice import Advice
from scorer.engine.game import GO_ON, Move
from scorer.games.crib_dice import odds
from scorer.games.crib_dice.legal import BOMB, ROLL, STOP
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.state import State
from scorer.games.crib_dice.throws import DICE


def advise(state: State) -> Advice | None:
    """The best decision now."""
    turn = state.turn
    moments: dict[str, tuple[tuple[int, int] | None, tuple[int, ...]]] = {
        "throw": (None, ()),
        "choose": (None, turn.dice),
        "freeze": ((turn.point, turn.frozen), turn.dice),
        "safe": ((turn.point, turn.frozen), ()),
        "piddle": ((turn.point, turn.frozen), ()),
        "seven": ((turn.point, DICE), ()),
    }
    if state.phase == "seven" and not turn.point:
        return odds.after_piddle(state.rules, turn.banked)
    if state.phase not in moments:
        return None
    advice = odds.advise(state.rules, turn.banked, *moments[state.phase])
    if state.may_bomb:
        return advice
    # The leader has nobody to exchange pegs with.
    return replace(advice, alternatives=tuple(each for each in advice.alternatives if each.move != str(BOMB)))


def choice_worths(state: State) -> dict[Move | None, float]:
    """The worths of stopping, of going on, and of the bomb; a point or a freeze has no known worth by itself."""
    turn = state.turn
    if state.phase not in ("safe", "piddle", "seven"):
        return {}
    on = _going_on(state.rules, turn.banked, turn.point, turn.frozen)
    rolls = {ROLL: _rolling(state.rules, turn.banked, turn.point, turn.frozen)} if state.phase == "piddle" else {}
    return {STOP: float(turn.total), GO_ON: on} | rolls | ({BOMB: _bomb(state)} if state.may_bomb else {})


@lru_cache(maxsize=8192)
def _going_on(rules: Rules, banked: int, point: int, frozen: int) -> float:
    turns = odds.points_of(rules)
    return float((turns.go_on(banked, point, frozen) if point else turns.fresh(banked)).worth)


@lru_cache(maxsize=8192)
def _rolling(rules: Rules, banked: int, point: int, frozen: int) -> float:
    return float(odds.points_of(rules).roll_on(banked, point, frozen).worth)


def _bomb(state: State) -> float:
    """The holes gained, times the chance that the bomb goes off; the points of the turn are given up."""
    gain = state.sides[state.rivals[0]].hole - state.own.hole
    return gain * float(odds.bomb_chance(state.rules, state.turn.frozen))
