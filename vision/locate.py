"""Where the dice are: one pass of a YOLO network over the whole photo (ONNX Runtime).

It has to find, not to read: one class, upright boxes. The network is YOLO11n, trained by `python -m datasets.train`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.photo import Pixels
from vision.runtime import open_session

LONG_SIDE = 640
"""Pixels of the longer side that the network looks at."""
_STRIDE = 32
_GREY = 114
_LEAST_SCORE = 0.05
_SAME_PIECE_IOU = 0.6


@dataclass(frozen=True, slots=True)
class Find:
    """A box that may hold a die: left, top, right, bottom in pixels of the picture given, and the network's score (0..1)."""

    left: float
    top: float
    right: float
    bottom: float
    score: float

    @property
    def width(self) -> float:
        """In pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """In pixels."""
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        """In pixels."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def area(self) -> float:
        """In square pixels."""
        return self.width * self.height

    def scaled(self, factor: float) -> Find:
        """The same box in a picture `factor` times as large."""
        return Find(self.left * factor, self.top * factor, self.right * factor, self.bottom * factor, self.score)

    def inside(self, other: Find) -> float:
        """The share of this box that lies in `other`, 0..1."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high) / max(1e-9, self.area)


class Locator:
    """Finds dice in a picture."""

    def __init__(self, model: ModelFile) -> None:
        """Open the network.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name

    def find(self, picture: Pixels) -> list[Find]:
        """Every place that may hold a die, best first, in the picture's pixels. Low scores are kept: doubting needs them."""
        tensor, scale = prepare(picture)
        (output,) = self._session.run(None, {self._input: tensor})
        rows = output[0].T
        rows = rows[rows[:, 4] >= _LEAST_SCORE]
        centre, size = rows[:, :2] / scale, rows[:, 2:4] / scale
        boxes = np.hstack([centre - size / 2, size])
        keep = cv2.dnn.NMSBoxes(boxes.tolist(), rows[:, 4].tolist(), _LEAST_SCORE, _SAME_PIECE_IOU)
        return [_find(boxes[i], float(rows[i, 4]), picture.shape) for i in keep]


def prepare(picture: Pixels) -> tuple[NDArray[np.float32], float]:
    """The network's input (1 x 3 x H x W, 0..1, sides multiples of 32) and its pixels per pixel of `picture`."""
    height, width = picture.shape[:2]
    scale = LONG_SIDE / max(height, width)
    inner = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(picture, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    canvas = np.full((_up(inner[1]), _up(inner[0]), 3), _GREY, np.uint8)
    canvas[: inner[1], : inner[0]] = small
    tensor = canvas.transpose(2, 0, 1)[None].astype(np.float32)
    tensor /= 255
    return tensor, scale


def _up(side: int) -> int:
    return -(-side // _STRIDE) * _STRIDE


def _find(box: NDArray[np.float32], score: float, shape: tuple[int, ...]) -> Find:
    left, top, width, height = (float(c) for c in box)
    return Find(
        max(0.0, left), max(0.0, top), min(float(shape[1]), left + width), min(float(shape[0]), top + height), score
    )
