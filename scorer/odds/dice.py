"""What the odds of the dice games share: throws with their chances, and what a turn is played for.

A turn is an optimal stopping problem: stop with the points so far, or throw on and perhaps lose them. The games walk through
its moments; a `Measure` defines the worth of its ends and how worths are compared and averaged. So the same walk gives
exact expected points here, and chances to win in `scorer.odds.race`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Generic, Protocol, TypeVar

FACES = 6
_MOST_DECIMALS = 5
_LEAST_PERCENT = 0.001
_TENTH = Fraction(1, 1000)
"""A tenth of a percent."""
V = TypeVar("V")


@cache
def throws(count: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every throw of `count` d6, sorted, with the number of ordered throws (of 6 ** count) that show it."""
    return tuple(_counted(count))


def _counted(count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    for dice in combinations_with_replacement(range(1, FACES + 1), count):
        yield dice, factorial(count) // prod(map(factorial, Counter(dice).values()))


class Measure(Protocol[V]):
    """What a turn is played for."""

    def stop(self, total: int) -> V:
        """The worth of ending the turn with this total."""

    def lost(self, *, wipeout: bool = True) -> V:
        """The worth of ending it with nothing.

        Args:
            wipeout: it counts towards fuchles or farkles in a row.
        """

    def beyond(self, total: int, lost: Fraction, gain: Fraction) -> V:
        """The worth of one more throw with so many points at stake that the player stops after it: at or above the horizon.

        Args:
            total: points held before the throw.
            lost: the chance that the throw loses them.
            gain: what it adds on average, a lost throw adding nothing.
        """

    def best(self, worths: Iterable[V]) -> V:
        """The best of at least one."""

    def mean(self, parts: Iterable[tuple[int, V]]) -> V:
        """The mean of worths, weighted by their numbers of ways."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a turn brings under best play.

    Attributes:
        worth: the points it ends with on average, exactly.
        lost: the chance that it ends with nothing.
    """

    worth: Fraction
    lost: Fraction


class Points:
    """The measure of expected points, in exact fractions."""

    def stop(self, total: int) -> Outlook:
        """The points themselves."""
        return Outlook(Fraction(total), Fraction(0))

    def lost(self, *, wipeout: bool = True) -> Outlook:  # noqa: ARG002 - points do not care
        """No points."""
        return Outlook(Fraction(0), Fraction(1))

    def beyond(self, total: int, lost: Fraction, gain: Fraction) -> Outlook:
        """What is kept of the points, and the gain."""
        return Outlook((1 - lost) * total + gain, lost)

    def best(self, worths: Iterable[Outlook]) -> Outlook:
        """Most points; of equal ones the first."""
        return max(worths, key=lambda outlook: outlook.worth)

    def mean(self, parts: Iterable[tuple[int, Outlook]]) -> Outlook:
        """The mean, each part in proportion to its ways."""
        pairs = added_up(parts)
        total = sum(ways for ways, _ in pairs)
        worth = sum((ways * outlook.worth for ways, outlook in pairs), Fraction(0))
        lost = sum((ways * outlook.lost for ways, outlook in pairs), Fraction(0))
        return Outlook(worth / total, lost / total)


def added_up(parts: Iterable[tuple[int, V]]) -> list[tuple[int, V]]:
    """The parts with the ways of identical objects added up: many throws lead to the same moment of a turn."""
    ways: dict[int, tuple[int, V]] = {}
    for count, worth in parts:
        before, _ = ways.get(id(worth), (0, worth))
        ways[id(worth)] = before + count, worth
    return list(ways.values())


@dataclass(frozen=True, slots=True)
class Decision(Generic[V]):
    """One thing to do in a turn, and what it is worth under best play afterwards.

    Attributes:
        move: as in `Alternative`.
        text: the move in words.
        worth: in the measure it was computed for.
        chances: named chances that belong to it, like "wipeout".
    """

    move: str
    text: str
    worth: V
    chances: Mapping[str, Fraction] = field(default_factory=dict)


def percent(chance: Fraction | float) -> str:
    """A chance as people say it: "80%", with decimals where it is close to 0 or 1; ">99.9%" is not certain."""
    value = float(chance) * 100
    if chance in (0, 1) or 1 <= value <= 99:
        return f"{value:.0f}%"
    if value > 99:
        return tenths(chance)
    return f"{value:.2g}%" if value >= _LEAST_PERCENT else f"<{_LEAST_PERCENT}%"


def tenths(chance: Fraction | float) -> str:
    """A chance to a tenth of a percent: "45.3%"; only certain or impossible chances give 100% or 0%."""
    if 0 < chance < _TENTH / 2:
        return "<0.1%"
    if 1 - _TENTH / 2 <= chance < 1:
        return ">99.9%"
    return f"{float(chance):.1%}"


def on_average(worth: Fraction) -> str:
    """A mean of points as people say it: "12.9", "15"."""
    return _rounded(worth, 1)


def apart(one: Fraction, other: Fraction) -> tuple[str, str]:
    """Two means of points as people say them, with more decimals where one would not distinguish them: "16.97", "17"."""
    pairs = ((_rounded(one, decimals), _rounded(other, decimals)) for decimals in range(1, _MOST_DECIMALS))
    return next((pair for pair in pairs if pair[0] != pair[1]), (on_average(one), on_average(other)))


def _rounded(worth: Fraction, decimals: int) -> str:
    return f"{float(worth):.{decimals}f}".removesuffix("." + "0" * decimals)


def turn_summary(expected: Fraction, nothing: Fraction) -> str:
    """What a turn is worth under best play, in one sentence.

    Args:
        expected: points on average.
        nothing: the chance that it ends with none.
    """
    return (
        f"Under best play a turn brings {float(expected):.3f} points on average, "
        f"and {percent(nothing)} of turns end with nothing."
    )
