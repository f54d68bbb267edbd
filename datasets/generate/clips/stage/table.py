"""The table of a clip: camera, ground and light as in `generate.blender`, one set of dice, a lamp with a switch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from datasets.generate.blender import shoot, world
from datasets.generate.blender.pieces import look_alikes, pip_dice, twelve_sided
from datasets.generate.blender.table import Placed, Scene
from datasets.generate.camera.webcam import MARGIN
from datasets.generate.clips.stage.dice import Die, faces, on_face
from datasets.generate.parts import drawings

_GRIDS = {"d6": drawings.PIP_GRID, "d12": drawings.NUMERAL_GRID}
_STREW = {"d6": pip_dice.strew, "d12": twelve_sided.strew}
_TRIES = 20


@dataclass
class Table:
    """A table that is ready to film."""

    scene: Scene
    dice: list[Die]
    lamp: Any
    """A lamp, switched by `hide_render`."""

    @property
    def still(self) -> list[Any]:
        """The fixed things on the table, besides dice."""
        rims = [thing for thing in bpy.data.objects if thing.name == "rim"]
        return [bpy.data.objects["ground"], *rims, *self.scene.others]

    def readable(self, dice: Sequence[Die]) -> bool:
        """Whether all of these dice lie flat and visible."""
        if not all(die.up for die in dice):
            return False
        things = [die.thing for die in dice]
        pieces = [_shown(piece, self.dice) for piece in self.scene.pieces if piece.thing in things]
        seen = shoot.labels(replace(self.scene, pieces=pieces, others=[]))
        return len(seen) == len(dice) and all(label["hidden"] < 0.2 and label["top_seen"] > 0.9 for label in seen)


def lay(rng: np.random.Generator, recipe: Mapping[str, Any], count: int, size: tuple[int, int]) -> Table:
    """Empty Blender and lay a table with `count` dice.

    Args:
        rng: the source of all randomness.
        recipe: a clip's (`datasets.generate.clips.recipe`).
        count: number of dice, from 1.
        size: width and height of the picture; the camera sees `MARGIN` more on each side.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    table = recipe["table"]
    share = math.exp(rng.uniform(*np.log(table["die_width"])))
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y = size[0] + 2 * MARGIN, size[1] + 2 * MARGIN
    camera, distance = world.camera(rng, share, table)
    scene = Scene(rng, table, camera, distance, share)
    bpy.context.view_layer.update()
    world.ground_and_tray(scene)
    world.light(scene)
    kind = str(
        rng.choice(list(table["kinds"]), p=np.array(list(table["kinds"].values())) / sum(table["kinds"].values()))
    )
    dice = _dice(scene, kind, count, plain=bool(rng.random() >= recipe["fancy"]))
    scene.taken.clear()
    if rng.random() < table["look_alikes"]:
        _clutter(scene)
    world.finish(scene)
    lamp = _switched(scene, on=bool(rng.random() < 0.5))
    return Table(scene, dice, lamp)


def _dice(scene: Scene, kind: str, count: int, *, plain: bool) -> list[Die]:
    """Dice of one set; `plain`: opaque, of one colour, with painted faces."""
    dressed = replace(scene, recipe={**scene.recipe, "materials": "plain" if plain else "all"})
    for _ in range(_TRIES):
        if len(scene.pieces) < count:
            _STREW[kind](dressed, count, 0.9, near=False)
    for piece in scene.pieces[count:]:
        bpy.data.objects.remove(piece.thing)
    del scene.pieces[count:]
    bpy.context.view_layer.update()
    return [_die(piece) for piece in scene.pieces]


def _die(piece: Placed) -> Die:
    mesh, thing = piece.thing.data, piece.thing
    spots = mesh.uv_layers[0].data
    uv = np.array([np.mean([spots[k].uv[:] for k in polygon.loop_indices], axis=0) for polygon in mesh.polygons])
    normals = np.array([polygon.normal[:] for polygon in mesh.polygons])
    areas = np.array([polygon.area for polygon in mesh.polygons])
    values, outward = faces(uv, normals, areas, _GRIDS[piece.kind])
    inner = float((np.array([v.co[:] for v in mesh.vertices]) @ outward[0]).max())
    # Small dice would have too few pixels, large ones fill the picture.
    wanted = float(np.clip(2 * inner * thing.scale.x, 0.85, 1.25))
    thing.scale = Vector((1, 1, 1)) * (wanted / 2 / inner)
    bpy.context.view_layer.update()
    return Die(thing, piece.kind, values, outward, wanted / 2)


def _shown(piece: Placed, dice: Sequence[Die]) -> Placed:
    """The piece with the value and the top face that are up now."""
    die = next(die for die in dice if die.thing == piece.thing)
    vertices = np.array([v.co[:] for v in piece.thing.data.vertices])
    face = int(np.flatnonzero(die.values == die.up)[0])
    return replace(piece, value=die.up, top=on_face(vertices, die.normals[face]))


def _clutter(scene: Scene) -> None:
    """Add one or two other things to the table; no fingers, which would hover there throughout the clip."""
    for _ in range(int(scene.rng.integers(1, 3))):
        look_alikes.look_alike(scene, 0.95)
    for thing in [thing for thing in scene.others if thing.name.startswith("finger")]:
        scene.others.remove(thing)
        bpy.data.objects.remove(thing)


def _switched(scene: Scene, *, on: bool) -> Any:
    """A lamp over the table that can be switched."""
    rng = scene.rng
    data = bpy.data.lights.new("switched", "AREA")
    reach = scene.distance * float(rng.uniform(1.05, 1.6))
    data.size, data.energy = scene.distance * float(rng.uniform(0.1, 0.6)), float(rng.uniform(6, 18)) * reach**2
    warm = float(rng.uniform(0, 0.35))
    data.color = (1, 1 - warm / 2, 1 - warm)
    lamp = bpy.data.objects.new("switched", data)
    turn, up = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.7, 1.3))
    way = Vector((math.cos(up) * math.cos(turn), math.cos(up) * math.sin(turn), math.sin(up)))
    lamp.location, lamp.rotation_euler = way * reach, way.to_track_quat("Z", "Y").to_euler()
    lamp.hide_render = not on
    bpy.context.scene.collection.objects.link(lamp)
    bpy.context.view_layer.update()
    return lamp
