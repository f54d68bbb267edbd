"""Farkle Cribbage: exact chances to farkle, the best expected turn, and the best decision now.

Source: the Farkle Cribbage text, "Play", its chart and "Optional Bonus Scores"; RULINGS, "Farkle Crib". All numbers are
exact fractions, any number of hot dice included; `scorer.odds.set_aside_turns` says why.

The Bomb counts here as the points it may be taken for, and three farkles in a row cost nothing: what exchanging pegs or
going back is worth depends on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.throws import Bonus, set_asides
from scorer.odds import set_aside_turns
from scorer.odds.best_turn import BestTurn, best_turn
from scorer.odds.dice import Decision, Measure, Outlook, Points, V, apart, on_average, percent
from scorer.odds.set_aside_turns import ThrowTable, to_throw
from scorer.pieces.dice import ThrowError
from scorer.pieces.set_asides import DICE, SetAside, in_a_phrase
from scorer.pieces.text import in_words, points, sentence

GAME = "farkle-crib"


# One throw


@cache
def _table(bonuses: frozenset[Bonus], three_pairs_4_2: bool, two_triples: bool) -> ThrowTable:
    return ThrowTable.of(
        lambda dice: set_asides(dice, bonuses, three_pairs_4_2=three_pairs_4_2, two_triples=two_triples)
    )


def table(rules: Rules) -> ThrowTable:
    """The possible outcomes of a throw of 1 to 6 dice."""
    return _table(rules.chart_bonuses, rules.three_pairs_4_2, rules.two_triples)


def farkle_chance(rules: Rules, dice: int) -> Fraction:
    """The chance that nothing scores in a throw of 1 to 6 dice.

    Raises:
        ThrowError: "wrong-count".
    """
    return table(rules).farkle_chance(dice)


def mean_gain(rules: Rules, dice: int) -> Fraction:
    """The mean of the most points that a throw of `dice` dice offers; a farkle counts 0."""
    return table(rules).mean_gain(dice)


# The turn


class Turns(set_aside_turns.Turns[V]):
    """The worth of every moment of a turn under best play.

    Args:
        rules: what is played.
        measure: what the turn is played for.
        horizon: the points at which the player starts to stop after every throw (or the measure treats all turns alike).
    """

    def __init__(self, rules: Rules, measure: Measure[V], horizon: int) -> None:
        self.rules = rules
        super().__init__(table(rules), measure, horizon)


POINTS = Points()


@cache
def _turns(bonuses: frozenset[str], three_pairs_4_2: bool, two_triples: bool) -> Turns[Outlook]:
    rules = Rules(bonus=bonuses, three_pairs_4_2=three_pairs_4_2, two_triples=two_triples)
    return Turns(rules, POINTS, table(rules).horizon)


def points_of(rules: Rules) -> Turns[Outlook]:
    """The worth of every moment of a turn in expected points, exactly; computed once per set of relevant options."""
    return _turns(frozenset(map(str, rules.chart_bonuses)), rules.three_pairs_4_2, rules.two_triples)


def turn(rules: Rules) -> BestTurn:
    """The best expected turn, exactly, and how to play it."""
    return best_turn(GAME, rules, points_of(rules))


# Advice


def decisions(turns: Turns[V], total: int = 0, dice: int = DICE, thrown: Sequence[int] = ()) -> list[Decision[V]]:
    """Everything to do at a moment of a turn, with its worth.

    Args:
        turns: the worths, in any measure.
        total: the turn's points so far.
        dice: dice to throw now; ignored where dice are thrown already.
        thrown: the dice thrown, while some of them are to be set aside: every legal set-aside, with stopping after it
            and with throwing on.

    Raises:
        ThrowError: the throw does not fit, or it is a farkle ("turn-over").
    """
    if total < 0:
        raise ThrowError("bad-total", f"Turn points must be 0 or more, got {total}.")
    if thrown:
        return list(chain.from_iterable(_set_aside(turns, total, choice) for choice in _legal(turns.rules, thrown)))
    return [*_stop(turns, total), _throw(turns, total, dice)]


def _legal(rules: Rules, thrown: Sequence[int]) -> tuple[SetAside, ...]:
    found = set_asides(
        thrown, rules.chart_bonuses, three_pairs_4_2=rules.three_pairs_4_2, two_triples=rules.two_triples
    )
    if not found:
        raise ThrowError("turn-over", "Nothing scores: a farkle, and the turn is over.")
    return found


def _stop(turns: Turns[V], total: int) -> Iterator[Decision[V]]:
    """Stopping, which is possible only after the first throw of a turn."""
    if total:
        yield Decision("stop", f"stop and peg {points(total)}", turns.measure.stop(total))


def _throw(turns: Turns[V], total: int, dice: int) -> Decision[V]:
    farkle = {"farkle": farkle_chance(turns.rules, dice)}
    return Decision("throw", f"throw {_dice(dice)}", turns.throw(total, dice), farkle)


def _dice(count: int) -> str:
    return "one die" if count == 1 else f"{in_words(count)} dice"


def _set_aside(turns: Turns[V], total: int, choice: SetAside) -> Iterator[Decision[V]]:
    move = " ".join(map(str, ("keep", *sorted(choice.dice))))
    aside = f"set aside {in_a_phrase(choice)} for {points(choice.points)}"
    now, dice = total + choice.points, to_throw(choice)
    yield Decision(f"{move}, stop", f"{aside} and stop at {points(now)}", turns.measure.stop(now))
    after = _throw(turns, now, dice)
    yield Decision(f"{move}, throw", f"{aside} and {after.text}", after.worth, after.chances)


def advise(rules: Rules, total: int = 0, dice: int = DICE, thrown: Sequence[int] = ()) -> Advice:
    """The best decision for expected points, with every alternative's worth.

    Args:
        rules: what is played.
        total: the turn's points so far.
        dice: dice to throw now; ignored where dice are thrown already.
        thrown: the dice thrown, while some of them are to be set aside, see `decisions`.

    Raises:
        ThrowError: see `decisions`.
    """
    found = decisions(points_of(rules), total, dice, thrown)
    alternatives = best_first([_alternative(decision) for decision in found])
    return Advice(GAME, "expected points of the turn", alternatives, _why(alternatives))


def _alternative(decision: Decision[Outlook]) -> Alternative:
    chances = {**decision.chances, "nothing": decision.worth.lost}
    return Alternative(decision.move, decision.text, decision.worth.worth, chances)


def _why(alternatives: Sequence[Alternative]) -> str:
    best = alternatives[0]
    if len(alternatives) == 1:
        return f"This is the only choice; the turn is worth {on_average(best.worth)} points on average."
    if best.move in ("stop", "throw"):
        return _stop_or_throw({alternative.move: alternative for alternative in alternatives}, best)
    risk = f", {percent(best.chances['farkle'])} of the throws farkling" if "farkle" in best.chances else ""
    other = alternatives[1]
    most, less = apart(best.worth, other.worth)
    return sentence(
        f"{best.text}: the turn is then worth {most} points on average{risk}, "
        f"against {less} for the next best, to {other.text}"
    )


def _stop_or_throw(by_move: Mapping[str, Alternative], best: Alternative) -> str:
    stop, go_on = by_move["stop"], by_move["throw"]
    going_on, stopping = apart(go_on.worth, stop.worth)
    return sentence(
        f"{go_on.text.replace('throw', 'throwing', 1)} scores {percent(1 - go_on.chances['farkle'])} of the time and "
        f"makes the turn worth {going_on} points on average, against the {stopping} you have: {best.text}"
    )
