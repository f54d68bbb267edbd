import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.worth import Worth
from scorer.games.scoring import ThrowError, in_photo, kind_of, photographed, rules_named, typed, worth
from scorer.pieces.tiles import FULL_SET, Tile
from tests.examples import examples

THROWS: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("crib-dice", [5, 5, 2, 2, 1, 4, 6], {}),
    ("crib-dice", [5, 1, 6, 6, 6], {"point": 5, "frozen": 2}),
    ("crib-dice", [5, 5], {"point": 5, "frozen": 5, "rules": ["piddle_points=true"]}),
    ("crib-dice", [5, 5, 5, 2, 2, 1, 4], {"rules": ["freeze_all=false"]}),
    ("crib-dice", [5, 5, 6, 6, 6], {"point": 5, "frozen": 2, "rules": ["freeze_all=false"]}),
    ("crib-dice", [1, 1, 1, 1], {"point": 1, "frozen": 3, "rules": ["bomb=true"]}),
    ("farkle-crib", [2, 2, 3, 3, 4, 4], {}),
    ("farkle-crib", [2, 3], {}),
    ("farkle-crib", [1, 3, 1, 5, 4, 6], {"set_aside": [1]}),
    ("cribbage-dice", [5, 10, 10, 10, 11], {"starter": 5}),
    ("cribbage-dice", [5, 10, 10, 10, 11, 1, 2], {}),
    ("domino-cribbage", ["3-0", "4-0", "3-1", "3-2"], {"starter": "4-1"}),
    ("domino-pips", ["3-5", "0-0", "12-9"], {}),
    ("domino-pips", ["3-5", "0-0", "12-9"], {"rules": ["count=hand", "double_blank=25"]}),
    ("domino-pips", ["3-5", "5-5"], {"rules": ["count=ends"]}),
    ("domino-pips", ["3-5", "1-2"], {"rules": ["count=ends"], "joined": [(False, True), (False, False)]}),
    ("cards", ["5H", "5D", "5S", "JC"], {"starter": "5C"}),
    ("cards", ["5H", "7H", "9H", "JH"], {}),
]


def settled(game: str, pieces: list[Any], options: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a worth, through its text; `rules` are name=value texts."""
    return json.loads(json.dumps(asked(game, pieces, options).to_json()))


def asked(game: str, pieces: list[Any], options: dict[str, Any]) -> Worth:
    named = {"rules": rules_named(game, options["rules"])} if "rules" in options else {}
    return worth(game, pieces, **{**options, **named})


OUTCOMES_WITHOUT_CHOICE = {
    "farkle",
    "safe",
    "wipeout",
    "rollover",
    "piddle-won",
    "piddle-lost",
    "piddle-again",
    "counted",
}
CHOICE_KEYS = {"name", "text", "pieces", "indices", "points", "items"}
ITEM_KEYS = {"name", "pieces", "indices", "points", "text"}


@pytest.mark.parametrize(("game", "values", "options"), THROWS)
def test_json_has_one_shape_for_all_games(game: str, values: list[Any], options: dict[str, Any]) -> None:
    data = settled(game, values, options)
    assert (data["game"], data["values"][: len(values)]) == (game, values)
    assert {"outcome", "total", "summary", "choices", "items"} <= set(data)
    assert all(set(item) == ITEM_KEYS for item in data["items"])
    assert all(item["pieces"] == [data["values"][i] for i in item["indices"]] for item in data["items"])
    assert sum(item["points"] for item in data["items"]) == (data["total"] if data["outcome"] == "counted" else 0)
    for choice in data["choices"] + data.get("bonus_choices", []):
        assert set(choice) >= CHOICE_KEYS
        assert choice["pieces"] == [values[i] for i in choice["indices"]]
        assert all(set(item) == ITEM_KEYS for item in choice["items"])
        assert choice["points"] == sum(item["points"] for item in choice["items"])


@pytest.mark.parametrize(("game", "values", "options"), THROWS)
def test_tables_are_rectangular_and_titled(game: str, values: list[Any], options: dict[str, Any]) -> None:
    tables = asked(game, values, options).tables
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
            "Without a starter, fifteen two, fifteen four, fifteen six, fifteen eight, and three of a kind is fourteen.",
        ),
        (
            "crib-dice",
            [5, 5, 6, 6, 6],
            {"point": 5, "frozen": 2, "rules": ["freeze_all=false"]},
            "Two 5s join: four 5s for 10 points (8 more), or freeze fewer of them; safe, go on or stop.",
        ),
        (
            "crib-dice",
            [1, 1, 1, 1, 1, 1, 6],
            {"rules": ["bomb=true"]},
            "Choose your point: six 1s for 4, or exchange pegs with the leader.",
        ),
        ("cards", ["2H", "4H", "6D", "8S"], {"starter": "KC"}, "Nothing."),
        ("cards", ["2H", "4H", "6D", "8S"], {}, "Without a starter, nothing."),
    ],
)
def test_the_summary_is_what_a_player_would_say(
    game: str, values: list[Any], options: dict[str, Any], summary: str
) -> None:
    assert asked(game, values, options).summary == summary


def test_farkle_crib_shows_the_basic_game_and_the_bonuses() -> None:
    data = worth("farkle-crib", [2, 2, 3, 3, 4, 4]).to_json()
    assert (data["outcome"], data["total"], data["choices"]) == ("farkle", 0, [])
    assert (data["bonus_outcome"], data["bonus_total"], data["bonus_hot_dice"]) == ("scores", 10, True)
    assert data["bonus_choices"][0]["items"][0]["name"] == "three pairs"


# The same pieces under other rules: the total of the best that they are worth.
@pytest.mark.parametrize(
    ("game", "pieces", "options", "rules", "basic", "ruled"),
    [
        ("farkle-crib", [2, 2, 3, 3, 4, 4], {}, ["bonus=straight"], 0, 0),
        ("farkle-crib", [2, 2, 3, 3, 4, 4], {}, ["bonus=three-pairs"], 0, 10),
        ("farkle-crib", [2, 2, 2, 2, 4, 4], {}, ["bonus=three-pairs"], 4, 4),
        ("farkle-crib", [2, 2, 2, 2, 4, 4], {}, ["bonus=three-pairs", "three_pairs_4_2=true"], 4, 10),
        ("farkle-crib", [1, 2, 3, 4, 5, 6], {}, ["bonus=all"], 3, 25),
        ("crib-dice", [5, 5], {"point": 5, "frozen": 5}, ["piddle_points=true"], 15, 25),
        ("crib-dice", [5, 6], {"point": 5, "frozen": 5}, ["piddle_points=true"], 15, 20),
        (
            "crib-dice",
            [5, 5],
            {"point": 5, "frozen": 5},
            ["piddle_points=true", "piddle_double_point=no_result"],
            15,
            15,
        ),
        (
            "cribbage-dice",
            [12, 5, 5, 5, 5, 10, 10],
            {"starter": 12},
            ["seven_dice=yes", "seven_keep_starter=false"],
            28,
            28,
        ),
        (
            "cribbage-dice",
            [9, 5, 5, 5, 5, 5, 1],
            {"starter": 9},
            ["seven_dice=yes", "seven_keep_starter=false"],
            20,
            40,
        ),
        ("domino-cribbage", ["0-0", "6-3", "5-1", "4-4"], {"starter": "2-0"}, ["blank_in_fifteens=false"], 4, 2),
        ("domino-pips", ["0-0", "6-3"], {}, ["count=hand", "double_blank=50"], 9, 59),
        ("domino-pips", ["6-6", "6-3", "3-1"], {}, ["count=ends"], 25, 13),
        ("cards", ["2H", "4H", "6H", "8H"], {"starter": "KC"}, ["crib=true"], 4, 0),
        ("cards", ["2H", "4H", "6H", "8H"], {"starter": "KH"}, ["crib=true"], 5, 5),
    ],
)
def test_the_worth_is_settled_under_the_rules(
    game: str, pieces: list[Any], options: dict[str, Any], rules: list[str], basic: int, ruled: int
) -> None:
    assert settled(game, pieces, options)["total"] == basic
    assert settled(game, pieces, {**options, "rules": rules})["total"] == ruled


def test_doubles_of_the_point_may_win_the_piddle() -> None:
    rules = ["piddle_points=true", "piddle_double_point=seven_then_rollover"]
    assert settled("crib-dice", [5, 5], {"point": 5, "frozen": 5, "rules": rules})["outcome"] == "piddle-won"
    assert settled("crib-dice", [5, 5], {"point": 5, "frozen": 5})["outcome"] == "piddle-again"


ROLLS = ["roll_at_five_or_six=true"]


@pytest.mark.parametrize(
    ("values", "rules", "outcome", "total"),
    [
        ([5], [], "rollover", 25),
        ([1], [], "safe", 20),
        ([2], [], "wipeout", 0),
        ([5, 5, 5, 5, 5, 5, 2], ["piddle_points=true"], "wipeout", 0),
        ([5, 5], [], "piddle-again", 20),
    ],
)
def test_the_number_of_dice_tells_a_roll_of_the_rest_from_a_piddle(
    values: list[int], rules: list[str], outcome: str, total: int
) -> None:
    rules = [*ROLLS, *rules]
    told = asked("crib-dice", values, {"point": 5, "frozen": 6, "rules": rules})
    assert (told.outcome, told.total) == (outcome, total)
    assert "As a piddle" not in told.summary
    shown = in_photo("crib-dice", rules=rules_named("crib-dice", rules), point=5, frozen=6)
    assert len(values) in (shown.counts or ())


def test_what_may_be_a_roll_of_the_rest_or_a_piddle_is_told_as_both() -> None:
    told = asked("crib-dice", [5, 5], {"point": 5, "frozen": 5, "rules": ROLLS})
    assert (told.outcome, told.total) == ("piddle-again", 15)
    assert told.summary == (
        "As a piddle: Nothing joins, still five 5s for 15 points; doubles of 5: throw both dice again. "
        "As a roll of the rest: Two 5s join: seven 5s for 25 points (10 more); "
        "seven of a kind rolls over: throw seven fresh dice, or stop."
    )
    assert [row[0] for table in told.tables for row in table.rows] == ["piddle-again", "rollover"]
    assert "As a" not in asked("crib-dice", [5, 5], {"point": 5, "frozen": 5}).summary


def test_with_five_frozen_the_next_step_names_the_roll_where_it_is_allowed() -> None:
    joins = {"point": 5, "frozen": 3}
    assert asked("crib-dice", [5, 5, 2, 3], joins).summary.endswith("safe, piddle or stop.")
    assert asked("crib-dice", [5, 5, 2, 3], {**joins, "rules": ROLLS}).summary.endswith(
        "piddle, roll the rest or stop."
    )


def test_after_a_won_piddle_the_player_may_stop_where_that_is_allowed() -> None:
    won = {"point": 5, "frozen": 5}
    assert asked("crib-dice", [2, 3], won).summary.endswith("throw seven fresh dice.")
    stops = {**won, "rules": ["stop_after_piddle=true"]}
    assert asked("crib-dice", [2, 3], stops).summary.endswith("throw seven fresh dice, or stop.")


def test_without_freeze_all_the_player_says_how_many_join() -> None:
    first = settled("crib-dice", [5, 5, 5, 2, 1, 4, 6], {"rules": ["freeze_all=false"]})
    assert [choice["pieces"] for choice in first["choices"]] == [[5, 5, 5], [5, 5]]
    later = settled("crib-dice", [5, 5, 6, 6, 6], {"point": 5, "frozen": 2, "rules": ["freeze_all=false"]})
    assert [(choice["frozen"], choice["points"]) for choice in later["choices"]] == [(4, 10), (3, 5)]


def test_the_bomb_of_crib_dice_needs_its_rule_and_enough_dice() -> None:
    for rules, bombs in (([], False), (["bomb=true"], True), (["bomb=true", "pandemonium=true"], True)):
        assert settled("crib-dice", [1, 1, 1], {"point": 1, "frozen": 4, "rules": rules})["bomb"] is bombs
    assert settled("crib-dice", [1, 6, 6], {"point": 1, "frozen": 4, "rules": ["bomb=true"]})["bomb"] is False
    pandemonium = ["bomb=true", "pandemonium=true"]
    assert settled("crib-dice", [1, 6, 6], {"point": 1, "frozen": 4, "rules": pandemonium})["bomb"] is True


_GOES_OFF = "As a bomb that was announced: it goes off, exchange pegs with the leader."
_FAILS = "As a bomb that was announced: it fails, the turn ends without score."


@pytest.mark.parametrize(
    ("values", "outcome", "told"),
    [
        ([1, 4], "piddle-won", _GOES_OFF),
        ([1, 1], "piddle-again", _GOES_OFF),
        ([1, 1, 1, 1, 1, 3, 1], "piddle-won", _GOES_OFF),
        ([3, 4], "piddle-won", _FAILS),
        ([1, 1, 1, 1, 1, 3, 4], "piddle-won", _FAILS),
        ([3, 3], "piddle-lost", ""),
    ],
)
def test_a_piddle_from_five_1s_is_told_as_the_announced_bomb_too(values: list[int], outcome: str, told: str) -> None:
    five = {"point": 1, "frozen": 5, "rules": ["bomb=true"]}
    worth = asked("crib-dice", values, five)
    assert worth.outcome == outcome
    assert ("As a bomb" in worth.summary) is bool(told)
    assert worth.summary.endswith(told)
    rolled = asked("crib-dice", values, {**five, "rules": ["bomb=true", *ROLLS]}).summary
    assert rolled.startswith("As a piddle: ")
    assert rolled.endswith(told or "without score.")


def test_with_five_1s_the_bomb_may_be_announced() -> None:
    four = {"point": 1, "frozen": 4}
    assert asked("crib-dice", [1, 6, 6], four).summary.endswith("safe, piddle or stop.")
    bomb = {**four, "rules": ["bomb=true"]}
    assert asked("crib-dice", [1, 6, 6], bomb).summary.endswith("safe, piddle, announce the bomb or stop.")
    rolls = {**four, "rules": ["bomb=true", *ROLLS]}
    assert asked("crib-dice", [1, 6, 6], rolls).summary.endswith("piddle, roll the rest, announce the bomb or stop.")
    # Six are a bomb as they lie.
    assert "announce" not in asked("crib-dice", [1, 1, 6], bomb).summary
    assert "announce" not in asked("crib-dice", [2, 6, 6], {"point": 2, "frozen": 4, "rules": ["bomb=true"]}).summary


@pytest.mark.parametrize(
    "options",
    [
        {"point": 1, "frozen": 5},
        {"point": 2, "frozen": 5, "rules": ["bomb=true"]},
        {"point": 1, "frozen": 6, "rules": ["bomb=true"]},
        {"point": 1, "frozen": 5, "rules": ["bomb=true", "pandemonium=true"]},
    ],
)
def test_no_other_piddle_can_be_an_announced_bomb(options: dict[str, Any]) -> None:
    assert "bomb" not in asked("crib-dice", [1, 4], options).summary


def test_every_choice_of_farkle_crib_stays_under_more_bonuses() -> None:
    data = settled("farkle-crib", [3, 3, 3, 3, 1, 5], {"rules": ["bonus=four-of-a-kind"]})
    assert (data["bonuses"], data["total"], data["bonus_total"]) == (["four-of-a-kind"], 19, 19)


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
        ("cribbage-dice", [1] * 5, {"rules": rules_named("crib-dice", [])}, "option-of-another-game"),
        ("crib-dice", [1] * 7, {"starter": 1}, "option-of-another-game"),
        ("farkle-crib", ["x"], {}, "no-die"),
        ("cribbage-dice", [1] * 5, {"starter": "ace"}, "no-die"),
        (
            "cribbage-dice",
            [1] * 7,
            {"starter": 2, "rules": rules_named("cribbage-dice", ["seven_dice=yes", "seven_keep_starter=no"])},
            "starter-not-there",
        ),
        ("domino-cribbage", ["7-0"] * 4, {}, "no-tile"),
        ("domino-cribbage", ["3-0", "4-0", "3-1", "0-3"], {}, "same-tile-twice"),
        ("domino-cribbage", ["3-0", "4-0", "3-1", "3-2"], {"starter": "0-3"}, "same-tile-twice"),
        ("cards", ["1H"] * 4, {}, "no-card"),
        ("cards", ["5H", "5D", "5S", "JC"], {"starter": "JC"}, "same-card-twice"),
        *((game, [], {}, "wrong-count") for game in typed()),
        *((game, [1, 2, 3, 4, 13], {}, "value-out-of-range") for game in photographed() if kind_of(game) != "domino"),
        *((game, [1, 2, 3, 4, 13], {}, "no-tile") for game in photographed() if kind_of(game) == "domino"),
        ("domino-cribbage", [], {"starter": "7-0"}, "no-tile"),
        ("domino-pips", ["3-5"], {"starter": "7-0"}, "option-of-another-game"),
        ("domino-cribbage", ["3-0"], {"joined": [(True, True)]}, "option-of-another-game"),
    ],
)
def test_trouble_is_named(game: str, values: list[int], options: dict[str, Any], code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        worth(game, values, **options)
    assert refused.value.code == code
    assert refused.value.message == str(refused.value)
    assert refused.value.message.endswith(".")


@examples(60)
@given(st.permutations(FULL_SET), st.booleans())
def test_a_hand_of_tiles_counts_the_same_in_any_order(tiles: list[Tile], blank: bool) -> None:
    rules = rules_named("domino-cribbage", [f"blank_in_fifteens={blank}"])
    names = [str(tile) for tile in tiles[:5]]
    found = {
        worth("domino-cribbage", names[:at] + names[at + 1 :], starter=names[at], rules=rules).total for at in range(5)
    }
    assert len(found) == 1


def test_a_rule_that_the_game_does_not_have_is_refused() -> None:
    for game in typed():
        with pytest.raises(ThrowError, match="There is no option 'luck' here"):
            rules_named(game, ["luck=true"])


def test_the_error_survives_a_process_boundary() -> None:
    with pytest.raises(ThrowError) as refused:
        worth("crib-dice", [])
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.code, again.message) == (refused.value.code, refused.value.message)


@examples(100)
@given(
    st.sampled_from(photographed()),
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
