"""Opens videos, with clear errors when that fails, and turns frames upright."""

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
from av.video.reformatter import Interpolation
from av.video.stream import VideoStream

from api.film.input.source import SourceError, without_password
from vision.photo import Pixels
from vision.threads import threads
from vision.watch.motion import LONG_SIDE, small_size

_WITHIN = (10.0, 5.0)
"""Timeouts in seconds: to open a stream, and to wait for data."""
_STILLS = ("image2", "_pipe")
"""Suffixes of formats that hold a single picture."""
_CHECK = "Check the URL, and that the camera is on."
_FILMS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,m4v,h264,hevc,flv,asf,ogg,gif,mjpeg,mxf,dv,ivf,nut,"
    "image2,apng,webp_anim,bmp_pipe,gif_pipe,jpeg_pipe,png_pipe,tiff_pipe,webp_pipe,svg_pipe"
)
"""Formats that a file may have, as FFmpeg names them: those that contain their own data. A playlist would open other files."""
_WORTH_IT = 2
"""How many times larger than its small picture a frame must be, for making that picture separately."""
_QUARTER = 90
"""In degrees."""


@contextmanager
def opened(name: str, path: Path | None, options: Mapping[str, str] | None = None) -> Iterator[InputContainer]:
    """Open the video at `path`, or at the URL `name` if there is no path.

    Raises:
        SourceError: it cannot be opened or contains no video.
    """
    if path and not path.exists():
        message = f"{path.name}: No such file, folder or camera. Check the name; webcams are numbered from 0."
        raise SourceError("not-found", message)
    if path and not path.is_file():  # it would be opened more than once
        message = (
            f"{path.name} is a pipe or a device, not a file. Save the video to a file and watch that; name a webcam by "
            "its number: 0 for /dev/video0."
        )
        raise SourceError("not-a-video", message)
    began = monotonic()
    try:
        # Without "file:" FFmpeg would interpret a name like "concat:a|b".
        container = av.open(
            f"file:{path}" if path else name, timeout=None if path else _WITHIN, options=_options(path, options)
        )
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise _why_not_file(error) if path else _why_not_stream(name, error, monotonic() - began) from error
    with container:
        if container.format.name.endswith(_STILLS):
            raise SourceError("a-photo", "This is a single picture, not a video. Use `muggins read`.")
        if not container.streams.video:
            raise SourceError("not-a-video", "This file has sound but no video. Choose a video file.")
        try:
            yield container
        except av.error.DecoderNotFoundError as error:
            message = "This video has a codec that is not supported here. Save it as MP4 (H.264)."
            raise SourceError("unknown-codec", message) from error


def _options(path: Path | None, more: Mapping[str, str] | None) -> dict[str, str]:
    alone = {"format_whitelist": _FILMS, "protocol_whitelist": "file"} if path else {}
    return {**alone, **(more or {})}


def _why_not_stream(url: str, error: Exception, waited: float) -> SourceError:
    said, way_out = _stream_error(error, waited)
    return SourceError("no-answer", f"{without_password(url)} sends no video: {said}. {way_out}")


def _stream_error(error: Exception, waited: float) -> tuple[str, str]:
    """What is wrong with a URL and what to do. FFmpeg has no error of its own for an unknown or silent host."""
    if waited >= _WITHIN[0] or isinstance(error, av.error.ExitError):
        return f"no response within {_WITHIN[0]:g} seconds", "Check that the camera is on and in the same network."
    if isinstance(error, av.error.HTTPUnauthorizedError):
        return (
            "it requires a login",
            "Put it in the URL: rtsp://NAME:PASSWORD@HOST/…; it is neither shown nor stored.",
        )
    if isinstance(error, av.error.InvalidDataError):
        return (
            "the data is not a video",
            "A camera's web page is not its stream; look up the URL of the stream.",
        )
    if getattr(error, "errno", None) == EIO:
        return "the host is unknown or closed the connection", _CHECK
    return getattr(error, "strerror", None) or str(error), _CHECK


def _why_not_file(error: Exception) -> SourceError:
    if isinstance(error, PermissionError):
        return SourceError("no-permission", "No permission to open this file. Change its permissions or copy it.")
    message = (
        "This file contains no readable video. If it plays elsewhere, save it as MP4 (H.264); if it is still being recorded "
        "or copied, wait until it is complete."
    )
    return SourceError("not-a-video", message)


def video_of(container: InputContainer) -> VideoStream:
    """The container's main video stream, decoded with the number of threads in `vision.threads`."""
    video = container.streams.best("video")
    assert isinstance(video, VideoStream), "`opened` only yields containers with video"
    video.thread_type, video.thread_count = "AUTO", threads()
    return video


# Rotation: phones store how they were held as metadata and leave the pixels as the sensor has them.


def quarter_turns(frame: VideoFrame) -> int:
    """Quarter turns to the left that bring the frame upright, 0 to 3."""
    return round(frame.rotation / _QUARTER) % 4


def upright(frame: VideoFrame) -> Pixels:
    """The upright pixels: H x W x 3, RGB."""
    pixels = np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
    return np.ascontiguousarray(np.rot90(pixels, quarter_turns(frame)))


def small(frame: VideoFrame) -> Pixels | None:
    """The upright frame, directly scaled to the small size for motion detection; None if it is hardly larger anyway."""
    width, height = upright_size(frame)
    if max(width, height) < _WORTH_IT * LONG_SIDE:
        return None
    size = small_size(frame.width, frame.height)
    reduced = frame.reformat(*size, format="gbrp", interpolation=Interpolation.AREA)
    return np.rot90(np.asarray(reduced.to_ndarray(), np.uint8), quarter_turns(frame))


def upright_size(frame: VideoFrame) -> tuple[int, int]:
    """Width and height of the upright frame."""
    return (frame.height, frame.width) if quarter_turns(frame) % 2 else (frame.width, frame.height)
