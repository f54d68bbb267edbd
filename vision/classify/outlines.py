"""Refines the corners of a tile's face: a small network on the tile, cut out by the detector's oriented box.

The detector gives a rectangle. A tile seen at a slant is not one: its nearer end is wider, its sides lean, and the rectangle
includes the sides of its body. The network predicts the four corners, each as the mean of a probability map (Sun et al.,
"Integral Human Pose Regression", ECCV 2018), so that both ends can be rectified to a view from above.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.classify.batches import outputs_of
from vision.classify.crop_network import cut_smaller
from vision.detect.boxes import Detection, Outline
from vision.onnx_session import Network
from vision.photo import GREY, Pixels
from vision.reading import Quad

WIDTH, HEIGHT = 64, 112
"""Pixels of the crop: across the tile and along it, the first end on top."""
MARGIN = 1.4
"""Sides of the crop over those of the detector's outline."""
GIVEN = 0.5 + np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]], np.float64) / MARGIN / 2
"""The corners of the detector's outline in the crop, as shares of its sides."""


class OutlineReader:
    """Finds the corners of the faces of dominoes."""

    def __init__(self, model: ModelFile) -> None:
        """The network is opened for the first tile.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network = Network(model)

    def refined(self, tiles: Sequence[tuple[Detection, Pixels, Detection]]) -> list[Detection]:
        """Tiles with the corners of their faces as outlines.

        Args:
            tiles: each with the picture to crop from, and the tile in that picture's pixels.
        """
        if not tiles:
            return []
        smaller = [cut_smaller(picture, there, reach_of(there), WIDTH) for _, picture, there in tiles]
        (corners,) = outputs_of(self._network, [crop(*each) for each in smaller])
        return [_with_corners(tile, each) for (tile, _, _), each in zip(tiles, corners, strict=True)]


def _with_corners(tile: Detection, corners: NDArray[np.float32]) -> Detection:
    """The tile with refined corners; `corners`: 4 x 2, as shares of the crop's sides."""
    quad = placed(tile.corners, corners)
    box = Outline.around(quad)
    return Detection(box.left, box.top, box.right, box.bottom, tile.score, tile.shape, quad, tile.corners)


def reach_of(tile: Detection) -> float:
    """Pixels of the picture that become the width of the crop."""
    a, b, c, _ = tile.corners
    return MARGIN * max(1.0, math.dist(b, c), math.dist(a, b) * WIDTH / HEIGHT)


def crop(picture: Pixels, tile: Detection, around: float = 1.0) -> Pixels:
    """A tile rectified by its outline, `HEIGHT` x `WIDTH` x 3, its first end on top; grey beyond the picture.

    `around`: factor on the size of the crop, at the same scale.
    """
    size = (round(WIDTH * around), round(HEIGHT * around))
    return np.asarray(cv2.warpPerspective(picture, _into(tile.corners, size), size, borderValue=GREY), np.uint8)


def within(outline: Quad, points: NDArray[np.float64], around: float = 1.0) -> NDArray[np.float32]:
    """Points of the picture (n x 2) mapped into the crop of an outline, as shares of its sides."""
    size = (round(WIDTH * around), round(HEIGHT * around))
    there = cv2.perspectiveTransform(np.asarray(points, np.float64)[None], _into(outline, size))[0]
    return np.asarray(there / size, np.float32)


def placed(outline: Quad, corners: NDArray[np.float32]) -> Quad:
    """Four corners in the crop, as shares of its sides, mapped back into the picture: the inverse of `within`."""
    # Computed directly: for an outline without width, the other map has no inverse.
    back = cv2.getPerspectiveTransform(_given((WIDTH, HEIGHT)), np.array(outline, np.float32))
    points = cv2.perspectiveTransform((corners.astype(np.float64) * (WIDTH, HEIGHT))[None], back)[0]
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def _into(outline: Quad, size: tuple[int, int]) -> NDArray[np.float64]:
    """The homography from the picture to the crop of this size."""
    return np.asarray(cv2.getPerspectiveTransform(np.array(outline, np.float32), _given(size)), np.float64)


def _given(size: tuple[int, int]) -> NDArray[np.float32]:
    """The corners of the detector's outline in a crop of this size, in pixels; the scale does not depend on the size."""
    return (np.array(size) / 2 + (GIVEN - 0.5) * (WIDTH, HEIGHT)).astype(np.float32)
