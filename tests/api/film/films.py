"""Tiny videos made here, and what a watcher would find in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from tests.api.table import d6, reading
from vision.watch.events import Change, Frame, Piece, Roll

SIZE = (160, 120)
RATE = 10
Bytes = NDArray[np.uint8]


def grey(number: int, size: tuple[int, int] = SIZE) -> Bytes:
    """A frame whose grey tells its number, up to 25."""
    return np.full((size[1], size[0], 3), 10 * number, np.uint8)


def number_of(pixels: Bytes) -> int:
    """Of the frame that `grey` has made, whatever a codec did to it; told by its left upper corner."""
    return round(float(pixels[:20, :20].mean()) / 10)


def film(
    path: Path,
    pictures: Sequence[Bytes],
    *,
    ticks: Sequence[int] | None = None,
    sound: str | None = None,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    shape: Fraction | None = None,
    hertz: int = 48000,
) -> Path:
    """A video of these pictures, `RATE` a second, or at these hundredths of a second."""
    height, width, _ = pictures[0].shape
    with av.open(path, "w") as out:
        video = out.add_stream(codec, rate=RATE)
        video.width, video.height, video.pix_fmt = width, height, pixels
        video.gop_size = 5
        if shape:
            video.codec_context.sample_aspect_ratio = shape
        video.codec_context.time_base = Fraction(1, 100)
        track = out.add_stream(sound, rate=hertz, layout="mono") if sound else None
        for number, picture in enumerate(pictures):
            frame = VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = ticks[number] if ticks else number * 100 // RATE, Fraction(1, 100)
            out.mux(video.encode(frame))
        out.mux(video.encode(None))
        if track:
            _hum(out, track, len(pictures) / RATE, hertz)
    return path


def _hum(out: av.container.OutputContainer, track: av.audio.stream.AudioStream, seconds: float, hertz: int) -> None:
    times = np.arange(int(hertz * seconds)) / hertz
    wave = (9000 * np.sin(2 * np.pi * 440 * times)).astype(np.int16)[None]
    resampler = av.audio.resampler.AudioResampler(track.codec_context.format, "mono", hertz, track.frame_size or 1024)
    whole = av.audio.frame.AudioFrame.from_ndarray(wave, format="s16", layout="mono")
    whole.sample_rate, whole.pts = hertz, 0
    for piece in (*resampler.resample(whole), *resampler.resample(None)):
        out.mux(track.encode(piece))
    out.mux(track.encode(None))


def roll(number: int, frame: int, values: Sequence[int], still: Sequence[int] = ()) -> Roll:
    """A roll that came to rest with this frame and was counted with the next."""
    dice = [d6(value) for value in (*values, *still)]
    pieces = tuple(Piece(place, die, place < len(values)) for place, die in enumerate(dice))
    return Roll(number, frame, frame / RATE, frame + 1, (frame + 1) / RATE, reading(*dice), pieces)


class Scripted:
    """A watcher that has been told what it will find: by the number of the frame with which it tells it."""

    def __init__(self, script: Mapping[int, Sequence[Change | Roll]], known: Sequence[Roll] = ()) -> None:
        self.seen = self.read = 0
        self.known = list(known)
        self.numbers: list[int] = []
        self._script = script

    def prepared(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        return iter(frames)

    def see(self, frame: Frame) -> tuple[Change | Roll, ...]:
        self.seen += 1
        self.numbers.append(frame.number)
        return tuple(self._script.get(frame.number, ()))

    def finish(self) -> tuple[Change | Roll, ...]:
        return ()


def tracks(path: Path) -> dict[str, str]:
    """The codecs of a file by kind."""
    with av.open(path) as container:
        return {
            stream.type: stream.codec_context.name for stream in container.streams if stream.type in ("video", "audio")
        }


def shown_at(path: Path) -> list[float]:
    """When the frames of a video are shown, in seconds."""
    with av.open(path) as container:
        return [float(frame.pts * frame.time_base) for frame in _frames(container)]


def frames_of(path: Path) -> list[Bytes]:
    with av.open(path) as container:
        return [np.asarray(frame.to_ndarray(format="rgb24"), np.uint8) for frame in _frames(container)]


def _frames(container: av.container.InputContainer) -> Iterator[VideoFrame]:
    yield from container.decode(video=0)


def with_alpha(path: Path) -> list[Bytes]:
    """The frames of a WebM with their alpha, H x W x 4; FFmpeg's own decoder of VP9 knows none."""
    with av.open(path) as container:
        decoder = av.CodecContext.create("libvpx-vp9", "r")
        packets = container.demux(container.streams.video[0])
        return [
            np.asarray(frame.to_ndarray(format="rgba"), np.uint8)
            for packet in packets
            for frame in decoder.decode(packet)
        ]
