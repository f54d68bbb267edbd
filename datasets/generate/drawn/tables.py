"""Backgrounds: plain, grained, woven, striped or printed tables."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np

from datasets.generate.drawn import photo_grounds
from datasets.generate.parts.canvas import CANVAS, Floats, Picture, Rng, pixel
from datasets.generate.parts.clouds import cloud
from datasets.generate.parts.colours import any_colour
from datasets.generate.parts.lettering.numerals import Lettering, any_lettering, number

_DRAWN = 0.35
"""Probability of a drawn ground although there are photos."""


def any_ground(rng: Rng) -> Picture:
    """A new canvas (canvas x canvas x 3), filled with a window of a photo (`photo_grounds`) or a drawn table."""
    if not photo_grounds.shared() or rng.random() < _DRAWN:
        return any_table(rng)
    return photo_grounds.window(rng, CANVAS)


def any_table(rng: Rng) -> Picture:
    """A new canvas (canvas x canvas x 3), filled with a table."""
    base, other = any_colour(rng), any_colour(rng)
    kind = rng.choice(["plain", "grained", "woven", "striped", "printed"], p=[0.2, 0.4, 0.15, 0.1, 0.15])
    canvas = np.empty((CANVAS, CANVAS, 3), np.float32)
    canvas[:] = base
    if kind == "grained":
        canvas += _grained(rng)[..., None] * (other - base).astype(np.float32)
    elif kind == "woven":
        canvas *= _woven(rng)[..., None]
    elif kind == "striped":
        canvas += _striped(rng)[..., None] * (other - base).astype(np.float32)
    elif kind == "printed":
        _printed(rng, canvas, other)
    if rng.random() < 0.6:
        canvas *= (1 + np.float32(rng.uniform(0.05, 0.35)) * (cloud(rng) - 0.5))[..., None]
    return canvas


def _grained(rng: Rng) -> Picture:
    share = np.clip((cloud(rng) - 0.5) * rng.uniform(0.5, 6) + 0.5, 0, 1)
    return np.asarray(share * np.float32(rng.uniform(0.1, 0.7)))


def _woven(rng: Rng) -> Picture:
    line = np.arange(CANVAS, dtype=np.float32)
    threads = np.float32(rng.uniform(0.5, 2.5))
    weave = np.sin(line * threads)[:, None] * np.sin(line * threads * np.float32(rng.uniform(0.6, 1.4)))[None]
    return np.asarray(1 + np.float32(rng.uniform(0.05, 0.3)) * weave, np.float32)


def _striped(rng: Rng) -> Picture:
    turn, pace = rng.uniform(0, math.pi), rng.uniform(0.05, 0.8)
    line = np.arange(CANVAS, dtype=np.float32)
    across = line[None] * np.float32(math.cos(turn)) + line[:, None] * np.float32(math.sin(turn))
    waves = np.sin(across * np.float32(pace) + 3 * cloud(rng) * np.float32(rng.random()))
    return np.asarray(np.clip(waves * rng.uniform(1, 6), 0, 1) * rng.uniform(0.2, 1), np.float32)


def _printed(rng: Rng, canvas: Picture, colour: Floats) -> None:
    """Numbers, lines and discs printed on the table."""
    ink = tuple(float(v) for v in colour)
    for _ in range(int(rng.integers(1, 6))):
        a, b = rng.integers(-20, CANVAS + 20, (2, 2))
        kind = rng.integers(3)
        if kind == 0:
            cv2.line(canvas, pixel(a), pixel(b), ink, int(rng.integers(1, 8)), cv2.LINE_AA)
        elif kind == 1:
            cv2.circle(canvas, pixel(a), int(rng.integers(3, 60)), ink, int(rng.choice([-1, 2, 5])), cv2.LINE_AA)
        else:
            write(rng, canvas, int(rng.integers(0, 100)), any_lettering(rng), a, rng.uniform(0.2, 0.8), colour)


def write(
    rng: Rng, canvas: Picture, value: int, lettering: Lettering, at: Iterable[float], scale: float, colour: Floats
) -> None:
    """Print a number flat on the canvas, in place; `at`: its centre in pixels; `scale` 1: `DIGIT` pixels high."""
    mask = number(value, lettering)
    turn = rng.uniform(0, 2 * math.pi)
    along = np.array([math.cos(turn), math.sin(turn)]) * scale
    down = np.array([-along[1], along[0]])
    place = np.column_stack([along, down, np.array(list(at)) - along * mask.shape[1] / 2 - down * mask.shape[0] / 2])
    share = cv2.warpAffine(mask, place, (CANVAS, CANVAS)).astype(np.float32) / 255
    canvas += share[..., None] * (colour.astype(np.float32) - canvas)
