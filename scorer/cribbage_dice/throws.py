"""Cribbage Dice: what five d12 are worth.

Source: the Cribbage Dice text, its scoring section and "Roll Two Extra Dice"; RULINGS, "Cribbage Dice": 10, 11 and 12
count 10 in fifteens and themselves in pairs and runs, an ace is low, the starter earns nothing of its own. Values 1 to
6 are scored too, so a throw of d6 has its worth under this chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scorer.dice import ThrowError, check_values, were_read
from scorer.melds import Hand, Indices, Meld, score

HAND = 5
WITH_EXTRAS = 7
FACES = 12


@dataclass(frozen=True, slots=True)
class Keep:
    """Five dice of a throw and what they score.

    Attributes:
        hand: the five values and their melds; the melds' indices count into the whole throw.
        indices: the dice kept.
        discarded: the dice left out; empty when only five were thrown.
    """

    hand: Hand
    indices: Indices
    discarded: Indices


def keeps(values: Sequence[int], starter: int | None = None) -> tuple[Keep, ...]:
    """Every five dice that may be kept, best first: one choice from five dice, up to 21 from seven.

    Dice of one value are alike, so equal hands are listed once.

    Args:
        values: five values, or seven of which two are discarded.
        starter: the value of the starter die; it stays among the five (RULINGS: `seven_keep_starter`).

    Raises:
        ThrowError: "wrong-count", "value-out-of-range" or "starter-not-there".
    """
    _check(values, starter)
    choices = [_keep(values, indices) for indices in _different_fives(values)]
    allowed = [choice for choice in choices if starter is None or starter in choice.hand.values]
    return tuple(sorted(allowed, key=lambda choice: (-choice.hand.total, sorted(choice.hand.values))))


def _check(values: Sequence[int], starter: int | None) -> None:
    check_values(values, FACES)
    if len(values) not in (HAND, WITH_EXTRAS):
        raise ThrowError(
            "wrong-count",
            f"A hand is {HAND} dice, or {WITH_EXTRAS} of which two are discarded; "
            f"{were_read(len(values))}. Show all of them, and nothing else.",
        )
    if starter is not None and starter not in values:
        raise ThrowError(
            "starter-not-there",
            f"The starter shows {starter}, but none of the dice read does. It may not be rolled again: "
            "look whether it was turned, or correct the reading.",
        )


def _different_fives(values: Sequence[int]) -> Iterator[Indices]:
    seen: set[tuple[int, ...]] = set()
    for indices in combinations(range(len(values)), HAND):
        five = tuple(sorted(values[index] for index in indices))
        if five not in seen:
            seen.add(five)
            yield indices


def _keep(values: Sequence[int], indices: Indices) -> Keep:
    hand = score([values[index] for index in indices])
    melds = tuple(_in_the_throw(meld, indices) for meld in hand.melds)
    discarded = tuple(index for index in range(len(values)) if index not in indices)
    return Keep(Hand(hand.values, melds), indices, discarded)


def _in_the_throw(meld: Meld, kept: Indices) -> Meld:
    return Meld(meld.name, meld.pieces, tuple(kept[index] for index in meld.indices), meld.points)
