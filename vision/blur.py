"""How blurred the pieces are, by camera motion or missed focus: going nearer or adding light would not help then."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.boxes import Detection, median
from vision.photo import Pixels

_SIDE = 64
"""Each crop of a piece is resized to this many pixels on its longer side."""
_AROUND = 0.1
"""Margin of the crop, over the piece's longer side: the sharpest edge of a blank piece is its own outline."""
_FEWEST = 28.0
"""Least longer side of a piece in the picture, in pixels: below it, the resolution itself is the blur."""
_DIRECTIONS = np.arange(8) * np.pi / 8
_STRONG = 0.98
"""Quantile: gradients at it belong to an edge, and the contrast is the range of grey values from 1 minus it to it."""
_LEAST_CONTRAST, _LEAST_SLOPE = 12.0, 0.1
"""The least contrast that can be measured, of 255; and the least gradient to divide by, where a piece is uniform."""


def edges(picture: Pixels, pieces: Iterable[Detection]) -> float:
    """The width of a piece's sharpest edges over its longer side: the median over all pieces with enough pixels and contrast; 0
    if there are none.

    Motion blur leaves edges along the motion sharp. So gradients are measured in eight directions separately, and the direction
    with the weakest counts.
    """
    widths = [_edge(picture, piece) for piece in pieces if piece.long_side >= _FEWEST]
    told = [width for width in widths if width is not None]
    return median(told) if told else 0.0


def _edge(picture: Pixels, piece: Detection) -> float | None:
    """The edge width of one piece, over its longer side; None where the contrast is too low."""
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
    """A quantile (0..1) of the numbers along the last axis."""
    place = int(share * numbers.shape[-1])
    return np.asarray(np.partition(numbers, place)[..., place])
