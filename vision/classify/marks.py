"""An embedding of the mark on top of a die, whatever it is: close for the same mark on the same dice, far for any other.

The network was trained on pairs of drawn crops (`datasets.train.marks`). It has no classes; profiles learn from its embeddings
which mark means what (docs/decisions/0037-an-embedding-of-marks.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from models import ModelFile
from vision.classify.batches import outputs_of
from vision.classify.features import Features
from vision.onnx_session import Network
from vision.photo import Pixels

SIDE, MARGIN = 80, 1.25
"""Side of its square crops in pixels, and over the longer side of the box."""


class MarkReader:
    """Computes embeddings of marks."""

    def __init__(self, model: ModelFile) -> None:
        """The network is opened when it is first needed.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network = Network(model)

    def embeddings(self, crops: Sequence[Pixels], margin: float) -> Features:
        """Unit vectors (n x 128) of crops with a die at the centre.

        `margin`: the side of the crops over the longer side of the die's box, at least `MARGIN`.
        """
        if not crops:
            return np.zeros((0, 0), np.float32)
        (points,) = outputs_of(self._network, [_middle(crop, margin) for crop in crops])
        return np.asarray(points / np.maximum(1e-9, np.linalg.norm(points, axis=1, keepdims=True)), np.float32)


def _middle(crop: Pixels, margin: float) -> Pixels:
    """The centre of a crop, resized to the network's input."""
    scale = SIDE / crop.shape[0] * margin / MARGIN
    start = (SIDE - crop.shape[0] * scale) / 2
    matrix = np.array([[scale, 0, start], [0, scale, start]])
    return np.asarray(cv2.warpAffine(crop, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR), np.uint8)
