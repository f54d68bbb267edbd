"""Lock files: of all commands on this computer, one at a time works at a place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout


class LockedError(Exception):
    """Another command holds the lock."""


@contextmanager
def only_writer(path: Path, refusal: Exception) -> Iterator[None]:
    """Be the one command that writes a file: two would cut off and overwrite what the other has written.

    Raises:
        refusal: another command writes it.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(held(path.with_name(f"{path.name}.lock")))
        except LockedError as error:
            raise refusal from error
        except OSError:  # no lock can be there; whether the file can be, its writer says
            pass
        yield


@contextmanager
def held(file: Path, *, mode: int = 0o644, stays: bool = False) -> Iterator[bool]:
    """Hold a lock.

    Args:
        file: of the lock.
        mode: of the file.
        stays: the file is not removed in the end. Who opens it in the moment before that, and a third who makes another, could
            both hold a lock: where people look into the folder they are better off without the file, a server is not.

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
        if not stays:
            with suppress(OSError):  # before it is released: nobody else can have it yet
                file.unlink()
        lock.release()
