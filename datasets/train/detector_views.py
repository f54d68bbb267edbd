"""Additional training views of a picture for the detector: a close-up, a part of it, or as a poor webcam shows it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import cv2
import numpy as np

from datasets.labels.photos import Box
from vision.detect.boxes import Shape
from vision.photo import Pixels

Rng = np.random.Generator

_LEAST_NEAR = 24.0
"""Pixels of the longer side from which a piece may get a close-up."""
_LEAST_INSIDE = 0.35
"""Share of a piece inside the view from which it is labelled."""
_POOR_SIDE = (120, 321)
"""Range of a poor view's side, in pixels,"""
_POOR_PIECE = (10.0, 40.0)
"""and of the longer side of the piece in its centre."""
_GREY_VIEWS = 0.6
"""Share of the poor views in grey."""


def closeup(pixels: Pixels, pieces: Sequence[Box], rng: Rng) -> tuple[Pixels, list[Box]] | None:
    """A window around one piece, as from a phone held too near or a tightly cropped picture; None where no piece is large enough.

    Scenes show pieces at every size, but few that fill the picture, and those sharp. Pieces that are mostly outside
    the window get no label.
    """
    fit = [box for box in pieces if max(box.right - box.left, box.bottom - box.top) >= _LEAST_NEAR]
    fit = [box for box in fit if shape_of(box) == "tile"] or fit
    if not fit:
        return None
    chosen = fit[rng.integers(len(fit))]
    long = max(chosen.right - chosen.left, chosen.bottom - chosen.top)
    side = min(long * float(rng.uniform(1.1, 3)), *pixels.shape[:2])
    corner = np.array([chosen.left + chosen.right, chosen.top + chosen.bottom]) / 2 - side / 2
    corner += rng.normal(0, 0.12, 2) * (side - long)
    x, y = (int(n) for n in corner.clip(0, np.array(pixels.shape[1::-1]) - side))
    view = pixels[y : y + int(side), x : x + int(side)]
    moved = [_moved(box, -x, -y) for box in pieces]
    return view, [box for box in moved if _inside(box, int(side)) > _LEAST_INSIDE]


def poor(pixels: Pixels, pieces: Sequence[Box], rng: Rng) -> tuple[Pixels, list[Box]]:
    """A square window of a picture (BGR) as from a small webcam: few pixels, mostly grey, noisy, compressed.

    It is centred near one of the pieces; those that are mostly outside get no label.
    """
    long = int(rng.integers(*_POOR_SIDE))
    left, top, side = _window(pixels.shape[:2], pieces, rng, long)
    view = pixels[top : top + side, left : left + side]
    small = cv2.resize(view, (long, long), interpolation=cv2.INTER_AREA).astype(np.float32)
    if rng.random() < _GREY_VIEWS:
        small = np.repeat(small.mean(2, keepdims=True), 3, 2)
    small += rng.normal(0, 1, (long, long, 1)) * rng.uniform(0, 8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 92))]
    code = cv2.imencode(".jpg", small.clip(0, 255).astype(np.uint8), quality)[1]
    moved = [_scaled(_moved(box, -left, -top), long / side) for box in pieces]
    seen = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return seen, [box for box in moved if _inside(box, long) > _LEAST_INSIDE]


def _window(shape: tuple[int, ...], pieces: Sequence[Box], rng: Rng, long: int) -> tuple[int, int, int]:
    """Left, top and side of the window to be scaled to `long` pixels: around a piece, or else the central square."""
    height, width = shape
    side, x, y = float(min(shape)), width / 2, height / 2
    if pieces:
        box = pieces[int(rng.integers(len(pieces)))]
        side = min(side, max(box.right - box.left, box.bottom - box.top) * long / rng.uniform(*_POOR_PIECE))
        x, y = np.array([box.left + box.right, box.top + box.bottom]) / 2 + rng.uniform(-0.4, 0.4, 2) * side
    left, top = (max(0.0, min(middle - side / 2, most - side)) for middle, most in ((x, width), (y, height)))
    return int(left), int(top), max(1, int(side))


def part(pixels: Pixels, rng: Rng) -> Pixels:
    """A square part of a picture without pieces."""
    side = int(rng.uniform(0.25, 0.7) * min(pixels.shape[:2]))
    y, x = (int(rng.integers(length - side + 1)) for length in pixels.shape[:2])
    return pixels[y : y + side, x : x + side]


def _moved(box: Box, dx: float, dy: float) -> Box:
    quad = None
    if box.quad is not None:
        a, b, c, d = ((x + dx, y + dy) for x, y in box.quad)
        quad = (a, b, c, d)
    left, top, right, bottom = box.left + dx, box.top + dy, box.right + dx, box.bottom + dy
    return dataclasses.replace(box, left=left, top=top, right=right, bottom=bottom, quad=quad)


def _scaled(box: Box, times: float) -> Box:
    quad = None
    if box.quad is not None:
        a, b, c, d = ((x * times, y * times) for x, y in box.quad)
        quad = (a, b, c, d)
    left, top, right, bottom = (side * times for side in (box.left, box.top, box.right, box.bottom))
    return dataclasses.replace(box, left=left, top=top, right=right, bottom=bottom, quad=quad)


def _inside(box: Box, side: int) -> float:
    wide = min(box.right, side) - max(box.left, 0)
    high = min(box.bottom, side) - max(box.top, 0)
    return max(0.0, wide) * max(0.0, high) / max(1e-9, (box.right - box.left) * (box.bottom - box.top))


def shape_of(box: Box) -> Shape:
    """The detector's class of a piece: dice of all kinds are dice."""
    return "tile" if box.kind == "domino" else "die"
