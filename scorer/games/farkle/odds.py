"""Farkle: exact chances to farkle, what a turn is worth, and the best decision now.

All in exact fractions (`scorer.odds.set_aside_turns` says why), for expected points of the turn; what three farkles in a row
cost is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.engine.game import GO_ON, Dice, Move
from scorer.errors import ThrowError
from scorer.games.farkle.legal import STOP, keeps
from scorer.games.farkle.rules import UNIT, Rules
from scorer.games.farkle.state import State
from scorer.games.farkle.throws import set_asides
from scorer.games.farkle.worth import GAME
from scorer.games.set_aside_game import Phase
from scorer.odds.best_turn import BestTurn, best_turn
from scorer.odds.dice import Outlook, Points, on_average, percent
from scorer.odds.set_aside_turns import Ends, ThrowTable, Turns, to_throw
from scorer.pieces.dice import dice_counted
from scorer.pieces.set_asides import SetAside, in_a_phrase
from scorer.pieces.text import points, sentence

_SCORING = ("of_a_kind", "straight", "three_pairs", "four_and_two", "two_triplets")


def scoring(rules: Rules) -> Rules:
    """The rules with every option that does not affect a throw's score at its default."""
    usual = Rules()
    return replace(
        rules, **{each.name: getattr(usual, each.name) for each in fields(rules) if each.name not in _SCORING}
    )


@cache
def table(rules: Rules) -> ThrowTable:
    """The possible outcomes of throws, in units of 50 points."""
    found = ThrowTable.of(lambda dice: set_asides(dice, rules))
    return ThrowTable(tuple(map(_in_units, found.ends)))


def _in_units(ends: Ends) -> Ends:
    return tuple((tuple((points // UNIT, dice) for points, dice in kept), ways) for kept, ways in ends)


@cache
def turns(rules: Rules, least: int) -> Turns[Outlook]:
    """The worth of every moment of a turn in which at least `least` points are needed to stop."""
    found = table(scoring(rules))
    return Turns(found, Points(), found.horizon, least // UNIT)


def farkle_chance(rules: Rules, dice: int) -> Fraction:
    """The chance that nothing scores in a throw of 1 to 6 dice.

    Raises:
        ThrowError: "wrong-count".
    """
    return table(scoring(rules)).farkle_chance(dice)


def least_kept(rules: Rules, banked: int) -> int:
    """The fewest points with which a player who has banked this many may stop."""
    return 0 if banked else rules.opening_score


def turn(rules: Rules, banked: int = 0) -> BestTurn:
    """The best expected turn of a player who has banked this many points, and how to play it."""
    return best_turn(GAME, rules, turns(scoring(rules), least_kept(rules, banked)), UNIT)


def advise(state: State) -> Advice | None:
    """The best decision now; None where there is none to make."""
    if state.phase not in (Phase.THROW, Phase.KEEP, Phase.GO_ON):
        return None
    thrown = state.turn.thrown if state.phase is Phase.KEEP else ()
    least = least_kept(state.rules, state.score)
    return best_decision(state.rules, least, state.turn.points, len(thrown) or state.turn.dice, thrown)


def best_decision(rules: Rules, least: int, total: int, dice: int, thrown: Dice = ()) -> Advice:
    """What to set aside of a throw, or whether to stop before one.

    Args:
        rules: what is played.
        least: stopping with fewer points than these is not allowed.
        total: points set aside earlier in the turn.
        dice: how many would be thrown, where nothing is.
        thrown: the throw on the table, sorted.

    Raises:
        ThrowError: "turn-over": nothing of the throw scores.
    """
    now = _Turn(rules, least)
    if thrown:
        found = [each for choice in keeps(rules, thrown).values() for each in now.after(total, choice)]
        if not found:
            raise ThrowError("turn-over", "Nothing scores: a farkle, and the turn is over.")
    else:
        found = [*now.stop("stop", "stop", total), now.throw("throw", "", total, dice)]
    alternatives = best_first(found)
    return Advice(GAME, "expected points of the turn", alternatives, _why(alternatives))


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn in which at least `least` points are needed to stop."""

    rules: Rules
    least: int

    def after(self, total: int, choice: SetAside) -> Iterator[Alternative]:
        """Setting these dice aside, with stopping after it and with throwing on."""
        move = " ".join(map(str, ("keep", *sorted(choice.dice))))
        aside = f"set aside {in_a_phrase(choice)}"
        yield from self.stop(f"{move}, stop", f"{aside} and stop", total + choice.points)
        yield self.throw(f"{move}, throw", f"{aside} and ", total + choice.points, to_throw(choice))

    def stop(self, move: str, text: str, total: int) -> Iterator[Alternative]:
        """Stopping with this total, where that is allowed."""
        if total and total >= self.least:
            yield Alternative(move, f"{text} with {points(total)}", Fraction(total), {"nothing": Fraction(0)})

    def throw(self, move: str, text: str, total: int, dice: int) -> Alternative:
        """Throwing this many dice."""
        worth = turns(scoring(self.rules), self.least).throw(total // UNIT, dice)
        chances = {"farkle": farkle_chance(self.rules, dice), "nothing": worth.lost}
        return Alternative(move, f"{text}throw {dice_counted(dice)}", worth.worth * UNIT, chances)


def _why(alternatives: tuple[Alternative, ...]) -> str:
    best = alternatives[0]
    risk = f", and {percent(best.chances['farkle'])} of the throws farkle" if "farkle" in best.chances else ""
    first = f"{best.text}: the turn is then worth {on_average(best.worth)} points on average{risk}"
    if len(alternatives) == 1:
        return sentence(first)
    other = alternatives[1]
    return sentence(f"{first}; the next best, to {other.text}, is worth {on_average(other.worth)}")


def choice_worths(state: State) -> dict[Move | None, float]:
    """The worths of stopping and of going on, in points of Farkle Cribbage: a fiftieth of Farkle's."""
    if state.phase is not Phase.GO_ON:
        return {}
    least = least_kept(state.rules, state.score)
    on = turns(scoring(state.rules), least).throw(state.turn.points // UNIT, state.turn.dice).worth
    return {STOP: state.turn.points / UNIT, GO_ON: float(on)}
