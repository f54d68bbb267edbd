"""How a piece arrived at its place: rolling by itself, or put there by a hand. Inferred from the thumbnails of the time before.

Every thumbnail is compared with the last one, in which everything lies still. What differs has moved: a hand reaches in from the
edge and is much larger than the pieces; a rolling die is a small blob by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal

import cv2
import numpy as np

from vision.reading import Quad
from vision.watch.motion import Blob, Grey, Mask, Thumbnail, blobs, changed_mask, is_global_change

Arrival = Literal["unmoved", "rolled", "hand", "unknown"]
"""It has been in place all the time; it arrived by itself; a hand was on it when it came to rest; nobody saw it arrive."""
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of a thumbnail."""

_SHOWS = 0.12
"""Share of a piece's box that must differ if the piece is absent: on a table of its colour only edges and pips do."""
_SHOWS_RELIT = 0.45
"""The same after the light has changed."""
_RELIT = 0.06
"""The relative change of the median pixel from which the light has changed."""
_ALIKE = 0.9
"""Correlation above which two pictures of a place show the same piece; for two pieces, or a piece and a table, it is less."""
_PLAIN = 6.0
"""Least standard deviation of a place, in grey levels, for the correlation to mean anything."""
_CREPT = 2
"""Tolerance for camera shake, in pixels of a thumbnail."""
_HANDS = 3.0
"""A blob at the picture's edge that covers more than so many pieces is a hand."""
_LARGE = 7.0
"""A blob anywhere that covers more than so many pieces is a hand."""
_TIP = 2.2
"""A blob that reaches a place from the picture's edge and covers more than so many times its area is a hand, too, or its tip: a
missing piece differs only by its own area."""
_PUT_DOWN = 0.2
"""Least time in seconds in which a hand puts a piece down and lets go of it."""
_SAME_THROW = 0.6
"""Seconds within which the dice of one throw come to rest, those below the hand first."""
_BARE = 0.25
"""Least time in seconds for which a place must differ from both before and after if a piece was taken from it and the next has
not arrived yet; a piece that passes by takes less."""
_BRIEF = 0.1
"""The same for a piece that shows another face afterwards: then less evidence of a throw is needed."""
_CALM = 0.15
"""Largest share of the picture that may differ if a place is to be bare: a hand over all of it is seen only in parts."""


_MOST_COMPARED = 40
"""How many of the latest thumbnails are compared, and how many of those before: a comparison takes two milliseconds."""


def is_hand(blob: Blob, piece: float) -> bool:
    """Whether a blob is too large for pieces: `piece` is the area of the largest, in pixels of the thumbnail."""
    return blob.area > (_HANDS if blob.at_edge else _LARGE) * piece


@dataclass(frozen=True)
class MotionMoment:
    """How one moment differs from another, usually from the last one, in which everything lies still."""

    thumbnail: Thumbnail
    table: Thumbnail
    """The table at the other moment."""
    mask: Mask
    """Where both differ."""
    relit: bool = False
    """Whether the light differs: then still pieces differ a little, too, by their highlights."""

    @property
    def time(self) -> float:
        """Seconds from the source's start."""
        return self.thumbnail.time

    @cached_property
    def calm(self) -> bool:
        """Whether so little differs that no hand can be hidden in it."""
        return bool(self.mask.mean() < _CALM)

    @cached_property
    def things(self) -> list[Blob]:
        """The connected blobs that differ."""
        return blobs(self.mask)

    def looks_same(self, box: Box) -> bool:
        """Whether a place looks as at the other moment."""
        left, top, right, bottom = box
        differs = float(self.mask[top:bottom, left:right].mean())
        return differs < (_SHOWS_RELIT if self.relit else _SHOWS) or self.correlates(box)

    def correlates(self, box: Box) -> bool:
        """Whether a place has structure, and correlates by itself: robust against a hand over half the picture."""
        left, top, right, bottom = box
        there = self.table.picture[top:bottom, left:right]
        if there.std() < _PLAIN:
            return False
        here = self.thumbnail.picture[max(0, top - _CREPT) : bottom + _CREPT, max(0, left - _CREPT) : right + _CREPT]
        return bool(cv2.matchTemplate(here, there, cv2.TM_CCOEFF_NORMED).max() > _ALIKE)

    def near(self, box: Box) -> list[Blob]:
        """The blobs on or beside a place."""
        left, top, right, bottom = box
        wide, high = (right - left) // 3 + 1, (bottom - top) // 3 + 1
        reach = slice(max(0, top - high), bottom + high), slice(max(0, left - wide), right + wide)
        return [thing for thing in self.things if thing.mask[reach].any()]

    def reached(self, box: Box) -> bool:
        """Whether a blob that comes in from the edge, and is larger than a piece in this place would be, is on or beside it."""
        return not is_global_change(self.mask) and any(
            thing.at_edge and thing.area > _TIP * _area(box) for thing in self.near(box)
        )

    def hand_on(self, box: Box, piece: float) -> bool:
        """Whether a hand is on or beside a place; `piece` is the area of the largest piece."""
        return self.reached(box) or any(is_hand(thing, max(piece, _area(box))) for thing in self.near(box))


class MotionHistory:
    """The motion since the table was last known, as seen from a moment at which everything lies still."""

    def __init__(
        self,
        thumbnails: Sequence[Thumbnail],
        final: Thumbnail,
        scale: float,
        piece: float = 0.0,
        hidden: Mask | None = None,
    ) -> None:
        """Compare thumbnails with the final picture.

        Args:
            thumbnails: those since the table was last known, the first of them showing that table.
            final: the thumbnail in which everything lies still.
            scale: a thumbnail's pixels per pixel of the frame.
            piece: the area of the largest piece on the table, in pixels of the thumbnail.
            hidden: the mask of a hand that hid part of the table at the start.
        """
        early = thumbnails[:-_MOST_COMPARED]
        step = -(-len(early) // _MOST_COMPARED) or 1
        self._thumbnails = [*early[::step], *thumbnails[-_MOST_COMPARED:]]
        self._final, self._scale, self._piece, self._hidden = final, scale, piece, hidden
        self._arrivals: dict[Box, Arrival] = {}

    @cached_property
    def _moments(self) -> list[MotionMoment]:
        shape = self._final.picture.shape
        moments = [_moment(each, self._final) for each in self._thumbnails if each.picture.shape == shape]
        # A hand in front of the whole picture, or a camera that is carried: such a moment says nothing.
        return [moment for moment in moments if not is_global_change(moment.mask)]

    @cached_property
    def _begun(self) -> list[MotionMoment]:
        """The same moments, compared with the first of them."""
        return [_moment(moment.thumbnail, self._moments[0].thumbnail) for moment in self._moments]

    def arrival(self, place: Quad) -> Arrival:
        """How the piece in a place arrived; places are in pixels of the frame."""
        if not self._moments:
            return "unknown"
        box = self._box(place)
        if box not in self._arrivals:
            self._arrivals[box] = self._arrived(box)
        return self._arrivals[box]

    def _arrived(self, box: Box) -> Arrival:
        if self._was_hidden(box) or self._lay_there(box):
            return "unmoved"
        landing = self._landing(box)
        if landing is None:
            return "unknown"
        handled = landing[1] - landing[0] > _PUT_DOWN and self._handled(box, *landing)
        return "hand" if handled and not self._rolled_on(box, *landing) else "rolled"

    def as_first(self, place: Quad) -> bool:
        """Whether a place looks the same at the start and at the end, whatever happened in between."""
        return bool(self._moments) and self._moments[0].looks_same(self._box(place))

    def still(self, place: Quad) -> bool:
        """Whether a place has structure that has been unchanged all the time."""
        box = self._box(place)
        return bool(self._moments) and self._moments[0].correlates(box) and not self._gone(box, box)

    def landed_with(self, place: Quad, others: Sequence[Quad]) -> bool:
        """Whether a piece may have come to rest together with one of the others: then a hand over it is the throwing one."""
        if not self._moments:
            return False
        landing = self._landing(self._box(place))
        fallen = (self._landing(self._box(other)) for other in others)
        return landing is not None and any(
            fall is not None and landing[0] <= fall[1] <= landing[1] + _SAME_THROW for fall in fallen
        )

    def touched(self, *places: Quad) -> bool:
        """Whether a hand was ever at one of the places."""
        boxes = [self._box(place) for place in places]
        return any(moment.hand_on(box, self._piece) for moment in self._moments for box in boxes)

    def away(self, old: Quad, new: Quad) -> bool:
        """Whether a hand took the piece from the old place, and for a while it was in neither the old nor the new one."""
        return bool(self._moments) and self._gone(self._box(old), self._box(new))

    def off_table(self, old: Quad, new: Quad) -> bool:
        """Whether there was a time, however short, when the piece had left the old place and was not yet in the new one.

        For two separate places: a moment that shows the old one as bare as at the end, and the new one as bare as at the start,
        unless a hand hides either. For overlapping places: bare after a hand has been on it.
        """
        before, after = self._box(old), self._box(new)
        if not self._moments or self._was_hidden(before) or self._was_hidden(after):
            return False
        if _meet(before, after):
            return self._gone(before, after, _BRIEF)
        return any(
            now.looks_same(before)
            and not then.looks_same(before)
            and then.looks_same(after)
            and not now.looks_same(after)
            for now, then in zip(self._moments, self._begun, strict=True)
            if not (now.relit or then.relit)
        )

    def _was_hidden(self, box: Box) -> bool:
        left, top, right, bottom = box
        hidden = self._hidden
        return (
            hidden is not None
            and hidden.shape == self._final.picture.shape
            and bool(hidden[top:bottom, left:right].any())
        )

    def _lay_there(self, box: Box) -> bool:
        """Whether a place looks the same at the start and at the end, and no piece of the same look has arrived in between."""
        first, last = self._moments[0], self._begun[-1]
        if not first.looks_same(box):
            # Switching a lamp reveals dice that were lost in its glare.
            unlike = (
                (now, then) for now, then in zip(self._moments, self._begun, strict=True) if not now.looks_same(box)
            )
            return all(now.relit and then.looks_same(box) for now, then in unlike)
        came_unseen = not last.looks_same(box) and any(self._bare(box))
        return not came_unseen and not self._gone(box, box)

    def _gone(self, old: Box, new: Box, least: float = _BARE) -> bool:
        taken, since = False, None
        for now, then in zip(self._moments, self._begun, strict=True):
            if now.hand_on(old, self._piece):
                taken, since = True, None
            elif now.looks_same(new) or then.looks_same(old) or now.hand_on(new, self._piece) or not now.calm:
                since = None
            elif taken and since is not None and now.time - since >= least:
                return True
            else:
                since = now.time if since is None else since
        return False

    def _landing(self, box: Box) -> tuple[float, float] | None:
        """When the place was last seen empty, and when the piece was first seen in it after that; None if it was never empty."""
        empty = max((i for i, is_empty in enumerate(self._empty(box)) if is_empty), default=None)
        if empty is None:
            return None
        came = next((moment.time for moment in self._moments[empty:] if moment.looks_same(box)), self._moments[-1].time)
        return self._moments[empty].time, came

    def _empty(self, box: Box) -> list[bool]:
        """For each moment, whether the place looked as at the start and not as at the end, or was bare."""
        tells = not self._begun[-1].looks_same(box)
        before = zip(self._moments, self._begun, strict=True)
        as_before = [tells and then.looks_same(box) and not now.looks_same(box) for now, then in before]
        return [any(each) for each in zip(as_before, self._bare(box), strict=True)]

    def _bare(self, box: Box) -> list[bool]:
        """For each moment, whether it is part of a period in which the place is bare, with no hand on it."""
        odd = [now.calm and not (now.looks_same(box) or now.hand_on(box, self._piece)) for now in self._moments]
        runs = [list(run) for _, run in groupby(range(len(odd)), key=odd.__getitem__)]
        long = [odd[run[0]] and self._moments[run[-1]].time - self._moments[run[0]].time >= _BARE for run in runs]
        return [is_long for is_long, run in zip(long, runs, strict=True) for _ in run]

    def _handled(self, box: Box, first: float, last: float) -> bool:
        """Whether a hand was on a place, or leaving it: then every moment shows something from the edge on or beside it."""
        between = self._between(first, last)
        if any(moment.hand_on(box, self._piece) for moment in between):
            return True
        begun = next(moment for moment in self._moments if moment.time == first)
        return bool(between) and begun.hand_on(box, self._piece) and all(_from_edge(each, box) for each in between)

    def _rolled_on(self, box: Box, first: float, last: float) -> bool:
        """Whether the piece came to rest after the hand had gone: what a hand puts down lies still before it lets go."""
        between = self._between(first, last)
        hands = [moment.hand_on(box, self._piece) for moment in between]
        without = between[len(hands) - hands[::-1].index(True) if True in hands else 0 :]
        return not all(_from_edge(moment, box) for moment in without)

    def _between(self, first: float, last: float) -> list[MotionMoment]:
        return [moment for moment in self._moments if first < moment.time < last]

    def _box(self, place: Quad) -> Box:
        return thumbnail_box(place, self._scale, self._final.picture.shape)


def _from_edge(moment: MotionMoment, box: Box) -> bool:
    """Whether a blob that comes in from the picture's edge is on or beside a place."""
    return any(thing.at_edge for thing in moment.near(box))


def thumbnail_box(place: Quad, scale: float, shape: tuple[int, ...]) -> Box:
    """A place in a frame as a box of at least 2 x 2 pixels in its thumbnail of this shape."""
    height, width = shape[:2]
    xs, ys = [x * scale for x, _ in place], [y * scale for _, y in place]
    left, top = min(max(0, round(min(xs))), width - 2), min(max(0, round(min(ys))), height - 2)
    return left, top, max(left + 2, min(width, round(max(xs)))), max(top + 2, min(height, round(max(ys))))


def _moment(thumbnail: Thumbnail, table: Thumbnail) -> MotionMoment:
    return MotionMoment(thumbnail, table, changed_mask(thumbnail, table), _relit(thumbnail.picture, table.picture))


def _relit(then: Grey, now: Grey) -> bool:
    return bool(abs(float(np.median((now + 1) / (then + 1))) - 1) > _RELIT)


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes have pixels in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _area(box: Box) -> float:
    left, top, right, bottom = box
    return float((right - left) * (bottom - top))
