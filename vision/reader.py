"""A photo read: locate the dice, read every face, doubt what is not certain."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence

from models import Manifest, load_manifest
from vision.colour import colour_of
from vision.doubt import Belief, Candidate, doubts_of, keep_one_of_each
from vision.faces import FaceReader
from vision.locate import Find, Locator
from vision.photo import Photo, Pixels
from vision.reading import Die, Quad, Reading

_SMALL = 90
"""A die with fewer pixels than this (longer side) is read from the full photo if the working picture was shrunk."""


class TableReader:
    """Reads photos of tables. Opening it loads the networks (some 100 ms); one reader serves any number of photos.

    `read` may be called from several threads.
    """

    def __init__(self, manifest: Manifest | None = None) -> None:
        """Open the networks of `manifest`, by default the installed ones.

        Raises:
            models.ModelError: a network file is missing or damaged.
        """
        self._manifest = manifest or load_manifest()
        self._locator = Locator(self._manifest["locator"])
        self._faces = FaceReader(self._manifest["faces"])
        self._belief = Belief.of(self._manifest["faces"].calibration)

    def read(self, photo: Photo) -> Reading:
        """Every die in the photo with its value, and the doubts."""
        start = time.perf_counter()
        finds = self._locator.find(photo.pixels)
        located = time.perf_counter()
        candidates = keep_one_of_each(self._read_faces(photo, finds))
        dice = _in_reading_order([candidate for candidate in candidates if candidate.is_die])
        rejected = [candidate for candidate in candidates if not candidate.is_die]
        end = time.perf_counter()
        return Reading(
            photo=photo.name,
            sha256=photo.sha256,
            width=photo.width,
            height=photo.height,
            dice=tuple(_die(photo, candidate) for candidate in dice),
            doubts=tuple(doubts_of(photo, dice, rejected)),
            models=self._manifest.hashes,
            timings_ms={
                "locate": 1000 * (located - start),
                "read": 1000 * (end - located),
                "total": 1000 * (end - start),
            },
        )

    def _read_faces(self, photo: Photo, finds: Sequence[Find]) -> list[Candidate]:
        full = functools.cache(photo.full)  # decoded at most once, and only if a small die asks for it
        faces = self._faces.read([_sharpest(photo, find, full) for find in finds])
        return [Candidate(find, face, self._belief) for find, face in zip(finds, faces, strict=True)]


def _sharpest(photo: Photo, find: Find, full: Callable[[], Pixels]) -> tuple[Pixels, Find]:
    """The picture with the most pixels worth having for this find, and the find in that picture's pixels."""
    if photo.scale == 1 or max(find.width, find.height) >= _SMALL:
        return photo.pixels, find
    return full(), find.scaled(photo.scale)


def _in_reading_order(dice: Sequence[Candidate]) -> list[Candidate]:
    """Rows from the top, each from left to right; a row is as high as half a die."""
    rows: list[list[Candidate]] = []
    for die in sorted(dice, key=lambda die: die.find.middle[1]):
        if rows and die.find.middle[1] - rows[-1][0].find.middle[1] < die.find.height / 2:
            rows[-1].append(die)
        else:
            rows.append([die])
    return [die for row in rows for die in sorted(row, key=lambda die: die.find.middle[0])]


def _die(photo: Photo, candidate: Candidate) -> Die:
    (value, _), *_ = ranked = candidate.face.ranked
    return Die(
        value=value,
        confidence=candidate.confidence,
        alternatives=ranked,
        box=_corners(candidate.find.scaled(photo.scale)),
        colour=colour_of(photo.pixels, candidate.find),
    )


def _corners(find: Find) -> Quad:
    return ((find.left, find.top), (find.right, find.top), (find.right, find.bottom), (find.left, find.bottom))
