"""Finds photos in a folder by hash, regardless of their names."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from api.evidence.place import without_place
from vision.photo import DEFAULT_LIMITS, PhotoError


class FolderPhotos(Mapping[str, bytes]):
    """Photos by the SHA-256 of their stored form.

    Original photos from a phone match too: they are returned without location metadata, as when they were hashed.
    """

    def __init__(self, folder: Path, wanted: Collection[str]) -> None:
        """Search the folder and its subfolders.

        Raises:
            OSError: it, or something in it, cannot be read.
        """
        self._paths = {
            sha256: path
            for path in _files(folder)
            for sha256 in map(_hash, _ways(path.read_bytes()))
            if sha256 in wanted
        }

    def __getitem__(self, sha256: str) -> bytes:
        """The photo with this hash."""
        ways = _ways(self._paths[sha256].read_bytes())
        return next((data for data in ways if _hash(data) == sha256), b"")

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield from _files(path)
        elif path.is_file() and path.stat().st_size <= DEFAULT_LIMITS.max_bytes:
            yield path


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _ways(data: bytes) -> tuple[bytes, ...]:
    """The file as it is, and without location metadata."""
    try:
        return data, without_place(data)
    except PhotoError:
        return (data,)
