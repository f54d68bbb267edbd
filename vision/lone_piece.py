"""A single piece, about as high as wide: a die, or a domino that points at a camera low over the table.

From 30 degrees over the table a tile that lies along the viewing direction looks as long as it is wide, and the detector takes it
for a die (docs/decisions/0080).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from vision.candidate import Candidate
from vision.classify.dice import Face
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection, overlap
from vision.detect.detector import MIN_SCORE, outline
from vision.reading import DieKind, Doubt

_SEEN = 0.5
"""Least detection score of the single piece."""
_NOT_ALONE = 0.3
"""The score from which another detection means that the piece is not alone."""
_SAME = 0.5
"""The overlap, as a share of the smaller box, from which two detections are one piece."""
_PLAIN = 0.9
"""The probability of both ends from which it may be a domino: top and front of a die seen from low may reach it, too."""
_NO_DIE = 0.002
"""The probability of no die at all from which a die may be a domino: a real die has less, nearly every tile more."""


def lone_tile(
    detections: Sequence[Detection], dice: Sequence[Candidate], kinds: Collection[DieKind]
) -> list[Detection]:
    """The single piece of a photo as a tile, if it was detected as a die; empty if there are others, or a tile was detected.

    If dice are played with (`kinds`), the tile gets the lowest score, so that the die still counts and the tile only raises a
    doubt; it is left out if the die, one of `dice`, is plainly a die. If only dominoes are, the tile keeps its score and counts.
    """
    seen = [each for each in detections if each.score >= _NOT_ALONE]
    best = max(seen, key=lambda each: each.score, default=None)
    if best is None or best.score < _SEEN or best.shape != "die":
        return []
    if any(each.shape == "tile" or overlap(each, best) <= _SAME for each in seen):
        return []
    if kinds and not any(_may_be_none(each) for each in dice if each.detection.score >= _NOT_ALONE):
        return []
    score = MIN_SCORE if kinds else best.score
    return [replace(best, shape="tile", score=score, quad=outline((best.middle, (best.width, best.height), 0.0)))]


def maybe_lone_tile(dice: Sequence[Candidate], candidates: Sequence[Candidate]) -> Iterator[Doubt]:
    """A doubt about a single die whose two halves read as the ends of a domino, and that does not quite look like a die."""
    if len(dice) != 1 or not _may_be_none(dice[0]):
        return
    for each in candidates:
        if (
            isinstance(each.face, TileFace)
            and overlap(each.detection, dice[0].detection) > _SAME
            and _is_plain(each.face)
        ):
            first, second = each.face.ranked[0][0]
            message = (
                f"This may be the domino {first}-{second}, seen from low, rather than a die. Hold the camera higher."
            )
            yield Doubt("uncertain-piece", message, 0)
            return


def _may_be_none(die: Candidate) -> bool:
    return isinstance(die.face, Face) and die.face.nothing >= _NO_DIE


def _is_plain(face: TileFace) -> bool:
    return (1 - face.other) * (1 - face.back) * face.ranked[0][1] >= _PLAIN
