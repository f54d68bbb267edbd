"""Files readable only by their owner, for private keys."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path


def make(path: Path, data: bytes) -> None:
    """Create a file; if another process was faster, its file stays.

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
    """Write or replace a file atomically.

    Raises:
        OSError: it cannot be written.
    """
    os.replace(_written(path, data), path)
    _settle(path.parent)


def others_may_read(path: Path) -> bool:
    """Whether other users can read the file; always False on systems without POSIX permissions.

    Raises:
        OSError: the file does not exist.
    """
    return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def _written(path: Path, data: bytes) -> Path:
    """A complete temporary file next to the target."""
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
    """Sync the folder entry to disk."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
