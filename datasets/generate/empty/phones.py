"""Phones face down on a photo's table: their lenses, two to four in a square, a bar or a disc, look like pips."""

from __future__ import annotations

import math

import cv2
import numpy as np

from datasets.generate.empty.slabs import laid
from datasets.generate.parts.drawings import Colour, Rng, any_colour, luminance
from datasets.generate.parts.layouts.spots import Points
from datasets.generate.parts.paint import Sheet, flat, nearest, noise, stored

_WIDE, _HIGH = 360, 740
"""Size of a phone's sheet in pixels."""
_LONG = 0.12, 0.9
"""Range of a phone's longer side over the picture's."""
_RIM, _DARK = 3, 0.3
"""Width of a rim in pixels; luminance of a phone below which the rings of its lenses are dark, too."""
_GLASS, _INNER, _FLASH = (14, 14, 18), (40, 34, 70), (250, 240, 205)


def phones(rng: Rng, ground: Sheet) -> Sheet:
    """One or two phones with their shadows on a picture (height x width x 3)."""
    for _ in range(int(rng.integers(1, 3))):
        corner = int(rng.uniform(0.06, 0.16) * _WIDE)
        cover = np.zeros((_HIGH, _WIDE), np.uint8)
        _rounded(cover, (0, 0, _WIDE, _HIGH), corner, (255, 255, 255))
        ground, _ = laid(rng, ground, _back(rng), _LONG, cover.astype(np.float32) / np.float32(255))
    return ground


def _back(rng: Rng) -> Sheet:
    """The back of a phone (`_HIGH` x `_WIDE` x 3): its colour with a sheen, a logo, and the lenses near one end."""
    colour = any_colour(rng)
    sheet = flat(colour, _HIGH, _WIDE).astype(np.float32)
    sheet *= 1 + rng.uniform(0, 0.5) * (noise(rng, (_HIGH, _WIDE), (3, 2))[..., None] - 0.5)
    back = np.asarray(sheet.clip(0, 255), np.uint8)
    if rng.random() < 0.5:
        tone = rng.uniform(0.6, 1.6)
        mark = tuple(min(255, int(value * tone + 15)) for value in stored(colour))
        cv2.circle(
            back,
            (_WIDE // 2, int(_HIGH * rng.uniform(0.4, 0.6))),
            int(rng.uniform(0.06, 0.12) * _WIDE),
            mark,
            -1,
            cv2.LINE_AA,
        )
    _camera(rng, back, colour)
    return back


def _camera(rng: Rng, back: Sheet, colour: Colour) -> None:
    """Draw the lenses and a flash, on a raised part or on the back itself."""
    shape = str(rng.choice(["square", "pill", "bar", "disc", "none"], p=[0.4, 0.2, 0.1, 0.15, 0.15]))
    unit = _WIDE * rng.uniform(0.42, 0.52)
    edge = _WIDE * rng.uniform(0.05, 0.1)
    sizes = {"pill": (unit * 0.5, unit * 1.2), "bar": (_WIDE - 2 * edge, unit * 0.5)}
    size = np.array(sizes.get(shape, (unit, unit)))
    corner = np.array([(_WIDE - size[0]) / 2 if shape in ("bar", "disc") else edge, edge])
    _raised(rng, back, shape, (corner, corner + size), colour)
    spots, share = _lenses(rng, shape)
    *lenses, light = (corner + np.array(spot) * size for spot in spots)
    radius = share * unit
    for at in lenses:
        _lens(rng, back, at, radius, dark=luminance(colour) < _DARK)
    if rng.random() < 0.85:
        cv2.circle(back, nearest(light), max(3, int(radius * 0.45)), _FLASH, -1, cv2.LINE_AA)
    else:
        _lens(rng, back, light, radius, dark=luminance(colour) < _DARK)


def _raised(rng: Rng, back: Sheet, shape: str, part: tuple[Points, Points], colour: Colour) -> None:
    """Draw the raised part between two corners, in a shade of the phone's colour or black, and its rim."""
    tone = rng.uniform(0.7, 1.25)
    top = _GLASS if rng.random() < 0.3 else tuple(min(255, int(value * tone + 6)) for value in stored(colour))
    if shape == "none":
        return
    rim = tuple(min(255, int(value * 1.25 + 20)) for value in top)
    (left, upper), (right, lower) = (corner.astype(int).tolist() for corner in part)
    short = float(np.min(part[1] - part[0]))
    round_by = int(short * (0.5 if shape == "disc" else rng.uniform(0.2, 0.5)))
    _rounded(back, (left, upper, right, lower), round_by, rim)
    _rounded(back, (left + _RIM, upper + _RIM, right - _RIM, lower - _RIM), max(1, round_by - _RIM), top)


def _lenses(rng: Rng, shape: str) -> tuple[list[tuple[float, float]], float]:
    """The lenses' positions in the raised part, in shares of it, the flash last; and their radius, over the part's width."""
    if shape == "pill":
        count = int(rng.integers(2, 4))
        return [(0.5, (k + 0.5) / (count + 0.3)) for k in range(count)] + [(0.5, 0.93)], 0.19
    if shape == "bar":
        count = int(rng.integers(2, 5))
        return [(0.12 + 0.2 * k, 0.5) for k in range(count)] + [(0.92, 0.5)], 0.17
    a, b, m = 0.28, 0.72, 0.5
    patterns: list[list[tuple[float, float]]] = [
        [(a, a), (b, b), (b, a)],  # two across a corner
        [(a, a), (a, b), (b, m)],  # two below each other
        [(a, a), (a, b), (b, m), (b, 0.2)],  # three
        [(a, a), (b, a), (a, b), (b, b), (m, m)],  # four
        [(m, a), (m, b), (b, m)],
        [(a, a), (b, a), (m, b), (b, b)],
    ]
    return patterns[int(rng.integers(len(patterns)))], rng.uniform(0.13, 0.21)


def _lens(rng: Rng, back: Sheet, at: Points, radius: float, *, dark: bool) -> None:
    """Draw a ring, black glass, a blue reflection and a highlight."""
    ring = int(rng.integers(60, 130)) if dark else int(rng.integers(120, 230))
    for share, shade in ((1.0, (ring, ring, ring)), (0.86, _GLASS), (0.5, _INNER), (0.3, _GLASS)):
        cv2.circle(back, nearest(at), max(1, int(radius * share)), shade, -1, cv2.LINE_AA)
    turn = rng.uniform(0, 2 * math.pi)
    light = at + 0.35 * radius * np.array([math.cos(turn), math.sin(turn)])
    cv2.circle(back, nearest(light), max(1, int(radius * rng.uniform(0.05, 0.16))), (225, 230, 240), -1, cv2.LINE_AA)


def _rounded(sheet: Sheet, box: tuple[int, int, int, int], corner: int, shade: tuple[int, ...]) -> None:
    """A rectangle with round corners."""
    left, top, right, bottom = box
    cv2.rectangle(sheet, (left + corner, top), (right - corner, bottom), shade, -1)
    cv2.rectangle(sheet, (left, top + corner), (right, bottom - corner), shade, -1)
    for x in (left + corner, right - corner):
        for y in (top + corner, bottom - corner):
            cv2.circle(sheet, (x, y), corner, shade, -1, cv2.LINE_AA)
