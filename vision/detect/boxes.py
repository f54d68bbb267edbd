"""What a detector finds, and how outlines overlap: computed here and nowhere else. Lengths are pixels, shares 0..1."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

import cv2
import numpy as np

from vision.reading import Point, Quad

Shape = Literal["die", "tile"]
"""All that a detector tells apart; `vision.classify` says which die it is."""
SHAPES: tuple[Shape, ...] = ("die", "tile")
Kind = Literal["d6", "d12", "domino"]
"""The pieces that are read: dice with pips, twelve-sided dice with numerals, dominoes."""
KINDS: tuple[Kind, ...] = ("d6", "d12", "domino")
NAMES: dict[Kind, str] = {"d6": "die with pips", "d12": "twelve-sided die", "domino": "domino"}
"""As people are told of them."""
_SQUARE = 1.45
"""A tile is twice as long as wide, but seen at a slant its length may look like its width."""
_NOTHING = 1e-9
"""Keeps the share of an empty outline finite."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A box that may hold a piece: left, top, right, bottom in pixels of the picture given, and the network's score (0..1).

    A tile has its outline as `quad`: corner 0 to 1 is a long side, the first end lies between corners 0 and 3.
    The upright box is the one around it. Once the corners of its face are known, they are the outline, and `rectangle` is the
    turned one that the detector gave, its corners in the same order.
    """

    left: float
    top: float
    right: float
    bottom: float
    score: float
    shape: Shape = "die"
    quad: Quad | None = None
    rectangle: Quad | None = None

    @property
    def width(self) -> float:
        """In pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """In pixels."""
        return self.bottom - self.top

    @property
    def long_side(self) -> float:
        """The longer side of the upright box, in pixels."""
        return max(self.width, self.height)

    @property
    def middle(self) -> Point:
        """In pixels."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> Quad:
        """The outline: turned for a tile, upright for a die."""
        return corners(self)

    @property
    def area(self) -> float:
        """Of the outline, in square pixels."""
        return area(self)

    @property
    def either_way(self) -> tuple[Detection, ...]:
        """The find, and for a tile that looks nearly square, seen along the table, the one whose length is the other side."""
        if self.quad is None or not _is_square(self.quad):
            return (self,)
        return self, replace(self, quad=_next(self.quad), rectangle=self.rectangle and _next(self.rectangle))

    def scaled(self, factor: float) -> Detection:
        """The same box in a picture `factor` times as large."""
        return self.mapped(factor, factor, 0.0, 0.0)

    def clipped(self, shape: Sequence[int]) -> Detection:
        """As far as its upright box lies in a picture of that height and width; beside it, of no size."""
        height, width = shape[:2]
        left, top = max(0.0, self.left), max(0.0, self.top)
        return replace(
            self, left=left, top=top, right=min(float(width), self.right), bottom=min(float(height), self.bottom)
        )

    def mapped(self, fx: float, fy: float, dx: float, dy: float) -> Detection:
        """The same box after every x became fx * x + dx, every y fy * y + dy."""

        def there(quad: Quad) -> Quad:
            a, b, c, d = ((fx * x + dx, fy * y + dy) for x, y in quad)
            return (a, b, c, d)

        quad, rectangle = self.quad and there(self.quad), self.rectangle and there(self.rectangle)
        left, right = sorted((fx * self.left + dx, fx * self.right + dx))
        top, bottom = sorted((fy * self.top + dy, fy * self.bottom + dy))
        return replace(self, left=left, top=top, right=right, bottom=bottom, quad=quad, rectangle=rectangle)


def _next(quad: Quad) -> Quad:
    """The same outline, begun one corner later."""
    a, b, c, d = quad
    return (b, c, d, a)


def _is_square(outline: Quad) -> bool:
    """Whether an outline does not tell which way round its tile lies."""
    a, b, c, d = outline
    return math.dist(a, b) + math.dist(c, d) <= _SQUARE * (math.dist(b, c) + math.dist(d, a))


class Outlined(Protocol):
    """Anything with an upright box, and with a turned outline inside it where that is known."""

    @property
    def left(self) -> float:
        """In pixels."""

    @property
    def top(self) -> float:
        """In pixels."""

    @property
    def right(self) -> float:
        """In pixels."""

    @property
    def bottom(self) -> float:
        """In pixels."""

    @property
    def quad(self) -> Quad | None:
        """The turned outline; None: the box itself is the outline."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The plainest `Outlined`."""

    left: float
    top: float
    right: float
    bottom: float
    quad: Quad | None = None

    @classmethod
    def around(cls, points: Iterable[Sequence[float]]) -> Outline:
        """A turned outline of four corners, with the upright box around it."""
        a, b, c, d = ((x, y) for x, y in points)
        xs, ys = zip(a, b, c, d, strict=True)
        return cls(min(xs), min(ys), max(xs), max(ys), (a, b, c, d))


def upright(box: Outlined) -> Outline:
    """The upright box alone."""
    return Outline(box.left, box.top, box.right, box.bottom)


def corners(box: Outlined) -> Quad:
    """The outline: turned where that is known, else the upright box."""
    return box.quad or ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))


def area(box: Outlined) -> float:
    """Of the outline, in square pixels."""
    if box.quad is None:
        return (box.right - box.left) * (box.bottom - box.top)
    return abs(cv2.contourArea(np.array(box.quad, np.float32)))


def inside(box: Outlined, other: Outlined) -> float:
    """The share of the first outline that lies in the second."""
    wide = min(box.right, other.right) - max(box.left, other.left)
    high = min(box.bottom, other.bottom) - max(box.top, other.top)
    if wide <= 0 or high <= 0:
        return 0.0
    if box.quad is None and other.quad is None:
        return wide * high / max(_NOTHING, area(box))
    ours, theirs = (np.array(corners(each), np.float32) for each in (box, other))
    return float(min(1.0, cv2.intersectConvexConvex(ours, theirs)[0] / max(_NOTHING, area(box))))


def overlap(box: Outlined, other: Outlined) -> float:
    """The share of the smaller outline that lies in the larger."""
    return max(inside(box, other), inside(other, box))


def iou(box: Outlined, other: Outlined) -> float:
    """Intersection over union."""
    common = inside(box, other) * area(box)
    return common / max(_NOTHING, area(box) + area(other) - common)


_T = TypeVar("_T")


def without_duplicates(
    ranked: Iterable[_T], same: Callable[[_T, _T], bool], kept: Sequence[_T] = (), most: int | None = None
) -> list[_T]:
    """Greedy suppression: each item that is not the same as one kept before it.

    Args:
        ranked: the items, the best first.
        same: whether two items are one thing.
        kept: what is kept already.
        most: how many are kept at most, with those; None: any number.
    """
    result = list(kept)
    for each in ranked:
        if len(result) == most:
            break
        if not any(same(each, other) for other in result):
            result.append(each)
    return result


def median(numbers: Iterable[float]) -> float:
    """The middle one of some numbers; of an even number of them the mean of both.

    Written out for a quick start: `statistics` loads fractions and decimals, NumPy's loads masked arrays.
    """
    ordered = sorted(numbers)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
