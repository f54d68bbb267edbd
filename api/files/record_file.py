"""Records on disk: never over anything that is there, and on the disk before the next question is asked."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from scorer.engine.record import Record, RecordError

T = TypeVar("T")


class FileTrouble(Exception):  # noqa: N818 - the trouble is the disk's
    """A record could not be written or read; the text says where and why."""


class Untrusted(Exception):  # noqa: N818 - it says what became of the record
    """A file that is there is no record, or a damaged one; the text names the file, the line and the reason.

    Attributes:
        error: what is wrong with it.
    """

    def __init__(self, path: Path, error: RecordError) -> None:
        super().__init__(f"{path}: {error.message}")
        self.error = error


@dataclass
class RecordFile:
    """A record and the file that holds it, line for line.

    Attributes:
        path: where it is.
        record: what it holds.
    """

    path: Path
    record: Record

    @classmethod
    def create(cls, path: Path, record: Record) -> RecordFile:
        """A new file with all of the record.

        Raises:
            FileTrouble: it is there already, or cannot be written.
        """
        _or_trouble(f"Cannot begin the record {path}", lambda: _write_new(path, record.text.encode()))
        return cls(path, record)

    @classmethod
    def create_in(cls, folder: Path, record: Record, now: datetime) -> RecordFile:
        """The same under a name of its own, like crib-dice-2026-11-21-201500.jsonl."""
        stem = f"{record.header.game}-{now:%Y-%m-%d-%H%M%S}"
        names = itertools.chain([f"{stem}.jsonl"], (f"{stem}-{number}.jsonl" for number in itertools.count(2)))
        return cls.create(next(folder / name for name in names if not (folder / name).exists()), record)

    @classmethod
    def open(cls, path: Path, *, head: str | None = None, drop_torn_line: bool = False) -> RecordFile:
        """A file that is there, checked from its first line to its last.

        Args:
            path: of the file.
            head: the hash of its last line, where somebody kept it.
            drop_torn_line: leave out a last line that was cut off in its middle, as when the power failed.

        Raises:
            FileTrouble: it cannot be read.
            Untrusted: it is no record, or a damaged one.
        """
        data = _or_trouble(f"Cannot read the record {path}", path.read_bytes)
        try:
            text = _text(data)
            return cls(path, Record.load(text[: text.rfind("\n") + 1] if drop_torn_line else text, head))
        except RecordError as error:
            raise Untrusted(path, error) from error

    def keep(self, record: Record) -> None:
        """Append the lines by which the record has grown. When this returns, they are on the disk.

        Raises:
            FileTrouble: somebody else has written to the file, or the disk takes no more; the file is as it was.
        """
        size = len(self.record.text.encode())
        more = record.text.encode()[size:]
        _or_trouble(f"Cannot write to the record {self.path}", lambda: _append(self.path, size, more))
        self.record = record


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError("damaged-line", "the line is no text in UTF-8, as every record is.", line) from error


def _or_trouble(what: str, action: Callable[[], T]) -> T:
    try:
        return action()
    except OSError as error:
        raise FileTrouble(f"{what}: {error.strerror or error}.") from error


def _write_new(path: Path, data: bytes) -> None:
    with path.open("xb", buffering=0) as file:
        try:
            _onto_disk(file.fileno(), data)
        except OSError:
            path.unlink()
            raise
    if os.name == "posix":
        _settle_folder(path.parent)


def _settle_folder(folder: Path) -> None:
    """The new name, too, must outlive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _append(path: Path, size: int, data: bytes) -> None:
    with path.open("r+b", buffering=0) as file:
        if file.seek(0, os.SEEK_END) != size:
            text = "somebody else has written to it since; open it again to see how the game stands"
            raise OSError(errno.EBUSY, text)
        try:
            _onto_disk(file.fileno(), data)
        except OSError:
            # Half a line would make all of it unreadable.
            file.truncate(size)
            raise


def _onto_disk(handle: int, data: bytes) -> None:
    if os.write(handle, data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    os.fsync(handle)
