"""A second detector confirms the first: where no piece that counts is sure, what the second does not see gets the lowest score
(docs/decisions/0066).

Both make false detections, but rarely the same ones: the first one's on photos without pieces get almost no score from the
second, and real pieces get 0.5 or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models import ModelFile
from vision.candidate import Candidate
from vision.closer import part_around
from vision.detect.boxes import Detection, overlap
from vision.detect.detector import MIN_SCORE, Detector
from vision.one_table import OneTable
from vision.photo import Pixels

_SURE = 0.9
"""One piece of this confidence is enough: then no piece on its table needs a witness."""
_SEEN, _SEEN_NEAR = 0.1, 0.5
"""The second detector's score from which it sees a piece in the whole picture; and in a crop around it, if it does not see it in
the whole: so enlarged, parts of circuit boards score up to 0.4."""
_SAME = 0.5
"""Least overlap of both detections, as a share of the smaller outline; their shapes may differ."""


class Witness:
    """Checks pictures in which pieces count, but none is sure, with a second detector."""

    def __init__(self, model: ModelFile) -> None:
        """The network is opened when it is first needed.

        Raises:
            models.ModelError: its file is missing or damaged.
        """
        self._detector = Detector(model)

    def confirmed(self, picture: Pixels, table: OneTable) -> OneTable:
        """The table; if no piece on it is sure, candidates that the second detector does not see get the lowest score.

        Those count only if they are read beyond question.

        A piece that a profile recognises needs no witness: the networks were not trained on it.
        """
        counted = [each for each in table.kept if each.is_piece]
        if not counted or any(each.confidence >= _SURE or each.face.profile for each in counted):
            return table
        seen = [each for each in self._detector.detect(picture, always_twice=True) if each.score >= _SEEN]
        for piece in counted:
            if not _is_seen(piece.detection, seen):
                seen += self._near(picture, piece.detection)
        candidates = [each if _is_seen(each.detection, seen) else _unseen(each) for each in table.candidates]
        return replace(table, candidates=candidates)

    def _near(self, picture: Pixels, piece: Detection) -> list[Detection]:
        """The plain detections in a crop around a piece."""
        if (part := part_around(picture, piece)) is None:
            return []
        return [each for each in self._detector.look_in(picture, part) if each.score >= _SEEN_NEAR]


def _is_seen(piece: Detection, seen: Sequence[Detection]) -> bool:
    return any(overlap(piece, each) >= _SAME for each in seen)


def _unseen(candidate: Candidate) -> Candidate:
    least = min(candidate.detection.score, MIN_SCORE)
    return replace(candidate, detection=replace(candidate.detection, score=least))
