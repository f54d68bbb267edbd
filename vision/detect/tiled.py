"""A second look at a photo from nearer: the same networks, but the locator sees the picture part by part.

Small pieces that lie far apart are the ones that gain by it, for the first look shrinks the whole photo to what its
network takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from models import Manifest
from vision.detect.detector import Find, Locator
from vision.photo import Pixels
from vision.reader import TableReader

_SHARE = 0.6
"""Of each side of the picture, for one window; there are two in each direction, so a fifth of the side is in both."""
_EDGE = 0.01
"""Of the picture's side: what comes nearer to a window's inner edge may go on beyond it."""
_SAME = 0.7
"""Two finds each of which has this share in the other are one piece."""
_MOST_FINDS = 600


class CloserReader(TableReader):
    """Reads photos as `TableReader` does, with a locator that looks from nearer; it takes four times as long or more."""

    def __init__(self, manifest: Manifest | None = None) -> None:
        """Open the networks of `manifest`, by default the installed ones.

        Raises:
            models.ModelError: a network file is missing or damaged.
        """
        super().__init__(manifest)
        self._locator = CloserLocator(self._manifest["locator"])


class CloserLocator(Locator):
    """Finds pieces in four windows of a picture that overlap, and in the whole those too large for one of them."""

    def find(self, picture: Pixels) -> list[Find]:
        """Every place that may hold a piece, best first, in the picture's pixels."""
        windows = Window.all_of(picture)
        whole = [find for find in super().find(picture) if not any(window.holds(find) for window in windows)]
        return _each_once([*whole, *(find for window in windows for find in self._within(window, picture))])

    def _within(self, window: Window, picture: Pixels) -> list[Find]:
        part = picture[window.top : window.bottom, window.left : window.right]
        found = [find.mapped(1, 1, window.left, window.top) for find in super().find(part)]
        return [find for find in found if window.holds(find)]


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a picture, in its pixels, and how large the picture is."""

    left: int
    top: int
    right: int
    bottom: int
    width: int
    height: int

    @classmethod
    def all_of(cls, picture: Pixels) -> tuple[Self, ...]:
        """The windows of a picture (H x W x 3), from the top left to the bottom right."""
        height, width = picture.shape[:2]
        wide, high = round(_SHARE * width), round(_SHARE * height)
        places = [(left, top) for top in (0, height - high) for left in (0, width - wide)]
        return tuple(cls(left, top, left + wide, top + high, width, height) for left, top in places)

    def holds(self, find: Find) -> bool:
        """Whether the whole find lies in it. At an edge that is the picture's own, there is nothing beyond."""
        near_x, near_y = _EDGE * self.width, _EDGE * self.height
        return (
            (self.left == 0 or find.left >= self.left + near_x)
            and (self.top == 0 or find.top >= self.top + near_y)
            and (self.right == self.width or find.right <= self.right - near_x)
            and (self.bottom == self.height or find.bottom <= self.bottom - near_y)
        )


def _each_once(finds: Iterable[Find]) -> list[Find]:
    kept: list[Find] = []
    for find in sorted(finds, key=lambda find: -find.score)[:_MOST_FINDS]:
        if not any(find.inside(other) > _SAME and other.inside(find) > _SAME for other in kept):
            kept.append(find)
    return kept
