"""Lock files: one command on this computer at a time uses a file or folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout


class LockedError(Exception):
    """Another command holds the lock."""


@contextmanager
def only_writer(path: Path, refusal: Exception) -> Iterator[None]:
    """Hold the lock of a file's only writer: two writers would truncate and overwrite each other's data.

    Raises:
        refusal: another command writes it.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(held(path.with_name(f"{path.name}.lock")))
        except LockedError as error:
            raise refusal from error
        except OSError:  # no lock can be created there; if the file cannot be either, its writer reports it
            pass
        yield


@contextmanager
def held(file: Path, *, mode: int = 0o644, stays: bool = False) -> Iterator[bool]:
    """Hold a lock.

    Args:
        file: of the lock.
        mode: of the file.
        stays: keep the lock file afterwards. Removing it has a race: a process that opened it just before, and another that
            creates a new one, could both hold a lock. In a folder that people look into, a clean folder matters more; not
            for a server.

    Yields:
        Whether others are locked out: some file systems have no locks.

    Raises:
        LockedError: another command holds it.
        OSError: the file cannot be created.
    """
    file.touch(mode)  # if it cannot be created, FileLock would wait for it
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
        if not stays:
            with suppress(OSError):  # before the release: nobody else can have it yet
                file.unlink()
        lock.release()
