"""A black tray with dust on it: single bright specks look like the pip of a 1."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.paint import Sheet, blurred

Floats = NDArray[np.float32]


def specks(rng: Rng, side: int) -> Sheet:
    """A square picture (side x side x 3): dark, unevenly lit, with edges of a tray and bright specks."""
    shade = rng.uniform(2, 45) * (1 + rng.normal(0, 0.06, 3))
    picture = np.full((side, side, 3), shade, np.float32)
    picture += blurred(rng.standard_normal((side, side, 3), np.float32), rng.uniform(0.5, 2.5)) * rng.uniform(1, 14)
    for _ in range(int(rng.integers(0, 4))):
        picture += _glow(rng, side)
    for _ in range(int(rng.integers(0, 7))):
        picture += _edge(rng, side)
    for _ in range(int(rng.integers(1, 40 if rng.random() < 0.7 else 4))):
        picture += _speck(rng, side)
    return np.asarray(picture.clip(0, 255).astype(np.uint8))


def _glow(rng: Rng, side: int) -> Floats:
    """A soft light on a part of the tray."""
    mask = np.zeros((side, side), np.float32)
    axes = [int(length) for length in rng.uniform(0.05, 0.4, 2) * side]
    cv2.ellipse(mask, rng.integers(0, side, 2).tolist(), axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    return blurred(mask, side * rng.uniform(0.02, 0.12))[..., None] * np.float32(rng.uniform(5, 70))


def _edge(rng: Rng, side: int) -> Floats:
    """An edge of the tray, or a scratch: lighter or darker."""
    mask = np.zeros((side, side), np.float32)
    one, other = rng.integers(-50, side + 50, (2, 2)).tolist()
    cv2.line(mask, one, other, 1.0, int(rng.integers(1, 14)), cv2.LINE_AA)
    return blurred(mask, rng.uniform(0.5, 5))[..., None] * np.float32(rng.uniform(-30, 60))


def _speck(rng: Rng, side: int) -> Floats:
    mask = np.zeros((side, side), np.float32)
    wide = rng.uniform(0.6, 7) if rng.random() < 0.3 else rng.uniform(0.5, 2.5)
    axes = [max(1, int(wide)), max(1, int(wide * rng.uniform(0.4, 1)))]
    cv2.ellipse(mask, rng.integers(0, side, 2).tolist(), axes, rng.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_AA)
    colour = (rng.uniform(40, 240) * (1 + rng.normal(0, 0.08, 3))).astype(np.float32)
    return np.asarray(blurred(mask, rng.uniform(0.5, 1.5))[..., None] * colour)
