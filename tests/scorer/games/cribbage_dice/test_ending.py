"""How a game of Cribbage Dice ends: target, finish the round, round limit, ties."""

from dataclasses import replace
from typing import Any

import pytest

from scorer.engine.game import Event, Legal, Move
from scorer.errors import RulesError
from scorer.games.cribbage_dice.game import CribbageDice
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.state import State

GAME = CribbageDice()
THROWS = {0: "2 4 6 8 12", 2: "2 2 4 6 8", 4: "1 9 10 11 12", 14: "5 10 10 10 11", 40: "5 5 5 5 5"}


def at(scores: tuple[int, ...], first: int = 0, **options: Any) -> State:
    """The first player is about to throw, with these scores."""
    begun = GAME.start(Rules(opening_roll=False, **options), len(scores))
    return replace(begun, scores=scores, player=first, first=first)


def scoring(state: State, *points: int) -> tuple[State, list[Event]]:
    """After turns in which the players score so many points."""
    told: list[Event] = []
    for worth in points:
        for move in (f"throw {THROWS[worth]}", "stop"):
            state, events = (step := GAME.apply(state, Move.parse(move))).state, step.events
            told += events
    return state, told


@pytest.mark.parametrize("points", THROWS)
def test_the_hands_of_these_tests(points: int) -> None:
    assert scoring(at((0, 0)), points)[0].scores == (points, 0)


def test_first_to_90_wins_at_once() -> None:
    state, told = scoring(at((85, 89, 0)), 4)
    assert state.result is None
    state, told = scoring(state, 2)
    assert state.result is not None
    assert state.result.winners == (1,)
    assert state.result.ranking == ((1,), (0,), (2,))
    assert state.result.lost == (1, 0, 1)
    assert (state.to_act, state.phase) == (None, "over")
    assert GAME.legal_moves(state) == Legal()
    assert GAME.offers(state) == ()
    assert GAME.prompt(state) == "The game is over"
    assert [(event.name, event.text) for event in told][-1] == ("won", "{1} wins with 91 points")


def test_exactly_90_is_reached_and_89_is_not() -> None:
    assert scoring(at((88, 0)), 2)[0].result is not None
    assert scoring(at((87, 0)), 2)[0].result is None


def test_other_targets() -> None:
    assert scoring(at((0, 0), target=40), 40)[0].result is not None
    assert scoring(at((110, 0), target=121), 4)[0].result is None
    assert GAME.board(at((0, 0), target=121)).finish == 121


def test_finish_round_gives_everyone_the_turn() -> None:
    # Player 1 began, so the round ends with player 0; each sees the other's score, the highest wins.
    state, told = scoring(at((80, 76, 50), first=1, finish_round=True), 14)
    assert state.result is None
    assert "last-round" in [event.name for event in told]
    state, told = scoring(state, 0, 14)
    assert state.result is not None
    assert state.result.winners == (0,)
    assert state.scores == (94, 90, 50)
    assert "last-round" not in [event.name for event in told]


def test_finish_round_counts_the_last_player_too() -> None:
    state, _ = scoring(at((0, 76), finish_round=True), 0, 14)
    assert state.result is not None
    assert state.result.winners == (1,)


def test_round_limit_highest_score_wins() -> None:
    state, _ = scoring(at((0, 0), round_limit=2), 4, 2, 0)
    assert (state.result, state.round) == (None, 2)
    state, _ = scoring(state, 14)
    assert state.result is not None
    assert state.result.winners == (1,)
    assert state.result.lost == (1, 0)


def test_target_and_round_limit_whichever_comes_first() -> None:
    assert scoring(at((88, 0), round_limit=5, target=90), 2)[0].result is not None
    assert scoring(at((0, 0), round_limit=1), 2, 0)[0].result is not None


def test_round_limit_without_a_target() -> None:
    state, _ = scoring(at((990, 0), target=0, round_limit=1), 40)
    assert state.result is None
    state, _ = scoring(state, 2)
    assert state.result is not None
    assert state.result.winners == (0,)
    assert GAME.board(at((0, 0), target=0, round_limit=3)).finish == 121


@pytest.mark.parametrize("options", [{"round_limit": 1}, {"target": 4, "finish_round": True}])
def test_ties_shared(options: dict[str, Any]) -> None:
    state, told = scoring(at((0, 0, 0), **options), 4, 2, 4)
    assert state.result is not None
    assert state.result.winners == (0, 2)
    assert state.result.ranking == ((0, 2), (1,))
    assert state.result.lost == (0, 1, 0)
    assert told[-1].said("ABC") == "A and C share the win with 4 points"


def test_ties_rolled_off() -> None:
    state, told = scoring(at((0, 0, 0, 0), round_limit=1, tie="roll_off"), 4, 2, 4, 4)
    assert (state.phase, state.to_act, state.result) == ("roll-off", 0, None)
    assert told[-1].name == "tied"
    for move, next_to_act in (("8", 2), ("12", 3), ("12", 2), ("1", 3)):
        state = GAME.apply(state, Move.parse(f"roll-off {move}")).state
        assert state.to_act == next_to_act
    state, events = (step := GAME.apply(state, Move.parse("roll-off 2"))).state, step.events
    assert state.result is not None
    assert state.result.winners == (3,)
    assert state.result.ranking == ((3,), (0, 2), (1,))
    assert state.result.lost == (1, 1, 1, 0)
    assert events[-1].said("ABCD") == "D wins with 4 points"


def test_no_roll_off_without_a_tie() -> None:
    state, _ = scoring(at((0, 0), round_limit=1, tie="roll_off"), 4, 2)
    assert state.result is not None
    assert state.result.winners == (0,)


def test_a_round_limit_is_played_instead_of_a_target() -> None:
    assert Rules.from_texts(["round_limit=5"]).target == 0
    assert Rules.from_texts(["round_limit=5", "target=90"]).target == 90
    assert Rules.from_json({"round_limit": 5}).target == 0
    assert (Rules(round_limit=5).target, Rules(round_limit=5, target=90).target, Rules().target) == (0, 90, 90)
    assert Rules.from_json({**Rules().to_json(), "round_limit": 5}).target == 90
    assert type(Rules().target) is int
    for rules in (Rules(round_limit=5, target=0), Rules(round_limit=5), Rules(round_limit=5, target=61), Rules()):
        assert Rules.from_texts(f"{name}={value}" for name, value in rules.changed().items()) == rules
    assert Rules.from_texts([]).target == 90


@pytest.mark.parametrize(
    "options",
    ["seven_keep_starter=no", "round_limit=5 finish_round=yes", "tie=roll_off", "round_limit=3 target=121"],
)
def test_options_without_effect_are_refused(options: str) -> None:
    with pytest.raises(RulesError, match="no effect"):
        Rules.from_texts(options.split())


def test_a_target_that_the_best_hands_reach_within_the_rounds_counts() -> None:
    # Five 5s, the most there is, are 40.
    assert Rules.from_texts(["round_limit=3", "target=120"]).target == 120


@pytest.mark.parametrize("ends", ["finish_round=yes", "round_limit=5", "round_limit=5 target=61"])
def test_a_tie_can_be_rolled_off_where_a_round_is_played_out(ends: str) -> None:
    assert Rules.from_texts(["tie=roll_off", *ends.split()]).tie == "roll_off"
