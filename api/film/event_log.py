"""The event log of a watched table: one JSON object per line, on disk before the next frame is processed.

The first line describes the source; then follow state changes and rolls (`Change.to_json`, `Roll.to_json`); a last line
marks the end. A log without it was interrupted: everything after its last roll is dropped and watching resumes there,
since a counted roll holds all the state a watcher needs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from api.files import lock
from api.files.whole_file import settle
from vision.detect.boxes import KINDS, Kind
from vision.watch.events import Change, Roll

FORMAT = 1
_MAGIC = "source"
_PROGRAM, _PROFILE = "muggins", "profile "
"""In `LogHeader.versions`: the name of Muggins, and the prefix of profile names. The other names are networks."""


class EventLogError(Exception):
    """The log cannot be written or resumed; the message says why and what to do."""


class WrongEventLog(EventLogError):  # noqa: N818 - it names what the file is
    """The existing file is not the log of this run."""


def versions_of(program: str, networks: Mapping[str, str], profiles: Mapping[str, str]) -> dict[str, str]:
    """The versions of a log: of the program, and the SHA-256 of networks and profiles by name."""
    return {_PROGRAM: program, **networks, **{f"{_PROFILE}{name}": sha256 for name, sha256 in profiles.items()}}


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What was watched and how: the first line of a log.

    Attributes:
        source: its name.
        mark: distinguishes it from another source of the same name.
        size: width and height of the frames.
        seconds: its length; None if unknown.
        start: of the watched part, in seconds.
        to: end of the watched part, in seconds; None: the end of the source.
        every: every Nth frame is processed.
        begun: when watching began, ISO 8601.
        versions: of Muggins, its networks and profiles, by name (`versions_of`).
        kinds: the kinds of pieces to detect ("sought" in logs written before 0.2).
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
    kinds: tuple[Kind, ...] = KINDS

    def to_json(self) -> dict[str, Any]:
        """The first line."""
        return {"type": _MAGIC, "format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LogHeader:
        """Parse what `to_json` wrote.

        Raises:
            KeyError: a field is missing.
        """
        values = {name: data[name] for name in cls.__dataclass_fields__ if name != "kinds"}
        width, height = values.pop("size")
        return cls(**values, size=(width, height), kinds=tuple(data.get("kinds", data.get("sought", KINDS))))

    def differences(self, other: LogHeader, *, complete: bool = False) -> Iterator[str]:
        """Why a run (`other`) cannot resume this log, such as "another part".

        As with `muggins read --out`, the version of Muggins is not compared: after an update a run continues, unless networks
        changed. `complete`: everything was watched, so different networks do not matter.
        """
        if (self.mark, self.size) != (other.mark, other.size):
            yield "another source"
        if (self.start, self.to) != (other.start, other.to):
            yield "another part"
        if self.every != other.every:
            yield "another --every"
        if self.kinds != other.kinds:
            yield "other kinds of pieces"
        if self._profiles != other._profiles:
            yield "other profiles"
        # A log without network names may come from any networks.
        if not complete and self._networks and other._networks and self._networks != other._networks:
            yield "other networks"

    @property
    def _profiles(self) -> dict[str, str]:
        return {name: sha256 for name, sha256 in self.versions.items() if name.startswith(_PROFILE)}

    @property
    def _networks(self) -> dict[str, str]:
        return {
            name: sha256 for name, sha256 in self.versions.items() if name != _PROGRAM and name not in self._profiles
        }


@dataclass(frozen=True, slots=True)
class EndLine:
    """The last line: how many frames were seen, and how many the networks read."""

    seen: int
    read: int

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {"type": "end", "seen": self.seen, "read": self.read}


@dataclass(frozen=True, slots=True)
class Made:
    """A line after the end: a file produced from the log. While it is unchanged, it may be overwritten.

    Attributes:
        path: absolute path of the file.
        size: in bytes.
        modified: when it was written, in nanoseconds.
    """

    path: str
    size: int
    modified: int

    @classmethod
    def of(cls, path: Path) -> Made:
        """Describe the file as it is now.

        Raises:
            OSError: the file does not exist.
        """
        found = path.stat()
        return cls(os.path.abspath(path), found.st_size, found.st_mtime_ns)

    def to_json(self) -> dict[str, Any]:
        """The line."""
        return {"type": "made", **asdict(self)}


Event = Change | Roll


def only_writer(path: Path) -> AbstractContextManager[None]:
    """Hold the lock of this log's only writer.

    Raises:
        EventLogError: on entering: another command writes it.
    """
    text = f"Another command is writing to the event log {path}. Wait for it, or choose another file with --events."
    return lock.only_writer(path, EventLogError(text))


class EventLog:
    """An open log.

    Attributes:
        path: of the file.
        heading: what was watched.
        events: all events so far, in order.
        done: the end line; None while watching is incomplete.
        made: files produced from it.
    """

    def __init__(self, path: Path, file: BinaryIO, held: _Held) -> None:
        self.path = path
        self._file = file
        self.header, self.events = held.header, held.events
        self.done, self.made = held.done, held.made
        self._begun_here = False

    @classmethod
    def create(cls, path: Path, header: LogHeader, *, over: bool = False) -> EventLog:
        """Create a log.

        Args:
            path: of the new file.
            header: its first line.
            over: overwrite an existing file.

        Raises:
            EventLogError: it cannot be written, or already exists.
        """
        try:
            made = cls(path, path.open("wb" if over else "xb", buffering=0), _Held(header))
            settle(path.parent)
        except OSError as error:
            raise _cannot("create", path, error) from error
        made._checked_write(header.to_json())
        made._begun_here = True
        return made

    @classmethod
    def open(cls, path: Path) -> EventLog:
        """Open an existing log; if it was interrupted, truncate it after its last roll.

        Raises:
            WrongEventLog: the file is not an event log.
            EventLogError: it cannot be read or written.
        """
        try:
            held, size = _parsed(path.read_bytes())
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise _cannot("read", path, error) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise WrongEventLog(f"{path} is not an event log of `muggins watch`. Choose another file.") from error
        file.truncate(size)
        file.seek(size)
        return cls(path, file, held)

    @property
    def rolls(self) -> list[Roll]:
        """The rolls in the log."""
        return [event for event in self.events if isinstance(event, Roll)]

    def add(self, events: Sequence[Event]) -> None:
        """Append events. They are on disk when this returns.

        Raises:
            EventLogError: the log cannot be written.
        """
        if events:
            self._checked_write(*(event.to_json() for event in events))
            self.events += events

    def end(self, done: EndLine) -> None:
        """Mark the log as complete.

        Raises:
            EventLogError: the log cannot be written.
        """
        self._checked_write(done.to_json())
        self.done = done

    def note_made(self, path: Path) -> None:
        """Note that this file was produced from the log.

        Raises:
            EventLogError: the log cannot be written.
        """
        self.made.append(Made.of(path))
        self._checked_write(self.made[-1].to_json())

    def is_ours(self, path: Path) -> bool:
        """Whether the file was produced from this log and not changed since."""
        return path.exists() and Made.of(path) in self.made

    def forget(self) -> None:
        """Close the log, and remove it if it was created here and has only its header."""
        if self._begun_here and not self.events and not self.done:
            self.close()
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _checked_write(self, *lines: Mapping[str, Any]) -> None:
        try:
            self._append(*lines)
        except OSError as error:
            raise _cannot("write to", self.path, error) from error

    def _append(self, *lines: Mapping[str, Any]) -> None:
        data = b"".join(json.dumps(line, allow_nan=False).encode() + b"\n" for line in lines)
        if self._file.write(data) != len(data):
            raise OSError("the disk is full")
        os.fsync(self._file.fileno())


def _cannot(what: str, path: Path, error: OSError) -> EventLogError:
    return EventLogError(
        f"Cannot {what} the event log {path}: {error.strerror or error}. Choose another file with --events."
    )


@dataclass(slots=True)
class _Held:
    """Parsed contents; see `EventLog`."""

    header: LogHeader
    events: list[Event] = field(default_factory=list)
    done: EndLine | None = None
    made: list[Made] = field(default_factory=list)


def _parsed(text: bytes) -> tuple[_Held, int]:
    """Parse a log; also the number of bytes to keep."""
    (first, size), *lines = _lines(text)
    if first.get("type") != _MAGIC or first.get("format") != FORMAT:
        raise ValueError("another file")
    held = _Held(LogHeader.from_json(first))
    found: list[tuple[Event, int]] = []
    for line, end in lines:
        if line["type"] == "end":
            held.done = EndLine(line["seen"], line["read"])
        elif line["type"] == "made":
            held.made.append(Made(line["path"], line["size"], line["modified"]))
        else:
            found.append((_event(line), end))
    while held.done is None and found and not _stands(found[-1][0], found):
        found.pop()
    held.events = [event for event, _ in found]
    return held, lines[-1][1] if held.done else found[-1][1] if found else size


def _stands(event: Event, events: Sequence[tuple[Event, int]]) -> bool:
    """Whether the event was known when the last roll was counted."""
    counted = next((each.counted_frame for each, _ in reversed(events) if isinstance(each, Roll)), -1)
    return isinstance(event, Roll) or event.frame <= counted


def _lines(text: bytes) -> Iterator[tuple[dict[str, Any], int]]:
    """Every complete line and its end offset; an incomplete last line was interrupted while being written."""
    at = 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        if line.endswith(b"\n"):
            yield json.loads(line), at


def _event(line: Mapping[str, Any]) -> Event:
    return Roll.from_json(line) if line["type"] == "roll" else Change.from_json(line)
