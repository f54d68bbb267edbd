"""The dice of a clip: which way each of their values looks, and what they show as they lie.

Nothing is noted when a die is made: the cell of the atlas that a polygon shows (`drawings.PIP_GRID`, `NUMERAL_GRID`)
says which value is painted there, so the truth is read off the very mesh that is rendered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FLAT = np.cos(np.radians(2.5))
"""A die whose upper face leans further than this lies on something: no value."""


@dataclass
class Die:
    """A die in Blender's scene, with the value and the outward normal (object coordinates) of each of its faces."""

    thing: Any
    kind: str
    values: NDArray[np.int64]
    normals: Floats
    half: float
    """From its middle to a face, in die edges."""

    @property
    def up(self) -> int | None:
        """The value that looks up; None where it leans."""
        turn = np.array(self.thing.matrix_world.to_quaternion().to_matrix())
        return upper(self.values, self.normals @ turn.T)


def upper(values: NDArray[np.int64], normals: Floats) -> int | None:
    """The value of the face whose normal (n x 3, world) looks straight up; None if none does."""
    best = int(np.argmax(normals[:, 2]))
    return int(values[best]) if normals[best, 2] > FLAT else None


def faces(uv: Floats, normals: Floats, areas: Floats, grid: tuple[int, int]) -> tuple[NDArray[np.int64], Floats]:
    """The value and the unit normal of each face of a die.

    Args:
        uv: the middle of each polygon in the atlas, n x 2, from its lower left corner.
        normals: of each polygon, n x 3.
        areas: of each polygon, n.
        grid: columns and rows of the atlas; value v is cell v - 1, row by row from the top.
    """
    columns, rows = grid
    column, row = np.floor(uv[:, 0] * columns), rows - 1 - np.floor(uv[:, 1] * rows)
    painted = (row * columns + column).astype(np.int64) + 1
    values = np.unique(painted)
    sums = np.array([(normals[painted == value] * areas[painted == value, None]).sum(0) for value in values])
    return values, np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))


def on_face(vertices: Floats, normal: Floats) -> NDArray[np.bool_]:
    """Which vertices (n x 3) of a convex mesh lie on the flat of the face with this normal."""
    height = vertices @ normal
    return np.asarray(height > height.max() - 0.01 * np.ptp(height))
