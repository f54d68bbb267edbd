"""Where the pieces are: a YOLO network over the whole photo, and again where small ones lie (ONNX Runtime).

It only has to find pieces; `vision.classify` says from the full-resolution crop what they are. Two shapes: dice of any kind, in
upright boxes, and tiles, in turned ones. The network is YOLO11n with oriented boxes, trained by `python -m datasets.train`;
`vision.detect.places` makes boxes of what it says of places.
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
from vision.slant import as_it_was, stretched

LONG_SIDE = 640
"""Pixels of the longer side that the network looks at."""
_STRIDE = 32
_BESIDE = np.float32(GREY[0]) / np.float32(255)
"""What the network takes where there is no picture."""
_HALVED = 2.8
"""A picture so many times as large as what the network looks at is halved first, which takes hardly any time; what it looks at is
made of 1.4 of those pixels then, at least."""
MIN_SCORE = 0.05
"""What scores less is not reported,"""
WEAK = 0.01
"""unless it is asked for: dice like none that the network was taught may score so little."""
_OTHER_FILE = (
    "The network file {} is no detector as this version reads it: one that ultralytics exports makes boxes of every place, "
    "which are left out here. Convert it: python -m datasets.train.detector_file EXPORTED.onnx --out CONVERTED.onnx"
)
SHAPE_OF: Mapping[str, Shape] = {"die": "die", "d6": "die", "d12": "die", "tile": "tile", "domino": "tile"}
"""The network's classes, by what they mean here: one that tells kinds of dice apart counts them together."""
_SAME_PIECE_IOU = 0.6
_SAME_PLACE = 0.5
"""Share of the smaller outline that two detections of one piece have in common at least."""
_MAX_DETECTIONS = 300
LIKELY = 0.2
_PLAIN, _NOTHING = 0.7, 0.1
"""The scores from which a die is there, and below which nothing is: between them, one look is not enough."""
_LARGE = 0.4
"""A die that takes up more of the picture's longer side may be what it lies in: a cup, a tray."""
_SMALL = 0.1
"""Pieces up to this share of the picture's longer side are looked at again from nearer,"""
_PART = 0.75
"""if they lie in a part of the picture up to this share of it: less is gained beyond."""
_AROUND = 8.0
"""That part is at least so many times as long and as high as tiles are: others may lie beside those that the first looks saw, and
from still nearer blank cells of a board look like tiles."""
_LARGER, _MOST_LARGER, _TILE = 1.2, 1.5, 0.135
"""The second look is up to so many times as large as the first, or as large, so that tiles are so long, over the longer side: of
small ones looks miss one in twenty. Much larger, blank cells of a board look like tiles."""
_FOR_SMALL_DICE = 2.0
"""How many times as large as usual the picture is in which small dice are looked for."""
_TRACE, _ALIKE = 0.1, 2.0
"""A die that scores so little may be another of that table that hardly shows from afar, if it is up to so many times as long as
those, or they as it."""

_TILES, _CLIP = (4, 4), 2.0
"""What a picture's contrast is evened by: the parts whose contrast is made alike, and how much of it at most (CLAHE: Zuiderveld,
"Contrast Limited Adaptive Histogram Equalization", Graphics Gems IV, 1994)."""
_SMALLER = 0.7
"""How many times as large as usual the picture is in which noise and fine patterns are smoothed away."""

_FROM_ABOVE, _MOST_FROM_ABOVE = 1.2, 2.0
"""How many times as large as usual the middle of a picture is shown from above (what is far away becomes larger still), and at
most, for what it costs, the whole of it."""

_FOUND = 0.6
"""Where nothing scores so much, the piece may be so near that it fills the picture:"""
_BORDER, _FILLS = 0.5, 0.5
"""it gets a border of so much of its longer side, and what is at least so long, over that side, is found there."""


class Detector:
    """Finds pieces in a picture."""

    def __init__(self, model: ModelFile, shapes: Collection[Shape] = SHAPES) -> None:
        """Detect pieces of these shapes only. The network is opened when a picture is looked at first, or by `open`.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._network, self._file = Network(model), model.file
        self._classes = tuple(SHAPE_OF[name] for name in model.classes)
        self._shapes = shapes

    def open(self) -> None:
        """Open the network now."""
        self._head  # noqa: B018 # what is wanted is that it has been asked for

    def detect(
        self, picture: Pixels, *, thorough: bool = False, least: float = MIN_SCORE, lone: bool = False
    ) -> list[Detection]:
        """Every place that may hold a piece, best first, in the picture's pixels. Low scores are kept: doubting needs them.

        Args:
            picture: H x W x 3.
            thorough: look twice though the first look is plain, for callers before whose pictures a hand may be.
            least: the score from which a place is reported; it does not change those that score more.
            lone: one look is enough, too, if it shows nothing but one large die (`is_lone`), for callers that look again unless
                that is read beyond doubt.
        """
        detections = self._look(picture, thorough, least, lone=lone)
        part = nearer(detections, picture.shape)
        if part is None:
            return detections
        found = self._nearer(picture, detections, thorough, least)
        # A die outside that part was seen from afar only; it counts nevertheless.
        outside = [each for each in _alike(detections, MIN_SCORE) if not _lies_in(each, part)]
        more = [each for each in outside if not any(overlap(each, other) > _SAME_PLACE for other in found)]
        return sorted([*found, *more], key=lambda detection: -detection.score)

    def with_large(self, picture: Pixels, detections: Sequence[Detection], least: float = MIN_SCORE) -> list[Detection]:
        """The detections, and if none of them is beyond doubt also dice that fill the picture. Tiles that do are found without.

        The network knows few pictures without a table around the piece, so it is given one: a border in the colour of the edges.
        """
        if any(detection.score >= _FOUND for detection in detections):
            return [*detections]
        long_side = max(picture.shape)
        border = round(_BORDER * long_side)
        found = [
            _without_border(each, border, picture.shape) for each in self._look(_bordered(picture, border), True, least)
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
        self, picture: Pixels, detections: Sequence[Detection], least: float = MIN_SCORE
    ) -> list[Detection]:
        """The same of a table of which detections are known, so that it is seen at once from as near as they are small.

        One look is enough if it is plain and misses none of those that two looks found.
        """
        known = [detection for detection in detections if detection.score >= LIKELY]
        return self._nearer(picture, detections, False, least, known)

    def _nearer(
        self,
        picture: Pixels,
        detections: Sequence[Detection],
        thorough: bool,
        least: float,
        known: Sequence[Detection] = (),
    ) -> list[Detection]:
        left, top, right, bottom = nearer(detections, picture.shape) or (0, 0, picture.shape[1], picture.shape[0])
        there = [detection.mapped(1, 1, -left, -top) for detection in known]
        found = self._look(picture[top:bottom, left:right], thorough, least, there)
        return [detection.mapped(1, 1, left, top) for detection in found]

    def detect_fast(self, picture: Pixels, turn: int) -> list[Detection]:
        """The same from one view only, less sure, for callers that sample one table often; `turn` counts the samples."""
        view = View.of(picture)
        return self._upside_down(view, MIN_SCORE) if turn % 2 else self._look_once(view, MIN_SCORE)

    def look_again(self, picture: Pixels, times: float = 1.0, stretch: float | None = None) -> list[Detection]:
        """What one more look sees, with the picture made so many times as large as the network usually has it; `stretch`: and
        so many times as high (`vision.slant`).
        """
        if stretch is None:
            return self._look_once(View.of(picture, times), MIN_SCORE)
        view = View.of(stretched(picture, stretch), times * max(stretch, 1 / stretch))
        return [as_it_was(each, stretch) for each in self._look_once(view, MIN_SCORE)]

    def look_in(
        self, picture: Pixels, part: tuple[int, int, int, int], stretch: float | None = None
    ) -> list[Detection]:
        """The same of a part of the picture alone (left, top, right, bottom), in the picture's pixels."""
        left, top, right, bottom = part
        found = self.look_again(picture[top:bottom, left:right], stretch=stretch)
        return [each.mapped(1, 1, left, top) for each in found]

    def look_for_faint(self, picture: Pixels) -> list[Detection]:
        """What is seen upside down once the contrast is evened: a die of the table's colour, in the shade or behind noise hardly
        shows as it is (docs/decisions/0054).

        Twice: in a picture that is smaller and smooth, which has less noise, and in one that has all its detail.
        """
        views = View.of(picture, _SMALLER).evened().smoothed(_SMALLER), View.of(picture).evened()
        return [each for view in views for each in self._upside_down(view, MIN_SCORE)]

    def look_for_small(self, picture: Pixels) -> list[Detection]:
        """What is seen once the picture is twice as large: of dice that are small two looks miss some
        (docs/decisions/0063).
        """
        return self._look_once(View.of(picture, _FOR_SMALL_DICE), MIN_SCORE)

    def detect_stretched(self, picture: Pixels, stretch: float) -> list[Detection]:
        """What two looks see once the picture is so many times as high, in the pixels of the picture as it is."""
        found = self.detect(stretched(picture, stretch), thorough=True)
        return [as_it_was(each, stretch) for each in found]

    def look_from_above(self, picture: Pixels, plane: Plane) -> list[Detection]:
        """The tiles that two looks see in the picture as seen from above, in the pixels of the picture as it is."""
        seen = FromAbove.of(picture, plane)
        times = min(_FROM_ABOVE * max(seen.picture.shape) / max(picture.shape), _MOST_FROM_ABOVE)
        view = View.of(seen.picture, times)
        found = fuse(self._look_once(view, MIN_SCORE), self._upside_down(view, MIN_SCORE), MIN_SCORE)
        there = [seen.as_it_was(each) for each in found if each.shape == "tile"]
        return [each for each in there if each.width > 0 and each.height > 0]

    def _look(
        self,
        picture: Pixels,
        thorough: bool,
        least: float,
        known: Sequence[Detection] = (),
        *,
        lone: bool = False,
    ) -> list[Detection]:
        """Once as it is, and unless that is plain, or `lone` and one large die, once upside down: what the network sees either
        way is surer, and its outlines are truer. Where tiles are small the second look is larger.
        """
        view = View.of(picture)
        first = self._look_once(view, least)
        if not thorough and plain(first, max(picture.shape)) and sees_all(first, known):
            return first
        if lone and is_lone(first, max(picture.shape)):
            return first
        times = larger(first, max(picture.shape))
        again = View.of(picture, times) if times > 1 else view
        return fuse(first, self._upside_down(again, least), MIN_SCORE)

    def _upside_down(self, view: View, least: float) -> list[Detection]:
        height, width = view.shape[:2]
        detections = self._look_once(view.upside_down(), least)
        return [detection.mapped(-1, -1, width, height) for detection in detections]

    def _look_once(self, view: View, least: float) -> list[Detection]:
        return decode(self.rows(view), view.scale, view.shape, self._classes, self._shapes, least)

    def rows(self, view: View) -> NDArray[np.float32]:
        """What one run of the network says of a view, as `BoxHead.rows`.

        Always from `WEAK` on: how many places are computed at once changes the last digit of all.
        """
        return self._head.rows(self._run(view.tensor(), slice(ANSWERS)), WEAK)

    def _run(self, tensor: NDArray[np.float32], wanted: slice) -> list[NDArray[np.float32]]:
        """Some of the network's outputs for what `View.tensor` makes."""
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
    """A picture as large as the network looks at it: made small once, whichever way round it is looked at.

    Attributes:
        small: its longer side is `LONG_SIDE`, or so many times that.
        scale: pixels of it per pixel of the picture.
        shape: of the picture.
    """

    small: Pixels
    scale: float
    shape: tuple[int, ...]

    @classmethod
    def of(cls, picture: Pixels, times: float = 1.0) -> View:
        """Of a picture, H x W x 3, made so many times as large as usual."""
        height, width = picture.shape[:2]
        scale = times * LONG_SIDE / max(height, width)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        pixels = shrunk(picture, 2) if scale <= 1 / _HALVED else picture
        small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        return cls(np.asarray(small, np.uint8), scale, picture.shape)

    def upside_down(self) -> View:
        """The same, turned by half a turn."""
        return replace(self, small=np.asarray(cv2.flip(self.small, -1), np.uint8))

    def evened(self) -> View:
        """The same with the contrast of its parts made alike."""
        lab = cv2.cvtColor(self.small, cv2.COLOR_RGB2LAB)
        lab[..., 0] = cv2.createCLAHE(_CLIP, _TILES).apply(lab[..., 0])
        return replace(self, small=np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8))

    def smoothed(self, sigma: float) -> View:
        """The same without what is finer than so many of its pixels."""
        return replace(self, small=np.asarray(cv2.GaussianBlur(self.small, (0, 0), sigma), np.uint8))

    def tensor(self) -> NDArray[np.float32]:
        """What the network takes: 1 x 3 x H x W, 0..1, both sides multiples of 32."""
        height, width = self.small.shape[:2]
        tensor = np.empty((1, 3, _up(height), _up(width)), np.float32)
        tensor[..., height:, :] = tensor[..., :height, width:] = _BESIDE
        # Split first: to divide what lies interleaved takes nearly twice as long.
        for plane, values in zip(cv2.split(self.small), tensor[0, :, :height, :width], strict=True):
            np.divide(plane, np.float32(255), out=values, dtype=np.float32)
        return tensor


def _same_piece(one: Detection, other: Detection) -> bool:
    return iou(one, other) > _SAME_PIECE_IOU


def _bordered(picture: Pixels, border: int) -> Pixels:
    """The picture with so many pixels on all sides, in the median colour of its edges."""
    edges = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    colour = [float(part) for part in np.median(edges, axis=0)]
    return np.asarray(
        cv2.copyMakeBorder(picture, border, border, border, border, cv2.BORDER_CONSTANT, value=colour), np.uint8
    )


def _without_border(detection: Detection, border: int, shape: tuple[int, ...]) -> Detection:
    """What was found in the picture with a border, as far as it lies in the picture of that shape; beside it, of no size."""
    return detection.mapped(1, 1, -border, -border).clipped(shape)


def plain(detections: Sequence[Detection], long_side: int) -> bool:
    """Whether there are dice, each beyond doubt, and nothing that may be another or a tile: a second look changes nothing then.

    A tile is always looked at twice: what its ends show is read by its outline. `long_side`: of the picture, in its pixels.
    """
    seen = [detection for detection in detections if detection.score >= _NOTHING]
    return bool(seen) and all(
        detection.shape == "die" and detection.score >= _PLAIN and detection.long_side <= _LARGE * long_side
        for detection in seen
    )


def is_lone(detections: Sequence[Detection], long_side: int) -> bool:
    """Whether there is nothing but one die beyond doubt, so large that it may be what one lies in."""
    seen = [detection for detection in detections if detection.score >= _NOTHING]
    return (
        len(seen) == 1 and seen[0].shape == "die" and seen[0].score >= _PLAIN and seen[0].long_side > _LARGE * long_side
    )


def sees_all(detections: Sequence[Detection], known: Sequence[Detection]) -> bool:
    """Whether each of the known places has a detection of its shape on it that is more than a trace."""
    seen = [detection for detection in detections if detection.score >= _NOTHING]
    return all(any(one.shape == each.shape and overlap(one, each) > _SAME_PLACE for one in seen) for each in known)


def larger(detections: Sequence[Detection], long_side: int) -> float:
    """How many times as large as usual a picture is worth a second look: more than once where tiles are small, and one of them
    is plain. The parts of a circuit board, which look like tiles, would do so more if they were larger.

    `long_side`: of the picture, in its pixels.
    """
    tiles = [each for each in detections if each.shape == "tile" and each.score >= LIKELY]
    if not any(each.score >= _PLAIN for each in tiles):
        return 1.0
    long = median(max(math.dist(a, b), math.dist(b, c)) for a, b, c, _ in (each.corners for each in tiles))
    times = min(_MOST_LARGER, _TILE * long_side / long)
    return times if times >= _LARGER else 1.0


def nearer(detections: Sequence[Detection], shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """The part of a picture that is worth a second look, as left, top, right, bottom: where small pieces lie close together.

    A tile 30 network pixels long is found, but its outline is off by more than its pips are apart. None where pieces are
    large enough, or lie everywhere.
    """
    likely = [detection for detection in detections if detection.score >= LIKELY]
    if not likely or (long := _length(likely)) > _SMALL * max(shape[:2]):
        return None
    parts = [_part_of(some, long, shape) for some in ([*likely, *_alike(detections, _TRACE)], likely)]
    return next((part for part in parts if max(part[2] - part[0], part[3] - part[1]) <= _PART * max(shape[:2])), None)


def _length(detections: Sequence[Detection]) -> float:
    """The median of their longer sides."""
    return median(each.long_side for each in detections)


def _alike(detections: Sequence[Detection], least: float) -> list[Detection]:
    """The dice that score so much at least and are about as long as those that are likely; none where none is."""
    dice = [each for each in detections if each.shape == "die" and each.score >= least]
    likely = [each for each in dice if each.score >= LIKELY]
    return [each for each in dice if is_alike(each, likely)] if likely else []


def is_alike(die: Detection, dice: Sequence[Detection]) -> bool:
    """Whether it is half to twice as long as those dice, in the median; any is where there are none."""
    return not dice or 1 / _ALIKE <= die.long_side / _length(dice) <= _ALIKE


def _part_of(detections: Sequence[Detection], long: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The part of a picture that holds all of them, which are so long, with as much around, and more where few tiles are."""
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
    """Whether its middle does."""
    (x, y), (left, top, right, bottom) = detection.middle, part
    return left <= x <= right and top <= y <= bottom


def decode(
    rows: NDArray[np.float32],
    scale: float,
    shape: tuple[int, ...],
    classes: tuple[Shape, ...] = SHAPES,
    shapes: Collection[Shape] = SHAPES,
    least: float = MIN_SCORE,
) -> list[Detection]:
    """The network's rows (centre x, centre y, width, height, a score for each class, angle) as detections, each piece once.

    Args:
        rows: N x (4 + classes + 1); lengths in the network's pixels, the angle in radians from the x axis to the side called
            width. A network that knows upright boxes only has no angle.
        scale: the network's pixels per pixel of the picture.
        shape: of the picture; upright boxes are clipped to it.
        classes: the shapes that the network scores, in their order; of several scores for one shape the highest counts.
        shapes: those to detect.
        least: the score from which they are.
    """
    scores = rows[:, 4 : 4 + len(classes)] * np.isin(classes, list(shapes))
    best = scores.max(1)
    likely = np.flatnonzero(best >= least)  # a few of thousands: sorting all takes longer than the rest of this
    order = likely[np.argsort(-best[likely], kind="stable")][:_MAX_DETECTIONS]
    found = [classes[k] for k in scores[order].argmax(1)]
    angles = rows[order, -1] if rows.shape[1] > 4 + len(classes) else np.zeros(len(order))
    sizes = rows[order, :4] / scale
    places = [_place(size, float(turn), shape_) for size, turn, shape_ in zip(sizes, angles, found, strict=True)]
    keep = cv2.dnn.NMSBoxesRotated(places, best[order].tolist(), least, _SAME_PIECE_IOU)
    return [_detection(places[i], found[i], float(best[order[i]]), shape) for i in keep]


_Place = tuple[tuple[float, float], tuple[float, float], float]
"""Centre, size and angle in degrees, as OpenCV writes a turned box."""


def _place(size: NDArray[np.float32], angle: float, shape: Shape) -> _Place:
    x, y, width, height = (float(n) for n in size)
    if shape == "die":
        # Dice are taught in upright boxes: of a square no angle can be learnt, only quarter turns.
        width, height = (height, width) if abs(math.sin(angle)) > math.sqrt(0.5) else (width, height)
        angle = 0.0
    return (x, y), (width, height), math.degrees(angle)


def _detection(place: _Place, kind: Shape, score: float, shape: tuple[int, ...]) -> Detection:
    quad = outline(place) if kind == "tile" else None
    points = np.array(quad) if quad else cv2.boxPoints(place)
    (left, top), (right, bottom) = points.min(0).tolist(), points.max(0).tolist()
    return Detection(left, top, right, bottom, score, kind, quad).clipped(shape)


def outline(place: _Place) -> Quad:
    """The corners of a turned box in turn, beginning with a long side; in the picture they run clockwise."""
    (x, y), (width, height), angle = place
    if width < height:
        width, height, angle = height, width, angle + 90
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    ways = ((-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2))
    a, b, p, q = ((x + u * c - v * s, y + u * s + v * c) for u, v in ways)
    return (a, b, p, q)


def _up(side: int) -> int:
    return -(-side // _STRIDE) * _STRIDE
