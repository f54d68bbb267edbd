"""Encoder settings of the produced videos, and their colour spaces."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from av.container import OutputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import Colorspace
from av.video.stream import VideoStream
from PIL import Image

from vision.threads import cores

_H264 = {"preset": "veryfast", "crf": "20", "bf": "0"}
"""No B-frames (bf): with them, an MP4 with a variable frame rate reports a wrong duration."""
_VP9 = {
    "deadline": "realtime",
    "cpu-used": "7",
    "row-mt": "1",
    "auto-alt-ref": "0",
    "lag-in-frames": "0",
    "crf": "24",
    "b": "0",
}
"""Alpha in WebM does not allow invisible frames (auto-alt-ref)."""
_HD = 720
"""Height from which players assume BT.709; below it they assume BT.601."""
_TAGS = ("colorspace", "color_range", "color_primaries", "color_trc")


def h264(out: OutputContainer, first: VideoFrame, rate: Fraction, pixel: Fraction | None = None) -> VideoStream:
    """An H.264 stream for frames like this one; `pixel` is the pixel aspect ratio, if known."""
    stream = out.add_stream("libx264", rate=rate, options=_H264)
    _like(stream, first, first.time_base)
    if pixel:
        stream.codec_context.sample_aspect_ratio = pixel
    for name in _TAGS:
        setattr(stream.codec_context, name, getattr(first, name))
    return stream


def vp9(out: OutputContainer, first: VideoFrame, rate: Fraction) -> VideoStream:
    """A VP9 stream for frames like this one, with alpha if it has any."""
    stream = out.add_stream("libvpx-vp9", rate=rate, options=_VP9)
    _like(stream, first, first.time_base)
    stream.codec_context.thread_count = cores()
    return stream


def _like(stream: VideoStream, first: VideoFrame, time_base: Fraction | None) -> None:
    stream.width, stream.height, stream.pix_fmt = first.width, first.height, first.format.name
    stream.codec_context.time_base = time_base or Fraction(1, 1000)


def coded(picture: Image.Image, form: str, time_base: Fraction) -> VideoFrame:
    """Convert a picture to a video frame in the colour space players expect for its size.

    Args:
        picture: RGB or RGBA.
        form: FFmpeg name of the pixel format.
        time_base: unit of its timestamps, in seconds.
    """
    frame = VideoFrame.from_ndarray(np.asarray(picture), format="rgba" if picture.mode == "RGBA" else "rgb24")
    space = Colorspace.ITU709 if picture.height >= _HD else Colorspace.ITU601
    made = frame.reformat(format=form, dst_colorspace=space)
    made.time_base = time_base
    return made
