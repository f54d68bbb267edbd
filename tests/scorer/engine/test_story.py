"""How a game went: the score after every turn, its best moments, and the points above the odds."""

from __future__ import annotations

from random import Random

import pytest

from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.engine.story import story
from scorer.games.registry import GAMES, game_named

TURNS = (
    *("throw 1 1 5 5 2 3", "keep 1 1 5", "stop"),
    "throw 2 2 3 3 4 6",
    *("throw 5 2 2 3 4 6", "keep 5", "throw 2 3 4 6 6"),
    *("throw 1 2 2 3 4 6", "keep 1", "stop"),
)
"""Farkle Cribbage: Ann banks 5, Ben farkles at once, Ann farkles after a 5, Ben banks 2."""


def played(name: str, *moves: str) -> Record:
    game = game_named(name)
    record = Record.begin(Header(name, game.rules.from_texts(["opening_roll=false"]), ("Ann", "Ben"), "2026-11-23"))
    for move in moves:
        text, *rest = move.split()
        verb = Move(text, tuple(sorted(map(int, rest))))
        record = record.play(verb)
    return record


def test_every_turn_has_its_player_and_the_score_after_it() -> None:
    told = story(played("farkle-crib", *TURNS))
    assert [side["names"] for side in told["sides"]] == [["Ann"], ["Ben"]]
    assert [(turn["player"], turn["scores"]) for turn in told["turns"]] == [
        (0, [5, 0]),
        (1, [5, 0]),
        (0, [5, 0]),
        (1, [5, 2]),
    ]


def test_the_best_turn_banked_most_and_the_best_throw_brought_most() -> None:
    told = story(played("farkle-crib", *TURNS))
    assert told["best_turn"] == {"text": "Ann pegs 5 points to hole 5", "player": 0, "points": 5}
    assert (told["best_throw"]["player"], told["best_throw"]["points"]) == (0, 5)
    assert story(played("farkle-crib"))["best_turn"] is None


def test_luck_is_what_was_scored_above_as_many_turns_of_best_play() -> None:
    expected = 8.9297  # of a turn of Farkle Cribbage, as `muggins odds turn` says
    told = story(played("farkle-crib", *TURNS))["luck"]
    assert told == [
        {"turns": 2, "points": 5, "above": round(5 - 2 * expected)},
        {"turns": 2, "points": 2, "above": round(2 - 2 * expected)},
    ]


@pytest.mark.parametrize("name", ["domino-cribbage", "muggins"])
def test_there_is_no_luck_where_the_odds_of_a_turn_are_not_known(name: str) -> None:
    assert GAMES[name].whole_turn is None
    assert story(whole_game(name))["luck"] is None


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_story_of_a_whole_game_ends_with_its_score(name: str) -> None:
    record = whole_game(name)
    told = story(record)
    pegs = record.game.board(record.state).pegs
    assert told["turns"][-1]["scores"] == [each.back for each in pegs]
    assert told["best_turn"]["points"] > 0
    assert "{" not in told["best_turn"]["text"]


def whole_game(name: str) -> Record:
    game, random = game_named(name), Random(7)
    record = Record.begin(Header(name, game.rules(), ("Ann", "Ben"), "2026-11-23"))
    while record.result is None:
        legal = game.legal_moves(record.state)
        choose = legal.choices and (legal.chance is None or random.random() < 0.5)
        move = random.choice(legal.choices) if choose or legal.chance is None else legal.chance.sample(random)
        record = record.play(move)
    return record
