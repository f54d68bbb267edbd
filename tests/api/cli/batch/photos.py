"""A folder of small photos, cheap to read: empty tables of many colours, and some that are no photos."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from api.cli.batch.task import Done
from api.cli.report.photos import Unread
from vision.photo import PhotoError

DAMAGED = b"this is no picture"


def tables(folder: Path, count: int, damaged: Sequence[int] = ()) -> list[str]:
    """So many photos, and at these places files that are none; their names in order."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for number in range(count):
        file = folder / f"IMG_{number:04}.png"
        if number in damaged:
            file.write_bytes(DAMAGED)
        else:
            Image.new("RGB", (64, 48), (number % 256, number // 256, 99)).save(file)
        names.append(str(file))
    return names


def unread(name: str) -> Done:
    """A result that takes no networks."""
    return Done(Unread(name, PhotoError("not-found", "There is no such file.")), 0.5)
