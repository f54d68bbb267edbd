"""How a piece came to where it lies: rolling by itself, or put there by a hand. Told from the small pictures of what went before.

Every picture is compared with the last one, on which all lies still. What differs is what moved: a hand reaches in from the
edge and is much larger than the pieces; a die that rolls is a small thing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from vision.reading import Quad
from vision.watch_motion import Blob, Glimpse, Grey, Mask, blobs, difference, everywhere, moved

Arrival = Literal["unmoved", "free", "hand", "unknown"]
"""It lay there all the time; it came by itself; a hand was on it when it came to lie; nobody saw."""
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of a small picture."""

_SHOWS = 0.12
"""Share of a piece's box that has to differ for the piece not to lie there: on a table of its colour only edges and pips do."""
_SHOWS_RELIT = 0.45
"""The same after the light has changed."""
_RELIT = 0.06
"""By what share the light in the middle pixel has to change for that."""
_AT_REST = 0.25
"""Seconds before a piece came to rest in which a hand that puts it down is seen on it."""
_HANDS = 3.0
"""A thing at the picture's edge that covers more than so many pieces' boxes is a hand,"""
_LARGE = 7.0
"""and one anywhere that covers so many."""
_GHOST = 1.6
"""Where a piece is missing, the difference is as large as the piece, in boxes; with a piece on its way beside it, larger."""


_MOST_COMPARED = 40
"""Of the latest glimpses, and as many of those before: a comparison takes two milliseconds."""


def is_hand(blob: Blob, piece: float) -> bool:
    """Whether a thing is too large for pieces: `piece` is the area of the largest, in pixels of the small picture."""
    return blob.area > (_HANDS if blob.at_edge else _LARGE) * piece


@dataclass(frozen=True)
class Moment:
    """What differed at a time from how it lies in the end."""

    time: float
    mask: Mask
    relit: bool = False
    """Whether the light was another: then pieces that lie still differ a little, too, for they shine."""

    @cached_property
    def things(self) -> list[Blob]:
        """What differed, in pieces that hang together."""
        return blobs(self.mask)

    def shows(self, box: Box) -> bool:
        """Whether the place looks as in the end."""
        left, top, right, bottom = box
        return float(self.mask[top:bottom, left:right].mean()) < (_SHOWS_RELIT if self.relit else _SHOWS)

    def near(self, box: Box) -> list[Blob]:
        """The things on or beside a place."""
        left, top, right, bottom = box
        wide, high = (right - left) // 3 + 1, (bottom - top) // 3 + 1
        reach = slice(max(0, top - high), bottom + high), slice(max(0, left - wide), right + wide)
        return [thing for thing in self.things if thing.mask[reach].any()]

    def held(self, box: Box) -> bool:
        """Whether the thing in a place goes on to the edge, and is larger than a piece there would be."""
        return any(thing.at_edge and thing.area > _GHOST * _area(box) for thing in self.near(box))

    def hand_on(self, box: Box, piece: float) -> bool:
        """Whether a hand is on or beside a place; `piece` is the area of the largest piece."""
        if everywhere(self.mask):
            return False
        return any(is_hand(thing, max(piece, _area(box))) for thing in self.near(box))


class Past:
    """The time since the table was last known, looked back at from a moment at which all lies still."""

    def __init__(self, glimpses: Sequence[Glimpse], final: Grey, scale: float, piece: float = 0.0) -> None:
        """Compare glimpses with the final picture.

        Args:
            glimpses: what was seen since the table was last known, the first of them that table.
            final: the small picture on which all lies still.
            scale: a small picture's pixels per pixel of the frame.
            piece: the area of the largest piece on the table, in pixels of the small picture.
        """
        early = glimpses[:-_MOST_COMPARED]
        step = -(-len(early) // _MOST_COMPARED) or 1
        self._glimpses = [*early[::step], *glimpses[-_MOST_COMPARED:]]
        self._final, self._scale, self._piece = final, scale, piece

    @cached_property
    def _moments(self) -> list[Moment]:
        return [
            Moment(
                each.time, moved(difference(each.picture, self._final, lamp=True)), _relit(each.picture, self._final)
            )
            for each in self._glimpses
            if each.picture.shape == self._final.shape
        ]

    def arrival(self, place: Quad) -> Arrival:
        """How the piece there came there; places are in pixels of the frame."""
        box = self._box(place)
        if not self._moments:
            return "unknown"
        came = next((moment.time for moment in self._moments if moment.shows(box)), None)
        if came is None:
            return "unknown"
        if came == self._moments[0].time:
            return "unmoved"
        before = [moment for moment in self._moments if came - _AT_REST <= moment.time < came]
        handled = sum(moment.hand_on(box, self._piece) for moment in before)
        return "hand" if 2 * handled > len(before) else "free"

    def touched(self, *places: Quad) -> bool:
        """Whether a hand was ever at one of the places."""
        boxes = [self._box(place) for place in places]
        return any(moment.hand_on(box, self._piece) for moment in self._moments for box in boxes)

    def away(self, old: Quad, new: Quad) -> bool:
        """Whether the piece that went from the old place to the new was at neither, nor between them, for a moment."""
        before, after = self._box(old), self._box(new)
        return any(
            moment.shows(before) and not moment.shows(after) and _lone(moment.near(after), _area(after))
            for moment in self._moments
        )

    def _box(self, place: Quad) -> Box:
        return in_small(place, self._scale, self._final.shape)


def in_small(place: Quad, scale: float, shape: tuple[int, ...]) -> Box:
    """A place in a frame as a box in its small picture of this shape, of 2 x 2 pixels at least."""
    height, width = shape[:2]
    xs, ys = [x * scale for x, _ in place], [y * scale for _, y in place]
    left, top = min(max(0, round(min(xs))), width - 2), min(max(0, round(min(ys))), height - 2)
    return left, top, max(left + 2, min(width, round(max(xs)))), max(top + 2, min(height, round(max(ys))))


def _relit(then: Grey, now: Grey) -> bool:
    return bool(abs(float(np.median((now + 1) / (then + 1))) - 1) > _RELIT)


def _lone(things: Sequence[Blob], area: float) -> bool:
    return all(thing.area <= _GHOST * area for thing in things)


def _area(box: Box) -> float:
    left, top, right, bottom = box
    return float((right - left) * (bottom - top))
