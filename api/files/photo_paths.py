"""Expands command-line arguments into a list of photos."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from vision.photo import PhotoError

STDIN = "-"
"""Argument for a photo on standard input."""

_READ = {".gif", ".heic", ".heif", ".hif", ".jfif", ".jpe", ".jpeg", ".jpg", ".png", ".webp"}
_PICTURES_NOT_READ = {".avif", ".bmp", ".cr2", ".cr3", ".dng", ".jxl", ".nef", ".pdf", ".psd", ".svg", ".tif", ".tiff"}
_LOOKED_AT = _READ | _PICTURES_NOT_READ
"""Suffixes of photos in folders: those that are read, and those that are not but must be reported."""


def gather(named: Iterable[str], *, skip: Path | None = None) -> list[str]:
    """Every photo in `named`: files as given, folders walked in sorted order and filtered by suffix.

    A folder without pictures stays in the list, to be reported by `check_no_folder`. Hidden files are skipped, and so is the
    folder `skip` (where annotated copies go).
    """
    kept_out = skip.resolve() if skip else None
    return [photo for name in named for photo in ((os.path.isdir(name) and _walk(name, kept_out)) or [name])]


def check_no_folder(name: str) -> None:
    """Raises `PhotoError` ("not-a-file", "no-permission") if there is a folder where a photo should be."""
    if not os.path.isdir(name):
        return
    if not os.access(name, os.R_OK | os.X_OK):
        raise PhotoError("no-permission", "No permission to open this folder. Change its permissions.")
    raise PhotoError("not-a-file", f"No photos in this folder: no file ends in {', '.join(sorted(_READ))}.")


def is_photo_name(path: str) -> bool:
    """Whether a file in a folder or pattern counts as a photo: by its suffix, and if it is not hidden."""
    name = os.path.basename(path)
    return not name.startswith(".") and os.path.splitext(name)[1].lower() in _LOOKED_AT


def _walk(folder: str, skip: Path | None) -> list[str]:
    return [photo for name in _entries(folder) for photo in _photos_at(os.path.join(folder, name), skip)]


def _entries(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except PermissionError:
        return []


def _photos_at(path: str, skip: Path | None) -> Iterator[str]:
    looked_at = is_photo_name(path)
    if not os.path.isdir(path):
        yield from [path] if looked_at else []
    elif not os.path.islink(path) and Path(path).resolve() != skip:
        yield from _walk(path, skip) or ([path] if looked_at else [])
