"""Tokens: made, revoked, made anew; each says what it allows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.evidence.keys import ServerKey
from api.http.games import feed as feed_module
from api.http.games.feed import Feed
from api.http.games.live_games import LiveGames, MoveRequest
from api.store import Store
from tests.api.http.games.play import Player, bearer, begun, code
from tests.api.http.games.streams import parsed


def made(crib: Player, role: str, **more: Any) -> dict[str, Any]:
    response = crib.post("/tokens", {"role": role, **more})
    assert response.status_code == 201, response.text
    assert response.headers["cache-control"] == "no-store"
    told: dict[str, Any] = response.json()
    return told


def joined(crib: Player, *seats: int) -> Player:
    """Another phone, which has joined with the invitation."""
    response = crib.post("/join", {"seats": list(seats)}, crib.invite)
    assert response.status_code == 201, response.text
    return Player(crib.client, crib.id, crib.viewer, crib.invite, response.json()["token"], crib.snapshot)


def revoked(crib: Player, token_id: str, token: str | None = None) -> Any:
    return crib.client.delete(crib.path(f"/tokens/{token_id}"), headers=bearer(token or crib.player))


def test_a_revoked_link_opens_nothing_and_a_new_one_does(crib: Player) -> None:
    new = made(crib, "viewer", instead=True)["token"]
    assert code(crib.get()) == (401, "revoked-token")
    assert code(crib.get("/events")) == (401, "revoked-token")
    assert crib.get(token=new).status_code == 200


def test_a_new_link_beside_the_old_one_leaves_it(crib: Player) -> None:
    assert crib.get(token=made(crib, "viewer")["token"]).status_code == 200
    assert crib.get().status_code == 200


def test_the_phone_of_a_guest_who_has_left_is_locked_out(crib: Player) -> None:
    guest = joined(crib, 1)
    mine = guest.get("/token", guest.player).json()
    assert mine | {"made": ""} == {
        "id": mine["id"], "role": "player", "name": "", "seats": [1], "host": False, "made": "", "revoked": None
    }  # fmt: skip
    guest.plays("opening 1 6")
    assert revoked(crib, mine["id"]).status_code == 204
    assert code(guest.says(move="opening 1 2")) == (401, "revoked-token")
    told = crib.get("/tokens", crib.player).json()["tokens"]
    assert [token["revoked"] is not None for token in told if token["id"] == mine["id"]] == [True]


def test_who_is_not_the_host_revokes_only_their_own(crib: Player) -> None:
    guest = joined(crib, 1)
    host, mine = (crib.get("/token", token).json()["id"] for token in (crib.player, guest.player))
    assert code(revoked(guest, host, guest.player)) == (403, "host-only")
    assert code(guest.post("/tokens", {"role": "camera"})) == (403, "host-only")
    assert revoked(guest, mine, guest.player).status_code == 204


def test_the_only_host_stays(crib: Player) -> None:
    host = crib.get("/token", crib.player).json()["id"]
    assert code(revoked(crib, host)) == (409, "last-host")
    assert code(revoked(crib, "nothing")) == (404, "no-token")


def test_an_invitation_lets_join_and_watch_but_not_play(crib: Player) -> None:
    assert crib.get(token=crib.invite).json()["offers"] is None
    assert code(crib.post("/moves", {"lines": 1, "move": "opening 1 6"}, crib.invite)) == (403, "join-first")
    assert code(crib.post("/join", {"seats": [0]}, crib.viewer)) == (403, "viewer-only")
    assert code(crib.post("/join", {"seats": [7]}, crib.invite)) == (422, "no-seat")


def test_lists_of_tokens_have_no_secrets(crib: Player) -> None:
    text = crib.get("/tokens", crib.player).text
    assert all(secret not in text for secret in (crib.player, crib.viewer, crib.invite))
    assert code(crib.get("/tokens", crib.viewer)) == (403, "viewer-only")


def test_tokens_of_one_game_are_nothing_in_another(client: TestClient, crib: Player) -> None:
    other = begun(client, "crib-dice")
    mine = crib.get("/token", crib.player).json()["id"]
    assert code(revoked(other, mine)) == (404, "no-token")


def test_a_stream_ends_when_its_token_is_revoked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "_LISTEN", 0.05)
    table = LiveGames(Store.open(None, tmp_path), ServerKey.open(tmp_path))

    async def run() -> None:
        game, _ = table.begin("crib-dice", ("Ann", "Ben"), ())
        viewer, _, player = table.store.tokens.of(game.id)
        feed = Feed(table)
        try:
            gone, stays = await feed.join(game, viewer), await feed.join(game, player)
            assert [parsed(await anext(stream)).id for stream in (gone, stays)] == [1, 1]
            table.revoke(game, viewer.id)
            await asyncio.to_thread(table.play, game.id, 1, MoveRequest("opening 1 6"), player)
            with pytest.raises(StopAsyncIteration):
                await asyncio.wait_for(anext(gone), 10)
            assert parsed(await asyncio.wait_for(anext(stays), 10)).id == 2
        finally:
            await feed.closed()

    asyncio.run(run())
    table.store.close()


def test_a_method_that_is_none_is_told_those_of_every_route(crib: Player) -> None:
    assert crib.client.put(crib.path("/tokens")).headers["allow"] == "GET, POST"
