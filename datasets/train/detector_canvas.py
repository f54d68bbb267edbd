"""Training pictures for the detector: source pictures warped onto a square canvas, alone or as a mosaic of four, recoloured, with
the outlines of their pieces.

The warp imitates a camera that is nearer, turned or lower: exact for flat pieces such as tiles, and close enough for
dice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import GREY, Pixels

Rng = np.random.Generator
Floats = NDArray[np.float64]


_FOUR = 0.4
"""Share of the canvases with four pictures."""
_ALONE, _BESIDE = (0.62, 1.7), (0.5, 1.35)
"""Range of a picture's size as a share of its place: alone, and in a mosaic of four."""
_UPRIGHT, _ANY_TURN = 0.8, 0.9
"""Cumulative shares of pictures turned by a few degrees, and by any angle. The rest lie on a side."""
_SEVEN = 7.0
"""Standard deviation of the small turns, in degrees."""
_MIRRORED, _OVER = 0.5, 0.3
"""Shares mirrored left to right and top to bottom: the detector also runs on photos upside down."""
_LOWER = 0.12
"""Share warped to a lower camera."""
_SKEWED = 0.3
"""Share of the others that is stretched and skewed a little."""
_TURNED = 0.12
"""Sine of the turn beyond which a die's upright box is computed anew."""
_CORNERLESS = np.array([[0.15, 0], [0.85, 0], [1, 0.15], [1, 0.85], [0.85, 1], [0.15, 1], [0, 0.85], [0, 0.15]])
"""The outline that a die fills within its box: all but the corners."""
_LEAST_SEEN, _LEAST_SIDE = 0.35, 3.0
"""Least visible share, and least pixels across, of a piece to be labelled."""
_MUCH_SMALLER = 0.7
"""A picture scaled by less than this is shrunk before it is warped."""
_HUE, _GREY_SHARE = 80, 0.15
"""The largest hue shift (of 180), and the share of pictures turned grey."""


class Piece(NamedTuple):
    """A piece to detect: its class, and the corners of its outline in the picture's pixels (n x 2)."""

    shape: int
    outline: Floats


@dataclass(frozen=True, slots=True)
class Shown:
    """A training picture, as a file no larger than a canvas, and its sampling weight within its source."""

    file: Path
    pieces: tuple[Piece, ...]
    source: str
    weight: float = 1.0


class Canvas(NamedTuple):
    """`pixels` (side x side x 3, RGB), and a row per piece: class; centre, width and height in shares of the side; angle.

    The width is the longer side, and the angle is its direction: radians from -π/4 to 3π/4, clockwise.
    """

    pixels: Pixels
    rows: NDArray[np.float32]


def canvas(rng: Rng, pictures: Sequence[Shown], shares: Floats, side: int) -> Canvas:
    """Draw a canvas of `side` pixels from pictures sampled by their shares.

    Raises:
        OSError: a picture cannot be read.
    """
    pixels = np.full((side, side, 3), GREY, np.uint8)
    rows: list[tuple[float, ...]] = []
    places = _places(rng, side)
    for place, k in zip(places, rng.choice(len(pictures), len(places), p=shares), strict=True):
        picture = pictures[int(k)]
        seen = cv2.imread(str(picture.file))
        if seen is None:
            raise OSError(f"cannot read {picture.file}")
        size = seen.shape[1], seen.shape[0]
        warp, turned = _warp(rng, size, picture.pieces, place, side)
        _lay(pixels, _recoloured(rng, np.asarray(seen[..., ::-1], np.uint8)), warp, place)
        rows += [row for each in picture.pieces if (row := row_of(each, warp, place, side, turned=turned))]
    return Canvas(_worse(rng, pixels), np.array(rows, np.float32).reshape(-1, 6))


Place = tuple[int, int, int, int]


def _places(rng: Rng, side: int) -> list[Place]:
    """Left, top, right, bottom of each place: the whole canvas, or its four parts."""
    if rng.random() >= _FOUR:
        return [(0, 0, side, side)]
    x, y = (int(n) for n in rng.uniform(0.3, 0.7, 2) * side)
    return [(0, 0, x, y), (x, 0, side, y), (0, y, x, side), (x, y, side, side)]


def _warp(rng: Rng, size: tuple[int, int], pieces: Sequence[Piece], place: Place, side: int) -> tuple[Floats, bool]:
    """The warp from a picture to the canvas (3 x 3), and whether upright boxes have to be computed anew."""
    left, top, right, bottom = place
    target = max(right - left, bottom - top)
    least, most = _ALONE if place == (0, 0, side, side) else _BESIDE
    scale = target / max(size) * math.exp(rng.uniform(math.log(least), math.log(most)))
    kind = rng.random()
    degrees = (
        rng.normal(0, _SEVEN)
        if kind < _UPRIGHT
        else rng.uniform(-180, 180)
        if kind < _ANY_TURN
        else rng.choice([90, -90])
    )
    turn = math.radians(degrees)
    across, down = (-1 if rng.random() < often else 1 for often in (_MIRRORED, _OVER))
    middle, length = np.array(size) / 2, np.array(size, float)
    if scale * max(size) > side:  # a part of it, mostly with a piece
        if pieces and rng.random() < 0.75:
            middle = pieces[int(rng.integers(len(pieces)))].outline.mean(0) + rng.normal(0, 0.12, 2) * side / scale
        else:
            middle = middle + rng.uniform(-0.5, 0.5, 2) * (length - 0.8 * side / scale).clip(0)
    seen, lower = _view(rng, max(size))
    cos, sin = math.cos(turn) * scale, math.sin(turn) * scale
    turned = np.array([[cos * across, -sin * down, 0], [sin * across, cos * down, 0], [0, 0, 1]])
    to = np.array([left + right, top + bottom]) / 2 + rng.normal(0, 0.07, 2) * target
    return _moved(to) @ turned @ seen @ _moved(-middle), lower or abs(math.sin(turn)) > _TURNED


def _view(rng: Rng, long: int) -> tuple[Floats, bool]:
    """A warp about the picture's centre: to a lower camera, skewed, or none; and whether it is to a lower camera."""
    if rng.random() < _LOWER:
        squeeze = rng.uniform(0.5, 0.95)
        farther = (1 - squeeze) * rng.uniform(0.3, 0.9) / long
        return np.array([[1, 0, 0], [0, squeeze, 0], [0, -farther, 1]]), True
    if rng.random() < _SKEWED:
        return np.array([[rng.uniform(0.85, 1.15), rng.uniform(-0.1, 0.1), 0], [0, 1, 0], [0, 0, 1]]), False
    return np.eye(3), False


def _moved(by: Floats) -> Floats:
    return np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1]])


def _lay(pixels: Pixels, picture: Pixels, warp: Floats, place: Place) -> None:
    """Draw a picture into its place; the canvas stays where the picture does not reach.

    A picture that becomes much smaller is area-averaged first: the warp alone would skip pixels.
    """
    left, top, right, bottom = place
    size = right - left, bottom - top
    there = _moved(np.array([-left, -top])) @ warp
    if (scale := _scale(warp, picture.shape)) < _MUCH_SMALLER:
        height, width = picture.shape[:2]
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        there = there @ np.diag([width / picture.shape[1], height / picture.shape[0], 1])
    seen = cv2.warpPerspective(picture, there, size)
    inside = cv2.warpPerspective(np.full(picture.shape[:2], 255, np.uint8), there, size, flags=cv2.INTER_NEAREST)
    part = pixels[top:bottom, left:right]
    part[inside > 0] = seen[inside > 0]


def _scale(warp: Floats, shape: tuple[int, ...]) -> float:
    """The scale factor of the warp at the picture's centre."""
    middle = np.array([shape[1], shape[0]]) / 2
    at, right, down = through(warp, middle + np.array([[0, 0], [1, 0], [0, 1]]))
    return math.sqrt(abs(np.linalg.det(np.array([right - at, down - at]))))


def row_of(piece: Piece, warp: Floats, place: Place, side: int, *, turned: bool) -> tuple[float, ...] | None:
    """A piece as a row for the loss (`Canvas.rows`), clipped to its picture's place; None where hardly any of it is inside."""
    outline = _upright(piece.outline, warp) if turned and piece.shape == 0 else through(warp, piece.outline)
    if not np.isfinite(outline).all() or np.abs(outline).max() > 10 * side:
        return None
    outline = outline.astype(np.float32)
    left, top, right, bottom = place
    frame = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    whole = cv2.contourArea(outline)
    seen, common = cv2.intersectConvexConvex(outline, frame)
    if whole <= 0 or seen / whole < _LEAST_SEEN or common is None or len(common) < 3:
        return None
    (x, y), (width, height), degrees = cv2.minAreaRect(common)
    if width < height:
        width, height, degrees = height, width, degrees + 90
    if height < _LEAST_SIDE:
        return None
    angle = math.radians((degrees + 45) % 180 - 45)
    return piece.shape, x / side, y / side, width / side, height / side, angle


def _upright(outline: Floats, warp: Floats) -> Floats:
    """The upright box around a warped die, from its old upright box."""
    low, high = outline.min(0), outline.max(0)
    seen = through(warp, low + _CORNERLESS * (high - low))
    (left, top), (right, bottom) = seen.min(0), seen.max(0)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def through(warp: Floats, points: Floats) -> Floats:
    """Points (n x 2) after the warp."""
    seen = np.column_stack([points, np.ones(len(points))]) @ warp.T
    return np.asarray(seen[:, :2] / seen[:, 2:])


def _recoloured(rng: Rng, picture: Pixels) -> Pixels:
    """Change hue, saturation and brightness, or turn the picture grey."""
    hue, strong, light = cv2.split(cv2.cvtColor(picture, cv2.COLOR_RGB2HSV))
    if rng.random() < 0.7:
        hue = ((hue.astype(np.int16) + int(rng.integers(-_HUE, _HUE + 1))) % 180).astype(np.uint8)
    grey = rng.random() < _GREY_SHARE
    strong = cv2.convertScaleAbs(strong, alpha=0.0 if grey else rng.uniform(0.2, 1.8))
    light = cv2.convertScaleAbs(light, alpha=rng.uniform(0.55, 1.45))
    seen = cv2.cvtColor(cv2.merge([hue, strong, light]), cv2.COLOR_HSV2RGB)
    return np.asarray(seen[..., ::-1] if rng.random() < 0.2 else seen, np.uint8)


def _worse(rng: Rng, pixels: Pixels) -> Pixels:
    """Blur, coarsen or add noise, each with some probability."""
    if rng.random() < 0.3:
        pixels = cv2.addWeighted(pixels, w := rng.random(), cv2.blur(pixels, (3, 3)), 1 - w, 0)  # type: ignore[assignment]
    if rng.random() < 0.12:
        half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        pixels = cv2.resize(half, pixels.shape[:2], interpolation=cv2.INTER_LINEAR)  # type: ignore[assignment]
    if rng.random() < 0.35:
        shape, one, each = pixels.shape[:2], rng.uniform(0, 12), rng.uniform(0, 6)
        grain = rng.standard_normal((*shape, 1), np.float32) * one + rng.standard_normal((*shape, 3), np.float32) * each
        pixels = (pixels + grain).clip(0, 255).astype(np.uint8)
    return pixels


def shares_of(pictures: Sequence[Shown], sources: Mapping[str, float]) -> Floats:
    """The sampling probability of each picture: by weight within its source's share, which defaults to its share of the pictures.

    Raises:
        ValueError: no picture has a share.
    """
    counts = Counter(picture.source for picture in pictures)
    weighed = dict.fromkeys(counts, 0.0)
    for picture in pictures:
        weighed[picture.source] += picture.weight
    shares = {name: sources.get(name, count / len(pictures)) / weighed[name] for name, count in counts.items()}
    weights: Floats = np.array([picture.weight * shares[picture.source] for picture in pictures])
    if weights.sum() <= 0:
        raise ValueError("no picture has a share: see `shares` in the recipe")
    return np.asarray(weights / weights.sum())
