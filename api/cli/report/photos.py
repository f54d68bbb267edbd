"""Reads photos one after another, with one photo in memory at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from api.files.addresses import is_address, opened
from api.files.new_picture import keep
from api.files.photo_paths import STDIN, check_no_folder
from api.interpret.score_request import Answer, ScoreRequest, answer, error_json
from vision.photo import Photo, PhotoError, load
from vision.reader import TableReader
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Read:
    """A photo that was read, and the path of its annotated copy, if requested."""

    answer: Answer
    picture: Path | None

    def to_json(self) -> dict[str, object]:
        """The reading as documented JSON."""
        return self.answer.to_json()


@dataclass(frozen=True, slots=True)
class Unread:
    """A photo that could not be read, and why."""

    photo: str
    error: PhotoError

    def to_json(self) -> dict[str, object]:
        """The error as documented JSON."""
        return {"photo": self.photo, "error": error_json(self.error)}


def read_each(
    reader: TableReader, names: Iterable[str], request: ScoreRequest, pictures: Path | None = None
) -> Iterator[Read | Unread]:
    """Read the photos in order; annotated copies go into the folder `pictures`.

    Raises:
        PictureFileError: an annotated copy cannot be written.
    """
    for name in names:
        yield read_one(reader, name, request, pictures)


def read_one(reader: TableReader, name: str, request: ScoreRequest, pictures: Path | None = None) -> Read | Unread:
    """Read a photo; its annotated copy goes into the folder `pictures`.

    Raises:
        PictureFileError: the annotated copy cannot be written.
    """
    try:
        return _read(reader, name, request, pictures)
    except PhotoError as error:
        return Unread(name, error)


def _read(reader: TableReader, name: str, request: ScoreRequest, pictures: Path | None) -> Read:
    photo = _load(name)
    reading = reader.read(photo, request.expected)
    return Read(answer(reading, request), _annotated(reading, photo, pictures, name) if pictures else None)


def _annotated(reading: Reading, photo: Photo, folder: Path, name: str) -> Path:
    from vision.draw import annotate  # loads text drawing, which most readings do not need

    return keep(annotate(reading, photo.pixels), folder, name)


def _load(name: str) -> Photo:
    if name == STDIN:
        return load(sys.stdin.buffer, name=STDIN)
    if is_address(name):
        return load(opened(name), name=name)
    check_no_folder(name)
    return load(name, name=name)
