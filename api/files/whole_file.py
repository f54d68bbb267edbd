"""Files that are written whole: whatever happens, a power cut too, the old file or the new one is there."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CANNOT = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES})
"""Errors of disks that sync no folders, and of folders that may be written to but not read."""


@contextmanager
def replacing(path: Path, part: Path | None = None) -> Iterator[Path]:
    """A file to write that then takes the place of `path`, and is on disk under that name afterwards; removed on failure.

    Args:
        path: of the file.
        part: where it is written, in the same folder; None: beside it, so only one at a time may write there.

    Raises:
        OSError: it cannot be written; `path` is as it was.
    """
    part = part or path.with_name(f"{path.name}.part")
    try:
        yield part
        sync(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    settle(path.parent)


def sync(path: Path) -> None:
    """Wait until what was written to a file is on disk.

    Raises:
        OSError: it is not.
    """
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def settle(folder: Path) -> None:
    """Sync a folder's entries, so that a new name survives a power cut; nothing where a system or disk cannot.

    Raises:
        OSError: it is not on disk.
    """
    if os.name != "posix":
        return
    try:
        _sync_folder(folder)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
