"""The pip counting of most dice and domino readers on the web, as a baseline: threshold and blobs with OpenCV.

Dice as in Quentin Golsteyn, "Using OpenCV to identify a dice roll" (golsteyn.com/writing/dice, 2020), which many
repositories follow: median blur, `SimpleBlobDetector`, DBSCAN over the blobs' centres, and every cluster is a die.
Includes what the better descendants add: filters for roundness, pips lighter than their die, distances in pips rather than
pixels, and no die of more than six. The constants are those that read the most training photos right (dicewatcher and
matteop65_top_pips).

Dominoes as in such repositories: threshold, contours, every contour that fills a rotated rectangle twice as long as wide is
a tile, its two halves are rectified and their blobs counted. Includes what the better ones add: global and adaptive
thresholds, light tiles and dark ones, a closing so that the middle line does not split a tile,
and no tile without a middle line.
The constants are the shape of a domino, and otherwise what looked right on hand-drawn tiles and on renders.
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
"""Pixels of the blur that removes noise and small glare."""
PIP_AREA = (20.0, 1200.0)
"""Range of a pip's area in square pixels of the scaled photo."""
REACH = 3.8
"""Largest distance of pips of one die, in diameters. The two of a die lie about 3.5 apart."""


TILE = 18.0, 640.0
"""Range of a tile's shorter side in pixels of the scaled photo."""
ASPECT = 1.6, 2.5
"""Longer over shorter side; dominoes are made 2 : 1."""
FILLED = 0.85
"""Least share of its rectangle that a tile's contour must fill."""
END = 100
"""Side in pixels of the square to which each end of a tile is rectified."""
RIM = 8
"""Pixels around each end that contain the tile's edge and its middle line, but no pip."""
END_PIP_AREA = (60.0, 700.0)
"""Range of a pip's area in square pixels of a rectified end: pips 9 to 30 pixels wide."""

Rectangle = tuple[tuple[float, float], tuple[float, float], float]
"""Centre, size and angle in degrees, in OpenCV's format of a rotated rectangle."""


def read_values(rgb: NDArray[np.uint8]) -> list[int]:
    """The top values of the dice, in rising order, as far as counting blobs can tell.

    Args:
        rgb: the photo, H x W x 3, upright.
    """
    grey = _prepared(rgb)
    dice = [*_clusters(_blobs(grey, PIP_AREA)), *_clusters(_blobs(cv2.bitwise_not(grey), PIP_AREA))]
    return sorted(len(pips) for pips in dice if len(pips) <= 6)


def read_tiles(rgb: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """The ends of the dominoes, the lower first, as far as counting blobs can tell.

    Args:
        rgb: the photo, H x W x 3, upright.
    """
    grey = _prepared(rgb)
    kept: list[Rectangle] = []
    tiles = []
    for picture in (grey, cv2.bitwise_not(grey)):
        for rectangle in _rectangles(picture):
            flat = _straightened(picture, rectangle)
            if _has_line(flat) and not any(_in(rectangle[0], other) for other in kept):
                kept.append(rectangle)
                tiles.append(_ends(flat))
    return sorted(tiles)


def _prepared(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    scale = LONG_SIDE / max(rgb.shape)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    grey = cv2.resize(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), None, fx=scale, fy=scale, interpolation=how)
    return cast("NDArray[np.uint8]", cv2.medianBlur(grey, MEDIAN))


def _blobs(grey: cv2.typing.MatLike, area: tuple[float, float]) -> NDArray[np.float64]:
    """Centre x, centre y and diameter of every dark round blob, N x 3, in pixels."""
    found = cv2.SimpleBlobDetector.create(_parameters(area)).detect(grey)
    return np.array([(*blob.pt, blob.size) for blob in found], np.float64).reshape(-1, 3)


def _parameters(area: tuple[float, float]) -> cv2.SimpleBlobDetector.Params:
    chosen = cv2.SimpleBlobDetector.Params()
    chosen.minThreshold, chosen.maxThreshold, chosen.thresholdStep = 20, 235, 10
    chosen.minRepeatability, chosen.minDistBetweenBlobs = 4, 4
    chosen.filterByColor, chosen.blobColor = True, 0
    chosen.filterByArea, (chosen.minArea, chosen.maxArea) = True, area
    chosen.filterByCircularity, chosen.minCircularity = True, 0.8
    chosen.filterByInertia, chosen.minInertiaRatio = True, 0.6
    chosen.filterByConvexity, chosen.minConvexity = True, 0.9
    return chosen


def _clusters(blobs: NDArray[np.float64]) -> Iterator[list[int]]:
    """Indices of the blobs of every cluster: DBSCAN with clusters of one allowed, which is the same as following neighbours."""
    near = _near(blobs)
    left = set(range(len(blobs)))
    while left:
        cluster = [left.pop()]
        for member in cluster:  # grows during the iteration
            found = left.intersection(np.flatnonzero(near[member]).tolist())
            left -= found
            cluster.extend(found)
        yield cluster


def _near(blobs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether two blobs may belong to the same die, N x N."""
    centres, diameters = blobs[:, :2], blobs[:, 2]
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)
    return cast("NDArray[np.bool_]", apart <= REACH * (diameters[:, None] + diameters[None, :]) / 2)


# Dominoes


def _rectangles(grey: cv2.typing.MatLike) -> Iterator[Rectangle]:
    """The rotated rectangles of every light patch with a domino's shape."""
    for mask in _masks(grey):
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            (x, y), (wide, high), angle = cv2.minAreaRect(contour)
            shorter, longer = sorted((wide, high))
            if not TILE[0] <= shorter <= TILE[1] or not ASPECT[0] <= longer / shorter <= ASPECT[1]:
                continue
            if cv2.contourArea(contour) >= FILLED * wide * high:
                yield (x, y), (wide, high), angle


def _masks(grey: cv2.typing.MatLike) -> Iterator[cv2.typing.MatLike]:
    """Masks of what is light in the whole picture, and of what is light relative to its surroundings."""
    kernel = np.ones((5, 5), np.uint8)
    whole = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1]
    near = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, LONG_SIDE // 8 + 1, -8)
    for mask in (whole, near):
        yield cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)


def _in(point: tuple[float, float], rectangle: Rectangle) -> bool:
    return cv2.pointPolygonTest(cv2.boxPoints(rectangle), point, False) >= 0


def _straightened(grey: cv2.typing.MatLike, rectangle: Rectangle) -> cv2.typing.MatLike:
    """A tile rectified along the x axis, `END` x 2 `END`."""
    corners = cv2.boxPoints(rectangle)
    if np.linalg.norm(corners[0] - corners[1]) < np.linalg.norm(corners[1] - corners[2]):
        corners = np.roll(corners, 1, axis=0)
    target = np.array([[0, 0], [2 * END, 0], [2 * END, END], [0, END]], np.float32)
    return cv2.warpPerspective(grey, cv2.getPerspectiveTransform(corners, target), (2 * END, END))


def _has_line(flat: cv2.typing.MatLike) -> bool:
    """Whether anything across the middle of a rectified tile is darker than the tile."""
    columns = np.median(flat[RIM:-RIM], axis=0)
    return bool(columns[END - RIM : END + RIM].min() < np.median(columns))


def _ends(flat: cv2.typing.MatLike) -> tuple[int, int]:
    """The number of dark pips on both ends of a rectified tile, the lower first."""
    halves = (flat[:, :END], flat[:, END:])
    first, second = sorted(len(_blobs(half[RIM:-RIM, RIM:-RIM], END_PIP_AREA)) for half in halves)
    return first, second
