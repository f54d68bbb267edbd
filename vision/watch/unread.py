"""Pieces that have arrived on a table and were not read: a white die on white paper still changes the picture."""

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
"""The sides of a new thing's box over a piece's side: what is less is a shadow's rest, what is more is no piece."""
_FULL = 0.25
"""Share of its box that a piece covers at least, if only its pips and edges are seen."""


def unread(changed: Mask, explained: Sequence[Box], side: float) -> Iterator[Doubt]:
    """A doubt for each thing that is new on the table, as large as a piece, and no piece that was read or has left.

    Args:
        changed: what has changed since the table was read last, H x W of the thumbnail.
        explained: where pieces lie, and where some lay before.
        side: of a piece, in pixels of the small picture.
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
