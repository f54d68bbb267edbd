"""Record files: never overwritten, and on disk before the game continues."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from api.files.whole_file import settle
from scorer.engine.record import Record, RecordError

T = TypeVar("T")
_ZIP = b"PK\x03\x04"
"""The first bytes of a zip that is not empty."""


class RecordFileError(Exception):
    """A record file could not be written or read; the message says where and why."""


class UntrustedRecord(Exception):  # noqa: N818 - named after what is wrong
    """A file is not a record or is damaged; the message names the file, the line and the reason.

    Attributes:
        error: what is wrong with it.
    """

    def __init__(self, path: Path, error: RecordError) -> None:
        super().__init__(f"{path}: {error.message}")
        self.error = error


@dataclass
class RecordFile:
    """A record and its file, kept in step.

    Attributes:
        path: of the file.
        record: its contents.
    """

    path: Path
    record: Record

    @classmethod
    def create(cls, path: Path, record: Record) -> RecordFile:
        """Create a file with the whole record.

        Raises:
            RecordFileError: it already exists or cannot be written.
        """
        _checked_write(f"Cannot create the record {path}", lambda: _write_new(path, record.text.encode()))
        return cls(path, record)

    @classmethod
    def create_in(cls, folder: Path, record: Record, now: datetime) -> RecordFile:
        """Create it under a new name, such as crib-dice-2026-11-21-201500.jsonl."""
        stem = f"{record.header.game}-{now:%Y-%m-%d-%H%M%S}"
        names = itertools.chain([f"{stem}.jsonl"], (f"{stem}-{number}.jsonl" for number in itertools.count(2)))
        return cls.create(next(folder / name for name in names if not (folder / name).exists()), record)

    @classmethod
    def open(cls, path: Path, *, drop_torn_line: bool = False) -> RecordFile:
        """Open an existing file and verify every line.

        Args:
            path: of the file.
            drop_torn_line: leave out a last line that was cut off in its middle, as when the power failed.

        Raises:
            RecordFileError: it cannot be read.
            UntrustedRecord: it is not a record or is damaged.
        """
        data = _checked_write(f"Cannot read the record {path}", path.read_bytes)
        try:
            text = _text(data)
            return cls(path, Record.load(text[: text.rfind("\n") + 1] if drop_torn_line else text))
        except RecordError as error:
            raise UntrustedRecord(path, error) from error

    def keep(self, record: Record) -> None:
        """Append the record's new lines. They are on disk when this returns.

        Raises:
            RecordFileError: the file was changed by someone else, or cannot be written; it is unchanged.
        """
        size = len(self.record.text.encode())
        more = record.text.encode()[size:]
        _checked_write(f"Cannot write to the record {self.path}", lambda: _append(self.path, size, more))
        self.record = record


def _text(data: bytes) -> str:
    if data.startswith(_ZIP):
        raise RecordError(
            "no-record", "this is a zip, not a record. If it is the evidence of a game, use muggins verify.", 1
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if other := _instead(data):
            raise RecordError("no-record", other) from error
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError("damaged-line", "the line is not UTF-8 text.", line) from error


def _instead(data: bytes) -> str:
    """What was given instead of a record, and what to give; empty if unknown."""
    from vision.photo import VIDEO, looks_like

    _, called = looks_like(data)
    if called == VIDEO:
        return (
            "This is a film, not a record. muggins watch reads films, and writes the record of the game with --game and "
            "--record: give that file."
        )
    return called and f"This is {called}, not a record. Give the .jsonl file that play or watch wrote."


def _checked_write(what: str, action: Callable[[], T]) -> T:
    try:
        return action()
    except OSError as error:
        raise RecordFileError(f"{what}: {error.strerror or error}.") from error


def _write_new(path: Path, data: bytes) -> None:
    with path.open("xb", buffering=0) as file:
        try:
            _onto_disk(file.fileno(), data)
        except OSError:
            path.unlink()
            raise
    settle(path.parent)


def _append(path: Path, size: int, data: bytes) -> None:
    with path.open("r+b", buffering=0) as file:
        if file.seek(0, os.SEEK_END) != size:
            text = "it was changed by someone else; open it again to see the current game"
            raise OSError(errno.EBUSY, text)
        try:
            _onto_disk(file.fileno(), data)
        except OSError:
            # A partial line would make the file unreadable.
            file.truncate(size)
            raise


def _onto_disk(handle: int, data: bytes) -> None:
    if os.write(handle, data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    os.fsync(handle)
