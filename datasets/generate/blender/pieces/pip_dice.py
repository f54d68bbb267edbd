"""Pip dice: sets of one shape and look, placed flat, stacked, leaning or cocked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from datasets.generate.blender.materials import die_stuff, is_plain
from datasets.generate.blender.table import Placed, Rng, Scene, spot_on_table
from datasets.generate.parts import drawings, shapes


def strew(scene: Scene, count: int, spread: float, *, near: bool) -> None:
    """Throw `count` pip dice of one or a few sets; `near`: they touch each other."""
    rng = scene.rng
    sizes = (0.5, 1.6) if rng.random() < 0.3 else (0.85, 1.18)
    kinds = [_die_kind(scene, sizes) for _ in range(int(rng.choice([1, 1, 2, 3, 6])))]
    wide = 1.1 if rng.random() < 0.15 else spread  # some over the border of the picture
    placed: list[PlacedDie] = []
    for _ in range(count):
        kind = kinds[rng.integers(len(kinds))]
        pose = _pose(scene, kind, placed, wide, near=near)
        if pose is not None:
            _pip_die(scene, kind, pose)


@dataclass
class DieKind:
    """A set of pip dice: one mesh shape, one look, one size."""

    cube: shapes.Cube
    material: Any
    colour: drawings.Colour
    edge: float
    mirrored: bool
    turns: NDArray[np.int64]


@dataclass
class PlacedDie:
    """A die that lies flat: its centre, its rotation about the vertical, and whether another may lie on it."""

    x: float
    y: float
    z: float
    edge: float
    yaw: float
    free: bool = True


@dataclass
class Pose:
    """A die's centre, rotation and tilt (radians; 0: it lies flat)."""

    middle: tuple[float, float, float]
    turn: Matrix
    tilt: float = 0.0


def _die_kind(scene: Scene, sizes: tuple[float, float]) -> DieKind:
    rng = scene.rng
    body = drawings.any_colour(rng)
    radius = rng.choice([rng.uniform(0.02, 0.12), rng.uniform(0.1, 0.45)])
    ball = rng.choice([1.8, rng.uniform(1.28, 1.6)])
    cube = shapes.rounded_cube(radius, ball)
    material = die_stuff(rng, body, plain=is_plain(scene.recipe))
    edge = math.exp(rng.uniform(*np.log(sizes)))
    return DieKind(cube, material, body, edge, bool(rng.random() < 0.5), rng.integers(0, 4, 6))


def _pose(scene: Scene, kind: DieKind, placed: list[PlacedDie], spread: float, *, near: bool) -> Pose | None:
    """The pose of the next die; None if the table is full."""
    rng = scene.rng
    cocked = rng.random() < scene.recipe["cocked"]
    under = [die for die in placed if die.free and die.edge > 0.75 * kind.edge]
    if under and rng.random() < (0.6 if cocked else 0.06):
        below = under[rng.integers(len(under))]
        return _leaning(rng, kind, below) if cocked else _stacked(rng, kind, below, placed)
    spot = spot_on_table(scene, kind.edge * 0.625, spread, near=near)
    if spot is None:
        return None
    return _cocked(rng, kind, spot) if cocked else _flat(rng, kind, (*spot, kind.edge / 2), placed)


def _flat(rng: Rng, kind: DieKind, middle: tuple[float, float, float], placed: list[PlacedDie]) -> Pose:
    yaw = rng.uniform(0, 2 * math.pi)
    placed.append(PlacedDie(*middle, kind.edge, yaw))
    return Pose(middle, Matrix.Rotation(yaw, 4, "Z"))


def _stacked(rng: Rng, kind: DieKind, below: PlacedDie, placed: list[PlacedDie]) -> Pose:
    below.free = False
    x, y = rng.uniform(-0.22, 0.22, 2) * below.edge
    return _flat(rng, kind, (below.x + x, below.y + y, below.z + (below.edge + kind.edge) / 2), placed)


def _cocked(rng: Rng, kind: DieKind, spot: tuple[float, float]) -> Pose:
    """Tilted in any direction, as on a cloth's fold or a tray's edge."""
    tilt, way = math.radians(rng.uniform(12, 40)), rng.uniform(0, 2 * math.pi)
    turn = Matrix.Rotation(rng.uniform(0, 2 * math.pi), 4, "Z") @ Matrix.Rotation(
        tilt, 4, Vector((math.cos(way), math.sin(way), 0))
    )
    low = float((kind.cube.vertices @ np.array(turn.to_3x3()).T)[:, 2].min())
    return Pose((*spot, -low * kind.edge / 2), turn, tilt)


def _leaning(rng: Rng, kind: DieKind, other: PlacedDie) -> Pose:
    """One edge on the table, one side against another die's upper edge (or the upper edge against its side)."""
    other.free = False
    tilt = math.radians(rng.uniform(12, 40))
    yaw = other.yaw + math.pi / 2 * int(rng.integers(4))
    foot = min(other.edge * math.tan(tilt), kind.edge * math.sin(tilt))
    away = other.edge / 2 + foot + kind.edge / 2 * (math.cos(tilt) - math.sin(tilt))
    aside = rng.uniform(-0.4, 0.4) * other.edge
    x = other.x + away * math.cos(yaw) - aside * math.sin(yaw)
    y = other.y + away * math.sin(yaw) + aside * math.cos(yaw)
    z = other.z - other.edge / 2 + kind.edge / 2 * (math.cos(tilt) + math.sin(tilt))
    turn = Matrix.Rotation(yaw, 4, "Z") @ Matrix.Rotation(-tilt, 4, "Y")
    return Pose((x, y, z), turn, tilt)


def _pip_die(scene: Scene, kind: DieKind, pose: Pose) -> None:
    rng = scene.rng
    value = int(rng.integers(1, 7))
    mesh = _die_mesh(kind, shapes.faces_with_up(value, kind.mirrored, int(rng.integers(4))))
    thing = bpy.data.objects.new("d6", mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.matrix_world = Matrix.Translation(pose.middle) @ pose.turn @ Matrix.Scale(kind.edge / 2, 4)
    on_top = np.zeros(len(kind.cube.vertices), bool)
    inner = (kind.cube.side == 0) & (np.abs(kind.cube.uv).max((1, 2)) < 0.8)
    on_top[kind.cube.quads[inner].ravel()] = True
    # When a die is tilted further than this, people disagree about which face is up.
    up = value if pose.tilt < math.radians(28) else None
    scene.pieces.append(Placed(thing, "d6", kind.colour, on_top, value=up, cocked=pose.tilt > 0))


def _die_mesh(kind: DieKind, sides: list[int]) -> Any:
    mesh = bpy.data.meshes.new("die")
    mesh.from_pydata(kind.cube.vertices.tolist(), [], kind.cube.quads.tolist())
    cell = np.array(sides)[kind.cube.side] - 1
    quarter = kind.turns[cell]
    u, v = kind.cube.uv[..., 0], kind.cube.uv[..., 1]
    for _ in range(3):
        spin = (quarter > 0)[:, None]
        u, v = np.where(spin, -v, u), np.where(spin, u, v)
        quarter = quarter - 1
    columns, rows = drawings.PIP_GRID
    x = (cell % columns)[:, None] + (np.clip(u, -0.98, 0.98) + 1) / 2
    y = rows - 1 - (cell // columns)[:, None] + (np.clip(v, -0.98, 0.98) + 1) / 2
    layer = mesh.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", np.stack([x / columns, y / rows], -1).astype(np.float32).ravel())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    mesh.materials.append(kind.material)
    mesh.update()
    return mesh
