"""Dice that look like the others on the table but show an unknown side: an emblem in place of the 1 or the 6, a symbol.

The networks take such a die for another kind (a d10, a cube with letters), which is left out silently. But a square detection
with the size and colour of the dice that were read is likelier one of them with an unknown side up: somebody has to look. Reasons
and measurements: docs/decisions/0069-dice-that-show-nothing-known.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.candidate import Candidate
from vision.classify.colour import Lab, ground_of
from vision.classify.dice import Face
from vision.detect.boxes import median, overlap
from vision.photo import Photo

_SEEN = 0.1
"""The detection score from which something may be such a die."""
_SURE = 0.85
"""Confidence from which a die with pips is a reference for the others' looks."""
_NOTHING = 0.85
"""The probability of no die of any kind above which it is not one: a plug, print."""
_AS_LARGE = 4 / 3
"""The largest ratio, either way, between its longer side and the median of the others."""
_SQUARE = 0.75
"""The least ratio of the shorter to the longer side of its box."""
_ALIKE = 20.0
"""The largest colour distance to the most similar sure die: CIELAB, 0 to 255 as OpenCV scales them, lightness counted half, for
a lamp changes that most."""
_SAME = 0.3
"""The overlap, as a share of the smaller box, above which it is a piece that was read, or part of one."""


def unread_dice(photo: Photo, dice: Sequence[Candidate], rejected: Sequence[Candidate]) -> list[Candidate]:
    """The rejected candidates that look like the dice with pips that were read; none if they are as many as those.

    A die with an emblem on one side shows it in one throw of six. If most dice show nothing known, they are of other kinds: a set
    for role-playing games has one colour and about one size.
    """
    sure = [die for die in dice if die.kind == "d6" and die.confidence >= _SURE]
    if not sure:
        return []
    side = median(die.detection.long_side for die in sure)
    maybe = [
        each
        for each in rejected
        if _may_be_a_die(each)
        and 1 / _AS_LARGE <= each.detection.long_side / side <= _AS_LARGE
        and not any(overlap(each.detection, die.detection) > _SAME for die in dice)
    ]
    if not maybe:
        return []
    colours = [_colour(photo, die) for die in sure]
    alike = [
        each for each in maybe if min(_colour_distance(_colour(photo, each), colour) for colour in colours) <= _ALIKE
    ]
    return alike if len(alike) < len(sure) else []


def _may_be_a_die(candidate: Candidate) -> bool:
    """Whether the detector sees something square, and the dice classifier some kind of die."""
    box, face = candidate.detection, candidate.face
    square = min(box.width, box.height) >= _SQUARE * box.long_side
    return isinstance(face, Face) and square and some_die(box.score, face)


def some_die(score: float, face: Face) -> bool:
    """Whether the detector (its score) and the dice classifier see a die of some kind."""
    return score >= _SEEN and face.nothing <= _NOTHING


def _colour(photo: Photo, die: Candidate) -> Lab:
    return ground_of(photo.pixels, die.detection.corners)


def _colour_distance(one: Lab, other: Lab) -> float:
    return math.hypot((one[0] - other[0]) / 2, one[1] - other[1], one[2] - other[2])
