"""Lays dice into a scene: pip dice, twelve-sided ones and other dice; they may touch."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.generate.composite.boxes import Canvas
from datasets.generate.composite.cups import Cup, lay_cup
from datasets.generate.composite.labels import Label
from datasets.generate.drawn.camera import Camera, any_camera
from datasets.generate.drawn.dice_scenes import Standing, d12, other_die, pip_die
from datasets.generate.drawn.materials import Light, any_light
from datasets.generate.drawn.render_die import Rounding, any_rounding, put
from datasets.generate.parts.canvas import CANVAS
from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.outlines import fixed, hull, inside
from datasets.generate.parts.paint import blurred
from datasets.generate.parts.solids import Body, numbering
from datasets.generate.parts.tile_faces import Floats

_SHARE = 0.5
"""A die's longer side over the drawing board's."""
_LARGEST = 2.0
"""The largest scale from the drawing board to the picture: beyond it a die would be blurred."""
_TOUCHING = 0.3
"""Probability that a die touches the one before: two side by side look like a domino."""
_ALIKE = 0.7
"""Probability that two touching dice are of one set."""
_ELEVATIONS = (25.0, 90.0)
"""Range of the camera's elevation over the table for dice, in degrees."""
_IN_CUP = 0.12
"""Probability that the dice lie in a cup, a shaker or a tray, with nothing else in the picture."""
_TRIES = 4
"""Number of places tried for a die."""


DieMaker = Callable[[Rng], tuple[Standing, Rounding]]


@dataclass(frozen=True)
class Mix:
    """Probabilities of the kinds of dice (adding up to 1), and of features that make dice look like dominoes."""

    d6: float
    d12: float
    other: float
    twins: float
    """Probability that a pip die has another flush against it, edge along edge, like dice pushed together."""
    lamps: float
    """Probability that a scene has one near lamp, which gives every die a dark shadow about as long as itself."""


ALL_KINDS = Mix(d6=0.48, d12=0.27, other=0.25, twins=0.35, lamps=0.15)
LIKE_DOMINOES = Mix(d6=0.9, d12=0.05, other=0.05, twins=0.5, lamps=0.5)
"""The mix for the network that tells dominoes from dice."""


@dataclass(frozen=True)
class Shadow:
    """A near lamp's shadow: its offset (x, y, in lengths of the die), the share of light it takes (0..1), its edge's softness."""

    way: Points
    depth: float
    soft: float


@dataclass(frozen=True)
class Place:
    """The place of a die: its centre (x, y) and its longer side, in pixels."""

    middle: Points
    long: float

    @property
    def box(self) -> Points:
        """Left, top, right, bottom."""
        return np.array([*(self.middle - self.long / 2), *(self.middle + self.long / 2)])


def lay_numbered(rng: Rng, canvas: Canvas, taken: Points, mix: Mix = ALL_KINDS) -> list[Label]:
    """Lay one to eight dice, about as large as each other, clear of all pieces and of boxes (n x 4, pixels).

    Args:
        rng: source of randomness.
        canvas: drawn on in place; the dice are entered in the map of owners.
        taken: boxes that must not be covered.
        mix: the kinds of dice, and the features beside them.

    Returns:
        The labels of the dice; those of kind "other die" have no value.

    Raises:
        FileNotFoundError: this machine has no font with digits.
    """
    size, light, cup = _size(rng, canvas), any_light(rng), None
    if not len(taken) and not canvas.owner.any() and rng.random() < _IN_CUP:
        cup = lay_cup(rng, canvas)
        size = min(cup.radius * rng.uniform(0.25, 0.9), _LARGEST * CANVAS * _SHARE)
    kinds = rng.choice(["d6", "d12", "other die"], 2, p=[mix.d6, mix.d12, mix.other])
    shadow = _shadow(rng) if rng.random() < mix.lamps else None
    labels: list[Label] = []
    last: Place | None = None
    for _ in range(int(rng.choice([1, 2, 3, 5, 8], p=[0.2, 0.2, 0.2, 0.3, 0.1]))):
        beside = last if rng.random() < _TOUCHING else None
        last = _free(rng, canvas, taken, size * rng.uniform(0.88, 1.12), beside, cup)
        if last is None:
            continue
        laid = _laid(rng, canvas, last, str(rng.choice(kinds, p=[0.8, 0.2])))
        labels += _drawn(rng, canvas, laid, light, shadow)
        if laid.kind == "d6" and rng.random() < mix.twins:
            twin = _twin(rng, laid)
            labels += _drawn(rng, canvas, twin, light, shadow) if _fits(canvas, taken, twin.place, held=0.3) else []
    return labels


def _shadow(rng: Rng) -> Shadow:
    turn, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.6, 1.5)
    way = np.array([math.cos(turn), math.sin(turn)]) * far
    return Shadow(way, rng.uniform(0.4, 0.95), float(rng.choice([0.01, 0.04, 0.1])))


def lay_set(rng: Rng, canvas: Canvas, makers: Sequence[DieMaker], size: float, light: Light) -> list[Label]:
    """Lay dice of one set clear of each other, each about `size` pixels long; returns the labels of those with a place.

    `makers`: functions that make a die and its rounding each.
    """
    labels: list[Label] = []
    nothing = np.zeros((0, 4))
    for make in makers:
        standing, rounding = make(rng)
        place = _free(rng, canvas, nothing, size * rng.uniform(0.94, 1.06), None)
        if place is not None and _fits_whole(canvas, place):
            up = _elevation(canvas, place)
            eye = _framed(any_camera(rng, standing.die.body, up), standing.die.body)
            labels += _drawn(rng, canvas, Laid("d6", standing, rounding, eye, place, up), light)
    return labels


def _fits_whole(canvas: Canvas, place: Place) -> bool:
    """Whether the place lies well inside the picture."""
    left, top, right, bottom = place.box
    slack = 0.1 * place.long
    return bool(min(left, top) > slack and right < canvas.size[0] - slack and bottom < canvas.size[1] - slack)


def _size(rng: Rng, canvas: Canvas) -> float:
    """A die's longer side in pixels, log-uniform from 4 to 28 % of the picture's."""
    most = min(0.28, _LARGEST * CANVAS * _SHARE / max(canvas.size))
    return max(canvas.size) * float(np.exp(rng.uniform(math.log(0.04), math.log(most))))


def _free(
    rng: Rng, canvas: Canvas, taken: Points, size: float, beside: Place | None, cup: Cup | None = None
) -> Place | None:
    """A free place; `beside`: it may touch that place and overlap a corner of its box; `cup`: it lies in the cup."""
    for _ in range(_TRIES):
        place = Place(rng.uniform(size * 0.35, np.array(canvas.size) - size * 0.35), size)
        if cup is not None:
            turn, reach = rng.uniform(0, 2 * math.pi), max(0.0, cup.radius - 0.6 * size)
            way = np.array([math.cos(turn), math.sin(turn)]) * math.sqrt(rng.random())
            place = Place(cup.middle + reach * way, size)
        if beside is not None:
            turn = rng.uniform(0, 2 * math.pi)
            away = np.array([math.cos(turn), math.sin(turn)]) * (size + beside.long) / 2
            place = Place(beside.middle + away * rng.uniform(0.97, 1.15), size)
        if _fits(canvas, taken, place, held=0.12 if beside else 0):
            return place
    return None


def _fits(canvas: Canvas, taken: Points, place: Place, held: float) -> bool:
    """Whether a third of the place is in the picture, no box is covered, and at most `held` of it belongs to pieces."""
    left, top, right, bottom = np.clip(place.box, 0, [*canvas.size, *canvas.size]).astype(int)
    if right - left < place.long / 3 or bottom - top < place.long / 3:
        return False
    covered = any(inside(place.box[None], tuple(box))[0] > 0.02 for box in taken)
    return not covered and bool((canvas.owner[top:bottom, left:right] > 0).mean() <= held)


@dataclass(frozen=True)
class Laid:
    """A die, the camera that shows it at the centre of a drawing board, and its place."""

    kind: str
    standing: Standing
    rounding: Rounding
    eye: Camera
    place: Place
    up: float

    @property
    def outline(self) -> Points:
        """Its vertices in the picture (n x 2, pixels), around (0, 0)."""
        return self.shown(self.standing.die.body.vertices)

    def shown(self, points: Points) -> Points:
        """Points of the die's scene (n x 3) projected to the picture (n x 2, pixels), with the die's centre at (0, 0)."""
        seen = self.eye.see(self.standing.die.body.vertices)
        middle, sides = (seen.min(0) + seen.max(0)) / 2, np.ptp(seen, axis=0)
        return np.asarray((self.eye.see(points) - middle) * self.place.long / float(sides.max()))


def _laid(rng: Rng, canvas: Canvas, place: Place, kind: str) -> Laid:
    standing = _standing(rng, kind)
    up, body = _elevation(canvas, place), standing.die.body
    eye = _framed(any_camera(rng, body, up), body)
    return Laid(kind, standing, any_rounding(rng, standing.cube), eye, place, up)


def _twin(rng: Rng, laid: Laid) -> Laid:
    """A die in the same orientation, flush against one of its sides."""
    body = laid.standing.die.body
    value, top = int(rng.integers(1, 7)), int(np.argmax(body.normals[:, 2]))
    other = laid.standing if rng.random() < _ALIKE else _standing(rng, laid.kind)
    die = replace(other.die, body=body, values=numbering(rng, body, top, value))
    sides = [k for k in range(6) if abs(body.normals[k, 2]) < 0.5]
    side = sides[int(rng.integers(len(sides)))]
    edge = 2 * float((body.vertices @ body.normals[side]).max()) * body.normals[side]
    seen, moved = laid.eye.see(body.vertices), laid.eye.see(body.vertices + edge)
    away = (moved - seen).mean(0) * laid.place.long / float(np.ptp(seen, axis=0).max())
    place = Place(laid.place.middle + away * rng.uniform(0.98, 1.08), laid.place.long)
    return replace(laid, standing=replace(other, die=die, value=value), place=place)


def _drawn(rng: Rng, canvas: Canvas, laid: Laid, light: Light, shadow: Shadow | None = None) -> list[Label]:
    """Draw the die; returns its label."""
    standing = laid.standing
    if shadow is not None:
        _cast(canvas, laid, shadow)
    seen = laid.eye.see(standing.die.body.vertices)
    scale = laid.place.long / float(np.ptp(seen, axis=0).max())
    corner = laid.place.middle - (seen.min(0) + seen.max(0)) / 2 * scale
    window = np.array([[scale, 0, corner[0]], [0, scale, corner[1]]])
    board = _board(canvas, window)
    shown, _ = put(rng, board, standing.die, standing.marks, laid.rounding, laid.eye, light)
    _blend(canvas, window, (shown - board) * _fading())
    outline = laid.outline + laid.place.middle
    owner = int(canvas.owner.max()) + 1
    cv2.fillConvexPoly(canvas.owner, np.round(hull(outline)).astype(np.int32), owner)
    return [_label(canvas, outline, laid.kind, standing.value or None, laid.up)]


def _cast(canvas: Canvas, laid: Laid, shadow: Shadow) -> None:
    """Darken the table under the die's shadow; other dice are not shaded."""
    vertices = laid.standing.die.body.vertices
    floor = vertices[:, 2].min()
    on_table = laid.shown(vertices * (1, 1, 0) + (0, 0, floor)) + laid.place.middle
    high = (vertices[:, 2:] - floor) / (vertices[:, 2].max() - floor)
    mask = np.zeros(canvas.owner.shape, np.float32)
    cv2.fillConvexPoly(mask, fixed(hull(on_table + high * shadow.way * laid.place.long)), 1.0, shift=4)
    dark = blurred(mask, shadow.soft * laid.place.long) * np.float32(shadow.depth)
    canvas.pixels *= 1 - (dark * (canvas.owner == 0))[..., None]


def _standing(rng: Rng, kind: str) -> Standing:
    """A die of a kind, with a random value on top."""
    if kind == "d6":
        return pip_die(rng, int(rng.integers(1, 7)))
    return d12(rng, int(rng.integers(1, 13))) if kind == "d12" else other_die(rng)


def _framed(eye: Camera, body: Body) -> Camera:
    """The camera that shows the body at the centre of the drawing board, with room for its shadow."""
    seen = eye.see(body.vertices)
    zoom = _SHARE * CANVAS / float(np.ptp(seen, axis=0).max())
    return eye.moved(zoom, zoom * (CANVAS / 2 - (seen.min(0) + seen.max(0)) / 2))


@functools.cache
def _fading() -> Floats:
    """1 where the die may be, falling to 0 at the board's edge (board x board x 1), so that no shadow ends in a straight line."""
    line = np.abs(np.linspace(-1, 1, CANVAS, dtype=np.float32))
    away = np.maximum(line[:, None], line[None])
    return np.asarray(np.clip((1 - away) / (1 - _SHARE - 0.05), 0, 1), np.float32)[..., None]


def _elevation(canvas: Canvas, place: Place) -> float:
    """The camera's elevation over a place in degrees, clipped to the range in which faces are readable."""
    spot = canvas.camera.under(place.middle)
    return float(np.clip(canvas.camera.elevation((*spot, 0.0)) if spot else 40.0, *_ELEVATIONS))


def _board(canvas: Canvas, window: Points) -> Floats:
    """The part of the picture under a drawing board, in stored values 0..1."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    part = cv2.warpAffine(canvas.pixels, window, (CANVAS, CANVAS), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.sqrt(np.clip(part, 0, 1))


def _blend(canvas: Canvas, window: Points, change: Floats) -> None:
    """Add what was drawn on the board to the picture; the rest of the picture keeps its sharpness."""
    shrunk = min(1.0, float(window[0, 0]))
    side = max(1, round(CANVAS * shrunk))
    small = np.asarray(cv2.resize(change, (side, side), interpolation=cv2.INTER_AREA))
    back = window.copy()
    back[:, :2] *= CANVAS / side
    moved = cv2.warpAffine(small, back, canvas.size, flags=cv2.INTER_LINEAR)
    canvas.pixels[:] = np.clip(np.sqrt(np.clip(canvas.pixels, 0, None)) + moved, 0, None) ** 2


def _label(canvas: Canvas, outline: Points, kind: str, value: int | None, up: float) -> Label:
    whole = np.array([*outline.min(0), *outline.max(0)])
    box = np.clip(whole, 0, [*canvas.size, *canvas.size])
    left, top, right, bottom = box.tolist()
    seen = round(float((right - left) * (bottom - top) / np.prod(np.ptp(outline, axis=0))), 2)
    return {
        "kind": kind,
        "value": value,
        "box": np.round(box, 1).tolist(),
        "quad": np.round([(left, top), (right, top), (right, bottom), (left, bottom)], 1).tolist(),
        "hidden": round(1 - seen, 2),
        "top_seen": seen,
        "view": round(up, 1),
        "colour": [0.5, 0.5, 0.5],
        "cocked": False,
    }
