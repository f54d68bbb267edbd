"""What may be a piece: a detection with its classifier's answer and the calibrated probability that it is a piece."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from vision.classify.colour import Lab
from vision.classify.dice import Face
from vision.classify.pairs import Whole
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection, Kind

_MIN_TILE, _MIN_LONE_TILE = 0.35, 0.6
"""Confidence below which a tile is reported as a doubt and not counted, because its ends are a guess. The second holds where no
game was named and no tile on the table is sure: keyboards, chessboards and playing cards have much that looks like a tile, but
never a sure one; a table of dominoes nearly always has one."""
_SURE_TILE = 0.85
"""Confidence from which a tile vouches for those beside it."""
_PLAIN = 0.95
"""The classifier's probability from which a tile among dominoes counts despite a low detection score: table, print and the gap
between two tiles seldom reach it. Such a tile still gets a doubt, like every piece that is not sure."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Turns both networks' scores into the probability that a detection is a piece of its kind: logistic regression on log odds.

    `back` is the weight of a tile that shows its back, `blank` that of one with two blank ends: both look as plain as bare table.
    Fitted on pictures held out from training (`python -m datasets.train.calibrate`).
    """

    detector: float = 0.7
    classifier: float = 0.7
    offset: float = 0.5
    back: float = 0.0
    blank: float = 0.0

    @classmethod
    def of(cls, calibration: Mapping[str, float]) -> Calibration:
        """From the manifest's numbers."""
        names = {part.name for part in fields(cls)}
        return cls(**{name: value for name, value in calibration.items() if name in names})

    def probability(self, detection: Detection, face: Face | TileFace) -> float:
        """The probability that the detection is a piece of its kind, 0..1."""
        weights = (self.detector, self.classifier, self.back, self.blank)
        odds = sum(w * e for w, e in zip(weights, evidence(detection, face), strict=True)) + self.offset
        return share_of(odds)


def evidence(detection: Detection, face: Face | TileFace) -> tuple[float, float, float, float]:
    """The features of the calibration: the log odds of the detector and of the classifier, and the probabilities of a tile's back
    and of a tile with two blank ends.

    A tile's log odds include how clearly both ends are read: print that looks like a tile seldom has clear pips. For dice this is
    left out: numerals are hard to read even on real ones.
    """
    if not isinstance(face, TileFace):
        return log_odds(detection.score), log_odds(1 - face.other), 0.0, 0.0
    plain = face.back + (1 - face.back) * max(face.first) * max(face.second)
    blank = (1 - face.back) * face.first[0] * face.second[0]
    return log_odds(detection.score), log_odds((1 - face.other) * plain), face.back, blank


def log_odds(p: float) -> float:
    """The natural log of p / (1 - p), kept within +-7."""
    p = min(0.9991, max(0.0009, p))
    return math.log(p / (1 - p))


def share_of(odds: float) -> float:
    """The probability, 0..1, of natural log odds."""
    return 1 / (1 + math.exp(-odds))


@dataclass(frozen=True)
class Candidate:
    """A detection with its classifier's answer.

    It has no slots because it caches its properties: suppressing overlaps asks for each a dozen times.
    """

    detection: Detection
    face: Face | TileFace
    calibration: Calibration
    ends_as_dice: tuple[Face, Face] | None = None
    """Of a tile where dice may be used too: what each end shows if the tile is really two touching dice."""
    whole: Whole | None = None
    """Of such a tile: whether its whole crop looks like dice (`vision.classify.pairs`); None: not computed."""
    ground: Lab | None = None
    """Of a tile: its background colour (`vision.classify.colour.ground_of`); None: not measured."""
    alone: bool = False
    """Of a tile: whether nothing else says that there are dominoes on the table."""
    found_late: bool = False
    """Whether the first pass missed it and a later one found it: with contrast equalised, at a larger scale, or in a crop."""
    context_penalty: float = 0.0
    """Log odds it loses because of the other pieces: a die of another size than the rest (`vision.die_sizes`), or a tile among
    dice (`vision.flush_dice`)."""
    rolled_in: bool = False
    """Of a die: whether a video shows it rolling to its place. Then it counts even if it cannot be read."""

    @property
    def kind(self) -> Kind:
        """The kind of piece it may be."""
        return self.face.kind if isinstance(self.face, Face) else "domino"

    @cached_property
    def by_itself(self) -> float:
        """The probability that it is a piece of its kind, regardless of the other pieces, 0..1."""
        return self.calibration.probability(self.detection, self.face)

    @cached_property
    def probability(self) -> float:
        """The probability that it is a piece of its kind, given the other pieces, 0..1."""
        return share_of(log_odds(self.by_itself) - self.context_penalty) if self.context_penalty else self.by_itself

    @property
    def cautious_probability(self) -> float:
        """The probability that decides whether a person is asked to look, 0..1: a twelve-sided die takes more evidence."""
        face = self.face
        if not isinstance(face, Face) or face.unsure <= face.other:
            return self.probability
        return share_of(
            log_odds(self.calibration.probability(self.detection, replace(face, other=face.unsure)))
            - self.context_penalty
        )

    @property
    def dice_likeness(self) -> float:
        """How much a tile looks like dice, 0..1."""
        if self.ends_as_dice is None:
            return 0.0
        assert isinstance(self.face, TileFace)
        return dice_likeness_of(self.ends_as_dice, self.whole, (self.face.first[0], self.face.second[0]))

    @cached_property
    def is_piece(self) -> bool:
        """Whether it is counted.

        A die counts if that makes the whole reading likelier to be right (maximum a posteriori): if a die showing its best value
        is likelier than no die at all. A tile must be likelier a piece than not, and its ends more than a guess.
        """
        if self.rolled_in:
            return True
        probability = self.probability
        if isinstance(self.face, Face):
            return probability * max(self.face.values) > 1 - probability
        if self.alone:
            return not self.face_down and self.probability >= 0.5 and self.confidence >= _MIN_LONE_TILE
        return (self.probability >= 0.5 or self.clearly_read) and self.confidence >= _MIN_TILE

    @property
    def clearly_read(self) -> bool:
        """Whether it is a tile whose ends the classifier reads clearly, regardless of the detector's score."""
        if not isinstance(self.face, TileFace) or self.face_down:
            return False
        return (1 - self.face.other) * self.face.ranked[0][1] >= _PLAIN

    @property
    def face_down(self) -> bool:
        """Whether it is a tile that shows its back."""
        return isinstance(self.face, TileFace) and self.face.back >= 0.5

    @cached_property
    def confidence(self) -> float:
        """The probability that it is a piece and shows its likeliest value, 0..1."""
        if isinstance(self.face, TileFace):
            return self.probability * (
                self.face.back if self.face_down else (1 - self.face.back) * self.face.ranked[0][1]
            )
        return self.probability * max(self.face.values)


def dice_likeness_of(ends: tuple[Face, Face], whole: Whole | None, blank: tuple[float, float]) -> float:
    """How much a tile looks like dice, 0..1: like two, if each end looks like a die and the whole like dice; or like one and its
    shadow, if one end looks like a die, the other is blank (`blank`: the probability of each end) and the whole like one die.
    """
    one, other = (1 - face.other for face in ends)
    if whole is None:
        return min(one, other)
    shadow = max(min(one, blank[1]), min(other, blank[0]))
    return max(min(one, other, whole.dice), min(shadow, whole.one))


def marked_alone(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates where no game was named: its tiles are marked `alone` unless one of them is sure and face up. A sure back
    may as well be a phone.
    """
    tiles = [candidate for candidate in candidates if candidate.kind == "domino"]
    if any(tile.confidence >= _SURE_TILE and not tile.face_down for tile in tiles):
        return [*candidates]
    # A tile that a profile recognises looks like tiles that people showed; print does not.
    return [
        replace(each, alone=True) if each.kind == "domino" and not each.face.profile else each for each in candidates
    ]
