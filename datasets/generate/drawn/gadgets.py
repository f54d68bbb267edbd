"""Things of metal and plastic that look like dice: plugs with holes in their metal, knobs and pawns from above, spotted discs.

A USB plug is a square of metal with two square holes side by side; a pawn from above is a disc with a highlight at its centre.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.generate.drawn.tables import any_ground
from datasets.generate.parts.canvas import CANVAS, Bytes, Floats, Picture, Rng, laid
from datasets.generate.parts.colours import any_colour

_SIDE = 160
"""Side in pixels of the square that a gadget is painted on before it is laid on the canvas."""
_MIDDLE = _SIDE / 2


def plug_scene(rng: Rng) -> Picture:
    """A plug: its metal with holes, and a part of its body."""
    canvas = any_ground(rng)
    wide, tall = _SIDE * rng.uniform(0.3, 0.45), _SIDE * rng.uniform(0.25, 0.5)
    metal = _mask((-wide, -tall), (wide, tall))
    body = _mask(
        (-wide * rng.uniform(1.0, 1.5), tall * rng.uniform(0.6, 1.0)), (wide * rng.uniform(1.0, 1.5), 4 * tall)
    )
    grey = np.full(3, rng.uniform(0.4, 1.0)) * (1, rng.uniform(0.9, 1), rng.uniform(0.75, 1))
    place, shade = _lying(rng), grey * rng.uniform(0.3, 0.9)
    canvas = laid(canvas, metal, np.array([[1, 0, 0], [0, 1, rng.uniform(2, 12)], [0, 0, 1.0]]) @ place, shade)
    canvas = laid(canvas, metal, place, grey, _sheen(rng))
    canvas = laid(canvas, body, place, any_colour(rng))
    return laid(canvas, _holes(rng, wide, tall), place, grey * rng.uniform(0, 0.35))


def knob_scene(rng: Rng) -> Picture:
    """A knob, a pawn, a screw or a lamp from above: concentric rings with a highlight, a slot or spots."""
    canvas, colour, place = any_ground(rng), any_colour(rng), _lying(rng)
    radius = _SIDE * rng.uniform(0.3, 0.48)
    canvas = laid(canvas, _disc(radius), _shifted(rng) @ place, colour * rng.uniform(0.2, 0.6))
    for _ in range(int(rng.integers(1, 4))):
        canvas = laid(canvas, _disc(radius), place, np.clip(colour * rng.uniform(0.5, 1.6), 0, 1), _sheen(rng))
        radius *= rng.uniform(0.6, 0.95)
    kind = rng.random()
    if kind < 0.5:
        mark = _disc(_SIDE * rng.uniform(0.02, 0.07), tuple(rng.normal(0, 7, 2)))
    elif kind < 0.7:
        mark = _mask((-radius, -rng.uniform(3, 9)), (radius, rng.uniform(3, 9)))
    else:
        spots = [
            _disc(rng.uniform(3, 9), tuple(rng.uniform(-radius, radius, 2))) for _ in range(int(rng.integers(5, 14)))
        ]
        mark = np.asarray(np.maximum.reduce(spots), np.uint8)
    return laid(canvas, mark, place, np.clip(colour + rng.choice([-1, 1]) * rng.uniform(0.3, 1), 0, 1))


def _holes(rng: Rng, wide: float, tall: float) -> Bytes:
    """Two holes in a row, square, long or round, off the centre; sometimes small ones of the shell's seam beside them."""
    holes, size = np.zeros((_SIDE, _SIDE), np.uint8), wide * rng.uniform(0.12, 0.3)
    apart, down = wide * rng.uniform(0.35, 0.6), tall * rng.uniform(-0.5, 0.4)
    stretched, round_ones = rng.uniform(0.7, 1.6), rng.random() < 0.25
    for x in (-apart, apart):
        if round_ones:
            holes |= _disc(size, (x, down))
        else:
            holes |= _mask((x - size, down - size * stretched), (x + size, down + size * stretched))
    if rng.random() < 0.5:
        small, low = size * rng.uniform(0.3, 0.5), down + tall * rng.uniform(0.4, 0.7)
        for x in (-apart, apart):
            holes |= _mask((x - small, low - small), (x + small, low + small))
    return holes


def _mask(low: tuple[float, float], high: tuple[float, float]) -> Bytes:
    """A rectangle around the centre (`_SIDE` x `_SIDE`, 0..255)."""
    mask = np.zeros((_SIDE, _SIDE), np.uint8)
    one, other = ((round(_MIDDLE + x), round(_MIDDLE + y)) for x, y in (low, high))
    cv2.rectangle(mask, one, other, 255, -1, cv2.LINE_AA)
    return mask


def _disc(radius: float, at: tuple[float, ...] = (0.0, 0.0)) -> Bytes:
    mask = np.zeros((_SIDE, _SIDE), np.uint8)
    cv2.circle(mask, (round(_MIDDLE + at[0]), round(_MIDDLE + at[1])), max(1, round(radius)), 255, -1, cv2.LINE_AA)
    return mask


def _sheen(rng: Rng) -> Floats:
    """A light gradient across the thing, and a bright stripe (`_SIDE` x `_SIDE` x 1, factors)."""
    across, down = np.meshgrid(*[np.linspace(-1, 1, _SIDE)] * 2)
    turn = rng.uniform(0, 2 * math.pi)
    along = across * math.cos(turn) + down * math.sin(turn)
    stripe = rng.uniform(0, 0.5) * np.exp(-((along - rng.uniform(-1, 1)) ** 2) / rng.uniform(0.01, 0.2))
    return np.asarray(1 + rng.uniform(0, 0.3) * along + stripe)[..., None]


def _shifted(rng: Rng) -> Floats:
    """The offset of a shadow or a body from the thing."""
    return np.array([[1, 0, rng.uniform(-9, 9)], [0, 1, rng.uniform(0, 12)], [0, 0, 1.0]])


def _lying(rng: Rng) -> Floats:
    """The 3 x 3 matrix that lays the painted square on the canvas, rotated and foreshortened."""
    size, turn = CANVAS * rng.uniform(0.7, 1.1) / _SIDE, rng.uniform(0, 2 * math.pi)
    c, s = size * math.cos(turn), size * math.sin(turn)
    middle = np.array([[1, 0, -_MIDDLE], [0, 1, -_MIDDLE], [0, 0, 1.0]])
    slant = np.array([[1, 0, 0], [0, rng.uniform(0.55, 1.0), 0], [0, rng.uniform(-0.001, 0.001), 1]])
    centre = np.array([[1, 0, CANVAS / 2 + rng.normal(0, 5)], [0, 1, CANVAS / 2 + rng.normal(0, 5)], [0, 0, 1.0]])
    return np.asarray(centre @ slant @ np.array([[c, -s, 0.0], [s, c, 0.0], [0, 0, 1]]) @ middle)
