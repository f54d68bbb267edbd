"""What is looked at again: tiles in doubt from nearer, what two looks may have missed (docs/decisions/0039, 0062), dice that
hardly show (docs/decisions/0054) or are small (0063), and the middle of a picture in which nothing was found, or of what a die
may lie in (0043, 0063).

A tile that the detector hardly sees in the whole picture it sees plainly from nearer, and what is none it sees no better there.
So the closer look adds and confirms; it takes nothing away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.candidate import Candidate, log_odds, share_of
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection, median, overlap
from vision.detect.detector import LIKELY, is_alike, is_lone, plain
from vision.photo import Pixels

OTHER_SIZE = 1.7
"""How many times as large as usual the picture is in the look for what was missed: of small tiles beside print two looks miss one
in twenty, and this one hardly any."""
LARGER = 1.5
"""How many times as large as usual a stretched picture is looked at as well: what lies far away is small there."""
_MAYBE, _SURE = 0.02, 0.9
"""The confidences between which a tile is looked at from nearer,"""
_SEEN = 0.8
"""unless the detector already scores it this high: then it sees no better from nearer."""
_MISSED = 0.1
"""The least confidence of such a tile that two looks missed: of 99 that were less likely none proved to be a tile from nearer."""
_REACH, _PART = 3.0, 0.75
"""Side of what is looked at, over the tile's longer side; and at most, over the picture's longer side: more gains nothing."""
_TELLING = 0.1
"""The confidence from which what may be a tile tells how the table is seen, where none is counted."""
_MOST = 10
"""Tiles of a photo, the most likely ones: each takes a run of the detector."""
_MOST_READ = 60
"""Of what may have been missed, so many are read, the best by score: none that proved to be a tile came later than sixteenth."""
_SAME, _BESIDE = 0.5, 0.3
"""Share of the smaller outline that two finds of one tile have in common at least, and a missed tile with others at most."""
_NEAR = 0.2
"""Share of it that a find has in common with the tile that is looked at, at least, before its corners are found."""
_A_TILE = 0.3
"""The detector's score from which what it takes for a tile hides no die."""
_CLEAR_FROM_ABOVE = 0.6
"""The confidence from which a tile counts that is seen once the table's perspective is undone."""
_CLEAR, _CLEARER = 0.8, 0.9
"""The confidence from which the closer look counts: where it says what the first said, and where it reads other ends."""
_FAR_AWAY, _SMALL = 0.05, 0.1
"""Dice up to this share of the picture's longer side, in the median, are so small that two looks miss some; and how long those
are at most."""
_MIDDLES = (0.75, 0.6)
"""Shares of the sides that a middle is, where nothing was found; the second if the first shows nothing either."""
_HOLDS, _MOST_HOLDERS = 0.2, 2
"""The share of the picture's longer side from which what looks like a die may be what one lies in; and how many such are
looked into."""
_BEYOND_QUESTION = 0.85
"""The confidence of one piece there from which what is seen there counts."""
_LONE = 0.9
"""The confidence from which a large die is one, and nothing that a die lies in."""
_PLAINLY = 0.75
"""The confidence from which a die counts that was seen only with the contrast evened: carpets have some of 0.66."""
_FLAT = 0.6
"""Short over long side of a die's box, from which it is no fleck of light: of labelled dice few are flatter."""
_BODY = 15
"""What a die's box shows at least between its darkest tenth and its lightest, of 255: the 5,510 labelled dice that the networks
learn from show 24 and more."""
_EDGE = 2
"""Pixels from the edge of the part within which a find may be half a piece."""

Part = tuple[int, int, int, int]
"""Of a picture: left, top, right, bottom."""


def doubtful(kept: Iterable[Candidate]) -> list[Candidate]:
    """The tiles that are worth a closer look, the likeliest first."""
    return _likeliest((each for each in kept if each.confidence < _SURE and each.detection.score < _SEEN), _MAYBE)


def likely(seen: Iterable[Candidate]) -> list[Candidate]:
    """The tiles that are worth one among those that were missed, the likeliest first."""
    return _likeliest(seen, _MISSED)


def _likeliest(candidates: Iterable[Candidate], least: float) -> list[Candidate]:
    tiles = [each for each in candidates if each.kind == "domino" and each.confidence > least]
    return sorted(tiles, key=lambda tile: -tile.confidence)[:_MOST]


def dice_alone(kept: Iterable[Candidate]) -> bool:
    """Whether all that is counted, and something is, are dice: no tile is looked for among them."""
    kinds = {each.kind for each in kept if each.is_piece}
    return bool(kinds) and "domino" not in kinds


def telling(kept: Iterable[Candidate], *, dominoes: bool) -> list[Candidate]:
    """The tiles that tell how the table is seen: those that are counted, or where there are none and `dominoes` are played
    with, those that may be some. On other tables playing cards at a slant look like tiles, and more so once made longer.
    """
    tiles = [each for each in kept if each.kind == "domino"]
    counted = [each for each in tiles if each.is_piece]
    return counted or [each for each in tiles if dominoes and each.confidence >= _TELLING]


def missed(found: Iterable[Detection], kept: Sequence[Candidate]) -> list[Detection]:
    """The tiles among the detections that lie where none of the pieces does."""
    pieces = [each.detection for each in kept if each.is_piece]
    return [
        each for each in found if each.shape == "tile" and not any(overlap(each, piece) > _BESIDE for piece in pieces)
    ]


def best(found: Iterable[Detection]) -> list[Detection]:
    """The detections that score most, as many as are worth reading."""
    return sorted(found, key=lambda each: -each.score)[:_MOST_READ]


def look_for_faint(candidates: Sequence[Candidate], picture: Pixels) -> bool:
    """Whether dice may have been missed that hardly show: no tile is counted, and not all that was seen is beyond doubt."""
    tiles = any(each.kind == "domino" and each.is_piece for each in candidates)
    return not (
        tiles or plain([each.detection for each in candidates], max(picture.shape)) or is_settled(candidates, picture)
    )


def is_settled(candidates: Sequence[Candidate], picture: Pixels) -> bool:
    """Whether all that was seen is one large die, which is read beyond doubt: nothing that a die lies in."""
    if not is_lone([each.detection for each in candidates], max(picture.shape)):
        return False
    die = max(candidates, key=lambda each: each.detection.score)
    return die.is_piece and die.confidence >= _LONE


def missed_dice(found: Iterable[Detection], candidates: Sequence[Candidate]) -> list[Detection]:
    """The dice among the detections that lie where nothing was seen that may be a die, or is plainly a tile: those about as large
    as the dice that are counted.
    """
    there = [each.detection for each in candidates if each.kind != "domino" or each.detection.score > _A_TILE]
    return _dice_beside(there, found, _counted_dice(candidates))


def look_for_small(candidates: Sequence[Candidate], picture: Pixels) -> bool:
    """Whether dice may have been missed that are small: those that are counted are, or nothing is counted."""
    counted = [each for each in candidates if each.is_piece]
    if any(each.kind == "domino" for each in counted):
        return False
    small: float = _FAR_AWAY * max(picture.shape)
    return not counted or median(each.detection.long_side for each in counted) <= small


def missed_small(found: Iterable[Detection], candidates: Sequence[Candidate], picture: Pixels) -> list[Detection]:
    """The small dice among the detections that lie where none is counted, and are about as large as those that are."""
    counted = _counted_dice(candidates)
    return [each for each in _dice_beside(counted, found, counted) if each.long_side <= _SMALL * max(picture.shape)]


def _counted_dice(candidates: Iterable[Candidate]) -> list[Detection]:
    return [each.detection for each in candidates if each.kind != "domino" and each.is_piece]


def _dice_beside(
    there: Sequence[Detection], found: Iterable[Detection], counted: Sequence[Detection]
) -> list[Detection]:
    """The dice among what was found that hardly cover what is there, and are about as large as those that are counted."""
    return [
        each
        for each in found
        if each.shape == "die"
        and not any(overlap(each, other) > _BESIDE for other in there)
        and is_alike(each, counted)
    ]


def plainly_dice(found: Iterable[Candidate], candidates: Sequence[Candidate], picture: Pixels) -> list[Candidate]:
    """Those that are plainly dice; where nothing is counted, only if one of them is beyond question."""
    dice = [replace(each, only_near=True) for each in found if each.kind != "domino" and each.confidence >= _PLAINLY]
    counted = any(each.is_piece for each in candidates)
    return dice if counted or any(_is_beyond_question(each, picture) for each in dice) else []


def middles(picture: Pixels, candidates: Iterable[Candidate]) -> Iterator[Part]:
    """The parts of a picture without any piece that are looked at alone: a ring around a die hides it, and so does a cup. The
    middle of what passes for a large die, then that of the whole.
    """
    height, width = picture.shape[:2]
    large = [
        each.detection
        for each in candidates
        if each.kind != "domino"
        and each.detection.score >= LIKELY
        and each.detection.long_side >= _HOLDS * max(height, width)
    ]
    holders = sorted(large, key=lambda each: -each.score)[:_MOST_HOLDERS]
    for place in [*holders, Detection(0.0, 0.0, width, height, 0.0)]:
        for share in _MIDDLES:
            x, y = place.width * (1 - share) / 2, place.height * (1 - share) / 2
            yield round(place.left + x), round(place.top + y), round(place.right - x), round(place.bottom - y)


def beyond_question(part: Part, found: Iterable[Candidate], picture: Pixels) -> list[Candidate]:
    """What lies wholly in a part of the picture, if one of it is plainly a piece; else nothing."""
    left, top, right, bottom = part
    whole = [
        each
        for each in found
        if each.detection.left > left + _EDGE
        and each.detection.top > top + _EDGE
        and each.detection.right < right - _EDGE
        and each.detection.bottom < bottom - _EDGE
    ]
    if not any(each.is_piece and _is_beyond_question(each, picture) for each in whole):
        return []
    return [replace(each, only_near=True) for each in whole]


def _is_beyond_question(piece: Candidate, picture: Pixels) -> bool:
    """Whether it counts though nothing else does: a fleck of light in a black tray passes for a 1."""
    if piece.confidence < _BEYOND_QUESTION:
        return False
    return piece.kind == "domino" or not (_is_flat(piece.detection) or _is_bare(piece.detection, picture))


def _is_flat(box: Detection) -> bool:
    return min(box.width, box.height) < _FLAT * box.long_side


def _is_bare(box: Detection, picture: Pixels) -> bool:
    """Whether a box shows no body of a die, but even ground with a speck on it."""
    seen = picture[max(0, int(box.top)) : int(box.bottom) + 1, max(0, int(box.left)) : int(box.right) + 1]
    dark, light = np.percentile(cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY), (10, 90))
    return bool(light - dark < _BODY)


def part_around(picture: Pixels, detection: Detection) -> Part | None:
    """What is looked at from nearer; None where that is nearly the whole picture."""
    height, width = picture.shape[:2]
    side = _REACH * detection.long_side
    if side > _PART * max(height, width):
        return None
    (x, y), half = detection.middle, side / 2
    return int(max(0, x - half)), int(max(0, y - half)), int(min(width, x + half)), int(min(height, y + half))


def is_clear(tile: Candidate) -> bool:
    """Whether a tile seen from above counts though no other look may have seen it: blank cells of a board are seen there, too."""
    return tile.confidence >= _CLEAR_FROM_ABOVE


def lies_there(found: Detection, tile: Detection) -> bool:
    """Whether what is found from nearer may be the tile that is looked at: only that is read, for reading costs the most."""
    return overlap(found, tile) > _SAME


def lies_near(found: Detection, tile: Detection) -> bool:
    """Whether it may still turn out to be that tile once its corners are found: they hardly move an outline farther."""
    return overlap(found, tile) > _NEAR


def confirmed(candidates: Sequence[Candidate], tile: Candidate, nearer: Iterable[Candidate]) -> list[Candidate]:
    """The candidates with a tile as it looks from nearer, if it is plain there; else as they are.

    Its score is between both looks, for so the chances are fitted; one of the candidates never loses by it. What was missed so
    far counts as well if it is plain by both looks together.
    """
    there = [each for each in nearer if each.kind == "domino" and lies_there(each.detection, tile.detection)]
    best = max(there, key=lambda each: each.confidence, default=None)
    if best is None:
        return [*candidates]
    clear = _CLEAR if _ends(best) == _ends(tile) else _CLEARER
    score = share_of((log_odds(best.detection.score) + log_odds(tile.detection.score)) / 2)
    between = replace(best, detection=replace(best.detection, score=score))
    rest = [each for each in candidates if not _same(each, tile)]
    if len(rest) < len(candidates):
        counts = best.confidence >= clear and score > tile.detection.score
    else:
        counts = max(best.confidence, between.confidence) >= clear
    return [*rest, between] if counts else [*candidates]


def _same(one: Candidate, tile: Candidate) -> bool:
    both_tiles = one.kind == tile.kind == "domino"
    return both_tiles and lies_there(one.detection, tile.detection) and _ends(one) == _ends(tile)


def _ends(tile: Candidate) -> tuple[int, ...]:
    face = tile.face
    return tuple(sorted(face.ranked[0][0])) if isinstance(face, TileFace) and not tile.face_down else ()
