"""Dice that lie flush against others, as dice do that were pushed together: they look like the ends of dominoes.

The first reader of dice, which learned the ends of tiles as no dice, tends to dismiss them, and the detector to take two of them
for a tile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from vision.candidate import Calibration, Candidate, log_odds
from vision.classify.tiles import halves
from vision.detect.boxes import Detection, Outline, inside, overlap, upright

_SEEN = 0.15
"""The detector's score of another find from which a die may lie flush against it."""
_ALIKE = 1.5
"""How many times as large one of two such dice may be as the other."""
_NEAR = 1.1
"""How far their middles are from each other at the most, in the mean of their longer sides."""
_WITHIN = 0.5
"""The share of a die that lies in what looks like a tile, if it is half of it; and the share of a box from which it is the same
find."""
_SURE = 0.85
"""Probability of a die from which it tells what lies beside it."""
PASSES = 0.5
"""How far a tile passes for dice from which it is likelier those."""
_AMONG_DICE = 3.0
"""Log odds that a tile loses among dice: of twenty such tables at most one has dominoes, too."""
_AS_LARGE = 1.4
"""How many times as large an end of such a tile may be as the dice, or they as it."""


def lies_flush(die: Detection, finds: Sequence[Detection]) -> bool:
    """Whether a die lies edge to edge with another find that is about as large, or within what looks like a tile."""
    return any(
        _within(die, each) if each.shape == "tile" else _beside(die, each) for each in finds if each.score >= _SEEN
    )


def _within(die: Detection, tile: Detection) -> bool:
    return inside(die, tile) > _WITHIN


def _beside(die: Detection, other: Detection) -> bool:
    sides = [each.long_side for each in (die, other)]
    near = math.dist(die.middle, other.middle) < _NEAR * sum(sides) / 2
    return near and max(sides) <= _ALIKE * min(sides) and overlap(die, other) <= _WITHIN


def end_boxes(tile: Detection) -> Iterator[Detection]:
    """Both ends of a tile as the boxes of dice."""
    for half in halves(tile.corners):
        box = upright(Outline.around(half))
        yield Detection(box.left, box.top, box.right, box.bottom, tile.score)


def completed(dice: Sequence[Candidate], tiles: Sequence[Candidate], calibration: Calibration) -> list[Candidate]:
    """The dice, and the ends of every tile that passes for dice as such, where none was found.

    `calibration`: that of dice.
    """
    found = [*dice]
    for tile in _as_dice(tiles):
        assert tile.ends_as_dice is not None
        for end, face in zip(end_boxes(tile.detection), tile.ends_as_dice, strict=True):
            if not any(overlap(die.detection, end) > _WITHIN and die.is_piece for die in dice):
                # However plain the pips of an end: it is no likelier a die than the whole is dice.
                found.append(
                    Candidate(end, replace(face, other=max(face.other, 1 - tile.passes_for_dice)), calibration)
                )
    return found


def less_likely_tiles(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; each tile that passes for dice is as much less likely a tile."""
    less = _as_dice(candidates)
    return [
        replace(each, odd=each.odd + log_odds(each.passes_for_dice)) if each in less else each for each in candidates
    ]


def _as_dice(tiles: Sequence[Candidate]) -> list[Candidate]:
    """The tiles that pass for dice, and that no profile knows.

    Dominoes lie among dominoes: those of which none can be dice vouch for the one that passes for them.
    """
    asked = [tile for tile in tiles if tile.ends_as_dice is not None]
    if sum(log_odds(tile.passes_for_dice) for tile in asked) <= 0:
        return []
    return [tile for tile in asked if tile.passes_for_dice >= PASSES and not tile.face.profile]


def among_dice(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a table of which nobody said what is played with: where sure dice lie, a tile is likelier two more.

    Sure dice that lie on no tile, and are about as large as its ends: on a table of dominoes lie none.
    """
    tiles = [each for each in candidates if each.kind == "domino" and each.is_piece]
    dice = [
        each.detection
        for each in candidates
        if each.kind == "d6"
        and each.confidence >= _SURE
        and not any(inside(each.detection, tile.detection) > _WITHIN for tile in tiles)
    ]
    return [
        replace(each, odd=each.odd + _AMONG_DICE)
        if each.kind == "domino" and any(_as_large(die, each.detection) for die in dice)
        else each
        for each in candidates
    ]


def _as_large(die: Detection, tile: Detection) -> bool:
    ratio = math.sqrt(2 * die.area / max(1.0, tile.area))
    return 1 / _AS_LARGE < ratio < _AS_LARGE
