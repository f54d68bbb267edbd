"""Boxes of a picture to render again, merged where one larger render is cheaper than two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

_EACH = 2_500
"""Cost of starting a render, in pixels that could be traced instead (measured with four samples per pixel)."""


@dataclass(frozen=True)
class Box:
    """A box in whole pixels: left and top inclusive, right and bottom exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, points: Sequence[tuple[float, float]], room: int = 5) -> Box:
        """The smallest box around points, with a margin of `room`."""
        xs, ys = zip(*points, strict=True)
        low, high = (math.floor(min(xs)) - room, math.floor(min(ys)) - room), (max(xs) + room, max(ys) + room)
        return cls(*low, math.ceil(high[0]), math.ceil(high[1]))

    @property
    def area(self) -> int:
        """Its pixels; 0 if it is empty."""
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    def inside(self, width: int, height: int) -> Box:
        """The part of it inside the picture."""
        return Box(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))

    def joined(self, other: Box) -> Box:
        """The smallest box around both."""
        low = min(self.left, other.left), min(self.top, other.top)
        return Box(*low, max(self.right, other.right), max(self.bottom, other.bottom))

    def seam(self, width: int, height: int, fade: int) -> NDArray[np.float32]:
        """The blend weight of each pixel: 0 to 1 over `fade` pixels, except at the picture's border."""
        across = _ramp(self.right - self.left, fade, open_at=(self.left == 0, self.right == width))
        down = _ramp(self.bottom - self.top, fade, open_at=(self.top == 0, self.bottom == height))
        return np.minimum(down[:, None], across[None, :])


def clusters(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that cover the same pixels, merged where that is cheaper than rendering them separately."""
    left = list(boxes)
    while pair := next((pair for pair in combinations(left, 2) if _cheaper(*pair)), None):
        left = [box for box in left if box not in pair]
        left.append(pair[0].joined(pair[1]))
    return left


def _cheaper(a: Box, b: Box) -> bool:
    return a.joined(b).area < a.area + b.area + _EACH


def _ramp(length: int, fade: int, *, open_at: tuple[bool, bool]) -> NDArray[np.float32]:
    at = np.arange(length, dtype=np.float32) + 1
    begin, end = (np.ones(length, np.float32) if free else at / (fade + 1) for free in open_at)
    return np.minimum(np.minimum(begin, end[::-1]), 1)
