"""Writes frames to an H.264 file, as webcams do, with optional sound."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

RATE = 32_000
"""Sound samples per second."""


class Video:
    """An MP4 file that is renamed when complete; use it in a `with`."""

    def __init__(self, path: Path, fps: int, size: tuple[int, int], crf: int, *, sound: bool = False) -> None:
        """`size`: width and height, even; `crf`: x264's quality, lower is better."""
        self._path, self._part = path, path.with_name(f"{path.name}.{os.getpid()}.part")
        self._file = av.open(str(self._part), "w", format="mp4")
        options = {"crf": str(crf), "preset": "medium" if sound else "veryfast"}
        stream: Any = self._file.add_stream("libx264", rate=fps, options=options)
        stream.width, stream.height = size
        stream.pix_fmt, self._beat = "yuv420p", Fraction(1, fps)
        stream.codec_context.thread_count = 1
        self._stream = stream
        self._voice: Any = self._file.add_stream("aac", rate=RATE, layout="mono", bit_rate=32_000) if sound else None
        self.frames = 0

    def add(self, pixels: NDArray[np.uint8]) -> None:
        """Add a frame: height x width x 3, RGB."""
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
        frame.pts, frame.time_base = self.frames, self._beat
        self._file.mux(self._stream.encode(frame))
        self.frames += 1

    def hear(self, samples: NDArray[np.float32]) -> None:
        """Add the whole sound, -1 to 1, at `RATE` samples per second, after the last frame."""
        for start in range(0, len(samples), 1024):
            frame = av.AudioFrame.from_ndarray(samples[None, start : start + 1024], format="fltp", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
            self._file.mux(self._voice.encode(frame))
        self._file.mux(self._voice.encode(None))

    def __enter__(self) -> Video:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self._file.mux(self._stream.encode(None))
        self._file.close()
        if kind is None:
            self._part.replace(self._path)
        else:
            self._part.unlink(missing_ok=True)
