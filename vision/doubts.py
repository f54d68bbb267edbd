"""When a reading asks a person to look.

A detection counts as a piece when detector and classifier together say so. Everything between "surely" and "surely not" becomes a
`Doubt`: a wrong value without a doubt is the worst outcome.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from vision.blur import edges
from vision.candidate import Candidate, log_odds
from vision.classify.dice import Face
from vision.classify.tiles import TileFace
from vision.detect.boxes import KINDS, NAMES, Detection, inside, overlap
from vision.expected import Expected
from vision.photo import Photo
from vision.reading import Doubt, DoubtReason
from vision.slant import stretch_of
from vision.unread_dice import unread_dice

_SURE_PIECE = 0.85
_MAYBE_PIECE = 0.2
_SURE_VALUE = 0.9
_SURE_SIDE = 0.85
"""The probability from which it is sure that a tile lies face up, or face down."""
_LEAST_PIXELS = 14
"""Least longer side of a die in the full photo, in pixels: below it the pips of a six run together."""
_LEAST_END, _LEAST_END_OF_MANY = 10, 13
"""Least size in pixels of one end of a tile in the full photo, with up to six pips and with more: the training data has none
smaller."""
_LEAST_SHARE = 0.1
"""Least size, over the picture's longer side, of a piece that the first pass over the whole picture missed."""
_LOW = 0.5
"""The probability of a view from too low that raises a doubt: `vision.classify.low_view` is set so that one in fifty dice on
photos is above it."""
_LOW_TABLE = 1.4
"""The stretch (`vision.slant`) from which the camera is so low that tiles may be missed: 46 degrees over the table."""
_OVERLAP = 0.45
_TILE_OVERLAP = 0.25
"""Tiles lie in turned boxes that barely cover each other; more than this is a pile or one tile found twice."""
_END = 0.8
"""Largest area of a die that may be the end of a tile, over the tile's: an upright box of a turned die covers more than half."""
_HALF = 0.7
"""Share of a die's box that lies in a tile's outline, if the die may be an end of the tile."""
_SEEN_TILE = 0.15
"""The detector's score from which a tile that was not counted makes the dice in it doubtful."""
MAYBE_DICE = 0.25
"""How much a tile may look like dice (`Candidate.dice_likeness`) before somebody has to look."""
_MAYBE_PAIR, _MOSTLY = 0.1, 0.5
"""Two detections on one tile make it doubtful if each is a die with the first probability and lies in its outline with the second
share."""
_SEEN_BESIDE = 0.1
"""The detector's score from which something beside dice of a profile, but not recognised by it, is reported."""
_SEEN_CUT = 0.5
"""The detector's score from which half a piece at the picture's edge is reported."""
_EDGE = 0.004
"""Distance from the picture's edge, over its longer side, within which a box touches it."""
_WHOLE = 0.9
"""Short over long side of a box from which a die that touches the edge is whole."""
_BLURRED, _BLURRED_TILES = 1 / 9, 1 / 15
"""Edge width, over the longer side (`vision.blur.edges`), from which dice in doubt and tiles are blurred."""
_BY_BLUR: tuple[DoubtReason, ...] = ("uncertain-value", "uncertain-piece")
"""The doubts that a sharper picture may settle."""
_SHARPER = "Hold the camera still, give it time to focus, and take another one."


def doubts_of(
    photo: Photo,
    dice: Sequence[Candidate],
    tiles: Sequence[Candidate],
    rejected: Sequence[Candidate],
    looked_for: Collection[str] = KINDS,
) -> Iterator[Doubt]:
    """The doubts about the photo, its pieces and what was not counted.

    `dice` and `tiles`: in the order of the reading; `looked_for`: the kinds that count.
    """
    for note in photo.notes:
        yield Doubt(note.code, note.message)
    if not dice and not tiles:
        yield Doubt("no-pieces", f"{_none_of(looked_for)} Take the photo from nearer, with all of them in the picture.")
    for i, die in enumerate(dice):
        yield from _doubts_of_die(photo, i, die)
    for i, tile in enumerate(tiles):
        yield from (replace(doubt, tile=i) for doubt in _doubts_of_tile(photo, tile))
    yield from _overlaps(dice, tiles)
    # A tile that may lie face down raises no doubt: its back looks as plain as the table, and changes no score.
    if maybe := [each for each in rejected if _may_be(each) or _of_own_set(each)]:
        place, name = _place(photo, maybe[0].detection), NAMES[maybe[0].kind]
        yield Doubt("uncertain-piece", f"Something {place} may be a {name}; it was not counted.")
    elif unread := unread_dice(photo, dice, rejected):
        place = _place(photo, unread[0].detection)
        message = f"Something {place} looks like the other dice, but shows nothing that is known; it was not counted."
        yield Doubt("uncertain-piece", message)


def _none_of(kinds: Collection[str]) -> str:
    if "domino" not in kinds:
        return "No dice were found."
    return "No dice or dominoes were found." if len(kinds) > 1 else "No dominoes were found; dice do not count here."


def _may_be(candidate: Candidate) -> bool:
    return candidate.by_itself > _MAYBE_PIECE and not candidate.face_down


def _of_own_set(candidate: Candidate) -> bool:
    """Whether it may be a die of a profile, on a side that the profile has no picture of."""
    face = candidate.face
    seen = candidate.detection.score >= _SEEN_BESIDE
    return seen and isinstance(face, Face) and bool(face.profile) and 1 - face.other >= _MAYBE_PIECE


def doubts_of_blur(
    photo: Photo, dice: Sequence[Candidate], tiles: Sequence[Candidate], doubts: Sequence[Doubt]
) -> Iterator[Doubt]:
    """Advice on blur, where it explains the other doubts. Of several blurred tiles, some may be missed or misread without any
    other doubt (docs/decisions/0078-blurred-pictures.md).
    """
    # Seen from low, tiles are foreshortened, and their edges wide for their length.
    outlines = [tile.detection for tile in tiles]
    blurred_tiles = not _seen_from_low(tiles) and edges(photo.pixels, outlines) > _BLURRED_TILES
    if blurred_tiles and len(tiles) > 1:
        yield Doubt("blurred", "The picture is blurred, so that a tile may have been missed or misread. " + _SHARPER)
    elif any(each.reason in _BY_BLUR for each in doubts) and (
        blurred_tiles or edges(photo.pixels, [die.detection for die in dice]) > _BLURRED
    ):
        yield Doubt("blurred", "The picture is blurred. " + _SHARPER)


def maybe_dice(tiles: Sequence[Candidate], outdone: Sequence[Candidate]) -> Iterator[Doubt]:
    """Tiles that may be dice: two dice that touch look like a tile, and so does a die with its shadow.

    Dominoes rarely mix with dice: if one tile is really dice, so are the others. So tiles that cannot be dice vouch for one that
    looks like dice, unless a sure die was detected on it, or two that may be dice.
    """
    all_dice = sum(log_odds(tile.dice_likeness) for tile in tiles) > log_odds(MAYBE_DICE)
    for i, tile in enumerate(tiles):
        rivals = [die for die in outdone if _on_end(die.detection, tile.detection)]
        alike = all_dice and tile.dice_likeness > MAYBE_DICE
        if alike or any(die.probability >= _SURE_PIECE for die in rivals) or _pair(tile, outdone):
            yield Doubt("overlapping", _rather_dice(tile), tile=i)


def _rather_dice(tile: Candidate) -> str:
    """The message that says which dice a tile may be."""
    blank = isinstance(tile.face, TileFace) and 0 in tile.face.ranked[0][0]
    if blank and tile.whole is not None and tile.whole.one > tile.whole.two:
        return "This may be a die and its shadow rather than a domino."
    values = [face.ranked[0][0] for face in tile.ends_as_dice or ()]
    shown = f", {values[0]} and {values[1]}," if values else ""
    return f"This may be two dice that touch{shown} rather than a domino."


def _on_end(die: Detection, tile: Detection) -> bool:
    """Whether a die may be one end of a tile: it lies on it and is clearly smaller. If as large, it is the same piece."""
    return inside(die, tile) > _HALF and die.area < _END * tile.area


def _pair(tile: Candidate, dice: Sequence[Candidate]) -> bool:
    """Whether two separate detections on a tile may be dice, even with low scores: in a real tile the detector sees none."""
    there = [die for die in dice if inside(die.detection, tile.detection) > _MOSTLY]
    maybe = [die for die in there if isinstance(die.face, Face) and 1 - die.face.other >= _MAYBE_PAIR]
    return any(overlap(one.detection, other.detection) < _OVERLAP for one, other in combinations(maybe, 2))


def tiles_among_dice(dice: Sequence[Candidate], tiles: Sequence[Candidate]) -> Iterator[Doubt]:
    """Dice and dominoes on one table, where no game says which are played with: one of them may be taken for the other."""
    if dice and tiles:
        for i in range(len(tiles)):
            message = "A domino among dice may be two dice that touch. Name the game to be sure."
            yield Doubt("uncertain-piece", message, tile=i)


def maybe_tile(dice: Sequence[Candidate], candidates: Sequence[Candidate]) -> Iterator[Doubt]:
    """Dice inside a detected tile that was not counted: the end of a domino looks like a die."""
    tiles = [c.detection for c in candidates if c.kind == "domino" and c.detection.score >= _SEEN_TILE]
    for i, die in enumerate(dice):
        if any(_on_end(die.detection, tile) for tile in tiles):
            yield Doubt("uncertain-piece", "This may be the end of a domino rather than a die.", i)


def _overlaps(dice: Sequence[Candidate], tiles: Sequence[Candidate]) -> Iterator[Doubt]:
    for i, die in enumerate(dice):
        if any(overlap(die.detection, other.detection) > _OVERLAP for other in [*dice[i + 1 :], *tiles]):
            yield Doubt("overlapping", "Two detections overlap here; they may be one piece.", i)
    for i, tile in enumerate(tiles):
        if any(overlap(tile.detection, other.detection) > _TILE_OVERLAP for other in tiles[i + 1 :]):
            yield Doubt("overlapping", "Two tiles overlap here; they may be one, or one may hide pips.", tile=i)


def _doubts_of_die(photo: Photo, i: int, die: Candidate) -> Iterator[Doubt]:
    assert isinstance(die.face, Face)
    (value, p), (second, q), *_ = die.face.ranked
    if die.rolled_in and p < _SURE_VALUE:
        yield Doubt("uncertain-value", f"What this die shows cannot be read; {value} is a guess.", i)
        return
    if die.cautious_probability < _SURE_PIECE:
        message = (
            f"This may not be a {NAMES[die.kind]} ({die.cautious_probability:.0%} sure); it was counted as {value}."
        )
        yield Doubt("uncertain-piece", message, i)
    if p < _SURE_VALUE:
        yield Doubt("uncertain-value", f"This may be {value} ({p:.0%}) or {second} ({q:.0%}).", i)
    if die.kind == "d6" and die.face.low > _LOW:
        message = f"This die is seen from the side, and its front may have been read as its top: {value}. Hold the camera higher."
        yield Doubt("too-low", message, i)
    if die.detection.long_side * photo.scale < _LEAST_PIXELS or _hard_to_see(photo, die):
        yield Doubt("too-small", f"This die is very small in the photo; it was read as {value}. Go nearer.", i)


def _doubts_of_tile(photo: Photo, tile: Candidate) -> Iterator[Doubt]:
    assert isinstance(tile.face, TileFace)
    if tile.probability < _SURE_PIECE:
        yield Doubt("uncertain-piece", f"This may not be a domino ({tile.probability:.0%} sure); it was counted.")
    if max(tile.face.back, 1 - tile.face.back) < _SURE_SIDE:
        yield Doubt("face-down", f"This tile may lie face down ({tile.face.back:.0%}).")
    if tile.face_down:
        return
    ((a, b), p), ((c, d), q), *_ = tile.face.ranked
    if p < _SURE_VALUE:
        yield Doubt("uncertain-value", f"This may be {a}-{b} ({p:.0%}) or {c}-{d} ({q:.0%}).")
    least = _LEAST_END if max(a, b) <= 6 else _LEAST_END_OF_MANY
    end = math.dist(tile.detection.corners[0], tile.detection.corners[1]) / 2 * photo.scale
    if end < least or _hard_to_see(photo, tile):
        yield Doubt("too-small", f"This tile is very small in the photo; it was read as {a}-{b}. Go nearer.")


def _hard_to_see(photo: Photo, piece: Candidate) -> bool:
    """Whether it is so small, and was missed at first, that others on the table may still be missed."""
    box = piece.detection
    return piece.found_late and box.long_side < _LEAST_SHARE * max(photo.pixels.shape)


def doubts_of_cut_off(photo: Photo, cut_off: Sequence[Candidate]) -> Iterator[Doubt]:
    """Pieces cut off by the picture's edge: reported, not counted."""
    for piece in cut_off:
        name = NAMES[piece.kind]
        place = _place(photo, piece.detection)
        yield Doubt("cut-off", f"A {name} {place} leaves the picture; it was not counted. Move the camera back.")


def doubts_of_number(dice: Sequence[Candidate], tiles: Sequence[Candidate], expected: Expected) -> Iterator[Doubt]:
    """More or fewer pieces than the game allows on the table now."""
    own = [i for i, die in enumerate(dice) if die.kind in expected.kinds] or list(range(len(dice)))
    count = len(own) + len(tiles)
    one, more = ("domino", "dominoes") if "domino" in expected.kinds else ("die", "dice")
    read = f"1 {one} was read" if count == 1 else f"{count} {more} were read"
    fitting = sorted(expected.counts)
    if expected.at_most is not None and count > expected.at_most:
        message = f"{read}, but at most {expected.at_most} can lie here."
    elif count and fitting and count not in fitting:
        message = f"{read}, but there should be {' or '.join(map(str, fitting))}."
    else:
        return
    likely = min(own, key=lambda i: dice[i].confidence, default=None)
    too_many = not fitting or count > max(fitting)
    yield Doubt("number", message, likely if too_many else None)


def dominoes_instead(count: int) -> Doubt:
    """Replaces the doubt about the number of dice where `count` dominoes lie on the table instead."""
    return Doubt(
        "other-pieces", f"These look like {count} dominoes, but this game is played with dice. Show the dice alone."
    )


def doubts_of_slant(tiles: Sequence[Candidate], expected: Expected | None) -> Iterator[Doubt]:
    """Tiles seen from so low that others may have been missed, unless their number is one that the game expects."""
    if expected and len(tiles) in expected.counts:
        return
    if _seen_from_low(tiles):
        yield Doubt(
            "too-low", "The table is seen from so low that a tile may have been missed. Hold the camera higher."
        )


def _seen_from_low(tiles: Sequence[Candidate]) -> bool:
    stretch = stretch_of([tile.detection.corners for tile in tiles]) or 1.0
    return max(stretch, 1 / stretch) >= _LOW_TABLE


def leaves_picture(photo: Photo, candidate: Candidate) -> bool:
    """Whether a piece is cut off by the picture's edge so far that some of its pips may be outside.

    The classifier rejects half a die, so a high detection score at the edge is enough.
    """
    detection = candidate.detection
    if not candidate.is_piece and detection.score < _SEEN_CUT:
        return False
    return _leaves(photo, detection) if detection.shape == "tile" else is_cut_off(photo, detection)


def _leaves(photo: Photo, detection: Detection) -> bool:
    """Whether a corner of the outline lies well outside the picture."""
    height, width = photo.pixels.shape[:2]
    slack = 0.12 * math.dist(detection.corners[1], detection.corners[2])
    return any(not (-slack <= x <= width + slack and -slack <= y <= height + slack) for x, y in detection.corners)


def is_cut_off(photo: Photo, detection: Detection) -> bool:
    """Whether a die is cut off: its box touches the picture's edge and is shorter across that edge than along it."""
    height, width = photo.pixels.shape[:2]
    slack = _EDGE * max(height, width)
    sideways = min(detection.left, width - detection.right) <= slack and detection.width < _WHOLE * detection.height
    return bool(
        sideways
        or (min(detection.top, height - detection.bottom) <= slack and detection.height < _WHOLE * detection.width)
    )


def _place(photo: Photo, detection: Detection) -> str:
    (x, y), (height, width) = detection.middle, photo.pixels.shape[:2]
    return where(x / width, y / height)


def where(x: float, y: float) -> str:
    """A position in words: `x` from the left and `y` from the top, as shares of the picture (0..1)."""
    column = ("at the left", "in the middle", "at the right")[min(2, int(3 * x))]
    row = ("at the top", "", "at the bottom")[min(2, int(3 * y))]
    return " ".join(part for part in (row, column) if part)
