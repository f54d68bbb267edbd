"""Crib Dice: what a throw is worth.

Source: the Crib Dice text, V 2.1 (Howard Fosdick), its Scoring Chart and "Piddle and Rollover"; RULINGS, "Crib Dice".
The chart is taken literally and every die that matches the point is frozen. Points here are those of the present
point; the game keeps track of what a turn gathered before a rollover.

Dice on the table, N of them frozen on the point:
    - N from 2 to 4: the 7 - N thrown dice alone, or all seven.
    - N of 5 or 6, the piddle, a throw of two dice: the two alone, or with the frozen dice beside them. From five that
      makes seven. From six there is only one loose die: the second is one of the frozen dice (seven in all) or a die
      from elsewhere (eight in all).
    - With piddle points there are two dice for piddling only, so nothing is borrowed: the two alone, or N + 2. When the
      loose dice are on the table too, it is unknown which two were thrown, and nothing is scored.
    - N of 7 comes up in a piddle with piddle points only: doubles of the point counted up to seven and both dice are
      thrown again. Five or six frozen dice are still on the table: two, seven or eight dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scorer.pieces.dice import ThrowError, check_values, dice_counted, take_out, were_read
from scorer.pieces.melds import Indices, Meld, meld_at, of_a_kind, places
from scorer.pieces.text import several

DICE = 7
FACES = 6
SAFE = 1
"""The value that keeps any point safe without joining it."""

Outcome = Literal[
    "safe",  # the point or a 1 came up: go on or stop
    "wipeout",  # neither came up: the turn ends without score
    "rollover",  # seven of a kind: stop, or throw seven fresh dice
    "piddle-won",  # no doubles: the points stay and seven fresh dice must be thrown
    "piddle-lost",  # doubles of another value: the turn ends without score
    "piddle-again",  # doubles of the point: throw both dice again
]


Doubles = Literal[
    "no_result",  # they score nothing: throw both again
    "seven_then_reroll",  # they count, up to seven of a kind: throw both again
    "seven_then_rollover",  # they count, up to seven of a kind, and win the piddle
]
"""What doubles of the point mean in a piddle; the latter two with piddle points only."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw with the point already frozen.

    Attributes:
        outcome: what it means for the turn.
        point: the value frozen.
        frozen: how many dice of the point count after the throw.
        thrown: indices of the dice that were thrown.
        joined: those of them that join the point.
        total: points of this point now; 0 when the turn is lost.
        adds: the change of those points: below 0 when points are lost, or when 1-1 (2) becomes 1-1-1 (1).
    """

    outcome: Outcome
    point: int
    frozen: int
    thrown: Indices
    joined: Indices
    total: int
    adds: int


def chart(value: int, count: int) -> int:
    """Points of `count` dice of one value: a pair is 2, then 1, 2, 3, 4, 5 times the value.

    Raises:
        ValueError: no such die, or fewer than 2 or more than 7 of them.
    """
    if not (1 <= value <= FACES and 2 <= count <= DICE):
        raise ValueError(f"the chart has no line for {count} dice of value {value}")
    return 2 if count == 2 else (count - 2) * value


def points_to_choose(values: Sequence[int]) -> tuple[Meld[int], ...]:
    """Every point that the first throw offers, best first; equal points by dice frozen, then by value.

    Seven dice always hold a pair, so there is at least one.

    Raises:
        ThrowError: "wrong-count" (not seven dice) or "value-out-of-range".
    """
    check_values(values, FACES)
    if len(values) != DICE:
        raise ThrowError(
            "wrong-count",
            f"The first throw of a turn is {DICE} dice, and {were_read(len(values))}. "
            "Show all seven, or name the point and how many dice are frozen on it.",
        )
    offers = [_frozen_at(values, at) for at in places(values).values() if len(at) > 1]
    return tuple(sorted(offers, key=lambda meld: (meld.points, len(meld.pieces), meld.pieces), reverse=True))


def throw_on(
    values: Sequence[int],
    point: int,
    frozen: int,
    *,
    piddle_points: bool = False,
    doubles: Doubles | None = None,
    rolls_on: bool = False,
) -> Throw:
    """What a throw means with `frozen` dice already set aside on `point`.

    Args:
        values: the thrown dice alone, or all the dice (the module says which counts fit).
        point: the value frozen, 1 to 6.
        frozen: how many, 2 to 6, before this throw; 7 only in a piddle with piddle points.
        piddle_points: the advanced rule: dice of the point in a piddle count, up to seven of a kind.
        doubles: what doubles of the point mean in a piddle; RULINGS' default is "seven_then_reroll" with piddle points
            and "no_result" without.
        rolls_on: with five or six frozen the remaining dice were rolled, and it was no piddle.

    Raises:
        ThrowError: "bad-point", "bad-frozen", "already-rolled-over", "wrong-count", "value-out-of-range" or
            "set-aside-not-there".
    """
    check_values(values, FACES)
    _check_point(point, frozen, piddle_points)
    thrown = _thrown(values, point, frozen, piddle_points, rolls_on)
    joined = tuple(index for index in thrown if values[index] == point)
    if frozen >= 5 and not rolls_on:
        doubles = doubles or ("seven_then_reroll" if piddle_points else "no_result")
        return _piddle(values, point, frozen, thrown, joined if piddle_points else (), doubles)
    now = frozen + len(joined)
    if not joined and not any(values[index] == SAFE for index in thrown):
        return _lost("wipeout", point, frozen, thrown)
    return _kept("rollover" if now == DICE else "safe", point, frozen, thrown, joined)


def _piddle(
    values: Sequence[int], point: int, frozen: int, thrown: Indices, scoring: Indices, doubles: Doubles
) -> Throw:
    first, second = (values[index] for index in thrown)
    if first != second:
        return _kept("piddle-won", point, frozen, thrown, scoring)
    if first != point:
        return _lost("piddle-lost", point, frozen, thrown)
    outcome: Outcome = "piddle-won" if doubles == "seven_then_rollover" else "piddle-again"
    return _kept(outcome, point, frozen, thrown, () if doubles == "no_result" else scoring)


def _kept(outcome: Outcome, point: int, frozen: int, thrown: Indices, joined: Indices) -> Throw:
    joined = joined[: DICE - frozen]
    now = frozen + len(joined)
    total = chart(point, now)
    return Throw(outcome, point, now, thrown, joined, total, total - chart(point, frozen))


def _lost(outcome: Outcome, point: int, frozen: int, thrown: Indices) -> Throw:
    return Throw(outcome, point, frozen, thrown, (), 0, -chart(point, frozen))


def _frozen_at(values: Sequence[int], indices: Indices) -> Meld[int]:
    return meld_at(of_a_kind(len(indices)), values, indices, chart(values[indices[0]], len(indices)))


def counts_that_fit(point: int, frozen: int, *, piddle_points: bool, rolls_on: bool = False) -> tuple[int, ...]:
    """How many dice a photo of a throw may show, with these frozen: the thrown ones alone, or all of them.

    Raises:
        ThrowError: "bad-point", "bad-frozen" or "already-rolled-over".
    """
    _check_point(point, frozen, piddle_points)
    return (_thrown_count(frozen, rolls_on), *_counts_together(frozen, piddle_points, rolls_on))


def _thrown_count(frozen: int, rolls_on: bool) -> int:
    return 2 if frozen >= 5 and not rolls_on else DICE - frozen


def _thrown(values: Sequence[int], point: int, frozen: int, piddle_points: bool, rolls_on: bool) -> Indices:
    alone = _thrown_count(frozen, rolls_on)
    together = _counts_together(frozen, piddle_points, rolls_on)
    if len(values) == alone:
        return tuple(range(alone))
    if len(values) in together:
        return take_out(values, (point,) * (len(values) - alone))
    piddles = frozen >= 5 and not rolls_on
    what = "the piddle is a throw of two dice" if piddles else f"the throw is {dice_counted(alone)}"
    fitting = " or ".join(f"all {count}" for count in together)
    raise ThrowError(
        "wrong-count",
        f"With {several(frozen, point)} frozen {what}; {were_read(len(values))}. "
        f"Show the thrown dice alone ({alone}), or with the frozen ones beside them ({fitting}).",
    )


def _counts_together(frozen: int, piddle_points: bool, rolls_on: bool) -> tuple[int, ...]:
    """How many dice may be on the table when the frozen ones are shown too."""
    if rolls_on:
        return (7,)
    if frozen == 6:
        return (8,) if piddle_points else (7, 8)
    return (7, 8) if frozen == 7 else (7,)


def _check_point(point: int, frozen: int, piddle_points: bool) -> None:
    if not 1 <= point <= FACES:
        raise ThrowError("bad-point", f"The point is a value from 1 to {FACES}, not {point}.")
    if not 2 <= frozen <= DICE:
        raise ThrowError("bad-frozen", f"A point is 2 to {DICE - 1} frozen dice, not {frozen}. Count them again.")
    if frozen == DICE and not piddle_points:
        raise ThrowError(
            "already-rolled-over",
            "Seven of a kind rolls over by itself: stop, or throw seven fresh dice, without point and frozen.",
        )
