"""Cribbage Dice: what five d12 are worth.

Source: the Cribbage Dice text, its scoring section and "Roll Two Extra Dice"; RULINGS, "Cribbage Dice": 10, 11 and 12
count 10 in fifteens and themselves in pairs and runs, an ace is low, the starter earns nothing of its own. Values 1 to
6 are scored too, so a throw of d6 has its worth under this chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from scorer.pieces.dice import ThrowError, check_values, were_read
from scorer.pieces.melds import Hand, Indices, Meld, score

HAND = 5
WITH_EXTRAS = 7
FACES = 12
MOST = 40
"""The most that a hand scores: five 5s."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Five dice of a throw and what they score.

    Attributes:
        hand: the five values and their melds; the melds' indices count into the whole throw.
        indices: the dice kept.
        discarded: the indices of the dice left out; empty when only five were thrown.
    """

    hand: Hand[int]
    indices: Indices
    discarded: Indices


def keeps(values: Sequence[int], starter: int | None = None, *, sub_runs: bool = False) -> tuple[Keep, ...]:
    """Every five dice that may be kept, best first: one choice from five dice, up to 21 from seven.

    Dice of one value are alike, so equal hands are listed once.

    Args:
        values: five values, or seven of which two are discarded.
        starter: the value of the starter die; it stays among the five (RULINGS: `seven_keep_starter`).
        sub_runs: every run inside a longer one scores, too.

    Raises:
        ThrowError: "wrong-count", "value-out-of-range" or "starter-not-there".
    """
    _check(values, starter)
    choices = [hand_at(values, indices, sub_runs) for indices in _different_fives(values)]
    allowed = [choice for choice in choices if starter is None or starter in choice.hand.values]
    return tuple(sorted(allowed, key=lambda choice: (-choice.hand.total, sorted(choice.hand.values))))


def hand_at(values: Sequence[int], indices: Indices, sub_runs: bool) -> Keep:
    """The hand that the dice at these indices make, whatever their number."""
    hand = _scored(tuple(values[index] for index in indices), sub_runs)
    melds = tuple(_in_the_throw(meld, indices) for meld in hand.melds)
    discarded = tuple(index for index in range(len(values)) if index not in indices)
    return Keep(Hand(hand.values, melds), indices, discarded)


def best_at(values: Sequence[int], indices: Indices, must: int | None = None, *, sub_runs: bool = False) -> Keep:
    """The best hand among the dice at these indices: all of them up to five, the best five of more.

    Args:
        values: the values of a throw.
        indices: the dice to choose from, at least one.
        must: the index of a die that has to be in the hand.
        sub_runs: every run inside a longer one scores, too.
    """
    hands = [
        hand_at(values, some, sub_runs)
        for some in combinations(indices, min(HAND, len(indices)))
        if must is None or must in some
    ]
    return max(hands, key=lambda choice: choice.hand.total)


def _check(values: Sequence[int], starter: int | None) -> None:
    check_values(values if starter is None else (*values, starter), FACES)
    if len(values) not in (HAND, WITH_EXTRAS):
        raise ThrowError(
            "wrong-count",
            f"A hand is {HAND} dice, or {WITH_EXTRAS} of which two are discarded; "
            f"{were_read(len(values))}. Show all of them, and nothing else.",
        )
    if starter is not None and starter not in values:
        raise ThrowError(
            "starter-not-there",
            f"The starter shows {starter}, but none of the dice does. It may not be rolled again: "
            "look whether it was turned, or correct the dice.",
        )


def _different_fives(values: Sequence[int]) -> Iterator[Indices]:
    seen: set[tuple[int, ...]] = set()
    for indices in combinations(range(len(values)), HAND):
        five = tuple(sorted(values[index] for index in indices))
        if five not in seen:
            seen.add(five)
            yield indices


@lru_cache(maxsize=1 << 15)
def _scored(values: tuple[int, ...], sub_runs: bool) -> Hand[int]:
    # A game asks for the same few thousand hands over and over.
    return score(values, sub_runs=sub_runs)


def _in_the_throw(meld: Meld[int], kept: Indices) -> Meld[int]:
    return Meld(meld.name, meld.pieces, tuple(kept[index] for index in meld.indices), meld.points)
