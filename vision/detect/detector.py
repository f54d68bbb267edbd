"""Where the pieces are: a YOLO network over the whole photo, and again where small ones lie (ONNX Runtime).

It has to find, not to read. Three kinds of pieces: pip dice, twelve-sided dice, dominoes; dice in upright boxes, dominoes in
turned ones. The network is YOLO11n with oriented boxes, trained by `python -m datasets.train`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.detect.fusion import both
from vision.onnx_session import open_session
from vision.photo import Pixels
from vision.reading import Point, Quad

Kind = Literal["d6", "d12", "domino"]
KINDS: tuple[Kind, ...] = ("d6", "d12", "domino")
"""In the order of the network's classes."""
SOUGHT: Mapping[str, tuple[Kind, ...]] = {"d6": ("d6",), "d12": ("d6", "d12"), "domino": ("domino",)}
"""What to look for where a game is played with pieces of a kind: in place of twelve-sided dice others may be thrown."""
LONG_SIDE = 640
"""Pixels of the longer side that the network looks at."""
_STRIDE = 32
_GREY = 114
_LEAST_SCORE = 0.05
_SAME_PIECE_IOU = 0.6
_MOST_FINDS = 300
LIKELY = 0.2
_SMALL = 0.1
"""Pieces up to this share of the picture's longer side are looked at again from nearer,"""
_PART = 0.75
"""if they lie in a part of the picture up to this share of it: less is gained beyond."""
_SQUARE = 1.45
"""A tile is twice as long as wide, but seen at a slant its length may look like its width."""


@dataclass(frozen=True, slots=True)
class Find:
    """A box that may hold a piece: left, top, right, bottom in pixels of the picture given, and the network's score (0..1).

    A domino has its turned outline as `quad`: corner 0 to 1 is a long side, the first end lies between corners 0 and 3.
    The upright box is the one around it.
    """

    left: float
    top: float
    right: float
    bottom: float
    score: float
    kind: Kind = "d6"
    quad: Quad | None = None

    @property
    def width(self) -> float:
        """In pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """In pixels."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """In pixels."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> Quad:
        """The outline: turned for a domino, upright for a die."""
        upright = ((self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom))
        return self.quad or upright

    @property
    def area(self) -> float:
        """Of the outline, in square pixels."""
        if self.quad is None:
            return self.width * self.height
        return abs(cv2.contourArea(np.array(self.quad, np.float32)))

    @property
    def either_way(self) -> tuple[Find, ...]:
        """The find, and for a tile that looks nearly square, seen along the table, the one whose length is the other side."""
        if self.quad is None:
            return (self,)
        a, b, c, d = self.quad
        if math.dist(a, b) > _SQUARE * math.dist(b, c):
            return (self,)
        return self, replace(self, quad=(b, c, d, a))

    def scaled(self, factor: float) -> Find:
        """The same box in a picture `factor` times as large."""
        return self.mapped(factor, factor, 0.0, 0.0)

    def mapped(self, fx: float, fy: float, dx: float, dy: float) -> Find:
        """The same box after every x became fx * x + dx, every y fy * y + dy."""
        quad = None
        if self.quad is not None:
            a, b, c, d = ((fx * x + dx, fy * y + dy) for x, y in self.quad)
            quad = (a, b, c, d)
        left, right = sorted((fx * self.left + dx, fx * self.right + dx))
        top, bottom = sorted((fy * self.top + dy, fy * self.bottom + dy))
        return replace(self, left=left, top=top, right=right, bottom=bottom, quad=quad)

    def inside(self, other: Find) -> float:
        """The share of this outline that lies in the other's, 0..1."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        if wide <= 0 or high <= 0:
            return 0.0
        if self.quad is None and other.quad is None:
            return wide * high / max(1e-9, self.area)
        ours, theirs = (np.array(find.corners, np.float32) for find in (self, other))
        return float(min(1.0, cv2.intersectConvexConvex(ours, theirs)[0] / max(1e-9, self.area)))


class Locator:
    """Finds pieces in a picture."""

    def __init__(self, model: ModelFile, sought: Collection[Kind] = KINDS) -> None:
        """Open the network, to find pieces of these kinds: what looks rather like another is found as what it may be of them.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name
        self._kinds = tuple(kind for kind in KINDS if kind in model.classes)
        self._sought = sought

    def find(self, picture: Pixels) -> list[Find]:
        """Every place that may hold a piece, best first, in the picture's pixels. Low scores are kept: doubting needs them."""
        finds = self._look(picture)
        return finds if nearer(finds, picture.shape) is None else self.again(picture, finds)

    def again(self, picture: Pixels, finds: Sequence[Find]) -> list[Find]:
        """The same of a table of which finds are known, so that it is seen at once from as near as they are small."""
        left, top, right, bottom = nearer(finds, picture.shape) or (0, 0, picture.shape[1], picture.shape[0])
        return [find.mapped(1, 1, left, top) for find in self._look(picture[top:bottom, left:right])]

    def glance(self, picture: Pixels, turn: int) -> list[Find]:
        """The same once only, and less surely, for who looks at one table many times; `turn` counts the times."""
        return self._upside_down(picture) if turn % 2 else self._look_once(picture)

    def _look(self, picture: Pixels) -> list[Find]:
        """Once as it is and once upside down: what the network sees either way is surer, and its outlines are truer."""
        return both(self._look_once(picture), self._upside_down(picture))

    def _upside_down(self, picture: Pixels) -> list[Find]:
        height, width = picture.shape[:2]
        finds = self._look_once(np.asarray(cv2.flip(picture, -1), np.uint8))
        return [find.mapped(-1, -1, width, height) for find in finds]

    def _look_once(self, picture: Pixels) -> list[Find]:
        tensor, scale = prepare(picture)
        (output,) = self._session.run(None, {self._input: tensor})
        return decode(output[0].T, scale, picture.shape, self._kinds, self._sought)


def nearer(finds: Sequence[Find], shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """The part of a picture that is worth a second look, as left, top, right, bottom: where small pieces lie close together.

    A tile 30 network pixels long is found, but its outline is off by more than its pips are apart. None where pieces are
    large enough, or lie everywhere.
    """
    likely = [find for find in finds if find.score >= LIKELY]
    if not likely:
        return None
    height, width = shape[:2]
    long = float(np.median([max(find.width, find.height) for find in likely]))
    left, top = max(0, int(min(f.left for f in likely) - long)), max(0, int(min(f.top for f in likely) - long))
    right = min(width, int(max(f.right for f in likely) + long))
    bottom = min(height, int(max(f.bottom for f in likely) + long))
    worth_it = long <= _SMALL * max(height, width) and max(right - left, bottom - top) <= _PART * max(height, width)
    return (left, top, right, bottom) if worth_it else None


def decode(
    rows: NDArray[np.float32],
    scale: float,
    shape: tuple[int, ...],
    kinds: tuple[Kind, ...] = KINDS,
    sought: Collection[Kind] = KINDS,
) -> list[Find]:
    """The network's rows (centre x, centre y, width, height, a score for each kind, angle) as finds, each piece once.

    Args:
        rows: N x (4 + kinds + 1); lengths in the network's pixels, the angle in radians from the x axis to the side called
            width. A network that knows upright boxes only has no angle.
        scale: the network's pixels per pixel of the picture.
        shape: of the picture; upright boxes are clipped to it.
        kinds: of the network's scores, in their order.
        sought: the kinds to find.
    """
    scores = rows[:, 4 : 4 + len(kinds)] * np.isin(kinds, list(sought))
    best = scores.max(1)
    order = np.argsort(-best, kind="stable")[:_MOST_FINDS]
    order = order[best[order] >= _LEAST_SCORE]
    found = [kinds[k] for k in scores[order].argmax(1)]
    angles = rows[order, -1] if rows.shape[1] > 4 + len(kinds) else np.zeros(len(order))
    sizes = rows[order, :4] / scale
    places = [_place(size, float(turn), kind) for size, turn, kind in zip(sizes, angles, found, strict=True)]
    keep = cv2.dnn.NMSBoxesRotated(places, best[order].tolist(), _LEAST_SCORE, _SAME_PIECE_IOU)
    return [_find(places[i], found[i], float(best[order[i]]), shape) for i in keep]


_Place = tuple[tuple[float, float], tuple[float, float], float]
"""Centre, size and angle in degrees, as OpenCV writes a turned box."""


def _place(size: NDArray[np.float32], angle: float, kind: Kind) -> _Place:
    x, y, width, height = (float(n) for n in size)
    if kind != "domino":
        # Dice are taught in upright boxes: of a square no angle can be learnt, only quarter turns.
        width, height = (height, width) if abs(math.sin(angle)) > math.sqrt(0.5) else (width, height)
        angle = 0.0
    return (x, y), (width, height), math.degrees(angle)


def _find(place: _Place, kind: Kind, score: float, shape: tuple[int, ...]) -> Find:
    quad = outline(place) if kind == "domino" else None
    points = np.array(quad) if quad else cv2.boxPoints(place)
    (left, top), (right, bottom) = points.min(0).tolist(), points.max(0).tolist()
    height, width = shape[:2]
    return Find(max(0.0, left), max(0.0, top), min(float(width), right), min(float(height), bottom), score, kind, quad)


def outline(place: _Place) -> Quad:
    """The corners of a turned box in turn, beginning with a long side; in the picture they run clockwise."""
    (x, y), (width, height), angle = place
    if width < height:
        width, height, angle = height, width, angle + 90
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    ways = ((-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2))
    a, b, p, q = ((x + u * c - v * s, y + u * s + v * c) for u, v in ways)
    return (a, b, p, q)


def prepare(picture: Pixels) -> tuple[NDArray[np.float32], float]:
    """The network's input (1 x 3 x H x W, 0..1, sides multiples of 32) and its pixels per pixel of `picture`."""
    height, width = picture.shape[:2]
    scale = LONG_SIDE / max(height, width)
    inner = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(picture, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    canvas = np.full((_up(inner[1]), _up(inner[0]), 3), _GREY, np.uint8)
    canvas[: inner[1], : inner[0]] = small
    tensor = canvas.transpose(2, 0, 1)[None].astype(np.float32)
    tensor /= 255
    return tensor, scale


def _up(side: int) -> int:
    return -(-side // _STRIDE) * _STRIDE
