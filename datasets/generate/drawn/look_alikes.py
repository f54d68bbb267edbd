"""Things that a detector may take for dice: grounds, tiles, parts of dice, coins, buttons, cards, keys, plugs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from datasets.generate.drawn import photo_grounds
from datasets.generate.drawn.dice_scenes import part_scene, several_scene
from datasets.generate.drawn.gadgets import knob_scene, plug_scene
from datasets.generate.drawn.tables import any_ground, any_table, write
from datasets.generate.parts.canvas import CANVAS, Bytes, Floats, Picture, Rng, laid, pixel
from datasets.generate.parts.colours import any_colour, any_ink
from datasets.generate.parts.lettering.numerals import any_lettering
from datasets.generate.parts.pips import FACE, PipStyle, any_emblem, any_pips

_END = 160
"""Side in pixels of a tile's end before it is laid on the canvas."""


def nothing_scene(rng: Rng) -> Picture:
    """A canvas (canvas x canvas x 3) without a die to read."""
    return _SCENES[int(rng.choice(len(_SCENES), p=_OFTEN))](rng)


def ground_scene(rng: Rng) -> Picture:
    """A window of a photo without dice; if there are no photos a patch of table, sometimes with a printed number."""
    if photo_grounds.shared():
        return photo_grounds.window(rng, CANVAS)
    canvas = any_table(rng)
    if rng.random() < 0.4:
        value, lettering = int(rng.integers(1, 100)), any_lettering(rng)
        write(rng, canvas, value, lettering, [CANVAS / 2] * 2, rng.uniform(0.3, 1.3), any_colour(rng))
    return canvas


def disc_scene(rng: Rng) -> Picture:
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
    """The edge of a disc around its centre (90 x 2, pixels), sometimes with teeth."""
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


def card_scene(rng: Rng) -> Picture:
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


def tile_scene(rng: Rng) -> Picture:
    """An end of a domino, its seam, or the whole of it: flat pips that are no die's."""
    colour = any_colour(rng)
    if rng.random() < 0.6:
        colour = np.full(3, rng.uniform(0.8, 1)) * (1, rng.uniform(0.92, 1), rng.uniform(0.75, 1))
    place, outline, marks = _lying(rng), _tile_outline(rng), _tile_marks(rng)
    thick = np.array([[1, 0, 0], [0, 1, rng.uniform(1, 14)], [0, 0, 1.0]])
    body, ink = colour * rng.uniform(0.6, 1.1), any_ink(rng, colour)
    canvas = laid(any_ground(rng), outline, thick @ place, body * rng.uniform(0.3, 0.8))
    return laid(laid(canvas, outline, place, body), marks, place, ink)


def _lying(rng: Rng) -> Floats:
    """The 3 x 3 matrix that lays a tile on the canvas: centred on an end, on its seam or on any part, or as a whole and small."""
    part = rng.random()
    at = 0.5 if part < 0.6 else 1.0 if part < 0.75 else rng.uniform(0.3, 1.7)
    size = CANVAS * (rng.uniform(0.6, 0.95) if part < 0.85 else rng.uniform(0.3, 0.5)) / _END
    turn = rng.uniform(0, 2 * math.pi)
    c, s = size * math.cos(turn), size * math.sin(turn)
    middle = np.array([[1, 0, -at * _END], [0, 1, -_END / 2], [0, 0, 1]])
    slant = np.array([[1, 0, 0], [0, rng.uniform(0.45, 1.0), 0], [0, rng.uniform(-0.002, 0.002), 1]])
    centre = np.array([[1, 0, CANVAS / 2], [0, 1, CANVAS / 2], [0, 0, 1]])
    return np.asarray(centre @ slant @ np.array([[c, -s, 0.0], [s, c, 0.0], [0, 0, 1]]) @ middle)


def _tile_outline(rng: Rng) -> Bytes:
    """A rectangle twice as long as wide with rounded corners (`_END` x 2 `_END`, 0..255)."""
    mask, cut = np.zeros((_END, 2 * _END), np.uint8), int(rng.integers(0, 22))
    cv2.rectangle(mask, (cut, cut), (2 * _END - cut - 1, _END - cut - 1), 255, -1)
    if not cut:
        return mask
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * cut + 1,) * 2)), np.uint8)


def _tile_marks(rng: Rng) -> Bytes:
    """The pips of two ends, the bar between them, the pivot (`_END` x 2 `_END`, 0..255)."""
    style = any_pips(rng)
    ends = [cv2.resize(_tile_end(style, int(rng.integers(0, 10))), (_END, _END)) for _ in range(2)]
    tile = np.asarray(np.hstack(ends), np.uint8)
    if rng.random() < 0.85:
        top, bottom = (_END, round(_END * 0.1)), (_END, round(_END * 0.9))
        cv2.line(tile, top, bottom, 255, int(rng.integers(1, 7)), cv2.LINE_AA)
    if rng.random() < 0.3:
        cv2.circle(tile, (_END, _END // 2), int(rng.integers(5, 16)), 255, -1, cv2.LINE_AA)
    return tile


_ROWS = (-0.55, 0.0, 0.55)
"""Positions of the rows on a tile's end with more than six pips, in half sides."""


def _tile_end(style: PipStyle, value: int) -> Bytes:
    """The face of an end: up to 6 as a die's, 7 to 9 in rows of three."""
    if value == 0:
        return np.zeros((FACE, FACE), np.uint8)
    if value <= 6:
        return style.mask(value)
    grid: list[tuple[float, float]] = [(x, y) for x in _ROWS for y in _ROWS]
    spots: list[tuple[float, float]] = {
        7: [spot for spot in grid if spot[0] or spot == (0.0, 0.0)],
        8: [spot for spot in grid if spot != (0.0, 0.0)],
        9: grid,
    }[value]
    return replace(style, spots=style.spots | {value: tuple(spots)}, radius=min(style.radius, 0.2)).mask(value)


def key_scene(rng: Rng) -> Picture:
    """A keyboard's key, a chess square, a letter tile: a square with a sign on it."""
    canvas, colour = any_ground(rng), any_colour(rng)
    half, turn = CANVAS * rng.uniform(0.25, 0.5), rng.uniform(0, 2 * math.pi)
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half * (1, rng.uniform(0.75, 1))
    for grow, tone in ((1.0, rng.uniform(0.4, 0.9)), (rng.uniform(0.75, 0.97), 1.0)):
        corners = np.round(CANVAS / 2 + square * grow @ spin.T).astype(np.int32)
        cv2.fillConvexPoly(canvas, corners, tuple(float(v) * tone for v in colour), cv2.LINE_AA)
    if rng.random() < 0.2:
        return canvas
    scale = half * rng.uniform(0.5, 1.1) * 2 / FACE
    shift = CANVAS / 2 - spin @ np.full(2, scale * FACE / 2)
    place = np.vstack([np.column_stack([spin * scale, shift]), [0, 0, 1]])
    return laid(canvas, any_emblem(rng), place, any_ink(rng, colour))


_SCENES: tuple[Callable[[Rng], Picture], ...] = (
    ground_scene,
    tile_scene,
    part_scene,
    several_scene,
    key_scene,
    disc_scene,
    card_scene,
    plug_scene,
    knob_scene,
)
_OFTEN = (0.38, 0.15, 0.15, 0.08, 0.06, 0.06, 0.05, 0.04, 0.03)
"""The probability of each of them."""
