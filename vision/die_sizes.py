"""The dice of one table are about equally large: a candidate that is far larger or smaller is less likely a die.

This holds in the picture, too, unless the camera is very low. It only lowers doubtful candidates: sure dice of two sizes are dice
of two sizes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.candidate import Candidate
from vision.classify.dice import Face
from vision.detect.boxes import Detection, median
from vision.select import suppress_overlaps

_SURE = 0.85
"""Confidence from which a die's size is a reference for the others."""
_FEWEST = 2
"""How many such dice it takes: a single one may itself be the odd one."""
_PLAIN = 0.9
"""The probability from which a die counts whatever its size."""
_LIKE, _STEEP, _MOST = 0.22, 25.0, 3.0
"""Natural log of the size ratio within which nothing is lost; log odds lost per squared log ratio beyond that; and the most that
is lost. `python -m datasets.evaluate.die_sizes` shows how they were chosen (docs/decisions/0048)."""


def of_one_size(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; doubtful dice of another size than the sure dice of their kind become less likely."""
    unsure = [i for i, each in enumerate(candidates) if _in_doubt(each)]
    if not unsure:
        return [*candidates]
    sure = [each for each in suppress_overlaps(candidates) if each.kind != "domino" and each.confidence >= _SURE]
    penalties = {i: _penalty(candidates[i], sure) for i in unsure}
    return [
        replace(each, context_penalty=penalties[i]) if i in penalties else each for i, each in enumerate(candidates)
    ]


def _in_doubt(candidate: Candidate) -> bool:
    return isinstance(candidate.face, Face) and not candidate.face.profile and candidate.probability < _PLAIN


def _penalty(die: Candidate, sure: Sequence[Candidate]) -> float:
    others = [size(each.detection) for each in sure if each.kind == die.kind and each.detection != die.detection]
    return lost(size(die.detection) - median(others)) if len(others) >= _FEWEST else 0.0


def lost(ratio: float) -> float:
    """The log odds that a die loses for its size; `ratio`: natural log of its size over that of the others."""
    return min(_MOST, _STEEP * max(0.0, ratio**2 - _LIKE**2))


def size(find: Detection) -> float:
    """The size of a detection: natural log of the side, in pixels, of a square with the area of its box."""
    return math.log(max(1.0, find.width * find.height)) / 2
