"""Photos named by SHA-256, written atomically and checked for damage: in a folder beside SQLite, else in the database.

Why not in an object store: `docs/decisions/0033-photos-of-several-servers.md`.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sqlalchemy import Engine, select
from sqlalchemy.dialects.postgresql import insert

from api.files import private_file
from api.files.whole_file import settle
from api.store import tables
from api.store.database import reading, writing
from api.store.errors import Missing, StoreError
from api.store.faults import disk_fault

_NAME = re.compile(r"[0-9a-f]{64}")


class Photos(Protocol):
    """Where photos are kept. Thread-safe."""

    def put(self, data: bytes) -> str:
        """Store a photo. It is on disk when this returns; equal photos are stored once.

        Returns:
            Its name: the SHA-256 of its bytes, hexadecimal.

        Raises:
            StoreError: it could not be stored.
        """

    def get(self, name: str) -> bytes:
        """The bytes of a photo.

        Raises:
            Missing: "no-photo".
            StoreError: "photo-damaged": it has changed since; or it could not be read.
        """

    def has(self, name: str) -> bool:
        """Whether a photo exists; only `get` checks that it is intact.

        Raises:
            StoreError: the database cannot be read.
        """

    def names(self) -> Iterator[str]:
        """The names of all photos.

        Raises:
            StoreError: the database cannot be read.
        """


class FolderPhotos:
    """A folder of photos: photos/ab/abcdef….bin.

    Attributes:
        folder: of the photos.
    """

    def __init__(self, folder: Path) -> None:
        """Create the folder if needed.

        Raises:
            StoreError: "folder": it cannot be created or written to.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            raise StoreError("folder", f"Cannot write to the folder {folder}: {error.strerror or error}.") from error

    def put(self, data: bytes) -> str:
        """Store a photo. It is on disk when this returns; equal photos share one file.

        Returns:
            Its name: the SHA-256 of its bytes, hexadecimal.

        Raises:
            StoreError: "disk-full", "read-only", "photo-not-written".
        """
        name = hashlib.sha256(data).hexdigest()
        try:
            self._put(self._file(name), data)
        except OSError as error:
            raise disk_fault(error, "photo-not-written", f"Cannot write a photo to {self.folder}") from error
        return name

    def get(self, name: str) -> bytes:
        """The bytes of a photo.

        Raises:
            Missing: "no-photo".
            StoreError: "photo-damaged": the file has changed since; "photo-not-read": the disk cannot read it.
        """
        if not self.has(name):
            raise Missing("no-photo", "Unknown photo.")
        file = self._file(name)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise disk_fault(error, "photo-not-read", f"Cannot read {file}") from error
        if hashlib.sha256(data).hexdigest() != name:
            raise StoreError("photo-damaged", f"{file} was changed after it was written: its hash does not match.")
        return data

    def has(self, name: str) -> bool:
        """Whether a photo exists; only `get` checks that it is intact."""
        return _NAME.fullmatch(name) is not None and self._file(name).is_file()

    def names(self) -> Iterator[str]:
        """The names of all photos."""
        return (file.stem for file in self.folder.glob("*/*.bin"))

    def _file(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.bin"

    def _put(self, file: Path, data: bytes) -> None:
        file.parent.mkdir(exist_ok=True)
        # A damaged file is replaced.
        if not file.is_file() or file.read_bytes() != data:
            private_file.replace(file, data)
        else:  # its writer may not have synced it yet
            settle(file.parent)
        settle(self.folder)


class DatabasePhotos:
    """Photos in PostgreSQL, so that every server has them; photos of an earlier version are read from the folder."""

    def __init__(self, engine: Engine, earlier: FolderPhotos) -> None:
        self._engine, self._earlier = engine, earlier

    def put(self, data: bytes) -> str:
        """As `Photos.put`.

        Raises:
            StoreError: "database-trouble".
        """
        table, name = tables.photos, hashlib.sha256(data).hexdigest()
        added = insert(table).values(name=name, data=data)
        # A damaged one is replaced.
        mended = added.on_conflict_do_update(
            index_elements=[table.c.name], set_={"data": added.excluded.data}, where=table.c.data != added.excluded.data
        )
        with writing(self._engine) as connection:
            connection.execute(mended)
        return name

    def get(self, name: str) -> bytes:
        """As `Photos.get`.

        Raises:
            Missing: "no-photo".
            StoreError: "photo-damaged", "database-trouble"; for a photo of an earlier version, as in `FolderPhotos.get`.
        """
        data = None
        if _NAME.fullmatch(name):
            with reading(self._engine) as connection:
                data = connection.scalar(select(tables.photos.c.data).where(tables.photos.c.name == name))
        if data is None:
            return self._earlier.get(name)
        if hashlib.sha256(data).hexdigest() != name:
            raise StoreError("photo-damaged", f"The photo {name} was changed in the database: its hash does not match.")
        return bytes(data)

    def has(self, name: str) -> bool:
        """As `Photos.has`.

        Raises:
            StoreError: "database-trouble".
        """
        if not _NAME.fullmatch(name):
            return False
        with reading(self._engine) as connection:
            found = connection.scalar(select(tables.photos.c.name).where(tables.photos.c.name == name))
        return found is not None or self._earlier.has(name)

    def names(self) -> Iterator[str]:
        """The names of all photos.

        Raises:
            StoreError: "database-trouble".
        """
        with reading(self._engine) as connection:
            stored = set(connection.scalars(select(tables.photos.c.name)))
        yield from stored
        yield from (name for name in self._earlier.names() if name not in stored)
