"""The dice of a clip: the direction of each value's face, and the values they show.

Values are not recorded when a die is made: the atlas cell that a polygon shows (`drawings.PIP_GRID`, `NUMERAL_GRID`)
gives the value painted there, so the ground truth comes from the very mesh that is rendered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FLAT = np.cos(np.radians(2.5))
"""Cosine of the lean beyond which a die's upper face has no value: it lies on something."""


@dataclass
class Die:
    """A die in Blender's scene, with the value and the outward normal (object coordinates) of each of its faces."""

    thing: Any
    kind: str
    values: NDArray[np.int64]
    normals: Floats
    half: float
    """Distance from its centre to a face, in die edges."""

    @property
    def up(self) -> int | None:
        """The upper value; None where the die leans."""
        turn = np.array(self.thing.matrix_world.to_quaternion().to_matrix())
        return upper(self.values, self.normals @ turn.T)


def upper(values: NDArray[np.int64], normals: Floats) -> int | None:
    """The value of the face whose normal (n x 3, world) points straight up; None if none does."""
    best = int(np.argmax(normals[:, 2]))
    return int(values[best]) if normals[best, 2] > FLAT else None


def faces(uv: Floats, normals: Floats, areas: Floats, grid: tuple[int, int]) -> tuple[NDArray[np.int64], Floats]:
    """The value and the unit normal of each face of a die.

    Args:
        uv: the centre of each polygon in the atlas, n x 2, from its lower left corner.
        normals: normal of each polygon, n x 3.
        areas: area of each polygon, n.
        grid: columns and rows of the atlas; value v is cell v - 1, row by row from the top.
    """
    columns, rows = grid
    column, row = np.floor(uv[:, 0] * columns), rows - 1 - np.floor(uv[:, 1] * rows)
    painted = (row * columns + column).astype(np.int64) + 1
    values = np.unique(painted)
    sums = np.array([(normals[painted == value] * areas[painted == value, None]).sum(0) for value in values])
    return values, np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))


def on_face(vertices: Floats, normal: Floats) -> NDArray[np.bool_]:
    """Which vertices (n x 3) of a convex mesh lie on the face with this normal."""
    height = vertices @ normal
    return np.asarray(height > height.max() - 0.01 * np.ptp(height))
