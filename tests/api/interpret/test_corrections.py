"""What people say of a reading."""

from __future__ import annotations

from typing import Any

import pytest

from api.interpret.corrections import InvalidCorrection, corrected
from tests.api.table import d6, d12, face_down, reading, tile
from vision.reading import Doubt

DOUBTED = reading(
    d6(1),
    d6(2),
    d6(3),
    tile("3-5"),
    doubts=(
        Doubt("uncertain-value", "one", piece=1),
        Doubt("uncertain-value", "two", piece=2),
        Doubt("uncertain-value", "tile", tile=0),
        Doubt("uncertain-piece", "photo"),
    ),
)


def test_a_changed_value_is_certain_and_no_longer_doubted() -> None:
    now = corrected(DOUBTED, [{"change": {"die": 1, "value": 6}}])
    assert now.values == (1, 6, 3)
    assert (now.dice[1].confidence, now.dice[1].alternatives) == (1.0, ((6, 1.0),))
    assert [doubt.message for doubt in now.doubts] == ["two", "tile", "photo"]
    assert now.dice[1].box == DOUBTED.dice[1].box


def test_a_changed_tile_lies_face_up() -> None:
    now = corrected(reading(face_down()), [{"change": {"tile": 0, "ends": [0, 6]}}])
    assert now.tiles[0].shown == (0, 6)


def test_the_doubts_follow_when_a_piece_is_removed() -> None:
    now = corrected(DOUBTED, [{"remove": {"die": 1}}])
    assert now.values == (1, 3)
    assert [(doubt.message, doubt.piece, doubt.tile) for doubt in now.doubts] == [
        ("two", 1, None),
        ("tile", None, 0),
        ("photo", None, None),
    ]
    assert corrected(DOUBTED, [{"remove": {"tile": 0}}]).tiles == ()


def test_an_added_die_is_drawn_as_large_as_the_others() -> None:
    now = corrected(DOUBTED, [{"add": {"kind": "d6", "value": 4, "at": [100, 50]}}])
    assert now.values == (1, 2, 3, 4)
    (left, top), _, (right, bottom), _ = now.dice[3].box
    assert ((left + right) / 2, (top + bottom) / 2, right - left) == (100, 50, 10)
    assert len(now.doubts) == 4


def test_an_added_tile() -> None:
    now = corrected(reading(), [{"add": {"kind": "domino", "ends": [2, 2], "at": [100, 50]}}])
    assert now.tiles[0].shown == (2, 2)


@pytest.mark.parametrize(
    "counted",
    [
        {"add": {"kind": "d6", "value": 4, "at": [100, 50]}},
        {"add": {"kind": "domino", "ends": [2, 2], "at": [100, 50]}},
        {"remove": {"die": 0}},
    ],
)
def test_who_adds_or_removes_a_piece_has_counted_them(counted: dict[str, Any]) -> None:
    doubts = (Doubt("number", "two, not three"), Doubt("no-pieces", "none"), Doubt("cut-off", "at the edge"))
    doubted = reading(d6(1), d6(2), doubts=doubts)
    assert [doubt.reason for doubt in corrected(doubted, [counted]).doubts] == ["cut-off"]
    changed = corrected(doubted, [{"change": {"die": 0, "value": 6}}])
    assert changed.doubts == doubts, "a changed value leaves as many as there were"


def test_there_is_one_starter() -> None:
    dice = reading(d12(5), d12(5, starter=True), doubts=(Doubt("starter", "which?"),))
    now = corrected(dice, [{"change": {"die": 0, "value": 5, "starter": True}}])
    assert [die.starter for die in now.dice] == [True, False]
    assert now.sure


def test_corrections_count_by_what_those_before_left() -> None:
    steps: list[dict[str, Any]] = [{"remove": {"die": 0}}, {"change": {"die": 0, "value": 6}}]
    assert corrected(DOUBTED, steps).values == (6, 3)


def test_the_reading_itself_stays() -> None:
    corrected(DOUBTED, [{"change": {"die": 0, "value": 6}}])
    assert DOUBTED.values == (1, 2, 3)


@pytest.mark.parametrize(
    "correction",
    [
        {"change": {"die": 3, "value": 1}},
        {"change": {"die": 0, "value": 7}},
        {"change": {"die": 0, "value": 1, "starter": True}},
        {"change": {"tile": 1, "ends": [1, 2]}},
        {"remove": {"die": 3}},
        {"remove": {"tile": 1}},
        {"add": {"kind": "d6", "value": 12, "at": [1, 1]}},
        {"add": {"kind": "d6", "value": 1, "at": [641, 1]}},
    ],
)
def test_what_does_not_fit_is_refused(correction: dict[str, Any]) -> None:
    with pytest.raises(InvalidCorrection):
        corrected(DOUBTED, [correction])
