"""Shrinks pictures by averaging, so that a later resize skips no pixels, which would alias pips.

Only by whole factors: `cv2.INTER_AREA` has a fast path for them that takes a fraction of the time (docs/speed.md has the times).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.photo import Pixels


def shrunk(picture: Pixels, times: int) -> Pixels:
    """A picture made a whole number of times smaller; up to `times` - 1 pixels are left out at its right and at its bottom.

    A side shorter than `times` becomes one pixel.
    """
    if times < 2:
        return picture
    width, height = (max(1, side // times) for side in (picture.shape[1], picture.shape[0]))
    whole = picture[: height * times, : width * times]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
