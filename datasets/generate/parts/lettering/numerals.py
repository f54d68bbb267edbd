"""Numbers on faces, in a die's own lettering."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.generate.parts.canvas import Bytes, Rng
from datasets.generate.parts.lettering.fonts import DIGIT, typeface, typefaces
from datasets.generate.parts.lettering.handwriting import flagged_one, handwritten

_ROOM = 6
"""Blank pixels on each side of a number's mask."""
_FLAGGED = 0.18
"""Probability that a die's one has a longer flag than in print, which makes it look like a seven."""
FULL = DIGIT + 2 * _ROOM
"""Height in pixels of an unmarked number's mask."""


@dataclass(frozen=True)
class Lettering:
    """The lettering of one die's numbers."""

    digits: list[Bytes]
    gap: int
    """Gap between two digits, in pixels of a mask."""
    weight: int
    """Pixels added to the strokes (removed, if negative)."""
    outline: bool
    size: float
    """Height, in diameters of the circle inside the face."""
    stretch: float
    slant: float
    mark: str
    """The mark behind or below 6 and 9: "dot", "bar" or ""."""
    mark_shape: tuple[float, float, float]
    """The mark's distance and thickness, in heights of a digit, and a bar's length in widths of the digit."""
    tilt: float
    """Rotation in radians from the face's up direction (one of its corners)."""


def any_lettering(rng: Rng) -> Lettering:
    """Printed in one of this machine's typefaces, or handwritten.

    Raises:
        FileNotFoundError: this machine has no font with digits.
    """
    files = typefaces()
    by_hand = rng.random() < 0.25
    return Lettering(
        digits=_with_flag(rng, handwritten(rng) if by_hand else typeface(files[rng.integers(len(files))])),
        gap=int(rng.integers(1, 10)),
        weight=0 if rng.random() < 0.5 else int(rng.integers(-1, 4)),
        outline=bool(rng.random() < 0.04),
        size=rng.uniform(0.48, 0.95),
        stretch=rng.uniform(0.75, 1.3),
        slant=rng.uniform(-0.1, 0.3) if rng.random() < 0.3 else 0.0,
        mark=str(rng.choice(["dot", "bar", ""], p=[0.35, 0.5, 0.15])),
        mark_shape=(rng.uniform(0.02, 0.28), rng.uniform(0.06, 0.15), rng.uniform(0.55, 1.15)),
        tilt=float(rng.choice([0, math.pi, rng.uniform(-math.pi, math.pi)], p=[0.42, 0.42, 0.16])),
    )


def _with_flag(rng: Rng, digits: list[Bytes]) -> list[Bytes]:
    """These digits, on some dice with another one; the other draws of `rng` are not affected."""
    (own,) = rng.spawn(1)
    return [digits[0], flagged_one(own), *digits[2:]] if own.random() < _FLAGGED else digits


def number(value: int, lettering: Lettering) -> Bytes:
    """The number as a mask (h x w, 0..255) with a margin; 6 and 9 with their mark."""
    parts = [lettering.digits[int(digit)] for digit in str(value)]
    space = np.zeros((DIGIT, lettering.gap), np.uint8)
    mask = np.hstack([parts[0], *(one for part in parts[1:] for one in (space, part))])
    if value in (6, 9) and lettering.mark:
        mask = _marked(mask, lettering)
    mask = np.pad(mask, _ROOM)
    if lettering.weight:
        mask = _weighted(mask, lettering.weight)
    if lettering.outline:
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.uint8)
    return mask


def _marked(mask: Bytes, lettering: Lettering) -> Bytes:
    """The mask with a dot behind it or a bar below it."""
    gap, pen = (max(2, round(share * DIGIT)) for share in lettering.mark_shape[:2])
    height, width = mask.shape
    if lettering.mark == "dot":
        wide = cv2.copyMakeBorder(mask, 0, 0, 0, gap + 2 * pen + 2, cv2.BORDER_CONSTANT, value=(0,))
        cv2.circle(wide, (width + gap + pen, height - pen), pen, 255, -1, cv2.LINE_AA)
        return np.asarray(wide, np.uint8)
    long = round(width * lettering.mark_shape[2])
    beside = max(0, (long - width + 1) // 2)
    tall = cv2.copyMakeBorder(mask, 0, gap + pen, beside, beside, cv2.BORDER_CONSTANT, value=(0,))
    left = (tall.shape[1] - long) // 2
    cv2.rectangle(tall, (left, height + gap), (left + long - 1, height + gap + pen - 1), 255, -1)
    return np.asarray(tall, np.uint8)


def _weighted(mask: Bytes, weight: int) -> Bytes:
    """Bolder, or thinner if enough of the strokes remains."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(weight) * 2 + 1,) * 2)
    changed = np.asarray((cv2.dilate if weight > 0 else cv2.erode)(mask, kernel), np.uint8)
    return changed if changed.mean() > 0.5 * mask.mean() else mask
