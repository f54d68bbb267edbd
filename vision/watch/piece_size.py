"""Estimates the size of the pieces on a table: it tells a hand from a die, and a printed die from a thrown one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.detect.boxes import median
from vision.photo import Photo
from vision.reading import Die, Quad, Tile
from vision.watch.tracker import BELIEVED, DOUBTLESS

_LARGEST = 0.3
"""Largest side of a piece over the picture's longer side."""
_FITS = 1.8
"""The largest ratio, either way, between a die's apparent size and the others', on a table seen from above."""
_CANNOT_BE = 2.0
"""The ratio above which even a sure die is not one of the others."""


class PieceSize:
    """The estimated size of pieces; `usual` and `largest` are a piece's side over the picture's longer side."""

    def __init__(self, side: float) -> None:
        """Start with a guess."""
        self.usual = self.largest = side

    def measure(self, places: Sequence[tuple[Quad, float]], photo: Photo) -> None:
        """Update the sizes from (place, probability) of pieces in a photo; things that nearly fill the picture are ignored."""
        long = max(photo.width, photo.height)
        most = max((sure for _, sure in places), default=0.0)
        sides = [side_of(place) / long for place, sure in places if sure >= min(most, DOUBTLESS) and sure >= BELIEVED]
        if sides := [side for side in sides if side < _LARGEST]:
            self.usual, self.largest = median(sides), max(sides)

    def misfits(self, seen: Sequence[Die | Tile], photo: Photo, *, guessed: bool) -> list[int]:
        """Indices of dice much smaller or larger than the sure ones: printed dice, or parts of others.

        Args:
            seen: the pieces read in the photo.
            photo: the photo of the table.
            guessed: whether the size is still a guess, so that only dice beyond doubt are a reference.
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
    """The side of a square with the area of a place, in pixels."""
    a, b, c, d = place
    twice = (c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])
    return math.sqrt(abs(twice) / 2)
