"""The events of a watched table in a file: one line of JSON each, on the disk before the next frame is looked at.

The first line tells the source; then come the changes of state and the rolls as they were found (`Change.to_json`,
`Roll.to_json`); a last line closes the file when all was looked at. A file without it was interrupted: what follows its
last roll is taken away, and looking goes on from there, since a roll that was counted says all that a watcher has to know.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from vision.detect.boxes import KINDS, Kind
from vision.watch.events import Change, Roll

FORMAT = 1
_MAGIC = "source"


class EventsTrouble(Exception):  # noqa: N818 - the trouble is the file's
    """The events cannot be kept or gone on with; the text says why, and the way out."""


class OtherEvents(EventsTrouble):
    """The file that is there is another one."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What was watched, and how.

    Attributes:
        source: its name.
        mark: tells it from another source of that name.
        size: width and height of the frames.
        seconds: how long it is; None where nobody knows.
        start: of the part that is watched, in seconds.
        to: where it ends; None: at its end.
        every: every so manieth frame is looked at.
        begun: when the watching began, ISO 8601.
        versions: of Muggins and its networks.
        sought: the kinds of pieces that were looked for.
    """

    source: str
    mark: str
    size: tuple[int, int]
    seconds: float | None
    start: float
    to: float | None
    every: int
    begun: str
    versions: Mapping[str, str]
    sought: tuple[Kind, ...] = KINDS

    def to_json(self) -> dict[str, Any]:
        """The first line."""
        return {"type": _MAGIC, "format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Heading:
        """What `to_json` wrote.

        Raises:
            KeyError: something is missing.
        """
        values = {name: data[name] for name in cls.__dataclass_fields__ if name != "sought"}
        width, height = values.pop("size")
        return cls(**values, size=(width, height), sought=tuple(data.get("sought", KINDS)))

    def fits(self, other: Heading) -> bool:
        """Is it the same part of the same source, looked at in the same way?"""
        return self._compared == other._compared

    @property
    def _compared(self) -> tuple[object, ...]:
        return self.mark, self.size, self.start, self.to, self.every, self.sought


@dataclass(frozen=True, slots=True)
class Done:
    """The last line: how many frames came, and how many were given to the networks."""

    seen: int
    read: int

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {"type": "end", "seen": self.seen, "read": self.read}


@dataclass(frozen=True, slots=True)
class Made:
    """A line after the last: a file was made of the events. As long as it is as it was then, it is ours.

    Attributes:
        path: of the file, from the root.
        size: in bytes.
        modified: when it was written, in nanoseconds.
    """

    path: str
    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> Made:
        """The file as it is now.

        Raises:
            OSError: there is none.
        """
        found = path.stat()
        return cls(os.path.abspath(path), found.st_size, found.st_mtime_ns)

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {"type": "made", **asdict(self)}


Event = Change | Roll


class EventsFile:
    """The file, open for more.

    Attributes:
        path: where it is.
        heading: what was watched.
        events: all that it holds, in order.
        done: how it was closed; None while there is more to look at.
        made: the files that were made of it.
    """

    def __init__(self, path: Path, file: BinaryIO, held: _Held) -> None:
        self.path = path
        self._file = file
        self.heading, self.events = held.heading, held.events
        self.done, self.made = held.done, held.made

    @classmethod
    def create(cls, path: Path, heading: Heading, *, over: bool = False) -> EventsFile:
        """A new file.

        Args:
            path: of it.
            heading: its first line.
            over: write over a file that is there.

        Raises:
            EventsTrouble: it cannot be written, or is there already.
        """
        try:
            made = cls(path, path.open("wb" if over else "xb", buffering=0), _Held(heading))
        except OSError as error:
            raise _cannot("begin", path, error) from error
        made._or_trouble(heading.to_json())
        return made

    @classmethod
    def open(cls, path: Path) -> EventsFile:
        """A file that is there, cut back to its last roll if it was interrupted.

        Raises:
            OtherEvents: it holds no events.
            EventsTrouble: it cannot be read or written.
        """
        try:
            held, size = _parsed(path.read_bytes())
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise _cannot("read", path, error) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OtherEvents(f"{path} holds no events that `muggins watch` has written. Name another file.") from error
        file.truncate(size)
        file.seek(size)
        return cls(path, file, held)

    @property
    def rolls(self) -> list[Roll]:
        """The rolls among the events."""
        return [event for event in self.events if isinstance(event, Roll)]

    def add(self, events: Sequence[Event]) -> None:
        """More of them. When this returns, they are on the disk.

        Raises:
            EventsTrouble: the disk takes no more.
        """
        if events:
            self._or_trouble(*(event.to_json() for event in events))
            self.events += events

    def end(self, done: Done) -> None:
        """All was looked at.

        Raises:
            EventsTrouble: the disk takes no more.
        """
        self._or_trouble(done.to_json())
        self.done = done

    def note_made(self, path: Path) -> None:
        """This file was made of the events.

        Raises:
            EventsTrouble: the disk takes no more.
        """
        self.made.append(Made.of(path))
        self._or_trouble(self.made[-1].to_json())

    def is_ours(self, path: Path) -> bool:
        """Was that file made of these events, and not changed since?"""
        return path.exists() and Made.of(path) in self.made

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _or_trouble(self, *lines: Mapping[str, Any]) -> None:
        try:
            self._append(*lines)
        except OSError as error:
            raise _cannot("write to", self.path, error) from error

    def _append(self, *lines: Mapping[str, Any]) -> None:
        data = b"".join(json.dumps(line, allow_nan=False).encode() + b"\n" for line in lines)
        if self._file.write(data) != len(data):
            raise OSError("the disk is full")
        os.fsync(self._file.fileno())


def _cannot(what: str, path: Path, error: OSError) -> EventsTrouble:
    return EventsTrouble(f"Cannot {what} the events in {path}: {error.strerror or error}. Name another with --events.")


@dataclass(slots=True)
class _Held:
    """What a file holds; see `EventsFile`."""

    heading: Heading
    events: list[Event] = field(default_factory=list)
    done: Done | None = None
    made: list[Made] = field(default_factory=list)


def _parsed(text: bytes) -> tuple[_Held, int]:
    """What the file says, and how many bytes of it stand."""
    (first, size), *lines = _lines(text)
    if first.get("type") != _MAGIC or first.get("format") != FORMAT:
        raise ValueError("another file")
    held = _Held(Heading.from_json(first))
    found: list[tuple[Event, int]] = []
    for line, end in lines:
        if line["type"] == "end":
            held.done = Done(line["seen"], line["read"])
        elif line["type"] == "made":
            held.made.append(Made(line["path"], line["size"], line["modified"]))
        else:
            found.append((_event(line), end))
    while held.done is None and found and not _stands(found[-1][0], found):
        found.pop()
    held.events = [event for event, _ in found]
    return held, lines[-1][1] if held.done else found[-1][1] if found else size


def _stands(event: Event, events: Sequence[tuple[Event, int]]) -> bool:
    """Was it known when the last roll was counted?"""
    counted = next((each.counted_frame for each, _ in reversed(events) if isinstance(each, Roll)), -1)
    return isinstance(event, Roll) or event.frame <= counted


def _lines(text: bytes) -> Iterator[tuple[dict[str, Any], int]]:
    """Every whole line, and where it ends in the file; half a line at the end was being written when it was interrupted."""
    at = 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        if line.endswith(b"\n"):
            yield json.loads(line), at


def _event(line: Mapping[str, Any]) -> Event:
    return Roll.from_json(line) if line["type"] == "roll" else Change.from_json(line)
