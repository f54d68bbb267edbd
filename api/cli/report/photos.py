"""Many photos, one after another: what is in memory is one photo, however many there are."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from api.files.new_picture import keep
from api.files.photo_paths import STDIN, refuse_folder
from api.interpret.score_request import Answer, Question, answer, error_json
from vision.draw import annotate
from vision.photo import Photo, PhotoError, load
from vision.reader import TableReader


@dataclass(frozen=True, slots=True)
class Read:
    """A photo that was read, and where its annotated copy is, if one was asked for."""

    answer: Answer
    picture: Path | None

    def to_json(self) -> dict[str, object]:
        """The documented object of a reading."""
        return self.answer.to_json()


@dataclass(frozen=True, slots=True)
class Unread:
    """A photo that could not be read, and why."""

    photo: str
    error: PhotoError

    def to_json(self) -> dict[str, object]:
        """The documented object of a photo that cannot be read."""
        return {"photo": self.photo, "error": error_json(self.error)}


def read_each(
    reader: TableReader, names: Iterable[str], question: Question, pictures: Path | None = None
) -> Iterator[Read | Unread]:
    """Read the photos in turn; annotated copies go into the folder `pictures`.

    Raises:
        KeepError: an annotated copy cannot be written.
    """
    for name in names:
        try:
            yield _read(reader, name, question, pictures)
        except PhotoError as error:
            yield Unread(name, error)


def _read(reader: TableReader, name: str, question: Question, pictures: Path | None) -> Read:
    photo = _load(name)
    reading = reader.read(photo, question.expected)
    picture = keep(annotate(reading, photo.pixels), pictures, name) if pictures else None
    return Read(answer(reading, question), picture)


def _load(name: str) -> Photo:
    if name == STDIN:
        return load(sys.stdin.buffer, name=STDIN)
    refuse_folder(name)
    return load(name, name=name)
