"""Throws by Blender's rigid bodies (Bullet): every die's pose from the hand to the last wobble.

Lengths are in die edges, seconds are the film's. A real die of 16 mm falls faster than here: gravity is a third of the real
one, as if the film ran at 60 %, so that a throw lasts about as long as one across a longer table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from numpy.typing import NDArray

from datasets.generate.clips.stage.dice import Die

Rng = np.random.Generator

HZ = 60
"""Poses per second."""
GRAVITY = 220.0
_LAST = 2.4  # seconds: dice that still move then are thrown again
_STILL = (0.012, math.radians(0.6))


@dataclass(frozen=True)
class Throw:
    """A simulated throw: a pose of each die every 1 / HZ s.

    Attributes:
        places: frames x dice x 3.
        turns: frames x dice x 4, quaternions (w, x, y, z).
        rest: the frame from which nothing moves.
    """

    places: NDArray[np.float64]
    turns: NDArray[np.float64]
    rest: int

    def pose(self, die: int, seconds: float) -> tuple[Vector, Quaternion]:
        """A die's place and rotation at a time after its release, interpolated between frames."""
        at = min(max(seconds * HZ, 0.0), float(self.rest))
        low = int(at)
        high = min(low + 1, self.rest)
        place = Vector(self.places[low, die]).lerp(Vector(self.places[high, die]), at - low)
        turn, then = Quaternion(self.turns[low, die]), Quaternion(self.turns[high, die])
        return place, turn.slerp(then if turn.dot(then) >= 0 else -then, at - low)


def throw(
    rng: Rng,
    dice: Sequence[Die],
    start: Vector,
    aim: Vector,
    speed: float,
    still: Sequence[Any],
    near: Callable[[Vector], bool],
) -> Throw | None:
    """Throw some dice from `start` towards `aim` (points over the table).

    `still` are the fixed things on the table: the ground, dice set aside, a tray's rim. Returns None if the
    dice don't come to rest in time, or one leaves the area that is `near`.
    """
    bodies = [_body(die) for die in dice]
    try:
        _world([*bodies, *still], len(bodies))
        for k, body in enumerate(bodies):
            _launch(rng, body, k, start, aim, speed)
        return _run(bodies, near)
    finally:
        bpy.ops.rigidbody.world_remove()
        bpy.context.scene.frame_set(1)
        for body in bodies:
            bpy.data.objects.remove(body)


def _body(die: Die) -> Any:
    """An invisible twin of a die for the physics: the die itself only moves where the film puts it."""
    twin = bpy.data.objects.new("body", die.thing.data)
    twin.scale = die.thing.scale
    twin.hide_render = True
    twin["kind"] = die.kind
    bpy.context.scene.collection.objects.link(twin)
    return twin


def _world(things: Sequence[Any], moving: int) -> None:
    scene = bpy.context.scene
    scene.render.fps, scene.gravity = HZ, (0, 0, -GRAVITY)
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = bpy.data.collections.new("bodies")
    world.substeps_per_frame, world.solver_iterations = 10, 20
    world.point_cache.frame_start, world.point_cache.frame_end = 1, int(_LAST * HZ) + 10
    for k, thing in enumerate(things):
        _solid(thing, active=k < moving)


def _solid(thing: Any, *, active: bool) -> None:
    with bpy.context.temp_override(object=thing, active_object=thing, selected_objects=[thing]):
        bpy.ops.rigidbody.object_add(type="ACTIVE" if active else "PASSIVE")
    body = thing.rigid_body
    body.collision_shape = _shape(thing)
    body.friction, body.restitution, body.mass = 0.4, 0.4, 1.0
    body.linear_damping, body.angular_damping = 0.04, 0.12
    body.use_margin, body.collision_margin = True, 0.0 if active else 0.01
    body.use_deactivation = False


def _shape(thing: Any) -> str:
    if thing.name.startswith(("ground", "rim", "floor", "Circle")):
        return "MESH"
    return "BOX" if thing.get("kind") == "d6" or thing.name.startswith("d6") else "CONVEX_HULL"


def _launch(rng: Rng, body: Any, k: int, start: Vector, aim: Vector, speed: float) -> None:
    """Carry a body for two frames as a hand would, then let go: physics takes over its speed and spin."""
    way = (aim - start).normalized()
    aside = Vector((-way.y, way.x, 0)) * float(rng.normal(0, 0.16))
    going = (way + aside) * speed * float(rng.uniform(0.8, 1.2))
    cell = Vector((k % 2 - 0.5, k // 2 % 2 - 0.5, k // 4)) * 1.45
    place = start + cell + Vector(rng.normal(0, 0.05, 3).tolist())
    turn = Quaternion(rng.normal(0, 1, 4).tolist()).normalized()
    roll = Vector((-going.y, going.x, 0)) * float(rng.uniform(0.5, 1.4)) + Vector(rng.normal(0, 6, 3).tolist())
    spin = Quaternion(roll.normalized(), roll.length / HZ)
    body.rotation_mode = "QUATERNION"
    for frame in (1, 2, 3):
        body.location, body.rotation_quaternion = place, turn
        body.keyframe_insert("location", frame=frame)
        body.keyframe_insert("rotation_quaternion", frame=frame)
        place, turn = place + going / HZ, spin @ turn
    for frame, held in ((1, True), (3, False)):
        body.rigid_body.kinematic = held
        body.rigid_body.keyframe_insert("kinematic", frame=frame)


def _run(bodies: Sequence[Any], near: Callable[[Vector], bool]) -> Throw | None:
    scene, places, turns = bpy.context.scene, [], []
    for frame in range(1, int(_LAST * HZ) + 1):
        scene.frame_set(frame)
        if frame < 3:
            continue
        matrices = [Matrix(body.matrix_world) for body in bodies]
        places.append([list(matrix.translation) for matrix in matrices])
        turns.append([list(matrix.to_quaternion()) for matrix in matrices])
        if frame % 12:
            continue
        if not all(near(matrix.translation) for matrix in matrices):
            return None
        if _at_rest(np.array(places), np.array(turns)) < len(places) - HZ // 4:
            break
    found = Throw(np.array(places), np.array(turns), _at_rest(np.array(places), np.array(turns)))
    return found if found.rest < len(places) - HZ // 5 else None


def _at_rest(places: NDArray[np.float64], turns: NDArray[np.float64]) -> int:
    """The first frame from which every die stays in its final pose."""
    away = np.abs(places - places[-1]).max((1, 2))
    cosines = np.abs((turns * turns[-1]).sum(2)).clip(0, 1)
    turned = (2 * np.arccos(cosines)).max(1)
    moving = np.flatnonzero((away > _STILL[0]) | (turned > _STILL[1]))
    return int(moving[-1]) + 1 if len(moving) else 0
