"""Tiled detection: the same network runs on overlapping windows of the photo.

This helps small pieces that lie far apart, for the usual detector shrinks the whole photo to its network's input.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from vision.detect.boxes import Detection, inside, without_duplicates
from vision.detect.detector import MIN_SCORE, Detector
from vision.photo import Pixels

_SHARE = 0.6
"""Side of a window over the picture's; there are two in each direction, so they share a fifth of the side."""
_EDGE = 0.01
"""A detection nearer to a window's inner edge, over the picture's side, may be cut off."""
_SAME = 0.7
"""Two detections are one piece if each has more than this share of its outline in the other."""
_MAX_DETECTIONS = 600


class TiledDetector(Detector):
    """Detects pieces in four overlapping windows of a picture, and in the whole those too large for one window."""

    def detect(
        self,
        picture: Pixels,
        *,
        always_twice: bool = False,
        min_score: float = MIN_SCORE,
        lone: bool = False,  # noqa: ARG002 # as the docstring says
    ) -> list[Detection]:
        """All detections, best first, in the picture's pixels; `always_twice` and `min_score` as in `Detector`.

        `lone` is ignored: it would save passes, and this detector is chosen to make more.
        """
        windows = Window.all_of(picture)
        whole = [
            detection
            for detection in super().detect(picture, always_twice=always_twice, min_score=min_score)
            if not any(window.holds(detection) for window in windows)
        ]
        parts = (
            detection for window in windows for detection in self._within(window, picture, always_twice, min_score)
        )
        return distinct([*whole, *parts])

    def _within(self, window: Window, picture: Pixels, always_twice: bool, min_score: float) -> list[Detection]:
        part = picture[window.top : window.bottom, window.left : window.right]
        found = [
            detection.mapped(1, 1, window.left, window.top)
            for detection in super().detect(part, always_twice=always_twice, min_score=min_score)
        ]
        return [detection for detection in found if window.holds(detection)]


@dataclass(frozen=True, slots=True)
class Window:
    """A window of a picture, in its pixels, and the picture's size."""

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

    def holds(self, detection: Detection) -> bool:
        """Whether the whole detection lies in the window. An edge of the picture itself cuts nothing off."""
        near_x, near_y = _EDGE * self.width, _EDGE * self.height
        return (
            (self.left == 0 or detection.left >= self.left + near_x)
            and (self.top == 0 or detection.top >= self.top + near_y)
            and (self.right == self.width or detection.right <= self.right - near_x)
            and (self.bottom == self.height or detection.bottom <= self.bottom - near_y)
        )


def _same(one: Detection, other: Detection) -> bool:
    return inside(one, other) > _SAME and inside(other, one) > _SAME


def distinct(detections: Iterable[Detection]) -> list[Detection]:
    """The detections without duplicates, best first."""
    ranked = sorted(detections, key=lambda detection: -detection.score)[:_MAX_DETECTIONS]
    return without_duplicates(ranked, _same)
