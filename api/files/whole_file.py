"""Atomic file writes: after any failure, even a power cut, either the old file or the new one is there."""

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
    """A temporary file that then replaces `path`, and is on disk under that name afterwards; it is removed on failure.

    Args:
        path: of the file.
        part: the temporary file, in the same folder; None: beside `path`, for a single writer at a time.

    Raises:
        OSError: it cannot be written; `path` is unchanged.
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
    """Wait until a file's data is on disk.

    Raises:
        OSError: that fails.
    """
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def settle(folder: Path) -> None:
    """Sync a folder's entries, so that a new name survives a power cut; does nothing where the system or disk cannot.

    Raises:
        OSError: that fails.
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
