"""Classification networks on a square crop of each piece, cut from the picture with the most pixels (ONNX Runtime).

They take one or more views of each piece; the logits are averaged and calibrated with the manifest's temperature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelFile
from vision.classify.batches import Crop, helpers, outputs_of
from vision.classify.features import Layers
from vision.detect.boxes import Detection
from vision.onnx_session import Network
from vision.photo import GREY, Pixels
from vision.shrink import shrunk

_FILLS = 0.7
"""Share of the picture's longer side from which a die fills the picture: grey padding around it would look unlike any table."""

_LEAST = 1e-30
"""Lower bound of a probability before taking its log."""

_Number = TypeVar("_Number", np.float32, np.float64)

View = tuple[float, float]
"""How a crop is taken: zoom, and rotation in degrees."""

Cutter = Callable[[View, bool], Pixels]
"""Cuts a view of a box, as it is or mirrored; a view that was cut before is kept."""


class CropNetwork:
    """A network that classifies square crops, each in several views."""

    def __init__(
        self,
        model: ModelFile,
        side: int,
        margin: float,
        views: Sequence[View],
        layers: Layers | None = None,
        *,
        mirrored: bool = False,
        one_core: bool = False,
    ) -> None:
        """The network is opened when it is first needed.

        Args:
            model: the network's file.
            side: side of its crops in pixels.
            margin: that side over the longer side of the box.
            views: the views of each box.
            layers: the layers whose outputs are the features; None: no features.
            mirrored: add every view mirrored, too, which changes numerals, but not pips.
            one_core: let one run of the network use a single core, and share the crops out among the cores (`outputs_of`).

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network = Network(model, layers.names if layers else (), one_core=one_core)
        self._layers, self._mirrored = layers, mirrored
        self._classes, self._side, self._margin, self._views = len(model.classes), side, margin, tuple(views)
        self._temperature = model.calibration.get("temperature", 1.0)

    def open(self) -> None:
        """Open the network now."""
        self._network.session  # noqa: B018 # evaluated for its side effect
        if self._network.one_core:
            helpers()

    def chances(self, crops: Sequence[tuple[Pixels, Detection]]) -> NDArray[np.float64]:
        """The calibrated probability of each class for each box (n x classes)."""
        return self.seen(crops).chances

    def seen(self, crops: Sequence[tuple[Pixels, Detection]]) -> Seen:
        """The probabilities and the features of each box, over all views."""
        return self._in_views([self.cutter(*each) for each in crops], self._views)

    def seen_until_plain(self, crops: Sequence[tuple[Pixels, Detection]], plain: float) -> Seen:
        """As `seen`, but faster: where the first view gives a class at least the probability `plain`, the others are skipped."""
        cuts = [self.cutter(*each) for each in crops]
        seen = self._in_views(cuts, self._views[:1])
        unsure = np.flatnonzero(seen.chances.max(1, initial=0) < plain).tolist()
        others = self._views[1:]
        if not unsure or not others:
            return seen
        more = self._in_views([cuts[i] for i in unsure], others)
        return seen.replaced(unsure, seen.of(unsure).averaged(more, len(others)))

    def _in_views(self, cuts: Sequence[Cutter], views: Sequence[View]) -> Seen:
        ways = (False, True) if self._mirrored else (False,)
        looks = [partial(cut, view, mirrored) for cut in cuts for view in views for mirrored in ways]
        return self.look(looks, len(views) * len(ways))

    def cutter(self, picture: Pixels, box: Detection) -> Cutter:
        """What cuts the views of a box; a large piece is shrunk once, before its first view."""
        smaller = cache(lambda: cut_smaller(picture, box, self._margin * max(box.width, box.height, 1.0), self._side))

        @cache
        def cut(view: View) -> Pixels:
            return crop(*smaller(), view, self._side, self._margin)

        return lambda view, mirrored: in_mirror(cut(view)) if mirrored else cut(view)

    def look(self, views: Sequence[Crop], each: int) -> Seen:
        """The network's output for crops, `each` views per box, one box after the other."""
        if not views:
            return Seen(np.zeros((0, self._classes)))
        logits, *inner = outputs_of(self._network, views)
        boxes = len(views) // each
        chances = softmax(logits.reshape(boxes, each, -1).mean(1) / self._temperature)
        pooled = self._layers.pooled(*inner) if self._layers else ()
        return Seen(chances, tuple(part.reshape(boxes, each, -1).mean(1) for part in pooled))


@dataclass(frozen=True, slots=True)
class Seen:
    """A network's output for n boxes: the probability of each class (n x classes), and the parts of the features, if any."""

    chances: NDArray[np.float64]
    features: tuple[NDArray[np.float32], ...] = ()

    def of(self, boxes: Sequence[int]) -> Seen:
        """The output for some of the boxes, by index."""
        return Seen(self.chances[list(boxes)], tuple(part[list(boxes)] for part in self.features))

    def averaged(self, more: Seen, views: int) -> Seen:
        """The mean of one view of each box with `views` more: of the log probabilities, which equals averaging the logits."""
        share = views / (views + 1)
        logs = np.log(np.maximum(self.chances, _LEAST)) * (1 - share) + np.log(np.maximum(more.chances, _LEAST)) * share
        features = zip(self.features, more.features, strict=True)
        return Seen(softmax(logs), tuple(one * (1 - share) + other * share for one, other in features))

    def replaced(self, boxes: Sequence[int], by: Seen) -> Seen:
        """This output, with some boxes (by index) replaced."""
        return Seen(
            _with_rows(self.chances, boxes, by.chances),
            tuple(_with_rows(part, boxes, rows) for part, rows in zip(self.features, by.features, strict=True)),
        )


def _with_rows(array: NDArray[_Number], places: Sequence[int], rows: NDArray[_Number]) -> NDArray[_Number]:
    changed = array.copy()
    changed[list(places)] = rows
    return changed


def softmax(logits: NDArray[_Number]) -> NDArray[np.float64]:
    """Probabilities from logits, along the last axis."""
    powers = np.exp(logits.astype(np.float64) - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def crop(picture: Pixels, detection: Detection, view: View, side: int, margin: float) -> Pixels:
    """The square around a box, `side` x `side` x 3, padded beyond the picture: with grey, or if a die fills it with its edge."""
    zoom, degrees = view
    scale, turn = side / (margin * max(detection.width, detection.height, 1.0)) * zoom, np.deg2rad(degrees)
    x, y = detection.middle
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    matrix = np.array([[c, -s, side / 2 - c * x + s * y], [s, c, side / 2 - s * x - c * y]])
    fills = detection.long_side >= _FILLS * max(picture.shape[:2])
    outside = cv2.BORDER_REPLICATE if fills else cv2.BORDER_CONSTANT
    return np.asarray(cv2.warpAffine(picture, matrix, (side, side), borderMode=outside, borderValue=GREY), np.uint8)


def in_mirror(view: Pixels) -> Pixels:
    """The view mirrored, left to right."""
    return np.ascontiguousarray(view[:, ::-1])


def cut_smaller(picture: Pixels, detection: Detection, reach: float, side: int) -> tuple[Pixels, Detection]:
    """A large piece cut out and shrunk until a bilinear warp no longer skips pixels; a small one unchanged.

    `reach`: pixels of the picture that become `side` pixels of the crop.
    """
    if (times := int(reach / side)) < 2:
        return picture, detection
    x, y = detection.middle
    half = 0.75 * max(reach, detection.width, detection.height)  # a little more than the square, which a view may turn
    left, top = max(0, int(x - half)), max(0, int(y - half))
    part = picture[top : int(y + half) + 1, left : int(x + half) + 1]
    return shrunk(part, times), detection.mapped(1 / times, 1 / times, -left / times, -top / times)
