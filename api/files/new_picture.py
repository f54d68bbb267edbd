"""Writes annotated pictures: never overwrites a file, never leaves a partial one."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image


class PictureFileError(Exception):
    """A picture could not be written; the message says where and why."""


def keep(picture: Image, folder: Path, photo: str) -> Path:
    """Write `picture` into `folder` as `<photo's stem>-read.jpg`, or `-read-2.jpg` and so on if the name is taken.

    Raises:
        PictureFileError: the folder cannot be created or written to, or the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = _claim(folder, Path(photo).stem.strip("-.")[:80] or "photo")
        with _gone_unless_finished(target):
            _write(picture, target)
    except FileExistsError as error:
        raise PictureFileError(f"Cannot write a picture to {folder}: it is no folder. Name another.") from error
    except OSError as error:
        raise PictureFileError(f"Cannot write a picture to {folder}: {error.strerror or error}.") from error
    return target


def _write(picture: Image, target: Path) -> None:
    import tempfile  # most readings write no picture, and this import takes 10 ms

    handle, name = tempfile.mkstemp(dir=target.parent, suffix=".part")
    with _gone_unless_finished(Path(name)):
        with os.fdopen(handle, "wb") as file:
            picture.save(file, "JPEG", quality=90)
        # mkstemp's file is private; the claimed one follows the umask.
        os.chmod(name, target.stat().st_mode)
        os.replace(name, target)


@contextmanager
def _gone_unless_finished(file: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _claim(folder: Path, stem: str) -> Path:
    """Create an empty file to claim a free name."""
    names = itertools.chain([f"{stem}-read.jpg"], (f"{stem}-read-{number}.jpg" for number in itertools.count(2)))
    return next(target for name in names if _created(target := folder / name))


def _created(target: Path) -> bool:
    try:
        target.open("xb").close()
    except FileExistsError:
        return False
    return True
