"""How likely choices are: the better, the likelier, and none impossible."""

from __future__ import annotations

from math import exp
from typing import Any

import pytest

from scorer.camera.priors import GO_ON, choice_priors
from scorer.engine.game import Move
from scorer.games.crib_dice.rules import Rules
from scorer.games.registry import GAMES

CRIB = GAMES["crib-dice"]
STOP = Move("stop")


def after(*moves: str, **rules: Any) -> Any:
    state = CRIB.start(Rules(opening_roll=False, **rules), 2)
    for move in moves:
        state = CRIB.apply(state, Move.parse(move)).state
    return state


@pytest.mark.parametrize("moves", [("throw 1 2 2 3 3 3 6",), ("throw 5 5 5 5 5 5 5", "point 5")])
def test_chances_add_up(moves: tuple[str, ...]) -> None:
    chances = choice_priors(CRIB, after(*moves))
    assert sum(map(exp, chances.values())) == pytest.approx(1, abs=0.05)
    assert min(map(exp, chances.values())) > 0.001


def test_the_better_the_likelier() -> None:
    chances = choice_priors(CRIB, after("throw 1 2 2 5 5 5 6"))
    assert chances[Move("point", (5,))] > chances[Move("point", (2,))]


def test_who_stops_takes_the_most_points() -> None:
    """Two 5s would go on better than three 2s and are no worse, but three 3s are worth more at once."""
    state, stopped = after("throw 1 3 3 3 5 5 6"), {}
    for point in (3, 5):
        move = Move("point", (point,))
        chosen = CRIB.follow(state, move).state
        stopped[point] = choice_priors(CRIB, state)[move] + choice_priors(CRIB, chosen, (state, move))[STOP]
    assert stopped[3] > stopped[5] + 2


def test_it_is_likely_to_stop_where_that_wins() -> None:
    chances = choice_priors(CRIB, after("throw 1 2 2 4 5 5 6", "point 5", finish=2, final_turns="at_once"))
    assert chances[STOP] > chances[GO_ON] + 2


def test_it_is_unlikely_to_stop_where_that_loses() -> None:
    finished = ("throw 1 2 3 5 5 5 6", "point 5", "stop", "throw 1 2 2 3 4 5 6", "point 2")
    chances = choice_priors(CRIB, after(*finished, finish=5))
    assert chances[GO_ON] > chances[STOP] + 2
