"""Whole games by chance, with random rules: what holds in all of them."""

from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Move, Seen, Step
from scorer.errors import IllegalMove
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.state import State
from scorer.games.set_aside_game import Phase
from tests.examples import examples
from tests.scorer.games.farkle_crib.table import GAME, random_game, random_move

seeds = st.integers(0, 10**9)
STRANGE = [Move.parse(text) for text in ("stop", "keep 2", "keep 1 1", "exchange 0", "throw 1 2 7", "opening 1 2 3")]


def check_pegs(state: State) -> None:
    board = GAME.board(state)
    assert all(0 <= pegs.back <= pegs.front for pegs in board.pegs)
    on_board = [(pegs.lane, pegs.back) for pegs in board.pegs if 0 < pegs.back < board.finish]
    assert len(set(on_board)) == len(on_board) or not state.rules.lanes
    assert all(0 <= row < 3 for row in state.farkles)


def check_dice(state: State, move: Move, after: State) -> None:
    assert len(state.turn.aside) < 6
    if state.phase is Phase.KEEP:
        assert len(state.turn.aside) + len(state.turn.thrown) == 6
    if move.verb == "keep":
        aside = tuple(sorted(state.turn.aside + move.numbers))
        assert after.turn.aside == (aside if len(aside) < 6 else ())


def check_choices(state: State) -> None:
    legal = GAME.legal_moves(state)
    assert [offer.move for offer in GAME.offers(state)] == list(legal.choices)
    assert len(set(legal.choices)) == len(legal.choices)
    for move in legal.choices:
        assert Move.parse(str(move)) == move
        GAME.apply(state, move)
    for move in STRANGE:
        if move not in legal:
            with pytest.raises(IllegalMove):
                GAME.apply(state, move)


def check_seen(state: State, move: Move) -> None:
    if move.verb not in ("keep", "stop", "exchange"):
        alone = Seen(tuple(reversed(move.numbers)))
        assert GAME.recognise(state, alone) == (move,)
    if move.verb == "throw":
        assert GAME.recognise(state, Seen((*move.numbers, *state.turn.aside))) == (move,)


def check_events(before: State, step: Step[State]) -> None:
    for event in step.events:
        said = event.said([f"Player {number}" for number in range(before.players)])
        assert "{" not in said
    moved = sum(event.points for event in step.events if event.name in ("pegged", "exchanged", "three-farkles"))
    assert step.state.holes[before.player] - before.holes[before.player] == moved


@examples(40)
@given(seeds)
def test_what_holds_in_every_game(seed: int) -> None:
    for (state, move, step), number in zip(random_game(Random(seed)), count(), strict=False):
        assert number < 20_000
        before = hash(state)
        check_pegs(step.state)
        check_dice(state, move, step.state)
        check_choices(state)
        check_seen(state, move)
        check_events(state, step)
        assert Move.parse(str(move)) == move
        assert hash(state) == before


@examples(40)
@given(seeds)
def test_every_game_ends_as_its_rules_say(seed: int) -> None:
    steps = list(random_game(Random(seed)))
    last = steps[-1][2].state
    assert last.result is not None
    result, rules = last.result, last.rules
    highest = tuple(player for player, hole in enumerate(last.holes) if hole == max(last.holes))
    assert max(last.holes) >= rules.finish
    assert set(result.winners) <= set(highest)
    assert len(result.winners) == (1 if rules.tie == "roll_off" else len(highest))
    assert sorted(player for group in result.ranking for player in group) == list(range(last.players))
    assert result.lost == tuple(int(player not in result.winners) for player in range(last.players))
    turns = turns_played(steps)
    if rules.final_turns == "same_round":
        assert set(turns) == {turns[last.first]}
    else:
        assert sum(hole >= rules.finish for hole in last.holes) == 1


def turns_played(steps: list[tuple[State, Move, Step[State]]]) -> list[int]:
    """How many turns each player has begun."""
    begun = [state.player for state, _, _ in steps if state.phase is Phase.THROW]
    return [begun.count(player) for player in range(steps[0][0].players)]


@examples(20)
@given(seeds)
def test_the_moves_alone_are_the_whole_game(seed: int) -> None:
    steps = list(random_game(Random(seed)))
    again = steps[0][0]
    for _, move, step in steps:
        again = GAME.apply(again, Move.parse(str(move))).state
        assert again == step.state


def test_one_player_practises() -> None:
    random, state = Random(3), GAME.start(Rules(finish=31), 1)
    while state.to_act is not None:
        move = random_move(random, state)
        state = GAME.apply(state, move).state
    assert state.result is not None
    assert (state.result.winners, state.result.ranking, state.result.lost) == ((0,), ((0,),), (0,))
