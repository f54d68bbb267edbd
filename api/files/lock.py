"""Lock files: of all commands on this computer, one at a time works at a place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout


class LockedError(Exception):
    """Another command holds the lock."""


@contextmanager
def held(file: Path, *, mode: int = 0o644) -> Iterator[bool]:
    """Hold a lock, whose file is removed in the end.

    Args:
        file: of the lock.
        mode: of the file.

    Yields:
        Whether anybody is kept out: some disks know no locks.

    Raises:
        LockedError: another command holds it.
        OSError: the file cannot be made.
    """
    file.touch(mode)  # where it cannot be made, FileLock would wait for it
    lock = FileLock(file, timeout=0, mode=mode)
    try:
        lock.acquire()
    except Timeout as error:
        raise LockedError(str(file)) from error
    except NotImplementedError:
        yield False
        return
    try:
        yield True
    finally:
        with suppress(OSError):  # before it is released: nobody else can have it yet
            file.unlink()
        lock.release()
