from dataclasses import FrozenInstanceError, dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.options import GameRules, any_of, choice, number, numbers, switch
from scorer.errors import RulesError


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(GameRules):
    bomb: bool = switch(False, "The bomb.")
    finish: int = number(121, "Where the board ends.", 31, 242)
    tie: Literal["shared", "roll_off"] = choice("Equal totals.", "shared", "roll_off")
    bonus: frozenset[str] = any_of("Bonus scores.", ("straight", "full-house"))
    lanes: tuple[int, ...] = numbers("Who shares a lane.", 0, 5)


rules = st.builds(
    Rules,
    bomb=st.booleans(),
    finish=st.integers(31, 242),
    tie=st.sampled_from(["shared", "roll_off"]),
    bonus=st.frozensets(st.sampled_from(["straight", "full-house"])),
    lanes=st.lists(st.integers(0, 5)).map(tuple),
)


@given(rules)
def test_json_and_texts_round_trip(made: Rules) -> None:
    assert Rules.from_json(made.to_json()) == made
    assert Rules.from_texts(f"{name}={value}" for name, value in made.changed().items()) == made


def test_only_what_differs_from_the_default_is_changed() -> None:
    assert Rules().changed() == {}
    assert Rules(bomb=True, bonus=frozenset({"straight"})).changed() == {"bomb": "true", "bonus": "straight"}


def test_all_and_none_of_a_set() -> None:
    assert Rules.from_texts(["bonus=all"]).bonus == {"straight", "full-house"}
    assert Rules.from_texts(["bonus=none", "lanes="]) == Rules()


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("bmob=true", "unknown-option", "bomb, finish"),
        ("bomb=maybe", "bad-option", "true or false"),
        ("bomb", "bad-option", "name=value"),
        ("finish=30", "bad-option", "31 to 242"),
        ("finish=-31", "bad-option", "31 to 242"),
        ("finish=\uff11\uff12\uff11", "bad-option", "31 to 242"),
        ("tie=mine", "bad-option", "shared, roll_off"),
        ("bonus=straight,poker", "bad-option", "full-house"),
        ("lanes=0,x", "bad-option", "0 to 5"),
    ],
)
def test_what_an_option_cannot_be_is_refused_and_the_way_out_named(text: str, code: str, hint: str) -> None:
    with pytest.raises(RulesError) as refused:
        Rules.from_texts([text])
    assert refused.value.code == code
    assert hint in refused.value.message


@pytest.mark.parametrize(
    "values", [{"bomb": 1}, {"finish": True}, {"finish": 121.0}, {"bonus": "straight"}, {"lanes": [9]}]
)
def test_json_of_the_wrong_type_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(values)


def test_rules_are_frozen_values() -> None:
    assert hash(Rules()) == hash(Rules())
    with pytest.raises(FrozenInstanceError):
        Rules().bomb = True  # type: ignore[misc]
