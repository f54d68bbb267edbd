"""Things with holes that look like dice: USB plugs and sticks, sockets, shirt buttons; each lies on the table like a tile."""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.generate.composite.boxes import Block
from datasets.generate.parts.drawings import Rng, any_colour
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.paint import Sheet, flat, squares, stored

_PAPER = 96
"""Width in pixels of the sheet for a thing."""


def plug(rng: Rng, where: tuple[float, float]) -> list[Block]:
    """The metal of a USB plug, which looks like a die, and the body that it sticks out of."""
    wide, high, turn = rng.uniform(0.45, 1.6), rng.uniform(0.08, 0.4), rng.uniform(0, 2 * math.pi)
    long = wide * rng.uniform(0.65, 1.35)
    face = squares(_metal(rng, long / wide))
    rim = face[:4].mean((0, 1)) * np.float32(rng.uniform(0.3, 0.9))
    metal = Block((*where, 0.0), turn, (long, wide, high), wide * rng.uniform(0, 0.12), face, rim, rim)
    colour = any_colour(rng)
    body = long * rng.uniform(0.8, 4)
    away = (long + body) / 2
    centre = (where[0] - away * math.cos(turn), where[1] - away * math.sin(turn), 0.0)
    top = squares(_print(rng, flat(colour, 48, 96)))
    side = top[:3, :3].mean((0, 1))
    size = (body, wide * rng.uniform(1.0, 1.6), high * rng.uniform(1.0, 1.8))
    return [metal, Block(centre, turn, size, size[1] * rng.uniform(0, 0.4), top, side, side)]


def button(rng: Rng, where: tuple[float, float]) -> list[Block]:
    """A disc with two or four holes and a rim."""
    across, colour = rng.uniform(0.5, 1.6), np.array(any_colour(rng))
    face = flat(_colour(colour), _PAPER, _PAPER)
    middle = _PAPER // 2
    cv2.circle(face, (middle, middle), round(middle * rng.uniform(0.6, 0.85)), _shade(rng, colour), -1, cv2.LINE_AA)
    holes, away, turn = int(rng.choice([2, 4])), middle * rng.uniform(0.18, 0.36), rng.uniform(0, 7)
    for k in range(holes):
        angle = turn + 2 * math.pi * k / holes
        at = (round(middle + away * math.cos(angle)), round(middle + away * math.sin(angle)))
        cv2.circle(face, at, round(middle * rng.uniform(0.07, 0.14)), stored(_colour(colour * 0.2)), -1, cv2.LINE_AA)
    top = squares(face)
    side = top[:3, :3].mean((0, 1))
    size = (across, across, rng.uniform(0.02, 0.15))
    return [Block((*where, 0.0), rng.uniform(0, 7), size, across * 0.49, top, side, side)]


def socket(rng: Rng, where: tuple[float, float]) -> list[Block]:
    """A square of one colour with two holes side by side, mostly off the centre: seldom where a die has its pips."""
    across, colour = rng.uniform(0.5, 1.6), np.array(any_colour(rng))
    face = flat(_colour(colour), _PAPER, _PAPER)
    cv2.rectangle(face, (6, 6), (_PAPER - 7, _PAPER - 7), _shade(rng, colour), int(rng.integers(1, 4)), cv2.LINE_AA)
    row, size = rng.uniform(0.25, 0.75) * _PAPER, rng.uniform(4, 11)
    dark = stored(_colour(colour * rng.uniform(0, 0.4)))
    apart = rng.uniform(0.16, 0.24) * _PAPER
    for x in (_PAPER / 2 - apart, _PAPER / 2 + apart):
        _hole(face, (x, row), (size, size * rng.uniform(0.8, 2)), dark, square=rng.random() < 0.7)
    top = squares(face)
    side = top[:3, :3].mean((0, 1))
    sizes = (across, across * rng.uniform(0.8, 1.2), rng.uniform(0.05, 0.5))
    return [Block((*where, 0.0), rng.uniform(0, 7), sizes, across * rng.uniform(0, 0.2), top, side, side)]


def _metal(rng: Rng, length: float) -> Sheet:
    """The shell from above, its mouth on the right: a light gradient across it, two holes, a seam, small latches."""
    across, along = _PAPER, max(24, round(_PAPER * length))
    y, x = np.mgrid[-1 : 1 : across * 1j, -1 : 1 : along * 1j]
    turn = rng.uniform(0, 2 * math.pi)
    way = x * math.cos(turn) + y * math.sin(turn)
    stripe = rng.uniform(0, 0.5) * np.exp(-((way - rng.uniform(-1, 1)) ** 2) / rng.uniform(0.01, 0.3))
    light = rng.uniform(0.35, 0.95) * (1 + rng.uniform(0, 0.4) * way + stripe) + rng.normal(0, 0.02, (across, 1))
    tint = np.array([1, rng.uniform(0.9, 1), rng.uniform(0.75, 1)])
    face = np.ascontiguousarray((light[..., None] * tint).clip(0, 1) * 255).astype(np.uint8)
    shade = float(face.mean())
    dark = (round(shade * rng.uniform(0, 0.3)),) * 3
    inside = dark if rng.random() < 0.6 else (round(min(255.0, shade * rng.uniform(0.6, 1.5))),) * 3
    apart, place = across * rng.uniform(0.18, 0.27), along * rng.uniform(0.3, 0.75)
    size = across * rng.uniform(0.06, 0.13)
    stretched, square = size * rng.uniform(0.7, 1.5), rng.random() < 0.8
    for row in (across / 2 - apart, across / 2 + apart):
        _hole(face, (place, row), (stretched, size), dark, square=square)
        if inside != dark:
            _hole(
                face, (place + size * rng.uniform(-0.3, 0.3), row), (stretched * 0.6, size * 0.7), inside, square=square
            )
        if rng.random() < 0.4:
            _hole(face, (along * rng.uniform(0.85, 0.95), row), (size * 0.3, size * 0.4), dark, square=True)
    if rng.random() < 0.5:
        seam = round(across * rng.uniform(0.3, 0.7))
        cv2.line(face, (0, seam), (along, seam), dark, 1, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.rectangle(face, (0, 0), (along - 1, across - 1), dark, int(rng.integers(1, 4)), cv2.LINE_AA)
    return face


def _hole(
    face: Sheet, at: tuple[float, float], size: tuple[float, float], colour: tuple[int, ...], *, square: bool
) -> None:
    (x, y), (wide, high) = at, size
    if square:
        low, top = (round(x - wide), round(y - high)), (round(x + wide), round(y + high))
        cv2.rectangle(face, low, top, colour, -1, cv2.LINE_AA)
    else:
        cv2.ellipse(
            face, (round(x), round(y)), (max(1, round(wide)), max(1, round(high))), 0, 0, 360, colour, -1, cv2.LINE_AA
        )


def _print(rng: Rng, face: Sheet) -> Sheet:
    if rng.random() < 0.6:
        word = "".join(rng.choice(list("ABCDEGHKLMNORSTUX 0123"), int(rng.integers(2, 7))))
        cv2.putText(face, word, (6, 30), 0, 0.6, (int(rng.integers(256)),) * 3, 1, cv2.LINE_AA)
    return face


def _colour(colour: Points) -> tuple[float, float, float]:
    r, g, b = colour.clip(0, 1).tolist()
    return r, g, b


def _shade(rng: Rng, colour: Points) -> tuple[int, int, int]:
    return stored(_colour(colour * rng.uniform(0.6, 1.3)))
