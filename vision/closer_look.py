"""Further detector passes over one photo, for pieces that are in doubt or were missed: enlarged, stretched or seen from above.

`vision.closer` decides what is worth such a pass, and which of its detections count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vision import closer
from vision.candidate import Candidate
from vision.classify.dice import DIE_KINDS
from vision.detect.boxes import KINDS, Detection
from vision.detect.detector import Detector
from vision.expected import Expected
from vision.one_table import OneTable
from vision.photo import Photo
from vision.plane import Plane, plane_of
from vision.slant import lies_flat, stretch_of
from vision.tile_colours import of_one_colour, worth_a_look, worth_reading


class Classify(Protocol):
    """The function that classifies detections: `TableReader._classify`."""

    def __call__(
        self,
        photo: Photo,
        detections: Sequence[Detection],
        expected: Expected | None,
        *,
        search: bool,
        at: Detection | None = None,
    ) -> list[Candidate]:
        """The detections with their faces; `search`: also search for pieces of profiles that the detector does not see; `at`:
        only tiles that overlap this one.
        """


class CloserLook:
    """Looks again at one photo."""

    def __init__(self, photo: Photo, detector: Detector, classify: Classify, expected: Expected | None) -> None:
        """`expected`: the pieces that the game expects on this table; None: all kinds of piece, in any number."""
        self._photo = photo
        self._detector = detector
        self._classify = classify
        self._expected = expected
        self._pieces = KINDS if expected is None else expected.looked_for

    def at(self, candidates: Sequence[Candidate]) -> OneTable:
        """The table after all further passes: doubtful tiles with their closer look, and missed pieces that were found there."""
        candidates = [*candidates, *self._missed_dice(candidates)]
        if not any(each.is_piece for each in candidates):
            candidates = [*candidates, *self._in_the_middle(candidates)]
        table = OneTable(candidates, self._expected)
        if "domino" not in self._pieces or closer.dice_alone(table.kept):
            return table
        stretch, plane = self._seen_at(candidates)
        candidates = self._tiles_closer(candidates, stretch, plane)
        if stretch is None:
            # Tiles that count only after the closer look help to estimate the slant, too.
            stretch, plane = self._seen_at(candidates)
            if stretch is not None:
                candidates = self._tiles_closer(candidates, stretch, plane)
        return OneTable(candidates, self._expected)

    def _missed_dice(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The dice that were missed, but are plain once the contrast is equalised or the picture is enlarged."""
        if not set(self._pieces) & set(DIE_KINDS):
            return []
        picture, missed = self._photo.pixels, list[Detection]()
        if closer.look_for_faint(candidates, picture):
            missed += closer.missed_dice(self._detector.look_for_faint(picture), candidates)
        if closer.look_for_small(candidates, picture):
            missed += closer.missed_small(self._detector.look_for_small(picture), candidates, picture)
        return closer.plainly_dice(self._read(missed), candidates, self._photo.pixels)

    def _in_the_middle(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The pieces that are plain in a central crop of the picture, or of what looks like a large die."""
        picture = self._photo.pixels
        for part in closer.middles(picture, candidates):
            found = self._read(self._detector.look_in(picture, part))
            if plain := closer.beyond_question(part, found, picture):
                return plain
        return []

    def _seen_at(self, candidates: Sequence[Candidate]) -> tuple[float | None, Plane | None]:
        """The stretch that makes tiles look as from above (None if no tile tells, or it is not worth while), and the plane of the
        table, if several tiles tell.
        """
        telling = closer.telling(self._kept(candidates), dominoes=self._expected is not None)
        tiles = [each.detection.corners for each in telling]
        stretch, plane = stretch_of(tiles), plane_of(tiles, self._photo.pixels.shape)
        return (plane.stretch if stretch is None and plane is not None and plane.certain else stretch), plane

    def _tiles_closer(
        self, candidates: Sequence[Candidate], stretch: float | None, plane: Plane | None
    ) -> list[Candidate]:
        """The candidates, with doubtful tiles as their closer look shows them, and missed tiles added."""
        picture = self._photo.pixels
        candidates = [*candidates, *(self._as_from_above(stretch, plane) if stretch is not None else ())]
        kept = self._kept(candidates)
        missed = closer.missed(self._detector.look_again(picture, closer.OTHER_SIZE, stretch), kept)
        seen = of_one_colour(self._read(closer.best(worth_reading(missed, kept, picture))), kept)
        for tile in worth_a_look([*closer.doubtful(kept), *closer.likely(seen)], kept):
            if (part := closer.part_around(picture, tile.detection)) is not None:
                nearer = _tiles(self._detector.look_in(picture, part, stretch))
                candidates = closer.confirmed(candidates, tile, self._read(nearer, at=tile.detection))
        return candidates

    def _as_from_above(self, stretch: float, plane: Plane | None) -> list[Candidate]:
        """The tiles that the detector finds in the stretched picture, and in the one warped to a view from above."""
        picture = self._photo.pixels
        found = [
            *self._detector.detect_stretched(picture, stretch),
            *self._detector.look_again(picture, closer.LARGER, stretch),
        ]
        flat = [each for each in self._read(_tiles(found)) if lies_flat(each.detection.corners, stretch)]
        if plane is None:
            return flat
        more = self._read(self._detector.look_from_above(picture, plane))
        return [*flat, *(each for each in more if closer.is_clear(each) and plane.lies_flat(each.detection.corners))]

    def _read(self, detections: Sequence[Detection], *, at: Detection | None = None) -> list[Candidate]:
        return self._classify(self._photo, detections, self._expected, search=False, at=at) if detections else []

    def _kept(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that remain after overlaps are suppressed."""
        return OneTable(candidates, self._expected).kept


def _tiles(found: Sequence[Detection]) -> list[Detection]:
    return [each for each in found if each.shape == "tile"]
