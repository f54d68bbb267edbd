"""The canvas that crops are drawn on: its size, and basic drawing functions."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Picture = NDArray[np.float32]
"""Canvas x canvas, or canvas x canvas x 3 (RGB), 0..1."""
Bytes = NDArray[np.uint8]
Rng = np.random.Generator

CANVAS = 152
"""Side of the canvas in pixels; what is drawn on it is then photographed to a crop."""


def blurred(picture: Picture, sigma: float) -> Picture:
    """A Gaussian blur of `sigma` pixels; a wide one is computed at half resolution."""
    if sigma > 2.5:
        height, width = picture.shape[:2]
        small = np.asarray(cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.float32)
        wide = cv2.resize(blurred(small, sigma / 2), (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(wide, np.float32)
    side = 2 * math.ceil(2.5 * sigma) + 1
    return np.asarray(cv2.GaussianBlur(picture, (side, side), sigma), np.float32)


def hull(points: Floats) -> Bytes:
    """The canvas (canvas x canvas) with the convex hull of the points (n x 2) at 255."""
    mask = np.zeros((CANVAS, CANVAS), np.uint8)
    corners = np.round(np.asarray(cv2.convexHull(points.astype(np.float32))) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 255, cv2.LINE_AA, 4)
    return mask


def laid(canvas: Picture, mask: Bytes, place: Floats, colour: Floats, light: Floats | None = None) -> Picture:
    """The canvas with a mask (0..255) drawn in a colour, placed by a 3 x 3 matrix.

    `light`: factors of the colour for every pixel of the mask (height x width x 1).
    """
    share = cv2.warpPerspective(mask, place, (CANVAS, CANVAS)).astype(np.float32)[..., None] / 255
    painted = np.broadcast_to(np.asarray(colour, np.float32), canvas.shape)
    if light is not None:
        factors = cv2.warpPerspective(
            light.astype(np.float32), place, (CANVAS, CANVAS), borderMode=cv2.BORDER_REPLICATE
        )
        painted = np.clip(painted * factors[..., None], 0, 1)
    return np.asarray(canvas + share * (painted - canvas), np.float32)


def pixel(point: NDArray[np.int64]) -> tuple[int, int]:
    """A point (x, y) as OpenCV's drawing functions take it."""
    return int(point[0]), int(point[1])


def cross(a: Floats, b: Floats) -> Floats:
    """The cross product of two 3D vectors; numpy's takes ten times as long."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
