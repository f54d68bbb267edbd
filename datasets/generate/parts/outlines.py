"""Convex outlines in the picture, in pixels (n x 2)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.tile_faces import Floats


def hull(points: Points) -> Floats:
    """The convex polygon around points."""
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0])


def fixed(points: Points | Floats) -> NDArray[np.int32]:
    """Points for OpenCV's drawing functions: in 1/16 pixels, with pixel centres at whole numbers."""
    return np.round((points - 0.5) * 16).astype(np.int32)


def window(outline: Floats, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the part of the picture (width, height) that an outline touches."""
    low, high = np.floor(outline.min(0)).astype(int) - 1, np.ceil(outline.max(0)).astype(int) + 1
    return max(0, low[0]), max(0, low[1]), min(size[0], high[0]), min(size[1], high[1])


def common(outline: Floats, box: Points) -> float:
    """The share of an upright box (left, top, right, bottom) that a convex polygon covers."""
    left, top, right, bottom = box
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    return cv2.intersectConvexConvex(outline, corners)[0] / float((right - left) * (bottom - top))


def inside(boxes: Points, part: tuple[float, float, float, float]) -> Points:
    """The share of each upright box (n x 4) that lies in a part of the picture (n)."""
    low, high = np.maximum(boxes[:, :2], part[:2]), np.minimum(boxes[:, 2:], part[2:])
    return np.asarray(np.clip(high - low, 0, None).prod(1) / (boxes[:, 2:] - boxes[:, :2]).prod(1))
