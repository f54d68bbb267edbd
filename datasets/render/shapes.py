"""Meshes as plain arrays: the rounded cube of a pip die, and the vertices of the other dice of a role player's bag.

Units: the half edge of a cube is 1. Faces wind counter-clockwise seen from outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

AXES = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], float)
"""Outward normals of the cube's faces 0..5; face 0 is the top, face 1 the bottom."""


@dataclass(frozen=True)
class Cube:
    """A rounded cube.

    `side[i]` is the cube face of quad i, `uv` (quads x 4 x 2, -1..1) the place of its corners on that face.
    """

    vertices: Floats
    quads: NDArray[np.int64]
    side: NDArray[np.int64]
    uv: Floats


def rounded_cube(radius: float, ball: float, steps: int = 14) -> Cube:
    """A cube with edges rounded by `radius` (0..1) and corners cut by a ball of radius `ball` (from 1.73: not at all)."""
    line = np.sin(np.linspace(-np.pi / 2, np.pi / 2, steps))
    line = np.sign(line) * np.abs(line) ** 0.8
    u, v = np.meshgrid(line, line, indexing="ij")
    points, quads, sides, uvs = [], [], [], []
    cells = np.arange(steps * steps).reshape(steps, steps)
    square = np.stack([cells[:-1, :-1], cells[1:, :-1], cells[1:, 1:], cells[:-1, 1:]], -1).reshape(-1, 4)
    for side, normal in enumerate(AXES):
        right = AXES[2] if side < 2 else np.array([0, 0, 1.0])
        up = np.cross(normal, right)
        flat = normal + u[..., None] * right + v[..., None] * up
        shape = _round(flat.reshape(-1, 3), radius, ball)
        points.append(shape)
        quads.append(square + side * steps * steps)
        sides.append(np.full(len(square), side))
        uvs.append(np.stack([shape @ right, shape @ up], -1)[square])
    vertices = np.concatenate(points)
    _, first, where = np.unique(np.round(vertices, 6), axis=0, return_index=True, return_inverse=True)
    return Cube(vertices[first], where.reshape(-1)[np.concatenate(quads)], np.concatenate(sides), np.concatenate(uvs))


def _round(points: Floats, radius: float, ball: float) -> Floats:
    core = np.clip(points, radius - 1, 1 - radius)
    away = points - core
    length = np.linalg.norm(away, axis=1, keepdims=True)
    rounded = core + radius * away / np.maximum(length, 1e-9)
    reach = np.linalg.norm(rounded, axis=1, keepdims=True)
    return np.asarray(rounded * np.minimum(1, ball / reach))


def faces_with_up(value: int, mirrored: bool, turn: int) -> list[int]:
    """The value on each of the cube's six sides (order of `AXES`) with `value` on top.

    `turn` (0..3) chooses which neighbour faces +x; `mirrored` the other of the two ways in which dice are numbered.
    """
    ring = [side for side in (2, 3, 1, 5, 4, 6) if side not in (value, 7 - value)]
    first = ring[turn]
    second = next(v for v in ring if v not in (first, 7 - first))
    if (_handed(value, first, second)) != mirrored:
        second = 7 - second
    return [value, 7 - value, first, 7 - first, second, 7 - second]


def _handed(a: int, b: int, c: int) -> bool:
    """Whether a, b, c run counter-clockwise about their corner on a right-handed (1-2-3 counter-clockwise) die."""
    order = sorted([min(a, 7 - a), min(b, 7 - b), min(c, 7 - c)])
    flips = sum(v > 3 for v in (a, b, c))
    low = [min(v, 7 - v) for v in (a, b, c)]
    swaps = sum(low[i] > low[j] for i in range(3) for j in range(i + 1, 3))
    return order == [1, 2, 3] and (flips + swaps) % 2 == 0


def polyhedron(faces: int) -> Floats:
    """Vertices of the regular d4, d8, d12 or d20, or of the d10 (a pentagonal trapezohedron), about 1 from the middle."""
    golden = (1 + 5**0.5) / 2
    if faces == 4:
        corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    elif faces == 8:
        corners = AXES.copy()
    elif faces == 10:
        turn = np.arange(10) * np.pi / 5
        ring = np.stack([np.cos(turn), np.sin(turn), np.where(np.arange(10) % 2, 0.1056, -0.1056)], -1)
        corners = np.concatenate([ring, [[0, 0, 1.0], [0, 0, -1.0]]])
    elif faces == 12:
        cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        corners = np.concatenate([cube, _cycles(1 / golden, golden)])
    elif faces == 20:
        corners = _cycles(1.0, golden)
    else:
        raise ValueError(f"no die with {faces} faces here; there are 4, 8, 10, 12 and 20")
    return np.asarray(corners / np.linalg.norm(corners, axis=1).max())


def _cycles(a: float, b: float) -> Floats:
    base = [(0.0, x * a, y * b) for x in (-1, 1) for y in (-1, 1)]
    return np.array([(p[i], p[(i + 1) % 3], p[(i + 2) % 3]) for p in base for i in range(3)])
