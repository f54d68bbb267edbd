"""Reads dominoes: a small network on each of the two ends, cut square from the picture with the most pixels (ONNX Runtime).

It has fifteen classes: no end of a tile, the back of one, and 0 to 12 pips. Every end is rotated so that the tile's middle
line is at the bottom: a blank half and half a back differ only by that line.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.classify.batches import Crop, outputs_of
from vision.classify.crop_network import Seen, cut_smaller, softmax
from vision.classify.features import LAYERS
from vision.classify.marks import MarkReader
from vision.detect.boxes import Detection
from vision.onnx_session import Network
from vision.photo import GREY, Pixels
from vision.reading import Quad

SIDE = 64
"""Side of the network's square crop, in pixels."""
MARGIN = 1.25
"""Side of the crop over the side of the end: it shows a strip beyond every edge, and beyond the middle line."""
_MOST_ALTERNATIVES = 6

Ends = tuple[int, int]
View = tuple[float, bool]
"""How an end is cut: zoom, mirrored."""
VIEWS: tuple[View, ...] = ((0.94, True), (1.02, False))
"""Views of an end, cut by the refined corners of the tile."""
RECTANGLE_VIEWS: tuple[View, ...] = ((1.0, True), (0.96, False))
"""Views cut by the detector's rectangle: in these, something that is no tile looks less like one than by refined corners."""
_EACH = len(VIEWS) + len(RECTANGLE_VIEWS)
_IN_TURN = ((2,), (1,), (0, 3))
"""Indices of all views in the order of evaluation: first the one that best rejects false tiles, then the unmirrored one by the
corners."""
_PLAIN, _HOPELESS = 0.96, 0.05
"""The probability of no tile, or of the values of both ends, from which the first view is enough; and the probability of the
likeliest pair of ends, or of a back, below which two views are. More would hardly change the answer (docs/decisions/0071)."""
_MARKED = 1
"""Index of the view that shows the print on an end unmirrored, by the corners."""


@dataclass(frozen=True, slots=True)
class TileFace:
    """The classification of one tile.

    `other`: the probability that it is no tile; `back`: given a tile, that it lies face down; `first` and `second`: given one
    that lies face up, the probabilities of each end's values.
    """

    other: float
    back: float
    first: tuple[float, ...]
    second: tuple[float, ...]
    profile: str = ""
    """The profile that recognised it; empty: the network did."""

    @property
    def ranked(self) -> tuple[tuple[Ends, float], ...]:
        """The likeliest pairs of ends with their probabilities, given that the tile lies face up; likeliest first."""
        pairs = [((a, b), p * q) for a, p in enumerate(self.first) for b, q in enumerate(self.second)]
        return tuple(heapq.nsmallest(_MOST_ALTERNATIVES, pairs, key=lambda pair: (-pair[1], pair[0])))


class TileReader:
    """Classifies the ends of dominoes."""

    def __init__(self, model: ModelFile, marks: MarkReader) -> None:
        """The network is opened for the first tile. `marks`: for profiles, the embedding of marks.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network, self._marks = Network(model, LAYERS["tile"].names, one_core=True), marks
        self._classes = len(model.classes)
        self._temperature = model.calibration.get("temperature", 1.0)

    def read(self, tiles: Sequence[tuple[Pixels, Detection]]) -> list[TileFace]:
        """The face of each tile; `tiles`: pictures, each with a detection in its pixels."""
        cuts = [ends_of(*tile) for tile in tiles]

        def look(left: Sequence[int], views: Sequence[int]) -> NDArray[np.float32]:
            crops = [cuts[tile][end * _EACH + view] for tile in left for end in (0, 1) for view in views]
            return self._look(crops)[0].reshape(-1, 2, len(views), self._classes)

        return _faces(softmax(self._in_turn(len(tiles), look)))

    def read_with_features(self, tiles: Sequence[tuple[Pixels, Detection]]) -> tuple[list[TileFace], Seen]:
        """The faces as in `read`, and the networks' output for the ends over all views: two rows per tile, first end first."""
        cuts = [cut for tile in tiles for cut in ends_of(*tile)]
        logits, features = self._look(cuts)
        all_views = logits.reshape(-1, 2, _EACH, self._classes)
        decided = self._in_turn(len(tiles), lambda left, views: all_views[np.ix_(left, (0, 1), views)])
        ends = tuple(part.reshape(-1, _EACH, part.shape[-1]).mean(1) for part in features)
        seen = Seen(softmax(decided), ends)
        return _faces(seen.chances), self._with_marks(seen, [cut() for cut in cuts[_MARKED::_EACH]]) if cuts else seen

    def _in_turn(
        self, tiles: int, look: Callable[[Sequence[int], Sequence[int]], NDArray[np.float32]]
    ) -> NDArray[np.float32]:
        """The mean logits of both ends of `tiles` tiles (2n x classes), over as many views as are needed.

        `look`: computes the logits of some tiles in some views (tiles x 2 x views x classes).
        """
        logits = np.zeros((tiles, 2, self._classes), np.float32)
        left, asked = list(range(tiles)), 0
        for views in _IN_TURN:
            if left:
                seen = look(left, views).mean(2)
                logits[left] = (asked * logits[left] + len(views) * seen) / (asked + len(views))
            asked += len(views)
            left = [tile for tile in left if not _is_decided(softmax(logits[tile]), asked)]
        return logits.reshape(-1, self._classes)

    def features(self, views: Sequence[Pixels]) -> Seen:
        """The network's output for finished crops of ends (`SIDE` x `SIDE` x 3)."""
        logits, features = self._look(views)
        return self._with_marks(Seen(softmax(logits), features), views)

    def _with_marks(self, seen: Seen, views: Sequence[Pixels]) -> Seen:
        return replace(seen, features=(*seen.features, self._marks.embeddings(views, MARGIN)))

    def _look(self, views: Sequence[Crop]) -> tuple[NDArray[np.float32], tuple[NDArray[np.float32], ...]]:
        """The logits of each view of an end (n x classes), calibrated, and the features."""
        if not views:
            return np.zeros((0, self._classes), np.float32), ()
        logits, *inner = outputs_of(self._network, views)
        return logits / self._temperature, LAYERS["tile"].pooled(*inner)


def _is_decided(ends: NDArray[np.float64], asked: int) -> bool:
    """Whether the probabilities of both ends (2 x classes), after `asked` views, need no further view."""
    if asked == 1:
        return bool(ends[:, 0].mean() >= _PLAIN or ends.max(1).prod() >= _PLAIN)
    face = face_of_ends(*ends)
    return (1 - face.other) * max(face.back, (1 - face.back) * face.ranked[0][1]) < _HOPELESS


def _faces(ends: NDArray[np.float64]) -> list[TileFace]:
    """The faces of tiles, from the probabilities of their ends: two rows per tile, first end first."""
    return [face_of_ends(first, second) for first, second in zip(ends[::2], ends[1::2], strict=True)]


def ends_of(picture: Pixels, detection: Detection) -> list[Callable[[], Pixels]]:
    """What cuts both ends of a tile, `SIDE` x `SIDE` x 3 each: first end in all views, second end in all views."""

    @cache
    def cut() -> tuple[Pixels, tuple[Quad, Quad], tuple[Quad, Quad]]:
        smaller, tile = cut_smaller(picture, detection, reach_of(detection), SIDE)
        return smaller, halves(tile.corners), halves(tile.rectangle or tile.corners)

    def view_of(which: int, by_rectangle: bool, view: View) -> Pixels:
        smaller, *outlines = cut()
        return end(smaller, outlines[by_rectangle][which], view)

    return [
        partial(view_of, which, by_rectangle, view)
        for which in (0, 1)
        for by_rectangle, views in ((False, VIEWS), (True, RECTANGLE_VIEWS))
        for view in views
    ]


def reach_of(detection: Detection) -> float:
    """Pixels of the picture that become the side of an end's crop."""
    (ax, ay), (bx, by), *_ = detection.corners
    return MARGIN * max(1.0, float(np.hypot(bx - ax, by - ay)) / 2)


def halves(quad: Quad) -> tuple[Quad, Quad]:
    """Both ends of a tile, rotated so that the middle line is below: outer left, outer right, inner right, inner left corner.

    Perspective is respected: at a slant, the middle line is nearer to the farther end.
    """
    a, b, c, d = quad
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(quad, np.float32))
    upper, lower = cv2.perspectiveTransform(np.array([[[0.5, 0], [0.5, 1]]]), matrix)[0].tolist()
    e, f = (upper[0], upper[1]), (lower[0], lower[1])
    return (d, a, e, f), (b, c, f, e)


def end(picture: Pixels, half: Quad, view: View) -> Pixels:
    """The crop of one end, `SIDE` x `SIDE` x 3, its middle line at the bottom; grey beyond the picture."""
    zoom, mirrored = view
    reach = SIDE / MARGIN * zoom / 2
    low, high = SIDE / 2 - reach, SIDE / 2 + reach
    left, right = (high, low) if mirrored else (low, high)
    target = np.array([[left, low], [right, low], [right, high], [left, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(half, np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, matrix, (SIDE, SIDE), borderValue=GREY), np.uint8)


def face_of_ends(first: NDArray[np.float64], second: NDArray[np.float64], profile: str = "") -> TileFace:
    """The face of a tile from the probabilities of both ends."""
    chances = (first, second)
    other = float(np.mean([c[0] for c in chances]))
    # A blank end and half a back look much alike: the other end decides.
    down, up = float(np.prod([c[1] for c in chances])), float(np.prod([c[2:].sum() for c in chances]))
    back = down / max(1e-12, down + up)
    a, b = (tuple(float(p) for p in c[2:] / max(1e-12, float(c[2:].sum()))) for c in chances)
    return TileFace(other, back, a, b, profile)
