"""Objects cut out of photos, with their shadows, strewn over a photo's table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.drawings import Rng
from datasets.generate.parts.paint import Sheet

_MOST = 14
_SIZES = 0.03, 0.3
"""Range of an object's longer side over the picture's."""
_LEAST = 48
"""Least pixels of a cutout's shorter side: smaller ones are icons."""


def cutouts(rng: Rng, ground: Sheet, files: Sequence[Path]) -> Sheet:
    """Two to fourteen objects on a picture (height x width x 3), in any orientation.

    `files`: pictures with transparency. One without, or with too few pixels, is skipped.
    """
    seen = ground.astype(np.float32)
    for _ in range(int(rng.integers(2, _MOST + 1))):
        thing = cv2.imread(str(files[int(rng.integers(len(files)))]), cv2.IMREAD_UNCHANGED)
        if thing is not None and thing.ndim == 3 and thing.shape[2] == 4 and min(thing.shape[:2]) >= _LEAST:
            _lay(rng, seen, np.asarray(thing, np.uint8))
    return np.asarray(seen.clip(0, 255), np.uint8)


def _lay(rng: Rng, seen: NDArray[np.float32], thing: Sheet) -> None:
    """Lay an object (BGR and alpha) on a picture (RGB)."""
    height, width = seen.shape[:2]
    long = max(height, width) * math.exp(rng.uniform(*np.log(_SIZES)))
    scale = long / max(thing.shape[:2])
    small = cv2.resize(thing, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    cover = small[..., 3:].astype(np.float32) / np.float32(255)
    shown = np.dstack([small[..., 2::-1] * cover, cover])
    if rng.random() < 0.5:
        shown = shown[:, ::-1]
    turn = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2), rng.uniform(0, 360), 1.0)
    turn[:, 2] += rng.uniform(0, 1, 2) * (width, height) - (small.shape[1] / 2, small.shape[0] / 2)
    laid = cv2.warpAffine(np.ascontiguousarray(shown), turn, (width, height))
    there = laid[..., 3:]
    aside = np.array([[1, 0, rng.normal(0, 0.04 * long)], [0, 1, rng.normal(0, 0.04 * long)]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(there, aside, (width, height)), (0, 0), 0.5 + 0.03 * long)[..., None]
    seen *= (1 - rng.uniform(0.1, 0.6) * shadow) * (1 - there)
    seen += laid[..., :3] * np.float32(rng.uniform(0.6, 1.05))
