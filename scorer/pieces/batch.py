"""Totals of very many five-piece hands at once, by looking each up in a table of all 13^5 = 371,293 hands.

Fifteens, pairs and runs only: flushes and nobs are added where suits are known (`total_cards`, `scorer.odds.hands`).
Source: as `scorer.pieces.melds`, which itemises one hand at a time; here the totals are counted in a second,
independent way, by columns of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.errors import ThrowError
from scorer.pieces.cards import IN_HAND, JACK, Card, score_cards
from scorer.pieces.melds import FIFTEEN, SHORTEST_RUN

Bytes = npt.NDArray[np.uint8]
SIZE = 5
KINDS = 13
# Hands at a time, few enough that their numbers (4 bytes each, 8 in the look-up) stay in the core's nearest caches.
_CHUNK = 1 << 14
# The hand of five ones as a base-13 number, each value a digit.
_ALL_ONES: int = sum(KINDS**place for place in range(SIZE))


@dataclass(frozen=True, slots=True)
class Values:
    """The 13 values that pieces may have, and what they count in a fifteen.

    Attributes:
        lowest: the lowest value; the highest is 12 above it.
        ten_at_most: values above 10 count 10 in a fifteen (cards, d12); otherwise each counts itself (tiles).
        blank_in_fifteens: a value of 0 may be part of a fifteen.
        sub_runs: runs inside longer ones score, too.
    """

    lowest: int
    ten_at_most: bool
    blank_in_fifteens: bool = True
    sub_runs: bool = False


RANKS = Values(lowest=1, ten_at_most=True)
"""Ranks of cards, 1 to 13; the values of d12 are among them."""
RANKS_WITH_SUB_RUNS = Values(lowest=1, ten_at_most=True, sub_runs=True)
"""`RANKS`, where every run inside a longer one scores, too (`sub_runs`)."""
TILES = Values(lowest=0, ten_at_most=False)
"""Totals of tiles, 0 to 12."""
TILES_WITHOUT_BLANK = Values(lowest=0, ten_at_most=False, blank_in_fifteens=False)
"""`TILES`, where no fifteen may contain the double blank (`blank_in_fifteens=False`)."""


def totals(hands: Bytes, values: Values = RANKS) -> Bytes:
    """The fifteens, pairs and runs of each hand.

    Args:
        hands: uint8[N, 5], one hand a row, the pieces in any order.
        values: what the pieces are: `RANKS` (also for d12), `TILES` or `TILES_WITHOUT_BLANK`.

    Returns:
        uint8[N], the points of each hand.

    Raises:
        ThrowError: "not-hands" for another shape or type; "value-out-of-range", naming the first such hand.
    """
    _check_shape(hands)
    found = table(values)
    scores = np.empty(len(hands), np.uint8)
    for start in range(0, len(hands), _CHUNK):
        chunk = hands[start : start + _CHUNK]
        # Two reductions over bytes cost a tenth of the look-up; otherwise a wrong value would read another hand's points.
        if chunk.min() < values.lowest or chunk.max() >= values.lowest + KINDS:
            _refuse_value(chunk, start, values)
        found.take(_numbers(chunk, values), mode="clip", out=scores[start : start + _CHUNK])
    return scores


def total_cards(hand: Sequence[Card], starter: Card | None, *, crib: bool = False) -> int:
    """The total of `score_cards`, without the items and several times faster.

    Raises:
        ThrowError: as `score_cards`.
    """
    if starter is None or len(hand) != IN_HAND:
        return score_cards(hand, starter, crib=crib).total
    a, b, c, d = hand
    if len({a.name, b.name, c.name, d.name, starter.name}) != SIZE:
        return score_cards(hand, starter, crib=crib).total
    number = (((a.rank * KINDS + b.rank) * KINDS + c.rank) * KINDS + d.rank) * KINDS + starter.rank
    total = _rank_totals()[number - _ALL_ONES]
    suit = starter.suit
    if a.suit == b.suit == c.suit == d.suit:
        total += SIZE if a.suit == suit else IN_HAND * (not crib)
    for card in hand:
        if card.rank == JACK and card.suit == suit:
            return total + 1
    return total


@cache
def table(values: Values) -> Bytes:
    """uint8[371293]: the points of every hand, numbered by its values in base 13, the first value leading."""
    hands = multisets() + np.uint8(values.lowest)
    points = count(hands, values)
    found = np.empty(KINDS**SIZE, np.uint8)
    for order in permutations(range(SIZE)):
        found[_numbers(hands[:, order], values)] = points
    found.flags.writeable = False
    return found


@cache
def multisets() -> Bytes:
    """uint8[6188, 5]: every hand once whatever its order, as sorted values from 0 to 12."""
    found = np.array([*combinations_with_replacement(range(KINDS), SIZE)], np.uint8)
    found.flags.writeable = False
    return found


def count(hands: Bytes, values: Values) -> Bytes:
    """The points of sorted hands, counted rather than looked up.

    Args:
        hands: uint8[N, 5], each row ascending.
        values: what the pieces are.

    Returns:
        uint8[N].
    """
    return _fifteens(hands, values) + _pairs(hands) + _runs(hands, values)


def _fifteens(hands: Bytes, values: Values) -> Bytes:
    counts = np.minimum(hands, 10) if values.ten_at_most else hands
    if not values.blank_in_fifteens:
        # Counted as more than fifteen, a blank is part of none.
        counts = np.where(counts == 0, np.uint8(FIFTEEN + 1), counts)
    found = np.zeros(len(hands), np.uint8)
    for places in _subsets(smallest=2):
        found += 2 * (counts[:, places].sum(axis=1) == FIFTEEN).astype(np.uint8)
    return found


def _pairs(hands: Bytes) -> Bytes:
    found = np.zeros(len(hands), np.uint8)
    for one, other in combinations(range(SIZE), 2):
        found += 2 * (hands[:, one] == hands[:, other]).astype(np.uint8)
    return found


def _runs(hands: Bytes, values: Values) -> Bytes:
    """Points for every choice of consecutive values that, without `sub_runs`, no other value in the hand extends."""
    found = np.zeros(len(hands), np.uint8)
    wide = hands.astype(np.int16)
    for places in _subsets(smallest=SHORTEST_RUN):
        run = wide[:, places]
        below, above = run[:, :1] - 1, run[:, -1:] + 1
        longer = ((wide == below) | (wide == above)).any(axis=1) & (not values.sub_runs)
        rises = (np.diff(run, axis=1) == 1).all(axis=1)
        found += len(places) * (rises & ~longer).astype(np.uint8)
    return found


def _subsets(smallest: int) -> list[list[int]]:
    return [[*places] for size in range(smallest, SIZE + 1) for places in combinations(range(SIZE), size)]


def _numbers(hands: Bytes, values: Values) -> npt.NDArray[np.int32]:
    """int32[N]: each hand's place in the table. Five passes over columns were no slower than a matrix product."""
    numbers = hands[:, 0].astype(np.int32)
    for column in range(1, SIZE):
        numbers *= KINDS
        numbers += hands[:, column]
    numbers -= values.lowest * _ALL_ONES
    return numbers


@cache
def _rank_totals() -> bytes:
    return table(RANKS).tobytes()


def _check_shape(hands: Any) -> None:
    if not isinstance(hands, np.ndarray) or hands.dtype != np.uint8 or hands.ndim != 2 or hands.shape[1] != SIZE:
        seen = f"{hands.dtype}{list(hands.shape)}" if isinstance(hands, np.ndarray) else type(hands).__name__
        raise ThrowError("not-hands", f"Hands are a numpy array uint8[N, {SIZE}], one hand a row, but this is {seen}.")


def _refuse_value(chunk: Bytes, start: int, values: Values) -> None:
    wrong = (chunk < values.lowest) | (chunk >= values.lowest + KINDS)
    row, column = np.argwhere(wrong)[0]
    raise ThrowError(
        "value-out-of-range",
        f"Hand {start + row} (counted from 0) holds {chunk[row, column]}: "
        f"the values go from {values.lowest} to {values.lowest + KINDS - 1}.",
    )
