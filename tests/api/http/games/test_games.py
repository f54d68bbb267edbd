"""Games over HTTP: begun, played to their end, taken back, refused."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.evidence.keys import SignedHead, short
from scorer.games.registry import GAMES
from tests.api.http.games.play import Player, bearer, begun, code
from tests.tiles_named import tiles_named


def test_a_whole_game_by_typed_moves(crib: Player) -> None:
    while crib.snapshot["result"] is None:
        crib.goes_on()
    record = crib.record()
    assert len(record.lines) == crib.lines
    assert record.result is not None
    assert crib.snapshot["result"]["winners"] == [record.header.players[at] for at in record.result.winners]
    assert crib.says(move="throw 1 2 3 4 5 5 6").status_code == 422


@pytest.mark.parametrize("game", GAMES)
def test_every_game_goes_on_by_typed_moves(client: TestClient, game: str) -> None:
    player = begun(client, game)
    for _ in range(15):
        player.goes_on()
    assert len(player.record().moves) == 15


def test_the_snapshot_is_that_of_the_record_and_its_head_is_signed(crib: Player) -> None:
    crib.plays("opening 1 6")
    told, record = crib.get().json(), crib.record()
    assert (told["lines"], told["head"]["head"]) == (2, record.head)
    assert told["head"]["short"] == short(record.head)
    SignedHead.from_json(told["head"]).check()


def test_what_the_player_is_answered_is_what_everybody_sees(five_due: Player) -> None:
    assert five_due.get(token=five_due.player).json() == five_due.snapshot


def test_bare_dice_are_a_throw_and_a_choice_becomes_a_question(crib: Player) -> None:
    crib.plays("6 1")
    crib.plays("1 2")
    told = crib.plays("6 5 5 4 3 2 1")
    assert told["ruling"]["outcome"] == "question"
    assert told["ruling"]["moves"] == ["throw 1 2 3 4 5 5 6"]
    offered = {offer["move"] for offer in told["ruling"]["question"]["offers"]}
    assert offered == {offer["move"] for offer in told["snapshot"]["offers"]}
    assert "point 5" in offered
    assert told["ruling"]["question"]["text"].startswith("Ann")


def test_dice_that_are_no_throw_are_a_doubt_and_nothing_is_played(crib: Player) -> None:
    told = crib.plays("1 2 3")
    assert (told["ruling"]["outcome"], told["ruling"]["doubt"]["code"]) == ("doubt", "wrong-count")
    says = "This throw is 2 dice, but 3 dice were typed. Type just the dice that were thrown."
    assert told["ruling"]["doubt"]["message"] == says
    assert told["snapshot"]["lines"] == 1
    assert crib.plays("1 2 3", confirm=True)["ruling"]["outcome"] == "doubt"


def test_a_doubt_that_can_be_confirmed_is_played_when_it_is_and_the_record_says_so(client: TestClient) -> None:
    crib = begun(client, "crib-dice")
    for move in ("opening 1 6", "opening 1 2", "throw 5 5 5 5 5 5 5", "point 5"):
        crib.plays(move)
    told = crib.plays("5 5 5 5 5 5 5")
    assert (told["ruling"]["outcome"], told["ruling"]["doubt"]["code"]) == ("doubt", "nothing-thrown")
    confirmed = crib.plays("5 5 5 5 5 5 5", confirm=True)
    assert confirmed["ruling"]["moves"] == told["ruling"]["doubt"]["moves"]
    assert crib.record().entries[-1].corrected == {"confirmed": told["ruling"]["doubt"]["code"]}


def test_of_an_inferred_move_the_record_says_so(five_due: Player) -> None:
    five_due.plays("stop", inferred=True)
    five_due.plays("1 1 2 3 4 5 6", inferred=True)
    assert five_due.snapshot["inferred"] is True
    assert five_due.snapshot["events"][0]["text"].endswith(" (inferred)")
    five_due.plays("point 1", inferred=False)
    assert five_due.snapshot["inferred"] is False
    told = [(str(entry.move), entry.corrected) for entry in five_due.record().entries[-4:]]
    assert told == [
        ("point 5", None),
        ("stop", {"inferred": True}),
        ("throw 1 1 2 3 4 5 6", {"inferred": True}),
        ("point 1", None),
    ]


def test_of_a_move_that_a_camera_told_the_record_says_when(five_due: Player) -> None:
    five_due.plays("stop", watched={"frame": 71, "time": 4.733}, inferred=True)
    five_due.plays("1 1 2 3 4 5 6", watched={"frame": 71, "time": 5})
    assert [entry.corrected for entry in five_due.record().entries[-2:]] == [
        {"watched": {"frame": 71, "time": 4.733}, "inferred": True},
        {"watched": {"frame": 71, "time": 5.0}},
    ]
    assert five_due.snapshot["inferred"] is False


def test_undo_takes_the_last_move_back(five_due: Player) -> None:
    before = five_due.snapshot
    undone = five_due.post("/undo", {"lines": before["lines"]}).json()
    assert (undone["lines"], undone["moves"]) == (before["lines"] + 1, before["moves"] - 1)
    assert {offer["move"] for offer in undone["offers"]} >= {"point 5"}


def test_nothing_to_undo_is_a_problem(crib: Player) -> None:
    assert code(crib.post("/undo", {"lines": 1})) == (422, "nothing-to-undo")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"move": "dance"}, (422, "unknown-move")),
        ({"move": "12 nothing"}, (422, "unreadable-move")),
        ({"move": "opening 1 7"}, (422, "value-out-of-range")),
        ({"reading": "nowhere"}, (404, "no-reading")),
        ({}, (422, "invalid-request")),
        ({"move": "x", "colour": 1}, (422, "invalid-request")),
        ({"move": "opening 1 6", "inferred": True, "confirm": True}, (422, "invalid-request")),
        ({"reading": "nowhere", "inferred": True}, (422, "invalid-request")),
        ({"move": "opening 1 6", "inferred": 1}, (422, "invalid-request")),
        ({"reading": "nowhere", "watched": {"frame": 1, "time": 0.1}}, (422, "invalid-request")),
        ({"move": "opening 1 6", "watched": {"frame": -1, "time": 0.1}}, (422, "invalid-request")),
        ({"move": "opening 1 6", "watched": {}}, (422, "invalid-request")),
    ],
)
def test_what_is_no_move_is_a_problem(crib: Player, said: dict[str, Any], expected: tuple[int, str]) -> None:
    assert code(crib.says(**said)) == expected
    assert crib.get().json()["lines"] == 1


def test_that_a_game_has_advanced_is_said_of_one_line_and_of_several(crib: Player) -> None:
    assert "its record has 1 line, not 3." in crib.says(lines=3, move="opening 1 2").json()["detail"]
    crib.plays("opening 1 6")
    assert "its record has 2 lines, not 1." in crib.says(lines=1, move="opening 1 2").json()["detail"]


def test_a_move_for_another_moment_is_stale(crib: Player) -> None:
    crib.plays("opening 1 6")
    for lines in (1, 3):
        assert code(crib.says(lines=lines, move="opening 1 2")) == (409, "stale")
        assert code(crib.post("/undo", {"lines": lines})) == (409, "stale")
    assert crib.get().json()["lines"] == 2


def test_a_request_sent_twice_is_played_once(crib: Player) -> None:
    said = {"lines": 1, "move": "opening 1 6"}
    assert [crib.post("/moves", said).status_code for _ in range(3)] == [200, 409, 409]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"players": ["Ann", "Ann"]}, "bad-names"),
        ({"players": ["Ann", "  "]}, "bad-names"),
        ({"players": ["Ann", "B\u202een"]}, "bad-names"),
        ({"players": ["Ann", "An\u200dn"]}, "bad-names"),
        ({"players": ["Ann", "\u200c"]}, "bad-names"),
        ({"players": ["caf\u00e9", "cafe\u0301"]}, "bad-names"),
        ({"players": ["Ann", "\uff21nn"]}, "bad-names"),
        ({"players": ["Ann", "ANN"]}, "bad-names"),
        ({"players": ["Ann"]}, "bad-players"),
        ({"rules": ["finish=21", "luck=yes"]}, "unknown-option"),
        ({"rules": ["finish=soon"]}, "bad-option"),
        ({"game": "whist"}, "invalid-request"),
    ],
)
def test_a_game_that_cannot_be_is_a_problem(client: TestClient, wanted: dict[str, Any], expected: str) -> None:
    response = client.post("/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"], **wanted})
    assert code(response) == (422, expected)


@pytest.mark.parametrize(
    "names",
    [("cafe\u0301", "Stra\u00dfe"), ("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\U0001f469\u200d\U0001f680")],
    ids=["accents", "joiners-of-persian-and-emoji"],
)
def test_a_name_stays_as_it_was_typed(client: TestClient, names: tuple[str, str]) -> None:
    assert begun(client, "crib-dice", players=names).snapshot["players"] == list(names)


def test_viewers_are_offered_nothing(five_due: Player) -> None:
    five_due.post("/undo", {"lines": five_due.lines})
    assert five_due.get().json()["offers"] is None
    assert five_due.get(token=five_due.player).json()["offers"]


def test_more_players_than_the_pages_can_show_are_told_where_they_can_play(client: TestClient) -> None:
    long = client.post("/v1/games", json={"game": "farkle-crib", "players": ["Ann", "B" * 41]})
    assert (long.status_code, long.json()["code"]) == (422, "bad-names")
    assert long.json()["detail"] == f"Names have up to 40 characters, {'B' * 40}… has 41. Shorten it."
    names = [f"Player {number}" for number in range(13)]
    assert client.post("/v1/games", json={"game": "farkle-crib", "players": names[:12]}).status_code == 201
    refused = client.post("/v1/games", json={"game": "farkle-crib", "players": names})
    assert refused.status_code == 422
    assert "up to 12 players" in refused.json()["detail"]
    assert "muggins play" in refused.json()["detail"]


def test_nobody_but_the_players_sees_the_hands(client: TestClient) -> None:
    game = begun(client, "domino-cribbage")
    while "discard" not in game.snapshot["prompt"] and not game.snapshot["offers"]:
        game.goes_on()
    assert game.snapshot["offers"]
    told = game.get().text
    hand = {
        tile for entry in game.record().entries if entry.move and entry.move.verb == "deal" for tile in entry.move.tiles
    }
    assert hand
    assert tiles_named(told).isdisjoint(f"{tile.high}-{tile.low}" for tile in hand)
    for path in ("/record", "/evidence", "/readings"):
        assert code(game.get(path)) == (403, "hands-hidden")
        assert game.get(path, game.player).status_code == 200


def test_the_record_is_a_download(crib: Player) -> None:
    crib.plays("opening 1 6")
    response = crib.get("/record")
    assert response.headers["content-type"] == "application/jsonl"
    assert f"crib-dice-{crib.id}.jsonl" in response.headers["content-disposition"]
    assert [str(move) for move in crib.record().moves] == ["opening 1 6"]


def test_heads_go_on_from_one_another(crib: Player) -> None:
    heads = [crib.snapshot["head"]["head"]]
    for move in ("opening 1 6", "opening 1 2"):
        crib.plays(move)
        heads.append(crib.snapshot["head"]["head"])
    assert all(before in crib.record().lines[at] for at, (before, _) in enumerate(pairwise(heads), start=1))


def test_without_a_token_of_the_game_nothing_is_told(crib: Player) -> None:
    for path in ("", "/record", "/evidence", "/readings", "/events"):
        assert code(crib.client.get(crib.path(path))) == (401, "no-token")
        assert code(crib.client.get(crib.path(path), headers=bearer("x"))) == (401, "wrong-token")
