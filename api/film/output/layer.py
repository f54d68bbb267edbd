"""Blends a transparent picture onto video frames in their own colour space, only where it covers something.

Converting frames to RGB and back would cost more than the blending and change pixels that are not covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from av.video.frame import VideoFrame
from av.video.plane import VideoPlane
from numpy.typing import NDArray
from PIL import Image

Bytes = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]

_BT709, _BT2020 = 1, (9, 10)
"""Colour space numbers of ISO/IEC 23091-2. If unspecified, frames of this height or more are BT.709."""
_UNSAID, _HD = 2, 720
_FULL_RANGE = 2
"""FFmpeg's number for full range: luma 0 to 255 instead of 16 to 235."""


@dataclass(frozen=True, slots=True)
class _Plane:
    """The blend for one plane: its position, the weight of the frame in 256ths, and the values to add."""

    top: int
    left: int
    kept: NDArray[np.uint16]
    added: NDArray[np.uint16]

    def lay_over(self, plane: Bytes) -> None:
        """Blend, in place."""
        height, width = self.kept.shape
        under = plane[self.top : self.top + height, self.left : self.left + width]
        under[...] = (under * self.kept + self.added) >> 8


class Layer:
    """A transparent picture prepared for blending onto frames of one format."""

    def __init__(self, picture: Image.Image, frame: VideoFrame) -> None:
        """Prepare the picture.

        Args:
            picture: RGBA, of the size of the frame.
            frame: any of the frames, in yuv420p.
        """
        self._planes: list[_Plane] = []
        if box := picture.getchannel("A").getbbox():
            self._planes = _planes(picture, box, frame)

    def lay_over(self, frame: VideoFrame) -> None:
        """Blend onto a frame in yuv420p, in place."""
        for plane, over in zip(frame.planes, self._planes, strict=False):
            over.lay_over(_pixels(plane))


def _planes(picture: Image.Image, box: tuple[int, int, int, int], frame: VideoFrame) -> list[_Plane]:
    left, top = box[0] // 2 * 2, box[1] // 2 * 2
    # Chroma has half the rows and columns, so the covered area is aligned to even pixels.
    part = picture.crop((left, top, left + (box[2] - left + 1) // 2 * 2, top + (box[3] - top + 1) // 2 * 2))
    rgba = np.asarray(part).astype(np.float32)
    alpha = rgba[..., 3] / np.float32(255)
    luma, blue, red = np.moveaxis(rgba[..., :3] @ _matrix(frame).T, -1, 0)
    offset, scale, chroma = (0.0, 1.0, 1.0) if frame.color_range == _FULL_RANGE else (16.0, 219 / 255, 224 / 255)
    halved = _halved(alpha)
    return [
        _plane(top, left, luma * scale + offset, alpha),
        *(
            # Chroma is averaged by coverage, so that transparent pixels do not tint the edges.
            _plane(top // 2, left // 2, _halved(each * alpha) / np.maximum(halved, 1e-6) * chroma + 128, halved)
            for each in (blue, red)
        ),
    ]


def _plane(top: int, left: int, values: Floats, alpha: Floats) -> _Plane:
    kept = np.round(256 * (1 - alpha)).astype(np.uint16)
    added = np.round(values * (256 - kept)).astype(np.uint16)
    return _Plane(top, left, kept, added)


def _halved(plane: Floats) -> Floats:
    height, width = plane.shape
    halved: Floats = plane.reshape(height // 2, 2, width // 2, 2).mean(axis=(1, 3))
    return halved


def _matrix(frame: VideoFrame) -> Floats:
    """Matrix from RGB to luma and two colour differences, each with a range of 255."""
    red, blue = _weights(frame)
    luma = np.array([red, 1 - red - blue, blue])
    to_blue = (np.array([0, 0, 1]) - luma) / (2 * (1 - blue))
    to_red = (np.array([1, 0, 0]) - luma) / (2 * (1 - red))
    return np.stack([luma, to_blue, to_red]).astype(np.float32)


def _weights(frame: VideoFrame) -> tuple[float, float]:
    """Weights of red and blue in luma."""
    if frame.colorspace in _BT2020:
        return 0.2627, 0.0593
    unsaid = frame.colorspace == _UNSAID
    is_709 = frame.height >= _HD if unsaid else frame.colorspace == _BT709
    return (0.2126, 0.0722) if is_709 else (0.299, 0.114)


def _pixels(plane: VideoPlane) -> Bytes:
    """A view of the plane's memory."""
    rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
    pixels: Bytes = rows[:, : plane.width]
    return pixels


def turned(frame: VideoFrame, turns: int) -> VideoFrame:
    """A new upright frame in yuv420p with even height and width (an odd edge is repeated), safe to draw on.

    Args:
        frame: as decoded.
        turns: quarter turns to the left.
    """
    coded = frame if frame.format.name == "yuv420p" else frame.reformat(format="yuv420p")
    height, width = (coded.width, coded.height) if turns % 2 else (coded.height, coded.width)
    made = VideoFrame(width + width % 2, height + height % 2, "yuv420p")
    for old, new in zip(coded.planes, made.planes, strict=True):
        _fill(_pixels(new), np.rot90(_pixels(old), turns))
    for name in ("pts", "time_base", "duration", "colorspace", "color_range", "color_primaries", "color_trc"):
        setattr(made, name, getattr(coded, name))
    return made


def _fill(new: Bytes, old: Bytes) -> None:
    height, width = old.shape
    new[:height, :width] = old
    new[height:, :width] = new[height - 1 : height, :width]
    new[:, width:] = new[:, width - 1 : width]
