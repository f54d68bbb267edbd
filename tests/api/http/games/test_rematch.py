"""After a game: its story, and a rematch that every phone of the table can begin or join with the token it has."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.http.games.play import Player, bearer, begun, code
from tests.api.http.games.test_tokens import joined, revoked


@pytest.fixture
def over(client: TestClient) -> Player:
    """A short game of Farkle Cribbage that Ann has won."""
    ann = begun(client, "farkle-crib", "finish=31", "opening_roll=false", "bonus=straight", seats=[0])
    for _ in range(2):
        ann.plays("throw 1 2 3 4 5 6")
        ann.plays("keep 1 2 3 4 5 6")
        ann.plays("stop")
        ann.plays("throw 2 2 3 3 4 6")
    assert ann.snapshot["result"]["winners"] == ["Ann"]
    return ann


def rematch(phone: Player) -> Any:
    return phone.post("/rematch", {})


def test_a_rematch_has_the_same_players_and_rules_and_the_phone_its_seats(over: Player) -> None:
    told = rematch(over).json()
    assert told["id"] != over.id
    assert told["snapshot"]["players"] == over.snapshot["players"]
    assert told["snapshot"]["rules"] == over.snapshot["rules"]
    assert told["snapshot"]["moves"] == 0
    mine = over.client.get(f"/v1/games/{told['id']}/token", headers=bearer(told["token"])).json()
    assert (mine["role"], mine["seats"], mine["host"]) == ("player", [0], True)


def test_the_other_phone_comes_to_the_same_game_and_gets_no_links_for_others(over: Player) -> None:
    ben = joined(over, 1)
    first, second = rematch(ben).json(), rematch(over).json()
    assert first["id"] == second["id"]
    assert first["invite"] is first["viewer"] is None
    for role in ("invite", "viewer"):
        there = over.client.get(f"/v1/games/{second['id']}/token", headers=bearer(second[role])).json()
        assert there["role"] == role


def test_who_was_revoked_in_the_rematch_does_not_come_back_from_the_game_before(over: Player) -> None:
    ben = joined(over, 1)
    there, bens = rematch(over).json(), rematch(ben).json()
    ann = replace(over, id=there["id"], invite=there["invite"], player=there["token"])
    mine = over.client.get(ann.path("/token"), headers=bearer(bens["token"])).json()["id"]
    assert revoked(ann, mine).status_code == 204
    for again in (ben, joined(ben, 1), joined(ben, 0)):
        assert code(rematch(again)) == (403, "invited-only")
    assert rematch(over).status_code == 201, "the host may"
    invited = joined(ann, 1)
    assert invited.get(token=invited.player).status_code == 200


def test_phones_that_ask_at_once_come_to_one_game(over: Player) -> None:
    phones = [over, *(joined(over, 1) for _ in range(3))]
    with ThreadPoolExecutor(len(phones)) as asking:
        told = [answer.json() for answer in asking.map(rematch, phones)]
    assert len({each["id"] for each in told}) == 1


def test_who_watches_begins_nothing_and_a_game_that_goes_on_has_no_rematch(over: Player, crib: Player) -> None:
    assert code(over.post("/rematch", {}, over.viewer))[0] == 403
    assert code(rematch(crib)) == (409, "not-over")


def test_the_story_waits_for_the_end(over: Player, crib: Player) -> None:
    def story(phone: Player, token: str) -> Any:
        return phone.client.get(f"/table/{phone.id}/story", headers=bearer(token))

    assert story(over, over.viewer).json()["turns"][-1]["scores"][0] >= 31
    assert story(crib, crib.viewer).status_code == 409
    assert story(over, "x" * 22).status_code == 401
