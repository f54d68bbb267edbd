"""A turn of a farkle game under best play: throw, set aside what scores, then stop or throw on.

All numbers are exact fractions, any number of hot dice included. Why that is exact: throwing n dice while holding t points
loses them with the chance p(n) and adds e(n) on average when the player sets aside the most points and stops. From
t = e(n) / p(n) for the worst n on, throwing n dice and then stopping gives at most t. With that worth put in for all larger t,
stopping is best after every throw, so it solves the equation of best play (Bellman's) there; a strategy attains it, and the
worth of best play is the least non-negative solution, so it is exactly that worth. Below that horizon every set-aside adds
at least one point, and the worths follow one from the next, downwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Generic

from scorer.errors import ThrowError
from scorer.odds.dice import Measure, V, throws
from scorer.pieces.set_asides import DICE, FACES, SetAside

Kept = tuple[int, int]
"""Points set aside, and dice to throw after that: all six again when none is left."""
Ends = tuple[tuple[tuple[Kept, ...], int], ...]
"""The keeps that throws offer (none for a farkle), each group with its number of throws."""


@dataclass(frozen=True)
class ThrowTable:
    """The possible outcomes of a throw of 1 to 6 dice, by its number of dice.

    Attributes:
        ends: starting with those of one die.
    """

    ends: tuple[Ends, ...]

    @classmethod
    def of(cls, choices: Callable[[tuple[int, ...]], Sequence[SetAside]]) -> ThrowTable:
        """The table of a game with these choices for a throw."""
        return cls(tuple(_ends(dice, choices) for dice in range(1, DICE + 1)))

    def farkle_chance(self, dice: int) -> Fraction:
        """The chance that nothing scores in a throw of 1 to 6 dice.

        Raises:
            ThrowError: "wrong-count".
        """
        if not 1 <= dice <= DICE:
            raise ThrowError("wrong-count", f"A throw is 1 to {DICE} dice, not {dice}.")
        return Fraction(dict(self.ends[dice - 1]).get((), 0), FACES**dice)

    def mean_gain(self, dice: int) -> Fraction:
        """The mean of the most points that a throw of `dice` dice offers; a farkle counts 0."""
        return Fraction(sum(kept[0][0] * ways for kept, ways in self.ends[dice - 1] if kept), FACES**dice)

    @property
    def horizon(self) -> int:
        """The points at which the player starts to stop after every throw."""
        return ceil(max(self.mean_gain(dice) / self.farkle_chance(dice) for dice in range(1, DICE + 1)))


def _ends(dice: int, choices: Callable[[tuple[int, ...]], Sequence[SetAside]]) -> Ends:
    ways: Counter[tuple[Kept, ...]] = Counter()
    for thrown, count in throws(dice):
        ways[_keepable(choices(thrown))] += count
    return tuple(ways.items())


def _keepable(choices: Iterable[SetAside]) -> tuple[Kept, ...]:
    """The most points for each number of dice to throw afterwards: with equal dice, more points are never worse."""
    most: dict[int, int] = {}
    for choice in choices:
        dice = to_throw(choice)
        most[dice] = max(choice.points, most.get(dice, 0))
    return tuple(sorted(((points, dice) for dice, points in most.items()), reverse=True))


def to_throw(choice: SetAside) -> int:
    """How many dice are thrown next, if the turn goes on."""
    return choice.left or DICE


class Turns(Generic[V]):
    """The worth of every moment of a turn under best play.

    Args:
        table: the outcomes of throws, in the units in which the turn's points are counted.
        measure: what the turn is played for.
        horizon: the points at which the player starts to stop after every throw (or the measure treats all turns alike).
        least: stopping with fewer points than these is not allowed.
    """

    def __init__(self, table: ThrowTable, measure: Measure[V], horizon: int, least: int = 0) -> None:
        self.table = table
        self.measure = measure
        self.horizon = max(horizon, least)
        self.least = least
        self._throw: dict[Kept, V] = {}
        self._held: dict[Kept, V] = {}
        for total in range(self.horizon - 1, -1, -1):
            for dice in range(1, DICE + 1):
                self._throw[total, dice] = self._thrown(total, dice)

    def throw(self, total: int, dice: int) -> V:
        """Throwing `dice` dice with `total` points at stake."""
        if total >= self.horizon:
            return self.measure.beyond(total, self.table.farkle_chance(dice), self.table.mean_gain(dice))
        return self._throw[total, dice]

    def held(self, total: int, dice: int) -> V:
        """Holding `total` points with `dice` dice to throw: the better of stopping and throwing on."""
        key = (total, dice)
        if key not in self._held:
            on = self.throw(total, dice)
            self._held[key] = on if total < self.least else self.measure.best((self.measure.stop(total), on))
        return self._held[key]

    def _thrown(self, total: int, dice: int) -> V:
        return self.measure.mean((ways, self._kept(total, kept)) for kept, ways in self.table.ends[dice - 1])

    def _kept(self, total: int, kept: tuple[Kept, ...]) -> V:
        if not kept:
            return self.measure.lost()
        return self.measure.best(self.held(total + gained, dice) for gained, dice in kept)
