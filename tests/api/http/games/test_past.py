"""The list of games of a server, and what its players have done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from api.http.games.join_gate import Gate
from tests.api.http.games.play import Player, begun

WON = ("throw 1 2 3 4 5 6", "keep 1 2 3 4 5 6", "stop", "throw 2 2 3 3 4 6") * 2
"""With a bonus for straights the first player pegs 25 twice, and the second farkles twice."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(data=tmp_path), base_url="http://localhost") as running:
        yield running


def won(client: TestClient, *players: str) -> Player:
    game = begun(client, "farkle-crib", "finish=31", "bonus=straight", "opening_roll=false", players=players)
    for move in WON:
        game.plays(move)
    assert game.snapshot["result"]
    return game


def told(client: TestClient, path: str) -> dict[str, Any]:
    response = client.get(path)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_games_are_listed_by_page_newest_first_with_how_they_ended(server: TestClient) -> None:
    assert told(server, "/v1/games") == {"games": [], "more": False}
    over, running = won(server, "Ann", "Ben"), begun(server, "crib-dice")
    first = told(server, "/v1/games?most=1")
    assert [(game["id"], game["over"], game["winners"], game["scores"]) for game in first["games"]] == [
        (running.id, False, [], [])
    ]
    assert first["more"]
    second = told(server, f"/v1/games?most=1&before={running.id}")
    (listed,) = second["games"]
    assert (listed["id"], listed["title"], listed["over"], listed["winners"]) == (
        over.id,
        "Farkle Cribbage",
        True,
        ["Ann"],
    )
    assert listed["scores"] == [{"names": ["Ann"], "points": 50}, {"names": ["Ben"], "points": 0}]
    assert not second["more"]
    assert server.get("/v1/games?before=nothing").status_code == 404


def test_players_are_counted_by_name_over_all_games_that_are_over(server: TestClient) -> None:
    won(server, "Ann", "Ben")
    won(server, "Cleo", "Ann")
    begun(server, "crib-dice", players=("Ann", "Ben"))
    answer = told(server, "/v1/players")
    assert answer["counted"] == 2
    by_name = {player["name"]: player["games"] for player in answer["players"]}
    assert (next(iter(by_name)), set(by_name)) == ("Ann", {"Ann", "Ben", "Cleo"}), "who has played most comes first"
    (ann,) = by_name["Ann"]
    assert (ann["game"], ann["played"], ann["won"]) == ("farkle-crib", 2, 1)
    assert ann["best"]["points"] == 25
    assert by_name["Ben"][0]["best"] is None, "Ben has only farkled"
    assert (ann["turns"], by_name["Cleo"][0]["above"] > 0, by_name["Ben"][0]["above"] < 0) == (4, True, True)


def test_an_undo_after_the_end_takes_the_game_out_of_the_count(server: TestClient) -> None:
    game = won(server, "Ann", "Ben")
    assert told(server, "/v1/players")["counted"] == 1
    assert game.post("/undo", {"lines": game.lines}).status_code == 200
    assert told(server, "/v1/players") == {"counted": 0, "players": []}
    assert not told(server, "/v1/games")["games"][0]["over"]


def test_only_who_may_begin_games_sees_them(tmp_path: Path) -> None:
    app = create_app(data=tmp_path)
    app.state.gate = Gate("a-token-of-a-server")
    with TestClient(app, base_url="http://localhost") as client:
        for path in ("/v1/games", "/v1/players"):
            refused = client.get(path)
            assert (refused.status_code, refused.json()["code"]) == (403, "no-join-token")
            assert client.get(path, headers={"x-muggins-join": "a-token-of-a-server"}).status_code == 200
