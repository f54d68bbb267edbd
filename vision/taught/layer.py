"""A small linear layer from features to the labels of a profile, and to "none of these": ridge regression in closed form.

Chosen by measurement over nearest neighbours (docs/decisions/0029-dice-learned-at-the-table.md). It takes some milliseconds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from vision.classify.features import Features

L = TypeVar("L", bound=Hashable)

_RIDGE = 0.3
"""Regularisation, over the mean of the Gram matrix's diagonal."""


@dataclass(frozen=True)
class Match(Generic[L]):
    """The likeliest label of a crop.

    Attributes:
        label: the label.
        margin: its score minus that of "none of these"; about 1 for a crop that was taught, below 0 for none.
        gap: its score minus that of the next label or of "none of these", whichever is higher.
        second: the next label; None if there is no other.
    """

    label: L
    margin: float
    gap: float
    second: L | None


class Layer(Generic[L]):
    """A linear classifier of features by label."""

    def __init__(self, points: Features, labels: Sequence[L], none: Features) -> None:
        """Fit the layer. `points`: a unit vector for each view of a taught piece, with its label; `none`: those of negatives."""
        self.labels = tuple(dict.fromkeys(labels))
        rows = np.vstack([points, none]).astype(np.float64)
        rows = np.hstack([rows, np.ones((len(rows), 1))])
        target = np.zeros((len(rows), len(self.labels) + 1))
        target[np.arange(len(points)), [self.labels.index(label) for label in labels]] = 1
        target[len(points) :, -1] = 1
        # Taught views and negatives have the same total weight, however many there are.
        weights = np.sqrt(np.r_[np.full(len(points), 1 / len(points)), np.full(len(none), 1 / len(none))])[:, None]
        rows, target = rows * weights, target * weights
        gram = rows @ rows.T
        held = _RIDGE * float(np.trace(gram)) / len(gram)
        dual = np.linalg.solve(gram + held * np.eye(len(gram)), target)
        self._weights = (rows.T @ dual).astype(np.float32)

    def match(self, points: Features) -> list[Match[L]]:
        """The likeliest label of each point (n x features)."""
        scores = points @ self._weights[:-1] + self._weights[-1]
        return [self._best(row) for row in scores]

    def _best(self, scores: Features) -> Match[L]:
        own, none = scores[:-1], float(scores[-1])
        order = np.argsort(-own, kind="stable")
        best = float(own[order[0]])
        second = float(own[order[1]]) if len(order) > 1 else none
        follows = self.labels[int(order[1])] if len(order) > 1 else None
        return Match(self.labels[int(order[0])], best - none, best - max(second, none), follows)
