"""The shapes of dice, convex solids with congruent faces, and how they rest on a table."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from datasets.generate.parts.canvas import Floats, Rng
from datasets.generate.parts.shapes import AXES, polyhedron


@dataclass(frozen=True)
class Body:
    """A convex solid: vertices (v x 3), each face's vertices counter-clockwise from outside, outward normals (f x 3)."""

    vertices: Floats
    faces: tuple[tuple[int, ...], ...]
    normals: Floats

    def corners(self, face: int) -> Floats:
        """The vertices of a face (n x 3)."""
        return self.vertices[list(self.faces[face])]


def any_d12(rng: Rng) -> Body:
    """Mostly the regular one; otherwise with rhombic faces, twisted, or slightly deformed."""
    kind = rng.random()
    if kind < 0.6:
        return twelve(0, 162)
    if kind < 0.66:
        return twelve(0, 100)
    if kind < 0.82:
        return twelve(0 if rng.random() < 0.4 else int(rng.integers(-30, 31)), int(rng.integers(125, 215)))
    return sheared(twelve(0, 162), np.eye(3) + rng.normal(0, 0.1, (3, 3)))


@lru_cache(maxsize=512)
def twelve(skew: int, ratio: int) -> Body:
    """Twelve congruent faces, parameters in hundredths: (0, 162) is the regular d12, (0, 100) has rhombs, `skew` twists it."""
    turns = [np.roll([skew / 100, 1, ratio / 100], k) for k in range(3)]
    signs = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    return _carved(np.array([turn * sign for turn in turns for sign in signs]))


@lru_cache
def bag(faces: int) -> Body:
    """The other polyhedral dice, with 4, 6, 8, 10 or 20 faces."""
    if faces == 4:
        return _carved(np.array([(1.0, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]))
    if faces == 6:
        return _carved(AXES)
    if faces == 8:
        return _carved(np.array(list(itertools.product((-1.0, 1.0), repeat=3))))
    if faces == 20:
        return _carved(polyhedron(12))
    turn = np.arange(10) * np.pi / 5
    return _carved(np.stack([np.cos(turn), np.sin(turn), np.where(np.arange(10) % 2, 0.95, -0.95)], -1))


def _carved(normals: Floats) -> Body:
    """The solid bounded by planes at distance 1 with these normals."""
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    triples = normals[list(itertools.combinations(range(len(normals)), 3))]
    triples = triples[np.abs(np.linalg.det(triples)) > 1e-4]
    points = np.linalg.solve(triples, np.ones((len(triples), 3, 1)))[..., 0]
    inside = points[(points @ normals.T).max(axis=1) < 1 + 1e-6]
    _, first = np.unique(np.round(inside, 4) + 0.0, axis=0, return_index=True)
    vertices = inside[first]
    faces = tuple(_loop(vertices, normal) for normal in normals)
    return Body(vertices / np.linalg.norm(vertices, axis=1).max(), faces, normals)


def _loop(vertices: Floats, normal: Floats) -> tuple[int, ...]:
    """The vertices on one plane, counter-clockwise from outside."""
    on = np.flatnonzero(vertices @ normal > 1 - 1e-4)
    middle = vertices[on].mean(axis=0)
    right = vertices[on[0]] - middle
    up = np.cross(normal, right)
    away = vertices[on] - middle
    return tuple(int(i) for i in on[np.argsort(np.arctan2(away @ up, away @ right))])


def sheared(body: Body, by: Floats) -> Body:
    """The body with its vertices multiplied by a 3 x 3 matrix."""
    vertices = body.vertices @ by.T
    normals = body.normals @ np.linalg.inv(by)
    return Body(vertices, body.faces, normals / np.linalg.norm(normals, axis=1, keepdims=True))


def lying(rng: Rng, body: Body, cocked: float = 0.0) -> tuple[Body, int]:
    """The body resting on a random face, and the index of the top face; `cocked`: standard deviation of its lean in radians."""
    below = int(rng.integers(len(body.faces)))
    turn = _turn_to(-body.normals[below])
    spin = rng.uniform(0, 2 * np.pi)
    about = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]]) @ turn
    if cocked:
        about = cv2.Rodrigues(rng.normal(0, cocked, 3))[0] @ about
    turned = Body(body.vertices @ about.T, body.faces, body.normals @ about.T)
    return turned, int(np.argmax(turned.normals[:, 2]))


def _turn_to(normal: Floats) -> Floats:
    """The rotation that maps `normal` to +z."""
    axis = np.cross(normal, (0, 0, 1))
    length = np.linalg.norm(axis)
    if length < 1e-9:
        return np.diag([1.0, 1.0, 1.0]) if normal[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return np.asarray(cv2.Rodrigues(axis / length * np.arctan2(length, normal[2]))[0])


def numbering(rng: Rng, body: Body, top: int, value: int) -> list[int]:
    """A value for each face, `value` on top, opposite faces adding up to the number of faces + 1."""
    count = len(body.faces)
    opposite = np.argmin(body.normals @ body.normals.T, axis=1)
    values = [0] * count
    pairs = [low for low in range(1, count // 2 + 1) if low not in (value, count + 1 - value)]
    rng.shuffle(pairs)
    values[top], values[opposite[top]] = value, count + 1 - value
    for face in range(count):
        if not values[face] and pairs:
            low = pairs.pop()
            values[face] = low if rng.random() < 0.5 else count + 1 - low
            values[opposite[face]] = count + 1 - values[face]
    return values
