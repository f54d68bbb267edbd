"""Acts out a story on a table: moves dice and hands, and emits the frames one by one, with ground truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from mathutils import Quaternion, Vector
from numpy.typing import NDArray

from datasets.generate.blender.table import under_pixel
from datasets.generate.camera.webcam import MARGIN, Sensor
from datasets.generate.clips.recording.film import AWAY, Film, Pose
from datasets.generate.clips.recording.truth import Truth
from datasets.generate.clips.stage import hands, physics
from datasets.generate.clips.stage.dice import Die
from datasets.generate.clips.stage.story import Step
from datasets.generate.clips.stage.table import Table

Pixels = NDArray[np.uint8]
Point = tuple[float, float]

_SHUTTER = 0.02  # seconds that it is open while dice roll
_TRIES = 100


class UnplayableError(RuntimeError):
    """No tried throw ends well on this table."""


@dataclass(frozen=True)
class Stop:
    """A stop on a hand's path: its action there, how long it stays (seconds), and what it drags there."""

    at: Point
    does: Callable[[], None] | None = None
    stays: float = 0.0
    drags: tuple[Die, Pose] | None = None


class Director:
    """Films a table. `play` acts one step; every frame goes to `show` at once."""

    def __init__(
        self,
        rng: np.random.Generator,
        table: Table,
        film: Film,
        sensor: Sensor,
        fps: int,
        sprites: Sequence[Path],
        show: Callable[[Pixels], None],
    ) -> None:
        """`sprites` are the files of `modelled.sprites`; the table's dice must be away."""
        self._rng, self._table, self._film, self._fps, self._sprites = rng, table, film, fps, sprites
        self._show = show
        self._sensor = sensor
        self._every = 1 if fps <= 16 else 2
        self._sides = _sides(rng)
        self._hands: dict[tuple[str, float], hands.Hand] = {}
        self._skins = {side: int(rng.integers(len(hands.SKINS))) for side in self._sides}
        self.truth, self.frames = Truth(), 0
        self.hits: list[float] = []
        """The times at which dice hit the table, in seconds."""
        self.on_table: set[int] = set()

    def play(self, step: Step) -> None:
        """Act one step of a story.

        Raises:
            UnplayableError: no throw ends with every die flat and in view.
        """
        acts: dict[str, Callable[[Step], None]] = {
            "rest": self._rest,
            "throw": self._throw,
            "pick-up": self._pick_up,
            "clear": self._pick_up,
            "nudge": self._nudge,
            "set-aside": self._set_aside,
            "put-back": self._put_back,
            "wave": lambda _: self._wave(),
            "light": lambda _: self._light(),
            "bump": lambda _: self._bump(),
        }
        acts[step.kind](step)

    def shown(self, dice: Sequence[int]) -> dict[int, int]:
        """The values of some dice on the table."""
        return {number: up for number in dice if (up := self._die(number).up)}

    def _die(self, number: int) -> Die:
        return self._table.dice[number]

    def _emit(self, canvas: Pixels | None = None) -> None:
        self._show(self._sensor.frame(self._film.canvas if canvas is None else canvas))
        self.frames += 1

    def _rest(self, step: Step) -> None:
        for _ in range(round(step.seconds * self._fps)):
            self._emit()

    # Throws.

    def _throw(self, step: Step) -> None:
        dice = [self._die(k) for k in step.dice]
        side = float(self._rng.choice(self._sides))
        held = bool(self._rng.random() < 0.7)
        flight = self._flight(dice, side, 0.42 if held else 0.66)
        last = [flight.pose(k, math.inf) for k in range(len(dice))]
        hand = self._throwing_hand(flight, side) if held else iter(())
        first = self.frames
        self._roll(dice, flight, hand)
        self.on_table |= set(step.dice)
        self._film.move(dice, last)
        settled = self.frames
        self._note_roll(step, first, settled)
        for over in hand:
            self._emit(over)

    def _flight(self, dice: Sequence[Die], side: float, out: float) -> physics.Throw:
        """A random throw after which every die on the table is readable."""
        lying = [self._die(k) for k in self.on_table]
        still = [*self._table.still, *(die.thing for die in lying)]
        for weaker in np.linspace(1, 0.5, _TRIES):
            start, aim = self._over(side, out), self._over(side, float(self._rng.uniform(-0.15, 0.2)))
            if start is None or aim is None:
                continue
            start.z, aim.z = float(self._rng.uniform(1.6, 3.2)), float(self._rng.uniform(0, 2))
            speed = (aim - start).length * float(self._rng.uniform(2.4, 4.4) * weaker)
            flight = physics.throw(self._rng, dice, start, aim, speed, still, self._in_reach)
            if flight and self._ends_well(dice, flight, lying):
                return flight
        raise UnplayableError(f"no throw of {len(dice)} dice in {_TRIES} ends with all of them flat and in view")

    def _over(self, side: float, out: float) -> Vector | None:
        """The spot on the table at a distance from the picture's centre towards a side, as a share of the picture's width."""
        spot = under_pixel(self._table.scene, -math.cos(side) * out, math.sin(side) * out)
        return None if spot is None else Vector((*spot, 0))

    def _ends_well(self, dice: Sequence[Die], flight: physics.Throw, lying: Sequence[Die]) -> bool:
        before = [_pose_of(die) for die in dice]
        for k, die in enumerate(dice):
            _stand(die, flight.pose(k, math.inf))
        bpy.context.view_layer.update()
        flat = all(abs(die.thing.location.z - die.half) < 0.06 for die in dice)
        good = flat and all(map(self._in_view, dice)) and self._table.readable([*dice, *lying])
        for die, pose in zip(dice, before, strict=True):
            _stand(die, pose)
        return good

    def _in_reach(self, spot: Vector) -> bool:
        """Whether a die could still end in view: inside the picture or a margin around it."""
        x, y = self._film.pixel(spot)
        height, width = self._film.canvas.shape[:2]
        return bool(-0.3 * width < x < 1.3 * width and -0.3 * height < y < 1.3 * height)

    def _in_view(self, die: Die) -> bool:
        x, y = self._film.pixel(die.thing.matrix_world.translation)
        height, width = self._film.canvas.shape[:2]
        room = MARGIN + 12 + self._unit * 0.75
        return bool(room < x < width - room and room < y < height - room)

    def _roll(self, dice: Sequence[Die], flight: physics.Throw, hand: Iterator[Pixels]) -> None:
        """Film the frames until all dice lie still; resting dice are not traced again."""
        frames = math.ceil(flight.rest / physics.HZ * self._fps)
        was: list[Pose | None] = [None] * len(dice)
        for n in range(frames):
            t = n / self._fps
            if n % self._every == 0:
                now = [flight.pose(k, t) for k in range(len(dice))]
                moving = [k for k in range(len(dice)) if was[k] is None or _apart(now[k], was[k])]
                shut = [flight.pose(k, t + _SHUTTER) for k in moving]
                self._film.move([dice[k] for k in moving], [now[k] for k in moving], shut)
                was = list(now)
            self._emit(next(hand, None))
        self.hits += _hits(flight, (self.frames - frames) / self._fps)

    def _throwing_hand(self, flight: physics.Throw, side: float) -> Iterator[Pixels]:
        """The hand comes in, shakes and lets go; yields the frames of its leaving, to be shown while the dice roll."""
        start = self._film.pixel(Vector(flight.places[0].mean(0)))
        hand = self._hand("cup", side)
        back = self._outside(start, side)
        for over in self._swing(hand, back, start, self._rng.uniform(0.25, 0.5)):
            self._emit(over)
        for n in range(round(self._rng.uniform(0.1, 0.6) * self._fps)):
            self._emit(
                hand.over(self._film.canvas, (start[0] + 4 * math.sin(2.3 * n), start[1] + 5 * math.cos(1.9 * n)))
            )
        return self._swing(hand, start, back, self._rng.uniform(0.35, 0.7))

    def _note_roll(self, step: Step, first: int, settled: int) -> None:
        pieces = [self._piece(k, thrown=k in step.dice) for k in sorted(self.on_table)]
        self.truth.roll(first, settled, pieces)

    def _piece(self, number: int, *, thrown: bool) -> dict[str, object]:
        die = self._die(number)
        x, y = self._film.pixel(die.thing.matrix_world.translation)
        middle = [round(x - MARGIN, 1), round(y - MARGIN, 1)]
        return {"id": number, "kind": die.kind, "value": die.up, "thrown": thrown, "middle": middle}

    # Hands.

    def _hand(self, pose: str, side: float) -> hands.Hand:
        """The hand of the player on a side, made on first use."""
        if (pose, side) not in self._hands:
            fitting = [path for path in self._sprites if path.stem.startswith(pose)]
            path = fitting[self._rng.integers(len(fitting))]
            light = float(self._film.canvas[::8, ::8].mean()) / 255
            reach, skin = sum(self._film.canvas.shape[:2]), self._skins[side]
            way = side + float(self._rng.normal(0, 0.2))
            self._hands[pose, side] = hands.drawn(path, self._rng, self._unit, way, light, reach, skin)
        return self._hands[pose, side]

    @property
    def _unit(self) -> float:
        """Pixels per die edge at the picture's centre."""
        return float(self._table.scene.share * self._film.canvas.shape[1])

    def _outside(self, at: Point, side: float) -> Point:
        """A grip position outside the picture for a hand on the line through a point."""
        height, width = self._film.canvas.shape[:2]
        right, down = math.cos(side), math.sin(side)
        away = 0.0
        while 0 < at[0] - away * right < width and 0 < at[1] - away * down < height:
            away += 10
        away += 5 * self._unit
        return at[0] - away * right, at[1] - away * down

    def _swing(self, hand: hands.Hand, a: Point, b: Point, seconds: float) -> Iterator[Pixels]:
        """Frames of the hand moving smoothly from one point to another."""
        count = max(2, round(seconds * self._fps))
        for n in range(1, count + 1):
            t = n / count
            t = t * t * (3 - 2 * t)
            yield hand.over(self._film.canvas, (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))

    def _visit(self, pose: str, stops: Sequence[Stop], *, slow: float = 1.0) -> tuple[int, int]:
        """A hand comes in, moves from stop to stop and out again; returns the first and last frame that show it."""
        side = float(self._rng.choice(self._sides))
        hand, first = self._hand(pose, side), self.frames
        here = self._outside(stops[0].at, side)
        for stop in stops:
            self._go(hand, here, stop, slow)
            here = stop.at
        for over in self._swing(hand, here, self._outside(here, side), self._rng.uniform(0.3, 0.6)):
            self._emit(over)
        return first, self.frames - 1

    def _go(self, hand: hands.Hand, here: Point, stop: Stop, slow: float) -> None:
        far = math.dist(here, stop.at) / self._film.canvas.shape[1]
        seconds = slow * (0.18 + 0.5 * far) * float(self._rng.uniform(0.8, 1.3))
        if stop.drags is None:
            for over in self._swing(hand, here, stop.at, seconds):
                self._emit(over)
        else:
            self._drag(hand, *stop.drags, max(0.3, seconds))
        if stop.does:
            stop.does()
        for _ in range(round(stop.stays * self._fps)):
            self._emit(hand.over(self._film.canvas, stop.at))

    def _drag(self, hand: hands.Hand, die: Die, end: Pose, seconds: float) -> None:
        """Slide a die to a place under the fingers."""
        start, count = _pose_of(die), max(3, round(seconds * self._fps))
        for n in range(1, count + 1):
            poses = [_between(start, end, min(1.0, (n + more) / count)) for more in (0.0, 0.3)]
            if n == count:
                self._film.move([die], [end])
            elif n % self._every == 0:
                self._film.move([die], [poses[0]], [poses[1]])
            self._emit(hand.over(self._film.canvas, self._film.pixel(die.thing.matrix_world.translation)))

    def _lift(self, number: int) -> None:
        self.truth.touched(self.frames)
        self.on_table.discard(number)
        self._film.move([self._die(number)], [AWAY])

    def _lay(self, number: int, pose: Pose) -> None:
        self.on_table.add(number)
        self._film.move([self._die(number)], [pose])

    def _above(self, number: int) -> Point:
        return self._film.pixel(self._die(number).thing.matrix_world.translation)

    def _pick_up(self, step: Step) -> None:
        left, first = list(step.dice), self.frames
        while left:
            taken = left[:1] if step.singly else left
            left = left[len(taken) :]
            stops = [Stop(self._above(k), self._lifter(k), self._rng.uniform(0, 0.12)) for k in self._in_turn(taken)]
            self._visit("pinch" if step.singly else "flat", stops)
        self.truth.other(step.kind, first, self.frames - 1, dice=list(step.dice))

    def _lifter(self, number: int) -> Callable[[], None]:
        return lambda: self._lift(number)

    def _layer(self, number: int, pose: Pose) -> Callable[[], None]:
        return lambda: self._lay(number, pose)

    def _in_turn(self, dice: Sequence[int]) -> list[int]:
        """The dice in an order in which a hand would pass over them."""
        turn = float(self._rng.choice(self._sides))
        along = {k: np.dot(self._above(k), (math.cos(turn), math.sin(turn))) for k in dice}
        return sorted(dice, key=lambda k: float(along[k]))

    def _nudge(self, step: Step) -> None:
        """A finger pushes a die a little aside."""
        die = self._die(step.dice[0])
        end = self._aside(step.dice[0], near=float(self._rng.uniform(0.3, 1.6)))
        if end is None:
            return
        begin = Stop(self._above(step.dice[0]), lambda: self.truth.touched(self.frames), 0.05)
        first, last = self._visit("pinch", [begin, Stop(self._film.pixel(end[0]), drags=(die, end), stays=0.1)])
        self.truth.other("nudge", first, last, dice=list(step.dice))

    def _set_aside(self, step: Step) -> None:
        """Take dice and lay them elsewhere with the same face up, or push them there."""
        first, stops = self.frames, []
        for number in step.dice:
            end = self._aside(number, near=None)
            if end is None:
                continue
            stops += [
                Stop(self._above(number), self._lifter(number), 0.1),
                Stop(self._film.pixel(end[0]), self._layer(number, end), 0.1),
            ]
            self._table.scene.taken.append((end[0].x, end[0].y, 0.8))
        del self._table.scene.taken[len(self._table.scene.taken) - len(stops) // 2 :]
        if stops:
            self._visit("pinch", stops)
            self.truth.other("hand", first, self.frames - 1, does="set-aside", dice=list(step.dice))

    def _put_back(self, step: Step) -> None:
        """Take a die away, look at it, and put it back near its place."""
        (number,) = step.dice
        end = self._aside(number, near=float(self._rng.uniform(0.0, 0.8))) or _pose_of(self._die(number))
        first = self.frames
        self._visit("pinch", [Stop(self._above(number), self._lifter(number), 0.1)])
        self._rest(Step("rest", seconds=float(self._rng.uniform(0.2, 0.8))))
        self._visit("pinch", [Stop(self._film.pixel(end[0]), self._layer(number, end), 0.15)])
        self.truth.other("pick-up", first, self.frames - 1, does="put-back", dice=[number])

    def _wave(self) -> None:
        """A hand passes over the table without touching anything."""
        height, width = self._film.canvas.shape[:2]
        spots = self._rng.uniform(0.2, 0.8, (int(self._rng.integers(1, 3)), 2)) * (width, height)
        stops = [Stop((float(x), float(y)), stays=float(self._rng.uniform(0, 0.3))) for x, y in spots]
        first, last = self._visit("flat" if self._rng.random() < 0.7 else "pinch", stops, slow=1.2)
        self.truth.other("hand", first, last, does="wave")

    def _aside(self, number: int, near: float | None) -> Pose | None:
        """Another pose for a die with the same face up: at a distance of `near`, or (None) anywhere free and in view."""
        die, old = self._die(number), _pose_of(self._die(number))
        for _ in range(60):
            spot = self._anywhere() if near is None else self._step_away(old[0], near)
            if spot is None or not self._free(spot, number):
                continue
            spin = Quaternion((0, 0, 1), float(self._rng.normal(0, 0.5)))
            pose = Vector((*spot, old[0].z)), spin @ old[1]
            if self._would_do(die, pose):
                return pose
        return None

    def _anywhere(self) -> Point | None:
        return under_pixel(self._table.scene, *self._rng.uniform(-0.4, 0.4, 2))

    def _step_away(self, place: Vector, far: float) -> Point:
        turn = self._rng.uniform(0, 2 * math.pi)
        return place.x + far * math.cos(turn), place.y + far * math.sin(turn)

    def _free(self, spot: Point, number: int) -> bool:
        others = [self._die(k).thing.matrix_world.translation.xy for k in self.on_table if k != number]
        taken = [(place, radius + 0.8) for *place, radius in self._table.scene.taken]
        clear = all(math.dist(spot, place) > room for place, room in [*((p, 1.9) for p in others), *taken])
        return clear and not self._on_rim(spot)

    def _on_rim(self, spot: Point) -> bool:
        rim = bpy.data.objects.get("rim")
        if rim is None:
            return False
        reach = [vertex.co.xy.length for vertex in rim.data.vertices]
        inner = max(reach) * math.cos(2 * math.pi / len(reach))
        return bool(inner - 1.2 < math.hypot(*spot) < max(reach) + 1.7)

    def _would_do(self, die: Die, pose: Pose) -> bool:
        before = _pose_of(die)
        _stand(die, pose)
        bpy.context.view_layer.update()
        good = self._in_view(die) and self._table.readable([self._die(k) for k in self.on_table])
        _stand(die, before)
        bpy.context.view_layer.update()
        return good

    # Light and camera.

    def _light(self) -> None:
        first, before = self.frames, self._film.canvas
        self._table.lamp.hide_render = not self._table.lamp.hide_render
        self._film.whole()
        self._hands.clear()
        for t in np.linspace(0, 1, int(self._rng.integers(2, 5)))[1:]:
            self._emit((before + (self._film.canvas.astype(np.float32) - before) * t).astype(np.uint8))
        self.truth.other("light", first, self.frames - 1, on=not self._table.lamp.hide_render)

    def _bump(self) -> None:
        first, seconds = self.frames, self._sensor.bump()
        self._rest(Step("rest", seconds=seconds))
        self.truth.other("bump", first, self.frames - 1)


def _sides(rng: np.random.Generator) -> list[float]:
    """The directions in which hands reach in: one player's, or those of two opposite players."""
    one = float(rng.uniform(0, 2 * math.pi))
    return [one] if rng.random() < 0.5 else [one, one + math.pi + float(rng.normal(0, 0.3))]


def _pose_of(die: Die) -> Pose:
    place, turn, _ = die.thing.matrix_world.decompose()
    return place, turn


def _stand(die: Die, pose: Pose) -> None:
    die.thing.rotation_mode = "QUATERNION"
    die.thing.location, die.thing.rotation_quaternion = pose


def _between(a: Pose, b: Pose, t: float) -> Pose:
    t = t * t * (3 - 2 * t)
    return a[0].lerp(b[0], t), a[1].slerp(b[1] if a[1].dot(b[1]) >= 0 else -b[1], t)


def _apart(a: Pose, b: Pose | None) -> bool:
    return b is None or (a[0] - b[0]).length > 0.004 or abs(a[1].dot(b[1])) < 0.99999


def _hits(flight: physics.Throw, start: float) -> list[float]:
    """The times at which dice hit the table or each other: where their speed jumps."""
    speeds = np.diff(flight.places, axis=0)
    jumps = np.linalg.norm(np.diff(speeds, axis=0), axis=2)
    at, _ = np.nonzero(jumps > 0.12)
    return [start + float(frame) / physics.HZ for frame in at]
