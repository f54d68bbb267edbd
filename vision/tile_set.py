"""Which set of dominoes is played with, from all the tiles on the table together, and what that says of each of them.

A table of double-sixes has no nine on it: where the other tiles show 0 to 6, a blank that looks a little like a nine is a
blank. Bayes' rule over the usual sets; one misread tile among many does not change the set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.classify.tiles import TileFace

_SETS: Mapping[int, float] = {6: 0.75, 9: 0.1, 12: 0.15}
"""The highest value of a set, and how often it is the one on the table."""
_LEARNED = np.array([0.074] * 7 + [0.042] * 6) / 0.77
"""How often the network saw each value while it learned (`datasets.generate.drawn.tiles`): divided out of its answers."""
_MISREAD = 0.05
"""How often a tile says nothing of the set, because it is none or is misread."""


def of_one_set(tiles: Sequence[TileFace], pieces: Sequence[TileFace]) -> list[TileFace]:
    """The tiles with the chances of their ends (0 to 12) as they are if all belong to one set, which the `pieces` tell.

    Args:
        tiles: whatever may be a tile.
        pieces: those that are taken for one, each once.
    """
    prior = _in_set(_likely_sets(pieces)) / _LEARNED
    return [_of_set(tile, prior) for tile in tiles]


def _of_set(tile: TileFace, prior: NDArray[np.float64]) -> TileFace:
    """The tile with every value as likely as the set makes it; what looks like no tile of the set is likelier none at all."""
    first, second = np.array(tile.first) * prior, np.array(tile.second) * prior
    fits = tile.back + (1 - tile.back) * min(1.0, float(first.sum() * second.sum()))
    return replace(tile, other=1 - (1 - tile.other) * fits, first=_shares(first), second=_shares(second))


def _likely_sets(pieces: Sequence[TileFace]) -> NDArray[np.float64]:
    """The chance of each of `_SETS`."""
    odds = np.array(list(_SETS.values()))
    for piece in pieces:
        shown = np.array([_shown(piece.first, highest) * _shown(piece.second, highest) for highest in _SETS])
        odds *= (1 - _MISREAD) * (1 - piece.back) * shown / shown.max() + _MISREAD + (1 - _MISREAD) * piece.back
        odds /= odds.sum()
    return odds


def _shown(chances: Sequence[float], highest: int) -> float:
    """How likely an end looks as it does if it is any of 0 to `highest`, but for a factor."""
    return float((np.array(chances) / _LEARNED)[: highest + 1].mean())


def _in_set(sets: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often an end shows each value, by the chances of the sets."""
    values = np.arange(len(_LEARNED))
    shares = [chance * (values <= highest) / (highest + 1) for chance, highest in zip(sets, _SETS, strict=True)]
    return np.asarray(np.sum(shares, axis=0))


def _shares(weights: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple((weights / max(1e-12, float(weights.sum()))).tolist())
