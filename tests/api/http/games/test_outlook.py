"""What the page tells between two moves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from api.http.games.outlook import outlook
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.registry import GAMES, game_named


def begun(game: str, *rules: str) -> Record:
    known = {option.name for option in game_named(game).rules.options()}
    options = game_named(game).rules.from_texts([*(["opening_roll=false"] if "opening_roll" in known else []), *rules])
    return Record.begin(Header(game, options, ("Ann", "Ben"), "2026-11-21T20:15:00+00:00", {}))


def after(record: Record, *moves: str) -> Record:
    for move in moves:
        record = record.play(Move.parse(move))
    return record


def told(record: Record, *, hands: bool = True) -> dict[str, Any]:
    return outlook(record, hands=hands)


WIPEOUT = ("throw 1 2 3 4 5 5 6", "point 5", "throw 2 2 3 4 6")


def test_wipeouts_in_a_row_are_told_by_side() -> None:
    record = after(begun("crib-dice"), *WIPEOUT)
    assert told(record)["streaks"] == [{"side": 0, "text": "1 wipeout"}]
    record = after(record, *WIPEOUT, *WIPEOUT)
    assert told(record)["streaks"] == [
        {"side": 0, "text": "2 wipeouts in a row"},
        {"side": 1, "text": "1 wipeout"},
    ]
    record = after(record, *WIPEOUT, *WIPEOUT)
    assert told(record)["streaks"][0]["text"] == "3 wipeouts in a row, fuchled"


def test_farkles_in_a_row_are_told_where_they_cost_points() -> None:
    farkle = "throw 2 3 3 4 4 6"
    assert told(after(begun("farkle-crib"), farkle))["streaks"] == []
    record = after(begun("farkle-crib", "bonus=three-farkles"), farkle, farkle, farkle)
    assert [streak["text"] for streak in told(record)["streaks"]] == ["2 farkles in a row", "1 farkle"]


def test_odds_are_those_of_the_moment() -> None:
    record = after(begun("crib-dice"), *WIPEOUT[:2])
    throw = {each["move"]: each for each in told(record)["advice"]["alternatives"]}["throw"]
    assert throw["chances"]["wipeout"] == pytest.approx((4 / 6) ** 5)
    record = after(begun("farkle-crib"), "throw 1 2 2 3 4 4", "keep 1")
    moves = {each["move"]: each for each in told(record)["advice"]["alternatives"]}
    assert moves["stop"]["worth"] == 2
    assert "five dice" in moves["throw"]["text"]


def test_who_leads_is_not_advised_to_bomb() -> None:
    record = after(begun("crib-dice", "bomb=true"), "throw 1 1 1 1 1 5 6", "point 1")
    assert {each["move"] for each in told(record)["advice"]["alternatives"]} == {"stop", "piddle"}


def test_a_hand_of_dominoes_is_told_to_players_only() -> None:
    random, record = Random(3), begun("domino-cribbage")
    while record.state.phase != "discard":
        chance = record.game.legal_moves(record.state).chance
        assert chance is not None
        record = record.play(chance.sample(random))
    assert told(record, hands=True)["advice"]["alternatives"]
    assert told(record, hands=False)["advice"] is None


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_game_has_an_outlook(game: str) -> None:
    random, record, lines = Random(8), begun(game), 0
    while record.result is None and lines < 60:
        legal = record.game.legal_moves(record.state)
        choices = list(legal.choices)
        advice = told(record)["advice"]
        if advice and not legal.chance:
            offered = {str(move) for move in choices}
            assert all(each["move"].split(",")[0] in offered for each in advice["alternatives"])
        move = random.choice(choices) if choices and (legal.chance is None or random.random() < 0.4) else None
        assert move or legal.chance
        record = record.play(move or legal.chance.sample(random))  # type: ignore[union-attr]
        lines = told(record)["lines"]
    if record.result:
        assert told(record)["advice"] is None
