"""The levels of a photo: one with little contrast, of a dim room or through haze, is stretched before it is read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo

_DARKEST, _LIGHTEST = 0.0005, 0.9995
"""The shares of the pixels that are darker than the values that are stretched to"""
_LOW, _HIGH = 20, 235
"""these. Pips may be less than a hundredth of a photo, and have to be within them."""
_FLAT = 60
"""The range between them up to which a photo is stretched: all faint test photos that gained by it had less."""
_LEAST = 25
"""The range from which it is not stretched further: below, it is mostly noise."""
_STEP = 8
"""One pixel in so many each way is enough to tell."""


def levelled(photo: Photo) -> Photo:
    """The photo with its lightness stretched, if it has little contrast; else as it is."""
    table = _table(photo)
    return photo if table is None else photo.mapped(table)


def _table(photo: Photo) -> NDArray[np.uint8] | None:
    """What becomes of each value (256), or None if the photo stays as it is."""
    few = np.ascontiguousarray(photo.pixels[::_STEP, ::_STEP])
    counts = np.bincount(cv2.cvtColor(few, cv2.COLOR_RGB2GRAY).ravel(), minlength=256)
    dark, light = np.searchsorted(counts.cumsum() / counts.sum(), (_DARKEST, _LIGHTEST)).tolist()
    if light - dark > _FLAT:
        return None
    gain = (_HIGH - _LOW) / max(light - dark, _LEAST)
    return np.asarray(np.clip((np.arange(256) - dark) * gain + _LOW, 0, 255), np.uint8)
