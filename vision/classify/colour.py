"""Names the colour of a die as people at the table would, and finds the die whose colour differs from the rest."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.boxes import Detection
from vision.photo import Pixels
from vision.reading import Quad

_HUES = (
    (8, "red"),
    (22, "orange"),
    (35, "yellow"),
    (85, "green"),
    (130, "blue"),
    (150, "purple"),
    (172, "pink"),
    (181, "red"),
)
"""Upper bounds of OpenCV's hue (0..180) with their names."""


COLOURS = (*dict.fromkeys(word for _, word in _HUES), "brown", "black", "white", "grey")
"""Every word that `colour_of` returns."""
UNKNOWN = "unknown"
"""The colour of a die that a person added to a reading."""


def colour_of(picture: Pixels, detection: Detection) -> str:
    """The name of the median colour inside the box: even six pips cover less than half of a face."""
    return name_of(_middle(picture, detection))


def _middle(picture: Pixels, detection: Detection) -> NDArray[np.uint8]:
    inset_x, inset_y = detection.width * 0.2, detection.height * 0.2
    left, top = int(detection.left + inset_x), int(detection.top + inset_y)
    middle = picture[
        top : max(top + 1, int(detection.bottom - inset_y)), left : max(left + 1, int(detection.right - inset_x))
    ]
    step = max(1, min(middle.shape[:2]) // 40)
    return _median(middle[::step, ::step])


def _median(pixels: Pixels) -> NDArray[np.uint8]:
    """The median of each channel, rounded down between two values; by counting, which is faster than sorting."""
    middles = np.array(((pixels[..., 0].size + 1) // 2, pixels[..., 0].size // 2 + 1))
    counts = (np.bincount(pixels[..., channel].ravel(), minlength=256) for channel in range(3))
    return np.array([sum(each.cumsum().searchsorted(middles)) // 2 for each in counts], np.uint8)


def name_of(rgb: NDArray[np.uint8]) -> str:
    """A word for an RGB colour (three uint8)."""
    hue, saturation, value = (int(c) for c in cv2.cvtColor(rgb.reshape(1, 1, 3), cv2.COLOR_RGB2HSV)[0, 0])
    if value < 55:
        return "black"
    if saturation < 45 or (saturation < 75 and 10 <= hue <= 35):
        return "white" if value > 135 else "grey"
    name = next(word for bound, word in _HUES if hue < bound)
    return "brown" if name in ("orange", "red") and value < 130 and saturation < 200 and hue > 4 else name


Lab = tuple[float, float, float]
"""A colour in CIELAB, 0..255 each, as OpenCV scales it."""
_GRID = 8
"""Sample points across a face, and twice as many along it; their median is the background, for pips cover less than half."""
_ALONG, _ACROSS = np.meshgrid((np.arange(2 * _GRID) + 1.5) / (2 * _GRID + 2), (np.arange(_GRID) + 1.5) / (_GRID + 2))


def ground_of(picture: Pixels, corners: Quad) -> Lab:
    """The background colour of a tile or a die: the median over the outline."""
    a, b, c, d = np.array(corners)[:, :, None, None]
    x, y = (1 - _ACROSS) * ((1 - _ALONG) * a + _ALONG * b) + _ACROSS * ((1 - _ALONG) * d + _ALONG * c)
    height, width = picture.shape[:2]
    seen = picture[y.astype(int).clip(0, height - 1), x.astype(int).clip(0, width - 1)].reshape(-1, 3)
    lab = cv2.cvtColor(np.median(seen, axis=0).astype(np.uint8).reshape(1, 1, 3), cv2.COLOR_RGB2LAB)[0, 0]
    return float(lab[0]), float(lab[1]), float(lab[2])


_ODD = 22.0
"""Distance from the median colour from which a die has another colour; CIELAB units (0..255 as OpenCV scales them)."""
_CLEARLY = 1.6
"""Ratio to the second largest distance from which the odd die is clear."""


def odd_one_out(picture: Pixels, detections: Sequence[Detection]) -> tuple[int | None, bool]:
    """The index of the die, of at least three, whose colour differs from the others, or None; and whether that is clear.

    Distances are between median colours in CIELAB, with lightness counted half: light and shadow change it most.
    """
    if len(detections) < 3:
        return None, True
    lab = cv2.cvtColor(np.array([[_middle(picture, detection) for detection in detections]]), cv2.COLOR_RGB2LAB)[
        0
    ].astype(float)
    away = np.linalg.norm((lab - np.median(lab, axis=0)) * (0.5, 1.0, 1.0), axis=1)
    order = np.argsort(-away)
    first, second = float(away[order[0]]), float(away[order[1]])
    if first < _ODD:
        return None, True
    return int(order[0]), first > _CLEARLY * second
