"""Estimates how far a picture has to be stretched so that the tiles on the table look as from above.

A camera at a low angle foreshortens the table: what lies flat is squeezed towards the horizon, by the sine of the camera's
elevation. The detector learned from pictures taken mostly from above, and misses squeezed tiles.
A tile is twice as long as wide and has right angles, so a few tiles with known corners determine the squeeze (metric
rectification: Liebowitz and Zisserman, "Metric Rectification for Perspective Images of Planes", CVPR 1998, with one unknown of
its two: a camera is seldom rolled about its own axis).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.boxes import Detection
from vision.photo import Pixels
from vision.reading import Quad

_LENGTH = 2.0
"""A tile's length over its width."""
_MOST = 2.25
"""The most that a picture is stretched: the camera is 26 degrees over the table."""
_STEPS = 33
OUTLIER = 0.4
"""The error of one tile is clipped to this: one that stands on edge, or whose corners are wrong, is outvoted."""
FLAT = 0.3
"""The largest errors of a tile that lies flat (`off_rectangle`): as a log ratio, and as a cosine."""
_SLANTED = 1.2
"""The least stretch that is worth another pass: 56 degrees over the table. The detector copes with less."""


def stretch_of(tiles: Sequence[Quad]) -> float | None:
    """The factor by which the picture's height has to be stretched; below 1, its width by the inverse.

    None if the stretch is not worth while, or there are no tiles.

    Args:
        tiles: the corners of their faces in turn, beginning with a long side.
    """
    if not tiles:
        return None
    most = np.log(_MOST)
    stretches = np.exp(np.linspace(-most, most, 2 * _STEPS + 1))
    errors = np.minimum(_errors(tiles, stretches), OUTLIER).sum(0).mean(1)
    stretch = float(stretches[errors.argmin()])
    return stretch if max(stretch, 1 / stretch) >= _SLANTED else None


def lies_flat(tile: Quad, stretch: float) -> bool:
    """Whether a tile has the proportions of a tile seen from above, once the picture is stretched."""
    return bool(_errors([tile], np.array([stretch])).max() <= FLAT)


def stretched(picture: Pixels, stretch: float) -> Pixels:
    """The picture `stretch` times as high, or below 1, wider by the inverse: neither side gets fewer pixels."""
    height, width = picture.shape[:2]
    size = round(width * max(1.0, 1 / stretch)), round(height * max(1.0, stretch))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def to_original(detection: Detection, stretch: float) -> Detection:
    """A detection in a stretched picture, in the pixels of the original one."""
    return detection.mapped(min(1.0, stretch), min(1.0, 1 / stretch), 0, 0)


def _errors(tiles: Sequence[Quad], stretches: NDArray[np.float64]) -> NDArray[np.float64]:
    """The errors of each tile after each stretch, as `off_rectangle`: 2 x stretches x tiles."""
    corners = np.array(tiles, np.float64)[None] * np.stack([np.ones_like(stretches), stretches], 1)[:, None, None]
    return off_rectangle(corners)


def off_rectangle(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The errors of quadrilaterals (... x 4 x 2, beginning with a long side) as rectangles twice as long as wide: 2 x ...

    First the absolute log of their proportion over a tile's, then the absolute cosine of the angle between their sides.
    """
    a, b, c, d = np.moveaxis(corners, -2, 0)
    long, short = (b - a + c - d) / 2, (c - b + d - a) / 2
    lengths, widths = (np.maximum(np.hypot(*np.moveaxis(side, -1, 0)), 1e-6) for side in (long, short))
    proportion = np.abs(np.log(lengths / widths / _LENGTH))
    lean = np.abs((long * short).sum(-1)) / lengths / widths
    return np.stack([proportion, lean])
