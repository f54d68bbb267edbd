"""The tiles of a set are of one colour: a blank of another is a patch of table, a cell of a board, or a card.

Nothing else tells: two blank ends are as plain as what lies around a tile. What shows pips is read by them, and the back of a
tile may be of any colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.candidate import Candidate
from vision.classify.colour import Lab, ground_of
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.photo import Pixels

_SURE = 0.85
"""Confidence from which a tile with pips tells the colour of the others."""
_FEWEST = 3
"""So many such tiles are asked for."""
_BLANK = 0.25
"""The chance of two blank ends from which a tile is asked for its colour."""
_LIKE, _STEEP = 20.0, 2.5
"""Distance of colours (CIELAB, 0 to 255 as OpenCV scales them, lightness counted half) at which a blank is as likely one of the
tiles as not, and in which its odds fall by a factor of e. Of 501 tiles of photos the farthest lies 6 from the sure tile most like
it, double blanks that are none at 40 and more (docs/decisions/0064)."""
_UNLIKELY, _ALIKE = 0.3, 15.0
"""Confidence below which a tile is worth a closer look only within this distance of a sure one."""
_SCORED = 0.3
"""The detector's score from which what it may have missed is read, whatever its colour."""


def of_one_colour(candidates: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """The candidates; double blanks of another colour than the sure tiles among those that are `kept` are likelier none."""
    sure = _grounds(kept)
    return [_of(each, sure) for each in candidates] if len(sure) >= _FEWEST else [*candidates]


def worth_reading(found: Sequence[Detection], kept: Sequence[Candidate], picture: Pixels) -> list[Detection]:
    """The tiles found but those that hardly score, and are of another colour than the sure ones: of the squares of a game's board
    one look finds a hundred.
    """
    sure = _grounds(kept)
    if len(sure) < _FEWEST:
        return [*found]
    return [
        each for each in found if each.score >= _SCORED or _nearest(ground_of(picture, each.corners), sure) < _ALIKE
    ]


def worth_a_look(tiles: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """The tiles but those that are unlikely, and of another colour than the sure ones: cells with print on them, mostly."""
    sure = _grounds(kept)
    if len(sure) < _FEWEST:
        return [*tiles]
    return [each for each in tiles if each.confidence >= _UNLIKELY or _nearest(each.ground, sure) < _ALIKE]


def _grounds(kept: Sequence[Candidate]) -> list[Lab]:
    """The colours of the sure tiles with pips."""
    return [
        each.ground
        for each in kept
        if each.ground is not None and not each.face_down and each.confidence >= _SURE and _blank(each) < _BLANK
    ]


def _blank(tile: Candidate) -> float:
    """The chance that both ends are blank, if it is a tile that lies face up."""
    return tile.face.first[0] * tile.face.second[0] if isinstance(tile.face, TileFace) else 0.0


def _of(tile: Candidate, sure: Sequence[Lab]) -> Candidate:
    """A candidate; if it shows two blanks and is of a colour that none of the sure tiles has, likelier none."""
    face = tile.face
    if not isinstance(face, TileFace) or face.profile or tile.ground is None or _blank(tile) < _BLANK:
        return tile
    fits = 1 / (1 + math.exp((_nearest(tile.ground, sure) - _LIKE) / _STEEP))
    return replace(tile, face=replace(face, other=1 - (1 - face.other) * fits))


def _nearest(ground: Lab | None, sure: Sequence[Lab]) -> float:
    """How far a tile's colour is from that of the sure tile most like it; one that nobody looked at is like all."""
    return 0.0 if ground is None else min(_apart(ground, other) for other in sure)


def _apart(colour: Lab, sure: Lab) -> float:
    """Lightness counts half, for it changes most, and only if less than that of the sure one: a lamp makes black tiles grey."""
    return math.hypot(max(0.0, sure[0] - colour[0]) / 2, colour[1] - sure[1], colour[2] - sure[2])
