"""Remembers how the table looked at the last count, and finds what has changed since in a still picture: pieces, or a hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from vision.reading import Point
from vision.watch.history import is_hand
from vision.watch.motion import Blob, Mask, Thumbnail, blobs, camera_shift, changed_mask, has_larger, is_global_change
from vision.watch.piece_size import PieceSize
from vision.watch.settings import WatchSettings

_TABLES = 6
"""Number of remembered pictures of the settled table: there may be a hand in one of them."""
_PIPS_APART = 0.5
"""Distance from the edge of one pip to the next, over a die's side."""
_STAYED: Point = (0.0, 0.0)
_MUCH = 0.15
"""Changed share of the picture from which the camera may have been pushed, farther than by mere shake."""


class TableMemory:
    """The settled table. `settled`: its last thumbnail; None: not counted yet. `hidden`: the mask of a hand at the last count."""

    def __init__(self, settings: WatchSettings, size: PieceSize) -> None:
        """Start with an unknown table."""
        self.settled: Thumbnail | None = None
        self.hidden: Mask | None = None
        self._settings, self._size = settings, size
        self._tables: deque[Thumbnail] = deque(maxlen=_TABLES)
        self._covered: deque[Thumbnail] = deque(maxlen=_TABLES)

    def moves(self, mask: Mask) -> bool:
        """Whether a mask has a change large enough to be a piece in motion."""
        limit = self._settings.min_motion_area * (self._size.usual * max(mask.shape)) ** 2
        return has_larger(mask, limit)

    def has_changed(self, mask: Mask) -> bool:
        """Whether a mask of changes on a still table has a change large enough to be a piece: of a die of the table's colour
        there are only pips and edges, each smaller than a piece in motion.
        """
        piece = self._size.usual * max(mask.shape)
        return has_larger(mask, self._settings.change * piece**2, max(1, round(_PIPS_APART * piece)))

    def changed(self, now: Thumbnail) -> Mask:
        """The mask of changes since the last count; everything if there was none."""
        if self.settled is None:
            return np.ones(now.picture.shape, bool)
        return changed_since(self.settled, now)

    def hands(self, changed: Mask) -> list[Blob]:
        """The blobs in a mask of changes that are too large for a piece."""
        piece = self.largest_piece(changed.shape)
        return [] if is_global_change(changed) else [thing for thing in blobs(changed) if is_hand(thing, piece)]

    def largest_piece(self, shape: tuple[int, ...]) -> float:
        """The area of the largest piece, in pixels of a thumbnail of this shape."""
        return float((self._size.largest * max(shape)) ** 2)

    def cover(self, now: Thumbnail, changed: Mask, before: Mask | None) -> Mask | None:
        """The mask of a hand, or something as large, that no picture of the settled table shows, nor one from a while ago.

        A hand in the same place as before the last motion does not count; it is more likely light on the table.

        Args:
            now: a still picture.
            changed: the mask of its changes.
            before: the cover of the still picture before this one.
        """
        least, most = self._settings.resting
        long_ago = [rest for rest in self._covered if least <= now.time - rest.time <= most]
        pictures = (*self._tables, *long_ago)
        if self.settled is None or not self.hands(changed):
            return None
        if not all(self.hands(changed_since(table, now)) for table in pictures):
            return None
        if before is None:
            self._covered.appendleft(now)
        return _union(self.hands(changed))

    def refresh(self, now: Thumbnail) -> None:
        """Update the picture of an unchanged table to its present light."""
        self.settled = now

    def count(self, now: Thumbnail, cover: Mask | None) -> None:
        """Record that the table was counted in this picture, with a hand where `cover` is."""
        self.settled, self.hidden = now, cover
        self._tables.appendleft(now)
        if cover is None:
            # Earlier apparent hands really were hands, for they are gone.
            self._covered.clear()

    def camera_shift(self, now: Thumbnail) -> Point:
        """The shift of the picture by the camera since the last count, in pixels of the thumbnail."""
        if self.settled is None or self.settled.picture.shape != now.picture.shape:
            return _STAYED
        return _pushed(self.settled, now, changed_mask(self.settled, now))[0]


def changed_since(then: Thumbnail, now: Thumbnail) -> Mask:
    """The mask of changes between two pictures of a still table, after a push of the camera is undone."""
    if then.picture.shape != now.picture.shape:
        return np.ones(now.picture.shape, bool)
    changed = changed_mask(then, now)
    return changed if changed.mean() < _MUCH else _pushed(then, now, changed)[1]


def _pushed(then: Thumbnail, now: Thumbnail, changed: Mask) -> tuple[Point, Mask]:
    """The shift of the camera between two pictures with a large change, and the mask of changes that remain after it.

    The shift is accepted only if it explains most of the change: moving hands and dice look like a shift, too.
    """
    shift = camera_shift(then.picture, now.picture)
    beside = changed_mask(then, now, shift)
    return (shift, beside) if 2 * beside.mean() < changed.mean() else (_STAYED, changed)


def _union(things: Sequence[Blob]) -> Mask:
    return np.asarray(np.any([thing.mask for thing in things], axis=0))
