"""Decides what the detector looks at again, and which of the new detections count: doubtful tiles in an enlarged crop, tiles that
the first passes missed (docs/decisions/0039, 0062), faint dice (docs/decisions/0054) and small ones (0063), and the centre of
a picture without pieces, or of a large object that may hold a die, such as a cup (0043, 0063).

A real tile that scores low in the whole picture scores high in an enlarged crop; anything else scores no higher there.
So the closer look adds and confirms pieces; it never removes any.
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
"""Scale of the detector's input, over the usual one, in the pass for missed tiles: the first two passes miss one in twenty small
tiles beside print, this one hardly any."""
LARGER = 1.5
"""Scale, over the usual one, of the additional pass over a stretched picture: far pieces are small there."""
_MAYBE, _SURE = 0.02, 0.9
"""The confidences between which a tile gets a closer look, unless its detection score reaches `_SEEN`."""
_SEEN = 0.8
"""The detection score from which a closer look would not raise it further."""
_MISSED = 0.1
"""The least confidence at which a tile that the first two passes missed gets a closer look: of 99 below it, none proved real."""
_REACH, _PART = 3.0, 0.75
"""Side of the crop over the tile's longer side; and its limit over the picture's longer side: a larger crop gains nothing."""
_TELLING = 0.1
"""The confidence from which uncounted tiles are used to estimate the slant of the table, where no tile counts."""
_MOST = 10
"""At most so many tiles of a photo, the likeliest, get a closer look: each costs one run of the detector."""
_MOST_READ = 60
"""At most so many detections of the pass for missed tiles are classified, by score: no real tile ranked below sixteenth."""
_SAME, _BESIDE = 0.5, 0.3
"""Overlap, as a share of the smaller outline: from the first, two detections are one tile; up to the second, separate pieces."""
_NEAR = 0.2
"""The overlap from which two detections may turn out to be one tile, before their corners are refined."""
_A_TILE = 0.3
"""The score from which a detected tile rules out a missed die in its place."""
_CLEAR_FROM_ABOVE = 0.6
"""The confidence from which a tile counts that was found in the rectified picture (perspective undone)."""
_CLEAR, _CLEARER = 0.8, 0.9
"""The confidence from which the closer look counts: where it reads the same ends as before, and where it reads others."""
_FAR_AWAY, _SMALL = 0.05, 0.1
"""If the median die is no longer than the first share of the picture's longer side, two passes miss some dice; a die found by the
extra pass may have at most the second."""
_MIDDLES = (0.75, 0.6)
"""Sides of the central crops, over those of the whole; the second is tried if the first shows nothing."""
_HOLDS, _MOST_HOLDERS = 0.2, 2
"""Share of the picture's longer side from which what looks like a die may be an object that holds one; and how many such objects
are searched."""
_BEYOND_QUESTION = 0.85
"""The detections in a central crop count if one of them has this confidence."""
_LONE = 0.9
"""The confidence from which a single large die is a die, and not an object that holds one."""
_PLAINLY = 0.75
"""The confidence from which a die counts that was seen only with contrast equalised: patterns of carpets reach 0.66."""
_FLAT = 0.6
"""Short over long side of a die's box, below which it may be a fleck of light: few labelled dice are flatter."""
_BODY = 15
"""Least difference, of 255, between the 10th and 90th percentile of grey in a die's box: the 5,510 labelled dice of the training
data have 24 and more."""
_EDGE = 2
"""A detection within so many pixels of the crop's edge may be half a piece."""

Part = tuple[int, int, int, int]
"""Of a picture: left, top, right, bottom."""


def doubtful(kept: Iterable[Candidate]) -> list[Candidate]:
    """The doubtful tiles that are worth a closer look, likeliest first."""
    return _likeliest((each for each in kept if each.confidence < _SURE and each.detection.score < _SEEN), _MAYBE)


def likely(seen: Iterable[Candidate]) -> list[Candidate]:
    """The tiles worth a closer look among those that the first passes missed, likeliest first."""
    return _likeliest(seen, _MISSED)


def _likeliest(candidates: Iterable[Candidate], least: float) -> list[Candidate]:
    tiles = [each for each in candidates if each.kind == "domino" and each.confidence > least]
    return sorted(tiles, key=lambda tile: -tile.confidence)[:_MOST]


def dice_alone(kept: Iterable[Candidate]) -> bool:
    """Whether something is counted, and only dice: then no tiles are searched for."""
    kinds = {each.kind for each in kept if each.is_piece}
    return bool(kinds) and "domino" not in kinds


def telling(kept: Iterable[Candidate], *, dominoes: bool) -> list[Candidate]:
    """The tiles from which the slant of the table is estimated: those that count; if none do and `dominoes` are played with,
    those that may be tiles. On other tables playing cards at a slant look like tiles, and more so once stretched.
    """
    tiles = [each for each in kept if each.kind == "domino"]
    counted = [each for each in tiles if each.is_piece]
    return counted or [each for each in tiles if dominoes and each.confidence >= _TELLING]


def missed(found: Iterable[Detection], kept: Sequence[Candidate]) -> list[Detection]:
    """The tiles among the detections that overlap no counted piece."""
    pieces = [each.detection for each in kept if each.is_piece]
    return [
        each for each in found if each.shape == "tile" and not any(overlap(each, piece) > _BESIDE for piece in pieces)
    ]


def best(found: Iterable[Detection]) -> list[Detection]:
    """The detections with the highest scores, as many as are worth classifying."""
    return sorted(found, key=lambda each: -each.score)[:_MOST_READ]


def look_for_faint(candidates: Sequence[Candidate], picture: Pixels) -> bool:
    """Whether faint dice may have been missed: no tile counts, and not every detection is beyond doubt."""
    tiles = any(each.kind == "domino" and each.is_piece for each in candidates)
    return not (
        tiles or plain([each.detection for each in candidates], max(picture.shape)) or is_settled(candidates, picture)
    )


def is_settled(candidates: Sequence[Candidate], picture: Pixels) -> bool:
    """Whether the only detection is one large die read beyond doubt: not an object, such as a cup, that holds a die."""
    if not is_lone([each.detection for each in candidates], max(picture.shape)):
        return False
    die = max(candidates, key=lambda each: each.detection.score)
    return die.is_piece and die.confidence >= _LONE


def missed_dice(found: Iterable[Detection], candidates: Sequence[Candidate]) -> list[Detection]:
    """The dice among the detections that overlap no earlier die, counted or not, and no plain tile, and are about as large as the
    dice that count.
    """
    there = [each.detection for each in candidates if each.kind != "domino" or each.detection.score > _A_TILE]
    return _dice_beside(there, found, _counted_dice(candidates))


def look_for_small(candidates: Sequence[Candidate], picture: Pixels) -> bool:
    """Whether small dice may have been missed: those that count are small, or nothing counts."""
    counted = [each for each in candidates if each.is_piece]
    if any(each.kind == "domino" for each in counted):
        return False
    small: float = _FAR_AWAY * max(picture.shape)
    return not counted or median(each.detection.long_side for each in counted) <= small


def missed_small(found: Iterable[Detection], candidates: Sequence[Candidate], picture: Pixels) -> list[Detection]:
    """The small dice among the detections that overlap no counted die and are about as large as those."""
    counted = _counted_dice(candidates)
    return [each for each in _dice_beside(counted, found, counted) if each.long_side <= _SMALL * max(picture.shape)]


def _counted_dice(candidates: Iterable[Candidate]) -> list[Detection]:
    return [each.detection for each in candidates if each.kind != "domino" and each.is_piece]


def _dice_beside(
    there: Sequence[Detection], found: Iterable[Detection], counted: Sequence[Detection]
) -> list[Detection]:
    """The dice in `found` that hardly overlap anything in `there` and are about as large as those in `counted`."""
    return [
        each
        for each in found
        if each.shape == "die"
        and not any(overlap(each, other) > _BESIDE for other in there)
        and is_alike(each, counted)
    ]


def plainly_dice(found: Iterable[Candidate], candidates: Sequence[Candidate], picture: Pixels) -> list[Candidate]:
    """The candidates that are plainly dice; where nothing counts yet, only if one of them is beyond question."""
    dice = [replace(each, found_late=True) for each in found if each.kind != "domino" and each.confidence >= _PLAINLY]
    counted = any(each.is_piece for each in candidates)
    return dice if counted or any(_is_beyond_question(each, picture) for each in dice) else []


def middles(picture: Pixels, candidates: Iterable[Candidate]) -> Iterator[Part]:
    """The central crops to search in a picture without pieces, for a ring or a cup around a die hides it from the detector: first
    those of what looks like a large die, then those of the whole picture.
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
    """The candidates that lie wholly in a part of the picture, if one of them is a piece beyond question; otherwise none."""
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
    return [replace(each, found_late=True) for each in whole]


def _is_beyond_question(piece: Candidate, picture: Pixels) -> bool:
    """Whether a piece counts even though nothing else does: a fleck of light in a black tray looks like a 1."""
    if piece.confidence < _BEYOND_QUESTION:
        return False
    return piece.kind == "domino" or not (_is_flat(piece.detection) or _is_bare(piece.detection, picture))


def _is_flat(box: Detection) -> bool:
    return min(box.width, box.height) < _FLAT * box.long_side


def _is_bare(box: Detection, picture: Pixels) -> bool:
    """Whether a box shows no die, but a uniform surface with a speck on it."""
    seen = picture[max(0, int(box.top)) : int(box.bottom) + 1, max(0, int(box.left)) : int(box.right) + 1]
    dark, light = np.percentile(cv2.cvtColor(seen, cv2.COLOR_RGB2GRAY), (10, 90))
    return bool(light - dark < _BODY)


def part_around(picture: Pixels, detection: Detection) -> Part | None:
    """The crop around a detection for a closer look; None where that is nearly the whole picture."""
    height, width = picture.shape[:2]
    side = _REACH * detection.long_side
    if side > _PART * max(height, width):
        return None
    (x, y), half = detection.middle, side / 2
    return int(max(0, x - half)), int(max(0, y - half)), int(min(width, x + half)), int(min(height, y + half))


def is_clear(tile: Candidate) -> bool:
    """Whether a tile found only in the rectified picture counts: blank cells of a board are found there, too."""
    return tile.confidence >= _CLEAR_FROM_ABOVE


def is_same_tile(found: Detection, tile: Detection) -> bool:
    """Whether a detection in the closer look is the tile in question: only that one is classified, the most expensive step."""
    return overlap(found, tile) > _SAME


def may_be_same_tile(found: Detection, tile: Detection) -> bool:
    """Whether a detection may turn out to be that tile once its corners are refined: refining hardly moves an outline farther."""
    return overlap(found, tile) > _NEAR


def confirmed(candidates: Sequence[Candidate], tile: Candidate, nearer: Iterable[Candidate]) -> list[Candidate]:
    """The candidates with a tile replaced by its closer look, if it is clear there; otherwise unchanged.

    Its detection score becomes the mean of both looks in log odds, as the calibration was fitted; a known candidate's score never
    drops. A tile that was missed so far counts if it is clear in the closer look, or with this mean score.
    """
    there = [each for each in nearer if each.kind == "domino" and is_same_tile(each.detection, tile.detection)]
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
    return both_tiles and is_same_tile(one.detection, tile.detection) and _ends(one) == _ends(tile)


def _ends(tile: Candidate) -> tuple[int, ...]:
    face = tile.face
    return tuple(sorted(face.ranked[0][0])) if isinstance(face, TileFace) and not tile.face_down else ()
