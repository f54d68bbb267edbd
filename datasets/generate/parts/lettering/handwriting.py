"""Handwritten digits: several ways to write each of them, drawn with a wobbling pen."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from datasets.generate.parts.canvas import Bytes, Floats, Rng
from datasets.generate.parts.lettering.fonts import DIGIT, span

Stroke = tuple[tuple[float, float], ...]
"""Points in a box one wide and one high, y downwards; a repeated point is a corner."""
# fmt: off
_STROKES: dict[int, tuple[tuple[Stroke, ...], ...]] = {
    0: (
        (((0.5, 0), (0.1, 0.05), (0, 0.5), (0.1, 0.95), (0.5, 1), (0.9, 0.95), (1, 0.5), (0.9, 0.05), (0.5, 0)),),
    ),
    1: (
        (((0.5, 0), (0.5, 1)),),
        (((0.2, 0.25), (0.55, 0), (0.55, 0), (0.55, 1)),),
        (((0.2, 0.25), (0.5, 0), (0.5, 0), (0.5, 1)), ((0.15, 1), (0.85, 1))),
    ),
    2: (
        (((0.05, 0.25), (0.2, 0), (0.6, -0.02), (1, 0.15), (0.9, 0.42), (0.45, 0.7), (0, 1), (0, 1), (1, 1)),),
        (((0, 0.2), (0.3, 0), (0.9, 0), (0.95, 0.4), (0.3, 0.85), (0, 1), (0.1, 0.9), (0.5, 0.95), (1, 1)),),
    ),
    3: (
        (
            ((0.05, 0.15), (0.3, 0), (0.8, 0), (0.95, 0.25), (0.8, 0.45), (0.4, 0.48)),
            ((0.4, 0.48), (0.85, 0.5), (1.05, 0.75), (0.8, 1), (0.3, 1.02), (0, 0.85)),
        ),
        (((0, 0), (0.95, 0), (0.95, 0), (0.45, 0.4), (0.45, 0.4), (1, 0.5), (1.05, 0.85), (0.6, 1.03), (0, 0.9)),),
    ),
    4: (
        (((0.7, 1), (0.7, 0), (0.7, 0), (0, 0.7), (0, 0.7), (1, 0.7)),),
        (((0.2, 0), (0.05, 0.55), (0.05, 0.55), (1, 0.55)), ((0.75, 0.15), (0.75, 1))),
    ),
    5: (
        (
            ((0.9, 0), (0.15, 0), (0.15, 0), (0.1, 0.45), (0.1, 0.45), (0.5, 0.33),
             (1, 0.5), (1, 0.88), (0.5, 1.03), (0, 0.88)),
        ),
    ),
    6: (
        (
            ((0.85, 0.02), (0.4, 0.1), (0.05, 0.5), (0.02, 0.9), (0.5, 1.02), (0.98, 0.92),
             (0.98, 0.58), (0.55, 0.42), (0.15, 0.55), (0.05, 0.75)),
        ),
        (((0.7, 0), (0.2, 0.4), (0, 0.7), (0.2, 1), (0.7, 1.02), (1, 0.8), (0.85, 0.5), (0.4, 0.48), (0.08, 0.7)),),
    ),
    7: (
        (((0, 0), (1, 0), (1, 0), (0.35, 1)),),
        (((0, 0), (1, 0), (1, 0), (0.3, 1)), ((0.3, 0.5), (0.85, 0.5))),
        (((0, 0.1), (0, 0), (1, 0), (1, 0), (0.6, 0.45), (0.45, 1)),),
    ),
    8: (
        (
            ((0.5, 0.47), (0.08, 0.35), (0.1, 0.02), (0.5, 0), (0.9, 0.02), (0.92, 0.35), (0.5, 0.47),
             (0, 0.62), (0, 0.98), (0.5, 1.02), (1, 0.98), (1, 0.62), (0.5, 0.47)),
        ),
    ),
}
# fmt: on
_FLAGGED = (
    (((0, 0.4), (0.62, 0), (0.62, 0), (0.62, 1)),),
    (((0, 0.28), (0.7, 0), (0.7, 0), (0.7, 1)),),
    (((0.05, 0.5), (0.6, 0), (0.6, 0), (0.6, 1)), ((0.25, 1), (0.95, 1))),
)
"""Ones with a long flag: only the angle distinguishes them from a seven."""
# A nine is a six turned upside down.
_STROKES[9] = tuple(tuple(tuple((1 - x, 1 - y) for x, y in stroke) for stroke in way) for way in _STROKES[6])


def handwritten(rng: Rng) -> list[Bytes]:
    """Ten digits in one handwriting, each `DIGIT` pixels high, 0..255, each in one of its ways, all with the same pen."""
    hand = _hand(rng)
    return [_stroked(rng, _STROKES[digit], *hand) for digit in range(10)]


def flagged_one(rng: Rng) -> Bytes:
    """A one with a long flag, `DIGIT` pixels high, 0..255."""
    return _stroked(rng, _FLAGGED, *_hand(rng))


def _hand(rng: Rng) -> tuple[int, int, float]:
    """The width of its digits and its pen, in pixels, and its wobble, in sizes of a digit."""
    return int(DIGIT * rng.uniform(0.4, 0.7)), int(rng.integers(3, 13)), rng.uniform(0, 0.05)


def _stroked(rng: Rng, ways: Sequence[tuple[Stroke, ...]], width: int, pen: int, wobble: float) -> Bytes:
    mask = np.zeros((DIGIT, width), np.uint8)
    for stroke in ways[int(rng.integers(len(ways)))]:
        points = np.array(stroke) + rng.normal(0, wobble, (len(stroke), 2)) * (len(stroke) > 2)
        curve = pen / 2 + _rounded(_rounded(points)) * (width - pen - 1, DIGIT - pen - 1)
        cv2.polylines(mask, [np.round(curve * 8).astype(np.int32)], False, 255, pen, cv2.LINE_AA, 3)
    return np.ascontiguousarray(mask[:, span(mask)])


def _rounded(points: Floats) -> Floats:
    """Chaikin's corner cutting; the ends stay."""
    first, second = points[:-1], points[1:]
    cut = np.stack([0.75 * first + 0.25 * second, 0.25 * first + 0.75 * second], 1).reshape(-1, 2)
    return np.concatenate([points[:1], cut, points[-1:]])
