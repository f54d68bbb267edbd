"""Opening a video, and what is said when it cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EIO
from pathlib import Path
from time import monotonic

import av
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from api.film.input.source import SourceError, without_password
from vision.photo import Pixels

_WITHIN = (10.0, 5.0)
"""Seconds to open a stream, and to wait for more of it."""
_STILLS = ("image2", "_pipe")
"""How formats end that hold one picture."""
_CHECK = "Check the address, and that the camera is on."
_FILMS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,m4v,h264,hevc,flv,asf,ogg,gif,mjpeg,mxf,dv,ivf,nut,"
    "image2,apng,webp_anim,bmp_pipe,gif_pipe,jpeg_pipe,png_pipe,tiff_pipe,webp_pipe,svg_pipe"
)
"""Formats that a file may have, as FFmpeg names them: those that hold what they show. A playlist would open other files."""
_QUARTER = 90
"""Degrees."""


@contextmanager
def opened(name: str, path: Path | None, options: Mapping[str, str] | None = None) -> Iterator[InputContainer]:
    """The video in a file, or at the address `name` where there is no path.

    Raises:
        SourceError: it cannot be opened, or holds no video.
    """
    if path and not path.exists():
        message = "There is no such file, folder or camera. Check its name; webcams are named by number, from 0."
        raise SourceError("not-found", message)
    began = monotonic()
    try:
        # Without "file:" in front a name like "concat:a|b" would be more than a name.
        container = av.open(
            f"file:{path}" if path else name, timeout=None if path else _WITHIN, options=_options(path, options)
        )
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise _why_not_file(error) if path else _why_not_stream(name, error, monotonic() - began) from error
    with container:
        if container.format.name.endswith(_STILLS):
            raise SourceError("a-photo", "This is one picture, not a video: `muggins read` reads it.")
        if not container.streams.video:
            raise SourceError("not-a-video", "There is sound here, but no picture. Choose the video itself.")
        try:
            yield container
        except av.error.DecoderNotFoundError as error:
            message = "The pictures of this video are packed in a way that is not known here. Save it as MP4 (H.264)."
            raise SourceError("unknown-codec", message) from error


def _options(path: Path | None, more: Mapping[str, str] | None) -> dict[str, str]:
    alone = {"format_whitelist": _FILMS, "protocol_whitelist": "file"} if path else {}
    return {**alone, **(more or {})}


def _why_not_stream(url: str, error: Exception, waited: float) -> SourceError:
    said, way_out = _told(error, waited)
    return SourceError("no-answer", f"{without_password(url)} sends no video: {said}. {way_out}")


def _told(error: Exception, waited: float) -> tuple[str, str]:
    """What is wrong with an address, and the way out. FFmpeg has no own word for a host that is not found, or is silent."""
    if waited >= _WITHIN[0] or isinstance(error, av.error.ExitError):
        return f"it is silent for {_WITHIN[0]:g} seconds", "Is the camera on, and in the same network?"
    if isinstance(error, av.error.HTTPUnauthorizedError):
        return (
            "it asks who you are",
            "Write it into the address: rtsp://NAME:PASSWORD@HOST/…; neither is shown or kept.",
        )
    if isinstance(error, av.error.InvalidDataError):
        return (
            "what comes from there is none",
            "A page about the camera is not its stream: look for that one's address.",
        )
    if getattr(error, "errno", None) == EIO:
        return "no such host is found, or it has hung up", _CHECK
    return getattr(error, "strerror", None) or str(error), _CHECK


def _why_not_file(error: Exception) -> SourceError:
    if isinstance(error, PermissionError):
        return SourceError("no-permission", "You may not open this file. Change its permissions, or copy it.")
    message = "This file holds no video that can be read. If it plays elsewhere, save it as MP4 (H.264)."
    return SourceError("not-a-video", message)


def video_of(container: InputContainer) -> VideoStream:
    """The container's main video, ready to be decoded on all cores."""
    video = container.streams.best("video")
    assert isinstance(video, VideoStream), "`opened` lets through none without a video"
    video.thread_type = "AUTO"
    return video


# Frames that lie on their side: a phone writes how it was held, and leaves the pixels as its sensor has them.


def quarter_turns(frame: VideoFrame) -> int:
    """How often the frame is to be turned to the left by 90 degrees to stand upright, 0 to 3."""
    return round(frame.rotation / _QUARTER) % 4


def upright(frame: VideoFrame) -> Pixels:
    """The pixels as they are to be seen: H x W x 3, RGB."""
    pixels = np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
    return np.ascontiguousarray(np.rot90(pixels, quarter_turns(frame)))


def upright_size(frame: VideoFrame) -> tuple[int, int]:
    """Width and height as they are to be seen."""
    return (frame.height, frame.width) if quarter_turns(frame) % 2 else (frame.width, frame.height)
