"""Whole random games of all games, under random rules: no sequence of legal moves breaks what must hold.

`bench/games.py` plays 10,000 of each. Here every state of some is looked at more closely.
"""

from __future__ import annotations

import json
from itertools import groupby
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import games as bench
from scorer.engine.game import Move, Result
from scorer.errors import IllegalMove
from scorer.games.registry import GAMES, AnyGame
from scorer.pieces.tiles import FULL_SET
from tests.examples import examples, some
from tests.scorer.randomly import Setting, option_values, random_setting, steps, values_of

GAME_NAMES = st.sampled_from(sorted(GAMES))
SEEDS = st.integers(0, 2**32)
LONGEST_TURN = 300
"""Moves in a row by one player; who may stop does so seven times in ten, so more are out of the question."""
WHOLE = {"crib-dice": 7, "farkle": 6, "farkle-crib": 6, "cribbage-dice": 5}
"""Dice of a turn."""
STRANGE = tuple(
    map(
        Move.parse,
        (
            "castle",
            "stop",
            "stop 1",
            "throw",
            "throw 0",
            "throw 1 2 3 4 5 6 7",
            "throw 9999",
            "throw 6 5 4 3 2 1",
            "point 0",
            "point 7",
            "freeze 0",
            "freeze 8",
            "piddle 1",
            "piddle 1 2 3",
            "bomb 1",
            "exchange 99",
            "keep",
            "keep 2 9",
            "keep 13",
            "discard",
            "discard 1",
            "discard 1-0 1-0",
            "discard 0-0 1-0 2-0",
            "deal 0 0-0",
            "deal 5 0-0 1-0 1-1 2-0 2-1 2-2",
            "play 0-0 1-0",
            "play",
            "starter",
            "opening",
            "opening 0",
            "opening 13 13",
            "roll-off 7 7",
            "roll-off",
        ),
    )
)


def dice_on_the_table(state: Any, name: str) -> int | None:
    """How many dice a turn has, counted by where they are; None where none lies anywhere."""
    turn = state.turn
    if name == "crib-dice":
        lying = len(turn.dice) if state.phase in ("choose", "freeze") else turn.to_throw
        return turn.frozen + lying
    if name in ("farkle", "farkle-crib"):
        return len(turn.aside) + (len(turn.thrown) or turn.dice)
    return len(turn.table) + state.to_throw if turn.starter else None


def check_pieces(state: Any, game: AnyGame) -> None:
    """No die and no tile is lost or doubled."""
    if game.name == "domino-cribbage":
        starter = [state.starter] if state.starter else []
        assert sorted([*state.hands[0], *state.hands[1], *state.crib, *starter, *state.unseen]) == list(FULL_SET)
        assert {play.tile for play in state.played} <= {*state.hands[0], *state.hands[1]}
        assert len({play.tile for play in state.played}) == len(state.played)
    elif state.to_act is not None and game.name in WHOLE:
        assert dice_on_the_table(state, game.name) in (
            7 if getattr(state.rules, "seven_dice", 0) else WHOLE[game.name],
            None,
        )


def check_pegs(state: Any, game: AnyGame) -> None:
    """Two pegs a side, the front one never behind; every player has a side."""
    board = game.board(state)
    assert [pegs.side for pegs in board.pegs] == list(range(len(board.pegs)))
    assert sorted(player for pegs in board.pegs for player in pegs.players) == list(range(state.players))
    for pegs in board.pegs:
        assert 0 <= pegs.back <= pegs.front
        assert pegs.lane >= 0
    assert json.loads(json.dumps(board.to_json()))["finish"] == board.finish
    assert board.skunk_line is None or 0 < board.skunk_line < board.finish


def check_moves(state: Any, game: AnyGame) -> None:
    """What is listed is offered in that order, once, applies, and is its own text; the rest is refused."""
    legal, before = game.legal_moves(state), hash(state)
    assert len(set(legal.choices)) == len(legal.choices)
    assert tuple(offer.move for offer in game.offers(state)) == legal.choices
    assert (not legal.choices and legal.chance is None) == (state.to_act is None) == (state.result is not None)
    for move in legal.choices:
        assert Move.parse(str(move)) == move
        assert game.apply(state, move).state != state
    for move in STRANGE:
        if move not in legal:
            with pytest.raises(IllegalMove) as refused:
                game.apply(state, move)
            assert refused.value.message
            assert refused.value.rule
    assert hash(state) == before


def check_result(result: Result, players: int) -> None:
    assert sorted(player for equals in result.ranking for player in equals) == list(range(players))
    assert result.winners
    assert [games == 0 for games in result.lost] == [player in result.winners for player in range(players)]
    assert set(result.lost) <= {0, 1, 2, 4}


@examples(30)
@given(GAME_NAMES, SEEDS)
def test_no_sequence_of_legal_moves_breaks_what_must_hold(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    game, last = setting.game, setting.start
    for state, move, step in steps(setting, random):
        assert Move.parse(str(move)) == move
        assert move in game.legal_moves(state)
        assert all("{" not in event.said(setting.names) for event in step.events)
        last = step.state
        check_pieces(last, game)
        check_pegs(last, game)
        if random.random() < 0.1:
            check_moves(state, game)
    check_moves(last, game)
    check_result(last.result, setting.players)


@examples(60)
@given(GAME_NAMES, SEEDS)
def test_a_peg_off_the_board_stays_off_and_a_game_ends_by_one_or_as_its_rules_say(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    off: list[int] = []
    for _, _, step in steps(setting, random):
        board = setting.game.board(step.state)
        now = [pegs.side for pegs in board.pegs if board.off(pegs.back)]
        assert set(off) <= set(now)
        off = now
    assert off or ends_without_a_finish(setting)


def ends_without_a_finish(setting: Setting) -> bool:
    """All but one are eliminated, or the rounds are over."""
    return getattr(setting.rules, "double_fuchle", False) or getattr(setting.rules, "round_limit", 0) > 0


@examples(60)
@given(GAME_NAMES, SEEDS)
def test_every_turn_ends(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    players = [state.to_act for state, _, _ in steps(setting, random)]
    assert all(len(list(moves)) < LONGEST_TURN for _, moves in groupby(players))
    assert set(players) <= set(range(setting.players))


@examples(40)
@given(GAME_NAMES, SEEDS)
def test_the_same_moves_lead_to_equal_states_with_equal_hashes(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    again = setting.start
    for _, move, step in steps(setting, random):
        again = setting.game.apply(again, Move.parse(str(move)))
        assert (again.state, again.events) == (step.state, step.events)
        assert hash(again.state) == hash(step.state)
        again = again.state


@pytest.mark.parametrize("name", GAMES)
def test_the_soak_finds_nothing(name: str) -> None:
    games = some(40)
    told = bench.soak(GAMES[name], range(1_000_000, 1_000_000 + games)).to_json(GAMES[name])
    assert told["failures"] == []
    # A game that somebody adds may be short and have one choice, like Pig (docs/add-your-game.md).
    moves, choices = (25, 10) if name in json.loads(bench.OUT.read_text()) else (0, 0)
    assert (told["games"], told["moves"] > moves * games, told["choices"] > choices * games) == (games, True, True)


@pytest.mark.parametrize("name", GAMES)
def test_random_rules_come_to_every_value_of_every_option(name: str) -> None:
    random = Random(name)
    seen = set().union(*(values_of(random_setting(GAMES[name], random).rules) for _ in range(400)))
    assert option_values(GAMES[name]) <= seen


def test_the_figures_of_the_soak_tell_no_failure() -> None:
    told = json.loads(bench.OUT.read_text())
    assert set(told) <= set(GAMES)
    assert all(each["games"] >= 10_000 and not each["failures"] and not each["unplayed"] for each in told.values())


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_event_names_the_rule_it_follows(game: AnyGame) -> None:
    random = Random(7)
    played = [step for _ in range(10) for _, _, step in steps(random_setting(game, random), random)]
    assert played
    assert not [event for step in played for event in step.events if not event.rule]
