import json
from typing import Any

import pytest

from api.interpret.schemas import Answer
from api.interpret.score_request import ScoreRequest, answer
from scorer.games.scoring import ThrowError, dice_named
from tests.api import table
from tests.api.table import d6, d12, face_down, row, tile
from vision.reading import Reading, Tile


def request(game: str | None = None, rules: tuple[str, ...] = (), **options: Any) -> ScoreRequest:
    return ScoreRequest(game, rules, options)


def reading(*values: int) -> Reading:
    return table.reading(*map(d6, values))


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
        ({"game": "cribbage-dice", "starter": "4-1"}, "no-die"),
        ({"game": "domino-cribbage", "starter": "9-3"}, "no-tile"),
        ({"game": "domino-cribbage", "starter": "4"}, "no-tile"),
        ({"game": "domino-pips", "starter": "4-1"}, "option-of-another-game"),
        ({"game": "domino-pips", "rules": ("double_blank=25",)}, "bad-option"),
    ],
)
def test_a_question_that_fits_no_throw_is_refused_before_any_photo(options: dict[str, Any], code: str) -> None:
    with pytest.raises(ThrowError) as refused:
        request(**options)
    assert refused.value.code == code


def test_without_a_game_there_is_no_score() -> None:
    assert answer(reading(5, 5), ScoreRequest()).to_json() == {**reading(5, 5).to_json(), "score": None}


def test_the_score_is_the_games_own() -> None:
    score = answer(reading(5, 1, 6, 6, 6), ScoreRequest("crib-dice", options={"point": 5, "frozen": 2})).to_json()[
        "score"
    ]
    assert (score["outcome"], score["total"], score["adds"]) == ("safe", 5, 3)


def test_a_throw_that_the_game_does_not_know_keeps_the_reading() -> None:
    result = answer(reading(1, 2, 3), ScoreRequest("crib-dice")).to_json()
    assert [die["value"] for die in result["dice"]] == [1, 2, 3]
    assert result["score"]["error"]["code"] == "wrong-count"
    assert "seven" in result["score"]["error"]["message"]


def test_the_score_is_settled_under_the_rules_that_are_played() -> None:
    played = ScoreRequest("crib-dice", ("piddle_points=true",), {"point": 5, "frozen": 5})
    basic = ScoreRequest("crib-dice", options={"point": 5, "frozen": 5})
    totals = [answer(reading(5, 5), request).to_json()["score"]["total"] for request in (basic, played)]
    assert totals == [15, 25]


def asked(seen: Reading, game: str, **options: Any) -> dict[str, Any]:
    """The score in the answer, once the whole answer is found to have the documented shape, and no more and no less."""
    told = answer(seen, request(game=game, **options)).to_json()
    assert Answer.model_validate(told).model_dump(mode="json", exclude_unset=True) == json.loads(json.dumps(told))
    score: dict[str, Any] = told["score"]
    return score


MIXED = table.reading(d6(5), d12(9), d6(3), d12(12, starter=True), d12(10), d12(5), d12(5), tile("3-5"), face_down())


def test_a_mixed_table_is_scored_by_the_pieces_of_the_game() -> None:
    score = asked(MIXED, "cribbage-dice")
    assert (score["values"], score["source"], score["places"]) == ([9, 12, 10, 5, 5], "dice", [1, 3, 4, 5, 6])
    assert score["total"] == 10
    assert score["notes"] == ["Not counted: two six-sided dice (5, 3) and two tiles (3-5, face down)."]


def test_pieces_of_another_kind_are_never_added() -> None:
    score = asked(table.reading(*map(d6, (5, 5, 2, 2, 1, 4)), d12(6)), "crib-dice")
    assert score["error"]["code"] == "wrong-count"
    assert score["notes"] == ["Not counted: one twelve-sided die (6)."]


def test_tiles_are_counted_beside_dice_that_are_named() -> None:
    score = asked(MIXED, "domino-pips")
    assert (score["total"], score["values"], score["source"], score["places"]) == (8, ["3-5"], "tiles", [0])
    assert score["notes"][0] == "One tile face down: not counted."
    assert "two six-sided dice (5, 3) and five twelve-sided dice (9, 12, 10, 5, 5)" in score["notes"][1]


def test_six_sided_dice_alone_are_counted_as_cribbage_dice_and_that_is_said() -> None:
    score = asked(reading(5, 4, 6, 5, 5), "cribbage-dice")
    assert score["total"] > 0
    assert score["notes"] == ["No twelve-sided dice were read, so the six-sided dice are counted."]


def test_where_all_fits_nothing_is_noted() -> None:
    assert asked(reading(5, 5, 2, 2, 1, 4, 6), "crib-dice")["notes"] == []
    five = table.reading(d12(9, starter=True), *map(d12, (9, 1, 2, 3)))
    assert asked(five, "cribbage-dice")["notes"] == []


# The starter


@pytest.mark.parametrize(
    ("named", "starter", "notes"),
    [
        (None, 9, 0),
        (9, 9, 0),
        ("9", 9, 0),
        (5, 5, 1),
        ("5", 5, 1),
    ],
)
def test_the_starter_is_found_by_its_colour_and_can_be_corrected(named: Any, starter: int, notes: int) -> None:
    seven = table.reading(d12(9, starter=True), *map(d12, (5, 5, 5, 5, 5, 1)))
    score = asked(seven, "cribbage-dice", starter=named)
    assert (score["starter"], len(score["notes"])) == (starter, notes)
    assert all(starter in choice["pieces"] for choice in score["choices"])


def test_a_starter_that_no_die_shows_is_refused() -> None:
    five = table.reading(d12(9, starter=True), *map(d12, (5, 5, 5, 5)))
    assert asked(five, "cribbage-dice", starter=7)["error"]["code"] == "starter-not-there"


@pytest.mark.parametrize("values", [(9, 9, 1, 2, 3), (9, 9, 1, 2, 3, 3, 12)])
def test_without_an_odd_colour_the_starter_is_asked_for(values: tuple[int, ...]) -> None:
    score = asked(table.reading(*map(d12, values)), "cribbage-dice")
    assert score["starter"] is None
    assert score["notes"] == ["No die has another colour, so the starter is unknown. Name it."]


@pytest.mark.parametrize(
    ("seen", "starter"),
    [
        (table.reading(*map(d12, (9, 9, 1, 2, 3))), 1),
        (table.reading(*map(d12, (5, 5, 5, 5, 5))), None),
        (table.reading(*map(d12, (9, 1, 2))), None),
        (table.reading(d12(9, starter=True), *map(d12, (9, 1, 2, 3))), None),
    ],
    ids=["named", "all alike", "no whole throw", "of another colour"],
)
def test_the_starter_is_not_asked_for_where_it_is_known_or_none_is_due(seen: Reading, starter: int | None) -> None:
    assert asked(seen, "cribbage-dice", starter=starter)["notes"] == []


HAND = ("0-3", "4-0", "3-1", "3-2")


@pytest.mark.parametrize("starter", ["4-1", "1-4"])
@pytest.mark.parametrize(("there", "place"), [((), None), (("4-1",), 4), (("1-4",), 4)])
def test_the_starter_of_a_hand_lies_among_the_tiles_or_elsewhere(
    starter: str, there: tuple[str, ...], place: int | None
) -> None:
    """Bell's hand, which counts sixteen."""
    score = asked(table.reading(*row(*HAND, *there)), "domino-cribbage", starter=starter)
    assert (score["total"], score["starter"]) == (16, "4-1")
    assert score["values"] == ["3-0", "4-0", "3-1", "3-2", "4-1"]
    assert score["places"] == [0, 1, 2, 3, place]
    assert score["notes"] == []


def test_the_starter_is_taken_out_from_between_the_others() -> None:
    score = asked(table.reading(*row("4-1", *HAND)), "domino-cribbage", starter="4-1")
    assert (score["total"], score["places"]) == (16, [1, 2, 3, 4, 0])


def test_four_tiles_without_a_starter_count_by_themselves_and_that_is_said() -> None:
    score = asked(table.reading(*row(*HAND), face_down()), "domino-cribbage")
    assert (score["total"], score["starter"], score["places"]) == (8, None, [0, 1, 2, 3])
    assert score["notes"] == [
        "One tile face down: not counted.",
        "Without a starter, only the four tiles count.",
    ]


@pytest.mark.parametrize(
    ("tiles", "starter", "said"),
    [
        ((*HAND, "4-1"), None, "Name the starter"),
        ((*HAND, "4-1"), "6-6", "five were read face up beside the starter"),
        (HAND, "0-3", "three were read face up beside the starter"),
        (HAND[:1], None, "one was read face up."),
        ((), None, "none was read face up."),
        ((*HAND, "4-1", "6-6"), None, "six were read face up."),
    ],
)
def test_what_is_no_hand_says_what_is_missing(tiles: tuple[str, ...], starter: str | None, said: str) -> None:
    error = asked(table.reading(*row(*tiles)), "domino-cribbage", starter=starter)["error"]
    assert error["code"] == "wrong-count"
    assert said in error["message"]


@pytest.mark.parametrize(("tiles", "code"), [(("9-3", *HAND[:3]), "no-tile"), (("3-0", *HAND[:3]), "same-tile-twice")])
def test_tiles_that_the_set_does_not_have_are_refused(tiles: tuple[str, ...], code: str) -> None:
    assert asked(table.reading(*row(*tiles)), "domino-cribbage")["error"]["code"] == code


# Totals of tiles


def test_what_is_left_in_a_hand_follows_the_house_rule() -> None:
    left = table.reading(*row("0-0", "12-9"))
    assert asked(left, "domino-pips", rules=("count=hand",))["total"] == 21
    assert asked(left, "domino-pips", rules=("count=hand", "double_blank=25"))["total"] == 46


LAYOUT = (tile("6-6", 0, 0, upright=True), tile("6-3", 15, 0), tile("3-5", 35, 0), tile("5-5", 50, 0, upright=True))


def test_the_open_ends_are_those_that_touch_nothing() -> None:
    score = asked(table.reading(*LAYOUT, tile("2-6", -15, 0)), "domino-pips", rules=("count=ends",))
    assert [(item["name"], item["pieces"], item["points"]) for item in score["items"]] == [
        ("double", ["5-5"], 10),
        ("end", ["2-6"], 2),
    ]
    assert (score["total"], score["notes"]) == (12, [])


def test_muggins_counts_the_same_open_ends_whichever_way_round_a_tile_lies() -> None:
    for name, x in (("2-6", -15), ("6-2", 35)):
        line = (tile("6-6", 0 if x < 0 else 20, 0, upright=True), tile(name, x, 0))
        assert asked(table.reading(*line), "muggins")["count"] == 12 + 2


def test_a_tile_face_down_is_no_part_of_the_layout() -> None:
    score = asked(table.reading(face_down(), *LAYOUT), "domino-pips", rules=("count=ends",))
    assert (score["total"], score["places"]) == (22, [1, 2, 3, 4])


def test_ends_that_cannot_touch_are_named_as_a_misreading() -> None:
    clash = table.reading(face_down(), tile("1-3"), tile("4-5", 20, 0))
    notes = asked(clash, "domino-pips", rules=("count=ends",))["notes"]
    assert "The ends of tile 2 (1-3) and tile 3 (4-5) touch but do not match" in notes[-1]
    assert asked(clash, "domino-pips")["notes"] == ["One tile face down: not counted."]


def test_tiles_that_lie_apart_are_said_to() -> None:
    notes = asked(table.reading(*row("1-3", "3-5")), "domino-pips", rules=("count=ends",))["notes"]
    assert notes == ["The tiles form two separate layouts; the open ends of all are counted."]


def test_a_tile_that_lies_there_twice_is_said_to() -> None:
    notes = asked(table.reading(*row("1-3", "3-1", "5-5")), "domino-pips")["notes"]
    assert len(notes) == 1
    assert "more than one 1-3" in notes[0]


@pytest.mark.parametrize(
    ("pieces", "sure"),
    [
        (LAYOUT, True),
        ((face_down(), *LAYOUT), True),
        ((tile("1-3"), tile("4-5", 20, 0)), False),
        (row("1-3", "3-5"), False),
        (row("1-3", "3-1"), False),
    ],
    ids=["layout", "face-down", "clash", "apart", "twice"],
)
def test_what_is_to_be_checked_is_not_sure(pieces: tuple[Tile, ...], sure: bool) -> None:
    seen = table.reading(*pieces)
    assert seen.sure
    assert [answer(seen, request(game=game)).to_json()["sure"] for game in (None, "muggins")] == [True, sure]


@pytest.mark.parametrize("text", ["1-5-5", "1,5,5", " 1 5 5 ", "1, 5, 5"])
def test_dice_are_named_as_people_write_them(text: str) -> None:
    assert dice_named(text) == (1, 5, 5)


@pytest.mark.parametrize("text", ["", "1-x", "1--5", "-1", "155"])
def test_what_is_no_list_of_dice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Write the values such as 1-5-5"):
        dice_named(text)


@pytest.mark.parametrize(
    ("request_", "kinds", "at_most", "counts"),
    [
        (ScoreRequest("crib-dice"), {"d6"}, 7, {7}),
        (ScoreRequest("crib-dice", options={"point": 5, "frozen": 3}), {"d6"}, 7, {4, 7}),
        (ScoreRequest("farkle"), {"d6"}, 6, set()),
        (ScoreRequest("farkle-crib", options={"set_aside": (5, 5)}), {"d6"}, 6, {4, 6}),
        (ScoreRequest("cribbage-dice"), {"d6", "d12"}, 7, {5, 7}),
        (ScoreRequest("domino-cribbage"), {"domino"}, 28, set()),
    ],
)
def test_the_game_says_what_the_photo_shows(
    request_: ScoreRequest, kinds: set[str], at_most: int, counts: set[int]
) -> None:
    expected: Any = request_.expected
    assert (expected.looked_for, expected.at_most, expected.counts) == (kinds, at_most, counts)


def test_without_a_game_anything_may_lie_there() -> None:
    assert ScoreRequest().expected is None
