"""The box head of the detector's network, computed only for grid cells ("places") whose score is high enough.

A YOLO network predicts scores, a box and an angle for thousands of cells. Hardly any cell scores, and a quarter of the network's
time goes into the boxes of all. So shipped files omit that part of the head and carry its weights as outputs
(`datasets.train.detector_file`): it is computed here, for the cells that score (docs/decisions/0061). The arithmetic is that of
ultralytics' head for oriented boxes: a distance is the mean of a distribution (Li et al., "Generalized Focal Loss", NeurIPS
2020), and the distances are measured along the axes of the oriented box.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

STRIDES = 8, 16, 32
"""Pixels from one cell to the next, in each of the network's three grids."""
ANSWERS = 2 * len(STRIDES)
"""Number of the network's first outputs: the head's input for each grid, then the scores of each grid."""
LAYERS = 3
"""Convolutions in either branch of the head, for distances and for angles: two of 3 x 3 cells, then one of 1 x 1."""
WEIGHTS = 2 * len(STRIDES) * LAYERS * 2
"""Number of the outputs after those: the weights and biases of both branches."""
_BINS = 16
"""Bins of the distribution of a distance: 0 to 15 strides."""
_SMALL = 2**17
"""Multiplications up to which OpenBLAS computes a matrix product in one thread."""

Array = NDArray[np.float32]
Places = NDArray[np.intp]
Mask = NDArray[np.bool_]
Branch = tuple[tuple[Array, Array], ...]


@dataclass(frozen=True, eq=False, slots=True)
class BoxHead:
    """The part of a YOLO network's head that predicts boxes: both branches for each grid.

    A convolution has weights (cells x in x out) and biases.
    """

    distances: tuple[Branch, ...]
    angles: tuple[Branch, ...]

    @classmethod
    def of(cls, arrays: Sequence[Array]) -> Self:
        """From alternating weights (out x in x height x width) and biases: for distances, grid after grid, then for angles."""
        # In the layout of `_product`: NumPy would copy others at every product, or multiply without OpenBLAS.
        weights = [
            np.ascontiguousarray(each.transpose(2, 3, 1, 0)).reshape(-1, *each.shape[1::-1]) for each in arrays[::2]
        ]
        layers = list(zip(weights, arrays[1::2], strict=True))
        branches = tuple(tuple(layers[k : k + LAYERS]) for k in range(0, len(layers), LAYERS))
        return cls(branches[: len(STRIDES)], branches[len(STRIDES) :])

    def rows(self, answers: Sequence[Array], min_score: float) -> Array:
        """The boxes of all cells that reach a score for at least one class.

        Args:
            answers: the first `ANSWERS` outputs, 1 x channels x height x width, with scores as logits.
            min_score: the least score.

        Returns:
            n x (4 + classes + 1): centre x, centre y, width and height in the network's pixels, the score of each class, and the
            angle in radians from the x axis to the side called width.
        """
        seen, scores = answers[: len(STRIDES)], answers[len(STRIDES) :]
        least_odds = math.log(min_score / (1 - min_score))
        return np.concatenate([self._rows(k, seen[k][0], scores[k][0], least_odds) for k in range(len(STRIDES))])

    def _rows(self, grid: int, seen: Array, scores: Array, least_odds: float) -> Array:
        likely = scores.max(0) >= least_odds
        y, x = np.nonzero(likely)
        if not len(y):
            return np.empty((0, 4 + len(scores) + 1), np.float32)
        near = _spread(likely)
        reached = _spread(near)
        around = _around(_grid(seen[:, reached].T, reached), *np.nonzero(near))
        distances, angles = (_answers(branch[grid], around, near, y, x) for branch in (self.distances, self.angles))
        left, top, right, bottom = _means(distances)
        angle = (_share(angles[:, 0]) - 0.25) * math.pi
        across, along = (right - left) / 2, (bottom - top) / 2
        c, s = np.cos(angle), np.sin(angle)
        centre = x + 0.5 + across * c - along * s, y + 0.5 + across * s + along * c
        box = STRIDES[grid] * np.stack([*centre, left + right, top + bottom], 1)
        return np.concatenate([box, _share(scores[:, y, x]).T, angle[:, None]], 1, dtype=np.float32)


def _answers(branch: Branch, around: Array, near: Mask, y: Places, x: Places) -> Array:
    """A branch's output at n cells of a grid, n x channels.

    `near`: these cells and their neighbours; `around`: the head's input around each of those (`_around`).
    """
    first, second, (weights, biases) = branch
    hidden = _grid(_convolved(around, *first), near)
    return np.asarray(_product(_convolved(_around(hidden, y, x), *second)[None], weights)[0] + biases)


def _spread(mask: Mask) -> Mask:
    """The mask dilated by one cell."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)), bool)


def _grid(values: Array, there: Mask) -> Array:
    """A grid, height x width x channels, with values (n x channels) where `there` is set, 0 elsewhere, padded by one cell."""
    framed = np.zeros((there.shape[0] + 2, there.shape[1] + 2, values.shape[1]), np.float32)
    framed[1:-1, 1:-1][there] = values
    return framed


def _around(framed: Array, y: Places, x: Places) -> Array:
    """The 3 x 3 cells around each of n cells in a grid from `_grid`: 9 x n x channels."""
    width, channels = framed.shape[1:]
    corner = y * width + x
    return framed.reshape(-1, channels)[[corner + down * width + right for down in range(3) for right in range(3)]]


def _convolved(around: Array, weights: Array, biases: Array) -> Array:
    """The output of a 3 x 3 convolution (9 x in x out) and its activation (SiLU) at n cells (`_around`): n x out."""
    total = biases + _product(around, weights).sum(0)
    return np.asarray(total * _share(total))


def _product(rows: Array, weights: Array) -> Array:
    """`rows @ weights` (k x n x in, k x in x out), some rows at a time.

    OpenBLAS splits a large product over threads, which then busy-wait for the next and keep the networks from the cores.
    """
    k, n, inside = rows.shape
    most = max(1, _SMALL // weights[0].size)
    padded = np.zeros((k, -(-n // most) * most, inside), np.float32)
    padded[:, :n] = rows
    found = padded.reshape(k, -1, most, inside) @ weights[:, None]
    return np.asarray(found.reshape(k, -1, weights.shape[2])[:, :n])


def _means(odds: Array) -> Array:
    """The means (4 x n) of the 4 distributions over 0, 1, 2, … at each of n cells, given as logits (n x 64)."""
    odds = odds.reshape(-1, 4, _BINS)
    chances = np.exp(odds - odds.max(2, keepdims=True))
    return np.asarray((chances @ np.arange(_BINS, dtype=np.float32) / chances.sum(2)).T)


def _share(odds: Array) -> Array:
    """The logistic function; clipped at -80, for the exponential would overflow 32 bits."""
    return np.asarray(1 / (1 + np.exp(-np.maximum(odds, -80))))
