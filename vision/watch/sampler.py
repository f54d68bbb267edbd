"""Runs the networks on single frames, and combines several samples of a still table into one reading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.candidate import Candidate
from vision.levels import levelled
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
        seen = levelled(photo)
        if before:
            return Sample(now, photo, tuple(self.reader.candidates_near(seen, before[-1].candidates)))
        return Sample(now, photo, tuple(self.reader.candidates(seen, always_twice=always_twice)))

    def sample_fast(self, frame: Frame, now: Thumbnail) -> Sample:
        """A fast sample of a table in motion, which need not be right."""
        photo = self._photo(frame)
        return Sample(now, photo, tuple(self.reader.candidates_fast(levelled(photo), self.read)))

    def reading(self, samples: Sequence[Sample]) -> Reading:
        """The reading of the samples together."""
        return self.reader.reading(samples[-1].photo, median(samples))

    def closely(self, samples: Sequence[Sample]) -> list[Candidate]:
        """The candidates of all passes over the mean of the samples' frames, as in a photo (docs/decisions/0083)."""
        self.read += 1
        photo = levelled(stacked([sample.photo for sample in samples]))
        return [*self.reader.closer(photo, self.reader.candidates(photo)).candidates]

    def _photo(self, frame: Frame) -> Photo:
        self.read += 1
        return of_frame(frame.pixels, f"frame {frame.number}")


def stacked(photos: Sequence[Photo]) -> Photo:
    """The mean of photos of one still scene, all of one size; of n photos, noise has a standard deviation sqrt(n) times lower."""
    total = np.zeros(photos[0].pixels.shape, np.uint16)  # enough for 257 photos, with a quarter of the memory of floats
    for photo in photos:
        total += photo.pixels
    return of_frame(np.asarray((total + len(photos) // 2) // len(photos), np.uint8), photos[-1].name)


def pieces_of(reading: Reading) -> tuple[Die | Tile, ...]:
    """The dice, then the tiles."""
    return (*reading.dice, *reading.tiles)
