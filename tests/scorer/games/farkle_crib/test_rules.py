"""Every option that RULINGS names, its default, and what cannot be played."""

import pytest

from scorer.errors import RulesError
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.throws import Bonus, set_asides
from tests.scorer.games.farkle_crib.table import BONUSES, GAME


def test_every_option_has_the_default_of_the_rulings() -> None:
    assert Rules().to_json() == {
        "finish": 121,
        "final_turns": "same_round",
        "tie": "shared",
        "opening_roll": True,
        "bonus": [],
        "two_triples": False,
        "three_pairs_4_2": False,
        "bomb_exchange": "end_turn_forfeit",
        "lanes": [],
    }


def test_every_bonus_of_the_text_is_a_switch() -> None:
    assert set(BONUSES) == {
        "four-of-a-kind",
        "five-of-a-kind",
        "six-of-a-kind",
        "three-pairs",
        "straight",
        "full-house",
        "three-farkles",
    }
    rules = Rules.from_texts(["bonus=all"])
    assert (len(rules.chart_bonuses), rules.three_farkles) == (6, True)


def test_rules_survive_text_and_json() -> None:
    texts = [
        "bonus=straight,six-of-a-kind,three-farkles",
        "lanes=0,1,0",
        "bomb_exchange=continue",
        "finish=61",
        "tie=roll_off",
    ]
    rules = Rules.from_texts(texts)
    assert Rules.from_json(rules.to_json()) == rules
    assert Rules.from_texts(f"{name}={value}" for name, value in rules.changed().items()) == rules


@pytest.mark.parametrize("players", [1, 2, 5, 30])
def test_any_number_can_play(players: int) -> None:
    assert GAME.start(Rules(), players).players == players


def test_somebody_has_to_play() -> None:
    with pytest.raises(RulesError) as refused:
        GAME.start(Rules(), 0)
    assert refused.value.code == "bad-players"


@pytest.mark.parametrize("option", ["three_pairs_4_2=yes", "bomb_exchange=continue", "lanes=0,1"])
def test_options_without_effect_are_refused_when_they_are_chosen(option: str) -> None:
    with pytest.raises(RulesError, match=r"no effect w(ithout bonus|here every peg has a lane of its own)"):
        Rules.from_texts([option])
    name, _, value = option.partition("=")
    kept = Rules(**{name: Rules.option(name).parsed(value)})
    assert Rules.from_json(kept.to_json()) == kept


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("tie=roll_off final_turns=at_once", "leaves one peg ahead"),
        ("two_triples=yes bonus=six-of-a-kind", "never scores less"),
        ("two_triples=yes bonus=all", "never scores less"),
    ],
)
def test_of_two_options_that_do_not_go_together_one_is_to_be_chosen(options: str, why: str) -> None:
    with pytest.raises(RulesError, match=f"no effect .*{why}: choose one of the two") as refused:
        Rules.from_texts(options.split())
    assert refused.value.code == "bad-option"
    # Records of before stay readable.
    pairs = [each.split("=") for each in options.split()]
    kept = Rules(**{name: Rules.option(name).parsed(value) for name, value in pairs})
    assert Rules.from_json(kept.to_json()) == kept


def test_six_of_a_kind_never_scores_less_than_two_triples() -> None:
    bonuses = [Bonus.SIX_OF_A_KIND]
    for value in range(1, 7):
        dice = (value,) * 6
        assert set_asides(dice, bonuses, two_triples=True) == set_asides(dice, bonuses)


def test_lanes_are_for_every_player_or_none() -> None:
    with pytest.raises(RulesError) as refused:
        GAME.start(Rules(lanes=(0, 0, 1)), 2)
    assert refused.value.code == "bad-option"
    assert "name one for each player" in refused.value.message
