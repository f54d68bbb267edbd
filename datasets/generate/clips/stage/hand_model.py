"""Renders the sprites of `hands` with Cycles, with alpha: a hand of merged balls, with a sleeve."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

# isort: split
# Part of bpy, importable only after it.
import bmesh

from datasets.generate.blender.materials import Stuff
from datasets.generate.clips.stage.hands import FRAME, GRIPS, UNIT

Ball = tuple[float, float, float, float]
Spot = tuple[float, float, float]

VARIANTS = 2
# Base and tip of index, middle, ring and little finger, and the point they curl to.
_BASES = [(-1.75, 2.0), (-0.6, 2.45), (0.6, 2.4), (1.7, 1.9)]
_LENGTHS = [3.5, 4.1, 3.8, 3.0]


def sprites(folder: Path) -> list[Path]:
    """The files of all sprites; missing ones are rendered."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{pose}-{k}.png" for pose in GRIPS for k in range(VARIANTS)]
    for seed, path in enumerate(paths):
        if not path.exists():
            _render(path, np.random.default_rng(seed), path.stem.split("-")[0])
    return paths


def _render(path: Path, rng: np.random.Generator, pose: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    hand = _melted([*_palm(), *_POSES[pose](rng)])
    hand.data.materials.append(_skin())
    sleeve = _melted([(0, y, 1.6, 2.1) for y in np.arange(-12, -5.2, 0.8)])
    sleeve.data.materials.append(Stuff(tuple(rng.uniform(0.05, 0.8, 3)), 0.9).material)
    _light()
    _shoot(path)


def _palm() -> Iterator[Ball]:
    for y in np.arange(-2.0, 2.3, 0.7):
        wide = 1.55 + 0.15 * (y + 2) / 2
        yield from ((x, y, 1.5, 0.95) for x in np.linspace(-wide, wide, 4))
    for y in np.arange(-12, -1.8, 0.7):
        yield from ((x, y, 1.6, 1.25 - 0.05 * max(0, y + 6)) for x in (-0.55, 0.55))


def _flat(rng: np.random.Generator) -> Iterator[Ball]:
    spread = rng.uniform(0.04, 0.16)
    for k, ((x, y), length) in enumerate(zip(_BASES, _LENGTHS, strict=True)):
        turn = (k - 1.5) * spread
        tip = (x + length * math.sin(turn), y + length * math.cos(turn), 0.8)
        yield from _finger((x, y, 1.5), tip, 0.62 - 0.03 * k)
    yield from _finger((-1.6, -1.0, 1.3), (-4.2, 1.6, 0.9), 0.7)


def _pinch(rng: np.random.Generator) -> Iterator[Ball]:
    yield from _finger((-1.75, 2.0, 1.6), (-1.6, 3.6, 1.9), 0.62)
    yield from _finger((-1.6, 3.4, 1.9), (-1.4, 4.6, 0.6), 0.52)
    yield from _finger((-1.6, -1.0, 1.3), (-2.6, 1.6, 1.1), 0.7)
    yield from _finger((-2.6, 1.6, 1.1), (-1.7, 4.0, 0.6), 0.58)
    for x, y in _BASES[1:]:
        yield from _finger((x, y, 1.6), (x - 0.1, y + rng.uniform(0.9, 1.5), 0.8), 0.62)


def _cup(rng: np.random.Generator) -> Iterator[Ball]:
    for x, y in _BASES:
        yield from _finger((x, y, 1.7), (x * 0.8, y + rng.uniform(1.2, 1.7), 0.7), 0.62)
    yield from _finger((-1.6, -1.0, 1.3), (-2.2, 1.9, 1.0), 0.7)


_POSES = {"flat": _flat, "pinch": _pinch, "cup": _cup}


def _finger(base: Spot, tip: Spot, thick: float) -> Iterator[Ball]:
    for t in np.linspace(0, 1, 9):
        x, y, z = Vector(base).lerp(Vector(tip), float(t))
        yield x, y, z, thick * (1 - 0.22 * t)


def _melted(balls: list[Ball]) -> bpy.types.Object:
    shape = bmesh.new()
    for x, y, z, radius in balls:
        bmesh.ops.create_icosphere(shape, subdivisions=2, radius=radius, matrix=Matrix.Translation((x, y, z)))
    mesh = bpy.data.meshes.new("hand")
    shape.to_mesh(mesh)
    shape.free()
    thing = bpy.data.objects.new("hand", mesh)
    bpy.context.scene.collection.objects.link(thing)
    remesh = thing.modifiers.new("melt", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", 0.14, True
    smooth = thing.modifiers.new("smooth", "SMOOTH")
    smooth.factor, smooth.iterations = 0.5, 8
    return thing


def _skin() -> bpy.types.Material:
    stuff = Stuff((0.86, 0.64, 0.53), 0.5)
    where = stuff.coordinates("Object", (1, 1, 1))
    stuff.mix((0.78, 0.5, 0.42), stuff.noise(where, 0.7, 0.4, 0.75))
    stuff.bump(stuff.noise(where, 5, 0.3, 0.7), 0.25, 0.06)
    return stuff.material


def _light() -> None:
    world = bpy.data.worlds.new("world")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.7
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    lamp = bpy.data.lights.new("lamp", "SUN")
    lamp.energy, lamp.angle = 2.0, 0.3
    thing = bpy.data.objects.new("lamp", lamp)
    thing.rotation_euler = (0.6, -0.5, 0)
    bpy.context.scene.collection.objects.link(thing)


def _shoot(path: Path) -> None:
    left, near, right, far = FRAME
    settings = bpy.context.scene
    data = bpy.data.cameras.new("camera")
    data.type, data.ortho_scale = "ORTHO", max(right - left, far - near)
    camera = bpy.data.objects.new("camera", data)
    camera.location = ((left + right) / 2, (near + far) / 2, 40)
    settings.collection.objects.link(camera)
    settings.camera = camera
    settings.render.engine = "CYCLES"
    settings.render.threads_mode, settings.render.threads = "FIXED", 1
    settings.render.resolution_x, settings.render.resolution_y = (
        round((right - left) * UNIT),
        round((far - near) * UNIT),
    )
    settings.render.film_transparent = True
    settings.view_settings.view_transform = "Standard"
    settings.cycles.samples, settings.cycles.use_denoising = 12, True
    settings.cycles.denoiser = "OPENIMAGEDENOISE"
    settings.render.image_settings.file_format, settings.render.image_settings.color_mode = "PNG", "RGBA"
    settings.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
