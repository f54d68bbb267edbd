"""The distribution of hand scores: exact counts for cards, tiles and d12.

Hands are scored by `scorer.pieces`; a game that has such hands names them in `Scored.hands`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.pieces.batch import KINDS, RANKS, SIZE, TILES, TILES_WITHOUT_BLANK, multisets, table, totals
from scorer.pieces.cards import IN_HAND, JACK, SUITS
from scorer.pieces.cards import RANKS as CARD_RANKS
from scorer.pieces.tiles import FULL_SET

Counts = npt.NDArray[np.int64]
_D12_FACES = 12
_MORE_THAN_ANY = 64


@dataclass(frozen=True, slots=True)
class Distribution:
    """How many hands have each score.

    Attributes:
        counts: hands by score, for every score from 0 to the highest; 0 where no hand has that score.
    """

    counts: Mapping[int, int]

    @property
    def total(self) -> int:
        """All hands."""
        return sum(self.counts.values())

    @property
    def mean(self) -> Fraction:
        """The average score, exactly."""
        return Fraction(sum(score * count for score, count in self.counts.items()), self.total)

    @property
    def maximum(self) -> int:
        """The highest score that a hand has."""
        return max(self.counts)

    def to_json(self) -> dict[str, Any]:
        """A plain object: "total", "histogram" by score, "mean" (and as a fraction, "mean_exact"), "maximum"."""
        return {
            "total": self.total,
            "histogram": {str(score): count for score, count in self.counts.items()},
            "mean": float(self.mean),
            "mean_exact": str(self.mean),
            "maximum": self.maximum,
        }


def cards(ranks: Collection[int] = CARD_RANKS) -> Distribution:
    """All hands of five cards times the choice of the starter: 12,994,800 of the full deck.

    Source of the check: the table of these hands in the text that the rules of domino hands come from, row for row.

    Counted by ranks: for every four ranks in hand and rank of the starter, the points of the ranks, and the number of
    ways that suits can add a flush or his nobs to them.

    Args:
        ranks: the ranks in the deck, each in four suits.
    """
    tally = np.zeros(_MORE_THAN_ANY, np.int64)
    fours = np.array([*combinations_with_replacement(sorted(set(ranks)), IN_HAND)], np.uint8)
    for starter in set(ranks):
        by_ranks = totals(np.column_stack([fours, np.full(len(fours), starter, np.uint8)]))
        for by_suits, ways in _suited(fours, starter):
            np.add.at(tally, by_ranks + by_suits, len(SUITS) * ways)
    return _distribution(tally)


def dominoes(*, blank_in_fifteens: bool = True) -> Distribution:
    """All sets of five tiles of the 28, the starter among them: 98,280.

    Args:
        blank_in_fifteens: the double blank may be part of a fifteen (RULINGS).
    """
    hands = multisets()
    in_the_set = [sum(tile.pips == pips for tile in FULL_SET) for pips in range(KINDS)]
    choices = np.array([[comb(tiles, held) for held in range(SIZE + 1)] for tiles in in_the_set])
    ways = choices[np.arange(KINDS), _held(hands, KINDS)].prod(axis=1)
    tally = np.zeros(_MORE_THAN_ANY, np.int64)
    np.add.at(tally, totals(hands, TILES if blank_in_fifteens else TILES_WITHOUT_BLANK), ways)
    return _distribution(tally)


def d12() -> Distribution:
    """All ordered throws of five d12: 248,832."""
    thrown = table(RANKS).reshape((KINDS,) * SIZE)[(slice(_D12_FACES),) * SIZE]
    return _distribution(np.bincount(thrown.ravel()))


# Ways to choose the suits of some cards of a rank: of all four suits; of the three that are not the starter's; of all
# four, the starter's among them.
_OF_FOUR = np.array([comb(4, held) for held in range(5)])
_OF_OTHERS = np.array([comb(3, held) for held in range(5)])
_WITH_STARTERS = _OF_FOUR - _OF_OTHERS


def _suited(fours: npt.NDArray[np.uint8], starter: int) -> Iterator[tuple[int, Counts]]:
    """The points that suits add to four ranks in hand, with the number of ways for each, given the suit of the starter."""
    held = _held(fours, CARD_RANKS[-1] + 1)
    ways = _OF_FOUR[held]
    ways[:, starter] = _OF_OTHERS[held[:, starter]]
    every = ways.prod(axis=1)
    ways[:, JACK] = 0 if starter == JACK else _WITH_STARTERS[held[:, JACK]]
    nobs = ways.prod(axis=1)
    one_suit = held.max(axis=1) == 1
    # Four of one suit: of the starter's, which makes five with it; or of one of the other three, which excludes nobs.
    five = (one_suit & (held[:, starter] == 0)).astype(np.int64)
    five_and_nobs = five * (held[:, JACK] == 1)
    four = 3 * one_suit.astype(np.int64)
    yield 6, five_and_nobs
    yield 5, five - five_and_nobs
    yield 4, four
    yield 1, nobs - five_and_nobs
    yield 0, every - nobs - four - (five - five_and_nobs)


def _held(hands: npt.NDArray[np.uint8], kinds: int) -> Counts:
    """int64[N, kinds]: how often each hand holds each value."""
    return np.stack([(hands == kind).sum(axis=1) for kind in range(kinds)], axis=1)


def _distribution(tally: Counts) -> Distribution:
    highest = int(np.flatnonzero(tally)[-1])
    return Distribution({score: int(tally[score]) for score in range(highest + 1)})
