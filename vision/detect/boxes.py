"""Detections, and the overlap of their outlines, computed only here. Lengths are in pixels, shares 0..1."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

import cv2
import numpy as np

from vision.reading import Point, Quad

Shape = Literal["die", "tile"]
"""The classes of a detector; `vision.classify` tells kinds of dice apart."""
SHAPES: tuple[Shape, ...] = ("die", "tile")
Kind = Literal["d6", "d12", "domino"]
"""The pieces that are read: dice with pips, twelve-sided dice with numerals, dominoes."""
KINDS: tuple[Kind, ...] = ("d6", "d12", "domino")
NAMES: dict[Kind, str] = {"d6": "die with pips", "d12": "twelve-sided die", "domino": "domino"}
"""The names of kinds in messages."""
_SQUARE = 1.45
"""Length over width up to which an outline may be a tile with sides swapped: at a slant, a tile may look as long as wide."""
_NOTHING = 1e-9
"""Avoids a division by zero for an empty outline."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A detected box: left, top, right, bottom in pixels of the given picture, and the network's score (0..1).

    A tile has its outline as `quad`: corner 0 to 1 is a long side, the first end lies between corners 0 and 3.
    The upright box encloses it. Once the corners of its face are refined, they are the outline, and `rectangle` is the detector's
    oriented box, its corners in the same order.
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
        """The corners of the outline: turned for a tile, upright for a die."""
        return corners(self)

    @property
    def area(self) -> float:
        """The area of the outline, in square pixels."""
        return area(self)

    @property
    def either_way(self) -> tuple[Detection, ...]:
        """This detection; for a tile that looks nearly square at a low angle, also the one with length and width swapped."""
        if self.quad is None or not _is_square(self.quad):
            return (self,)
        return self, replace(self, quad=_next(self.quad), rectangle=self.rectangle and _next(self.rectangle))

    def scaled(self, factor: float) -> Detection:
        """The same box in a picture `factor` times as large."""
        return self.mapped(factor, factor, 0.0, 0.0)

    def clipped(self, shape: Sequence[int]) -> Detection:
        """This detection with its upright box clipped to a picture of that height and width; empty if it lies outside."""
        height, width = shape[:2]
        left, top = max(0.0, self.left), max(0.0, self.top)
        return replace(
            self, left=left, top=top, right=min(float(width), self.right), bottom=min(float(height), self.bottom)
        )

    def mapped(self, fx: float, fy: float, dx: float, dy: float) -> Detection:
        """This detection with every x mapped to fx * x + dx, every y to fy * y + dy."""

        def there(quad: Quad) -> Quad:
            a, b, c, d = ((fx * x + dx, fy * y + dy) for x, y in quad)
            return (a, b, c, d)

        quad, rectangle = self.quad and there(self.quad), self.rectangle and there(self.rectangle)
        left, right = sorted((fx * self.left + dx, fx * self.right + dx))
        top, bottom = sorted((fy * self.top + dy, fy * self.bottom + dy))
        return replace(self, left=left, top=top, right=right, bottom=bottom, quad=quad, rectangle=rectangle)


def _next(quad: Quad) -> Quad:
    """The same outline, starting one corner later."""
    a, b, c, d = quad
    return (b, c, d, a)


def _is_square(outline: Quad) -> bool:
    """Whether an outline is too square to tell a tile's length from its width."""
    a, b, c, d = outline
    return math.dist(a, b) + math.dist(c, d) <= _SQUARE * (math.dist(b, c) + math.dist(d, a))


class Outlined(Protocol):
    """Anything with an upright box, and optionally a turned outline inside it."""

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
    """A minimal `Outlined`."""

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
    """The corners of the outline: turned where known, otherwise those of the upright box."""
    return box.quad or ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))


def area(box: Outlined) -> float:
    """The area of the outline, in square pixels."""
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
    """Greedy suppression, as in non-maximum suppression: every item that duplicates none kept before it.

    Args:
        ranked: the items, best first.
        same: whether two items are duplicates.
        kept: items that are kept in any case.
        most: the greatest number of kept items, those included; None: any number.
    """
    result = list(kept)
    for each in ranked:
        if len(result) == most:
            break
        if not any(same(each, other) for other in result):
            result.append(each)
    return result


def median(numbers: Iterable[float]) -> float:
    """The median of some numbers; of an even number of them the mean of the middle two.

    Written here for a fast start: `statistics` imports fractions and decimals, NumPy's median imports masked arrays.
    """
    ordered = sorted(numbers)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
