"""Files readable only by their owner, such as private keys and photos."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from api.files import whole_file


def make(path: Path, data: bytes) -> None:
    """Create a file; if another process was faster, its file stays.

    Raises:
        OSError: it cannot be written.
    """
    part = _part_of(path)
    try:
        _write(part, data)
        whole_file.sync(part)
        os.link(part, path)
    except FileExistsError:
        return
    finally:
        part.unlink(missing_ok=True)
    whole_file.settle(path.parent)


def replace(path: Path, data: bytes) -> None:
    """Write or replace a file atomically.

    Raises:
        OSError: it cannot be written.
    """
    with whole_file.replacing(path, _part_of(path)) as part:
        _write(part, data)


def others_may_read(path: Path) -> bool:
    """Whether other users can read the file; always False on systems without POSIX permissions.

    Raises:
        OSError: the file does not exist.
    """
    return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def _part_of(path: Path) -> Path:
    """A new name next to the target, for several processes may write it at once; its folder is created."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")


def _write(part: Path, data: bytes) -> None:
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
