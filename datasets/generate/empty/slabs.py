"""Flat things on a photo's table, seen at a slant, with their print and their shadow."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.paint import Sheet

_SMALLER = 0.5
"""Scale below which OpenCV's warp skips pixels."""


def laid(
    rng: Rng, ground: Sheet, top: Sheet, long: tuple[float, float], cover: NDArray[np.float32] | None = None
) -> tuple[Sheet, Points]:
    """Lay a thing somewhere on a picture (height x width x 3), randomly turned, sometimes extending beyond it.

    Args:
        rng: source of randomness.
        ground: the picture.
        top: the top of the thing (h x w x 3).
        long: range of its longer side over the picture's.
        cover: alpha of the sheet (h x w, 0..1); opaque if omitted.

    Returns:
        The picture, and the 3 x 3 matrix that maps shares of the sheet's width and height to its pixels.
    """
    height, width = ground.shape[:2]
    place = _place(rng, top.shape[1] / top.shape[0], (width, height), long)
    cover = np.ones(top.shape[:2], np.float32) if cover is None else cover
    scale = float(np.sqrt(abs(np.linalg.det(place[:2, :2])) / (top.shape[0] * top.shape[1])))
    if scale < _SMALLER:
        size = [max(2, round(side * scale / _SMALLER)) for side in top.shape[1::-1]]
        top = np.asarray(cv2.resize(top, size, interpolation=cv2.INTER_AREA), np.uint8)
        cover = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.float32)
    warp = place @ np.diag([1 / top.shape[1], 1 / top.shape[0], 1.0])
    shown = cv2.warpPerspective(top, warp, (width, height), flags=cv2.INTER_LINEAR)
    there = cv2.warpPerspective(cover, warp, (width, height))
    thick = rng.uniform(0.005, 0.03) * min(height, width)
    aside = np.column_stack([np.eye(2), rng.normal(0, thick, 2)])
    shadow = cv2.GaussianBlur(cv2.warpAffine(there, aside, (width, height)), (0, 0), 1 + thick / 3)[..., None]
    dimmed = ground * (1 - rng.uniform(0.2, 0.7) * shadow)
    light = rng.uniform(0.6, 1.1)
    seen = dimmed * (1 - there[..., None]) + shown * there[..., None] * light
    return np.asarray(seen.clip(0, 255), np.uint8), place


def _place(rng: Rng, wide: float, size: tuple[int, int], long: tuple[float, float]) -> Points:
    """The matrix from shares of a sheet's sides to pixels, for a random place; `wide`: its width over its height."""
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (min(1.0, wide), min(1.0, 1 / wide)) / 2
    half *= max(size) * math.exp(rng.uniform(*np.log(long)))
    turn = rng.uniform(0, 2 * math.pi)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = half @ np.array([[cos, sin], [-sin, cos]]) * (1, rng.uniform(0.5, 1))
    corners += rng.uniform(0.1, 0.9, 2) * size + rng.normal(0, 0.02 * np.ptp(half), (4, 2))
    shares = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(shares, corners.astype(np.float32)), np.float64)
