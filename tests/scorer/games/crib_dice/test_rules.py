import pytest

from scorer.errors import RulesError
from scorer.games.crib_dice.game import CribDice
from scorer.games.crib_dice.rules import ADVANCED, Rules

DEFAULTS = {
    "edition": "v2.1",
    "finish": 121,
    "final_turns": "same_round",
    "tie": "shared",
    "opening_roll": True,
    "freeze_all": True,
    "piddle_fail_counts": True,
    "fuchle_at_start": True,
    "piddle_points": False,
    "piddle_double_point": "auto",
    "roll_at_five_or_six": False,
    "stop_after_piddle": False,
    "bomb": False,
    "bomb_fail_counts": True,
    "bomb_scores_points": False,
    "double_fuchle": False,
    "skunk": False,
    "double_skunk_unmoved": False,
    "bumping": False,
    "lanes": [],
    "find_a_loser": False,
    "long_game": False,
    "partners": False,
    "pandemonium": False,
}


def refused(**options: object) -> RulesError:
    with pytest.raises(RulesError) as refusal:
        Rules(**options)
    return refusal.value


def bad_seats(players: int, **options: object) -> RulesError:
    with pytest.raises(RulesError) as refusal:
        CribDice().start(Rules(**options), players)
    return refusal.value


def test_the_defaults_are_those_of_rulings() -> None:
    assert Rules().to_json() == DEFAULTS
    assert all(option.says.endswith(".") and "\n" not in option.says for option in Rules.options())


def test_advanced_turns_the_five_on_and_nothing_else() -> None:
    assert set(Rules.advanced().changed()) == set(ADVANCED)
    assert Rules.advanced(bomb=False, skunk=True, long_game=True).changed().keys() == {
        "piddle_points",
        "double_fuchle",
        "skunk",
        "bumping",
        "long_game",
    }


def test_rules_travel_as_json_and_as_texts() -> None:
    rules = Rules.advanced(lanes=(0, 0, 1), piddle_double_point="seven_then_rollover", finish=61)
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_texts(f"{name}={value}" for name, value in rules.changed().items()) == rules


@pytest.mark.parametrize("name", [name for name in ADVANCED if name != "bomb"])
def test_the_other_edition_has_no_advanced_rules_but_the_bomb(name: str) -> None:
    error = refused(edition="other", **{name: True})
    assert error.code == "bad-option"
    assert name in error.message
    assert "edition=v2.1" in error.message
    assert Rules(edition="other", bomb=True, pandemonium=True).bomb


def test_what_doubles_of_the_point_mean_by_default() -> None:
    assert Rules().doubles == Rules(edition="other").doubles == "no_result"
    assert Rules(piddle_points=True).doubles == "seven_then_reroll"
    assert Rules(piddle_points=True, piddle_double_point="no_result").doubles == "no_result"


@pytest.mark.parametrize("doubles", ["seven_then_reroll", "seven_then_rollover"])
def test_doubles_score_with_piddle_points_only(doubles: str) -> None:
    assert "piddle_points on" in refused(piddle_double_point=doubles).message
    assert Rules(piddle_points=True, piddle_double_point=doubles).doubles == doubles


@pytest.mark.parametrize(
    "options", [{"finish": 1}, {"edition": "v3"}, {"bomb": 1}, {"lanes": (5,)}, {"lanes": [0, 0]}, {"tie": "both"}]
)
def test_a_value_that_an_option_cannot_have(options: dict[str, object]) -> None:
    assert refused(**options).code == "bad-option"


@pytest.mark.parametrize(
    ("options", "needs"),
    [
        ("double_skunk_unmoved=true", "switch skunk on"),
        ("bomb_fail_counts=false", "switch bomb on"),
        ("bomb_scores_points=true", "switch bomb on"),
        ("fuchle_at_start=false", "switch one of them on"),
        ("pandemonium=true", "switch bomb on"),
        ("lanes=0,0", "switch bumping on"),
        ("bumping=true lanes=0,1", "name shared lanes"),
        ("find_a_loser=true tie=roll_off", "choose one of the two"),
        ("find_a_loser=true final_turns=at_once", "choose one of the two"),
        ("tie=roll_off final_turns=at_once", "leaves one peg ahead"),
        ("bomb=true pandemonium=true bomb_fail_counts=false", "no bomb can fail"),
    ],
)
def test_an_option_without_effect_is_refused_when_it_is_chosen(options: str, needs: str) -> None:
    with pytest.raises(RulesError, match=needs) as error:
        Rules.from_texts(options.split())
    assert error.value.code == "bad-option"
    # Records of before stay readable.
    pairs = [each.split("=") for each in options.split()]
    kept = Rules(**{name: Rules.option(name).parsed(value) for name, value in pairs})
    assert Rules.from_json(kept.to_json()) == kept


@pytest.mark.parametrize("other", ["double_fuchle=true", "skunk=true"])
def test_a_peg_may_be_spared_at_the_start_where_that_matters(other: str) -> None:
    assert not Rules.from_texts(["fuchle_at_start=false", other]).fuchle_at_start


@pytest.mark.parametrize("players", [0, 1, 6, 7])
def test_two_to_five_players(players: int) -> None:
    error = bad_seats(players)
    assert error.code == "bad-players"
    assert ("partners on" in error.message) == (players == 6)
    assert all(CribDice().start(Rules(), number).players == number for number in range(2, 6))


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_partners_are_four_or_six(players: int) -> None:
    assert bad_seats(players, partners=True).code == "bad-players"


def test_partners_sit_alternately_in_pairs() -> None:
    four, six = (CribDice().start(Rules(partners=True), players) for players in (4, 6))
    assert [four.members(side) for side in range(2)] == [(0, 2), (1, 3)]
    assert [six.members(side) for side in range(3)] == [(0, 3), (1, 4), (2, 5)]


def test_lanes_are_named_for_every_side_or_for_none() -> None:
    assert bad_seats(3, lanes=(0, 0)).code == "bad-option"
    assert bad_seats(4, lanes=(0, 0, 0, 0), partners=True).code == "bad-option"
    assert CribDice().start(Rules(lanes=(0, 0, 1)), 3).lanes == (0, 0, 1)
    assert CribDice().start(Rules(bumping=True), 3).lanes == (0, 1, 2)


def test_the_long_game_doubles_the_distance_and_the_skunk_line() -> None:
    assert (Rules().goal, Rules().skunk_line) == (121, 61)
    assert (Rules(long_game=True).goal, Rules(long_game=True).skunk_line) == (242, 122)
