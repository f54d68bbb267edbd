"""Advice on a situation of Farkle that is typed, against the advice of the game in the same situation."""

from __future__ import annotations

import pytest

from scorer.engine.game import Move
from scorer.errors import ThrowError
from scorer.games.farkle.game import Farkle
from scorer.games.farkle.questions import FarkleMoment
from scorer.games.farkle.rules import Rules
from scorer.games.farkle.state import State

GAME = Farkle()


def after(rules: Rules, *moves: str) -> State:
    state = GAME.start(rules, 2)
    for move in moves:
        state = GAME.apply(state, Move.parse(move)).state
    return state


@pytest.mark.parametrize("opening_score", [0, 500])
def test_a_typed_situation_gets_the_advice_of_the_game(opening_score: int) -> None:
    rules = Rules(opening_roll=False, opening_score=opening_score)
    thrown = after(rules, "throw 1 2 3 3 3 6")
    assert FarkleMoment(dice=(6, 3, 1, 3, 2, 3)).advice(rules) == GAME.advise(thrown, hands=True)
    kept = after(rules, "throw 1 2 3 3 3 6", "keep 3 3 3")
    assert FarkleMoment(points=300, to_throw=3).advice(rules) == GAME.advise(kept, hands=True)


def test_who_is_on_the_board_may_stop_with_less() -> None:
    rules = Rules(opening_score=500)
    first, later = FarkleMoment(points=300, to_throw=3), FarkleMoment(points=300, to_throw=3, banked=1000)
    assert [each.move for each in first.advice(rules).alternatives] == ["throw"]
    assert {each.move for each in later.advice(rules).alternatives} == {"stop", "throw"}


@pytest.mark.parametrize(
    ("dice", "points", "code"),
    [((2, 2, 3, 3, 4, 6), 0, "turn-over"), ((1, 5, 7), 100, "value-out-of-range"), ((1,), 120, "wrong-points")],
)
def test_a_situation_that_cannot_be_is_refused(dice: tuple[int, ...], points: int, code: str) -> None:
    with pytest.raises(ThrowError) as trouble:
        FarkleMoment(dice=dice, points=points).advice(Rules())
    assert trouble.value.code == code
