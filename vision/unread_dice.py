"""Dice that look like the others on the table, and show nothing that is known: an emblem in place of the 1 or the 6, a symbol.

The networks take such a die for one of another kind (a d10, a cube with letters), which is left out without a word. But what is
as large as the dice that were read, of their colour, and square, is likelier one of them on a side that nobody knows: somebody
has to look. Why, and what was measured: docs/decisions/0069-dice-that-show-nothing-known.md.
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
"""The detector's score from which something may be one of them."""
_SURE = 0.85
"""Confidence from which a die with pips says what the others look like."""
_NOTHING = 0.85
"""The chance that it is no die of any kind beyond which it is none of them: a plug, print."""
_AS_LARGE = 4 / 3
"""How many times as long as the others' median it is at most, or they as it."""
_SQUARE = 0.75
"""The shorter side of its box over the longer, at least."""
_ALIKE = 20.0
"""How far its colour lies at most from that of the one most like it: CIELAB, 0 to 255 as OpenCV scales them, lightness counted
half, for a lamp changes that most."""
_SAME = 0.3
"""The share of the smaller box from which it is a part of a piece, or the same."""


def unread_dice(photo: Photo, dice: Sequence[Candidate], rejected: Sequence[Candidate]) -> list[Candidate]:
    """Those of the rejected finds that look like the dice with pips that were read; none where they are as many as those.

    Of a die with an emblem on one side one throw in six shows it. Where most dice show nothing known, they are others: those of
    a set for role-playing games are of one colour and about as large.
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
    alike = [each for each in maybe if min(_apart(_colour(photo, each), colour) for colour in colours) <= _ALIKE]
    return alike if len(alike) < len(sure) else []


def _may_be_a_die(candidate: Candidate) -> bool:
    """Whether the detector sees something square there, and the reader of dice some kind of die."""
    box, face = candidate.detection, candidate.face
    square = min(box.width, box.height) >= _SQUARE * box.long_side
    return isinstance(face, Face) and square and some_die(box.score, face)


def some_die(score: float, face: Face) -> bool:
    """Whether the detector (its score) and the reader of dice see a die of some kind."""
    return score >= _SEEN and face.nothing <= _NOTHING


def _colour(photo: Photo, die: Candidate) -> Lab:
    return ground_of(photo.pixels, die.detection.corners)


def _apart(one: Lab, other: Lab) -> float:
    return math.hypot((one[0] - other[0]) / 2, one[1] - other[1], one[2] - other[2])
