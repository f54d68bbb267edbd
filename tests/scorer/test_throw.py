import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.throw import GAMES, ThrowError, worth

THROWS: list[tuple[str, list[int], dict[str, Any]]] = [
    ("crib-dice", [5, 5, 2, 2, 1, 4, 6], {}),
    ("crib-dice", [5, 1, 6, 6, 6], {"point": 5, "frozen": 2}),
    ("crib-dice", [5, 5], {"point": 5, "frozen": 5, "piddle_points": True}),
    ("farkle-crib", [2, 2, 3, 3, 4, 4], {}),
    ("farkle-crib", [2, 3], {}),
    ("farkle-crib", [1, 3, 1, 5, 4, 6], {"set_aside": [1]}),
    ("cribbage-dice", [5, 10, 10, 10, 11], {"starter": 5}),
    ("cribbage-dice", [5, 10, 10, 10, 11, 1, 2], {}),
]
OUTCOMES_WITHOUT_CHOICE = {
    "farkle",
    "safe",
    "wipeout",
    "rollover",
    "piddle-won",
    "piddle-lost",
    "piddle-again",
}
CHOICE_KEYS = {"name", "text", "dice", "indices", "points", "items"}
ITEM_KEYS = {"name", "dice", "indices", "points", "text"}


@pytest.mark.parametrize(("game", "values", "options"), THROWS)
def test_json_has_one_shape_for_all_games(game: str, values: list[int], options: dict[str, Any]) -> None:
    data = json.loads(json.dumps(worth(game, values, **options).to_json()))
    assert (data["game"], data["values"]) == (game, values)
    assert {"outcome", "total", "summary", "choices"} <= set(data)
    for choice in data["choices"] + data.get("bonus_choices", []):
        assert set(choice) >= CHOICE_KEYS
        assert choice["dice"] == [values[i] for i in choice["indices"]]
        assert all(set(item) == ITEM_KEYS for item in choice["items"])
        assert choice["points"] == sum(item["points"] for item in choice["items"])


@pytest.mark.parametrize(("game", "values", "options"), THROWS)
def test_tables_are_rectangular_and_titled(game: str, values: list[int], options: dict[str, Any]) -> None:
    tables = worth(game, values, **options).tables
    assert tables
    for table in tables:
        assert table.title
        assert {len(row) for row in table.rows} <= {len(table.header)}


@pytest.mark.parametrize(
    ("game", "values", "options", "summary"),
    [
        ("crib-dice", [5, 5, 2, 2, 1, 4, 6], {}, "Choose your point: two 5s for 2 and two 2s for 2."),
        (
            "crib-dice",
            [5, 1, 6, 6, 6],
            {"point": 5, "frozen": 2},
            "A 5 joins: three 5s for 5 points (3 more); safe, go on or stop.",
        ),
        (
            "crib-dice",
            [2, 3, 4, 6],
            {"point": 5, "frozen": 3},
            "Wipeout: no 5 and no 1, so the turn ends without score.",
        ),
        ("farkle-crib", [1, 2, 6, 3, 3, 3], {}, "Three 3s and a 1 for 8 points."),
        ("farkle-crib", [2, 3], {}, "A farkle, nothing scores."),
        (
            "cribbage-dice",
            [5, 10, 10, 10, 11],
            {},
            "Fifteen two, fifteen four, fifteen six, fifteen eight, and three of a kind is fourteen.",
        ),
    ],
)
def test_the_summary_is_what_a_player_would_say(
    game: str, values: list[int], options: dict[str, Any], summary: str
) -> None:
    assert worth(game, values, **options).summary == summary


def test_farkle_crib_shows_the_basic_game_and_the_bonuses() -> None:
    data = worth("farkle-crib", [2, 2, 3, 3, 4, 4]).to_json()
    assert (data["outcome"], data["total"], data["choices"]) == ("farkle", 0, [])
    assert (data["bonus_outcome"], data["bonus_total"], data["bonus_hot_dice"]) == ("scores", 10, True)
    assert data["bonus_choices"][0]["items"][0]["name"] == "three pairs"


def test_farkle_crib_plays_only_the_bonuses_named() -> None:
    data = worth("farkle-crib", [2, 2, 3, 3, 4, 4], bonuses=["straight"]).to_json()
    assert (data["bonuses"], data["bonus_outcome"]) == (["straight"], "farkle")


def test_the_bomb_is_mentioned() -> None:
    bombed = worth("farkle-crib", [3] * 6)
    assert "exchange pegs" in bombed.summary
    assert bombed.to_json()["bonus_choices"][0]["bomb"] is True


@pytest.mark.parametrize(
    ("game", "values", "options", "code"),
    [
        ("poker", [1], {}, "unknown-game"),
        ("crib-dice", [1] * 7, {"point": 5}, "point-and-frozen-together"),
        ("crib-dice", [1] * 7, {"frozen": 2}, "point-and-frozen-together"),
        ("farkle-crib", [1], {"point": 5, "frozen": 2}, "option-of-another-game"),
        ("cribbage-dice", [1] * 5, {"piddle_points": True}, "option-of-another-game"),
        ("crib-dice", [1] * 7, {"starter": 1}, "option-of-another-game"),
        ("farkle-crib", [1], {"bonuses": ["flush"]}, "unknown-bonus"),
        *((game, [], {}, "wrong-count") for game in GAMES),
        *((game, [1, 2, 3, 4, 13], {}, "value-out-of-range") for game in GAMES),
    ],
)
def test_trouble_is_named(game: str, values: list[int], options: dict[str, Any], code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        worth(game, values, **options)
    assert refused.value.code == code
    assert refused.value.message == str(refused.value)
    assert refused.value.message.endswith(".")


def test_the_error_survives_a_process_boundary() -> None:
    with pytest.raises(ThrowError) as refused:
        worth("crib-dice", [])
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.code, again.message) == (refused.value.code, refused.value.message)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(GAMES),
    st.lists(st.integers(0, 13), max_size=9),
    st.one_of(st.none(), st.integers(-1, 8)),
    st.one_of(st.none(), st.integers(-1, 8)),
)
def test_any_reading_is_scored_or_refused(game: str, values: list[int], point: int | None, frozen: int | None) -> None:
    try:
        found = worth(game, values, point=point, frozen=frozen)
    except ThrowError:
        return
    data = json.loads(json.dumps(found.to_json()))
    assert data["choices"] or data["outcome"] in OUTCOMES_WITHOUT_CHOICE
    assert data["total"] == max((choice["points"] for choice in data["choices"]), default=data["total"])
