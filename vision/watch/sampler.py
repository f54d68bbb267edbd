"""Runs the networks on single frames, and combines several samples of a still table into one reading."""

from __future__ import annotations

from collections.abc import Sequence

from vision.photo import Photo, of_frame
from vision.reader import TableReader
from vision.reading import Die, Reading, Tile
from vision.watch.consensus import Sample, median
from vision.watch.events import Frame
from vision.watch.motion import Thumbnail


class Sampler:
    """Takes samples. `read` counts the frames on which the networks ran."""

    def __init__(self, reader: TableReader) -> None:
        """Read with the reader's networks."""
        self.read = 0
        self.reader = reader

    def sample(self, frame: Frame, now: Thumbnail, before: Sequence[Sample], *, always_twice: bool) -> Sample:
        """A sample of a still table; after the first, on the crop around the pieces found in the sample before.

        `always_twice`: the first sample always takes two passes, for a piece may lie under a hand.
        """
        photo = self._photo(frame)
        if before:
            return Sample(now, photo, tuple(self.reader.candidates_near(photo, before[-1].candidates)))
        return Sample(now, photo, tuple(self.reader.candidates(photo, always_twice=always_twice)))

    def sample_fast(self, frame: Frame, now: Thumbnail) -> Sample:
        """A fast sample of a table in motion, which need not be right."""
        photo = self._photo(frame)
        return Sample(now, photo, tuple(self.reader.candidates_fast(photo, self.read)))

    def reading(self, samples: Sequence[Sample]) -> Reading:
        """The reading of the samples together."""
        return self.reader.reading(samples[-1].photo, median(samples))

    def _photo(self, frame: Frame) -> Photo:
        self.read += 1
        return of_frame(frame.pixels, f"frame {frame.number}")


def pieces_of(reading: Reading) -> tuple[Die | Tile, ...]:
    """The dice, then the tiles."""
    return (*reading.dice, *reading.tiles)
