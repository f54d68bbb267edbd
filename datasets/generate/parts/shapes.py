"""Meshes as plain arrays: the rounded cube of a pip die, and the other dice of a role-playing set.

Units: the half edge of a cube is 1, the farthest corner of another die is 1 from its centre.
Faces wind counter-clockwise seen from outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Positions of a rounded solid's vertices: on the flat part of a face, along its edges, around its rounded edge.
_ROWS = (0.4, 0.75)
_COLUMNS = (0.0, 0.2, 0.8)
_BENDS = (0.0, 0.5, 1.0)

AXES = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], float)
"""Outward normals of the cube's faces 0..5; face 0 is the top, face 1 the bottom."""


@dataclass(frozen=True)
class Cube:
    """A rounded cube.

    `side[i]` is the cube face of quad i, `uv` (quads x 4 x 2, -1..1) the positions of its corners on that face.
    """

    vertices: Floats
    quads: NDArray[np.int64]
    side: NDArray[np.int64]
    uv: Floats


def rounded_cube(radius: float, ball: float, steps: int = 14) -> Cube:
    """A cube with edges rounded by `radius` (0..1) and corners cut by a ball of radius `ball` (no cut from 1.73)."""
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

    `turn` (0..3) chooses which neighbour faces +x; `mirrored` the other handedness of dice.
    """
    ring = [side for side in (2, 3, 1, 5, 4, 6) if side not in (value, 7 - value)]
    first = ring[turn]
    second = next(v for v in ring if v not in (first, 7 - first))
    if (_handed(value, first, second)) != mirrored:
        second = 7 - second
    return [value, 7 - value, first, 7 - first, second, 7 - second]


def _handed(a: int, b: int, c: int) -> bool:
    """Whether a, b, c run counter-clockwise around their corner on a right-handed (1-2-3 counter-clockwise) die."""
    order = sorted([min(a, 7 - a), min(b, 7 - b), min(c, 7 - c)])
    flips = sum(v > 3 for v in (a, b, c))
    low = [min(v, 7 - v) for v in (a, b, c)]
    swaps = sum(low[i] > low[j] for i in range(3) for j in range(i + 1, 3))
    return order == [1, 2, 3] and (flips + swaps) % 2 == 0


def polyhedron(faces: int) -> Floats:
    """Vertices of the regular d4, d8, d12 or d20, or of the d10 (a pentagonal trapezohedron), at most 1 from the centre."""
    golden = (1 + 5**0.5) / 2
    if faces == 4:
        corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    elif faces == 8:
        corners = AXES.copy()
    elif faces == 10:
        turn = np.arange(10) * np.pi / 5
        step = (1 - np.cos(np.pi / 5)) / (1 + np.cos(np.pi / 5))  # makes the kites flat
        ring = np.stack([np.cos(turn), np.sin(turn), np.where(np.arange(10) % 2, step, -step)], -1)
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


def skew_twelve(normal: tuple[float, float, float]) -> Floats:
    """Vertices (20 x 3) of a twelve-sided die whose faces are congruent but no regular pentagons, at most 1 from the centre.

    A tetartoid: one face has the normal `normal`, the others its images under the rotations of a tetrahedron. Near
    (0.5257, 0.8507, 0) it is almost regular.
    """
    signs = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    normals = np.array([np.roll(normal, k) * sign for k in range(3) for sign in np.array(signs)], float)
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    trios = np.array(list(combinations(normals, 3)))
    trios = trios[np.abs(np.linalg.det(trios)) > 1e-6]
    points = np.linalg.solve(trios, np.ones((len(trios), 3, 1)))[..., 0]
    corners = np.unique(np.round(points[(points @ normals.T).max(1) < 1 + 1e-9], 9), axis=0)
    return np.asarray(corners / np.linalg.norm(corners, axis=1).max())


@dataclass(frozen=True)
class Solid:
    """A die with flat faces and rounded edges, its centre at the origin.

    `side[i]` is the face of triangle i; `uv` (triangles x 3 x 2) the positions of its corners on that face, in units of the
    distance from the face's centre to its nearest edge, the second axis towards one of the face's corners. `normals`
    (faces x 3) point outwards; `flat` tells for every face and vertex whether it lies on the flat part (faces x vertices).
    """

    vertices: Floats
    triangles: NDArray[np.int64]
    side: NDArray[np.int64]
    uv: Floats
    normals: Floats
    flat: NDArray[np.bool_]


def rounded_solid(corners: Floats, radius: float) -> Solid:
    """The die on the convex hull of `corners` (n x 3), all of whose faces touch one ball around the origin.

    Args:
        corners: the corners without rounding.
        radius: that of the edges, as a share (0..1) of the inscribed ball's.
    """
    faces = facets(corners)
    points, triangles, side, uv = [], [], [], []
    for i, face in enumerate(faces):
        grid, normal = _rounded_face(corners[face], radius)
        fan = _fan(len(_COLUMNS) * len(face), len(_ROWS) + len(_BENDS))
        points.append(grid)
        triangles.append(fan + sum(map(len, points[:-1])))
        side.append(np.full(len(fan), i))
        uv.append(_on_face(grid, corners[face], normal)[fan])
    all_points = np.concatenate(points)
    _, first, where = np.unique(np.round(all_points, 6), axis=0, return_index=True, return_inverse=True)
    vertices = all_points[first]
    normals = np.array([_normal(corners[face]) for face in faces])
    heights = normals @ vertices.T
    flat = heights > heights.max(1, keepdims=True) - 1e-6
    return Solid(
        vertices,
        where.reshape(-1)[np.concatenate(triangles)],
        np.concatenate(side),
        np.concatenate(uv),
        normals,
        flat,
    )


def facets(corners: Floats) -> list[NDArray[np.int64]]:
    """The faces of the convex hull of some points (n x 3) around the origin: their corners, counter-clockwise from outside."""
    seen: dict[tuple[float, ...], NDArray[np.int64]] = {}
    for a, b, c in combinations(corners, 3):
        normal = np.cross(b - a, c - a)
        length = np.linalg.norm(normal)
        if length < 1e-9:
            continue
        normal = normal / length * (1 if normal @ a > 0 else -1)
        heights = corners @ normal
        if heights.max() <= normal @ a + 1e-6:
            seen[tuple(np.round(normal, 4) + 0.0)] = np.flatnonzero(heights > heights.max() - 1e-6)
    return [
        _in_turn(corners, members, np.array(normal)) for normal, members in sorted(seen.items(), key=lambda s: s[0])
    ]


def _in_turn(corners: Floats, members: NDArray[np.int64], normal: Floats) -> NDArray[np.int64]:
    away = corners[members] - corners[members].mean(0)
    right = away[0]
    angle = np.arctan2(away @ np.cross(normal, right), away @ right)
    return members[np.argsort(angle)]


def _normal(face: Floats) -> Floats:
    normal = np.cross(face[1] - face[0], face[2] - face[0])
    return np.asarray(normal / np.linalg.norm(normal))


def _rounded_face(face: Floats, radius: float) -> tuple[Floats, Floats]:
    """One face as rings of points from its centre outwards, bent over its edges halfway to the neighbours."""
    normal = _normal(face)
    foot = normal * (face[0] @ normal)
    rim, lean = _rim(face)
    rings = [foot[None], *(foot + t * (1 - radius) * (rim - foot) for t in _ROWS)]
    for bend in _BENDS:
        way = (1 - bend) * normal + bend * lean
        way = way / np.linalg.norm(way, axis=1, keepdims=True)
        rings.append((1 - radius) * rim + radius * np.linalg.norm(foot) * way)
    return np.concatenate(rings), normal


def _rim(face: Floats) -> tuple[Floats, Floats]:
    """Points along the edges of a face, and the direction in which the rounded edge points there."""
    rim, lean = [], []
    for a, b in zip(face, np.roll(face, -1, axis=0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        for t in _COLUMNS:
            point = a + t * (b - a)
            rim.append(point)
            lean.append(a if t == 0 else point - (point @ along) * along)
    return np.array(rim), np.array(lean) / np.linalg.norm(lean, axis=1, keepdims=True)


def _fan(around: int, rings: int) -> NDArray[np.int64]:
    """Triangles over a centre point (index 0) and rings of `around` points around it."""
    here = np.arange(around)
    after = (here + 1) % around
    fan = [np.stack([np.zeros(around, int), 1 + here, 1 + after], -1)]
    for ring in range(rings - 1):
        inner, outer = 1 + ring * around, 1 + (ring + 1) * around
        fan.append(np.stack([inner + here, outer + here, outer + after], -1))
        fan.append(np.stack([inner + here, outer + after, inner + after], -1))
    return np.concatenate(fan)


def _on_face(points: Floats, face: Floats, normal: Floats) -> Floats:
    foot = normal * (face[0] @ normal)
    up = (face[0] - foot) / np.linalg.norm(face[0] - foot)
    right = np.cross(up, normal)
    along = np.roll(face, -1, axis=0) - face
    reach = np.linalg.norm(np.cross(face - foot, along), axis=1) / np.linalg.norm(along, axis=1)
    return np.asarray(np.stack([(points - foot) @ right, (points - foot) @ up], -1) / reach.min())


def numbering(rng: np.random.Generator, solid: Solid) -> list[int]:
    """A random number for each face of a die, with opposite faces adding up to the number of faces + 1."""
    count = len(solid.normals)
    numbers = [0] * count
    low = iter(rng.permutation(np.arange(1, count // 2 + 1)))
    for face in range(count):
        if not numbers[face]:
            opposite = int(np.argmin(solid.normals @ solid.normals[face]))
            small = int(next(low))
            pair = (small, count + 1 - small)
            numbers[face], numbers[opposite] = pair if rng.random() < 0.5 else pair[::-1]
    return numbers
