"""Live cameras: webcams and streams. Only the newest frame counts; a lost camera is reconnected."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Condition, Event, Thread
from time import monotonic

import av
import cv2
import numpy as np

from api.film.input.container import opened, upright, video_of
from api.film.input.source import Facts, Say, SourceError, check_size, without_password
from api.film.input.timecode import Span
from api.film.input.video import decoded
from scorer.pieces.text import listed
from vision.photo import Pixels
from vision.watch.events import Frame

Picture = Callable[[], Pixels]
"""A frame that is converted to pixels only when needed."""
Connect = Callable[[], Iterator[Picture]]
"""Opens the camera and yields frames until it stops; raises `SourceError` if it does not respond."""

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds between attempts to reconnect; the last value repeats."""
FROZEN = 30.0
"""Seconds of an identical picture until it is reported: a working camera's pictures differ even of a still table."""
_ENDING = 2.0
"""Seconds to wait for the reader thread to end."""
_REQUESTED = (
    (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),
    (cv2.CAP_PROP_FRAME_WIDTH, 1920.0),
    (cv2.CAP_PROP_FRAME_HEIGHT, 1080.0),
)
"""Settings requested from a webcam; it picks the nearest it supports. MJPEG, since USB is too slow for raw 1080p."""
_NO_CAMERA_AT_ALL = "No other camera is connected. Plug one in; in a container or virtual machine, pass it through."
_STREAM = {"rtsp_flags": "prefer_tcp", "fflags": "nobuffer"}
"""Prefer complete frames (TCP) where the camera offers a choice, and do not buffer."""


def webcam(index: int, say: Say) -> LiveSource:
    """The webcam with this number.

    Raises:
        SourceError: "no-camera".
    """
    return LiveSource(f"camera {index}", partial(_captured, index), say)


def stream(url: str, say: Say) -> LiveSource:
    """A live stream.

    Raises:
        SourceError: "no-answer".
    """
    return LiveSource(without_password(url), partial(_received, url), say)


def _captured(index: int) -> Iterator[Picture]:
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # errors are reported below
    camera = cv2.VideoCapture(index)
    try:
        for setting, value in _REQUESTED:
            camera.set(setting, value)
        if not camera.isOpened():
            raise SourceError("no-camera", _no_camera(index))
        while (frame := camera.read())[0]:
            yield partial(_rgb, frame[1])
    finally:
        camera.release()


def _no_camera(index: int, devices: Path = Path("/dev")) -> str:
    """Why the camera does not respond, as far as Linux device files tell, and what to do."""
    said, device = f"Camera {index} does not respond", devices / f"video{index}"
    if sys.platform != "linux":
        return (
            f"{said}. Check that it is plugged in, not in use by another program, and permitted. Numbering starts at 0."
        )
    if not device.exists():
        others = sorted(int(path.name.removeprefix("video")) for path in devices.glob("video[0-9]*"))
        instead = f"Available: {listed([str(each) for each in others])}." if others else _NO_CAMERA_AT_ALL
        return f"{said}: {device} does not exist. {instead}"
    if not os.access(device, os.R_OK | os.W_OK):
        return f"{said}: no permission for {device}. Join its group (sudo usermod -aG video $USER) and log in again."
    return f"{said}: {device} sends no picture. Close other programs that use it, or try the next number."


def _rgb(bgr: cv2.typing.MatLike) -> Pixels:
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)  # type: ignore[return-value] # camera frames have eight bits


def _received(url: str) -> Iterator[Picture]:
    with opened(url, None, _STREAM) as container:
        for frame in decoded(container, video_of(container)):
            yield partial(upright, frame)


class LiveSource:
    """A camera read continuously in a thread, so that `frames` always gives the newest frame."""

    def __init__(self, name: str, connect: Connect, say: Say, pauses: tuple[float, ...] = PAUSES) -> None:
        """Open the camera.

        Args:
            name: for messages.
            connect: opens the camera.
            say: receives messages when the camera is lost and when it returns.
            pauses: seconds between attempts to reconnect.

        Raises:
            SourceError: the camera does not respond.
        """
        self.pauses = pauses
        self._connect, self._say = connect, say
        sent = connect()
        first = next(sent, None)
        if first is None:
            raise SourceError("no-answer", f"{name} responds but sends no picture.")
        height, width, _ = first().shape
        check_size(width, height)
        self.facts = Facts(name, (width, height), None, live=True, mark=name)
        self._sent: Iterator[Picture] | None = chain([first], sent)

    def frames(self, span: Span, every: int = 1, after: int | None = None) -> Iterator[Frame]:
        """The newest frame each time, see `Source.frames`; `span.start` is the time of the first.

        Raises:
            SourceError: the camera returned with another frame size.
        """
        begun, given = monotonic() - span.start, -every
        skipped = 0 if after is None else after + 1
        newest, changes = _Newest(), _Changes(self.facts.name, self._say)
        reading = Thread(target=self._read, args=(newest,), daemon=True)
        reading.start()
        try:
            while not span.over(monotonic() - begun):
                number, picture = newest.wait(given + every, self._say)
                if picture:
                    given = number
                    pixels, time = self._sized(picture()), monotonic() - begun
                    changes.look(pixels, time)
                    yield Frame(pixels, skipped + number, time)
        finally:
            newest.closed.set()
            reading.join(_ENDING)

    def _sized(self, pixels: Pixels) -> Pixels:
        if pixels.shape[1::-1] != self.facts.size:
            message = "The camera returned with another frame size. Start again; the same --events resumes."
            raise SourceError("bad-size", message)
        return pixels

    def _read(self, newest: _Newest) -> None:
        """Read the camera until `newest` is closed, in a thread of its own."""
        try:
            self._keep_reading(newest)
        except BaseException as error:  # raised again in the consumer's thread, which would wait for ever
            newest.fail(error)

    def _keep_reading(self, newest: _Newest) -> None:
        pauses = iter(self.pauses)
        while not newest.closed.is_set():
            if self._read_once(newest):
                pauses = iter(self.pauses)
            pause = next(pauses, self.pauses[-1])
            if not newest.closed.is_set():
                newest.note(f"Lost {self.facts.name}. Reconnecting in {pause:g} s.")
            newest.closed.wait(pause)

    def _read_once(self, newest: _Newest) -> bool:
        """Read until the camera is lost; False if it did not respond at all."""
        came_back = self._sent is None
        sent, self._sent = self._sent or self._connect(), None
        answered = False
        try:
            for picture in sent:
                if not answered and came_back:
                    newest.note(f"{self.facts.name} is back.")
                answered = True
                newest.put(picture)
                if newest.closed.is_set():
                    break
        except (SourceError, av.error.FFmpegError, cv2.error, OSError):
            pass  # `_read` reconnects, whatever the reason
        return answered


class _Changes:
    """Reports a frozen camera: its picture looks like a still table on which nothing is rolled any more."""

    def __init__(self, name: str, say: Say) -> None:
        self._name, self._say = name, say
        self._last: Pixels | None = None
        self._since = 0.0
        self._said = False

    def look(self, pixels: Pixels, time: float) -> None:
        """Compare the next picture; `time` is in seconds."""
        if self._last is None or not _identical(self._last, pixels):
            self._last, self._since = pixels, time
            if self._said:
                self._say(f"{self._name} sends new pictures again.")
            self._said = False
        elif not self._said and time - self._since >= FROZEN:
            self._said = True
            self._say(
                f"{self._name} has sent the very same picture for {FROZEN:g} s: it seems to be frozen, and rolls are not "
                "seen. Check the camera; unplug it and plug it in again."
            )


def _identical(one: Pixels, other: Pixels) -> bool:
    """Whether two pictures of one size are equal in every bit; a few pixels already tell most pairs apart."""
    return np.array_equal(one[::16, ::16], other[::16, ::16]) and np.array_equal(one, other)


class _Newest:
    """The newest frame, passed from the reading thread to the consumer."""

    def __init__(self) -> None:
        self.closed = Event()
        self._changed = Condition()
        self._number = -1
        self._picture: Picture | None = None
        self._notes: list[str] = []
        self._error: BaseException | None = None

    def put(self, picture: Picture) -> None:
        """Store a new frame."""
        with self._changed:
            self._number, self._picture = self._number + 1, picture
            self._changed.notify()

    def note(self, text: str) -> None:
        """Queue a message; the consumer's thread prints it."""
        with self._changed:
            self._notes.append(text)
            self._changed.notify()

    def fail(self, error: BaseException) -> None:
        """Store an error that ends the frames: the consumer's thread raises it."""
        with self._changed:
            self._error = error
            self._changed.notify()

    def wait(self, number: int, say: Say, timeout: float = 0.25) -> tuple[int, Picture | None]:
        """The newest frame and its number, once that is at least `number`; None if none came in time.

        Raises:
            BaseException: the error of the reading thread.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._number >= number or self._notes or self._error, timeout)
            notes, self._notes = self._notes, []
            found = self._number, self._picture if self._number >= number else None
        for note in notes:
            say(note)
        if self._error is not None:
            raise self._error
        return found
