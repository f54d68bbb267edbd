"""Fifteens, pairs and runs over plain values, itemised and counted aloud.

Source: the scoring section of the Cribbage Dice text, and RULINGS: runs are maximal (3-4-5-6 is one run of four), no
run wraps, an ace is 1. The values may be dice, card ranks or tile totals; what a value counts in a fifteen is a
parameter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from scorer.words import dice_in_a_row, in_words, points

Indices = tuple[int, ...]
FIFTEEN = 15
SHORTEST_RUN = 3


@dataclass(frozen=True, slots=True)
class Meld:
    """Pieces that score together: `indices` count into the throw or hand, `pieces` are the values there."""

    name: str
    pieces: tuple[int, ...]
    indices: Indices
    points: int

    @property
    def text(self) -> str:
        """The meld in a line: "fifteen (5-10): 2 points"."""
        return f"{self.name} ({dice_in_a_row(self.pieces)}): {points(self.points)}"


@dataclass(frozen=True, slots=True)
class Hand:
    """Values and everything they score, in counting order: fifteens, pairs, runs."""

    values: tuple[int, ...]
    melds: tuple[Meld, ...]

    @property
    def total(self) -> int:
        """The points of all melds together."""
        return sum(meld.points for meld in self.melds)

    def aloud(self) -> str:
        """The hand as a player counts it: "fifteen two, fifteen four, and a run of three is seven"."""
        return ", ".join(self._counted()) or "nothing"

    def _counted(self) -> Iterator[str]:
        running = 0
        for place, meld in enumerate(self.melds, start=1):
            running += meld.points
            if meld.name == "fifteen":
                yield f"fifteen {in_words(running)}"
                continue
            last_of_many = place == len(self.melds) > 1
            yield f"{'and ' if last_of_many else ''}{_with_article(meld.name)} is {in_words(running)}"


def ten_at_most(value: int) -> int:
    """What a d12, a card rank or a d6 counts in a fifteen: 10, 11 and 12 count 10, the others themselves."""
    return min(value, 10)


def score(values: Sequence[int], counts_as: Callable[[int], int] = ten_at_most) -> Hand:
    """Everything the values score.

    Args:
        values: the values of the pieces, in any order.
        counts_as: what a value counts in a fifteen.
    """
    melds = (*_fifteens(values, counts_as), *_pairs(values), *_runs(values))
    return Hand(tuple(values), melds)


def of_a_kind(count: int) -> str:
    """The name of so many equal pieces: "pair", "three of a kind"."""
    return "pair" if count == 2 else f"{in_words(count)} of a kind"


def meld_at(name: str, values: Sequence[int], indices: Sequence[int], worth: int) -> Meld:
    """The meld that the pieces at these indices make."""
    return Meld(name, tuple(values[index] for index in indices), tuple(indices), worth)


def places(values: Sequence[int]) -> dict[int, Indices]:
    """The indices of every value, lowest value first."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for index, value in enumerate(values):
        found[value].append(index)
    return {value: tuple(found[value]) for value in sorted(found)}


def _fifteens(values: Sequence[int], counts_as: Callable[[int], int]) -> Iterator[Meld]:
    counts = [counts_as(value) for value in values]
    for size in range(1, len(values) + 1):
        for indices in combinations(range(len(values)), size):
            if sum(counts[index] for index in indices) == FIFTEEN:
                yield meld_at("fifteen", values, indices, 2)


def _pairs(values: Sequence[int]) -> Iterator[Meld]:
    for indices in places(values).values():
        count = len(indices)
        if count > 1:
            # Two points for every distinct pair among them: 2, 6, 12, 20.
            yield meld_at(of_a_kind(count), values, indices, count * (count - 1))


def _runs(values: Sequence[int]) -> Iterator[Meld]:
    for stretch in _stretches(places(values)):
        if len(stretch) >= SHORTEST_RUN:
            for indices in product(*stretch):
                yield meld_at(f"run of {in_words(len(stretch))}", values, indices, len(stretch))


def _stretches(found: dict[int, Indices]) -> list[list[Indices]]:
    """The indices grouped into the longest stretches of neighbouring values."""
    stretches: list[list[Indices]] = []
    for value, indices in found.items():
        if value - 1 in found:
            stretches[-1].append(indices)
        else:
            stretches.append([indices])
    return stretches


def _with_article(name: str) -> str:
    return name if name.endswith("of a kind") else f"a {name}"
