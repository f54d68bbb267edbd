"""Reads the numeral on top of a twelve-sided die, or that it is no such die, with two networks.

Both read the numeral, combined in a logarithmic opinion pool (`vision.classify.second.pooled`): the second network is larger and
was trained longer. Only the first decides whether it is a twelve-sided die: the second is overconfident that a body unlike those
in its training data is another die (docs/decisions/0067).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models import Manifest
from vision.classify.crop_network import CropNetwork, View
from vision.classify.second import pooled
from vision.detect.boxes import Detection
from vision.photo import Pixels

Size = tuple[int, float]
"""A network's square crops: their side in pixels, and over the longer side of the box."""

SIZES: dict[str, Size] = {"d12": (80, 1.25), "numerals": (128, 1.3)}
"""For the first network and the second, by name."""
VIEWS: tuple[View, ...] = ((1.0, 0.0), (1.06, 5.0), (0.94, -5.0))
"""Not rotated further: on a die seen at a slant, only the direction of up tells the top from the sides (docs/decisions/0056)."""
_LEAST = 1e-12


class NumeralReader:
    """Reads numerals with both networks."""

    def __init__(self, manifest: Manifest) -> None:
        """The networks are opened when they are first needed.

        Raises:
            models.ModelError: a file is missing or damaged.
        """
        self._first, self._second = (CropNetwork(manifest[name], *size, VIEWS) for name, size in SIZES.items())
        given = manifest["numerals"].calibration
        self._weights = given["first"], given["own"]
        self.others = manifest["d12"].calibration["others"]
        """The share of other dice among those for which the probabilities hold: their prior."""

    def chances(self, crops: Sequence[tuple[Pixels, Detection]]) -> NDArray[np.float64]:
        """The probabilities for each box (n x 13): no twelve-sided die, 1 to 12; `crops`: pictures, each with a box in it."""
        first, second = self._first.chances(crops), self._second.chances(crops)
        pool = pooled(named(first), named(second), *self._weights)
        return np.hstack([first[:, :1], (1 - first[:, :1]) * pool])


def named(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of each numeral (n x 12), given a twelve-sided die, from those of `NumeralReader` (n x 13)."""
    return np.asarray(chances[:, 1:] / np.maximum(_LEAST, chances[:, 1:].sum(1, keepdims=True)))
