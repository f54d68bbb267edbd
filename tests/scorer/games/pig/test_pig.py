"""A game that nothing in the house knows of: played, scored, photographed, followed, recorded, shown and served."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from fastapi.testclient import TestClient
from rich.console import Console

from api.cli.table.boards import board_lines, choices_lines
from api.http.app import create_app
from scorer.camera.follower import Follower, Observation
from scorer.camera.referee import last_shown, rule
from scorer.engine.game import Move, Seen
from scorer.engine.record import Header, Record
from scorer.engine.snapshot import snapshot
from scorer.games.registry import GAMES, SCORED, game_named, register, registered
from scorer.games.scoring import typed, worth
from tests.scorer.games.pig.game import Pig
from tests.scorer.randomly import Setting, steps

NAMES = ("Ann", "Ben")
DATE = "2026-11-21T20:15:00+00:00"


@pytest.fixture(autouse=True)
def pig() -> Iterator[Pig]:
    game = Pig()
    with registered(game):
        yield game


def begun(*moves: str) -> Record:
    record = Record.begin(Header("pig", game_named("pig").rules(target=30), NAMES, DATE))
    for move in moves:
        record = record.play(Move.parse(move))
    return record


def test_it_is_known_by_its_name_for_as_long_as_it_is_registered(pig: Pig) -> None:
    assert GAMES["pig"] is pig
    assert "pig" in typed()
    assert "pig" in SCORED


def test_a_game_that_was_known_before_is_known_afterwards(pig: Pig) -> None:
    for known in (pig, GAMES["farkle"]):
        with registered(known):
            assert GAMES[known.name] is known
        assert GAMES[known.name] is known


def test_two_games_of_one_name_are_refused() -> None:
    class Hog(Pig):
        pass

    with pytest.raises(ValueError, match="pig is registered already"):
        register(Hog())


def test_it_is_played_recorded_and_read_back(pig: Pig) -> None:
    record = begun()
    for _, move, _ in steps(Setting(pig, pig.rules(target=30), 2), Random(1)):
        record = record.play(move)
    assert record.result is not None
    assert Record.load(record.text, record.head) == record


def test_it_is_scored() -> None:
    assert worth("pig", ["5"]).total == 5
    assert worth("pig", [1]).outcome == "lost"


def test_it_is_photographed() -> None:
    record = begun("throw 4")
    assert record.game.on_table(record.state).count == 1
    assert rule(record.game, record.state, Seen((6,)), last_shown(record)).moves == (Move.parse("throw 6"),)
    same = rule(record.game, record.state, Seen((4,)), last_shown(record))
    assert same.doubt is not None
    assert same.doubt.code == "nothing-thrown"


def test_it_is_followed_by_a_camera(pig: Pig) -> None:
    follower = Follower(pig, begun().state)
    for value in (4, 6, 1, 5):
        assert follower.observe(Observation((value,)))
    thrown = [str(each.move) for each in follower.moves if each.move.verb == "throw"]
    assert thrown == ["throw 4", "throw 6", "throw 1", "throw 5"]


def test_it_is_shown() -> None:
    record = begun("throw 4")
    told = snapshot(record)
    assert (told["kind"], told["board"]["sheet"], told["board"]["pegs"][0]["front"]) == ("d6", True, 4)
    console = Console(width=80)
    lines = [line.plain for line in board_lines(record.game.board(record.state), NAMES, 0, console)]
    assert "Ann" in lines[0]
    assert len(list(choices_lines(record))) > 1


def test_it_is_served(tmp_path: Path) -> None:
    with TestClient(create_app(data=tmp_path), base_url="http://localhost") as client:
        made = client.post("/v1/games", json={"game": "pig", "players": list(NAMES), "rules": ["target=30"]})
        assert made.status_code == 201, made.text
        scored = client.post("/v1/score", json={"game": "pig", "pieces": [5]})
        assert scored.json()["total"] == 5
        assert 'value="pig"' in client.get("/read").text


def test_games_are_listed_by_name_whichever_was_imported_first() -> None:
    assert list(SCORED) == sorted(SCORED)
    assert list(GAMES) == sorted(GAMES)
