"""Simulates a phone's camera on drawn crops: light, focus, motion, resolution, noise, JPEG."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import cv2
import numpy as np

from datasets.generate.camera.optics import enlarged, shaken
from datasets.generate.parts.canvas import Bytes, Picture, Rng, blurred, pixel
from datasets.generate.parts.colours import hue
from datasets.labels.crop_files import DRAWN

_GRAIN = 900
"""Side in pixels of the noise that a process makes once; the noise of each photo is cut from it."""


def photographed(rng: Rng, canvas: Picture, least: float = 32.0) -> Bytes:
    """The canvas (canvas x canvas x 3, 0..1) as photographed by a phone: `DRAWN` x `DRAWN` x 3, 0..255.

    `least`: the fewest pixels across the crop, for one taken from far away.
    """
    picture = np.asarray(cv2.resize(canvas, (DRAWN, DRAWN), interpolation=cv2.INTER_AREA), np.float32)
    for chance, harm in _HARMS:
        if rng.random() < chance:
            picture = np.asarray(harm(rng, picture), np.float32)
    unsharp = rng.random()
    if unsharp < 0.65:
        picture = _unsharp(rng, picture, unsharp, least)
    picture = _noisy(rng, picture)
    final = np.asarray(np.clip(picture * 255 + 0.5, 0, 255), np.uint8)
    if rng.random() < 0.15:
        final = np.asarray(cv2.medianBlur(final, 3 if rng.random() < 0.7 else 5), np.uint8)
    return _packed(rng, final) if rng.random() < 0.6 else final


def _unsharp(rng: Rng, picture: Picture, kind: float, least: float) -> Picture:
    """Out of focus, with motion blur, or with few pixels, depending on `kind` (0..0.65)."""
    if kind < 0.3:
        return _defocused(rng, picture)
    return shaken(picture, rng.uniform(0, math.pi), rng.uniform(2, 10)) if kind < 0.4 else _coarse(rng, picture, least)


def _exposed(rng: Rng, picture: Picture) -> Picture:
    """Change exposure and contrast; pale faces may be overexposed."""
    gain = np.float32(np.exp(rng.normal(0.05, 0.3)))
    return np.asarray(np.clip(picture * gain, 0.001, None) ** np.float32(np.exp(rng.normal(0, 0.2))), np.float32)


def _burnt(rng: Rng, picture: Picture) -> Picture:
    """Overexposed, with the light areas bleeding into each other."""
    bright = np.clip(picture * np.float32(rng.uniform(1.2, 2)), 0, 1.15)
    smeared = blurred(bright, rng.uniform(1, 5))
    return np.asarray(bright + np.float32(rng.uniform(0.1, 0.4)) * np.clip(smeared - 0.6, 0, None), np.float32)


def _tinted(rng: Rng, picture: Picture) -> Picture:
    return np.asarray(picture * rng.normal(1, 0.1, 3).astype(np.float32), np.float32)


def _flooded(rng: Rng, picture: Picture) -> Picture:
    """Lit by a single strong colour, or without colour."""
    grey = picture @ np.array([0.3, 0.59, 0.11], np.float32)
    colour = hue(rng.random(), rng.uniform(0, 0.95), rng.uniform(0.8, 1)).astype(np.float32)
    flood = (grey[..., None] * colour) * np.float32(1.1) + np.float32(rng.uniform(0, 0.15)) * colour
    return np.asarray(picture + np.float32(rng.uniform(0.6, 1)) * (flood - picture), np.float32)


def _sloped(rng: Rng, picture: Picture) -> Picture:
    turn = rng.uniform(0, 2 * math.pi)
    line = np.linspace(-1, 1, DRAWN, dtype=np.float32)
    slope = line[None] * np.float32(math.cos(turn)) + line[:, None] * np.float32(math.sin(turn))
    return np.asarray(picture * (1 + np.float32(rng.uniform(0.1, 0.5)) * slope)[..., None], np.float32)


def _spotlit(rng: Rng, picture: Picture) -> Picture:
    """The centre bright, the surroundings darker or black."""
    line = np.arange(DRAWN, dtype=np.float32)
    y, x = rng.normal(DRAWN / 2, DRAWN / 12, 2).astype(np.float32)
    away = ((line[:, None] - y) ** 2 + (line[None] - x) ** 2) / np.float32((DRAWN * rng.uniform(0.25, 0.5)) ** 2)
    dark = np.float32(rng.uniform(0, 0.7))
    spot = dark + (np.float32(rng.uniform(1, 1.7)) - dark) / (1 + away ** np.float32(rng.uniform(1, 4)))
    return np.asarray(picture * spot[..., None], np.float32)


def _glaring(rng: Rng, picture: Picture) -> Picture:
    """One to three reflections of a lamp or window."""
    spots = np.zeros((DRAWN, DRAWN), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        at, size = rng.integers(10, DRAWN - 10, 2), rng.integers(1, 9, 2)
        cv2.ellipse(spots, pixel(at), pixel(size), float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    soft = blurred(spots.astype(np.float32) * np.float32(1 / 255), rng.uniform(0.6, 6))
    return np.asarray(picture + np.float32(rng.uniform(0.2, 0.8)) * soft[..., None], np.float32)


def _hazy(rng: Rng, picture: Picture) -> Picture:
    """Less contrast, blended towards a grey."""
    return np.asarray(
        picture + np.float32(rng.uniform(0.1, 0.5)) * (np.float32(rng.uniform(0.1, 0.8)) - picture), np.float32
    )


def _defocused(rng: Rng, picture: Picture) -> Picture:
    return blurred(picture, float(np.exp(rng.uniform(np.log(0.5), np.log(2.2)))))


def _sharpened(rng: Rng, picture: Picture) -> Picture:
    soft = blurred(picture, rng.uniform(0.7, 2))
    return np.asarray(picture + np.float32(rng.uniform(0.3, 1.5)) * (picture - soft), np.float32)


def _coarse(rng: Rng, picture: Picture, least: float) -> Picture:
    """Photographed at low resolution and enlarged: `least` pixels across the crop or more."""
    side = int(np.exp(rng.uniform(np.log(least), np.log(90))))
    way = int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST], p=[0.5, 0.4, 0.1]))
    return enlarged(picture, side, side, way)


def _noisy(rng: Rng, picture: Picture) -> Picture:
    strength = np.float32(np.exp(rng.uniform(np.log(0.003), np.log(0.06))))
    y, x = rng.integers(0, _GRAIN - DRAWN, 2)
    noise = _grain()[y : y + DRAWN, x : x + DRAWN]
    if rng.random() < 0.4:
        noise = blurred(noise, 0.8) * 2
    return np.asarray(picture + strength * noise, np.float32)


@functools.cache
def _grain() -> Picture:
    """Camera noise, made once per process: each photo uses another part of it."""
    return np.random.default_rng(7).standard_normal((_GRAIN, _GRAIN, 3), np.float32)


def _packed(rng: Rng, picture: Bytes) -> Bytes:
    _, coded = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 95))])
    return np.ascontiguousarray(np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)[..., ::-1])


_HARMS: tuple[tuple[float, Callable[[Rng, Picture], Picture]], ...] = (
    (0.4, _sloped),
    (0.25, _glaring),
    (0.6, _exposed),
    (0.1, _burnt),
    (0.5, _tinted),
    (0.12, _flooded),
    (0.12, _spotlit),
    (0.15, _hazy),
    (0.2, _sharpened),
)
"""The effects in the order in which they are applied, each with its probability."""
