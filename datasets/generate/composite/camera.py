"""The camera of a composited scene."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.spots import Points, Spot


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the table: its eye's position, its axes as rows (right, down, ahead), focal length and centre in pixels."""

    eye: Points
    axes: Points
    focal: float
    middle: Points

    def project(self, points: Points) -> Points:
        """Pixels (n x 2) of points in front of the camera (n x 3)."""
        local = (points - self.eye) @ self.axes.T
        return np.asarray(local[:, :2] / local[:, 2:] * self.focal + self.middle)

    def depth(self, points: Points) -> Points:
        """The distance of points ahead of the eye (n)."""
        return np.asarray((points - self.eye) @ self.axes[2])

    def plane(self) -> Points:
        """The homography (3 x 3) from the table's x, y to pixels."""
        lens = np.array([[self.focal, 0, self.middle[0]], [0, self.focal, self.middle[1]], [0, 0, 1]])
        flat = self.axes @ np.column_stack([[1, 0, 0], [0, 1, 0], -self.eye])
        return np.asarray(lens @ flat)

    def under(self, pixel: Points) -> tuple[float, float] | None:
        """The place on the table at a pixel; None if it is too far away."""
        ray = np.append((pixel - self.middle) / self.focal, 1) @ self.axes
        if ray[2] > -0.15:
            return None
        x, y = (self.eye - ray * self.eye[2] / ray[2])[:2].tolist()
        return x, y

    def width(self, spot: Spot) -> float:
        """The width of a tile in pixels."""
        return float(self.focal / self.depth(np.array([[spot.x, spot.y, 0]]))[0])

    def elevation(self, point: tuple[float, float, float]) -> float:
        """The elevation of the eye in degrees, seen from a point."""
        away = self.eye - np.array(point)
        return math.degrees(math.asin(away[2] / np.linalg.norm(away)))


def camera(rng: Rng, size: tuple[int, int], spots: Sequence[Spot], long: float, low: bool = False) -> Camera:
    """A camera whose picture (width, height) shows the spots at a random size: a tile's length is 4 to 80 % of the width.

    `low`: it looks across the table, as a webcam does, rather than down.
    """
    width, height = size
    axes = _axes(rng, low)
    focal, middle = max(size) * rng.uniform(0.75, 1.8), np.array([width, height]) / 2
    reach = max(math.hypot(s.x, s.y) for s in spots) + long / 2
    fits = long / (2 * reach) * min(size) / width
    share = max(_share(rng, fits, len(spots)) for _ in range(2 if low else 1))
    shift = np.clip(min(size) / 2 - share * width * reach / long, min(size) * 0.08, None) + (middle - min(size) / 2)
    ray = np.append(rng.uniform(-shift, shift) / focal, 1) @ axes
    if ray[2] > (-0.15 if low else -0.25):
        ray = axes[2]
    distance = focal * long / (share * width)
    return Camera(-distance * ray, axes, focal, middle)


def _axes(rng: Rng, low: bool) -> Points:
    """Right, down and ahead as rows: 25 to 90 degrees over the table, 12 to 55 for a low camera; mostly upright."""
    up = rng.uniform(12, 55) if low else rng.choice([rng.uniform(80, 90), rng.uniform(25, 90)], p=[0.4, 0.6])
    high, roll = math.radians(up), rng.normal(0, 0.08) + rng.choice([0, rng.uniform(0, 7)], p=[0.7, 0.3])
    right, down, ahead = [1, 0, 0], [0, -math.sin(high), -math.cos(high)], [0, math.cos(high), -math.sin(high)]
    roll = rng.normal(0, 0.08) if low else roll
    turned = [[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]
    return np.asarray(np.array(turned) @ np.array([right, down, ahead], float))


def _share(rng: Rng, fits: float, count: int) -> float:
    """A tile's length over the picture's width, log-uniform; sometimes too large for all tiles to fit."""
    most = min(0.8, fits * (rng.uniform(1, 3) if rng.random() < 0.3 else 0.95))
    if count == 1:
        return float(math.exp(rng.uniform(math.log(0.05), math.log(0.8))))
    least = 0.042 if rng.random() < 0.4 else max(0.042, most * 0.4)
    return float(math.exp(rng.uniform(math.log(least), math.log(max(most, 0.06)))))
