"""Counts a still table: what is on it, which piece is which, and which were thrown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from vision.candidate import Candidate
from vision.closer import look_for_faint
from vision.detect.boxes import Detection, overlap
from vision.detect.boxes import median as middle
from vision.photo import Photo
from vision.reading import Die, Doubt, Point, Quad, Reading, Tile
from vision.select import suppress_overlaps
from vision.watch.consensus import Sample, apart, joined, median
from vision.watch.events import Piece
from vision.watch.history import MotionHistory
from vision.watch.piece_size import PieceSize
from vision.watch.sampler import Sampler, pieces_of
from vision.watch.tracker import DOUBTLESS, SEEN_TO_COME, MotionEvidence, PieceTracker

_SAME_OVERLAP, _SAME_DISTANCE = 0.5, 0.5
"""Two detections are one thing if they overlap by more than the first share of the smaller, or if their centres are nearer than
the second over their size."""

_SEEN, _MAYBE = 0.25, 0.02
"""The detection score and the probability of a piece from which something that rolled to its place is a die, even if unreadable:
its top may be overexposed. With a lower score it is as often a shadow, with a lower probability light on the table."""
_AS_LARGE = 4 / 3
"""The largest ratio, either way, between its length and the others'."""

_UNSEEN = "Nobody watched these dice come to rest. If they were not thrown, leave them out."


class PieceCounter:
    """Counts the pieces of one table repeatedly. `pieces`: those of the last count; `rolls`: the number of rolls so far."""

    def __init__(self, sampler: Sampler, size: PieceSize) -> None:
        """Start with an unknown table."""
        self.pieces: tuple[Piece, ...] = ()
        self.rolls = 0
        self._sampler, self._size = sampler, size
        self._tracker = PieceTracker()
        self._doubtless: list[Candidate] = []

    def resume(self, pieces: Iterable[Piece], rolls: int) -> None:
        """Continue from pieces and a number of rolls counted before."""
        self.pieces, self.rolls = tuple(pieces), rolls
        self._tracker = PieceTracker(self.pieces)

    @property
    def on_table(self) -> list[Die | Tile]:
        """The pieces at the last count."""
        return self._tracker.on_table

    def knows(self, place: Quad) -> bool:
        """Whether a piece lay in this place at the last count; pixels of the frame."""
        return self._tracker.knows(place)

    def measure(self, sample: Sample) -> Sample:
        """Estimate the size of pieces from a sample, until a roll has been counted."""
        if not self.rolls:
            places = [(piece.detection.corners, piece.probability) for piece in sample.pieces]
            self._size.measure(places, sample.photo)
        return sample

    def count(self, samples: Sequence[Sample], history: MotionHistory, shift: Point) -> Reading:
        """Read the samples as one table, and update `pieces` and `rolls`.

        Args:
            samples: samples of the still table.
            history: the motion since the last count.
            shift: the camera's shift since the last count, in pixels of the frame.
        """
        reading = self._reading(samples, history)
        self.pieces = self._tracker.count(pieces_of(reading), history, shift)
        if thrown := [(each.piece.box, each.piece.presence) for each in self.pieces if each.thrown]:
            self._size.measure(thrown, samples[-1].photo)
            self.rolls += 1
        return with_doubts(reading, [Doubt("unseen-throw", _UNSEEN)]) if self._tracker.unseen else reading

    def _reading(self, samples: Sequence[Sample], history: MotionHistory) -> Reading:
        """The reading of the samples together, without what has been there all the time and is probably part of the table."""
        photo, reader = samples[-1].photo, self._sampler.reader
        candidates = self._completed(median(samples), photo, history)
        reading = reader.reading(photo, candidates)
        if pieces_of(reading) and (not reading.sure or look_for_faint(candidates, photo.pixels)):
            candidates = self._completed(joined(candidates, self._sampler.closely(samples)), photo, history)
            reading = reader.reading(photo, candidates)
        if fixtures := self._fixtures(reading, samples, history):
            found = [each.detection for each in candidates if each.detection.corners in fixtures]
            candidates = [
                each for each in candidates if not any(overlap(each.detection, one) > _SAME_OVERLAP for one in found)
            ]
            reading = reader.reading(photo, candidates)
        if not (self._tracker.begun or reading.sure):
            candidates = _first_roll(candidates, history)
            reading = reader.reading(photo, candidates)
        pieces = (each for each in suppress_overlaps(candidates) if each.is_piece)
        self._doubtless = [each for each in pieces if each.probability >= DOUBTLESS or each.rolled_in]
        return reading

    def _completed(self, candidates: list[Candidate], photo: Photo, history: MotionHistory) -> list[Candidate]:
        """The candidates, completed by what the watcher knows of the table: overlooked dice, and unreadable ones that rolled."""
        usual = self._size.usual * max(photo.width, photo.height)
        return with_unreadable(self._with_overlooked(candidates, history), history, usual)

    def _fixtures(self, reading: Reading, samples: Sequence[Sample], history: MotionHistory) -> list[Quad]:
        """The places of things that look like pieces but are part of the table."""
        seen = pieces_of(reading)
        misfits = self._size.misfits(seen, samples[-1].photo, guessed=not self.rolls)
        return [seen[j].box for j in {*self._tracker.lookalikes(seen, history), *misfits}]

    def _with_overlooked(self, candidates: list[Candidate], history: MotionHistory) -> list[Candidate]:
        """The candidates, and earlier ones beyond doubt that have lain still since and were not detected this time."""
        found = [each.detection for each in suppress_overlaps(candidates) if each.is_piece]
        overlooked = [
            each
            for each in self._doubtless
            if history.still(each.detection.corners)
            and not any(apart(each.detection, one) < _SAME_DISTANCE for one in found)
        ]
        return [*candidates, *overlooked]


def with_unreadable(candidates: Sequence[Candidate], history: MotionEvidence, usual: float) -> list[Candidate]:
    """The candidates, of which unreadable ones that rolled to their place are marked as dice (`Candidate.rolled_in`).

    They must be as large as those that count, or as `usual` (pixels), and touch no other: what came with a die and touches it is
    its shadow.
    """
    kept = suppress_overlaps(candidates)
    counted = [each.detection for each in kept if each.is_piece]
    side = middle(each.long_side for each in counted) if counted else usual
    rolled = [each for each in kept if _may_be_unreadable(each, counted, side) and _rolled(each, history)]
    return [replace(each, rolled_in=True) if each in rolled else each for each in candidates]


def _may_be_unreadable(candidate: Candidate, counted: Sequence[Detection], side: float) -> bool:
    """Whether it looks like an unreadable die: not like part of a counted die, or its shadow."""
    if candidate.is_piece or candidate.kind == "domino":
        return False
    found = candidate.detection
    likely = found.score >= _SEEN and candidate.probability >= _MAYBE
    as_large = side / _AS_LARGE <= found.long_side <= side * _AS_LARGE
    return likely and as_large and not any(overlap(found, other) > 0 for other in counted)


def _rolled(candidate: Candidate, history: MotionEvidence) -> bool:
    return history.arrival(candidate.detection.corners) == "rolled"


def _first_roll(candidates: Sequence[Candidate], history: MotionHistory) -> list[Candidate]:
    """The candidates of the first roll, on a doubtful table that was not counted before: those seen to arrive, and those beyond
    doubt.

    If none was seen to arrive, the pieces are more likely printed on the table than a roll: empty.
    """
    came = [each for each in candidates if history.arrival(each.detection.corners) in SEEN_TO_COME]
    if not any(each.is_piece for each in came):
        return []
    return [each for each in candidates if each in came or each.probability >= DOUBTLESS]


def with_doubts(reading: Reading, doubts: Iterable[Doubt]) -> Reading:
    """The reading with more doubts."""
    return replace(reading, doubts=(*reading.doubts, *doubts))
