"""What both shipped readers of dice say together of a crop: how far a 3 resembles a 5, and what passes for a die.

A smaller reader learns more from that than from a bare label (Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural
Network", 2015).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models import load_manifest
from vision.classify.crop_network import CropNetwork
from vision.classify.dice import MARGIN, SIDE, dice_network
from vision.classify.second import SIDE as SECOND_SIDE
from vision.classify.second import pooled
from vision.photo import Pixels

_FIRST, _SECOND = 0.55, 0.45
"""How much the opinion of each counts, 1 together, so that both are no surer than one."""
_KNOWN = 0.3
"""The chance that they give a crop's label from which they know what it is; else the label alone is learned from."""


class Teachers:
    """The shipped readers `dice` and `second`, asked about crops as a training varies them.

    Attributes:
        side: of the crops that they are shown, in pixels.
    """

    side = SECOND_SIDE

    def __init__(self) -> None:
        """Ask the networks of the installed manifest.

        Raises:
            models.ModelError: a file is missing or damaged.
        """
        manifest = load_manifest()
        self._first = dice_network(manifest["dice"])
        self._second = CropNetwork(manifest["second"], SECOND_SIDE, MARGIN, ((1.0, 0.0),))

    def chances(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Of each class in each crop (n x `side` x `side` x 3; n x classes)."""
        first = self._first.look(smaller(crops, SIDE), 1).chances
        return pooled(first, self._second.look([*crops], 1).chances, _FIRST, _SECOND)

    def targets(
        self, crops: NDArray[np.uint8], labels: NDArray[np.int64], share: float, smoothing: float
    ) -> NDArray[np.float32]:
        """What is to be learned (n x classes): the label, smoothed, and where they know the crop, so much of what they say."""
        said = self.chances(crops)
        rows, classes = np.arange(len(labels)), said.shape[1]
        hard = np.full_like(said, smoothing / classes)
        hard[rows, labels] += 1 - smoothing
        known = share * (said[rows, labels] > _KNOWN)[:, None]
        return (known * said + (1 - known) * hard).astype(np.float32)


def smaller(crops: NDArray[np.uint8], side: int, *, sharp: bool = False) -> list[Pixels]:
    """Crops of so many pixels a side; `sharp`: as a warp makes them, which skips pixels."""
    way = cv2.INTER_LINEAR if sharp else cv2.INTER_AREA
    return [np.asarray(cv2.resize(each, (side, side), interpolation=way), np.uint8) for each in crops]
