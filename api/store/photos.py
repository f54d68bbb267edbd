"""Photos on disk, named by the SHA-256 of their bytes: never half written, and damage is noticed."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

from api.store.errors import Missing, StoreError
from api.store.faults import disk_fault

_NAME = re.compile(r"[0-9a-f]{64}")


class Photos:
    """A folder of photos: photos/ab/abcdef….bin.

    Attributes:
        folder: where they are.
    """

    def __init__(self, folder: Path) -> None:
        """Make the folder where it is not there.

        Raises:
            StoreError: "folder": it cannot be made or written to.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            raise StoreError("folder", f"Cannot write to the folder {folder}: {error.strerror or error}.") from error

    def put(self, data: bytes) -> str:
        """Keep a photo. When this returns, it is on the disk; the same bytes twice are one file.

        Returns:
            Its name: the SHA-256 of its bytes, in hexadecimals.

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
        """The bytes of a photo, as they were put.

        Raises:
            Missing: "no-photo".
            StoreError: "photo-damaged": the file has changed since; "photo-not-read": the disk does not give it.
        """
        if not self.has(name):
            raise Missing("no-photo", "There is no such photo here.")
        file = self._file(name)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise disk_fault(error, "photo-not-read", f"Cannot read {file}") from error
        if hashlib.sha256(data).hexdigest() != name:
            raise StoreError("photo-damaged", f"{file} was changed after it was written: its name does not fit.")
        return data

    def has(self, name: str) -> bool:
        """Whether a photo of that name is there; whether it is whole, `get` finds out."""
        return _NAME.fullmatch(name) is not None and self._file(name).is_file()

    def _file(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.bin"

    def _put(self, file: Path, data: bytes) -> None:
        file.parent.mkdir(exist_ok=True)
        # A damaged file is written anew.
        if not file.is_file() or file.read_bytes() != data:
            _write(file, data)
        # Also where it was there already: whoever wrote it may not have come this far.
        for folder in (file.parent, self.folder):
            _settle(folder)


def _write(file: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as part:
            part.write(data)
            part.flush()
            os.fsync(part.fileno())
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _settle(folder: Path) -> None:
    """The new name, too, must outlive a power cut."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
