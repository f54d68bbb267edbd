"""How the table looked when it was counted last, and what in a still picture has changed since: pieces, or a hand."""

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
"""Pictures of the settled table that are remembered: a hand may have lain in one of them."""
_PIPS_APART = 0.5
"""From the edge of one pip to the next, over a die's side."""
_STAYED: Point = (0.0, 0.0)
_MUCH = 0.15
"""Share of the picture that has changed above which the camera may have been pushed farther than it shakes."""


class TableMemory:
    """The settled table. `settled`: how it looked last; None: not counted yet. `hidden`: where a hand lay then."""

    def __init__(self, settings: WatchSettings, size: PieceSize) -> None:
        """Begin with a table that nobody has seen."""
        self.settled: Thumbnail | None = None
        self.hidden: Mask | None = None
        self._settings, self._size = settings, size
        self._tables: deque[Thumbnail] = deque(maxlen=_TABLES)
        self._covered: deque[Thumbnail] = deque(maxlen=_TABLES)

    def moves(self, mask: Mask) -> bool:
        """Whether a mask has a change large enough to be a piece in motion."""
        limit = self._settings.twitch * (self._size.usual * max(mask.shape)) ** 2
        return has_larger(mask, limit)

    def has_changed(self, mask: Mask) -> bool:
        """Whether a mask of what has changed on a still table has as much in one place: of a die on a table of its colour there
        are pips and edges, each less than a piece in motion.
        """
        piece = self._size.usual * max(mask.shape)
        return has_larger(mask, self._settings.change * piece**2, max(1, round(_PIPS_APART * piece)))

    def changed(self, now: Thumbnail) -> Mask:
        """What has changed since the table was counted last; everything, if it never was."""
        if self.settled is None:
            return np.ones(now.picture.shape, bool)
        return changed_since(self.settled, now)

    def hands(self, changed: Mask) -> list[Blob]:
        """What is too large for a piece in a mask of changes."""
        piece = self.largest_piece(changed.shape)
        return [] if is_global_change(changed) else [thing for thing in blobs(changed) if is_hand(thing, piece)]

    def largest_piece(self, shape: tuple[int, ...]) -> float:
        """The area of the largest piece, in pixels of a thumbnail of this shape."""
        return float((self._size.largest * max(shape)) ** 2)

    def cover(self, now: Thumbnail, changed: Mask, before: Mask | None) -> Mask | None:
        """A hand, or something as large, where none lay in any picture of the settled table, nor a while ago.

        A hand that lies where it lay before something moved does not count; it is more likely light on the table.

        Args:
            now: a still picture.
            changed: what has changed in it.
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
        """The table looks as it did; remember its present light."""
        self.settled = now

    def count(self, now: Thumbnail, cover: Mask | None) -> None:
        """The table has been counted in this picture, with a hand where `cover` is."""
        self.settled, self.hidden = now, cover
        self._tables.appendleft(now)
        if cover is None:
            # What was taken for a hand before this was one, for it is gone.
            self._covered.clear()

    def camera_shift(self, now: Thumbnail) -> Point:
        """How far the camera has shifted the picture since the table was counted, in pixels of the thumbnail."""
        if self.settled is None or self.settled.picture.shape != now.picture.shape:
            return _STAYED
        return _pushed(self.settled, now, changed_mask(self.settled, now))[0]


def changed_since(then: Thumbnail, now: Thumbnail) -> Mask:
    """What has changed between two pictures of a still table."""
    if then.picture.shape != now.picture.shape:
        return np.ones(now.picture.shape, bool)
    changed = changed_mask(then, now)
    return changed if changed.mean() < _MUCH else _pushed(then, now, changed)[1]


def _pushed(then: Thumbnail, now: Thumbnail, changed: Mask) -> tuple[Point, Mask]:
    """How the camera was pushed between two pictures in which so much has changed, and what has changed beside that.

    It was pushed if that explains most of the change: what hands and dice do to a picture looks like a shift, too.
    """
    shift = camera_shift(then.picture, now.picture)
    beside = changed_mask(then, now, shift)
    return (shift, beside) if 2 * beside.mean() < changed.mean() else (_STAYED, changed)


def _union(things: Sequence[Blob]) -> Mask:
    return np.asarray(np.any([thing.mask for thing in things], axis=0))
