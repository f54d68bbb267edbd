"""Twelve-sided dice: one set, often five of them, often one of another colour, lying flat or cocked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from datasets.generate.blender.materials import is_plain, numeral_stuff
from datasets.generate.blender.table import Placed, Rng, Scene, spot_on_table
from datasets.generate.parts import drawings, shapes

REACH = 1.25
"""How far an atlas cell extends on a face, in distances from the face's centre to its nearest edge."""


def strew(scene: Scene, count: int, spread: float, *, near: bool) -> None:
    """Throw up to `count` (at most nine) twelve-sided dice of one set; `near`: they touch each other."""
    rng = scene.rng
    many = 5 if count > 2 and rng.random() < 0.45 else min(count, 9)
    kind = _die_kind(rng, plain=is_plain(scene.recipe))
    starter = _starter(rng, kind, plain=is_plain(scene.recipe)) if many > 1 and rng.random() < 0.6 else kind
    wide = 1.1 if rng.random() < 0.15 else spread  # some over the border of the picture
    odd = rng.integers(many)
    for i in range(many):
        _twelve(scene, starter if i == odd else kind, wide, near=near)


@dataclass
class DieKind:
    """A set of twelve-sided dice: one shape, one arrangement of the numerals, one look, one size (edge to edge of a face)."""

    solid: shapes.Solid
    numbers: list[int]
    turns: NDArray[np.float64]
    mesh: Any
    colour: drawings.Colour
    width: float


def _die_kind(rng: Rng, *, plain: bool) -> DieKind:
    radius = rng.choice([rng.uniform(0.01, 0.06), rng.uniform(0.06, 0.2)])
    solid = shapes.rounded_solid(_corners(rng), radius)
    numbers = shapes.numbering(rng, solid)
    body = drawings.any_colour(rng)
    upside = rng.choice([0.0, math.pi])
    turns = upside + rng.integers(0, 5, 12) * 2 * math.pi / 5
    mesh = numbered_mesh(solid, numbers, turns, numeral_stuff(rng, body, _labels(), plain=plain))
    return DieKind(solid, numbers, turns, mesh, body, rng.uniform(0.95, 1.3))


def _corners(rng: Rng) -> NDArray[np.float64]:
    """Usually the regular dodecahedron; some makers sell skewed ones."""
    if rng.random() < 0.88:
        return shapes.polyhedron(12)
    return shapes.skew_twelve((0.526 + rng.uniform(-0.06, 0.06), 0.851, rng.uniform(-0.12, 0.12)))


def _starter(rng: Rng, kind: DieKind, *, plain: bool) -> DieKind:
    """The die of another colour in a set."""
    body = next(c for c in iter(lambda: drawings.any_colour(rng), None) if _distance(c, kind.colour) > 0.35)
    mesh = numbered_mesh(kind.solid, kind.numbers, kind.turns, numeral_stuff(rng, body, _labels(), plain=plain))
    return DieKind(kind.solid, kind.numbers, kind.turns, mesh, body, kind.width)


def _distance(a: drawings.Colour, b: drawings.Colour) -> float:
    return float(np.abs(np.subtract(a, b)).max())


def _labels() -> list[str]:
    return [str(n) for n in range(1, 13)]


def numbered_mesh(solid: shapes.Solid, numbers: Sequence[int], turns: NDArray[np.float64], material: Any) -> Any:
    """A mesh whose face i shows cell `numbers[i] - 1` of a numeral atlas, turned by `turns[i]` (radians)."""
    mesh = bpy.data.meshes.new("numerals")
    mesh.from_pydata(solid.vertices.tolist(), [], solid.triangles.tolist())
    turn = turns[solid.side][:, None]
    x, y = solid.uv[..., 0], solid.uv[..., 1]
    u, v = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
    columns, rows = drawings.NUMERAL_GRID
    cell = (np.array(numbers)[solid.side] - 1)[:, None]
    u, v = (np.clip(axis / REACH, -0.98, 0.98) / 2 + 0.5 for axis in (u, v))
    across, along = (cell % columns + u) / columns, (rows - 1 - cell // columns + v) / rows
    layer = mesh.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", np.stack([across, along], -1).astype(np.float32).ravel())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    mesh.materials.append(material)
    mesh.update()
    return mesh


def _twelve(scene: Scene, kind: DieKind, spread: float, *, near: bool) -> None:
    rng = scene.rng
    spot = spot_on_table(scene, kind.width * 0.62, spread, near=near)
    if spot is None:
        return
    value = int(rng.integers(1, 13))
    face = kind.numbers.index(value)
    thing = bpy.data.objects.new("d12", kind.mesh)
    bpy.context.scene.collection.objects.link(thing)
    cocked = bool(rng.random() < scene.recipe["cocked"])
    turn = _turned_up(rng, kind.solid.normals[face], tilt=math.radians(rng.uniform(14, 31)) if cocked else 0.0)
    inner = float((kind.solid.vertices @ kind.solid.normals[face]).max())
    scale = kind.width / 2 / inner
    lift = -scale * float((kind.solid.vertices @ np.array(turn.to_3x3()).T)[:, 2].min())
    thing.matrix_world = Matrix.Translation((*spot, lift)) @ turn @ Matrix.Scale(scale, 4)
    top = kind.solid.flat[face]
    scene.pieces.append(Placed(thing, "d12", kind.colour, top, value=None if cocked else value, cocked=cocked))


def _turned_up(rng: Rng, normal: NDArray[np.float64], tilt: float) -> Matrix:
    """The rotation that brings `normal` upright, except for a tilt in a random direction, with a random spin."""
    upright = Vector(normal).rotation_difference(Vector((0, 0, 1))).to_matrix().to_4x4()
    spin = Matrix.Rotation(rng.uniform(0, 2 * math.pi), 4, "Z")
    way = rng.uniform(0, 2 * math.pi)
    return Matrix.Rotation(tilt, 4, Vector((math.cos(way), math.sin(way), 0))) @ spin @ upright
