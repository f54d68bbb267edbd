"""Cribbage Dice: the best turn and the best decision, exactly.

Sources: the Cribbage Dice text, "How to Play", "Roll Two Extra Dice", "Once kept, always kept"; RULINGS, "Cribbage
Dice". A turn is played for the most points on average, whatever the score of the game.

How it is done. Dice of one value are alike, so what lies beside the starter is a multiset. For a given starter the worth
of keeping some dice is the mean over one more die of keeping those and that one; so the worths of all keeps come down
from the full multisets, a die at a time. Everything is counted in whole numbers: with r rolls left a worth is a number
of points over faces ** (others * r), and with at most two rolls left, 40 * 12 ** 12 = 3.6e14 fits an int64 (9.2e18).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.engine.worth import Table
from scorer.errors import ScorerError, ThrowError
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import ROLLS
from scorer.games.cribbage_dice.throws import FACES, HAND, keeps
from scorer.odds.dice import percent
from scorer.pieces.batch import RANKS, RANKS_WITH_SUB_RUNS, totals
from scorer.pieces.dice import check_values, dice_counted, take_out, were_read
from scorer.pieces.text import dice_in_a_row, in_words, points, sentence

GAME = "cribbage-dice"
BETTER = "better"
"""The chance that the turn ends with more than the dice on the table score now; it breaks ties between keeps of equal worth."""

Whole = NDArray[np.int64]
Levels = list[Whole]
"""For each number of dice kept, an array with one row per multiset of that size."""
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class BestTurn:
    """What a turn is worth when it is played for the most points on average.

    Attributes:
        rules: how the table plays.
        rolls: rolls in the turn, 1 to 3.
        by_starter: the expected points with the starter on 1, 2, … 12.
        maximum: the most points that a turn can bring.
    """

    rules: Rules
    rolls: int
    by_starter: tuple[Fraction, ...]
    maximum: int

    @property
    def expected(self) -> Fraction:
        """The expected points of the turn, before anything is thrown."""
        return sum(self.by_starter, Fraction(0)) / len(self.by_starter)

    @property
    def summary(self) -> str:
        """Its worth in one sentence."""
        rolls = "one roll" if self.rolls == 1 else f"{in_words(self.rolls)} rolls"
        return (
            f"With {rolls} a turn brings {float(self.expected):.3f} points on average, {self.maximum} at most, "
            "under best play."
        )

    @property
    def tables(self) -> tuple[Table, ...]:
        """Its worth by the starter."""
        rows = tuple((str(starter), f"{float(points):.3f}") for starter, points in enumerate(self.by_starter, start=1))
        return (Table("By the starter", ("Starter", "Points on average"), rows),)

    @property
    def notes(self) -> tuple[str, ...]:
        """Where to ask further."""
        return (f"Ask for the best keep of a throw with: muggins advise {GAME}",)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {
            "game": GAME,
            "rules": self.rules.changed(),
            "rolls": self.rolls,
            "expected": float(self.expected),
            "expected_exact": str(self.expected),
            "maximum": self.maximum,
            "by_starter": [
                {"starter": starter, "expected": float(expected), "expected_exact": str(expected)}
                for starter, expected in enumerate(self.by_starter, start=1)
            ],
        }


def turn(rules: Rules, rolls: int = ROLLS, progress: Progress | None = None) -> BestTurn:
    """The expected points of a whole turn under best play.

    Args:
        rules: how the table plays; `once_kept`, `seven_dice`, `seven_keep_starter` and `sub_runs` matter.
        rolls: rolls in the turn, 1 to 3; the text gives three.
        progress: called with the share of the work done, above 0 up to 1.

    Raises:
        ScorerError: "wrong-rolls".
    """
    _check_rolls(rolls, 1, ROLLS)
    dice = _dice_of(rules)
    by_starter = []
    for starter in dice.shows:
        by_starter.append(expected_with(dice, starter, rolls))
        if progress is not None:
            progress(len(by_starter) / len(dice.shows))
    most = max(int(_endings(dice, starter).max()) for starter in dice.shows)
    return BestTurn(rules, rolls, tuple(by_starter), most)


def advise(rules: Rules, starter: int, others: Sequence[int], rolls_left: int, kept: Sequence[int] = ()) -> Advice:
    """What to do after a throw: every keep, and stopping, with the expected points of the turn, best first.

    With no roll left: the hands that remain after discarding two of seven dice, or the score of five dice. Beside its
    worth each alternative has the chance `better`: that the turn ends with more than the dice on the table score now.

    Args:
        rules: how the table plays.
        starter: the value of the starter, 1 to 12.
        others: the values of the other dice, four or with `seven_dice` six, in any order.
        rolls_left: rolls still to come, 0 to 2.
        kept: those among the others that were kept before; they stay under `once_kept`, and mean nothing without it.

    Raises:
        ThrowError: "wrong-count", "value-out-of-range" or "set-aside-not-there".
        ScorerError: "wrong-rolls".
    """
    _check_rolls(rolls_left, 0, ROLLS - 1)
    _check_throw(rules, starter, others)
    locked = sorted(kept) if rules.once_kept else []
    take_out(others, locked)
    if rolls_left:
        return _decision(rules, starter, sorted(others), rolls_left, locked)
    return _discards(rules, starter, others) if rules.seven_dice else _counted(rules, starter, others)


def _check_rolls(rolls: int, least: int, most: int) -> None:
    if not least <= rolls <= most:
        raise ScorerError(
            "wrong-rolls", f"A turn has {ROLLS} rolls at most: here {least} to {most} can be asked for, not {rolls}."
        )


def _check_throw(rules: Rules, starter: int, others: Sequence[int]) -> None:
    check_values((starter, *others), FACES)
    if len(others) != rules.dice - 1:
        raise ThrowError(
            "wrong-count",
            f"Beside the starter lie {dice_counted(rules.dice - 1)}; {were_read(len(others))}. Name all of them, and "
            "set seven_dice as your table plays it.",
        )


# The decision after a throw


def _decision(rules: Rules, starter: int, others: list[int], rolls_left: int, locked: list[int]) -> Advice:
    dice = _dice_of(rules)
    now = int(_endings(dice, starter)[dice.index(others)])
    stop = Alternative("stop", "stop", Fraction(now), {BETTER: Fraction(0)})
    worths = keeping(dice, ends_and_better(dice, starter, now), rolls_left)
    scale = dice.throws**rolls_left
    going_on = [_keep(dice, some, worths, scale) for some in _keeps(others, locked)]
    alternatives = best_first([stop, *going_on])
    return Advice(GAME, "expected points of the turn", alternatives, _why(alternatives, now))


def _keeps(others: list[int], locked: list[int]) -> list[tuple[int, ...]]:
    """Every different keep except that of all dice, most dice first."""
    free = [others[index] for index in take_out(others, locked)]
    added = {some for size in range(len(free)) for some in combinations(free, size)}
    kept = (tuple(sorted((*locked, *some))) for some in added)
    return sorted(kept, key=lambda dice: (-len(dice), dice))


def _keep(dice: Dice, kept: tuple[int, ...], worths: Levels, scale: int) -> Alternative:
    worth, better = (Fraction(int(number), scale) for number in worths[len(kept)][dice.index(kept)])
    left = dice.others - len(kept)
    what = dice_in_a_row(kept) if kept else "only the starter"
    text = f"keep {what} and roll {in_words(left)} {'die' if left == 1 else 'dice'}"
    return Alternative(" ".join(map(str, ("keep", *kept))), text, worth, {BETTER: better})


def _why(alternatives: Sequence[Alternative], now: int) -> str:
    best = alternatives[0]
    if best.move != "stop":
        return sentence(
            f"{best.text}: that brings {_mean(best.worth)} points on average against {now} for stopping, and "
            f"{percent(best.chances[BETTER])} of such turns end with more"
        )
    if len(alternatives) == 1:
        return sentence(f"stop: no die is left to roll, and the hand counts {points(now)}")
    rival = alternatives[1]
    return sentence(
        f"stop: the hand counts {points(now)}, and the best roll ({rival.text}) would bring {_mean(rival.worth)} on average"
    )


def _mean(worth: Fraction) -> str:
    return f"{float(worth):.2f}"


# After the last roll


def _counted(rules: Rules, starter: int, others: Sequence[int]) -> Advice:
    now = keeps((starter, *others), sub_runs=rules.sub_runs)[0].hand.total
    stop = Alternative("stop", "stop", Fraction(now), {BETTER: Fraction(0)})
    return Advice(GAME, "points of the hand", (stop,), f"No roll is left: the hand counts {points(now)}.")


def _discards(rules: Rules, starter: int, others: Sequence[int]) -> Advice:
    thrown = (starter, *others)
    hands = keeps(thrown, starter if rules.seven_keep_starter else None, sub_runs=rules.sub_runs)
    alternatives = tuple(_discard(sorted(thrown[index] for index in hand.discarded), hand.hand.total) for hand in hands)
    return Advice(GAME, "points of the hand", alternatives, _why_discard(alternatives))


def _discard(dice: list[int], total: int) -> Alternative:
    return Alternative(" ".join(map(str, ("discard", *dice))), f"discard {dice_in_a_row(dice)}", Fraction(total))


def _why_discard(alternatives: Sequence[Alternative]) -> str:
    best, rivals = alternatives[0], alternatives[1:]
    counts = f"{best.text}: the other five count {points(int(best.worth))}"
    if not rivals:
        return sentence(f"{counts}, and every other choice leaves the same")
    other = "as many" if rivals[0].worth == best.worth else int(rivals[0].worth)
    return sentence(f"{counts}, the next best five {other}")


# The dice as multisets


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice under the rules.

    Attributes:
        others: how many lie beside the starter: four, or six of which two (with the starter) are discarded.
        once_kept: a die that was kept is not rolled again.
        keep_starter: the starter is among the five that count.
        sub_runs: every run inside a longer one scores, too.
        shows: the values of a die's faces, lowest first; other than a d12's only for checks by enumeration.
    """

    others: int
    once_kept: bool = False
    keep_starter: bool = True
    sub_runs: bool = False
    shows: tuple[int, ...] = tuple(range(1, FACES + 1))

    @property
    def throws(self) -> int:
        """How many ordered throws of the others there are."""
        return int(len(self.shows) ** self.others)

    def index(self, values: Sequence[int]) -> int:
        """The row of these values in the arrays for their number of dice."""
        faces = np.array([sorted(map(self.shows.index, values))], dtype=np.int64)
        return int(_sets(len(self.shows)).rows(faces)[0])


def _dice_of(rules: Rules) -> Dice:
    return Dice(rules.dice - 1, rules.once_kept, rules.seven_keep_starter, rules.sub_runs)


@dataclass(frozen=True, eq=False, slots=True)
class _Sets:
    """Every multiset of up to six dice; a face is a number from 0, a multiset is a row in the arrays for its size.

    Attributes:
        faces: how many faces a die has.
        members: [size][row, place] the faces of a multiset, sorted; rows in the order of the faces.
        plus: [size][row, face] the row, one size up, with that face added.
        minus: [size][row, place] the row, one size down, without the die at that place.
        ways: [size][row] the ordered throws that show it.
    """

    faces: int
    members: Levels
    plus: Levels
    minus: Levels
    ways: Levels

    def rows(self, faces: Whole) -> Whole:
        """The rows of multisets given as sorted faces: int[..., size] -> int[...]."""
        digits = self.faces ** np.arange(faces.shape[-1])[::-1]
        return np.searchsorted(self.members[faces.shape[-1]] @ digits, faces @ digits).astype(np.int64)


@cache
def _sets(faces: int) -> _Sets:
    sizes = range(7)
    members = [np.array([*combinations_with_replacement(range(faces), size)], dtype=np.int64) for size in sizes]
    sets = _Sets(faces, members, [], [], [np.ones(1, dtype=np.int64)])
    for size in sizes[:-1]:
        sets.plus.append(_with_one_more(sets, size))
        ways = np.zeros(len(members[size + 1]), dtype=np.int64)
        np.add.at(ways, sets.plus[size], sets.ways[size][:, None])
        sets.ways.append(ways)
    sets.minus.extend(_with_one_fewer(sets, size) for size in sizes)
    return sets


def _with_one_more(sets: _Sets, size: int) -> Whole:
    members = sets.members[size]
    added = np.broadcast_to(np.arange(sets.faces)[:, None], (len(members), sets.faces, 1))
    before = np.broadcast_to(members[:, None, :], (len(members), sets.faces, size))
    return sets.rows(np.sort(np.concatenate([before, added], axis=2), axis=2))


def _with_one_fewer(sets: _Sets, size: int) -> Whole:
    members = sets.members[size]
    fewer = [sets.rows(np.delete(members, place, axis=1)) for place in range(size)]
    return np.array(fewer, dtype=np.int64).reshape(size, len(members)).T


# What the dice count when the turn ends


@cache
def _fives(shows: tuple[int, ...], sub_runs: bool) -> Whole:
    """The points of every multiset of five dice."""
    hands = np.array(shows, dtype=np.uint8)[_sets(len(shows)).members[HAND]]
    return totals(hands, RANKS_WITH_SUB_RUNS if sub_runs else RANKS).astype(np.int64)


@cache
def _endings(dice: Dice, starter: int) -> Whole:
    """The points that all the dice beside the starter end with, by row: int[rows]."""
    sets, fives = _sets(len(dice.shows)), _fives(dice.shows, dice.sub_runs)
    with_starter = fives[sets.plus[HAND - 1][:, dice.shows.index(starter)]]
    best = _best_without(sets, with_starter, HAND - 1, dice.others)
    if dice.keep_starter or dice.others < HAND:
        return best
    return np.maximum(best, _best_without(sets, fives, HAND, dice.others))


def _best_without(sets: _Sets, worths: Whole, size: int, dice: int) -> Whole:
    """The best worth after discarding from `dice` dice down to `size`, by row."""
    for more in range(size + 1, dice + 1):
        worths = worths[sets.minus[more]].max(axis=1)
    return worths


def ends_and_better(dice: Dice, starter: int, now: int) -> Whole:
    """Two columns: the points that the dice end with, and whether they are more than now."""
    ends = _endings(dice, starter)
    return np.stack([ends, ends > now], axis=1)


# The best play


def expected_with(dice: Dice, starter: int, rolls: int) -> Fraction:
    """The expected points of a turn of `rolls` rolls whose first throw brings this starter."""
    ends = _endings(dice, starter)[:, None]
    before = _best(dice, keeping(dice, ends, rolls - 1)) if rolls > 1 else ends
    ways = _sets(len(dice.shows)).ways[dice.others]
    # With the first throw, 12 ** 18 * 40 no longer fits an int64: from here on Python's integers.
    points_in_all = sum(map(mul, ways.tolist(), before[:, 0].tolist()))
    return Fraction(points_in_all, dice.throws**rolls)


def keeping(dice: Dice, ends: Whole, rolls_left: int) -> Levels:
    """The worth of each keep when the other dice are rolled, with best play afterwards; keeping all means to stop.

    Args:
        dice: what the rules say of them.
        ends: int[rows, columns], the final values by all dice beside the starter. Play maximises the first column, and
            breaks ties by the last.
        rolls_left: 1 or 2.

    Returns:
        int[rows, columns] by number of dice kept, each over dice.throws ** rolls_left.
    """
    worths = _rolled(dice, ends)
    for left in range(2, rolls_left + 1):
        worths = _rolled_for_good(dice, worths) if dice.once_kept else _rolled(dice, _best(dice, worths))
        worths[-1] = ends * dice.throws**left
    return worths


def _rolled(dice: Dice, after: Whole) -> Levels:
    """The mean over the dice rolled of the worth of all dice afterwards, computed one die at a time."""
    sets = _sets(len(dice.shows))
    sums = [after]
    for size in reversed(range(dice.others)):
        sums.insert(0, sums[0][sets.plus[size]].sum(axis=1))
    return [total * sets.faces**size for size, total in enumerate(sums)]


def _best(dice: Dice, worths: Levels) -> Whole:
    """By row of all dice on the table, the worth of the best keep: of all of them, or of any of them."""
    minus = _sets(len(dice.shows)).minus
    best = worths[0]
    for size in range(1, dice.others + 1):
        fewer, best = best, worths[size]
        for place in range(size):
            best = _better(best, fewer[minus[size][:, place]])
    return best


def _rolled_for_good(dice: Dice, worths: Levels) -> Levels:
    """Like `_rolled` after `_best`, where dice once kept stay kept.

    best[kept, thrown] is the best keep that holds the kept dice and any of those thrown: none of them, or one of them
    beside what is best with that one kept.
    """
    sets = _sets(len(dice.shows))
    best = worths[-1][:, None]
    means = [worths[-1] * dice.throws]
    for size in reversed(range(dice.others)):
        thrown = dice.others - size
        best = _best_holding(sets, size, thrown, worths[size], best)
        sums = np.tensordot(best, sets.ways[thrown], axes=(1, 0))
        means.insert(0, sums * sets.faces**size)
    return means


def _best_holding(sets: _Sets, size: int, thrown: int, worths: Whole, one_more: Whole) -> Whole:
    shape = (len(worths), len(sets.members[thrown]), worths.shape[1])
    best = np.broadcast_to(worths[:, None], shape)
    for place in range(thrown):
        kept = sets.plus[size][:, sets.members[thrown][:, place]]
        best = _better(best, one_more[kept, sets.minus[thrown][:, place]])
    return best


def _better(one: Whole, other: Whole) -> Whole:
    """By row, the one with more in the first column, or if equal in the last."""
    level = other[..., 0] == one[..., 0]
    wins = (other[..., 0] > one[..., 0]) | (level & (other[..., -1] > one[..., -1]))
    return np.where(wins[..., None], other, one)
