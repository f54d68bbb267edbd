"""The detector: a YOLO network on the whole photo, and again on a crop where pieces are small (ONNX Runtime).

It only finds pieces; `vision.classify` says from a full-resolution crop what they are. It has two classes: dice of any kind, in
upright boxes, and tiles, in oriented ones. The network is YOLO11n with oriented boxes, trained by `python -m datasets.train`;
`vision.detect.places` decodes the boxes from its outputs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from models import ModelError, ModelFile
from vision.detect.boxes import SHAPES, Detection, Shape, iou, median, overlap
from vision.detect.fusion import fuse
from vision.detect.places import ANSWERS, WEIGHTS, BoxHead
from vision.onnx_session import Network
from vision.photo import GREY, Pixels
from vision.plane import FromAbove, Plane
from vision.reading import Quad
from vision.shrink import shrunk
from vision.slant import stretched, to_original

LONG_SIDE = 640
"""Longer side of the network's input, in pixels."""
_STRIDE = 32
_PADDING = np.float32(GREY[0]) / np.float32(255)
"""Padding value of the network's input beyond the picture."""
_HALVED = 2.8
"""A picture at least so many times as large as the network's input is halved first, which takes hardly any time; the resize that
follows then still shrinks by 1.4 or more."""
MIN_SCORE = 0.05
"""The score from which detections are reported by default."""
WEAK = 0.01
"""The lowest score that may be asked for: dice unlike any in the training data may score so little."""
_OTHER_FILE = (
    "The network file {} is no detector as this version reads it: one that ultralytics exports makes boxes of every place, "
    "which are left out here. Convert it: python -m datasets.train.detector_file EXPORTED.onnx --out CONVERTED.onnx"
)
SHAPE_OF: Mapping[str, Shape] = {"die": "die", "d6": "die", "d12": "die", "tile": "tile", "domino": "tile"}
"""The shape for each class of the network: one that tells kinds of dice apart has several for dice."""
_SAME_PIECE_IOU = 0.6
_SAME_PLACE = 0.5
"""Least overlap of two detections of one piece, as a share of the smaller outline."""
_MAX_DETECTIONS = 300
LIKELY = 0.2
_PLAIN, _NOTHING = 0.7, 0.1
"""The score from which a detection is a die without doubt, and the one below which it is ignored: between them, one pass is not
enough."""
_LARGE = 0.4
"""A die that is longer than this share of the picture's longer side may be an object that holds one: a cup, a tray."""
_SMALL = 0.1
"""Pieces of a median length up to this share of the picture's longer side get another pass on a crop around them."""
_PART = 0.75
"""The largest side of such a crop, over the picture's longer side: a larger one gains little."""
_AROUND = 8.0
"""Least side of that crop over the length of tiles, if most pieces are tiles: there may be others beside those detected, and in
still smaller crops blank cells of a board look like tiles."""
_LARGER, _MOST_LARGER, _TILE = 1.2, 1.5, 0.135
"""The second pass is enlarged by a factor between the first two, or not at all, so that tiles have the third length over the
longer side: a pass misses one in twenty small ones. Enlarged much more, blank cells of a board look like tiles."""
_FOR_SMALL_DICE = 2.0
"""Scale of the input, over the usual one, in the pass for small dice."""
_TRACE, _ALIKE = 0.1, 2.0
"""A die with this low score may be a faint one of the same table, if the ratio of its length to the others', either way, is at
most the second."""

_TILES, _CLIP = (4, 4), 2.0
"""Grid and clip limit of the contrast equalisation (CLAHE: Zuiderveld, "Contrast Limited Adaptive Histogram Equalization",
Graphics Gems IV, 1994)."""
_SMALLER = 0.7
"""Scale of the smoothed view, over the usual one, and sigma of its blur in pixels: noise and fine patterns disappear."""

_FROM_ABOVE, _MOST_FROM_ABOVE = 1.2, 2.0
"""Scale of the picture's centre in the view from above, over the usual one (far pieces become larger still); and a limit on the
scale of the whole, because of its cost."""

_FOUND = 0.6
"""If no detection reaches this score, the piece may be so near that it fills the picture: the detector runs on a bordered one."""
_BORDER, _FILLS = 0.5, 0.5
"""Width of that border, and least length of a die detected there, both over the picture's longer side."""


class Detector:
    """Detects pieces in a picture. One run of the network is a pass; most methods fuse several."""

    def __init__(self, model: ModelFile, shapes: Collection[Shape] = SHAPES) -> None:
        """Detect pieces of these shapes only. The network is opened for the first picture, or by `open`.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network, self._file = Network(model), model.file
        self._classes = tuple(SHAPE_OF[name] for name in model.classes)
        self._shapes = shapes

    def open(self) -> None:
        """Open the network now."""
        self._head  # noqa: B018 # evaluated for its side effect

    def detect(
        self, picture: Pixels, *, always_twice: bool = False, min_score: float = MIN_SCORE, lone: bool = False
    ) -> list[Detection]:
        """All detections, best first, in the picture's pixels. Low scores are kept: doubts are based on them.

        Args:
            picture: H x W x 3.
            always_twice: always make the second pass, even if the first is plain: for pictures in which a hand may cover pieces.
            min_score: the score from which detections are reported; it does not change the scores of the others.
            lone: skip the second pass also if there is nothing but one large die (`is_lone`), for callers that detect again
                unless it is read beyond doubt.
        """
        detections = self._look(picture, always_twice, min_score, lone=lone)
        part = closer_crop(detections, picture.shape)
        if part is None:
            return detections
        found = self._detect_in_crop(picture, detections, always_twice, min_score)
        # A die outside that crop was detected only in the whole picture; it counts nevertheless.
        outside = [each for each in _alike(detections, MIN_SCORE) if not _lies_in(each, part)]
        more = [each for each in outside if not any(overlap(each, other) > _SAME_PLACE for other in found)]
        return sorted([*found, *more], key=lambda detection: -detection.score)

    def with_large(
        self, picture: Pixels, detections: Sequence[Detection], min_score: float = MIN_SCORE
    ) -> list[Detection]:
        """The detections, and if none of them is beyond doubt also dice that fill the picture. Tiles that do need no such pass.

        The training data has few pictures without a table around the piece, so a border in the colour of the edges is added.
        """
        if any(detection.score >= _FOUND for detection in detections):
            return [*detections]
        long_side = max(picture.shape)
        border = round(_BORDER * long_side)
        found = [
            _without_border(each, border, picture.shape)
            for each in self._look(_bordered(picture, border), True, min_score)
        ]
        dice = [
            d for d in found if d.shape == "die" and min(d.width, d.height) > 0 and d.long_side >= _FILLS * long_side
        ]
        more = [
            die for die in dice if not any(_same_piece(die, each) and each.score >= die.score for each in detections)
        ]
        kept = [each for each in detections if not any(_same_piece(die, each) for die in more)]
        return sorted([*kept, *more], key=lambda detection: -detection.score)

    def detect_near(
        self, picture: Pixels, detections: Sequence[Detection], min_score: float = MIN_SCORE
    ) -> list[Detection]:
        """The detections of a table with known ones, `detections`: the network runs at once on the crop around them.

        One pass is enough if it is plain and confirms every likely known detection.
        """
        known = [detection for detection in detections if detection.score >= LIKELY]
        return self._detect_in_crop(picture, detections, False, min_score, known)

    def _detect_in_crop(
        self,
        picture: Pixels,
        detections: Sequence[Detection],
        always_twice: bool,
        min_score: float,
        known: Sequence[Detection] = (),
    ) -> list[Detection]:
        left, top, right, bottom = closer_crop(detections, picture.shape) or (0, 0, picture.shape[1], picture.shape[0])
        there = [detection.mapped(1, 1, -left, -top) for detection in known]
        found = self._look(picture[top:bottom, left:right], always_twice, min_score, there)
        return [detection.mapped(1, 1, left, top) for detection in found]

    def detect_fast(self, picture: Pixels, turn: int) -> list[Detection]:
        """The detections of a single pass, less reliable, for callers that sample one table often.

        `turn`: counts the samples; every other one is taken upside down.
        """
        view = View.of(picture)
        return self._upside_down(view, MIN_SCORE) if turn % 2 else self._look_once(view, MIN_SCORE)

    def look_again(self, picture: Pixels, times: float = 1.0, stretch: float | None = None) -> list[Detection]:
        """The detections of one pass with the input `times` as large as usual; `stretch`: and so many times as high
        (`vision.slant`).
        """
        if stretch is None:
            return self._look_once(View.of(picture, times), MIN_SCORE)
        view = View.of(stretched(picture, stretch), times * max(stretch, 1 / stretch))
        return [to_original(each, stretch) for each in self._look_once(view, MIN_SCORE)]

    def look_in(
        self, picture: Pixels, part: tuple[int, int, int, int], stretch: float | None = None
    ) -> list[Detection]:
        """The detections of one pass on a crop of the picture (left, top, right, bottom), in the picture's pixels."""
        left, top, right, bottom = part
        found = self.look_again(picture[top:bottom, left:right], stretch=stretch)
        return [each.mapped(1, 1, left, top) for each in found]

    def look_for_faint(self, picture: Pixels) -> list[Detection]:
        """The detections of two passes upside down with contrast equalised, for dice that are faint: of the table's colour, in
        the shade or behind noise (docs/decisions/0054).

        One pass is smaller and smoothed, which removes noise; the other keeps all detail.
        """
        views = View.of(picture, _SMALLER).evened().smoothed(_SMALLER), View.of(picture).evened()
        return [each for view in views for each in self._upside_down(view, MIN_SCORE)]

    def look_for_small(self, picture: Pixels) -> list[Detection]:
        """The detections of one pass at twice the scale, for small dice that two usual passes miss (docs/decisions/0063)."""
        return self._look_once(View.of(picture, _FOR_SMALL_DICE), MIN_SCORE)

    def detect_stretched(self, picture: Pixels, stretch: float) -> list[Detection]:
        """The detections of two passes on the stretched picture (`vision.slant`), in the original picture's pixels."""
        found = self.detect(stretched(picture, stretch), always_twice=True)
        return [to_original(each, stretch) for each in found]

    def look_from_above(self, picture: Pixels, plane: Plane) -> list[Detection]:
        """The tiles detected by two passes on the picture warped to a view from above, in the original picture's pixels."""
        seen = FromAbove.of(picture, plane)
        times = min(_FROM_ABOVE * max(seen.picture.shape) / max(picture.shape), _MOST_FROM_ABOVE)
        view = View.of(seen.picture, times)
        found = fuse(self._look_once(view, MIN_SCORE), self._upside_down(view, MIN_SCORE), MIN_SCORE)
        there = [seen.to_original(each) for each in found if each.shape == "tile"]
        return [each for each in there if each.width > 0 and each.height > 0]

    def _look(
        self,
        picture: Pixels,
        always_twice: bool,
        min_score: float,
        known: Sequence[Detection] = (),
        *,
        lone: bool = False,
    ) -> list[Detection]:
        """One pass, and unless that is plain, or `lone` and one large die, a second one upside down, fused with the first
        (test-time augmentation): scores and outlines become more accurate. Where tiles are small, the second pass is enlarged.
        """
        view = View.of(picture)
        first = self._look_once(view, min_score)
        if not always_twice and plain(first, max(picture.shape)) and sees_all(first, known):
            return first
        if lone and is_lone(first, max(picture.shape)):
            return first
        times = second_look_scale(first, max(picture.shape))
        again = View.of(picture, times) if times > 1 else view
        return fuse(first, self._upside_down(again, min_score), MIN_SCORE)

    def _upside_down(self, view: View, min_score: float) -> list[Detection]:
        height, width = view.shape[:2]
        detections = self._look_once(view.upside_down(), min_score)
        return [detection.mapped(-1, -1, width, height) for detection in detections]

    def _look_once(self, view: View, min_score: float) -> list[Detection]:
        return decode(self.rows(view), view.scale, view.shape, self._classes, self._shapes, min_score)

    def rows(self, view: View) -> NDArray[np.float32]:
        """The raw detections of one run of the network on a view, as `BoxHead.rows`.

        Always from the score `WEAK`: the number of cells computed at once changes the last digit of every result.
        """
        return self._head.rows(self._run(view.tensor(), slice(ANSWERS)), WEAK)

    def _run(self, tensor: NDArray[np.float32], wanted: slice) -> list[NDArray[np.float32]]:
        """Some of the network's outputs for an input tensor (`View.tensor`)."""
        session = self._network.session
        names = [each.name for each in session.get_outputs()[wanted]]
        return list(session.run(names, {session.get_inputs()[0].name: tensor}))

    @cached_property
    def _head(self) -> BoxHead:
        if len(self._network.session.get_outputs()) != ANSWERS + WEIGHTS:
            raise ModelError("model-damaged", _OTHER_FILE.format(self._file))
        return BoxHead.of(self._run(np.zeros((1, 3, _STRIDE, _STRIDE), np.float32), slice(ANSWERS, None)))


@dataclass(frozen=True, eq=False)
class View:
    """A picture resized for the network; it is resized only once for passes upright and upside down.

    Attributes:
        small: the resized picture; its longer side is `LONG_SIDE` times the factor given to `of`.
        scale: its pixels per pixel of the picture.
        shape: the picture's shape.
    """

    small: Pixels
    scale: float
    shape: tuple[int, ...]

    @classmethod
    def of(cls, picture: Pixels, times: float = 1.0) -> View:
        """The view of a picture (H x W x 3), `times` as large as usual."""
        height, width = picture.shape[:2]
        scale = times * LONG_SIDE / max(height, width)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        pixels = shrunk(picture, 2) if scale <= 1 / _HALVED else picture
        small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        return cls(np.asarray(small, np.uint8), scale, picture.shape)

    def upside_down(self) -> View:
        """This view, turned by 180 degrees."""
        return replace(self, small=np.asarray(cv2.flip(self.small, -1), np.uint8))

    def evened(self) -> View:
        """This view with its contrast equalised (CLAHE)."""
        lab = cv2.cvtColor(self.small, cv2.COLOR_RGB2LAB)
        lab[..., 0] = cv2.createCLAHE(_CLIP, _TILES).apply(lab[..., 0])
        return replace(self, small=np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8))

    def smoothed(self, sigma: float) -> View:
        """This view after a Gaussian blur; `sigma` in its pixels."""
        return replace(self, small=np.asarray(cv2.GaussianBlur(self.small, (0, 0), sigma), np.uint8))

    def tensor(self) -> NDArray[np.float32]:
        """The network's input: 1 x 3 x H x W, 0..1, both sides padded to multiples of 32."""
        height, width = self.small.shape[:2]
        tensor = np.empty((1, 3, _up(height), _up(width)), np.float32)
        tensor[..., height:, :] = tensor[..., :height, width:] = _PADDING
        # Split first: dividing interleaved channels takes nearly twice as long.
        for plane, values in zip(cv2.split(self.small), tensor[0, :, :height, :width], strict=True):
            np.divide(plane, np.float32(255), out=values, dtype=np.float32)
        return tensor


def _same_piece(one: Detection, other: Detection) -> bool:
    return iou(one, other) > _SAME_PIECE_IOU


def _bordered(picture: Pixels, border: int) -> Pixels:
    """The picture with a border of so many pixels on all sides, in the median colour of its edges."""
    edges = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    colour = [float(part) for part in np.median(edges, axis=0)]
    return np.asarray(
        cv2.copyMakeBorder(picture, border, border, border, border, cv2.BORDER_CONSTANT, value=colour), np.uint8
    )


def _without_border(detection: Detection, border: int, shape: tuple[int, ...]) -> Detection:
    """A detection in the bordered picture, clipped to the original picture of that shape; empty if it lies outside."""
    return detection.mapped(1, 1, -border, -border).clipped(shape)


def plain(detections: Sequence[Detection], long_side: int) -> bool:
    """Whether there are dice, each beyond doubt, and nothing that may be another or a tile: a second pass would change nothing.

    Tiles always get a second pass: reading their ends depends on an accurate outline. `long_side`: the picture's, in pixels.
    """
    seen = [detection for detection in detections if detection.score >= _NOTHING]
    return bool(seen) and all(
        detection.shape == "die" and detection.score >= _PLAIN and detection.long_side <= _LARGE * long_side
        for detection in seen
    )


def is_lone(detections: Sequence[Detection], long_side: int) -> bool:
    """Whether there is nothing but one die beyond doubt, so large that it may be an object that holds one, such as a cup."""
    seen = [detection for detection in detections if detection.score >= _NOTHING]
    return (
        len(seen) == 1 and seen[0].shape == "die" and seen[0].score >= _PLAIN and seen[0].long_side > _LARGE * long_side
    )


def sees_all(detections: Sequence[Detection], known: Sequence[Detection]) -> bool:
    """Whether each known detection is confirmed by one of its shape that scores more than a trace."""
    seen = [detection for detection in detections if detection.score >= _NOTHING]
    return all(any(one.shape == each.shape and overlap(one, each) > _SAME_PLACE for one in seen) for each in known)


def second_look_scale(detections: Sequence[Detection], long_side: int) -> float:
    """The scale of the second pass over the usual one: more than 1 where tiles are small and one of them is plain. Without a
    plain one, enlarging would only make false tiles, such as parts of a circuit board, score higher.

    `long_side`: the picture's, in pixels.
    """
    tiles = [each for each in detections if each.shape == "tile" and each.score >= LIKELY]
    if not any(each.score >= _PLAIN for each in tiles):
        return 1.0
    long = median(max(math.dist(a, b), math.dist(b, c)) for a, b, c, _ in (each.corners for each in tiles))
    times = min(_MOST_LARGER, _TILE * long_side / long)
    return times if times >= _LARGER else 1.0


def closer_crop(detections: Sequence[Detection], shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """The crop for a closer pass, as left, top, right, bottom, where small pieces lie close together.

    A tile of 30 network pixels is detected, but its outline is off by more than the distance of its pips. None where pieces are
    large enough, or spread over the whole picture.
    """
    likely = [detection for detection in detections if detection.score >= LIKELY]
    if not likely or (long := _length(likely)) > _SMALL * max(shape[:2]):
        return None
    parts = [_part_of(some, long, shape) for some in ([*likely, *_alike(detections, _TRACE)], likely)]
    return next((part for part in parts if max(part[2] - part[0], part[3] - part[1]) <= _PART * max(shape[:2])), None)


def _length(detections: Sequence[Detection]) -> float:
    """The median of their longer sides."""
    return median(each.long_side for each in detections)


def _alike(detections: Sequence[Detection], min_score: float) -> list[Detection]:
    """The dice that score at least `min_score` and are about as long as the likely ones; none if no die is likely."""
    dice = [each for each in detections if each.shape == "die" and each.score >= min_score]
    likely = [each for each in dice if each.score >= LIKELY]
    return [each for each in dice if is_alike(each, likely)] if likely else []


def is_alike(die: Detection, dice: Sequence[Detection]) -> bool:
    """Whether a die is half to twice as long as the median of `dice`; True if there are none."""
    return not dice or 1 / _ALIKE <= die.long_side / _length(dice) <= _ALIKE


def _part_of(detections: Sequence[Detection], long: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The crop around all detections, with a margin of `long`, their median length; at least `_AROUND` long if most are tiles."""
    height, width = shape[:2]
    tiles = sum(each.shape == "tile" for each in detections)
    least = _AROUND * long if 2 * tiles > len(detections) else 0.0
    left, right = _widened(min(each.left for each in detections), max(each.right for each in detections), long, least)
    top, bottom = _widened(min(each.top for each in detections), max(each.bottom for each in detections), long, least)
    return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))


def _widened(first: float, last: float, margin: float, least: float) -> tuple[float, float]:
    more = max(margin, (least - (last - first)) / 2)
    return first - more, last + more


def _lies_in(detection: Detection, part: tuple[int, int, int, int]) -> bool:
    """Whether the detection's centre lies in the part."""
    (x, y), (left, top, right, bottom) = detection.middle, part
    return left <= x <= right and top <= y <= bottom


def decode(
    rows: NDArray[np.float32],
    scale: float,
    shape: tuple[int, ...],
    classes: tuple[Shape, ...] = SHAPES,
    shapes: Collection[Shape] = SHAPES,
    min_score: float = MIN_SCORE,
) -> list[Detection]:
    """The network's rows (centre x, centre y, width, height, a score for each class, angle) as detections, after non-maximum
    suppression.

    Args:
        rows: N x (4 + classes + 1); lengths in the network's pixels, the angle in radians from the x axis to the side called
            width. A network for upright boxes only has no angle.
        scale: the network's pixels per pixel of the picture.
        shape: the picture's; upright boxes are clipped to it.
        classes: the shapes that the network scores, in order; of several scores for one shape the highest counts.
        shapes: those to detect.
        min_score: the score from which they are detected.
    """
    scores = rows[:, 4 : 4 + len(classes)] * np.isin(classes, list(shapes))
    best = scores.max(1)
    likely = np.flatnonzero(best >= min_score)  # a few of thousands: sorting all takes longer than the rest of this
    order = likely[np.argsort(-best[likely], kind="stable")][:_MAX_DETECTIONS]
    found = [classes[k] for k in scores[order].argmax(1)]
    angles = rows[order, -1] if rows.shape[1] > 4 + len(classes) else np.zeros(len(order))
    sizes = rows[order, :4] / scale
    places = [_place(size, float(turn), shape_) for size, turn, shape_ in zip(sizes, angles, found, strict=True)]
    keep = cv2.dnn.NMSBoxesRotated(places, best[order].tolist(), min_score, _SAME_PIECE_IOU)
    return [_detection(places[i], found[i], float(best[order[i]]), shape) for i in keep]


_Place = tuple[tuple[float, float], tuple[float, float], float]
"""Centre, size and angle in degrees, as OpenCV writes a turned box."""


def _place(size: NDArray[np.float32], angle: float, shape: Shape) -> _Place:
    x, y, width, height = (float(n) for n in size)
    if shape == "die":
        # Dice have upright boxes in the training data: the angle of a square is only learned up to quarter turns.
        width, height = (height, width) if abs(math.sin(angle)) > math.sqrt(0.5) else (width, height)
        angle = 0.0
    return (x, y), (width, height), math.degrees(angle)


def _detection(place: _Place, kind: Shape, score: float, shape: tuple[int, ...]) -> Detection:
    quad = outline(place) if kind == "tile" else None
    points = np.array(quad) if quad else cv2.boxPoints(place)
    (left, top), (right, bottom) = points.min(0).tolist(), points.max(0).tolist()
    return Detection(left, top, right, bottom, score, kind, quad).clipped(shape)


def outline(place: _Place) -> Quad:
    """The corners of an oriented box in order, starting with a long side, clockwise in the picture."""
    (x, y), (width, height), angle = place
    if width < height:
        width, height, angle = height, width, angle + 90
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    ways = ((-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2))
    a, b, p, q = ((x + u * c - v * s, y + u * s + v * c) for u, v in ways)
    return (a, b, p, q)


def _up(side: int) -> int:
    return -(-side // _STRIDE) * _STRIDE
