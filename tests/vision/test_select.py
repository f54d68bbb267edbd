"""The order of pieces: rows from the top, each from left to right, as people would read them out."""

from __future__ import annotations

import random

import pytest

from vision.candidate import Calibration, Candidate
from vision.classify.dice import Face
from vision.detect.boxes import Detection
from vision.select import in_reading_order

DIE = Face(0.001, (0.995, 0.001, 0.001, 0.001, 0.001, 0.001))

Place = tuple[float, float]


def die(x: float, y: float, width: float = 100, height: float = 100) -> Candidate:
    box = Detection(x - width / 2, y - height / 2, x + width / 2, y + height / 2, 0.9)
    return Candidate(box, DIE, Calibration())


def order(*pieces: Candidate) -> list[Place]:
    """The middles of the pieces in reading order, whatever the order they are given in."""
    found = [[piece.detection.middle for piece in in_reading_order(mixed)] for mixed in shuffled(pieces)]
    assert all(each == found[0] for each in found)
    return found[0]


def shuffled(pieces: tuple[Candidate, ...]) -> list[list[Candidate]]:
    return [random.Random(seed).sample(pieces, len(pieces)) for seed in range(5)]


def test_nothing_has_an_order() -> None:
    assert in_reading_order([]) == []


def test_rows_are_read_from_the_top_and_each_from_left_to_right() -> None:
    grid = [(100, 110), (250, 90), (400, 105), (110, 300), (240, 310), (390, 290)]
    assert order(*(die(*place) for place in grid)) == grid


@pytest.mark.parametrize("rise", [-40, -20, 20, 40])
def test_a_slanting_row_is_read_from_left_to_right(rise: float) -> None:
    row = [(100 + 120 * i, 500 + rise * i) for i in range(6)]
    assert order(*(die(*place) for place in row)) == row


@pytest.mark.parametrize("rise", [-30, 30])
def test_two_slanting_rows_stay_apart(rise: float) -> None:
    upper, lower = ([(100 + 120 * i, y + rise * i) for i in range(5)] for y in (400, 560))
    assert order(*(die(*place) for place in (*upper, *lower))) == [*upper, *lower]


def test_pieces_above_each_other_are_read_downwards() -> None:
    column = [(205, 100), (200, 220), (210, 340)]
    assert order(*(die(*place) for place in column)) == column


def test_a_tall_tile_is_in_the_row_of_a_low_one_beside_its_middle_half() -> None:
    tall, low = (100, 200), (260, 260)
    assert order(die(*tall, 100, 200), die(*low, 200, 100), die(400, 90)) == [(400, 90), tall, low]
