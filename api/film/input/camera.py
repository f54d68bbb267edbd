"""Cameras: a webcam or a stream. The newest frame counts, and a camera that is gone is waited for."""

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

from api.film.input.container import opened, upright, video_of
from api.film.input.source import Facts, Say, SourceError, check_size, without_password
from api.film.input.timecode import Span
from api.film.input.video import decoded
from scorer.pieces.text import listed
from vision.photo import Pixels
from vision.watch.events import Frame

Picture = Callable[[], Pixels]
"""A frame that is turned into pixels only if somebody looks at it."""
Connect = Callable[[], Iterator[Picture]]
"""Opens the camera and gives what it sends, until it sends no more; raises `SourceError` if it does not answer."""

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds between attempts to reach a camera that is gone; the last one again and again."""
_ENDING = 2.0
"""Seconds that a camera has to let go."""
_WISHED = (
    (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),
    (cv2.CAP_PROP_FRAME_WIDTH, 1920.0),
    (cv2.CAP_PROP_FRAME_HEIGHT, 1080.0),
)
"""What a webcam is asked for; it gives what comes nearest. Uncompressed, a cable does not carry so much quickly."""
_NO_CAMERA_AT_ALL = (
    "No other is there either: plug one in, and hand it to the container or virtual machine if this is one."
)
_STREAM = {"rtsp_flags": "prefer_tcp", "fflags": "nobuffer"}
"""Whole frames rather than quick ones, where the camera lets one choose, and none of them late."""


def webcam(index: int, say: Say) -> Live:
    """The camera of that number on this computer.

    Raises:
        SourceError: "no-camera".
    """
    return Live(f"camera {index}", partial(_captured, index), say)


def stream(url: str, say: Say) -> Live:
    """A stream without an end.

    Raises:
        SourceError: "no-answer".
    """
    return Live(without_password(url), partial(_received, url), say)


def _captured(index: int) -> Iterator[Picture]:
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what is wrong is said below
    camera = cv2.VideoCapture(index)
    try:
        for wish, value in _WISHED:
            camera.set(wish, value)
        if not camera.isOpened():
            raise SourceError("no-camera", _no_camera(index))
        while (frame := camera.read())[0]:
            yield partial(_rgb, frame[1])
    finally:
        camera.release()


def _no_camera(index: int, devices: Path = Path("/dev")) -> str:
    """Why it does not answer, as far as Linux tells by the files of its devices, and the way out."""
    said, device = f"No camera {index} answers", devices / f"video{index}"
    if sys.platform != "linux":
        return f"{said}. Is it plugged in, used by no other program, and allowed to this one? They count from 0."
    if not device.exists():
        others = sorted(int(path.name.removeprefix("video")) for path in devices.glob("video[0-9]*"))
        instead = f"Those that are there: {listed([str(each) for each in others])}." if others else _NO_CAMERA_AT_ALL
        return f"{said}: there is no {device}. {instead}"
    if not os.access(device, os.R_OK | os.W_OK):
        return f"{said}: you may not use {device}. Join the group that may (sudo usermod -aG video $USER), and log in anew."
    return f"{said}: {device} is there, but gives no picture. Does another program use it? If not, try the next number."


def _rgb(bgr: cv2.typing.MatLike) -> Pixels:
    return cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)  # type: ignore[return-value] # of eight bits, as a camera's frames are


def _received(url: str) -> Iterator[Picture]:
    with opened(url, None, _STREAM) as container:
        for frame in decoded(container, video_of(container)):
            yield partial(upright, frame)


class Live:
    """A camera that is read all the time, so that whoever looks sees the newest frame and never a late one."""

    def __init__(self, name: str, connect: Connect, say: Say, pauses: tuple[float, ...] = PAUSES) -> None:
        """Open the camera.

        Args:
            name: what it is called.
            connect: opens it.
            say: is told when it is gone, and when it is back.
            pauses: seconds between attempts to reach it again.

        Raises:
            SourceError: it does not answer.
        """
        self.pauses = pauses
        self._connect, self._say = connect, say
        sent = connect()
        first = next(sent, None)
        if first is None:
            raise SourceError("no-answer", f"{name} answers, but sends no picture.")
        height, width, _ = first().shape
        check_size(width, height)
        self.facts = Facts(name, (width, height), None, live=True, mark=name)
        self._sent: Iterator[Picture] | None = chain([first], sent)

    def frames(self, span: Span, every: int = 1, after: int | None = None) -> Iterator[Frame]:
        """The newest frame, again and again, see `Source.frames`; `span.start` is the time of the first.

        Raises:
            SourceError: it came back with frames of another size.
        """
        begun, given = monotonic() - span.start, -every
        skipped = 0 if after is None else after + 1
        newest = _Newest()
        reading = Thread(target=self._read, args=(newest,), daemon=True)
        reading.start()
        try:
            while not span.over(monotonic() - begun):
                number, picture = newest.wait(given + every, self._say)
                if picture:
                    given = number
                    yield Frame(self._sized(picture()), skipped + number, monotonic() - begun)
        finally:
            newest.closed.set()
            reading.join(_ENDING)

    def _sized(self, pixels: Pixels) -> Pixels:
        if pixels.shape[1::-1] != self.facts.size:
            message = "The camera came back with frames of another size. Start again; the same --events goes on."
            raise SourceError("bad-size", message)
        return pixels

    def _read(self, newest: _Newest) -> None:
        """Read the camera until nobody looks any more."""
        pauses = iter(self.pauses)
        while not newest.closed.is_set():
            if self._read_once(newest):
                pauses = iter(self.pauses)
            pause = next(pauses, self.pauses[-1])
            if not newest.closed.is_set():
                newest.note(f"{self.facts.name} is gone. Trying again in {pause:g} s.")
            newest.closed.wait(pause)

    def _read_once(self, newest: _Newest) -> bool:
        """Read until it is gone; False if it did not even answer."""
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
        except (SourceError, av.error.FFmpegError):
            pass  # it has nothing to look at, whatever the reason
        return answered


class _Newest:
    """What a camera sent last, handed from the thread that reads to the one that looks."""

    def __init__(self) -> None:
        self.closed = Event()
        self._changed = Condition()
        self._number = -1
        self._picture: Picture | None = None
        self._notes: list[str] = []

    def put(self, picture: Picture) -> None:
        """It has sent this one."""
        with self._changed:
            self._number, self._picture = self._number + 1, picture
            self._changed.notify()

    def note(self, text: str) -> None:
        """Something is to be said, by the thread that looks."""
        with self._changed:
            self._notes.append(text)
            self._changed.notify()

    def wait(self, number: int, say: Say, timeout: float = 0.25) -> tuple[int, Picture | None]:
        """The newest picture and its number, once there is one from `number` on; None if none came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._number >= number or self._notes, timeout)
            notes, self._notes = self._notes, []
            found = self._number, self._picture if self._number >= number else None
        for note in notes:
            say(note)
        return found
