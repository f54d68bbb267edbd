"""What the top of a die shows, whatever it is, as an embedding: close for the same mark on the same dice, far for any other.

A small network that learned from pairs of drawn crops (`datasets.train.marks`). It names nothing; profiles learn from
it which mark means what (docs/decisions/0037-an-embedding-of-marks.md).
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
"""Pixels of its square crops, and their side over the longer side of the box."""


class MarkReader:
    """Reads embeddings of marks."""

    def __init__(self, model: ModelFile) -> None:
        """The network is opened when it first looks.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network = Network(model)

    def embeddings(self, crops: Sequence[Pixels], margin: float) -> Features:
        """Unit vectors (n x 128) of crops with a die in their middle.

        `margin`: the side of the crops over the longer side of the die's box, at least `MARGIN`.
        """
        if not crops:
            return np.zeros((0, 0), np.float32)
        (points,) = outputs_of(self._network.session, [_middle(crop, margin) for crop in crops])
        return np.asarray(points / np.maximum(1e-9, np.linalg.norm(points, axis=1, keepdims=True)), np.float32)


def _middle(crop: Pixels, margin: float) -> Pixels:
    """The middle of a crop, as the network takes it."""
    scale = SIDE / crop.shape[0] * margin / MARGIN
    start = (SIDE - crop.shape[0] * scale) / 2
    matrix = np.array([[scale, 0, start], [0, scale, start]])
    return np.asarray(cv2.warpAffine(crop, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR), np.uint8)
