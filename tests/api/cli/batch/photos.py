"""A folder of small photos, cheap to read: empty tables of many colours, and some that are no photos."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from api.cli.batch.task import Done
from api.cli.report.photos import Read, Unread
from api.interpret.score_request import Answer
from vision.photo import PhotoError
from vision.reading import Reading

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


def read(name: str) -> Done:
    """A result of a photo that was read, which takes no networks."""
    return Done(Read(Answer(Reading(name, "0" * 64, 64, 48, (), (), {}, {})), None), 0.5)


def unread(name: str) -> Done:
    """A result that takes no networks."""
    return Done(Unread(name, PhotoError("not-found", "There is no such file.")), 0.5)
