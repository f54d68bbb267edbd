"""Dice of every kind on a table: with pips, twelve-sided, others, alone or beside others, whole or in part."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np

from datasets.generate.drawn.camera import Camera, any_camera
from datasets.generate.drawn.die_faces import Die, adorned, any_die
from datasets.generate.drawn.materials import Light, Material, any_light
from datasets.generate.drawn.render_die import Marks, any_rounding, put
from datasets.generate.drawn.tables import any_ground
from datasets.generate.parts.canvas import CANVAS, Bytes, Floats, Picture, Rng
from datasets.generate.parts.lettering.numerals import Lettering, any_lettering
from datasets.generate.parts.pips import FACE, PipStyle, any_emblem, any_pips
from datasets.generate.parts.solids import any_d12, bag, lying, numbering, sheared

_WHITE = 0.3
"""Probability that pip dice are white or ivory with dark pips, as most real ones are."""
_OTHERS = {4: 0.12, 6: 0.3, 8: 0.16, 10: 0.19, 20: 0.23}
"""Probabilities of other dice by number of faces."""
_NEIGHBOURS = (0.6, 0.2, 0.12, 0.08)
"""Probabilities of 0, 1, 2, 3 dice beside the one to read."""
_TOUCHING = 0.71
"""Distance between the centres of two touching dice, in canvases."""
_COCKED = 0.02
"""Standard deviation of a die's lean, in radians."""


@dataclass(frozen=True)
class Standing:
    """A die ready to be placed: its marks (None: its numerals), and the value on top (0 where it does not matter)."""

    die: Die
    marks: Marks | None
    value: int
    cube: bool


def pip_die(rng: Rng, value: int) -> Standing:
    """A six-sided die with pips that shows `value`."""
    body, top = lying(rng, bag(6), _COCKED)
    die = any_die(rng, body, numbering(rng, body, top, value), _no_lettering())
    die = replace(die, material=_pip_material(rng, die.material), wander=die.wander * 0.5)
    return Standing(die, _marks_of(any_pips(rng)), value, cube=True)


@functools.cache
def _no_lettering() -> Lettering:
    """A placeholder for dice without numerals."""
    return any_lettering(np.random.default_rng(0))


def _marks_of(style: PipStyle) -> Marks:
    """The marks of a style, each made once."""
    return functools.cache(lambda value: (style.mask(value), style.colours.get(value)))


def _pip_material(rng: Rng, material: Material) -> Material:
    """White dice, unpainted hollow pips, gold on dark, each with some probability."""
    kind = rng.random()
    if kind < _WHITE:
        paint = np.empty_like(material.paint)
        paint[:] = rng.uniform(0.75, 1) * np.array([1, rng.uniform(0.93, 1), rng.uniform(0.75, 1)])
        return replace(material, paint=paint, ink=np.full(3, rng.uniform(0.02, 0.2)), metal=0.0, glass=0.0)
    if kind < _WHITE + 0.04:
        darker = np.asarray(material.paint.mean((0, 1)) * rng.uniform(0.3, 0.8), float)
        return replace(material, ink=darker, engraved=rng.uniform(0.6, 1.3))
    if kind < _WHITE + 0.1 and material.paint.mean() < 0.4:
        return replace(material, ink=np.array([0.83, 0.66, 0.25]))
    return material


def d12(rng: Rng, value: int) -> Standing:
    """A twelve-sided die that shows `value`."""
    body, top = lying(rng, any_d12(rng), _COCKED)
    die = adorned(rng, any_die(rng, body, numbering(rng, body, top, value), any_lettering(rng)))
    return Standing(die, None, value, cube=False)


def other_die(rng: Rng) -> Standing:
    """A d4, d8, d10 or d20, or a cube with numerals, symbols or nothing on it."""
    count = int(rng.choice(list(_OTHERS), p=list(_OTHERS.values())))
    solid = bag(count)
    if rng.random() < 0.2:
        solid = sheared(solid, np.eye(3) + rng.normal(0, 0.06, (3, 3)))
    body, top = lying(rng, solid, _COCKED)
    values = numbering(rng, body, top, int(rng.integers(1, count + 1)))
    if count == 10 and rng.random() < 0.4:
        values = _from_zero(values, 10 if rng.random() < 0.5 else 1)
    die = adorned(rng, any_die(rng, body, values, any_lettering(rng)))
    marks = _symbols(rng) if count == 6 and rng.random() < 0.35 else None
    return Standing(die, marks, 0, cube=count == 6)


def _from_zero(values: list[int], step: int) -> list[int]:
    """The numbers of a d10 that counts from 0, or in tens."""
    return [value % 10 * step for value in values]


def _symbols(rng: Rng) -> Marks:
    """Emblems and blank faces."""
    bare: Bytes = np.zeros((FACE, FACE), np.uint8)
    signs = [bare if rng.random() < 0.3 else any_emblem(rng) for _ in range(7)]
    return lambda value: (signs[value], None)


def any_standing(rng: Rng) -> Standing:
    """A random die, to lie beside another."""
    kind = rng.random()
    if kind < 0.5:
        return pip_die(rng, int(rng.integers(1, 7)))
    return d12(rng, int(rng.integers(1, 13))) if kind < 0.75 else other_die(rng)


def die_scene(rng: Rng, standing: Standing, height: float | None = None) -> tuple[Picture, Picture]:
    """A canvas with the die at its centre and perhaps others beside it, and the mask of its top's marks.

    `height`: the camera's elevation over the table in degrees; None: random.
    """
    camera, light = any_camera(rng, standing.die.body, height), any_light(rng)
    canvas = any_ground(rng)
    for _ in range(int(rng.choice(len(_NEIGHBOURS), p=_NEIGHBOURS))):
        canvas = _beside(rng, canvas, standing, camera, light)
    return _put(rng, canvas, standing, camera, light)


def _put(rng: Rng, canvas: Picture, standing: Standing, camera: Camera, light: Light) -> tuple[Picture, Picture]:
    return put(rng, canvas, standing.die, standing.marks, any_rounding(rng, standing.cube), camera, light)


def _beside(rng: Rng, canvas: Picture, standing: Standing, camera: Camera, light: Light) -> Picture:
    """Add another die near by, often touching: one of the same set, or any other."""
    other = _alike(rng, standing, often=0.6)
    away = CANVAS * (_TOUCHING * rng.uniform(0.9, 1.08) if rng.random() < 0.5 else rng.uniform(0.75, 1.0))
    return _put(rng, canvas, other, camera.moved(1, _way(rng.uniform(0, 2 * math.pi)) * away), light)[0]


def _alike(rng: Rng, standing: Standing, often: float) -> Standing:
    """A random die; where both have pips, with probability `often` one of the same set."""
    other = any_standing(rng)
    if standing.value and other.value and standing.marks and other.marks and rng.random() < often:
        return replace(other, die=replace(other.die, material=standing.die.material), marks=standing.marks)
    return other


def _way(turn: float) -> Floats:
    return np.array([math.cos(turn), math.sin(turn)])


def part_scene(rng: Rng) -> Picture:
    """A pip, a corner or a seam of dice from too near, or a die mostly outside the crop."""
    standing = any_standing(rng)
    near = rng.random() < 0.6
    zoom = rng.uniform(2.4, 6) if near else rng.uniform(0.8, 1.6)
    away = zoom * 0.36 * math.sqrt(rng.random()) if near else 0.5 + 0.3 * zoom * rng.uniform(0.75, 1.1)
    shift = _way(rng.uniform(0, 2 * math.pi)) * CANVAS * away
    camera = any_camera(rng, standing.die.body).moved(zoom, shift)
    return _put(rng, any_ground(rng), standing, camera, any_light(rng))[0]


def several_scene(rng: Rng) -> Picture:
    """Two dice in one box, neither of which fills it."""
    first = any_standing(rng)
    light, canvas, zoom = any_light(rng), any_ground(rng), rng.uniform(0.45, 0.6)
    camera = any_camera(rng, first.die.body)
    step = _way(rng.uniform(0, math.pi)) * CANVAS * _TOUCHING * zoom * rng.uniform(0.5, 0.62)
    for standing, sign in ((first, 1), (_alike(rng, first, often=0.7), -1)):
        canvas, _ = _put(rng, canvas, standing, camera.moved(zoom, sign * step), light)
    return canvas
