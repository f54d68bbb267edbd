"""In which order files come to rest on the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


def steps_of(write: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a write does: the suffixes of the files that it syncs, "folder", and "rename", in their order."""
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def told_fsync(handle: int) -> None:
        synced = Path(f"/proc/self/fd/{handle}").resolve()
        steps.append("folder" if synced.is_dir() else synced.suffix)
        fsync(handle)

    def told_replace(old: str, new: Path) -> None:
        steps.append("rename")
        replace(old, new)

    with monkeypatch.context() as told:
        told.setattr(os, "fsync", told_fsync)
        told.setattr(os, "replace", told_replace)
        write()
    return steps
