"""Works out which end of a taught tile shows which of its two values, where nobody said so and the network cannot tell.

People call a tile "3-5" in any order. Ends of one set with the same value look alike, so the right orders are those in which
all tiles of the profile agree best: a double shows what its value looks like, and each tile settles the next.
docs/decisions/0041-which-end-shows-what.md says why the network's own reading is not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify.crop_network import Seen
from vision.classify.features import Features
from vision.classify.tiles import TileReader
from vision.taught.negatives import Negatives
from vision.taught.pieces import TaughtPiece
from vision.taught.views import end_views

Ends = tuple[int, int]
_STARTS = 24
"""Random starts of the local search for the best orders, which swaps the ends of one tile at a time."""
_CLEAR = 0.2
"""How much more similar (cosine) ends of equal values must be in one order of a tile than in the other."""
_READ = 0.9
"""The probability with which the network must read an end that decides the order where nothing else does."""
_FIRST = 2
"""Index of 0 pips in the classes of the network for ends."""
_Alike = NDArray[np.float64]
_Turns = NDArray[np.intp]
"""For each tile 0, or 1 if its ends are in the opposite order to the one given."""


def ends_in_order(
    pieces: Sequence[TaughtPiece], looks: Sequence[tuple[Seen, Seen]], negatives: Negatives
) -> list[tuple[int, ...]]:
    """The values of each tile in the order of its outline; empty for a tile whose order stays unknown.

    `looks`: the networks' output for all views of both ends of each tile; the first view is the unaltered one.
    """
    if not pieces:
        return []
    points = np.array([[negatives.scaled(end.features).mean(0) for end in both] for both in looks])
    said = [(piece.shows[0], piece.shows[1]) for piece in pieces]
    found = order_ends(said, points, [not piece.either for piece in pieces])
    return [ends or _as_read(own, both) for ends, own, both in zip(found, said, looks, strict=True)]


def in_order(pieces: Sequence[TaughtPiece], tiles: TileReader, negatives: Negatives) -> list[TaughtPiece]:
    """The pieces, with the ends of tiles in the order of their outline; tiles whose order stays unknown are left out."""
    own = [piece for piece in pieces if piece.shape == "tile"]
    looks = [(tiles.features(first), tiles.features(second)) for first, second in map(end_views, own)]
    known = dict(zip(map(id, own), ends_in_order(own, looks, negatives), strict=True))
    ordered = ((piece, known.get(id(piece), piece.shows)) for piece in pieces)
    return [replace(piece, shows=shows, either=False) for piece, shows in ordered if shows or piece.shape != "tile"]


def _as_read(ends: Ends, looks: tuple[Seen, Seen]) -> tuple[int, ...]:
    """The ends in the order in which the network clearly reads one of them, and neither in the other order; otherwise empty."""
    first, second = (each.chances[0][_FIRST:] for each in looks)
    for one, other in (ends, ends[::-1]):
        if max(first[one], second[other]) >= _READ and max(first[other], second[one]) <= 1 - _READ:
            return one, other
    return ()


def order_ends(said: Sequence[Ends], points: Features, known: Sequence[bool]) -> list[Ends | None]:
    """The ends of each tile in the order of its outline; None where it stays unknown.

    Args:
        said: the ends, in any order where the order is not known.
        points: the features of both ends of each tile (n x 2 x features).
        known: whether the order of each tile is known.
    """
    alike = _in_each_order(np.array(said), points)
    free = [i for i, (a, b) in enumerate(said) if a != b and not known[i]]
    turns = _best(alike, free, len(said))
    clear = _clear(alike, free, turns)
    return [
        None if i in free and not clear[i] else (ends[1], ends[0]) if turns[i] else ends for i, ends in enumerate(said)
    ]


def _in_each_order(said: NDArray[np.int_], points: Features) -> _Alike:
    """The similarity of ends with equal values for every two tiles (n x 2 x n x 2), each in the given order and swapped."""
    count = len(said)
    flat = points.reshape(2 * count, -1).astype(np.float64)
    flat = flat - flat.mean(0)
    flat /= np.maximum(1e-9, np.linalg.norm(flat, axis=1, keepdims=True))
    cosines = (flat @ flat.T).reshape(count, 2, count, 2)
    alike = np.zeros((count, 2, count, 2))
    for one, other, end, theirs in np.ndindex(2, 2, 2, 2):
        equal = said[:, end ^ one][:, None] == said[:, theirs ^ other][None]
        alike[:, one, :, other] += equal * cosines[:, end, :, theirs]
    alike[np.arange(count), :, np.arange(count), :] = 0
    return alike


def _best(alike: _Alike, free: Sequence[int], count: int) -> _Turns:
    """The best orders found from all starts; deterministic."""
    rng = np.random.default_rng(0)
    guesses = [np.zeros(count, np.intp)]
    for _ in range(_STARTS if len(free) > 1 else 0):
        guess = np.zeros(count, np.intp)
        guess[free] = rng.integers(0, 2, len(free))
        guesses.append(guess)
    return max((_improved(alike, free, guess) for guess in guesses), key=lambda turns: _total(alike, turns))


def _improved(alike: _Alike, free: Sequence[int], turns: _Turns) -> _Turns:
    """The orders after local search: no single tile agrees better when swapped."""
    turns = turns.copy()
    moved = True
    while moved:
        moved = False
        for i in free:
            as_is, other = _both_ways(alike, turns, i)
            if other > as_is + 1e-9:
                turns[i] ^= 1
                moved = True
    return turns


def _both_ways(alike: _Alike, turns: _Turns, tile: int) -> tuple[float, float]:
    """The similarity of a tile to all others in its present order, and swapped."""
    sums = alike[tile][:, np.arange(len(turns)), turns].sum(1)
    return float(sums[turns[tile]]), float(sums[1 - turns[tile]])


def _total(alike: _Alike, turns: _Turns) -> float:
    every = np.arange(len(turns))
    return float(alike[every[:, None], turns[:, None], every[None], turns[None]].sum()) / 2


def _clear(alike: _Alike, free: Sequence[int], turns: _Turns) -> NDArray[np.bool_]:
    """Which tiles have a clear order: swapping the tile alone, or its whole group, would agree clearly worse."""
    clear = np.ones(len(turns), bool)
    for i in free:
        as_is, other = _both_ways(alike, turns, i)
        clear[i] = as_is - other >= _CLEAR
    for group in _groups(alike, free):
        turned = turns.copy()
        turned[group] ^= 1
        if _total(alike, turns) - _total(alike, turned) < _CLEAR:
            clear[group] = False
    return clear


def _groups(alike: _Alike, free: Sequence[int]) -> Iterator[list[int]]:
    """The tiles without a known order, grouped by shared values."""
    left = set(free)
    while left:
        group, edge = list[int](), {left.pop()}
        while edge:
            group += edge
            edge = {j for i in edge for j in left if alike[i, :, j, :].any()}
            left -= edge
        yield group
