"""The state of a table while it is laid: the pieces, the other things, and the occupied places.

Lengths are in die edges: a pip die is about 1 wide. The table is the plane z = 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from numpy.typing import NDArray

from datasets.generate.parts import drawings

Rng = np.random.Generator
Recipe = Mapping[str, Any]
Kind = Literal["d6", "d12", "domino"]
NUMERALS = "numerals"
"""Name of the dice that are not read; the labels use it to recognise them."""


@dataclass
class Placed:
    """A piece in the scene.

    `top` marks the vertices of its mesh that belong to the face to be read. A die has a `value` (None: cocked, no
    face is up); a domino has `ends` (None, None: no face shows) and the four corners of its face as `outline` (4 x 3,
    object coordinates): corner 0 to 1 is a long side, the first end lies between corners 0 and 3.
    """

    thing: Any
    kind: Kind
    colour: drawings.Colour
    top: NDArray[np.bool_]
    value: int | None = None
    ends: tuple[int | None, int | None] = (None, None)
    outline: NDArray[np.float64] | None = None
    cocked: bool = False


@dataclass
class Scene:
    """A table being laid, or laid and ready to render."""

    rng: Rng
    recipe: Recipe
    camera: Any
    distance: float
    share: float
    """Share of the picture's width that one die's edge takes."""
    pieces: list[Placed] = field(default_factory=list)
    others: list[Any] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)


def spot_on_table(scene: Scene, size: float, spread: float, *, near: bool) -> tuple[float, float] | None:
    """A free place for a disc of radius `size` inside the picture; `near`: touching something on the table."""
    rng = scene.rng
    for _ in range(40):
        if near and scene.taken:
            x, y, r = scene.taken[rng.integers(len(scene.taken))]
            turn, gap = rng.uniform(0, 2 * math.pi), (r + size) * rng.uniform(0.86, 1.1)
            spot: tuple[float, float] | None = (x + gap * math.cos(turn), y + gap * math.sin(turn))
        else:
            spot = under_pixel(scene, rng.uniform(-0.5, 0.5) * spread, rng.uniform(-0.5, 0.5) * spread)
        slack = 0.8 if near else 1.0
        if spot and all(math.dist(spot, (x, y)) > (r + size) * slack for x, y, r in scene.taken):
            scene.taken.append((*spot, size))
            return spot
    return None


def under_pixel(scene: Scene, u: float, v: float) -> tuple[float, float] | None:
    """The place on the table at a point of the picture (-0.5 to 0.5 from its centre); None if it is too far."""
    render, data = bpy.context.scene.render, scene.camera.data
    wide = max(render.resolution_x, render.resolution_y)
    span = data.sensor_width / data.lens
    ray = Vector((u * span * render.resolution_x / wide, v * span * render.resolution_y / wide, -1))
    eye = scene.camera.matrix_world.translation
    way = scene.camera.matrix_world.to_3x3() @ ray
    if way.z >= -1e-3:
        return None
    spot = eye + way * (eye.z / -way.z)
    return None if (spot - eye).length > 2.2 * scene.distance else (spot.x, spot.y)


def stand(scene: Scene, thing: Any, spot: tuple[float, float], lift: float, turn: Quaternion | None = None) -> None:
    """Put a thing that is no piece on the table, with a random rotation about the vertical."""
    spin = Matrix.Rotation(scene.rng.uniform(0, 2 * math.pi), 4, "Z")
    thing.matrix_world = (
        Matrix.Translation((*spot, lift)) @ spin @ (turn or Quaternion()).to_matrix().to_4x4() @ thing.matrix_world
    )
    scene.others.append(thing)
