"""Finds pieces that arrived on the table but were not read: a white die on white paper still changes the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vision.doubts import where
from vision.reading import Doubt
from vision.watch.history import Box
from vision.watch.motion import Mask, blobs, is_global_change

_SHADOW = 0.6
"""How far a piece's shadow reaches, over its side."""
_WIDE = 0.5, 1.8
"""The sides of a blob's box over a piece's side: a smaller one is the rest of a shadow, a larger one no piece."""
_FULL = 0.25
"""Least share of its box that a piece's blob covers, if only its pips and edges show."""


def unread(changed: Mask, explained: Sequence[Box], side: float) -> Iterator[Doubt]:
    """A doubt for each new blob of a piece's size on the table that no piece, read now or gone since, explains.

    Args:
        changed: the mask of changes since the last count, H x W of the thumbnail.
        explained: the boxes of pieces now, and of those before.
        side: a piece's side in pixels of the thumbnail.
    """
    if is_global_change(changed):
        return
    rest, reach = changed.copy(), round(_SHADOW * side) + 1
    for left, top, right, bottom in explained:
        rest[max(0, top - reach) : bottom + reach, max(0, left - reach) : right + reach] = False
    height, width = rest.shape
    for thing in blobs(rest):
        ys, xs = np.nonzero(thing.mask)
        wide, high = np.ptp(xs) + 1, np.ptp(ys) + 1
        fits = all(_WIDE[0] * side < each < _WIDE[1] * side for each in (wide, high))
        if fits and not thing.at_edge and thing.area > _FULL * wide * high:
            place = where(float(xs.mean()) / width, float(ys.mean()) / height)
            yield Doubt("uncertain-piece", f"Something new {place} was not read; it was not counted.")
