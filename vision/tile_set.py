"""Infers the set of dominoes (double-six, -nine, -twelve) from all tiles on the table, and corrects each tile by it.

A double-six set has no nine: where the other tiles show 0 to 6, a blank that looks a little like a nine is a
blank. Bayes' rule over the usual sets; one misread tile among many does not change the set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify.tiles import TileFace

_SETS: Mapping[int, float] = {6: 0.75, 9: 0.1, 12: 0.15}
"""Prior probability of each set, by its highest value."""
_LEARNED = np.array([0.074] * 7 + [0.042] * 6) / 0.77
"""Frequency of each value in the training data (`datasets.generate.drawn.tiles`): divided out of the network's answers."""
_MISREAD = 0.05
"""Probability that a tile says nothing about the set, because it is not a tile or is misread."""


def of_one_set(tiles: Sequence[TileFace], pieces: Sequence[TileFace]) -> list[TileFace]:
    """The tiles with the probabilities of their ends (0 to 12) given that all belong to one set, inferred from `pieces`.

    Args:
        tiles: all tiles, however unlikely.
        pieces: those that count, each once.
    """
    prior = _in_set(_likely_sets(pieces)) / _LEARNED
    return [_of_set(tile, prior) for tile in tiles]


def _of_set(tile: TileFace, prior: NDArray[np.float64]) -> TileFace:
    """The tile with its values weighted by the prior; one that fits no value of the set becomes less likely a tile."""
    first, second = np.array(tile.first) * prior, np.array(tile.second) * prior
    fits = tile.back + (1 - tile.back) * min(1.0, float(first.sum() * second.sum()))
    return replace(tile, other=1 - (1 - tile.other) * fits, first=_shares(first), second=_shares(second))


def _likely_sets(pieces: Sequence[TileFace]) -> NDArray[np.float64]:
    """The posterior probability of each of `_SETS`."""
    odds = np.array(list(_SETS.values()))
    for piece in pieces:
        shown = np.array([_shown(piece.first, highest) * _shown(piece.second, highest) for highest in _SETS])
        odds *= (1 - _MISREAD) * (1 - piece.back) * shown / shown.max() + _MISREAD + (1 - _MISREAD) * piece.back
        odds /= odds.sum()
    return odds


def _shown(chances: Sequence[float], highest: int) -> float:
    """The likelihood of an end's appearance, up to a factor, if its value is uniform from 0 to `highest`."""
    return float((np.array(chances) / _LEARNED)[: highest + 1].mean())


def _in_set(sets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of each value of an end, given the probabilities of the sets."""
    values = np.arange(len(_LEARNED))
    shares = [chance * (values <= highest) / (highest + 1) for chance, highest in zip(sets, _SETS, strict=True)]
    return np.asarray(np.sum(shares, axis=0))


def _shares(weights: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple((weights / max(1e-12, float(weights.sum()))).tolist())
