"""What a detector may take for a d12 and is none: other dice, parts of dice, coins, cards, bare table."""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.generate.drawn.camera import any_camera
from datasets.generate.drawn.die_faces import any_die
from datasets.generate.drawn.materials import any_light
from datasets.generate.drawn.render_die import put
from datasets.generate.drawn.tables import any_table, write
from datasets.generate.parts.canvas import CANVAS, Floats, Picture, Rng, pixel
from datasets.generate.parts.colours import any_colour, any_ink
from datasets.generate.parts.lettering.numerals import any_lettering, for_pips, number, pips
from datasets.generate.parts.solids import any_d12, bag, lying, numbering


def other_scene(rng: Rng) -> Picture:
    """A canvas (canvas x canvas x 3) without a d12 that a reader should read."""
    return _SCENES[rng.choice(len(_SCENES), p=[0.45, 0.2, 0.12, 0.1, 0.13])](rng)


def _other_die(rng: Rng) -> Picture:
    """A d6 with pips or numerals, a d8, a d10 or a d20."""
    count = int(rng.choice([6, 8, 10, 20], p=[0.4, 0.15, 0.2, 0.25]))
    body, top = lying(rng, bag(count), cocked=0.03)
    lettering = any_lettering(rng)
    has_pips = count == 6 and rng.random() < 0.6
    if has_pips:
        lettering = for_pips(rng, lettering)
    values = numbering(rng, body, top, int(rng.integers(1, count + 1)))
    die = any_die(rng, body, values, lettering, pips if has_pips else number)
    return put(rng, any_table(rng), die, any_camera(rng, body), any_light(rng))


def _part(rng: Rng) -> Picture:
    """A d12 far from the middle, or much of one face's edge: no box that a reader should trust."""
    body, top = lying(rng, any_d12(rng), cocked=0.1)
    die = any_die(rng, body, numbering(rng, body, top, int(rng.integers(1, 13))), any_lettering(rng))
    turn, zoom = rng.uniform(0, 2 * math.pi), rng.uniform(0.8, 2)
    shift = np.array([math.cos(turn), math.sin(turn)]) * CANVAS * rng.uniform(0.55, 0.75) * max(1, zoom * 0.8)
    return put(rng, any_table(rng), die, any_camera(rng, body).moved(zoom, shift), any_light(rng))


def _disc(rng: Rng) -> Picture:
    """A coin with a number, a button with holes, a bottle cap."""
    canvas, colour = any_table(rng), any_colour(rng)
    middle = CANVAS / 2 + rng.normal(0, 6, 2)
    ring = _ring(rng)
    _minted(rng, canvas, middle, ring, colour)
    if rng.random() < 0.6:
        value, lettering = int(rng.integers(1, 51)), any_lettering(rng)
        write(rng, canvas, value, lettering, middle, rng.uniform(0.4, 1), any_ink(rng, colour))
    else:
        _holed(rng, canvas, middle, ring)
    return canvas


def _ring(rng: Rng) -> Floats:
    """The edge of a disc about its middle (90 x 2, pixels), sometimes with teeth."""
    turn = np.linspace(0, 2 * np.pi, 90)
    teeth = 1 + 0.05 * (rng.random() < 0.3) * np.sign(np.sin(turn * 21))
    circle = np.stack([np.cos(turn), np.sin(turn) * rng.uniform(0.65, 1)], -1)
    return np.asarray(circle * (CANVAS * rng.uniform(0.3, 0.5) * teeth)[:, None])


def _minted(rng: Rng, canvas: Picture, middle: Floats, ring: Floats, colour: Floats) -> None:
    """The disc with its shadow and the line along its edge."""
    dark, plain = tuple(float(v) * 0.3 for v in colour), tuple(map(float, colour))
    cv2.fillPoly(canvas, [np.round(middle + ring + 4).astype(np.int32)], dark, cv2.LINE_AA)
    cv2.fillPoly(canvas, [np.round(middle + ring).astype(np.int32)], plain, cv2.LINE_AA)
    inner = np.round(middle + ring * rng.uniform(0.75, 0.92)).astype(np.int32)
    line = tuple(float(v) for v in colour * rng.uniform(0.4, 1.4))
    cv2.polylines(canvas, [inner], True, line, int(rng.integers(1, 4)), cv2.LINE_AA)


def _holed(rng: Rng, canvas: Picture, middle: Floats, ring: Floats) -> None:
    """A button's two or four holes."""
    for spot in ring[:: 90 // int(rng.choice([2, 4]))][:-1] * 0.25:
        at = pixel((middle + spot).astype(np.int64))
        cv2.circle(canvas, at, int(rng.integers(4, 9)), (0.05, 0.05, 0.05), -1, cv2.LINE_AA)


def _card(rng: Rng) -> Picture:
    """A card or a slip of paper with a number."""
    canvas, colour = any_table(rng), np.full(3, rng.uniform(0.8, 1)) if rng.random() < 0.7 else any_colour(rng)
    turn = rng.uniform(0, 2 * math.pi)
    half = np.array([rng.uniform(0.25, 0.6), rng.uniform(0.3, 0.8)]) * CANVAS
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    corners = corners @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    sheet = np.round(CANVAS / 2 + rng.normal(0, 10, 2) + corners).astype(np.int32)
    cv2.fillConvexPoly(canvas, sheet, tuple(map(float, colour)), cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 3))):
        at = CANVAS / 2 + rng.normal(0, 20, 2)
        value, lettering = int(rng.integers(1, 100)), any_lettering(rng)
        write(rng, canvas, value, lettering, at, rng.uniform(0.3, 1.2), any_ink(rng, colour))
    return canvas


def _bare(rng: Rng) -> Picture:
    """A patch of table, sometimes with a number printed on it."""
    canvas = any_table(rng)
    if rng.random() < 0.4:
        value, lettering = int(rng.integers(1, 100)), any_lettering(rng)
        write(rng, canvas, value, lettering, [CANVAS / 2] * 2, rng.uniform(0.3, 1.3), any_colour(rng))
    return canvas


_SCENES = (_other_die, _part, _disc, _card, _bare)
