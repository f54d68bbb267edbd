"""Tokens: who is let in, who is kept out, and what nobody may find in a log."""

from __future__ import annotations

import hashlib
import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from fastapi.testclient import TestClient

from api.http.games.access import TRIES, WINDOW, Denied, Failures, hush, new_token
from tests.api.http.games.play import Player, begun, code


def test_a_viewer_may_not_play(crib: Player) -> None:
    for path, body in (("/moves", {"lines": 1, "move": "opening 1 6"}), ("/undo", {"lines": 1})):
        assert code(crib.post(path, body, crib.viewer)) == (403, "viewer-only")
    assert crib.get().json()["lines"] == 1


def test_a_token_is_for_one_game(client: TestClient, crib: Player) -> None:
    other = begun(client, "crib-dice")
    refused = crib.get(token=other.player)
    assert code(refused) == (401, "wrong-token")
    assert refused.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("path", ["", "/record", "/events", "/evidence", "/history", "/token"])
def test_a_token_in_an_address_is_refused(crib: Player, path: str) -> None:
    """Proxies log addresses; who sent one there has to hear of it, even beside a good header."""
    link = {"token": crib.player}
    assert code(crib.client.get(crib.path(path), params=link)) == (401, "token-in-address")
    assert code(crib.get(path, params=link)) == (401, "token-in-address")
    assert code(crib.post("/undo", {"lines": 1}, params=link)) == (401, "token-in-address")


def test_no_such_game_is_said(client: TestClient, crib: Player) -> None:
    assert code(client.get("/v1/games/0123456789abcdef")) == (404, "no-game")
    assert code(client.get("/v1/games/%00")) == (404, "no-game")


def test_who_guesses_must_wait_and_who_has_the_right_token_need_not(crib: Player) -> None:
    """Behind one address there may be a whole family, and one guest who guesses."""
    assert {crib.get(token=f"guess-{each}").status_code for each in range(TRIES)} == {401}
    blocked = crib.get(token="guess")
    assert code(blocked) == (429, "too-many-failures")
    assert 0 < int(blocked.headers["retry-after"]) <= WINDOW
    assert crib.get().status_code == 200


def test_who_sends_many_guesses_at_once_has_no_more_of_them(client: TestClient) -> None:
    failures = Failures(client.app.state.live.table.store.tries)  # type: ignore[attr-defined]
    started = Barrier(40)

    def guess(_: int) -> int:
        failures.check("192.168.1.9", "at once")
        started.wait()  # all have been checked, and none is counted yet
        try:
            failures.count("192.168.1.9", "at once")
        except Denied as denied:
            return denied.status
        return 401

    with ThreadPoolExecutor(40) as guessing:
        answers = list(guessing.map(guess, range(40)))
    assert (answers.count(401), answers.count(429)) == (TRIES, 40 - TRIES)


def test_one_game_is_not_blocked_by_guesses_at_another(client: TestClient, crib: Player) -> None:
    other = begun(client, "crib-dice")
    for each in range(TRIES + 1):
        other.get(token=f"guess-{each}")
    assert crib.get().status_code == 200


def test_failures_are_forgotten_in_time_and_are_each_clients_own(client: TestClient) -> None:
    now = 0.0
    failures = Failures(client.app.state.live.table.store.tries, lambda: now)  # type: ignore[attr-defined]
    for now in range(TRIES):  # noqa: B007 - the clock goes on
        failures.check("a", "game")
        failures.count("a", "game")
    with pytest.raises(Denied) as denied:
        failures.check("a", "game")
    assert denied.value.headers == {"Retry-After": str(int(WINDOW) - TRIES + 1)}
    failures.check("b", "game")
    now = WINDOW + 1
    failures.check("a", "game")


def test_only_digests_are_kept(crib: Player) -> None:
    kept = crib.client.app.state.live.table.store.tokens.of(crib.id)  # type: ignore[attr-defined]
    given = [crib.viewer, crib.invite, crib.player]
    assert [token.digest for token in kept] == [hashlib.sha256(token.encode()).digest() for token in given]


def test_tokens_are_long_and_never_the_same() -> None:
    every = {new_token() for _ in range(100)}
    assert len(every) == 100
    assert min(map(len, every)) >= 43


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ('%s - "%s %s HTTP/%s" %d', ("127.0.0.1:5", "GET", "/v1/games/1/events?token=SECRET", "1.1", 200)),
        ('%s - "%s %s HTTP/%s" %d', ("127.0.0.1:5", "GET", "/v1/games/1/events?a=b&token=SECRET&c=d", "1.1", 200)),
        ('"GET /x?Token=SECRET HTTP/1.1" 200', ()),
    ],
)
def test_no_token_comes_into_the_log(
    caplog: pytest.LogCaptureFixture, message: str, arguments: tuple[object, ...]
) -> None:
    hush("tests.access")
    with caplog.at_level(logging.INFO):
        logging.getLogger("tests.access").info(message, *arguments)
    assert "SECRET" not in caplog.text
    assert "oken=…" in caplog.text


def test_the_tokens_stay_in_no_cache(client: TestClient) -> None:
    answer = client.post("/v1/games", json={"game": "crib-dice", "players": ["Ann", "Ben"]})
    assert answer.headers["cache-control"] == "no-store"
