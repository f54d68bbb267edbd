"""Turns people's labels of pieces on a photo into taught pieces."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from vision.candidate import Candidate
from vision.classify.dice import DIE_KINDS, Face
from vision.classify.sharpest import sharpest
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection, Outline, Shape, iou, median, overlap, without_duplicates
from vision.photo import Photo
from vision.reading import DieKind, Point, Quad, middle_of
from vision.select import in_reading_order, suppress_overlaps
from vision.taught.pieces import LEAST_UNSEEN, InvalidProfile, TaughtKind, TaughtPiece, check_shown, cut

_SURE = 0.9
"""Confidence from which nobody needs to be asked about a piece."""
_LONE = 0.06
"""Assumed side of a piece over the photo's longer side, if no other piece shows how large they are."""
_FAINT = 0.1
"""The detection score from which people are asked about a thing: dice unlike the training data score low."""
_COVERS = 0.4
"""Overlap, as a share of the smaller outline, above which two detections are one."""
_PLAIN = 0.9
"""The probability of both ends as labelled from which the network settles their order."""
_SAME = 0.5
"""Intersection over union from which a box is the same as a detection."""
_SMALLEST, _LARGER, _STEPS = 0.03, 1.2, 15
"""Box sizes that are tried at a point: the smallest over the photo's longer side, the factor between them, and their number."""
_ASIDE = ((0.0, 0.0), (0.25, 0.0), (-0.25, 0.0), (0.0, 0.25), (0.0, -0.25))
"""Offsets of these boxes, over half their side: a finger does not hit the centre."""
Look = Callable[[Photo, Sequence[Detection], Collection[DieKind]], Sequence[Face]]
"""Classifies boxes as dice of some kinds: `TableReader.faces`."""


@dataclass(frozen=True, slots=True)
class Said:
    """A person's label of one piece.

    Attributes:
        kind: the piece's kind; "other": none that counts.
        shows: the value of a die, the ends of a tile in any order, empty for "other".
        at: a point on the piece, in pixels of the upright photo.
        symbol: what they call the face.
        box: its outline in pixels of the upright photo, where known.
        either: for a tile with an outline, whether the ends may be in any order; otherwise they are in that of the outline.
    """

    kind: TaughtKind
    shows: tuple[int, ...]
    at: Point
    symbol: str = ""
    box: Quad | None = None
    either: bool = False

    def to_json(self) -> dict[str, Any]:
        """A plain object."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Said:
        """What `to_json` wrote."""
        box = tuple((float(x), float(y)) for x, y in data["box"]) if data["box"] else None
        x, y = data["at"]
        either = bool(data.get("either"))
        return cls(data["kind"], tuple(data["shows"]), (x, y), data["symbol"], box, either)  # type: ignore[arg-type]


def teachable(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that people can be asked about, in reading order: everything that may be a die or a tile."""
    likely = [each for each in candidates if each.is_piece or each.detection.score >= _FAINT]
    kept = suppress_overlaps(likely)
    bare = without_duplicates(
        sorted(likely, key=lambda each: -each.detection.score),
        lambda a, b: overlap(a.detection, b.detection) > _COVERS,
        kept,
    )
    return in_reading_order(bare)


def taught_from(
    photo: Photo, candidates: Sequence[Candidate], said: Sequence[Said], look: Look | None = None
) -> list[TaughtPiece]:
    """The labelled pieces, each with its picture.

    Args:
        photo: the photo with the pieces.
        candidates: what was found on it.
        said: the labels.
        look: classifies dice in boxes, to find the size of a die that was not detected; None: it is as large as the others.

    Raises:
        InvalidProfile: a label is impossible; then nothing is taught.
    """
    for each in said:
        _check(photo, each)
    return list(_taught(photo, candidates, said, look))


def _check(photo: Photo, said: Said) -> None:
    """Check that the label and the position are possible.

    Raises:
        InvalidProfile: they are not.
    """
    check_shown(said.kind, said.shows)
    if not _on(photo, said.at):
        raise InvalidProfile("This position is outside the photo.")
    if said.box is None:
        return
    outline = Outline.around(said.box)
    # A piece may reach over the edge of the photo, but its centre must be on it.
    width, height = outline.right - outline.left, outline.bottom - outline.top
    fits = 1 <= width <= 2 * photo.width and 1 <= height <= 2 * photo.height
    if not (fits and _on(photo, middle_of(said.box))):
        raise InvalidProfile("This outline is empty or not on the photo. Leave it out: the position is enough.")


def _on(photo: Photo, at: Point) -> bool:
    """Whether a point is on the photo, with a tolerance of one pixel, for centres are rounded."""
    x, y = at
    return -1 <= x <= photo.width + 1 and -1 <= y <= photo.height + 1


def _taught(
    photo: Photo, candidates: Sequence[Candidate], said: Sequence[Said], look: Look | None
) -> Iterator[TaughtPiece]:
    full = functools.cache(photo.full)
    for each in said:
        detection, shows, either = _placed(photo, candidates, each, look)
        jpeg, box = cut(*sharpest(photo, detection, full))
        x, y = each.at
        place, unseen = (round(x, 1), round(y, 1)), _unseen(photo, detection)
        yield TaughtPiece(each.kind, shows, box, jpeg, photo.sha256, place, each.symbol, unseen, either)


def _unseen(photo: Photo, detection: Detection) -> float:
    """The size of a piece that was not detected, over the photo's longer side; 0 for one that was."""
    if detection.score:
        return 0.0
    height, width = photo.pixels.shape[:2]
    share = detection.long_side / max(height, width)
    return float(round(min(1.0, max(LEAST_UNSEEN, share)), 4))


def _placed(
    photo: Photo, candidates: Sequence[Candidate], said: Said, look: Look | None
) -> tuple[Detection, tuple[int, ...], bool]:
    """The piece in the working picture, what it shows, and for a tile whether its ends may be in the other order."""
    if said.box is not None:
        box = Outline.around(tuple((x / photo.scale, y / photo.scale) for x, y in said.box))
        tile = said.kind == "domino"
        quad = box.quad if tile else None
        shape: Shape = "tile" if tile else "die"
        either = tile and said.either and len(set(said.shows)) > 1
        return Detection(box.left, box.top, box.right, box.bottom, 1.0, shape, quad), said.shows, either
    shape_there = _shape(said.kind, candidates, photo, said.at)
    detection, face = found_at(photo, candidates, said.at, shape_there)
    if look and said.kind in DIE_KINDS and not _reads_so(candidates, detection, said):
        sized = _sized(photo, said, look)
        if sized is not None and iou(sized, detection) < _SAME:
            return sized, said.shows, False
    return detection, *(_ordered(said.shows, face) if said.kind == "domino" else (said.shows, False))


def _reads_so(candidates: Sequence[Candidate], detection: Detection, said: Said) -> bool:
    """Whether the detected die is read as it is labelled."""
    faces = [each.face for each in candidates if each.detection is detection and each.is_piece]
    return any(isinstance(face, Face) and _chance(face, said) >= _SURE for face in faces)


def _sized(photo: Photo, said: Said, look: Look) -> Detection | None:
    """The box around a point in which the network reads the labelled value best, to find the die's size; None if in none."""
    x, y = said.at[0] / photo.scale, said.at[1] / photo.scale
    long = max(photo.pixels.shape[:2])
    halves = [long * _SMALLEST * _LARGER**step / 2 for step in range(_STEPS)]
    boxes = [
        Detection(x + dx * half - half, y + dy * half - half, x + dx * half + half, y + dy * half + half, 0.0)
        for half in halves
        for dx, dy in _ASIDE
    ]
    # Only for the labelled kind: reading numerals in all these boxes would take longer than everything else.
    faces = look(photo, boxes, [kind for kind in DIE_KINDS if kind == said.kind])
    chances = [_chance(face, said) for face in faces]
    best = max(range(len(boxes)), key=lambda i: chances[i])
    return boxes[best] if chances[best] >= _SURE else None


def _chance(face: Face, said: Said) -> float:
    """The probability of the labelled kind and value; 0 for an impossible value, which `TaughtPiece` rejects."""
    if face.kind != said.kind or not 1 <= said.shows[0] <= len(face.values):
        return 0.0
    return float((1 - face.other) * face.values[said.shows[0] - 1])


def found_json(photo: Photo, piece: Candidate) -> dict[str, Any]:
    """A piece for people to label: its outline in pixels of the photo, and its reading, if it counts as a piece."""
    box = [[round(x, 1), round(y, 1)] for x, y in piece.detection.scaled(photo.scale).corners]
    tile = isinstance(piece.face, TileFace)
    read = piece.face.ranked[0][0] if piece.is_piece and not piece.face_down else None
    shows = [] if read is None else list(read) if isinstance(read, tuple) else [read]
    return {"kind": piece.kind, "shows": shows, "box": box, "tile": tile, "sure": piece.confidence >= _SURE}


def _shape(kind: TaughtKind, candidates: Sequence[Candidate], photo: Photo, at: Point) -> Shape:
    """The shape for a labelled kind; for "other", that of the detection at the point."""
    if kind != "other":
        return "tile" if kind == "domino" else "die"
    return found_at(photo, candidates, at, None)[0].shape


def found_at(
    photo: Photo, candidates: Sequence[Candidate], at: Point, shape: Shape | None
) -> tuple[Detection, TileFace | None]:
    """The detection of a shape (None: any) at a point; if there is none, a box as large as the other pieces."""
    x, y = at[0] / photo.scale, at[1] / photo.scale
    there = [each for each in candidates if _holds(each.detection, x, y) and shape in (None, each.detection.shape)]
    best = max(
        there, key=lambda each: (each.is_piece, _centred(each.detection, x, y) * each.detection.score), default=None
    )
    if best is not None:
        return best.detection, best.face if isinstance(best.face, TileFace) else None
    sides = [each.detection.long_side for each in candidates if each.is_piece]
    half = (median(sides) if sides else _LONE * max(photo.pixels.shape[:2])) / 2
    low, wide = half / (2 if shape == "tile" else 1), half
    quad: Quad = ((x - wide, y - low), (x + wide, y - low), (x + wide, y + low), (x - wide, y + low))
    box = Outline.around(quad)
    tile = shape == "tile"
    return Detection(
        box.left, box.top, box.right, box.bottom, 0.0, "tile" if tile else "die", quad if tile else None
    ), None


def is_another_shape(photo: Photo, candidates: Sequence[Candidate], found: Candidate, kind: TaughtKind) -> bool:
    """Whether people label a tile where only a die was found, or a die where only a tile was."""
    if kind == "other":
        return False
    x, y = found.detection.middle
    shape = _shape(kind, candidates, photo, (x * photo.scale, y * photo.scale))
    return not any(each.detection.shape == shape and _holds(each.detection, x, y) for each in candidates)


def _holds(box: Detection, x: float, y: float) -> bool:
    return box.left <= x <= box.right and box.top <= y <= box.bottom


def _centred(box: Detection, x: float, y: float) -> float:
    """1 at the centre of the box, falling to 0 at its corners."""
    middle = box.middle
    return 1 - min(1.0, math.dist(middle, (x, y)) / max(1.0, math.hypot(box.width, box.height) / 2))


def _ordered(ends: tuple[int, ...], face: TileFace | None) -> tuple[tuple[int, ...], bool]:
    """The ends in the order that the network reads, and whether it may be the other one: it does not read both clearly."""
    a, b = ends
    if a == b or face is None:
        return ends, a != b
    as_said, turned = (face.first[one] * face.second[other] for one, other in ((a, b), (b, a)))
    return (ends if as_said >= turned else (b, a)), max(as_said, turned) < _PLAIN
