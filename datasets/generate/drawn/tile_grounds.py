"""Backgrounds of drawn tiles: tables and printed sheets of all kinds, or windows of photos without pieces."""

from __future__ import annotations

import functools
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.drawn import photo_grounds
from datasets.generate.parts.drawings import any_colour
from datasets.generate.parts.paint import noise

Rng = np.random.Generator
Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

TABLE = 176
"""Side of the flat table in pixels; the end to read is at its centre. Beyond the table the picture is mirrored."""
_SHEETS = 96
"""Number of sheets of each kind; windows, colours and turns vary them."""
_SHEET = 384


def ground(rng: Rng, kind: Callable[[int], Pixels] | None = None, photos: float = 0.4) -> Floats:
    """A piece of table or of print, RGB 0..1, recoloured; with probability `photos` a window of a photo, if there are any."""
    if photo_grounds.shared() and rng.random() < photos:
        return photo_grounds.window(rng, TABLE)
    kind = kind or (printed if rng.random() < 0.25 else plain)
    sheet = kind(int(rng.integers(_SHEETS)))
    left, top = rng.integers(0, _SHEET - TABLE, 2)
    window = np.rot90(sheet[top : top + TABLE, left : left + TABLE], int(rng.integers(4)))
    light = np.float32(rng.uniform(0.35, 1.15) / 255)
    channels = rng.permutation(3) if rng.random() < 0.4 else np.arange(3)
    return np.asarray(np.minimum(window[..., channels] * light, 1), np.float32)


@functools.cache
def plain(number: int) -> Pixels:
    """A table: flat, speckled, clouded, woven or of boards. The sheet depends only on `number`."""
    rng = np.random.default_rng((1, number))
    base, second = np.array(any_colour(rng)), np.array(any_colour(rng))
    share = _SURFACES[number % len(_SURFACES)](rng)[..., None] * rng.uniform(0.1, 0.7)
    grit = rng.normal(0, rng.uniform(0, 0.06), (_SHEET, _SHEET, 1))
    return np.asarray(np.clip((base + (second - base) * share + grit) * 255, 0, 255), np.uint8)


def _clouds(rng: Rng) -> Floats:
    lumps = int(rng.integers(2, 60))
    return noise(rng, (_SHEET, _SHEET), (lumps, lumps))


def _weave(rng: Rng) -> Floats:
    step = float(rng.uniform(3, 12))
    x = np.sin(np.arange(_SHEET, dtype=np.float32) * (2 * np.pi / step))
    return np.asarray(np.clip(0.5 + 0.5 * np.outer(x, x) + rng.normal(0, 0.2, (_SHEET, _SHEET)), 0, 1), np.float32)


def _boards(rng: Rng) -> Floats:
    grain = noise(rng, (_SHEET, _SHEET), (int(rng.integers(20, 120)), 4))
    for y in np.arange(rng.uniform(0, 60), _SHEET, rng.uniform(50, 200)).astype(int):
        grain[y : y + int(rng.integers(1, 4))] = 1
    return grain


def _flat(rng: Rng) -> Floats:
    return noise(rng, (_SHEET, _SHEET), (2, 2))


def _speckles(rng: Rng) -> Floats:
    grit = cv2.GaussianBlur(rng.normal(0, 1, (_SHEET, _SHEET)).astype(np.float32), (0, 0), float(rng.uniform(0.7, 4)))
    return np.asarray(np.clip(grit / grit.std() - rng.uniform(0, 1.5), 0, 1), np.float32)


_SURFACES = (_flat, _clouds, _weave, _boards, _speckles)


@functools.cache
def printed(number: int) -> Pixels:
    """A printed sheet: squares, chequers, text, dots, stars, cards. The sheet depends only on `number`."""
    rng = np.random.default_rng((2, number))
    sheet = np.array(plain(int(rng.integers(_SHEETS))) if rng.random() < 0.4 else _paper(rng))
    for _ in range(int(rng.integers(1, 3))):
        _PRINTS[int(rng.integers(len(_PRINTS)))](rng, sheet)
    return sheet


def _paper(rng: Rng) -> Pixels:
    return np.full((_SHEET, _SHEET, 3), np.array(any_colour(rng)) * 255, np.uint8)


def _ink(rng: Rng) -> tuple[float, float, float]:
    r, g, b = any_colour(rng)
    return r * 255, g * 255, b * 255


def _squares(rng: Rng, sheet: Pixels) -> None:
    step, width = int(rng.integers(18, 110)), int(rng.integers(1, 6))
    colour = _ink(rng)
    for at in range(int(rng.integers(step)), _SHEET, step):
        cv2.line(sheet, (at, 0), (at, _SHEET), colour, width, cv2.LINE_AA)
        cv2.line(sheet, (0, at), (_SHEET, at), colour, width, cv2.LINE_AA)


def _stripes(rng: Rng, sheet: Pixels) -> None:
    step, slant = int(rng.integers(8, 90)), int(rng.integers(-_SHEET, _SHEET))
    colour, width = _ink(rng), int(rng.integers(1, max(2, step // 2)))
    for at in range(-_SHEET, 2 * _SHEET, step):
        cv2.line(sheet, (at, 0), (at + slant, _SHEET), colour, width, cv2.LINE_AA)


def _chequers(rng: Rng, sheet: Pixels) -> None:
    step, colour = int(rng.integers(12, 100)), _ink(rng)
    cells = np.arange(_SHEET) // step
    sheet[(cells[:, None] + cells[None]) % 2 == 1] = colour


def _letters(rng: Rng, sheet: Pixels) -> None:
    size, colour = float(rng.uniform(0.4, 4)), _ink(rng)
    for y in np.arange(20, _SHEET, 34 * size).astype(int).tolist():
        text = "".join(chr(int(code)) for code in rng.integers(48, 123, 24))
        cv2.putText(sheet, text, (-10, y), int(rng.integers(8)), size, colour, max(1, int(size * 2)), cv2.LINE_AA)


def _dots(rng: Rng, sheet: Pixels) -> None:
    step, colour = int(rng.integers(12, 80)), _ink(rng)
    radius, filled = int(step * rng.uniform(0.1, 0.45)), rng.random() < 0.7
    for x in range(0, _SHEET, step):
        for y in range(0, _SHEET, step):
            cv2.circle(sheet, (x, y), max(1, radius), colour, -1 if filled else 2, cv2.LINE_AA)


def _stars(rng: Rng, sheet: Pixels) -> None:
    step, colour = int(rng.integers(30, 120)), _ink(rng)
    points, inner = int(rng.integers(3, 9)), float(rng.uniform(0.2, 0.7))
    turns = np.arange(2 * points) * np.pi / points
    reach = step * rng.uniform(0.2, 0.5) * np.where(np.arange(2 * points) % 2, inner, 1.0)
    star = np.stack([reach * np.cos(turns), reach * np.sin(turns)], -1)
    for x in range(step // 2, _SHEET, step):
        for y in range(step // 2, _SHEET, step):
            cv2.fillPoly(sheet, [(star + np.array([x, y])).astype(np.int32)], colour, cv2.LINE_AA)


def _cards(rng: Rng, sheet: Pixels) -> None:
    for _ in range(int(rng.integers(3, 14))):
        x, y = rng.integers(-40, _SHEET, 2).tolist()
        width, height = rng.integers(30, 150, 2).tolist()
        cv2.rectangle(sheet, (x, y), (x + width, y + height), _ink(rng), -1 if rng.random() < 0.7 else 3)


def _blobs(rng: Rng, sheet: Pixels) -> None:
    for _ in range(int(rng.integers(4, 30))):
        x, y = rng.integers(0, _SHEET, 2).tolist()
        axes = rng.integers(4, 70, 2).tolist()
        cv2.ellipse(sheet, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, _ink(rng), -1, cv2.LINE_AA)


_PRINTS = (_squares, _stripes, _chequers, _letters, _dots, _stars, _cards, _blobs)
