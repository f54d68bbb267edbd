"""Farkle: exact chances to farkle, what a turn is worth, and the best decision now.

All in exact fractions (`scorer.odds.set_aside_turns` says why), for expected points of the turn; what three farkles in a row
cost is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.engine.game import GO_ON, Move
from scorer.games.farkle.legal import STOP, keeps
from scorer.games.farkle.rules import UNIT, Rules
from scorer.games.farkle.state import Phase, State, Turn
from scorer.games.farkle.throws import set_asides
from scorer.games.farkle.worth import GAME
from scorer.odds.dice import Outlook, Points, on_average, percent
from scorer.odds.set_aside_turns import Ends, Table, Turns
from scorer.pieces.dice import dice_counted
from scorer.pieces.set_asides import SetAside, in_a_phrase
from scorer.pieces.text import points, sentence

_SCORING = ("of_a_kind", "straight", "three_pairs", "four_and_two", "two_triplets")


def scoring(rules: Rules) -> Rules:
    """The rules with every option at its default that has no say in what a throw scores."""
    usual = Rules()
    return replace(
        rules, **{each.name: getattr(usual, each.name) for each in fields(rules) if each.name not in _SCORING}
    )


@cache
def table(rules: Rules) -> Table:
    """What throws may end in, in units of 50 points."""
    found = Table.of(lambda dice: set_asides(dice, rules))
    return Table(tuple(map(_in_units, found.ends)))


def _in_units(ends: Ends) -> Ends:
    return tuple((tuple((points // UNIT, dice) for points, dice in kept), ways) for kept, ways in ends)


@cache
def turns(rules: Rules, least: int) -> Turns[Outlook]:
    """The worth of every moment of a turn in which fewer than `least` points cannot be kept."""
    found = table(scoring(rules))
    return Turns(found, Points(), found.horizon, least // UNIT)


def farkle_chance(rules: Rules, dice: int) -> Fraction:
    """The chance that nothing scores in a throw of 1 to 6 dice.

    Raises:
        ThrowError: "wrong-count".
    """
    return table(scoring(rules)).farkle_chance(dice)


def _turns(state: State) -> Turns[Outlook]:
    return turns(scoring(state.rules), 0 if state.score else state.rules.opening_score)


def advise(state: State) -> Advice | None:
    """The best decision now; None where there is none to make."""
    if state.phase is Phase.KEEP:
        found = [each for choice in keeps(state.rules, state.turn.thrown).values() for each in _after(state, choice)]
    elif state.phase in (Phase.THROW, Phase.GO_ON):
        found = [*_stop(state, "stop", "stop", state.turn.points), _throw(state, "throw", "", state.turn)]
    else:
        return None
    alternatives = best_first(found)
    return Advice(GAME, "expected points of the turn", alternatives, _why(alternatives))


def _after(state: State, choice: SetAside) -> Iterator[Alternative]:
    """Setting these dice aside, with stopping after it and with throwing on."""
    turn = state.turn.keeping(choice.dice, choice.points)
    move = " ".join(map(str, ("keep", *sorted(choice.dice))))
    aside = f"set aside {in_a_phrase(choice)}"
    yield from _stop(state, f"{move}, stop", f"{aside} and stop", turn.points)
    yield _throw(state, f"{move}, throw", f"{aside} and ", turn)


def _stop(state: State, move: str, text: str, total: int) -> Iterator[Alternative]:
    if total and (state.score or total >= state.rules.opening_score):
        yield Alternative(move, f"{text} with {points(total)}", Fraction(total), {"nothing": Fraction(0)})


def _throw(state: State, move: str, text: str, turn: Turn) -> Alternative:
    worth = _turns(state).throw(turn.points // UNIT, turn.dice)
    chances = {"farkle": farkle_chance(state.rules, turn.dice), "nothing": worth.lost}
    return Alternative(move, f"{text}throw {dice_counted(turn.dice)}", worth.worth * UNIT, chances)


def _why(alternatives: tuple[Alternative, ...]) -> str:
    best = alternatives[0]
    risk = f", and {percent(best.chances['farkle'])} of the throws farkle" if "farkle" in best.chances else ""
    first = f"{best.text}: the turn is then worth {on_average(best.worth)} points on average{risk}"
    if len(alternatives) == 1:
        return sentence(first)
    other = alternatives[1]
    return sentence(f"{first}; the next best, to {other.text}, is worth {on_average(other.worth)}")


def choice_worths(state: State) -> dict[Move | None, float]:
    """Of stopping and of going on, in the points of Farkle Cribbage, which are a fiftieth."""
    if state.phase is not Phase.GO_ON:
        return {}
    on = _turns(state).throw(state.turn.points // UNIT, state.turn.dice).worth
    return {STOP: state.turn.points / UNIT, GO_ON: float(on)}
