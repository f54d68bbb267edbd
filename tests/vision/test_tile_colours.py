"""Double blanks beside tiles of another colour."""

from dataclasses import replace

import numpy as np
import pytest

from vision.candidate import Calibration, Candidate
from vision.classify.colour import ground_of
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.tile_colours import of_one_colour, worth_a_look, worth_reading

WHITE, SHADED, TEAL, BLACK = (225.0, 118.0, 112.0), (201.0, 119.0, 114.0), (128.0, 108.0, 118.0), (20.0, 128.0, 128.0)


def end(value: int) -> tuple[float, ...]:
    return tuple(0.99 if k == value else 0.01 / 12 for k in range(13))


def tile(x: float, ends, ground=WHITE, other: float = 0.01, back: float = 0.0, profile: str = "", score: float = 0.6):
    place = Detection(x, 0, x + 40, 80, score, shape="tile")
    return Candidate(place, TileFace(other, back, end(ends[0]), end(ends[1]), profile), Calibration(), ground=ground)


SURE = [tile(60 * n, ends) for n, ends in enumerate(((1, 6), (2, 5), (0, 3)))]


def seen(found: Candidate) -> Candidate:
    return of_one_colour([*SURE, found], SURE)[-1]


def test_a_blank_of_another_colour_is_likelier_none():
    cell = tile(400, (0, 0), TEAL)
    assert cell.is_piece
    assert not seen(cell).is_piece
    assert seen(cell).confidence < 0.2


@pytest.mark.parametrize("ground", [WHITE, SHADED])
def test_a_blank_of_their_colour_stays_a_tile_in_shadow_too(ground):
    blank = tile(400, (0, 0), ground)
    assert seen(blank).probability == pytest.approx(blank.probability, abs=0.05)


def test_a_lamp_may_make_a_black_blank_grey():
    sure = [replace(each, ground=BLACK) for each in SURE]
    glossy = tile(400, (0, 0), (114.0, 129.0, 129.0))
    assert of_one_colour([glossy], sure)[0].probability == pytest.approx(glossy.probability, abs=0.02)
    assert worth_a_look([glossy], sure) == [glossy]


def test_of_two_sets_on_a_table_both_have_blanks():
    sure = [*SURE, replace(SURE[0], ground=BLACK)]
    blank = tile(400, (0, 0), BLACK)
    assert of_one_colour([blank], sure)[0].probability == pytest.approx(blank.probability, abs=0.02)


@pytest.mark.parametrize(
    "found",
    [
        tile(400, (0, 4), TEAL),
        tile(400, (0, 0), TEAL, profile="ours"),
        tile(400, (0, 0), None),
        tile(400, (6, 6), TEAL, back=0.95),
    ],
    ids=["with pips", "known by a profile", "nobody looked", "its back"],
)
def test_only_blanks_are_asked_for_their_colour(found: Candidate):
    assert seen(found) == found


def test_few_tiles_tell_no_colour():
    cell = tile(400, (0, 0), TEAL)
    unsure = replace(SURE[2], face=replace(SURE[2].face, other=0.6))
    assert of_one_colour([cell], [*SURE[:2], unsure]) == [cell]
    assert worth_a_look([cell], SURE[:2]) == [cell]


def test_what_is_unlikely_and_of_another_colour_is_not_worth_a_look():
    print_, shaded = (tile(400, (6, 6), ground, other=0.9, score=0.2) for ground in (TEAL, SHADED))
    likely = tile(520, (6, 6), TEAL)
    assert print_.confidence < 0.3 < likely.confidence
    assert worth_a_look([print_, shaded, likely], SURE) == [shaded, likely]


def test_of_what_may_have_been_missed_what_is_like_the_sure_ones_is_read_or_what_scores():
    picture = np.full((90, 700, 3), (60, 140, 130), np.uint8)  # squares of a board, and white tiles on the left of it
    picture[:, :100] = 235
    white, square, scored = (
        Detection(x, 5, x + 40, 85, score, shape="tile") for x, score in ((20, 0.1), (200, 0.1), (300, 0.4))
    )
    sure = [replace(each, ground=ground_of(picture, white.corners)) for each in SURE]
    assert worth_reading([white, square, scored], sure, picture) == [white, scored]
    assert worth_reading([white, square, scored], sure[:2], picture) == [white, square, scored]
