"""What may be a piece: a detection with what its classifier says, and the calibrated probability that it is one."""

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
"""Confidence below which a tile is named as something that may be one, not counted: its ends are a guess; or, where nobody
said that dominoes are played with, no tile on the table is sure. A keyboard, a chessboard and a playing card have much that
looks like a tile, and never one that is sure; a table of dominoes nearly always has one."""
_SURE_TILE = 0.85
"""Confidence from which a tile vouches for those beside it."""
_PLAIN = 0.95
"""How surely both ends are read of a tile that counts among dominoes though the detector hardly saw it: table, print and the
gap between two tiles are seldom read so plainly. It is doubted, as all that is not sure to be a piece."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the two networks' scores make one chance that a find is a piece of its kind: a logistic of both log odds.

    `back` is for a tile that shows its back, `blank` for one with two blank ends: both are as plain as a patch of table.
    Fitted on pictures held apart from training (`python -m datasets.train.calibrate`).
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
        """That the detection is a piece of its kind, 0..1."""
        weights = (self.detector, self.classifier, self.back, self.blank)
        odds = sum(w * e for w, e in zip(weights, evidence(detection, face), strict=True)) + self.offset
        return share_of(odds)


def evidence(detection: Detection, face: Face | TileFace) -> tuple[float, float, float, float]:
    """What speaks for a piece: log odds of the detector and of the reader, and the chances that it is the back of a tile, and
    that it is a tile with two blank ends.

    A tile speaks for itself by two ends that can be read, too: print that passes for a tile is seldom sure of its pips.
    Numerals on a die are hard enough to read for that to say little.
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
    """A find with what its reader says.

    It has no slots, for it keeps what it was asked once: choosing among finds asks each a dozen times.
    """

    detection: Detection
    face: Face | TileFace
    calibration: Calibration
    ends_as_dice: tuple[Face, Face] | None = None
    """Of a tile where dice may lie too: what each of its ends shows if it is a die that touches another."""
    whole: Whole | None = None
    """Of such a tile: whether it is dice, by the look of the whole; None: not asked."""
    ground: Lab | None = None
    """Of a tile: the colour of its ground (`vision.classify.colour.ground_of`); None: nobody looked."""
    alone: bool = False
    """Of a tile: whether nothing else says that there are dominoes on the table."""
    only_near: bool = False
    """Whether the first look missed it, and it was found by a closer one: with the contrast evened, in a larger picture, or in a
    part of the picture by itself."""
    odd: float = 0.0
    """Log odds that it loses by what else lies on the table: a die that is not as large as the others (`vision.die_sizes`), or a
    tile among dice (`vision.flush_dice`)."""
    came: bool = False
    """Of a die: whether a film shows that it rolled to where it lies. Then it counts, though nobody may be able to read it."""

    @property
    def kind(self) -> Kind:
        """Of the piece that it may be."""
        return self.face.kind if isinstance(self.face, Face) else "domino"

    @cached_property
    def by_itself(self) -> float:
        """That it is a piece of its kind, whatever lies around it, 0..1."""
        return self.calibration.probability(self.detection, self.face)

    @cached_property
    def probability(self) -> float:
        """That it is a piece of its kind, 0..1."""
        return share_of(log_odds(self.by_itself) - self.odd) if self.odd else self.by_itself

    @property
    def surely(self) -> float:
        """The same for whether a person is asked to look, 0..1: of a twelve-sided die it takes more evidence."""
        face = self.face
        if not isinstance(face, Face) or face.unsure <= face.other:
            return self.probability
        return share_of(
            log_odds(self.calibration.probability(self.detection, replace(face, other=face.unsure))) - self.odd
        )

    @property
    def passes_for_dice(self) -> float:
        """How far a tile passes for dice, 0..1."""
        if self.ends_as_dice is None:
            return 0.0
        assert isinstance(self.face, TileFace)
        return passing(self.ends_as_dice, self.whole, (self.face.first[0], self.face.second[0]))

    @cached_property
    def is_piece(self) -> bool:
        """Whether it is counted.

        A die is counted if that makes the whole reading likelier right (the maximum a posteriori): if it is likelier a die that
        shows its best value than no die at all. A tile has to be likelier a piece than none, and its ends more than a guess.
        """
        if self.came:
            return True
        probability = self.probability
        if isinstance(self.face, Face):
            return probability * max(self.face.values) > 1 - probability
        if self.alone:
            return not self.face_down and self.probability >= 0.5 and self.confidence >= _MIN_LONE_TILE
        return (self.probability >= 0.5 or self.plain) and self.confidence >= _MIN_TILE

    @property
    def plain(self) -> bool:
        """Whether it is a tile whose ends are read without question, be it a piece or not."""
        if not isinstance(self.face, TileFace) or self.face_down:
            return False
        return (1 - self.face.other) * self.face.ranked[0][1] >= _PLAIN

    @property
    def face_down(self) -> bool:
        """Whether it is a tile that shows its back."""
        return isinstance(self.face, TileFace) and self.face.back >= 0.5

    @cached_property
    def confidence(self) -> float:
        """That it is a piece and shows what it is said to show."""
        if isinstance(self.face, TileFace):
            return self.probability * (
                self.face.back if self.face_down else (1 - self.face.back) * self.face.ranked[0][1]
            )
        return self.probability * max(self.face.values)


def passing(ends: tuple[Face, Face], whole: Whole | None, blank: tuple[float, float]) -> float:
    """How far a tile passes for dice, 0..1: each of its ends for a die, and the whole of it for dice; or one of its ends for a
    die, the other for a blank (`blank`: the chance of each that it is one), for a shadow has no pips, and the whole for one die.
    """
    one, other = (1 - face.other for face in ends)
    if whole is None:
        return min(one, other)
    shadow = max(min(one, blank[1]), min(other, blank[0]))
    return max(min(one, other, whole.dice), min(shadow, whole.one))


def marked_alone(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a table of which nobody said what is played with: its tiles are alone unless one of them is sure, and
    shows its face: a sure back may as well be a phone.
    """
    tiles = [candidate for candidate in candidates if candidate.kind == "domino"]
    if any(tile.confidence >= _SURE_TILE and not tile.face_down for tile in tiles):
        return [*candidates]
    # What a profile reads is like tiles that people showed: print is not.
    return [
        replace(each, alone=True) if each.kind == "domino" and not each.face.profile else each for each in candidates
    ]
