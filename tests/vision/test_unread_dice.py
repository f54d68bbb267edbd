"""Dice that look like the others, and show nothing that is known."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.taught.drawn import EMBLEM, thrown
from vision.candidate import Calibration, Candidate
from vision.classify.dice import Face
from vision.detect.boxes import Detection
from vision.doubts import doubts_of
from vision.photo import Photo, load
from vision.reader import TableReader
from vision.unread_dice import unread_dice

FIVE = Face(0.001, (0.001, 0.001, 0.001, 0.001, 0.995, 0.001), nothing=0.0)
STRANGE = Face(0.98, (0.9, 0.02, 0.02, 0.02, 0.02, 0.02), nothing=0.05)
IVORY, GREY, RED = (230, 225, 200), (190, 185, 160), (200, 40, 40)


def die(
    left: float, colour: tuple[int, int, int], face: Face = STRANGE, side: float = 100, score: float = 0.4
) -> Candidate:
    detection = Detection(left, 100, left + side, 100 + side, score)
    candidate = Candidate(detection, face, Calibration())
    box = slice(100, 100 + int(side)), slice(int(left), int(left + side))
    PICTURE.pixels[box] = colour
    return candidate


def two_fives() -> list[Candidate]:
    return [die(left, IVORY, FIVE, score=0.9) for left in (20, 140)]


PICTURE = Photo("p.jpg", 1000, 400, "JPEG", 1, np.zeros((400, 1000, 3), np.uint8), ())


@pytest.fixture(autouse=True)
def _bare_table() -> None:
    PICTURE.pixels[:] = (20, 90, 40)


def test_a_die_of_the_same_colour_and_size_is_one_of_them() -> None:
    read = two_fives()
    for colour in (IVORY, GREY):
        strange = die(400, colour)
        assert unread_dice(PICTURE, read, [strange]) == [strange]
    (doubt,) = doubts_of(PICTURE, read, [], [strange])
    assert doubt.reason == "uncertain-piece"
    assert "looks like the other dice" in doubt.message


def test_what_is_of_another_colour_size_or_shape_is_none_of_them() -> None:
    read = two_fives()
    long = replace(die(800, IVORY), detection=Detection(800, 100, 900, 170, 0.4))
    for other in (die(300, RED), die(450, IVORY, side=140), die(650, IVORY, side=70), long):
        assert unread_dice(PICTURE, read, [other]) == []
    assert not list(doubts_of(PICTURE, read, [], [die(400, RED)]))


def test_what_the_networks_see_nothing_in_is_none_of_them() -> None:
    read = two_fives()
    assert unread_dice(PICTURE, read, [die(400, IVORY, score=0.08)]) == []
    assert unread_dice(PICTURE, read, [die(400, IVORY, replace(STRANGE, nothing=0.95))]) == []


def test_what_covers_a_die_is_that_die() -> None:
    read = two_fives()
    assert unread_dice(PICTURE, read, [die(170, IVORY)]) == []


def test_dice_that_are_not_sure_and_twelve_sided_ones_vouch_for_nothing() -> None:
    unsure = Face(0.001, (0.0, 0.0, 0.0, 0.0, 0.6, 0.4))
    twelve = Face(0.001, (0.99, *(0.001,) * 11), "d12")
    for face in (unsure, twelve):
        vouching = [die(left, IVORY, face, score=0.9) for left in (20, 140)]
        assert unread_dice(PICTURE, vouching, [die(400, IVORY)]) == []


def test_where_as_many_are_strange_they_are_other_dice() -> None:
    strange = [die(left, IVORY) for left in (300, 450)]
    assert unread_dice(PICTURE, two_fives(), strange) == []
    three = [*two_fives(), die(600, IVORY, FIVE, score=0.9)]
    assert unread_dice(PICTURE, three, strange) == strange


@pytest.mark.parametrize(("of", "seed"), [(2, 5), (2, 21), (4, 12), (7, 12), (8, 12)])
def test_a_die_with_an_emblem_is_named_and_not_passed_over(of: int, seed: int) -> None:
    reading = TableReader().read(load(thrown(EMBLEM, [2, 5, 6], seed, of).jpeg))
    assert sorted(reading.values) == [2, 5]
    assert any("looks like the other dice" in doubt.message for doubt in reading.doubts)


def test_a_plain_throw_is_no_more_doubted_beside_a_coin_than_without() -> None:
    throw = thrown(EMBLEM, [2, 5, 3], 21, 6)
    picture = cv2.imdecode(np.frombuffer(throw.jpeg, np.uint8), cv2.IMREAD_COLOR)
    height, width = picture.shape[:2]
    reader = TableReader()
    assert reader.read(load(throw.jpeg)).sure
    free = max(
        ((x, y) for x in range(40, width - 40, 20) for y in range(40, height - 40, 20)),
        key=lambda at: min(np.hypot(at[0] - x, at[1] - y) for x, y in throw.places),
    )
    cv2.circle(picture, free, 22, (60, 130, 180), -1)
    coded, data = cv2.imencode(".jpg", picture)
    assert coded
    assert reader.read(load(data.tobytes())).sure
