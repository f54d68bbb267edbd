"""What a domino shows: a small network on each of its two ends, cut square from the most pixels there are (ONNX Runtime).

It knows fifteen answers: no end of a tile, the back of one, and 0 to 12 pips. Every end is turned so that the tile's middle
line is at the bottom: a blank half and the half of a face-down tile differ by that line only.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.classify.dice import shrunk
from vision.detect.boxes import Detection
from vision.onnx_session import open_session
from vision.photo import Pixels
from vision.reading import Quad

SIDE = 64
"""Pixels of the square crop that the network looks at."""
MARGIN = 1.25
"""Side of the crop over the side of the end: a strip beyond every edge shows, and beyond the middle line."""
_GREY = (114, 114, 114)
_MOST_ALTERNATIVES = 6

Ends = tuple[int, int]
View = tuple[float, bool]
"""How an end is cut: zoom, mirrored."""
VIEWS: tuple[View, ...] = ((0.9, True), (0.96, False), (1.0, True), (1.06, False))
"""As wide as outlines are wrong: a detector's is a few hundredths too large or too small."""


@dataclass(frozen=True, slots=True)
class TileFace:
    """The answer for one tile.

    The chance that it is none; if it is one, that it lies face down; if it lies face up, the chances of each end.
    """

    other: float
    back: float
    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def ranked(self) -> tuple[tuple[Ends, float], ...]:
        """Pairs of ends with their chances if the tile lies face up, likeliest first; the first few."""
        pairs = [((a, b), p * q) for a, p in enumerate(self.first) for b, q in enumerate(self.second)]
        return tuple(heapq.nsmallest(_MOST_ALTERNATIVES, pairs, key=lambda pair: (-pair[1], pair[0])))


class TileReader:
    """Reads the ends of dominoes."""

    def __init__(self, model: ModelFile) -> None:
        """Open the network.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._session = open_session(model)
        self._input = self._session.get_inputs()[0].name
        self._temperature = model.calibration.get("temperature", 1.0)

    def read(self, tiles: Sequence[tuple[Pixels, Detection]]) -> list[TileFace]:
        """The face of each tile; every detection comes with the picture it counts its pixels in."""
        if not tiles:
            return []
        batch = np.stack([cut for picture, detection in tiles for cut in ends_of(picture, detection)])
        tensor = batch.transpose(0, 3, 1, 2).astype(np.float32)
        tensor /= 255
        (logits,) = self._session.run(None, {self._input: tensor})
        means = logits.reshape(len(tiles), 2, len(VIEWS), -1).mean(2) / self._temperature
        return [_face(first, second) for first, second in means]


def ends_of(picture: Pixels, detection: Detection) -> list[Pixels]:
    """The crops of both ends of a tile, `SIDE` x `SIDE` x 3 each: first end in all views, second end in all views."""
    picture, detection = shrunk(picture, detection, _side(detection), SIDE)
    return [end(picture, half, view) for half in halves(detection.corners) for view in VIEWS]


def _side(detection: Detection) -> float:
    (ax, ay), (bx, by), *_ = detection.corners
    return MARGIN * max(1.0, float(np.hypot(bx - ax, by - ay)) / 2)


def halves(quad: Quad) -> tuple[Quad, Quad]:
    """Both ends of a tile, seen with the middle line below: outer left, outer right, inner right, inner left corner of each."""
    a, b, c, d = (np.array(point) for point in quad)
    upper, lower = (a + b) / 2, (d + c) / 2
    return _quad(d, a, upper, lower), _quad(b, c, lower, upper)


def _quad(*points: NDArray[np.float64]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def end(picture: Pixels, half: Quad, view: View) -> Pixels:
    """One end, `SIDE` x `SIDE` x 3, its middle line at the bottom; what lies outside the picture is grey."""
    zoom, mirrored = view
    reach = SIDE / MARGIN * zoom / 2
    low, high = SIDE / 2 - reach, SIDE / 2 + reach
    left, right = (high, low) if mirrored else (low, high)
    target = np.array([[left, low], [right, low], [right, high], [left, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(half, np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, matrix, (SIDE, SIDE), borderValue=_GREY), np.uint8)


def _face(first: NDArray[np.float32], second: NDArray[np.float32]) -> TileFace:
    chances = [_softmax(first), _softmax(second)]
    other = float(np.mean([c[0] for c in chances]))
    # A blank end and half a back look much alike: what the other half shows decides.
    down, up = float(np.prod([c[1] for c in chances])), float(np.prod([c[2:].sum() for c in chances]))
    back = down / max(1e-12, down + up)
    a, b = (tuple(float(p) for p in c[2:] / max(1e-12, float(c[2:].sum()))) for c in chances)
    return TileFace(other, back, a, b)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    chances = np.exp(logits.astype(np.float64) - float(logits.max()))
    return np.asarray(chances / chances.sum())
