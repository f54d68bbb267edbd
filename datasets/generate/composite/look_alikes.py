"""Look-alikes of tiles: cards, counters, boxes and sticks, remote controls."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from datasets.generate.composite.boxes import Block, Canvas, silhouette
from datasets.generate.composite.camera import Camera
from datasets.generate.composite.plugs import button, plug, socket
from datasets.generate.parts.drawings import Rng, any_colour, contrasting
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.lettering.signs import BUT_PIPS, sign
from datasets.generate.parts.outlines import common
from datasets.generate.parts.paint import Sheet, flat, squares, stored

Shape = tuple[float, float, float, float, Sheet]
"""Length, width, height, radius of the corners, and the picture on top."""


def strewn(rng: Rng, canvas: Canvas, blocks: Sequence[Block], dice: Points) -> list[Block]:
    """Up to six look-alikes that lie clear of tiles and of the dice (boxes in the picture, n x 4)."""
    found: list[Block] = []
    for _ in range(int(rng.choice([0, 1, 3, 6], p=[0.55, 0.2, 0.17, 0.08]))):
        thing = _look_alike(rng, canvas.camera, canvas.size)
        if thing is not None and _lies_free(canvas, thing, [*blocks, *found], dice):
            found.append(thing)
    return found


def holed(rng: Rng, canvas: Canvas, blocks: Sequence[Block], dice: Points) -> list[list[Block]]:
    """Things with holes, clear of everything else; each is one or two boxes, of which the first looks like a die."""
    found: list[list[Block]] = []
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.15, 0.3, 0.35, 0.2]))):
        where = canvas.camera.under(rng.uniform(0.05, 0.95, 2) * canvas.size)
        if where is None:
            continue
        x, y = where
        thing = (plug, button, socket)[int(rng.choice(3, p=[0.6, 0.2, 0.2]))](rng, (float(x), float(y)))
        others = [*blocks, *(part for each in found for part in each)]
        if all(_lies_free(canvas, part, others, dice) for part in thing):
            found.append(thing)
    return found


def _lies_free(canvas: Canvas, thing: Block, others: Sequence[Block], dice: Points) -> bool:
    """Whether a thing is far enough from the camera, and clear of other boxes and of the dice (boxes in the picture, n x 4)."""
    if canvas.camera.depth(thing.rim(0)).min() < thing.size[0]:
        return False
    outline = silhouette(canvas.camera, thing)
    return all(_clear(thing, other) for other in others) and all(common(outline, box) < 0.02 for box in dice)


def _clear(one: Block, other: Block) -> bool:
    return math.dist(one.foot[:2], other.foot[:2]) > (math.hypot(*one.size[:2]) + math.hypot(*other.size[:2])) / 2


def _look_alike(rng: Rng, eye: Camera, size: tuple[int, int]) -> Block | None:
    """A card, a counter, a blank box not twice as long as wide, or a remote control; None if no table is visible there."""
    where = eye.under(rng.uniform(0, 1, 2) * size)
    if where is None:
        return None
    makers = (_card, _counter, _bar_of_something, _remote)
    long, wide, high, radius, face = makers[int(rng.integers(len(makers)))](rng)
    grow = rng.uniform(0.5, 2.0)
    top = squares(face)
    rim = top[:3, :3].mean((0, 1))
    sizes = (long * grow, wide * grow, high * grow)
    return Block((*where, 0.0), rng.uniform(0, 7), sizes, radius * grow, top, rim, rim)


def _card(rng: Rng) -> Shape:
    """With up to three signs, never pips: a card with two groups of pips would be practically a domino."""
    colour = any_colour(rng)
    face = flat(colour, 64, 96)
    for x in np.linspace(20, 76, int(rng.integers(1, 4))).tolist():
        sign(rng, face, (x, 32), rng.uniform(6, 20), contrasting(rng, colour), BUT_PIPS)
    return rng.uniform(1.3, 3.5), rng.uniform(1.0, 2.4), 0.01, 0.08, face


def _counter(rng: Rng) -> Shape:
    """Round or square, plain or with a sign or one to six pips: a coin, a chip, a printed square."""
    colour = any_colour(rng)
    face = flat(colour, 64, 64)
    if rng.random() < 0.6:
        sign(rng, face, (32, 32), rng.uniform(10, 26), contrasting(rng, colour))
    return 1.0, 1.0, rng.choice([0.005, 0.1, 0.3]), rng.choice([0.49, 0.1]), face


def _bar_of_something(rng: Rng) -> Shape:
    """A rubber, a box or a stick: blank or with one line of print, too short or too long for a tile."""
    long = rng.uniform(1.0, 1.55) if rng.random() < 0.5 else rng.uniform(2.6, 6)
    colour = any_colour(rng)
    face = flat(colour, 48, round(48 * long))
    if rng.random() < 0.5:
        word = "".join(rng.choice(list("ABCDEFGHKLMNORSTUX 0123"), int(rng.integers(2, 9))))
        cv2.putText(face, word, (6, 32), 0, 0.6, stored(contrasting(rng, colour)), 1, cv2.LINE_AA)
    return long, 1.0, rng.uniform(0.1, 0.6), rng.uniform(0, 0.25), face


def _remote(rng: Rng) -> Shape:
    """Dark with rows of light buttons."""
    long, rows = rng.uniform(3, 5), int(rng.integers(3, 5))
    shade = rng.uniform(0.03, 0.25)
    face = flat((shade, shade, shade), 64, round(64 * long))
    colour, step = stored(contrasting(rng, (shade, shade, shade))), 64 / (rows + 0.5)
    for x in np.arange(step * 0.8, rng.uniform(0.5, 1) * 64 * long - step / 2, step):
        for row in range(rows):
            at = (round(x), round((row + 0.75) * step))
            cv2.circle(face, at, round(step * 0.25), colour, -1, cv2.LINE_AA)
    return long, 1.0, 0.25, 0.15, face
