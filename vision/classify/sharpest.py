"""Chooses the picture from which a piece is classified: the working picture, or the full photo where it is small."""

from __future__ import annotations

from collections.abc import Callable

from vision.detect.boxes import Detection, Shape
from vision.photo import Photo, Pixels

_SMALL: dict[Shape, int] = {"die": 110, "tile": 150}
"""A piece with a longer side below this, in pixels, is read from the full photo if the working picture was shrunk."""


def sharpest(photo: Photo, detection: Detection, full: Callable[[], Pixels]) -> tuple[Pixels, Detection]:
    """The picture with enough pixels for this detection, and the detection in that picture's pixels."""
    if photo.scale == 1 or detection.long_side >= _SMALL[detection.shape]:
        return photo.pixels, detection
    return full(), detection.scaled(photo.scale)
