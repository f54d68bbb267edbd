"""The watchers in the worker: one for each of the cameras that last sent frames.

A watcher's state is lost with the process, or when too many cameras film at once. So every frame comes with the last roll
that its server has stored: a new watcher continues from there, and counts nothing twice.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scorer.engine.expected import Expected
from vision.photo import Photo, PhotoError
from vision.reader import TableReader
from vision.watch.events import Frame, Roll
from vision.watch.watcher import Watcher

MOST_CAMERAS = 8
"""Watchers kept at a time; one holds some 20 MB."""
LONGEST_SIDE = 1280
"""Largest side of a frame in pixels; more costs time and adds nothing."""
_SAMPLED = 3
"""Frames kept after the networks ran on them: a roll is reported with the frame it was read from, or soon after."""
_OFF_PICTURE = "cut-off"

_Answer = tuple[dict[str, Any], bytes]


@dataclass(frozen=True, slots=True)
class Watched:
    """The result of a frame.

    Attributes:
        rolls: rolls that came to rest, each with the frame it was read from, JPEG. Their readings are of that frame.
        state: of the table, as `vision.watch.events.State`.
        idle: nothing moves and everything has been counted.
        leaving: a piece that was counted last leaves the picture.
    """

    rolls: tuple[tuple[Roll, bytes], ...]
    state: str
    idle: bool
    leaving: bool

    @classmethod
    def of(cls, answer: Mapping[str, Any], photos: bytes) -> Watched:
        """The worker's answer, parsed."""
        rolls, at = [], 0
        for each, size in zip(answer["rolls"], answer["sizes"], strict=True):
            rolls.append((Roll.from_json(each), photos[at : at + size]))
            at += size
        return cls(tuple(rolls), answer["state"], answer["idle"], answer["leaving"])


@dataclass(eq=False, slots=True)
class _Camera:
    watcher: Watcher
    number: int
    sampled: deque[tuple[Photo, int, bytes]]
    leaving: bool = False
    known: TableReader | None = None


class Watchers:
    """The watchers of this process."""

    def __init__(self) -> None:
        """Begin without any watcher."""
        self._cameras: OrderedDict[str, _Camera] = OrderedDict()

    def see(
        self, asked: Mapping[str, Any], photo: Photo, data: bytes, expected: Expected | None, reader: TableReader
    ) -> _Answer:
        """Process a frame; returns an answer that `Watched.of` takes.

        Args:
            asked: "name" of the camera, "number" and "time" (seconds) of the frame, and "last": the last roll as JSON, or None.
            photo: the frame.
            data: the frame as it was sent.
            expected: the pieces of the game.
            reader: with the profiles that the game uses now; it takes effect once everything seen before is counted.

        Raises:
            PhotoError: the frame is too large.
        """
        if max(photo.width, photo.height) > LONGEST_SIDE:
            raise PhotoError("too-many-pixels", f"Send frames of at most {LONGEST_SIDE} pixels on their longer side.")
        camera = self._camera(asked, reader.expecting(expected))
        if camera.watcher.idle and camera.known is not reader:
            camera.watcher.read_with(reader.expecting(expected))
            camera.known = reader
        camera.number, read = asked["number"], camera.watcher.read
        found = camera.watcher.see(Frame(photo.pixels, asked["number"], asked["time"]))
        if camera.watcher.read > read:
            camera.sampled.append((photo, asked["number"], data))
        rolls = [_with_photo(each, camera) for each in found if isinstance(each, Roll)]
        for roll, _ in rolls:
            camera.leaving = any(doubt.reason == _OFF_PICTURE for doubt in roll.reading.doubts)
        if not camera.watcher.pieces:
            camera.leaving = False
        answer = {"state": camera.watcher.state, "idle": camera.watcher.idle, "leaving": camera.leaving}
        told = {"rolls": [roll.to_json() for roll, _ in rolls], "sizes": [len(data) for _, data in rolls]}
        return {**answer, **told}, b"".join(data for _, data in rolls)

    def _camera(self, asked: Mapping[str, Any], reader: TableReader) -> _Camera:
        """The camera of this name; a new one if its frame numbers start again, since it was reopened."""
        name, there = asked["name"], self._cameras.get(asked["name"])
        if there is None or asked["number"] <= there.number:
            known = [Roll.from_json(asked["last"])] if asked["last"] else []
            watcher = Watcher.resumed(reader, known)
            there = self._cameras[name] = _Camera(watcher, -1, deque(maxlen=_SAMPLED))
        self._cameras.move_to_end(name)
        while len(self._cameras) > MOST_CAMERAS:
            self._cameras.popitem(last=False)
        return there


def _with_photo(roll: Roll, camera: _Camera) -> tuple[Roll, bytes]:
    """The roll with the frame it was read from; the frame at which it was reported may already show a hand."""
    photo, _, data = min(camera.sampled, key=lambda each: abs(each[1] - roll.counted_frame))
    reading = replace(roll.reading, photo=photo.name, sha256=photo.sha256)
    return replace(roll, reading=reading), data
