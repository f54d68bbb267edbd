"""Template matching for taught dice that the detector misses.

A template is the picture of a taught piece, in all rotations, at the size it had on its photo and a little larger and smaller.
Where the photo matches one (normalised cross-correlation), networks and profiles classify it as usual: a template only proposes.
Reasons: docs/decisions/0035-dice-the-detector-does-not-see.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classify.crop_network import crop
from vision.detect.boxes import Detection, overlap, without_duplicates
from vision.photo import Pixels
from vision.taught.pieces import TaughtPiece

_SIDE = 10
"""Pixels of a piece in the shrunk picture that is searched, if it is as large as when it was taught."""
_SIZES = (0.85, 1.0, 1.18)
_TURNS = 6
_ROOM = 1.1
"""Side of a template over the longer side of the piece's box."""
_ALIKE = 0.45
"""The least correlation of a match."""
_MOST_PIECES, _MOST_PLACES = 16, 16
"""Limits on templates, of which the latest are used, for each costs time; and on matches, of which the best are used."""
_SAME = 0.3
"""Overlap, as a share of the smaller box, above which a match is suppressed by a better one, or by a detected piece."""
_SCORE = 0.2
"""Detection score that a match gets: too little for a piece unless it is also read clearly."""
_Likeness = NDArray[np.float32]


@dataclass(frozen=True)
class Templates:
    """The taught pieces that are used as templates."""

    pieces: tuple[TaughtPiece, ...]

    @classmethod
    def of(cls, pieces: Sequence[TaughtPiece]) -> Templates:
        """The templates among taught pieces: dice that people pointed at where the detector had found nothing."""
        return cls(tuple(piece for piece in pieces if piece.unseen and piece.shape == "die")[-_MOST_PIECES:])

    def search(self, picture: Pixels, known: Sequence[Detection]) -> list[Detection]:
        """The matches in a picture, best first.

        Args:
            picture: the photo.
            known: detected pieces; matches that overlap them are left out.
        """
        places = [place for piece in self.pieces for place in _places(picture, piece)]
        ranked = (each for each in sorted(places, key=_likeness) if not any(_same(each, other) for other in known))
        kept = without_duplicates(ranked, _same, most=_MOST_PLACES)
        return [Detection(each.left, each.top, each.right, each.bottom, _SCORE) for each in kept]


def _likeness(place: Detection) -> float:
    return -place.score


def _same(one: Detection, other: Detection) -> bool:
    return overlap(one, other) > _SAME


def _places(picture: Pixels, piece: TaughtPiece) -> Iterator[Detection]:
    """The matches of one piece in a picture, each with the correlation as its score."""
    factor = _SIDE / (piece.unseen * max(picture.shape[:2]))
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(_grey(picture), None, fx=factor, fy=factor, interpolation=way), np.uint8)
    for size in _SIZES:
        side = round(_SIDE * size * _ROOM)
        if side < min(small.shape[:2]):
            alike = np.maximum.reduce([_correlation(small, each) for each in _turned(piece, side)])
            for x, y, score in _peaks(alike, side):
                left, top, wide = x / factor, y / factor, side / _ROOM / factor
                room = (side / factor - wide) / 2
                yield Detection(left + room, top + room, left + room + wide, top + room + wide, score)


def _turned(piece: TaughtPiece, side: int) -> Iterator[Pixels]:
    pixels, box = piece.pixels(), piece.detection
    for turn in range(_TURNS):
        view = _grey(crop(pixels, box, (1.0, 360 * turn / _TURNS), 4 * side, _ROOM))
        yield np.asarray(cv2.resize(view, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def _grey(picture: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)


def _correlation(picture: Pixels, template: Pixels) -> _Likeness:
    """The correlation of a template at every position; -1 where it is undefined because the picture is uniform."""
    alike = cv2.matchTemplate(picture, template, cv2.TM_CCOEFF_NORMED)
    return np.asarray(np.where(np.isfinite(alike), alike, -1), np.float32)


def _peaks(alike: _Likeness, side: int) -> Iterator[tuple[int, int, float]]:
    """The local maxima of the correlation: left, top and correlation."""
    highest = cv2.dilate(alike, np.ones((side // 2 * 2 + 1,) * 2, np.uint8))
    rows, columns = np.nonzero((alike >= highest) & (alike >= _ALIKE))
    for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
        yield x, y, float(alike[y, x])
