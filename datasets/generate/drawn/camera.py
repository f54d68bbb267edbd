"""The camera of a drawn die, and the die's position in the crop."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.canvas import CANVAS, Floats, Rng, cross
from datasets.generate.parts.solids import Body
from vision.classify.dice import MARGIN


@dataclass(frozen=True)
class Camera:
    """`matrix` (3 x 4) maps points of the scene to the canvas; `towards` is the unit vector from the die to the camera."""

    matrix: Floats
    towards: Floats

    def see(self, points: Floats) -> Floats:
        """Canvas positions (n x 2, pixels) of points (n x 3)."""
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def screen(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The scene's directions that point right and down in the picture."""
        right = self.matrix[0, :3] - (self.matrix[0, :3] @ self.towards) * self.towards
        right = right / np.linalg.norm(right)
        return right.astype(np.float32), cross(-self.towards, right).astype(np.float32)

    def moved(self, zoom: float, shift: Floats) -> Camera:
        """The camera with its picture enlarged about the centre, then shifted by pixels."""
        half = CANVAS / 2
        by = np.array([[zoom, 0, half - zoom * half + shift[0]], [0, zoom, half - zoom * half + shift[1]], [0, 0, 1]])
        return replace(self, matrix=by @ self.matrix)


def any_camera(rng: Rng, body: Body, height: float | None = None) -> Camera:
    """A camera `height` degrees over the table (20 to 90 if random), framing the body's box by about `MARGIN`."""
    if height is None:
        height = rng.choice([rng.uniform(72, 90), rng.uniform(40, 85), rng.uniform(20, 45)], p=[0.38, 0.40, 0.22])
    roll = math.radians(rng.uniform(0, 360) if height > 65 else rng.normal(0, 6))
    tall, flat = math.sin(math.radians(height)), math.cos(math.radians(height))
    towards = np.array([0, -flat, tall])
    right, up = np.array([1.0, 0, 0]), np.array([0, tall, flat])
    axes = np.stack(
        [math.cos(roll) * right + math.sin(roll) * up, math.sin(roll) * right - math.cos(roll) * up, -towards]
    )
    matrix = np.column_stack([axes, [0, 0, rng.uniform(5, 14)]])
    return Camera(_frame(rng, Camera(matrix, towards).see(body.vertices)) @ matrix, towards)


def _frame(rng: Rng, seen: Floats) -> Floats:
    """The 3 x 3 matrix that centres the box of the points `seen` on the canvas, with a detector's error."""
    low, high = seen.min(axis=0), seen.max(axis=0)
    margin = rng.normal(MARGIN, 0.08) if rng.random() < 0.6 else rng.uniform(1.0, 1.7)
    scale = CANVAS / (float((high - low).max()) * max(1.0, margin))
    middle = (low + high) / 2 + rng.normal(0, 0.025, 2) * (high - low)
    shift = CANVAS / 2 - scale * middle
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
