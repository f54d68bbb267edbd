"""A die, and the positions of the numerals on its faces."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from datasets.generate.drawn.materials import Material, any_material
from datasets.generate.drawn.ornaments import SIDE, Ornament, any_ornament
from datasets.generate.parts.canvas import Bytes, Floats, Rng, cross
from datasets.generate.parts.lettering.numerals import FULL, Lettering, number
from datasets.generate.parts.solids import Body

Writer = Callable[[int, Lettering], Bytes]

_ADORNED = 0.35
"""Probability that a die with numerals has ornaments around them."""
_REACH = 1.12
"""The farthest that a numeral reaches from the centre of a plain face, in inner radii."""


@dataclass(frozen=True)
class Die:
    """A body on a table, with its faces and its look."""

    body: Body
    values: list[int]
    lettering: Lettering
    material: Material
    wander: Floats
    """For each face: its number's error of rotation (radians), and of position to the right and up (inner radii)."""
    writer: Writer
    ornament: Ornament | None = None


def any_die(rng: Rng, body: Body, values: list[int], lettering: Lettering, writer: Writer = number) -> Die:
    """A die of any material."""
    wander = rng.normal(0, (0.03, 0.02, 0.02), (len(values), 3))
    return Die(body, values, lettering, any_material(rng), wander, writer)


def adorned(rng: Rng, die: Die, often: float = _ADORNED) -> Die:
    """The die, with probability `often` with ornaments and its numerals fitted into them."""
    if rng.random() >= often:
        return die
    ornament = any_ornament(rng)
    size = min(die.lettering.size, ornament.room * rng.uniform(0.7, 1.05))
    return replace(die, ornament=ornament, lettering=replace(die.lettering, size=size))


def flat_face(die: Die, face: int) -> tuple[Floats, Floats]:
    """A face in its own plane: its corners (n x 2) in inner radii from its centre, and the 4 x 3 matrix that maps the pixels of a
    mask whose circle passes through them (`ornaments.SIDE`) to points of the scene.
    """
    corners, normal = die.body.corners(face), die.body.normals[face]
    middle = corners.sum(axis=0) / len(corners)
    inside = _inner_radius(corners, middle)
    up = _up(corners, middle, normal, 0)
    right = cross(up, normal)
    outline = np.column_stack([(corners - middle) @ right, -(corners - middle) @ up]) / inside
    pixel = float(np.linalg.norm(outline, axis=1).max()) * inside * 2 / SIDE
    along, down = right * pixel, -up * pixel
    start = middle - (along + down) * SIDE / 2
    return outline, np.vstack([np.column_stack([along, down, start]), [0, 0, 1]])


def on_face(die: Die, face: int, mask: Bytes) -> Floats:
    """The 4 x 3 matrix that maps the mask's pixels to points of the scene, at the centre of the face."""
    corners, normal, lettering = die.body.corners(face), die.body.normals[face], die.lettering
    middle = corners.sum(axis=0) / len(corners)
    inside = _inner_radius(corners, middle)
    up = _up(corners, middle, normal, lettering.tilt + float(die.wander[face, 0]))
    right = cross(up, normal)
    height, width = mask.shape
    tall = 2 * inside * lettering.size / FULL
    wide = tall * lettering.stretch
    reach = _REACH if die.ornament is None else die.ornament.room
    fit = min(1.0, reach * inside / math.hypot(width * wide / 2, height * tall / 2))
    along, down = right * wide * fit, -(up + right * lettering.slant) * tall * fit
    start = middle - along * width / 2 - down * height / 2 + die.wander[face, 1:] @ (right, up) * inside
    return np.vstack([np.column_stack([along, down, start]), [0, 0, 1]])


def _inner_radius(corners: Floats, middle: Floats) -> float:
    sides = corners[[*range(1, len(corners)), 0]] - corners
    spokes = middle - corners
    along, square, reach = np.einsum("kij,kij->ki", (sides, sides, spokes), (spokes, sides, spokes))
    return math.sqrt((reach - along * along / square).min())


def _up(corners: Floats, middle: Floats, normal: Floats, tilt: float) -> Floats:
    """A direction in the face: that of its first corner, rotated by `tilt`."""
    first = corners[0] - middle
    first = first / math.sqrt(first @ first)
    return np.asarray(math.cos(tilt) * first + math.sin(tilt) * cross(normal, first))
