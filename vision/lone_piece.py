"""One piece alone, about as high as wide: a die, or a domino that points at a camera low over the table.

From 30 degrees over the table a tile that lies along the camera's view looks as long as it is wide, and the detector takes it
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
"""The detector's score of the one piece,"""
_NOT_ALONE = 0.3
"""and of any other, with which it is not alone."""
_SAME = 0.5
"""The share of the smaller box from which two finds are one piece."""
_PLAIN = 0.9
"""How surely both ends can be read from which it may be a domino: the top and the front of a die seen from low can, too,"""
_NO_DIE = 0.002
"""but of such a die the network is surer that it is something; nearly no tile looks that much like a die."""


def lone_tile(
    detections: Sequence[Detection], dice: Sequence[Candidate], kinds: Collection[DieKind]
) -> list[Detection]:
    """The one piece of a photo, if it looks like a die, as a tile; nothing where there are others, or a tile was seen.

    Where dice are played with (`kinds`), it scores as little as can be, so that the die counts, and it only says that this may be
    a domino; nothing where the die, one of `dice`, is plainly one. Where none are, it can be nothing else, and counts.
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
    """A single die that can be read as a domino, end for end, and does not quite look like a die."""
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
