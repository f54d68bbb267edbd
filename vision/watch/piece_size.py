"""How large the pieces on a table are: what tells a hand from a die, and a printed die from one that was thrown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.detect.boxes import median
from vision.photo import Photo
from vision.reading import Die, Quad, Tile
from vision.watch.tracker import BELIEVED, DOUBTLESS

_LARGEST = 0.3
"""A piece's side over the picture's longer side, at most."""
_FITS = 1.8
"""How many times larger or smaller a die seems that is the same size as the others, on a table seen from above,"""
_CANNOT_BE = 2.0
"""and one that is not, however sure its reading is."""


class PieceSize:
    """What is known of them; `usual` and `largest` are a piece's side over the picture's longer side."""

    def __init__(self, side: float) -> None:
        """Begin with a guess."""
        self.usual = self.largest = side

    def measure(self, places: Sequence[tuple[Quad, float]], photo: Photo) -> None:
        """Take them from places in a photo and from how sure those are; a thing that fills the picture is no piece."""
        long = max(photo.width, photo.height)
        most = max((sure for _, sure in places), default=0.0)
        sides = [side_of(place) / long for place, sure in places if sure >= min(most, DOUBTLESS) and sure >= BELIEVED]
        if sides := [side for side in sides if side < _LARGEST]:
            self.usual, self.largest = median(sides), max(sides)

    def misfits(self, seen: Sequence[Die | Tile], photo: Photo, *, guessed: bool) -> list[int]:
        """Dice hardly believed, much smaller or larger than those that are: printed ones, or parts of others.

        Args:
            seen: what was read in the photo.
            photo: of the table.
            guessed: whether nothing was measured yet, so that only dice beyond doubt say how large dice are.
        """
        dice = [(j, side_of(piece.box), piece.presence) for j, piece in enumerate(seen) if isinstance(piece, Die)]
        sure = [side for _, side, confidence in dice if confidence >= DOUBTLESS]
        if not sure and guessed:
            return []
        usual = median(sure) if sure else self.usual * max(photo.width, photo.height)
        return [
            j
            for j, side, confidence in dice
            if max(side / usual, usual / side) > (_FITS if confidence < DOUBTLESS else _CANNOT_BE)
        ]


def side_of(place: Quad) -> float:
    """The side of a square as large as a place, in pixels."""
    a, b, c, d = place
    twice = (c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])
    return math.sqrt(abs(twice) / 2)
