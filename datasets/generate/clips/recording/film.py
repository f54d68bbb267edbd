"""Frames of a table on which little moves: Cycles renders the whole table once, then only patches that change.

Tracing every whole frame would take minutes per second of film. A patch is the box of a moving object, at its old and its new
position, with its shadows; it is blended into the previous frame with a soft seam. This loses light that a die reflects far away,
which nobody notices. Cycles blurs fast motion as a shutter would.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from numpy.typing import NDArray
from PIL import Image

from datasets.generate.blender import shoot
from datasets.generate.blender.table import Scene
from datasets.generate.clips.recording.boxes import Box, clusters
from datasets.generate.clips.stage.dice import Die

Pixels = NDArray[np.uint8]
Pose = tuple[Vector, Quaternion]

_SEAM = 6  # pixels over which a patch fades into what was there
AWAY = (Vector((0, 0, -900)), Quaternion())
"""The pose of a die that is not on the table."""


class Film:
    """The picture of the table, kept up to date while dice move. `canvas` is height x width x 3."""

    def __init__(self, scene: Scene, dice: Sequence[Die], samples: tuple[int, int]) -> None:
        """Render the table without its dice; `samples`: light paths per pixel for resting and for moving dice."""
        self._scene, (self._fine, self._coarse) = scene, samples
        settings = bpy.context.scene
        for die in dice:
            _pose(die.thing, AWAY, AWAY)
        settings.render.use_persistent_data = True
        settings.render.use_motion_blur = True
        settings.render.motion_blur_shutter, settings.render.motion_blur_position = 1.0, "START"
        self._folder = tempfile.TemporaryDirectory()
        self.canvas: Pixels = np.array(shoot.render(scene, self._fine, threads=1))
        settings.render.filepath = str(Path(self._folder.name) / "patch.png")

    def whole(self) -> None:
        """Render everything anew, after a change of light."""
        bpy.context.scene.render.use_border = False
        bpy.context.scene.cycles.samples = self._fine
        self.canvas = self._shot()

    def move(self, dice: Sequence[Die], now: Sequence[Pose], closed: Sequence[Pose] | None = None) -> None:
        """Move some dice and render the changes.

        Args:
            dice: the dice that move.
            now: their poses when the shutter opens.
            closed: their poses when it closes; None: they are at rest, and rendered with more samples.
        """
        where = [self._around(die) for die in dice]
        for die, pose, then in zip(dice, now, closed or now, strict=True):
            _pose(die.thing, pose, then)
        bpy.context.scene.frame_set(1)
        where += [self._around(die) for die in dice]
        if closed:
            where += [self._around(die, pose) for die, pose in zip(dice, closed, strict=True)]
        self._patch((box for boxes in where for box in boxes), self._coarse if closed else self._fine)

    def pixel(self, spot: Vector) -> tuple[float, float]:
        """The pixel of a point of the world."""
        height, width = self.canvas.shape[:2]
        camera = self._scene.camera
        local = camera.matrix_world.inverted() @ spot
        scale = camera.data.lens / camera.data.sensor_width * max(width, height) / -local.z
        return width / 2 + local.x * scale, height / 2 - local.y * scale

    def _patch(self, boxes: Iterable[Box], samples: int) -> None:
        bpy.context.scene.cycles.samples = samples
        height, width = self.canvas.shape[:2]
        inside = [box.inside(width, height) for box in boxes]
        for box in clusters([box for box in inside if box.area > 0]):
            self._lay(box)

    def _lay(self, box: Box) -> None:
        height, width = self.canvas.shape[:2]
        render = bpy.context.scene.render
        render.use_border = render.use_crop_to_border = True
        render.border_min_x, render.border_max_x = box.left / width, box.right / width
        render.border_min_y, render.border_max_y = 1 - box.bottom / height, 1 - box.top / height
        patch = self._shot()[: box.bottom - box.top, : box.right - box.left]
        rows, columns = patch.shape[:2]
        view = self.canvas[box.top : box.top + rows, box.left : box.left + columns]
        seam = box.seam(width, height, _SEAM)[:rows, :columns, None]
        view[:] = (view + (patch.astype(np.float32) - view) * seam).round().astype(np.uint8)

    def _shot(self) -> Pixels:
        bpy.ops.render.render(write_still=True)
        return np.array(Image.open(bpy.context.scene.render.filepath).convert("RGB"))

    def _around(self, die: Die, pose: Pose | None = None) -> list[Box]:
        """The boxes of a die and of its shadow under each lamp, in pixels; none if the die is away."""
        place = pose[0] if pose else die.thing.matrix_world.translation
        if place.z < -1:
            return []
        reach = die.half * 1.75
        spots = [place, *(spot for lamp in _lamps() if (spot := _shadow(lamp, place)))]
        return [self._box(place, spot, reach) for spot in spots]

    def _box(self, place: Vector, spot: Vector, reach: float) -> Box:
        """The box around a ball at a place and a spot on the table, including the space between the two."""
        corners = [Vector((x, y, z)) * reach for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        points = [self.pixel(at + corner) for at in (place, spot) for corner in corners]
        return Box.around(points)


def _lamps() -> list[Any]:
    return [thing for thing in bpy.context.scene.objects if thing.type == "LIGHT" and not thing.hide_render]


def _shadow(lamp: Any, place: Vector) -> Vector | None:
    """The place where a point's shadow falls on the table; None if it is too far to matter."""
    from_above = lamp.matrix_world.to_3x3() @ Vector((0, 0, 1))
    way = from_above if lamp.data.type == "SUN" else lamp.matrix_world.translation - place
    if way.z < 0.05:
        return None
    spot = place - way * (place.z / way.z)
    return spot if (spot - place).length < 2 + 2 * place.z else None


def _pose(thing: Any, now: Pose, closed: Pose) -> None:
    """Set a thing's pose; the keys on frames 1 and 2 are the shutter's opening and closing."""
    thing.rotation_mode = "QUATERNION"
    # A quaternion and its negative are the same rotation, but interpolate differently between two keys.
    ends = closed[0], closed[1] if now[1].dot(closed[1]) >= 0 else -closed[1]
    for frame, (place, turn) in ((1, now), (2, ends)):
        thing.location, thing.rotation_quaternion = place, turn
        thing.keyframe_insert("location", frame=frame)
        thing.keyframe_insert("rotation_quaternion", frame=frame)
    thing.matrix_world = Matrix.LocRotScale(now[0], now[1], thing.scale)
