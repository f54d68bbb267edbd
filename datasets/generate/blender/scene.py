"""One random table, built in Blender from a seed: objects, materials and light.

Lengths are in die edges: a pip die is about 1 wide. The table is the plane z = 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np

from datasets.generate.blender import world
from datasets.generate.blender.pieces import (
    cribbage_boards,
    dominoes,
    look_alikes,
    modelled_dice,
    pip_dice,
    twelve_sided,
)
from datasets.generate.blender.table import Recipe, Rng, Scene

_STREW = {
    "d6": pip_dice.strew,
    "d12": twelve_sided.strew,
    "domino": dominoes.strew,
    "modelled": modelled_dice.strew,
}


def build(seed: int, recipe: Recipe) -> Scene:
    """Empty Blender and lay a new table. The same seed and recipe give the same scene."""
    rng = np.random.default_rng(seed)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    kinds = _kinds(rng, recipe)
    widths = recipe["tile_width"] if "domino" in kinds else recipe["die_width"]
    share = math.exp(rng.uniform(*np.log(widths)))
    width, height = recipe["sizes"][rng.integers(len(recipe["sizes"]))]
    camera, distance = world.camera(rng, share, recipe)
    bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y = width, height
    scene = Scene(rng, recipe, camera, distance, share)
    bpy.context.view_layer.update()
    world.ground_and_tray(scene)
    world.light(scene)
    _strew(scene, kinds)
    bpy.context.view_layer.update()
    return scene


def _strew(scene: Scene, kinds: Sequence[str]) -> None:
    """Lay mostly one kind of piece, as in a game; sometimes two, as on a table between games."""
    rng, recipe = scene.rng, scene.recipe
    most = max(1, min(30, int(0.35 / scene.share**1.5)))
    crowd, spread = bool(rng.random() < 0.3), float(rng.uniform(0.3, 1.0))
    for kind in kinds:
        _STREW[kind](scene, int(rng.integers(1, max(1, min(most, 24) // len(kinds)) + 1)), spread, near=crowd)
    if rng.random() < recipe["look_alikes"]:
        for _ in range(int(rng.integers(0, min(9, most + 2)))):
            look_alikes.look_alike(scene, spread)
    if recipe["cribbage_boards"] and rng.random() < recipe["cribbage_boards"]:
        cribbage_boards.lay(scene)


def _kinds(rng: Rng, recipe: Recipe) -> list[str]:
    if rng.random() < recipe["empty"]:
        return []
    shares = {kind: share for kind, share in recipe["kinds"].items() if share > 0}
    weights = np.array(list(shares.values()), float)
    count = 2 if rng.random() < recipe["mixed"] and len(shares) > 1 else 1
    return [str(kind) for kind in rng.choice(list(shares), count, replace=False, p=weights / weights.sum())]
