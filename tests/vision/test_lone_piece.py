from dataclasses import replace

import pytest

from vision.candidate import Calibration, Candidate
from vision.classify.dice import DIE_KINDS, Face
from vision.classify.tiles import TileFace
from vision.detect.boxes import Detection
from vision.detect.detector import MIN_SCORE
from vision.lone_piece import lone_tile, maybe_lone_tile

DIE = Detection(100, 100, 180, 190, 0.8)
TILE = replace(DIE, shape="tile", quad=((100, 100), (180, 100), (180, 190), (100, 190)))
NEARLY = Face(0.03, (0.0, 0.0, 1.0, 0.0, 0.0, 0.0), nothing=0.005)
"""A die that shows a 3, and that might be nothing."""
PLAINLY = replace(NEARLY, nothing=0.0005)
THREE_ONE = TileFace(0.02, 0.0, (0.0, 0.0, 0.0, 1.0), (0.0, 0.98, 0.02, 0.0))


def of(detection: Detection, face: Face | TileFace) -> Candidate:
    return Candidate(detection, face, Calibration())


def test_one_piece_that_looks_like_a_die_is_looked_at_as_a_tile_that_does_not_count():
    weak = Detection(300, 300, 340, 340, 0.2)
    (tile,) = lone_tile([DIE, weak], [of(DIE, NEARLY)], DIE_KINDS)
    assert (tile.shape, tile.score, len(tile.either_way)) == ("tile", MIN_SCORE, 2)
    assert (tile.left, tile.top, tile.right, tile.bottom) == (DIE.left, DIE.top, DIE.right, DIE.bottom)


def test_where_only_dominoes_are_played_with_it_counts():
    assert [tile.score for tile in lone_tile([DIE], [], ())] == [DIE.score]


@pytest.mark.parametrize(
    "others",
    [
        [Detection(300, 300, 380, 390, 0.4)],
        [replace(TILE, score=0.4)],
        [Detection(300, 300, 380, 390, 0.9)],
    ],
    ids=["another die", "the same as a tile", "a likelier die"],
)
def test_beside_others_no_die_is_looked_at_as_a_tile(others: list[Detection]):
    assert lone_tile([DIE, *others], [of(DIE, NEARLY)], DIE_KINDS) == []


def test_nor_what_the_detector_hardly_sees():
    assert lone_tile([replace(DIE, score=0.4)], [], ()) == []
    assert lone_tile([], [], ()) == []


def test_a_second_box_around_the_same_die_is_no_other_piece():
    second = Detection(105, 105, 182, 188, 0.4)
    assert len(lone_tile([DIE, second], [of(DIE, PLAINLY), of(second, NEARLY)], DIE_KINDS)) == 1


def test_what_is_plainly_a_die_is_not_looked_at_as_a_tile():
    hardly_seen = of(Detection(110, 110, 160, 160, 0.1), NEARLY)
    assert lone_tile([DIE], [of(DIE, PLAINLY), hardly_seen], DIE_KINDS) == []


def test_a_die_that_can_be_read_as_a_domino_says_which():
    (doubt,) = maybe_lone_tile([of(DIE, NEARLY)], [of(DIE, NEARLY), of(TILE, THREE_ONE)])
    assert (doubt.reason, doubt.piece) == ("uncertain-piece", 0)
    assert doubt.message.startswith("This may be the domino 3-1, seen from low, rather than a die.")


@pytest.mark.parametrize(
    ("dice", "tile"),
    [
        ([of(DIE, PLAINLY)], of(TILE, THREE_ONE)),
        ([of(DIE, NEARLY)], of(TILE, replace(THREE_ONE, second=(0.0, 0.8, 0.2, 0.0)))),
        ([of(DIE, NEARLY)], of(TILE, replace(THREE_ONE, other=0.2))),
        ([of(DIE, NEARLY)], of(TILE, replace(THREE_ONE, back=0.9))),
        ([of(DIE, NEARLY)], of(replace(TILE, left=400, right=480), THREE_ONE)),
        ([of(DIE, NEARLY), of(DIE, NEARLY)], of(TILE, THREE_ONE)),
        ([], of(TILE, THREE_ONE)),
    ],
    ids=["plainly a die", "an end is not plain", "no tile", "its back", "elsewhere", "two dice", "no die"],
)
def test_other_dice_say_nothing(dice: list[Candidate], tile: Candidate):
    assert list(maybe_lone_tile(dice, [*dice, tile])) == []
