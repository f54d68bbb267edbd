"""A folder of pictures as the frames of a video."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from api.files.photo_paths import check_no_folder, gather
from api.film.input.source import Facts, SourceError
from api.film.input.timecode import Span
from vision.photo import PhotoError, Pixels, load
from vision.watch.events import Frame

_NUMBER = re.compile(r"(\d+)")


class Folder:
    """The pictures of a folder in natural order of their names.

    Raises:
        SourceError: the folder has no picture, or the first cannot be read.
    """

    def __init__(self, folder: Path, fps: float) -> None:
        self.path = folder
        self.rate = Fraction(fps).limit_denominator(1001)
        """Frames per second."""
        self.pixel = None
        self._files = sorted(gather([str(folder)]), key=_natural)
        if self._files == [str(folder)]:
            _check_permission(str(folder))
            raise SourceError("no-pictures", "This folder contains no pictures. Choose one that does.")
        height, width, _ = _pixels(self._files[0]).shape
        named = "\n".join([f"{fps}", *self._files])
        mark = hashlib.sha256(named.encode(errors="surrogateescape")).hexdigest()
        self.facts = Facts(str(folder), (width, height), len(self._files) / fps, live=False, mark=mark)

    def frames(self, span: Span, every: int = 1, after: int | None = None) -> Iterator[Frame]:
        """Every Nth picture of a part, see `Source.frames`.

        Raises:
            SourceError: a picture cannot be read, or differs in size from the first.
        """
        for number, file in enumerate(self._files):
            time = float(number / self.rate)
            if number % every == 0 and span.holds(time) and (after is None or number > after):
                yield Frame(self._sized(file), number, time)

    def moments(self, span: Span) -> list[float]:
        """Timestamps of the pictures of a part, in seconds."""
        times = [float(number / self.rate) for number in range(len(self._files))]
        return [time for time in times if span.holds(time)]

    def _sized(self, file: str) -> Pixels:
        pixels = _pixels(file)
        if pixels.shape[1::-1] != self.facts.size:
            raise SourceError(
                "bad-size", f"{file} differs in size from the pictures before it. Use pictures of one size."
            )
        return pixels


def _check_permission(folder: str) -> None:
    try:
        check_no_folder(folder)
    except PhotoError as error:
        if error.code == "no-permission":
            raise SourceError(error.code, error.message) from error


def _pixels(file: str) -> Pixels:
    try:
        return load(file).full()
    except PhotoError as error:
        raise SourceError("damaged", f"{file}: {error.message}") from error


def _natural(file: str) -> list[int | str]:
    return [int(part) if place % 2 else part for place, part in enumerate(_NUMBER.split(file))]
