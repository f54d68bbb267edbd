from typing import Any

import pytest

from api.asking import Question, answer
from scorer.throw import ThrowError, dice_named
from vision.reading import Die, Reading

BOX = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def reading(*values: int) -> Reading:
    dice = tuple(Die(value, 0.99, ((value, 0.99),), BOX, "red") for value in values)
    return Reading("a.jpg", "0" * 64, 10, 10, dice, (), {}, {})


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"game": "whist"}, "unknown-game"),
        ({"game": "cards"}, "unknown-game"),
        ({"rules": ("piddle_points=true",)}, "no-game"),
        ({"game": "crib-dice", "rules": ("piddle_points=maybe",)}, "bad-option"),
        ({"game": "crib-dice", "rules": ("bonus=all",)}, "unknown-option"),
        ({"point": 5, "frozen": 2}, "no-game"),
        ({"starter": 0}, "no-game"),
        ({"game": "farkle-crib", "point": 5}, "option-of-another-game"),
        ({"game": "crib-dice", "point": 5}, "point-and-frozen-together"),
        ({"game": "crib-dice", "point": 7, "frozen": 2}, "bad-point"),
        ({"game": "crib-dice", "point": 5, "frozen": 7}, "already-rolled-over"),
        ({"game": "farkle-crib", "set_aside": (7,)}, "value-out-of-range"),
    ],
)
def test_a_question_that_fits_no_throw_is_refused_before_any_photo(options: dict[str, Any], code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        Question(**options)
    assert refused.value.code == code


def test_without_a_game_there_is_no_score() -> None:
    assert answer(reading(5, 5), Question()).to_json() == {**reading(5, 5).to_json(), "score": None}


def test_the_score_is_the_games_own() -> None:
    score = answer(reading(5, 1, 6, 6, 6), Question("crib-dice", point=5, frozen=2)).to_json()["score"]
    assert (score["outcome"], score["total"], score["adds"]) == ("safe", 5, 3)


def test_a_throw_that_the_game_does_not_know_keeps_the_reading() -> None:
    result = answer(reading(1, 2, 3), Question("crib-dice")).to_json()
    assert [die["value"] for die in result["dice"]] == [1, 2, 3]
    assert result["score"]["error"]["code"] == "wrong-count"
    assert "seven" in result["score"]["error"]["message"]


def test_the_score_is_settled_under_the_rules_that_are_played() -> None:
    played = Question("crib-dice", point=5, frozen=5, rules=("piddle_points=true",))
    basic = Question("crib-dice", point=5, frozen=5)
    totals = [answer(reading(5, 5), question).to_json()["score"]["total"] for question in (basic, played)]
    assert totals == [15, 25]


@pytest.mark.parametrize("text", ["1-5-5", "1,5,5", " 1 5 5 ", "1, 5, 5"])
def test_dice_are_named_as_people_write_them(text: str) -> None:
    assert dice_named(text) == (1, 5, 5)


@pytest.mark.parametrize("text", ["", "1-x", "1--5", "-1", "155"])
def test_what_is_no_list_of_dice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Write the values like 1-5-5"):
        dice_named(text)
