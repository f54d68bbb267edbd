"""Dice that lie flush against others, and what looks like a domino beside dice."""

from dataclasses import replace

import pytest

from vision.candidate import Calibration, Candidate, log_odds
from vision.classify.dice import Face
from vision.classify.pairs import Whole
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.flush_dice import among_dice, completed, end_boxes, less_likely_tiles, lies_flush


def box(x: float, y: float, side: float = 100, score: float = 0.6) -> Detection:
    """A find with its middle there."""
    return Detection(x - side / 2, y - side / 2, x + side / 2, y + side / 2, score)


def tile_box(x: float, y: float, side: float = 100, score: float = 0.9) -> Detection:
    """What looks like an upright tile, its middle there."""
    left, right, top, bottom = x - side / 2, x + side / 2, y - side, y + side
    quad = ((right, top), (right, bottom), (left, bottom), (left, top))
    return Detection(left, top, right, bottom, score, "tile", quad)


def shows(value: int, other: float = 0.02) -> Face:
    return Face(other, tuple(0.98 if k == value else 0.004 for k in range(1, 7)))


def die(value: int, x: float, y: float, score: float = 0.9, other: float = 0.02, side: float = 100) -> Candidate:
    return Candidate(box(x, y, side, score), shows(value, other), Calibration())


def tile(x: float, y: float, *, as_dice: float | None = None, score: float = 0.9) -> Candidate:
    """A 2-5 whose ends pass for dice so far."""
    ends = tuple(tuple(0.97 if k == value else 0.0025 for k in range(13)) for value in (2, 5))
    dice = None if as_dice is None else (shows(2, 1 - as_dice), shows(5, 1 - as_dice))
    return Candidate(tile_box(x, y, score=score), TileFace(0.02, 0.0, *ends), Calibration(), dice)


@pytest.mark.parametrize(
    ("other", "flush"),
    [
        (box(200, 100), True),
        (box(171, 171), True),  # the boxes of two dice that are turned by 45 degrees
        (box(240, 100), False),
        (box(200, 100, score=0.1), False),
        (box(200, 100, side=40), False),
        (box(110, 105), False),  # the same die, found twice
        (tile_box(100, 150), True),
        (tile_box(100, 150, score=0.1), False),
        (tile_box(300, 150), False),
    ],
)
def test_what_a_die_lies_flush_against(other: Detection, flush: bool):
    assert lies_flush(box(100, 100), [box(100, 100), other]) is flush


def test_the_ends_of_a_tile_as_dice():
    assert sorted((end.left, end.top, end.right, end.bottom) for end in end_boxes(tile_box(100, 100))) == [
        pytest.approx((50, 0, 150, 100)),
        pytest.approx((50, 100, 150, 200)),
    ]


@pytest.mark.parametrize("dice", [[], [die(5, 100, 150)], [die(5, 100, 150, score=0.1, other=0.6)], [die(5, 300, 150)]])
def test_both_ends_of_what_passes_for_two_dice_may_be_dice(dice: list[Candidate]):
    found = completed(dice, [tile(100, 100, as_dice=0.9)], Calibration())
    assert found[: len(dice)] == dice
    sure = [each for each in dice if each.is_piece]
    places = sorted(each.detection.middle for each in (*found[len(dice) :], *sure) if each.detection.middle[0] < 200)
    assert places == [pytest.approx((100, 50)), pytest.approx((100, 150))]
    assert {each.kind for each in found} == {"d6"}


@pytest.mark.parametrize(
    ("dice", "as_dice"),
    [([], 0.3), ([die(5, 100, 150)], None), ([die(5, 100, 150), die(2, 100, 50)], 0.9)],
)
def test_otherwise_no_end_of_a_tile_is_taken_for_a_die(dice: list[Candidate], as_dice: float | None):
    assert completed(dice, [tile(100, 100, as_dice=as_dice)], Calibration()) == dice


@pytest.mark.parametrize(
    ("whole", "passes"),
    [
        (None, 0.9),
        (Whole(0.97), 0.9),
        (Whole(0.6), 0.6),
        (Whole(0.1), 0.1),
        (Whole(0.3, 0.4), 0.7),  # a die from the side, which has pips at both ends
    ],
)
def test_what_passes_for_two_dice_looks_like_them_as_a_whole_and_at_each_end(whole: Whole | None, passes: float):
    one = replace(tile(100, 100, as_dice=0.9), whole=whole)
    assert one.dice_likeness == pytest.approx(passes)
    (after,) = less_likely_tiles([one])
    lost = max(0.0, log_odds(passes))
    assert log_odds(after.probability) == pytest.approx(log_odds(one.probability) - lost)


def test_a_die_and_its_shadow_is_a_die_at_the_end_that_is_no_blank():
    piece = tile(100, 100, as_dice=0.9)
    assert piece.ends_as_dice is not None
    assert isinstance(piece.face, TileFace)
    ends = (piece.ends_as_dice[0], replace(piece.ends_as_dice[1], other=0.99))
    blank = tuple(0.95 if k == 0 else 0.05 / 12 for k in range(13))
    shadow = replace(piece, ends_as_dice=ends, whole=Whole(0.1, 0.85), face=replace(piece.face, second=blank))
    assert shadow.dice_likeness == pytest.approx(0.85)
    assert less_likely_tiles([shadow])[0].context_penalty > 0
    assert [each.is_piece for each in completed([], [shadow], Calibration())] == [True, False]
    assert replace(shadow, face=piece.face).dice_likeness == pytest.approx(0.01), "a shadow has no pips"
    turned = replace(piece.face, first=blank)
    assert replace(shadow, face=turned).dice_likeness < 0.05, "and is no die"
    assert replace(shadow, whole=Whole(0.85, 0.1)).dice_likeness == pytest.approx(0.1), "two dice have two ends"


def test_no_end_is_likelier_a_die_than_the_whole_is_dice():
    piece = tile(100, 100, as_dice=0.98)
    for pair in (0.6, 0.999):
        found = completed([], [replace(piece, whole=Whole(pair))], Calibration())
        assert len(found) == 2
        for each in found:
            assert isinstance(each.face, Face)
            assert 1 - each.face.other == pytest.approx(min(pair, 0.98))


def test_dominoes_vouch_for_one_that_passes_for_two_dice():
    one, other = tile(100, 100, as_dice=0.7), tile(300, 100, as_dice=0.1)
    assert less_likely_tiles([one, other]) == [one, other]
    assert completed([], [one, other], Calibration()) == []
    assert less_likely_tiles([one, tile(300, 100)])[0].context_penalty > 0


def test_a_tile_that_a_profile_knows_stays_as_likely():
    known = replace(tile(100, 100, as_dice=0.9), whole=Whole(0.9))
    known = replace(known, face=replace(known.face, profile="house"))
    assert less_likely_tiles([known]) == [known]


def test_among_sure_dice_a_tile_is_likelier_two_more():
    alone, beside = tile(100, 100), die(3, 400, 100)
    after = among_dice([alone, beside])
    assert after[1] == beside
    assert log_odds(after[0].probability) == pytest.approx(log_odds(alone.probability) - 3)


@pytest.mark.parametrize(
    "beside",
    [
        die(3, 100, 150),  # on the tile: an end that looks like a die
        die(3, 400, 100, score=0.2, other=0.5),
        die(3, 400, 100, side=40),
        tile(400, 100),
    ],
)
def test_otherwise_it_stays_as_likely(beside: Candidate):
    assert among_dice([tile(100, 100), beside])[0].context_penalty == 0
