"""The pip counter of most dice readers on the web, as a baseline: blobs by OpenCV, grouped into dice by distance.

After Quentin Golsteyn, "Using OpenCV to identify a dice roll" (golsteyn.com/writing/dice, 2020), which many
repositories follow: median blur, `SimpleBlobDetector`, DBSCAN over the blobs' centres, and every cluster is a die.
With what the better descendants add: filters for roundness, pips lighter than their die, distances in pips rather than
pixels, and no die of more than six. The constants are those that read most of the training photos (dicewatcher and
matteop65_top_pips).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

LONG_SIDE = 1280
"""Pixels to which a photo is scaled, so that blur and areas mean the same for every camera."""
MEDIAN = 5
"""Pixels; the blur that takes away noise and small glare."""
PIP_AREA = (20.0, 1200.0)
"""Square pixels of the scaled photo, least and most."""
REACH = 3.8
"""Pips up to so many diameters apart belong to one die. The two of a die lie about 3.5 apart."""


def read_values(rgb: NDArray[np.uint8]) -> list[int]:
    """The top values of the dice, in rising order, as far as counting blobs can tell.

    Args:
        rgb: the photo, H x W x 3, upright.
    """
    grey = _prepared(rgb)
    dice = [*_clusters(_blobs(grey)), *_clusters(_blobs(cv2.bitwise_not(grey)))]
    return sorted(len(pips) for pips in dice if len(pips) <= 6)


def _prepared(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    scale = LONG_SIDE / max(rgb.shape)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    grey = cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), None, fx=scale, fy=scale, interpolation=how)
    return cast("NDArray[np.uint8]", cv2.medianBlur(grey, MEDIAN))


def _blobs(grey: cv2.typing.MatLike) -> NDArray[np.float64]:
    """Centre x, centre y and diameter of every dark round blob, N x 3, in pixels."""
    found = cv2.SimpleBlobDetector.create(_parameters()).detect(grey)
    return np.array([(*blob.pt, blob.size) for blob in found], np.float64).reshape(-1, 3)


def _parameters() -> cv2.SimpleBlobDetector.Params:
    chosen = cv2.SimpleBlobDetector.Params()
    chosen.minThreshold, chosen.maxThreshold, chosen.thresholdStep = 20, 235, 10
    chosen.minRepeatability, chosen.minDistBetweenBlobs = 4, 4
    chosen.filterByColor, chosen.blobColor = True, 0
    chosen.filterByArea, (chosen.minArea, chosen.maxArea) = True, PIP_AREA
    chosen.filterByCircularity, chosen.minCircularity = True, 0.8
    chosen.filterByInertia, chosen.minInertiaRatio = True, 0.6
    chosen.filterByConvexity, chosen.minConvexity = True, 0.9
    return chosen


def _clusters(blobs: NDArray[np.float64]) -> Iterator[list[int]]:
    """Indices of the blobs of every cluster: DBSCAN with clusters of one allowed, which is to follow neighbours."""
    near = _near(blobs)
    left = set(range(len(blobs)))
    while left:
        cluster = [left.pop()]
        for member in cluster:  # grows while it is walked
            found = left.intersection(np.flatnonzero(near[member]).tolist())
            left -= found
            cluster.extend(found)
        yield cluster


def _near(blobs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether two blobs may belong to one die, N x N."""
    centres, diameters = blobs[:, :2], blobs[:, 2]
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)
    return cast("NDArray[np.bool_]", apart <= REACH * (diameters[:, None] + diameters[None, :]) / 2)
