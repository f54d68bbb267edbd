"""Circuit boards: chips, plugs and parts with two pads look like tiles, rows of holes like pips."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import cv2
import numpy as np

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.lettering.signs import Ink
from datasets.generate.parts.paint import Sheet

_BOARDS = ((20, 90, 40), (10, 60, 100), (22, 20, 20), (150, 30, 30), (60, 110, 60))
_METALS = ((205, 200, 190), (210, 170, 90), (230, 230, 230))
_PARTS = ((20, 20, 20), (190, 160, 120), (90, 60, 40), (235, 235, 230))
_PLUGS = ((235, 235, 235), (30, 30, 30), (40, 140, 60), (190, 20, 20))
_LETTERS = list("ABCLMTX0123456789")

_T = TypeVar("_T")


def circuits(rng: Rng, side: int) -> Sheet:
    """A square picture (side x side x 3) filled by a board with traces and parts of any size."""
    base = np.array(_any(rng, _BOARDS)) * rng.uniform(0.6, 1.3)
    sheet = np.full((side, side, 3), base.clip(0, 255), np.uint8)
    unit = side * math.exp(rng.uniform(math.log(0.006), math.log(0.03)))
    trace = tuple((base * 1.25 + 10).clip(0, 255).tolist())
    for _ in range(int(rng.integers(20, 90))):
        start, way = rng.integers(0, side, 2), _any(rng, ((1, 0), (0, 1), (0.7, 0.7), (0.7, -0.7)))
        end = start + np.array(way) * rng.integers(1, 40) * unit
        cv2.line(sheet, start.tolist(), end.astype(int).tolist(), trace, max(1, int(unit * 0.3)), cv2.LINE_AA)
    makers: tuple[Callable[[Rng, Sheet, float, float, float], None], ...] = (_chip, _holes, _pads, _ring, _plug, _can)
    for _ in range(int(rng.integers(8, 60))):
        x, y = rng.uniform(0, side, 2)
        makers[int(rng.integers(len(makers)))](rng, sheet, float(x), float(y), unit)
    return sheet


def _any(rng: Rng, choices: Sequence[_T]) -> _T:
    return choices[int(rng.integers(len(choices)))]


def _box(sheet: Sheet, x: float, y: float, wide: float, high: float, ink: Ink) -> None:
    cv2.rectangle(sheet, (int(x), int(y)), (int(x + wide), int(y + high)), ink, -1)


def _disc(sheet: Sheet, x: float, y: float, radius: float, ink: Ink) -> None:
    cv2.circle(sheet, (int(x), int(y)), max(1, int(radius)), ink, -1, cv2.LINE_AA)


def _chip(rng: Rng, sheet: Sheet, x: float, y: float, unit: float) -> None:
    """A dark box with legs on two sides, a dot at one corner, and print."""
    wide, high = (float(length) for length in rng.uniform(4, 16, 2) * unit)
    metal, shade = _any(rng, _METALS), int(rng.integers(15, 60))
    for leg in range(int(wide / unit / 1.2)):
        for edge in (y - unit * 0.7, y + high):
            _box(sheet, x + (1.2 * leg + 0.3) * unit, edge, 0.6 * unit, 0.7 * unit, metal)
    _box(sheet, x, y, wide, high, (shade, shade, shade))
    if rng.random() < 0.7:
        dot = int(rng.integers(60, 130))
        _disc(sheet, x + unit, y + unit, 0.5 * unit, (dot, dot, dot))
    if rng.random() < 0.6:
        place, word = (int(x + unit), int(y + high * 0.6)), "".join(rng.choice(_LETTERS, 6))
        cv2.putText(sheet, word, place, 0, unit * 0.05 + 0.15, (150, 150, 150), 1, cv2.LINE_AA)


def _holes(rng: Rng, sheet: Sheet, x: float, y: float, unit: float) -> None:
    """One or two rows of round pads, some on a block."""
    across, down = int(rng.integers(1, 14)), int(rng.integers(1, 3))
    if rng.random() < 0.5:
        block = (20, 20, 20) if rng.random() < 0.6 else (235, 235, 235)
        _box(sheet, x - unit, y - unit, across * 2 * unit, down * 2 * unit, block)
    metal, hollow = _any(rng, _METALS), rng.random() < 0.4
    for i in range(across):
        for j in range(down):
            at = int(x + i * 2 * unit), int(y + j * 2 * unit)
            thick = max(1, int(0.3 * unit)) if hollow else -1
            cv2.circle(sheet, at, max(1, int(0.6 * unit)), metal, thick, cv2.LINE_AA)


def _pads(rng: Rng, sheet: Sheet, x: float, y: float, unit: float) -> None:
    """A part between two pads: like a tile with its middle line."""
    long = rng.uniform(1.5, 5) * unit
    wide, high = (long, long * rng.uniform(0.4, 0.7))[:: 1 if rng.random() < 0.5 else -1]
    _box(sheet, x, y, wide, high, _any(rng, _METALS))
    inset = (wide * 0.25, 0.0) if wide > high else (0.0, high * 0.25)
    _box(sheet, x + inset[0], y + inset[1], wide - 2 * inset[0], high - 2 * inset[1], _any(rng, _PARTS))


def _ring(rng: Rng, sheet: Sheet, x: float, y: float, unit: float) -> None:
    """A hole for a screw."""
    _disc(sheet, x, y, rng.uniform(1, 5) * unit, _any(rng, _METALS))
    _disc(sheet, x, y, rng.uniform(0.5, 2.5) * unit, (20, 20, 20))


def _plug(rng: Rng, sheet: Sheet, x: float, y: float, unit: float) -> None:
    """A block with a row of pins."""
    pins = int(rng.integers(2, 10))
    _box(sheet, x, y, (2 * pins + 1) * unit, 4 * unit, _any(rng, _PLUGS))
    metal = _any(rng, ((30, 30, 30), (200, 200, 200)))
    for pin in range(pins):
        _disc(sheet, x + (1.5 + 2 * pin) * unit, y + 2 * unit, 0.55 * unit, metal)


def _can(rng: Rng, sheet: Sheet, x: float, y: float, unit: float) -> None:
    """A capacitor from above."""
    radius = rng.uniform(3, 8) * unit
    _disc(sheet, x, y, radius, (40, 50, 60))
    _disc(sheet, x, y, radius * rng.uniform(0.7, 0.95), (185, 180, 180))
