"""Fifteens, pairs and runs over plain values, itemised and counted aloud.

Sources: the scoring sections of the Cribbage Dice and Domino Cribbage texts, and RULINGS: runs are maximal (3-4-5-6 is
one run of four), no run wraps, an ace is 1. The values may be dice, card ranks or tile totals; what a value counts in a
fifteen is a parameter, and so is what the pieces are called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from operator import itemgetter
from typing import Any, Generic, TypeVar, overload

from scorer.errors import ThrowError
from scorer.pieces.text import dice_in_a_row, in_words, points
from scorer.pieces.tiles import Tile

Piece = TypeVar("Piece", bound=int | str, covariant=True)
"""A piece: the value of a die, or the name of a card or tile."""

Indices = tuple[int, ...]
Picker = Callable[[Sequence[Any]], tuple[Any, ...]]
FIFTEEN = 15
SHORTEST_RUN = 3
NOBS = "his nobs"


@dataclass(frozen=True, slots=True)
class Meld(Generic[Piece]):
    """Pieces that score together: `indices` count into the throw or hand, `pieces` are their values or names.

    Pieces are the values of dice, or the names of cards ("5H") and tiles ("3-0").
    """

    name: str
    pieces: tuple[Piece, ...]
    indices: Indices
    points: int

    @property
    def text(self) -> str:
        """The meld in a line: "fifteen (5-10): 2 points", "fifteen (5H 10C): 2 points"."""
        return f"{self.name} ({_in_a_row(self.pieces)}): {points(self.points)}"


@dataclass(frozen=True, slots=True)
class Hand(Generic[Piece]):
    """Values and everything they score, in counting order: fifteens, pairs, runs, then flush and nobs of cards."""

    values: tuple[int, ...]
    melds: tuple[Meld[Piece], ...]

    @property
    def total(self) -> int:
        """The points of all melds together."""
        return sum([meld.points for meld in self.melds])

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
    """What a d12, a card rank or a d6 counts in a fifteen: 10 and above count 10, the others themselves."""
    return value if value < 10 else 10


def itself(value: int) -> int:
    """What the total of a tile counts in a fifteen."""
    return value


@overload
def score(
    values: Sequence[int], counts_as: Callable[[int], int] = ..., pieces: None = None, *, sub_runs: bool = ...
) -> Hand[int]: ...


@overload
def score(
    values: Sequence[int], counts_as: Callable[[int], int] = ..., *, pieces: Sequence[str], sub_runs: bool = ...
) -> Hand[str]: ...


def score(
    values: Sequence[int],
    counts_as: Callable[[int], int] = ten_at_most,
    pieces: Sequence[str] | None = None,
    *,
    sub_runs: bool = False,
) -> Hand[int | str]:
    """Everything the values score; each meld lists its pieces lowest first.

    Args:
        values: the values of the pieces, in any order.
        counts_as: what a value counts in a fifteen.
        pieces: what the pieces are called, one name a value; without them the melds name the values.
        sub_runs: every run of three or more inside a longer one scores, too.
    """
    return Hand(tuple(values), _melds(values, counts_as, values if pieces is None else pieces, sub_runs))


def score_tiles(tiles: Sequence[Tile], *, blank_in_fifteens: bool = True) -> Hand[str]:
    """Everything the tiles score by their totals (Domino Cribbage text, "Scores made after the play").

    Args:
        tiles: a hand or the crib, with the starter; in any order, each at most once.
        blank_in_fifteens: the double blank may be part of a fifteen, so that one with it added is a second one
            (RULINGS, "Domino Cribbage").

    Raises:
        ThrowError: "same-tile-twice".
    """
    names = [str(tile) for tile in tiles]
    refuse_twice(names, "tile")
    totals = [tile.pips for tile in tiles]
    hand = score(totals, itself, pieces=names)
    if blank_in_fifteens:
        return hand
    return Hand(hand.values, tuple(meld for meld in hand.melds if meld.name != "fifteen" or "0-0" not in meld.pieces))


def refuse_twice(names: Sequence[str], kind: str) -> None:
    """Refuse a piece that occurs twice, for a set has each piece once.

    Raises:
        ThrowError: "same-card-twice", "same-tile-twice": "same-", the kind, "-twice".
    """
    if len(set(names)) == len(names):
        return
    twice = next(name for name in names if names.count(name) > 1)
    raise ThrowError(
        f"same-{kind}-twice", f"The {kind} {twice} is named twice, but a set has only one. Correct one of them."
    )


def of_a_kind(count: int) -> str:
    """The name of a number of equal pieces: "pair", "three of a kind"."""
    return "pair" if count == 2 else f"{in_words(count)} of a kind"


def meld_at(name: str, pieces: Sequence[Piece], indices: Sequence[int], worth: int) -> Meld[Piece]:
    """The meld that the pieces at these indices make."""
    return Meld(name, tuple([pieces[index] for index in indices]), tuple(indices), worth)


def places(values: Sequence[int]) -> dict[int, Indices]:
    """The indices of every value, lowest value first."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for index, value in enumerate(values):
        found[value].append(index)
    return {value: tuple(found[value]) for value in sorted(found)}


def _melds(
    values: Sequence[int], counts_as: Callable[[int], int], pieces: Sequence[Piece], sub_runs: bool
) -> tuple[Meld[Piece], ...]:
    if not values:
        return ()
    order = tuple(sorted(range(len(values)), key=values.__getitem__))
    arrange = _picker(order)
    arranged = arrange(pieces)
    found = _found(arrange(values), counts_as, sub_runs)
    return tuple([Meld(name, pick(arranged), pick(order), worth) for name, pick, worth in found])


# The score depends on the sorted values alone, and five cards have only 6,188 sorted values: most hands hit the cache.
@lru_cache(maxsize=1 << 14)
def _found(
    values: tuple[int, ...], counts_as: Callable[[int], int], sub_runs: bool
) -> tuple[tuple[str, Picker, int], ...]:
    at = places(values)
    found = (*_fifteens(tuple(map(counts_as, values))), *_pairs(at), *_runs(at, sub_runs))
    return tuple((name, _picker(indices), worth) for name, indices, worth in found)


def forget_found() -> None:
    """Clear the cache of hands, as in a new process."""
    _found.cache_clear()


def _picker(indices: Indices) -> Picker:
    """A function that picks the pieces at these indices out of a sequence."""
    if len(indices) == 1:
        return lambda row: (row[indices[0]],)
    return itemgetter(*indices)


def _fifteens(counts: tuple[int, ...]) -> Iterator[tuple[str, Indices, int]]:
    # The sums of all subsets: those without the next piece, then those with it. So bit b of a sum's index tells whether
    # piece b is in it.
    sums = [0]
    for count in counts:
        sums += [before + count for before in sums]
    hits = [_members(place) for place, total in enumerate(sums) if total == FIFTEEN]
    for indices in sorted(hits, key=lambda hit: (len(hit), hit)):
        yield "fifteen", indices, 2


@cache
def _members(bits: int) -> Indices:
    return tuple([place for place in range(bits.bit_length()) if bits >> place & 1])


def _pairs(found: dict[int, Indices]) -> Iterator[tuple[str, Indices, int]]:
    for indices in found.values():
        count = len(indices)
        if count > 1:
            # Two points for every distinct pair among them: 2, 6, 12, 20.
            yield of_a_kind(count), indices, count * (count - 1)


def _runs(found: dict[int, Indices], sub_runs: bool) -> Iterator[tuple[str, Indices, int]]:
    for stretch in _stretches(found):
        for length in range(len(stretch), SHORTEST_RUN - 1, -1) if sub_runs else (len(stretch),):
            for begin in range(len(stretch) - length + 1) if length >= SHORTEST_RUN else ():
                for indices in product(*stretch[begin : begin + length]):
                    yield f"run of {in_words(length)}", indices, length


def _stretches(found: dict[int, Indices]) -> list[list[Indices]]:
    """The indices grouped into the longest stretches of neighbouring values."""
    stretches: list[list[Indices]] = []
    for value, indices in found.items():
        if value - 1 in found:
            stretches[-1].append(indices)
        else:
            stretches.append([indices])
    return stretches


def _in_a_row(pieces: Sequence[int | str]) -> str:
    dice = [piece for piece in pieces if isinstance(piece, int)]
    return dice_in_a_row(dice) if dice else " ".join(map(str, pieces))


def _with_article(name: str) -> str:
    if name == NOBS:
        return f"one for {name}"
    return name if name.endswith("of a kind") else f"a {name}"
