"""Recorded video, decoded frame by frame and turned upright."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from api.film.input.container import opened, quarter_turns, small, upright, upright_size, video_of
from api.film.input.source import Facts, SourceError, check_size, without_password
from api.film.input.timecode import Span
from vision.watch.events import Frame

_BEGINNING = 1024 * 1024
"""Bytes of a file that are hashed for its mark."""
_NOTHING_COMES = "The server does not support seeking in this file. Download it and watch the copy."
_BROKE_OFF = "The source was interrupted. Run the same command to resume."
_MOST_REORDERED = 16
"""The most frames by which a codec may reorder one."""
_USUAL_RATE = Fraction(30)
"""Frames per second if the video does not say."""


class VideoFile:
    """A video in a file or at a URL. Each pass opens it again."""

    def __init__(self, name: str, path: Path | None, facts: Facts, rate: Fraction, pixel: Fraction | None) -> None:
        """Store what `open` found.

        Args:
            name: path or URL.
            path: of the file; None for a URL.
            facts: about the source.
            rate: average frames per second.
            pixel: aspect ratio of a pixel; None if unknown.
        """
        self._name = name
        self.path = path
        self.facts = facts
        self.rate = rate
        self.pixel = pixel

    @classmethod
    def open(cls, name: str, path: Path | None) -> VideoFile:
        """Open a video.

        Args:
            name: path or URL.
            path: of the file; None for a URL.

        Raises:
            SourceError: it is not a readable video.
        """
        with opened(name, path) as container:
            video = video_of(container)
            first = next(decoded(container, video), None)
            if first is None:
                raise SourceError(
                    "damaged", "No frame of this video can be decoded: it is damaged or empty. Choose another."
                )
            size, pixel = upright_size(first), _pixel(video, first)
            seconds, rate = _seconds(container, video), _rate(video)
        check_size(*size)
        shown = name if path else without_password(name)
        facts = Facts(shown, size, seconds, live=False, mark=_mark(path) if path else shown)
        return cls(name, path, facts, rate, pixel)

    def frames(self, span: Span, every: int = 1, after: int | None = None) -> Iterator[Frame]:
        """Every Nth frame of a part, see `Source.frames`."""
        for number, time, frame in self.part(span):
            if number % every == 0 and (after is None or number > after):
                yield Frame(partial(upright, frame), number, time, small(frame))

    def part(self, span: Span) -> Iterator[tuple[int, float, VideoFrame]]:
        """Number, time in seconds and the coded frame, for a part of the video.

        Raises:
            SourceError: the video can no longer be read.
        """
        with self.opened() as container:
            video = video_of(container)
            first = self._first_number(container, video, span.start)
            for number, frame in enumerate(decoded(container, video), start=first):
                time = seconds_into(video, frame)
                if span.over(time):
                    return
                if span.holds(time):
                    yield number, time, frame

    def moments(self, span: Span) -> list[float]:
        """Timestamps of the frames of a part, in seconds.

        A video is decoded for them if its packets have none, or if timestamps restart, where films were joined.

        Raises:
            SourceError: the video can no longer be read.
        """
        if not self._timed or self._joined:
            return [time for _, time, _ in self.part(span)]
        with self.opened() as container:
            video = video_of(container)
            ticks = sorted(packet.pts for packet in _packets(container, video) if packet.pts is not None)
            times = [float((each - (video.start_time or 0)) * (video.time_base or 0)) for each in ticks]
        return [time for time in times if span.holds(time)]

    def opened(self) -> AbstractContextManager[InputContainer]:
        """Open the video again.

        Raises:
            SourceError: the video can no longer be read.
        """
        return opened(self._name, self.path)

    @cached_property
    def _timed(self) -> bool:
        """Whether packets have timestamps. In raw streams (.h264, .hevc) they have none, so seeking is impossible."""
        with self.opened() as container:
            return any(packet.pts is not None for packet in _packets(container, video_of(container)))

    @cached_property
    def _joined(self) -> bool:
        """Whether timestamps restart, where films were joined: seeking is impossible then. Not checked for URLs: too slow."""
        if not self.path:
            return False
        with self.opened() as container:
            order = [packet.dts for packet in _packets(container, video_of(container)) if packet.dts is not None]
        return any(after <= before for before, after in pairwise(order))

    def _first_number(self, container: InputContainer, video: VideoStream, start: float) -> int:
        """Number of the first frame decoded after seeking to the last key frame before `start`."""
        if start <= 0 or not self._timed or self._joined or not _seek_key_frame(container, video, start):
            return 0
        first = next(decoded(container, video), None)
        _seek_key_frame(container, video, start)
        return self._shown_before(first) if first else 0

    def _shown_before(self, frame: VideoFrame) -> int:
        """Number of frames shown before this one, by counting packets, without decoding."""
        count = 0
        with self.opened() as container:
            for packet in _packets(container, video_of(container)):
                if packet.dts is not None and packet.dts > frame.pts:  # type: ignore[operator] # `decoded` sets every pts
                    break
                count += packet.pts is not None and packet.pts < frame.pts  # type: ignore[operator] # as above
        return count


def decoded(container: InputContainer, video: VideoStream) -> Iterator[VideoFrame]:
    """Every decodable frame, with strictly increasing timestamps (by the rate where missing); damaged frames are skipped."""
    step = max(1, round(1 / (_rate(video) * (video.time_base or 1))))
    anew = max(_MOST_REORDERED * step, round(1 / (video.time_base or 1)))
    last: int | None = None
    later = 0
    for packet in _packets(container, video):
        with suppress(av.error.InvalidDataError):
            for frame in packet.decode():
                assert isinstance(frame, VideoFrame)
                pts = None if frame.pts is None else frame.pts + later
                if last is None:
                    last = pts if pts is not None else video.start_time or 0
                # Where films were joined timestamps restart: the second film continues where the first ended.
                elif pts is not None and pts < last - anew:
                    later += last + step - pts
                    last += step
                # Raw streams have no timestamps, and those of some AVI files are out of order.
                elif pts is None or pts <= last:
                    last += step
                else:
                    last = pts
                frame.pts = last
                yield frame


def seconds_into(video: VideoStream, frame: VideoFrame) -> float:
    """Time of the frame in seconds from the start of the video."""
    assert frame.pts is not None, "`decoded` sets every pts"
    return float((frame.pts - (video.start_time or 0)) * (video.time_base or 0))


def _packets(container: InputContainer, video: VideoStream) -> Iterator[Packet[Any]]:
    """The readable packets; a truncated file simply ends early.

    Raises:
        SourceError: "no-answer": the server stopped sending, or never started.
    """
    message = _NOTHING_COMES
    try:
        with suppress(av.error.InvalidDataError):
            for packet in container.demux(video):
                message = _BROKE_OFF
                yield packet
    except (av.error.FFmpegError, OSError) as error:
        raise SourceError("no-answer", message) from error


def _seek_key_frame(container: InputContainer, video: VideoStream, start: float) -> bool:
    """Seek to the last key frame before a time; False if seeking is impossible."""
    try:
        ticks = (video.start_time or 0) + int(start / (video.time_base or 1))
        container.seek(ticks, stream=video, backward=True)
    except (av.error.FFmpegError, OSError):
        return False
    return True


def _rate(video: VideoStream) -> Fraction:
    return video.average_rate or video.guessed_rate or _USUAL_RATE


def _pixel(video: VideoStream, first: VideoFrame) -> Fraction | None:
    shape = video.sample_aspect_ratio
    return 1 / shape if shape and quarter_turns(first) % 2 else shape or None


def _seconds(container: InputContainer, video: VideoStream) -> float | None:
    """Length in seconds; None if the container does not say."""
    if video.duration and video.time_base:
        return float(video.duration * video.time_base)
    if not container.duration:
        return None
    # Matroska counts from 0, however late its first frame is.
    before = (container.start_time or 0) if "matroska" in container.format.name else 0
    return (container.duration - before) / av.time_base


def _mark(path: Path) -> str:
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    return hashlib.sha256(b"%d " % path.stat().st_size + beginning).hexdigest()
