"""How the produced videos are coded, and the colours that go with it."""

from __future__ import annotations

import os
from fractions import Fraction

import numpy as np
from av.container import OutputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import Colorspace
from av.video.stream import VideoStream
from PIL import Image

_H264 = {"preset": "veryfast", "crf": "20", "bf": "0"}
"""Where frames are decoded ahead of their turn (bf), an MP4 of a variable rate does not say rightly how long it is."""
_VP9 = {
    "deadline": "realtime",
    "cpu-used": "7",
    "row-mt": "1",
    "auto-alt-ref": "0",
    "lag-in-frames": "0",
    "crf": "24",
    "b": "0",
}
"""Alpha in WebM does without frames that are never shown (auto-alt-ref)."""
_HD = 720
"""Rows from which players take colours to be those of BT.709, as they do BT.601 below."""
_TAGS = ("colorspace", "color_range", "color_primaries", "color_trc")


def h264(out: OutputContainer, first: VideoFrame, rate: Fraction, pixel: Fraction | None = None) -> VideoStream:
    """A stream of frames like this one; `pixel` is how many times wider than high one is shown, if that is known."""
    stream = out.add_stream("libx264", rate=rate, options=_H264)
    _like(stream, first, first.time_base)
    if pixel:
        stream.codec_context.sample_aspect_ratio = pixel
    for name in _TAGS:
        setattr(stream.codec_context, name, getattr(first, name))
    return stream


def vp9(out: OutputContainer, first: VideoFrame, rate: Fraction) -> VideoStream:
    """A stream of frames like this one, which may have an alpha channel."""
    stream = out.add_stream("libvpx-vp9", rate=rate, options=_VP9)
    _like(stream, first, first.time_base)
    stream.codec_context.thread_count = os.cpu_count() or 1
    return stream


def _like(stream: VideoStream, first: VideoFrame, time_base: Fraction | None) -> None:
    stream.width, stream.height, stream.pix_fmt = first.width, first.height, first.format.name
    stream.codec_context.time_base = time_base or Fraction(1, 1000)


def coded(picture: Image.Image, form: str, time_base: Fraction) -> VideoFrame:
    """A picture as a frame of a video, in the colours that players expect of its size.

    Args:
        picture: RGB or RGBA.
        form: the pixels' format, as FFmpeg calls it.
        time_base: what its time will be counted in, in seconds.
    """
    frame = VideoFrame.from_ndarray(np.asarray(picture), format="rgba" if picture.mode == "RGBA" else "rgb24")
    space = Colorspace.ITU709 if picture.height >= _HD else Colorspace.ITU601
    made = frame.reformat(format=form, dst_colorspace=space)
    made.time_base = time_base
    return made
