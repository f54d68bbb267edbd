"""What to believe of the detections, and when to say "please look".

A detection becomes a piece when detector and classifier together believe in it. Everything between "surely" and "surely not"
becomes a `Doubt`: a wrong value without a doubt is the worst outcome.
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
"""Of a tile: whether it lies face up or face down."""
_LEAST_PIXELS = 14
"""Of a die in the full photo; below it the pips of a six run together."""
_LEAST_END, _LEAST_END_OF_MANY = 10, 13
"""Of one end of a tile in the full photo, up to six pips and with more: the reader has learned from none smaller."""
_LEAST_SHARE = 0.1
"""Of the picture's longer side, of a piece that a first look at the whole picture missed."""
_LOW = 0.5
"""The chance that a die is seen from too low. The layer is set so that one in fifty dice on photos is above it."""
_LOW_TABLE = 1.4
"""How far a picture has to be stretched, for its tiles to look as from above, that may hide tiles: 46 degrees over the table."""
_OVERLAP = 0.45
_TILE_OVERLAP = 0.25
"""Tiles lie in turned boxes that barely cover each other; more than this is a pile or one tile found twice."""
_END = 0.8
"""Of a tile's area, of a die on it that may be an end: upright boxes of turned dice are larger than half of it."""
_HALF = 0.7
"""A die that is the end of a tile, or was taken for one, lies in the tile's outline with so much of its box."""
_SEEN_TILE = 0.15
"""The detector's score from which a tile that was not counted makes the dice in it doubtful."""
MAYBE_DICE = 0.25
"""How far the ends of a tile may pass for dice before somebody has to look."""
_MAYBE_PAIR, _MOSTLY = 0.1, 0.5
"""The same for each of two finds of dice on one tile, and how much of them lies in its outline."""
_SEEN_BESIDE = 0.1
"""The detector's score from which what lies beside dice of a profile, and is none that it knows, is named."""
_SEEN_CUT = 0.5
"""The detector's score from which half a piece at the picture's edge is named."""
_EDGE = 0.004
"""How near the picture's edge, over its longer side, a box meets it."""
_WHOLE = 0.9
"""A die that merely touches the edge is whole: its box is about as high as wide."""
_BLURRED, _BLURRED_TILES = 1 / 9, 1 / 15
"""How wide the edges of blurred pieces are, over their longer side, and of blurred tiles alone."""
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
    """Everything a person should look at; `dice` and `tiles` in the order of the reading; `looked_for`: the kinds that count."""
    for note in photo.notes:
        yield Doubt(note.code, note.message)
    if not dice and not tiles:
        yield Doubt("no-pieces", f"{_none_of(looked_for)} Take the photo from nearer, with all of them in the picture.")
    for i, die in enumerate(dice):
        yield from _doubts_of_die(photo, i, die)
    for i, tile in enumerate(tiles):
        yield from (replace(doubt, tile=i) for doubt in _doubts_of_tile(photo, tile))
    yield from _overlaps(dice, tiles)
    # A tile face down, which is as plain as the table, changes no score.
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
    """Whether it lies beside dice of a profile, and may be one of them on a side that nobody has shown."""
    face = candidate.face
    seen = candidate.detection.score >= _SEEN_BESIDE
    return seen and isinstance(face, Face) and bool(face.profile) and 1 - face.other >= _MAYBE_PIECE


def doubts_of_blur(
    photo: Photo, dice: Sequence[Candidate], tiles: Sequence[Candidate], doubts: Sequence[Doubt]
) -> Iterator[Doubt]:
    """What there is to do about the other doubts where the pieces are blurred. Of several blurred tiles some may be missed or
    misread without any other doubt (docs/decisions/0078-blurred-pictures.md).
    """
    # From low, tiles are short, and their edges wide for their length.
    outlines = [tile.detection for tile in tiles]
    blurred_tiles = not _seen_from_low(tiles) and edges(photo.pixels, outlines) > _BLURRED_TILES
    if blurred_tiles and len(tiles) > 1:
        yield Doubt("blurred", "The picture is blurred, so that a tile may have been missed or misread. " + _SHARPER)
    elif any(each.reason in _BY_BLUR for each in doubts) and (
        blurred_tiles or edges(photo.pixels, [die.detection for die in dice]) > _BLURRED
    ):
        yield Doubt("blurred", "The picture is blurred. " + _SHARPER)


def maybe_dice(tiles: Sequence[Candidate], outdone: Sequence[Candidate]) -> Iterator[Doubt]:
    """Tiles whose ends may be dice: two dice that touch look like a tile, and so does a die with its shadow.

    Dominoes lie among dominoes: if one tile is dice, so are the others of the table, so that those of which none can be dice
    vouch for the one whose ends look like dice. They don't where a sure die was found on the tile, or two that may be.
    """
    all_dice = sum(log_odds(tile.passes_for_dice) for tile in tiles) > log_odds(MAYBE_DICE)
    for i, tile in enumerate(tiles):
        rivals = [die for die in outdone if _on_end(die.detection, tile.detection)]
        alike = all_dice and tile.passes_for_dice > MAYBE_DICE
        if alike or any(die.probability >= _SURE_PIECE for die in rivals) or _pair(tile, outdone):
            yield Doubt("overlapping", _rather_dice(tile), tile=i)


def _rather_dice(tile: Candidate) -> str:
    """Which dice it may be, for people."""
    blank = isinstance(tile.face, TileFace) and 0 in tile.face.ranked[0][0]
    if blank and tile.whole is not None and tile.whole.one > tile.whole.two:
        return "This may be a die and its shadow rather than a domino."
    values = [face.ranked[0][0] for face in tile.ends_as_dice or ()]
    shown = f", {values[0]} and {values[1]}," if values else ""
    return f"This may be two dice that touch{shown} rather than a domino."


def _on_end(die: Detection, tile: Detection) -> bool:
    """Whether a find may be an end of a tile: it lies on it, and is not as large, which is the same piece, taken for a die."""
    return inside(die, tile) > _HALF and die.area < _END * tile.area


def _pair(tile: Candidate, dice: Sequence[Candidate]) -> bool:
    """Whether two finds on a tile may be dice, however little: the detector sees no dice in the ends of a tile."""
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
    """Dice that lie in what the detector took for a tile, though nobody believed it: the end of a domino looks like a die."""
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
    if die.came and p < _SURE_VALUE:
        yield Doubt("uncertain-value", f"What this die shows cannot be read; {value} is a guess.", i)
        return
    if die.surely < _SURE_PIECE:
        message = f"This may not be a {NAMES[die.kind]} ({die.surely:.0%} sure); it was counted as {value}."
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
    """Whether it is so small, and was missed at first, that others on the table may be missed still."""
    box = piece.detection
    return piece.only_near and box.long_side < _LEAST_SHARE * max(photo.pixels.shape)


def doubts_of_cut_off(photo: Photo, cut_off: Sequence[Candidate]) -> Iterator[Doubt]:
    """Pieces that leave the picture: named, and not counted."""
    for piece in cut_off:
        name = NAMES[piece.kind]
        place = _place(photo, piece.detection)
        yield Doubt("cut-off", f"A {name} {place} leaves the picture; it was not counted. Move the camera back.")


def doubts_of_number(dice: Sequence[Candidate], tiles: Sequence[Candidate], expected: Expected) -> Iterator[Doubt]:
    """More or fewer pieces than the game that is played may have on the table now."""
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
    """Takes the place of the doubt of the number, where so many dominoes were taken for dice."""
    return Doubt(
        "other-pieces", f"These look like {count} dominoes, but this game is played with dice. Show the dice alone."
    )


def doubts_of_slant(tiles: Sequence[Candidate], expected: Expected | None) -> Iterator[Doubt]:
    """Tiles seen from so low that others may have been missed, unless the game says that there are as many."""
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
    """Whether a piece goes on outside the picture, so far that what it shows may, too.

    The classifier takes half a die for none: where the detector is sure of a piece at the edge, its word is enough.
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
    """Whether the die goes on outside: its box meets the picture's edge, and is shorter across that edge than along it."""
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
    """A place in words: `x` from the left and `y` from the top, in shares of the picture."""
    column = ("at the left", "in the middle", "at the right")[min(2, int(3 * x))]
    row = ("at the top", "", "at the bottom")[min(2, int(3 * y))]
    return " ".join(part for part in (row, column) if part)
