"""Windows of photos without pieces, as backgrounds to draw on."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.canvas import Rng

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

_KEPT = 1000
"""Photos that a process caches,"""
_LONGEST = 480
"""with at most this many pixels on the longer side."""
_LEAST = 40
"""Least pixels of a photo across a window."""

_files: list[Path] = []


def share(files: Iterable[Path]) -> None:
    """Set the photos that this process draws on."""
    _files[:] = files


def shared() -> bool:
    """Whether there are photos to draw on."""
    return bool(_files)


def window(rng: Rng, side: int) -> Floats:
    """A random part of one of the photos, side x side x 3, RGB 0..1, turned and mirrored.

    Raises:
        OSError: the photo cannot be read.
    """
    photo = _photo(_files[int(rng.integers(len(_files)))])
    short = min(photo.shape[:2])
    wide = int(np.exp(rng.uniform(np.log(min(_LEAST, short)), np.log(short))))
    top, left = (int(rng.integers(length - wide + 1)) for length in photo.shape[:2])
    part = np.rot90(photo[top : top + wide, left : left + wide], int(rng.integers(4)))
    part = np.ascontiguousarray(part[:, ::-1] if rng.random() < 0.5 else part)
    way = cv2.INTER_AREA if wide > side else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(part, (side, side), interpolation=way), np.float32) / np.float32(255)


@functools.lru_cache(_KEPT)
def _photo(file: Path) -> Pixels:
    picture = cv2.imread(str(file))
    if picture is None:
        raise OSError(f"cannot read {file}")
    scale = _LONGEST / max(picture.shape[:2])
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(picture[..., ::-1], np.uint8)
