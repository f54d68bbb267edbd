"""Produces videos from events: the annotated source, and a transparent overlay for it.

Both show `scenes`. No network runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from PIL import Image

from api.film.input.container import quarter_turns
from api.film.input.folder import Folder
from api.film.input.source import SourceError
from api.film.input.timecode import Span
from api.film.input.video import VideoFile
from api.film.output.codec import coded, h264, vp9
from api.film.output.layer import Layer, turned
from api.film.output.scenes import Scene, Showing
from api.film.output.sound import Sound, loses_sound

Recorded = VideoFile | Folder
"""Sources that can be turned into videos."""

_MILLISECOND = Fraction(1, 1000)
_AGAIN = 1.0
"""Seconds between repeats of an unchanged overlay frame, for editors that seek to nearby frames."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A named part of a video, in seconds."""

    start: float
    end: float
    title: str


def annotated(
    source: Recorded, span: Span, scenes: Sequence[Scene], target: Path, chapters: Sequence[Chapter] = ()
) -> Iterator[float]:
    """Write part of the source with its scenes drawn on it: H.264 in MP4, upright, with sound and original timing.

    Args:
        source: of the frames.
        span: the part to write.
        scenes: in seconds of the source.
        target: the output file, overwritten.
        chapters: stored in the file.

    Yields:
        The position in the source, in seconds.

    Raises:
        SourceError: the source can no longer be read.
        OSError: the file cannot be written.
    """
    frames = _frames(source, span)
    begins, first = next(frames, (0.0, None))
    if first is None:
        raise _nothing_there()
    with (
        av.open(f"file:{target}", "w", format="mp4", options={"movflags": "+faststart"}) as out,
        _heard(source) as heard,
    ):
        out.set_chapters([_chapter(number, chapter) for number, chapter in enumerate(chapters)])
        stream, drawing, start = h264(out, first, source.rate, source.pixel), _Drawing(scenes), _ticks(first)
        lasts: dict[int, int] = {}
        sound = Sound(heard, out, start * _base(first), None if span.to is None else span.to - begins)
        for time, frame in chain([(begins, first)], frames):
            drawing.draw_on(frame, time)
            frame.pts = _ticks(frame) - start
            lasts[frame.pts] = frame.duration
            out.mux(_timed(stream.encode(frame), lasts))
            sound.until(float(frame.pts * _base(frame)))
            yield time
        out.mux(_timed(stream.encode(None), lasts))
        sound.finish()


def is_muted(source: Recorded) -> bool:
    """Whether the sound of the source is lost in `annotated`: its codec is unknown here."""
    with _heard(source) as heard:
        return heard is not None and loses_sound(heard)


def overlay(source: Recorded, span: Span, scenes: Sequence[Scene], target: Path) -> Iterator[float]:
    """Write only the scenes: VP9 with alpha in WebM, with the size and length of that part of the source.

    A frame lasts until the scene changes, at most a second; changes are exact to the frame. Pixels of the overlay are square:
    where those of the source are not, the overlay is as wide as the source is displayed.

    Arguments, exceptions and yielded values are those of `annotated`.
    """
    moments = source.moments(span)
    if not moments:
        raise _nothing_there()
    showing, shown, told, end = Showing(scenes), None, 0.0, end_of(source, span, moments[-1])
    frame, stream, usual = VideoFrame(), None, float(1 / source.rate)
    lasts: dict[int, int] = {}
    with av.open(f"file:{target}", "w", format="webm") as out:
        for time in moments:
            scene = showing.at(time)
            if scene is shown and time - told < _AGAIN and time != moments[-1]:
                continue
            if scene is not shown:
                frame = coded(_as_shown(scene.picture(source.facts.size), source.pixel), "yuva420p", _MILLISECOND)
            frame.pts = round((time - moments[0]) / _MILLISECOND)
            left = end - time
            lasts[frame.pts] = round((left if time == moments[-1] else min(left, usual)) / _MILLISECOND)
            stream = stream or vp9(out, frame, source.rate)
            out.mux(_timed(stream.encode(frame), lasts))
            shown, told = scene, time
            yield time
        if stream:
            out.mux(_timed(stream.encode(None), lasts))


def _as_shown(picture: Image.Image, pixel: Fraction | None) -> Image.Image:
    """The picture with square pixels."""
    if not pixel or pixel == 1:
        return picture
    return picture.resize((max(1, round(picture.width * pixel)), picture.height), Image.Resampling.BICUBIC)


def end_of(source: Recorded, span: Span, last: float) -> float:
    """End time of the last frame of a part, in seconds of the source."""
    known = min((each for each in (span.to, source.facts.seconds) if each is not None), default=last)
    return known if known > last else last + float(1 / source.rate)


def _timed(packets: list[Packet[VideoStream]], lasts: dict[int, int]) -> list[Packet[VideoStream]]:
    """Set packet durations: with a variable frame rate the last would otherwise be guessed."""
    for packet in packets:
        assert packet.pts is not None, "`part` yields frames with timestamps"
        packet.duration = lasts.pop(packet.pts) or packet.duration
    return packets


def _nothing_there() -> SourceError:
    return SourceError(
        "not-a-video", "There are no frames between --from and --to: they are past the end. Choose others."
    )


def _chapter(number: int, chapter: Chapter) -> Any:
    start, end = (round(each / _MILLISECOND) for each in (chapter.start, chapter.end))
    return {"id": number, "start": start, "end": end, "time_base": _MILLISECOND, "metadata": {"title": chapter.title}}


def _frames(source: Recorded, span: Span) -> Iterator[tuple[float, VideoFrame]]:
    """Time in seconds, and an upright yuv420p copy of the frame with its original timestamp."""
    if isinstance(source, VideoFile):
        for _, time, frame in source.part(span):
            yield time, turned(frame, quarter_turns(frame))
        return
    for picture in source.frames(span):
        frame = coded(Image.fromarray(picture.pixels), "yuv420p", 1 / source.rate)
        frame.pts, frame.duration = picture.number, 1
        yield picture.time, turned(frame, 0)


def _heard(source: Recorded) -> AbstractContextManager[InputContainer | None]:
    return source.opened() if isinstance(source, VideoFile) else nullcontext()


def _ticks(frame: VideoFrame) -> int:
    assert frame.pts is not None, "`part` yields frames with timestamps"
    return frame.pts


def _base(frame: VideoFrame) -> Fraction:
    assert frame.time_base is not None, "`part` yields frames with timestamps"
    return frame.time_base


class _Drawing:
    """Draws scenes onto frames in order; each scene is rendered once."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self._showing = Showing(scenes)
        self._drawn: Scene | None = None
        self._layer: Layer | None = None

    def draw_on(self, frame: VideoFrame, time: float) -> None:
        """Draw the scene of this moment onto the frame."""
        scene = self._showing.at(time)
        if self._layer is None or scene is not self._drawn:
            self._drawn, self._layer = scene, Layer(scene.picture((frame.width, frame.height)), frame)
        self._layer.lay_over(frame)
