"""Files that only their owner may read: private keys."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path


def make(path: Path, data: bytes) -> None:
    """Write a file that is not there yet; has another process been quicker, its file stays.

    Raises:
        OSError: it cannot be written.
    """
    part = _written(path, data)
    try:
        os.link(part, path)
    except FileExistsError:
        return
    finally:
        part.unlink(missing_ok=True)
    _settle(path.parent)


def replace(path: Path, data: bytes) -> None:
    """Write the file, in the place of one that may be there; nobody ever sees half of it.

    Raises:
        OSError: it cannot be written.
    """
    os.replace(_written(path, data), path)
    _settle(path.parent)


def others_may_read(path: Path) -> bool:
    """Whether the file's rights let anybody else in; always False where rights are not POSIX's.

    Raises:
        OSError: it is not there.
    """
    return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def _written(path: Path, data: bytes) -> Path:
    """A whole file beside the one that is meant."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def _settle(folder: Path) -> None:
    """Have the folder's new entry on the disk too."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
