"""Contrast stretching: a photo with little contrast, of a dim room or through haze, is stretched before it is read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo

_DARKEST, _LIGHTEST = 0.0005, 0.9995
"""Quantiles of lightness that are mapped to `_LOW` and `_HIGH`: so extreme because pips may be under a hundredth of a photo."""
_LOW, _HIGH = 20, 235
_FLAT = 60
"""The range between both quantiles up to which a photo is stretched: all faint test photos that gained by it had less."""
_LEAST = 25
"""A smaller range is stretched as if it were this one: it is mostly noise."""
_STEP = 8
"""Every so many pixels in either direction are sampled for the histogram."""


def levelled(photo: Photo) -> Photo:
    """The photo with its lightness stretched, if it has little contrast; otherwise unchanged."""
    table = _table(photo)
    return photo if table is None else photo.mapped(table)


def _table(photo: Photo) -> NDArray[np.uint8] | None:
    """The lookup table for each value (256), or None if the photo stays unchanged."""
    few = np.ascontiguousarray(photo.pixels[::_STEP, ::_STEP])
    counts = np.bincount(cv2.cvtColor(few, cv2.COLOR_RGB2GRAY).ravel(), minlength=256)
    dark, light = np.searchsorted(counts.cumsum() / counts.sum(), (_DARKEST, _LIGHTEST)).tolist()
    if light - dark > _FLAT:
        return None
    gain = (_HIGH - _LOW) / max(light - dark, _LEAST)
    return np.asarray(np.clip((np.arange(256) - dark) * gain + _LOW, 0, 255), np.uint8)
