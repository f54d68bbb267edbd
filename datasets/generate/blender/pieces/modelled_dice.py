"""Dice modelled by other people (`datasets.generate.parts.dice_models`), for looks that our own code does not produce."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from datasets.generate.blender.materials import Stuff
from datasets.generate.blender.table import NUMERALS, Kind, Placed, Rng, Scene, spot_on_table
from datasets.generate.parts import drawings
from datasets.generate.parts.dice_models import DieModel, Theme, themes_in

_MIXED = 0.3
"""Probability that the dice of a table are of several themes."""
_ANOTHER = 0.3
"""Probability that a die has another colour than the one before."""
_READ: dict[str, Kind] = {"d12": "d12", "pip": "d6"}
"""The bodies that are pieces, and their kinds."""


def strew(scene: Scene, count: int, spread: float, *, near: bool) -> None:
    """Throw up to `count` dice of the recipe's `bodies`, mostly of one theme; `near`: they touch each other.

    Raises:
        DiceModelsError: the recipe's folder has no such dice.
    """
    rng, bodies = scene.rng, scene.recipe["bodies"]
    weights = np.array(list(bodies.values()), float)
    themes = _themes(scene.recipe["models"])
    several, one = bool(rng.random() < _MIXED), int(rng.integers(1 << 30))
    looks: dict[Path, _Look] = {}
    for _ in range(count):
        body = str(rng.choice(list(bodies), p=weights / weights.sum()))
        having = [theme for theme in themes if body in theme.meshes]
        if not having:
            continue
        theme = having[int(rng.integers(1 << 30) if several else one) % len(having)]
        if theme.folder not in looks or rng.random() < _ANOTHER:
            looks[theme.folder] = _look(rng, theme)
        _put(scene, theme.meshes[body], looks[theme.folder], spread, near=near)


@functools.cache
def _themes(folder: str) -> list[Theme]:
    return themes_in(Path(folder))


_Look = tuple[Any, drawings.Colour]
"""A material, and its main colour."""


def _look(rng: Rng, theme: Theme) -> _Look:
    body = drawings.any_colour(rng)
    stuff = Stuff(body, rng.uniform(0.1, 0.6))
    where = stuff.coordinates("UV", (1, 1, 1))
    if theme.inks is not None:
        ink = _image(stuff, theme.inks["light" if drawings.luminance(body) < 0.5 else "dark"], where)
        stuff.mix(ink.outputs["Color"], ink.outputs["Alpha"])
        if rng.random() < 0.15:
            stuff.set(Transmission_Weight=rng.uniform(0.3, 0.9), Roughness=rng.uniform(0, 0.3))
    elif (picture := theme.picture("diffuseTexture")) is not None:
        stuff.paint(_image(stuff, picture, where).outputs["Color"])
        if "metal" in theme.folder.name.lower():
            stuff.set(Metallic=rng.uniform(0.4, 1.0), Roughness=rng.uniform(0.15, 0.5))
    if (bumps := theme.picture("bumpTexture")) is not None:
        _follow(stuff, _image(stuff, bumps, where, data=True), rng.uniform(0.3, 1.0))
    return stuff.material, body


def _image(stuff: Stuff, file: Path, where: Any, *, data: bool = False) -> Any:
    node = stuff.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(file))
    node.image.colorspace_settings.name = "Non-Color" if data else "sRGB"
    stuff.links.new(where, node.inputs["Vector"])
    return node


def _follow(stuff: Stuff, normals: Any, strength: float) -> None:
    """Make the surface follow a normal map."""
    node = stuff.nodes.new("ShaderNodeNormalMap")
    node.inputs["Strength"].default_value = strength
    stuff.links.new(normals.outputs["Color"], node.inputs["Color"])
    stuff.links.new(node.outputs["Normal"], stuff.shader.inputs["Normal"])


def _put(scene: Scene, die: DieModel, look: _Look, spread: float, *, near: bool) -> None:
    rng = scene.rng
    radius = rng.uniform(0.55, 0.75)
    spot = spot_on_table(scene, radius * 1.05, spread, near=near)
    if spot is None:
        return
    value = int(rng.choice(sorted(die.sides)))
    kind = _READ.get(die.body)
    thing = bpy.data.objects.new(kind or NUMERALS, _mesh(die, look[0]))
    bpy.context.scene.collection.objects.link(thing)
    upright = Vector(die.turned_up(value)).rotation_difference(Vector((0, 0, 1))).to_matrix().to_4x4()
    turn = Matrix.Rotation(rng.uniform(0, 2 * math.pi), 4, "Z") @ upright
    scale = radius / die.reach
    lift = -scale * float((die.vertices @ np.array(turn.to_3x3()).T)[:, 2].min())
    thing.matrix_world = Matrix.Translation((*spot, lift)) @ turn @ Matrix.Scale(scale, 4)
    if kind is None:
        scene.others.append(thing)
    else:
        scene.pieces.append(Placed(thing, kind, look[1], die.face(value), value=value))


def _mesh(die: DieModel, material: Any) -> Any:
    mesh = bpy.data.meshes.new(die.body)
    mesh.from_pydata(die.vertices.tolist(), [], die.triangles.tolist())
    layer = mesh.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", die.uv[die.triangles].astype(np.float32).ravel())
    mesh.materials.append(material)
    mesh.update()
    return mesh
