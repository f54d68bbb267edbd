"""Which numeral lies on top of a twelve-sided die, or that it is no such die: two networks.

Of the numeral both are asked, and make a logarithmic opinion pool (`vision.classify.second.pooled`): the second is larger and
learned longer. Whether it is a twelve-sided die the first says alone: a body unlike those that it was shown the second holds
too surely for another die (docs/decisions/0067).
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
"""Of the square crops that a network looks at: pixels of a side, and that side over the longer side of the box."""

SIZES: dict[str, Size] = {"d12": (80, 1.25), "numerals": (128, 1.3)}
"""By network: the first, and the second."""
VIEWS: tuple[View, ...] = ((1.0, 0.0), (1.06, 5.0), (0.94, -5.0))
"""Not turned further: of a die seen at a slant only what is up tells the top from the sides (docs/decisions/0056)."""
_LEAST = 1e-12


class NumeralReader:
    """Reads numerals with both networks."""

    def __init__(self, manifest: Manifest) -> None:
        """They are opened when they first look.

        Raises:
            models.ModelError: a file is missing or damaged.
        """
        self._first, self._second = (CropNetwork(manifest[name], *size, VIEWS) for name, size in SIZES.items())
        given = manifest["numerals"].calibration
        self._weights = given["first"], given["own"]
        self.others = manifest["d12"].calibration["others"]
        """The share of other dice among those for which the chances hold."""

    def chances(self, crops: Sequence[tuple[Pixels, Detection]]) -> NDArray[np.float64]:
        """The chances of each box (n x 13): no twelve-sided die, 1 to 12; every box comes with the picture that it lies in."""
        first, second = self._first.chances(crops), self._second.chances(crops)
        pool = pooled(named(first), named(second), *self._weights)
        return np.hstack([first[:, :1], (1 - first[:, :1]) * pool])


def named(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chances of each numeral (n x 12) if it is a twelve-sided die, of those that `NumeralReader` gives."""
    return np.asarray(chances[:, 1:] / np.maximum(_LEAST, chances[:, 1:].sum(1, keepdims=True)))
