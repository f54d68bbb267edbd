"""What lies face up on the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from api.interpret.on_table import on_table
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.registry import GAMES, game_named


def after(game: str, *moves: str, opening: bool = False) -> Record:
    known = {option.name for option in game_named(game).rules.options()}
    roll = [f"opening_roll={str(opening).lower()}"] if "opening_roll" in known else []
    options = game_named(game).rules.from_texts(roll)
    record = Record.begin(Header(game, options, ("Ann", "Ben"), "2026-11-21T20:15:00+00:00", {}))
    for move in moves:
        record = record.play(Move.parse(move))
    return record


def told(record: Record) -> Any:
    found = on_table(record)
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
def test_nothing_lies_there_before_the_first_throw(game: str) -> None:
    assert on_table(after(game)) is None


def test_frozen_dice_lie_there_before_the_throw_and_what_was_thrown_stays_until_the_next() -> None:
    first = ("throw 1 2 3 4 5 5 6", "point 5")
    shown = {"player": 0, "kind": "d6", "thrown": [1, 2, 3, 4, 5, 5, 6], "aside": [], "starter": None}
    assert told(after("crib-dice", *first)) == shown
    record = after("crib-dice", *first, "throw 1 2 3 5 5")
    for now in (record, record.play(Move.parse("stop"))):
        assert told(now) == {**shown, "thrown": [1, 2, 3, 5, 5], "aside": [5, 5]}
    assert told(record.play(Move.parse("stop")).play(Move.parse("throw 1 1 2 3 4 5 6")))["aside"] == []


def test_after_an_undo_the_throw_before_lies_there() -> None:
    record = after("farkle-crib", "throw 1 2 2 3 4 4", "keep 1", "throw 2 3 3 4 5")
    assert (told(record)["aside"], told(record)["thrown"]) == ([1], [2, 3, 3, 4, 5])
    assert told(record.undo())["thrown"] == [1, 2, 2, 3, 4, 4]


def test_rolls_for_the_first_turn_are_shown_with_who_rolled() -> None:
    assert told(after("crib-dice", "opening 1 6", "opening 1 2", opening=True)) | {"kind": ""} == {
        "player": 1,
        "kind": "",
        "thrown": [1, 2],
        "aside": [],
        "starter": None,
    }


def test_the_starter_is_the_first_of_its_value() -> None:
    record = after("cribbage-dice", "throw 5 5 10 10 11")
    assert (told(record)["kind"], told(record)["starter"], told(record)["thrown"][0]) == ("d12", 5, 5)
    record = record.play(Move.parse("keep 10 10")).play(Move.parse("throw 3 4"))
    assert (told(record)["aside"], told(record)["thrown"], told(record)["starter"]) == ([5, 10, 10], [3, 4], 5)
    record = record.play(Move.parse("stop")).play(Move.parse("throw 7 1 2 3 4"))
    assert (told(record)["player"], told(record)["aside"], told(record)["starter"]) == (1, [], 7)


def test_no_tile_that_lies_face_down_is_shown() -> None:
    random, record, shown = Random(3), after("domino-cribbage"), 0
    while record.result is None:
        legal = record.game.legal_moves(record.state)
        record = record.play(legal.chance.sample(random) if legal.chance else random.choice(list(legal.choices)))
        state, found = record.state, on_table(record)
        if state.phase in ("discard", "starter"):
            assert found is None
        elif state.phase == "play":
            up = {str(state.starter), *(str(play.tile) for play in state.played)}
            assert {*told(record)["aside"], *told(record)["thrown"]} == up
            assert told(record)["starter"] == str(state.starter)
            shown += 1
    assert shown > 10


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_game_can_be_shown(game: str) -> None:
    random, record = Random(8), after(game, opening=True)
    while record.result is None and len(record.moves) < 300:
        legal = record.game.legal_moves(record.state)
        throws = legal.chance is not None and (not legal.choices or random.random() < 0.4)
        record = record.play(legal.chance.sample(random) if throws else random.choice(list(legal.choices)))
        found = on_table(record)
        if throws and record.moves[-1].verb != "deal":
            assert found is not None
            numbers, tiles = record.moves[-1].numbers, record.moves[-1].tiles
            # Beside tiles a number tells whose they are.
            assert found["thrown"] == ([*map(str, tiles)] or [*numbers])
            assert found["player"] == record.history[-2].to_act
