"""Colours and noise. A sheet is a print (h x w x 3, 0..255); blending uses squares of the stored values."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.generate.parts.drawings import Colour, Rng
from datasets.generate.parts.tile_faces import Floats

Sheet = NDArray[np.uint8]


def noise(rng: Rng, shape: tuple[int, int], cells: tuple[int, int]) -> Floats:
    """Smooth noise 0..1, height x width, with the given rows and columns of cells."""
    coarse = rng.random(cells, np.float32)
    return np.asarray(cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)).clip(0, 1)


def blurred(mask: Floats, sigma: float) -> Floats:
    """A Gaussian blur of at least half a pixel, and at most what takes a reasonable time."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, min(sigma, 25.0))))


def stored(colour: Colour) -> tuple[int, int, int]:
    """A colour as 0..255."""
    r, g, b = (round(255 * channel) for channel in colour)
    return r, g, b


def nearest(point: NDArray[np.float64]) -> tuple[int, int]:
    """The pixel nearest to a point (x, y), for OpenCV's drawing functions."""
    x, y = np.round(point).astype(int).tolist()
    return x, y


def flat(colour: Colour, height: int, width: int) -> Sheet:
    """A sheet of one colour."""
    return np.full((height, width, 3), stored(colour), np.uint8)


def squares(sheet: Sheet) -> Floats:
    """A sheet's values for blending, 0..1."""
    return np.asarray((sheet.astype(np.float32) / np.float32(255)) ** 2)


def covering(sheet: Sheet) -> Floats:
    """An opaque sheet, h x w x 4: squares and alpha."""
    return np.dstack([squares(sheet), np.ones(sheet.shape[:2], np.float32)])
