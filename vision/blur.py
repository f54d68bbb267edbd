"""Whether pieces are blurred, because the camera moved or had not focused: nearer or brighter would not help then."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.boxes import Detection, median
from vision.photo import Pixels

_SIDE = 64
"""Pixels of the longer side at which a piece is looked at."""
_AROUND = 0.1
"""So much of its longer side is seen around it: a blank piece's own edge is the sharpest that it has."""
_FEWEST = 28.0
"""Pixels of a piece's longer side in the picture, below which the pixels themselves are the blur."""
_DIRECTIONS = np.arange(8) * np.pi / 8
_STRONG = 0.98
"""Slopes in this place among all are an edge's; and values from the opposite place to this one are the contrast."""
_LEAST_CONTRAST, _LEAST_SLOPE = 12.0, 0.1
"""Of 255: what differs less tells nothing. And the least slope to divide by, where a piece is the same all along."""


def edges(picture: Pixels, pieces: Iterable[Detection]) -> float:
    """How wide the sharpest edges of a piece are, over its longer side: the median of those that are large enough to tell, and
    stand out; 0 if none is.

    A hand that moves leaves edges along its way sharp. So the slopes across every direction are looked at alone, and that counts
    in which they are faintest.
    """
    widths = [_edge(picture, piece) for piece in pieces if piece.long_side >= _FEWEST]
    told = [width for width in widths if width is not None]
    return median(told) if told else 0.0


def _edge(picture: Pixels, piece: Detection) -> float | None:
    """The same of one piece; None where nothing stands out."""
    margin, (height, width) = _AROUND * piece.long_side, picture.shape[:2]
    left, top = int(max(0, piece.left - margin)), int(max(0, piece.top - margin))
    part = picture[top : int(min(height, piece.bottom + margin)), left : int(min(width, piece.right + margin))]
    times = _SIDE / max(part.shape[:2])
    small = cv2.resize(part, None, fx=times, fy=times, interpolation=cv2.INTER_AREA if times < 1 else cv2.INTER_LINEAR)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32)
    contrast = float(_ranked(grey.ravel(), _STRONG) - _ranked(grey.ravel(), 1 - _STRONG))
    if contrast < _LEAST_CONTRAST:
        return None
    across, down = (cv2.Sobel(grey, cv2.CV_32F, x, y, scale=1 / 8).ravel() for x, y in ((1, 0), (0, 1)))
    slopes = _ranked(abs(np.outer(np.cos(_DIRECTIONS), across) + np.outer(np.sin(_DIRECTIONS), down)), _STRONG)
    return contrast / max(_LEAST_SLOPE, float(slopes.min())) / _SIDE


def _ranked(numbers: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """What so large a share of the numbers (along the last axis) does not exceed."""
    place = int(share * numbers.shape[-1])
    return np.asarray(np.partition(numbers, place)[..., place])
