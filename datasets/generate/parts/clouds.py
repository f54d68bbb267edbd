"""Noise for marble, grain and shade, made once per process."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.canvas import CANVAS, Picture, Rng

_FIELDS, _SIDE = 12, 480


def cloud(rng: Rng) -> Picture:
    """A part of a random noise field (canvas x canvas, 0..1): from fine grain to wide swirls."""
    fields = _clouds()
    y, x = rng.integers(0, _SIDE - CANVAS, 2)
    field = fields[rng.integers(_FIELDS), y : y + CANVAS, x : x + CANVAS]
    return np.asarray(field.T if rng.random() < 0.5 else field, np.float32)


@lru_cache
def _clouds() -> NDArray[np.float32]:
    """All fields (12 x 480 x 480, 0..1)."""
    rng = np.random.default_rng(12)
    fields = [_field(rng, k) for k in range(_FIELDS)]
    return np.stack(fields).astype(np.float32)


def _field(rng: Rng, kind: int) -> Picture:
    cells = (6, 12, 30, 60)[kind % 4]
    octaves = (_lattice(rng, max(3, cells * 2**octave)) / 2**octave for octave in range(4))
    field = sum(octaves, start=_lattice(rng, 3))
    if kind >= 8:
        field = np.sin(field * 14)
    return np.asarray((field - field.min()) / (field.max() - field.min()))


def _lattice(rng: Rng, cells: int) -> Picture:
    coarse = rng.random((cells, cells), np.float32)
    return np.asarray(cv2.resize(coarse, (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC), np.float32)
