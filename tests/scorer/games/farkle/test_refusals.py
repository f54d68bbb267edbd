"""Why a move of Farkle is refused, and the rule that is named with it."""

from __future__ import annotations

import pytest

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.farkle.rules import Rules
from scorer.games.registry import game_named


@pytest.mark.parametrize(
    ("moves", "refused", "code", "rule"),
    [
        ([], "throw 2 1 3 4 5 6", "unsorted", "Farkle, the throw"),
        ([], "throw 1 2 3", "wrong-count", "Farkle, the throw"),
        ([], "throw 1 2 3 4 5 7", "value-out-of-range", "Farkle, the throw"),
        ([], "keep 1", "throw-first", "Farkle, the throw"),
        (["throw 1 2 3 4 5 6"], "keep 5 1", "unsorted", "Farkle, setting aside"),
        (["throw 1 2 3 4 5 6"], "keep 1 2", "does-not-score", "Farkle, setting aside"),
        (["throw 1 2 3 4 5 6"], "keep 1 1", "not-thrown", "Farkle, setting aside"),
        (["throw 1 2 3 4 5 6"], "throw 1 2 3 4 5 6", "keep-first", "Farkle, setting aside"),
        (["throw 1 2 3 4 5 6", "keep 1"], "stop 1", "strange-numbers", "Farkle, stopping"),
        (["throw 1 2 3 4 5 6", "keep 1"], "stop", "not-on-the-board", "Farkle, stopping"),
    ],
)
def test_a_move_is_refused_with_its_reason_and_rule(moves: list[str], refused: str, code: str, rule: str) -> None:
    game = game_named("farkle")
    state = game.start(Rules(opening_roll=False, opening_score=500), 2)
    for move in moves:
        state = game.apply(state, Move.parse(move)).state
    with pytest.raises(IllegalMove) as error:
        game.apply(state, Move.parse(refused))
    assert (error.value.code, error.value.rule) == (code, rule)


@pytest.mark.parametrize("opening_score", [0, 500])
def test_to_stop_is_offered_only_where_it_is_allowed(opening_score: int) -> None:
    game = game_named("farkle")
    state = game.start(Rules(opening_roll=False, opening_score=opening_score), 2)
    for move in ("throw 1 2 3 4 5 6", "keep 1"):
        state = game.apply(state, Move.parse(move)).state
    with pytest.raises(IllegalMove) as error:
        game.apply(state, Move.parse("keep 5"))
    assert error.value.code == "nothing-to-choose"
    assert error.value.message.endswith(", or stop.") is (opening_score == 0)
