"""Random games under random rules: they end, and on the way nothing that must hold is ever broken."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Move, Seen, Unclear
from scorer.errors import IllegalMove
from scorer.games.crib_dice.game import CribDice
from scorer.games.crib_dice.rules import ADVANCED, Rules
from scorer.games.crib_dice.state import State
from scorer.games.crib_dice.throws import DICE
from tests.examples import examples

GAME = CribDice()
NAMES = tuple("ABCDEF")
LONGEST_GAME = 20_000
STOPS = 0.7


def random_rules(random: Random) -> tuple[Rules, int]:
    players = random.choice((2, 3, 4, 5, 6))
    partners = players == 6 or (players == 4 and random.random() < 0.5)
    options = {option.name: random.random() < 0.5 for option in Rules.options() if option.kind == "switch"}
    options |= {"partners": partners, "edition": random.choice(("v2.1", "v2.1", "other"))}
    if options["edition"] == "other":
        options |= {name: False for name in ADVANCED if name != "bomb"}
    doubles = ("auto", "no_result") + ("seven_then_reroll", "seven_then_rollover") * options["piddle_points"]
    sides = players // 2 if partners else players
    return Rules(
        **options,
        finish=random.choice((21, 61, 121)),
        final_turns=random.choice(("same_round", "at_once")),
        tie=random.choice(("shared", "roll_off")),
        piddle_double_point=random.choice(doubles),
        lanes=random.choice(((), tuple(random.randrange(2) for _ in range(sides)))),
    ), players


def next_move(state: State, random: Random) -> Move:
    legal = GAME.legal_moves(state)
    if legal.chance is None or (legal.choices and random.random() < STOPS):
        return random.choice(legal.choices)
    return legal.chance.sample(random)


def check_state(state: State) -> None:
    rules, turn, legal = state.rules, state.turn, GAME.legal_moves(state)
    assert hash(state) == hash(state)
    assert len(legal) > 0
    assert [offer.move for offer in GAME.offers(state)] == list(legal.choices)
    assert min(state.holes) >= 0
    assert all(state.holes[side] >= rules.goal for side in state.finished)
    assert all(side.hole == 0 for side in state.sides if side.fuchled or side.out)
    assert all(
        side.streak < rules.out_at for side in state.sides if rules.double_fuchle and side.fuchled and not side.out
    )
    assert 0 <= turn.frozen <= DICE
    assert turn.counted <= DICE
    assert state.playing(state.mover)
    board = GAME.board(state)
    assert [(pegs.back, pegs.front) for pegs in board.pegs if pegs.side != state.mover] == [
        (hole, hole) for side, hole in enumerate(state.holes) if side != state.mover
    ]
    assert "{" not in GAME.prompt(state).replace(f"{{{state.to_act}}}", "")


def check_choices(state: State) -> None:
    for move in GAME.legal_moves(state).choices:
        assert Move.parse(str(move)) == move
        assert GAME.apply(state, move).state != state


def check_seen(state: State, move: Move, random: Random) -> None:
    """The throw is found from its dice alone, and from all the dice where the frozen ones lie beside it."""
    pictures = [move.numbers]
    if state.phase in ("safe", "piddle", "again", "bombing"):
        pictures.append(move.numbers + (state.turn.point,) * state.turn.frozen)
    for dice in pictures:
        shown = tuple(random.sample(dice, len(dice)))
        assert GAME.recognise(state, Seen(shown)) == (move,)


def seen_or_doubted(state: State, dice: tuple[int, ...]) -> tuple[Move, ...]:
    try:
        return GAME.recognise(state, Seen(dice))
    except Unclear as doubt:
        return doubt.moves


def check_result(state: State) -> None:
    result = state.result
    assert result is not None
    assert sorted(player for group in result.ranking for player in group) == list(range(state.players))
    assert all((games == 0) == (player in result.winners) for player, games in enumerate(result.lost))
    assert set(result.lost) <= {0, 1, 2, 4}
    assert not any(state.sides[state.side_of(player)].out for player in result.winners)
    assert len(GAME.legal_moves(state)) == 0


@examples(60)
@given(st.integers(0, 2**32))
def test_random_games_end_and_keep_every_promise(seed: int) -> None:
    random = Random(seed)
    state = GAME.start(*random_rules(random))
    for _ in range(LONGEST_GAME):
        if state.to_act is None:
            break
        check_state(state)
        check_choices(state)
        move = next_move(state, random)
        assert Move.parse(str(move)) == move
        if move not in GAME.legal_moves(state).choices:
            check_seen(state, move, random)
        step = GAME.apply(state, move)
        assert step.events
        assert all("{" not in event.said(NAMES) for event in step.events)
        state = step.state
    check_result(state)


@examples(60)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 7), max_size=8))
def test_what_is_not_legal_is_refused_and_what_is_seen_is_legal_or_a_doubt(seed: int, dice: list[int]) -> None:
    random = Random(seed)
    state = GAME.start(*random_rules(random))
    for _ in range(random.randrange(60)):
        if state.to_act is not None:
            state = GAME.apply(state, next_move(state, random)).state
    legal = GAME.legal_moves(state)
    for verb in ("opening", "throw", "point", "freeze", "stop", "piddle", "bomb", "exchange", "roll-off", "swap"):
        move = Move(verb, tuple(dice))
        if move not in legal:
            with pytest.raises(IllegalMove) as refusal:
                GAME.apply(state, move)
            assert refusal.value.rule
    assert all(move in legal for move in seen_or_doubted(state, tuple(dice)))


def test_the_same_moves_lead_to_the_same_state() -> None:
    random = Random(7)
    start = state = GAME.start(Rules.advanced(finish=61), 3)
    moves = []
    while state.to_act is not None:
        moves.append(next_move(state, random))
        state = GAME.apply(state, moves[-1]).state
    again = start
    for move in moves:
        again = GAME.apply(again, Move.parse(str(move))).state
    assert again == state
    assert hash(again) == hash(state)
    assert all(getattr(again, field.name) == getattr(state, field.name) for field in fields(state))
