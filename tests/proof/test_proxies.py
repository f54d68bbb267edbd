"""Games through nginx and Caddy, with the configurations of `deploy/` as they are but for ports, folders and certificates."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any

import httpx2
import pytest
from playwright.sync_api import BrowserType, expect

from tests.api.http.games.play import Player, bearer, begun, code
from tests.api.http.games.streams import events
from tests.api.served import served
from tests.e2e import phones
from tests.proof.hostile import photo
from tests.proof.proxies import NAME, PATIENCE, Proxy, before, behind, program

_MEGABYTE = 1024**2
_PHOTO = 25 * _MEGABYTE
"""Bytes that a photo may have (docs/operations.md)."""
_ANSWERS = 60
"""One after the other, a tenth of a second apart."""
_SETTLED = 60.0
"""Seconds within which they come."""
_IDLE = 6.0
"""Seconds, longer than the server keeps an idle connection: the proxy must have left it before."""


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    if program(request.param) is None:
        pytest.skip(f"{request.param} is not installed here")
    with behind(request.param, tmp_path_factory.mktemp(request.param)) as running:
        yield running


@pytest.fixture
def client(proxy: Proxy) -> Iterator[httpx2.Client]:
    with proxy.client() as made:
        yield made


@pytest.fixture
def player(client: httpx2.Client) -> Player:
    return begun(client, "crib-dice", "finish=31")  # type: ignore[arg-type] # a client of either kind


class Watcher:
    """Somebody whose stream stays open through the proxy."""

    def __init__(self, proxy: Proxy, player: Player) -> None:
        self.lines: list[int] = []
        self._proxy, self._player = proxy, player
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def wait_for(self, lines: int) -> None:
        until = time.monotonic() + PATIENCE
        while lines not in self.lines:
            assert time.monotonic() < until, f"the stream is held back: {self.lines} of {lines}"
            assert self._thread.is_alive(), f"the stream has ended: {self.lines}"
            time.sleep(0.01)

    def _watch(self) -> None:
        path, token = f"/v1/games/{self._player.id}/events", self._player.viewer
        with (
            suppress(httpx2.TransportError),
            self._proxy.client() as client,
            client.stream("GET", path, headers=bearer(token)) as response,
        ):
            assert response.status_code == 200
            for seen in events(response):
                self.lines.append(seen.told["lines"])


def sent(client: httpx2.Client, data: bytes) -> httpx2.Response:
    return client.post("/v1/readings", files={"photo": ("IMG_1.jpg", data, "image/jpeg")})


def padded(size: int) -> bytes:
    """A photo of so many bytes."""
    return photo().ljust(size, b"\0")


# A game


def test_a_whole_game_is_played_and_every_move_is_seen_at_once(proxy: Proxy, player: Player) -> None:
    """The next move is made only when the stream has shown the one before: a proxy that holds events back ends it here."""
    watcher = Watcher(proxy, player)
    watcher.wait_for(player.lines)
    while not player.snapshot["result"]:
        player.goes_on()
        watcher.wait_for(player.lines)
    assert player.record().result
    # The move that ends the game and the line that closes its record come at once.
    assert watcher.lines == sorted(set(watcher.lines))


def test_the_stream_goes_on_after_a_silence_and_so_do_moves(proxy: Proxy, player: Player) -> None:
    """Nothing is sent for longer than the server keeps an idle connection of the proxy."""
    watcher = Watcher(proxy, player)
    for _ in range(3):
        watcher.wait_for(player.lines)
        time.sleep(_IDLE)
        player.goes_on()
    watcher.wait_for(player.lines)


def test_evidence_comes_out_and_is_checked(client: httpx2.Client, player: Player) -> None:
    reading = player.shows(photo())["reading"]["id"]
    assert player.get(f"/v1/readings/{reading}/photo").headers["content-type"] == "image/jpeg"
    evidence = player.get("/evidence", player.player)
    assert (evidence.status_code, evidence.content[:4]) == (200, b"PK\3\4")
    assert verdict(client, evidence.content)["game"] == player.id
    # More than a photo may have.
    assert verdict(client, evidence.content.ljust(30 * _MEGABYTE, b"\0"))["verdict"] in ("ok", "warning", "wrong")


def verdict(client: httpx2.Client, evidence: bytes) -> dict[str, Any]:
    response = client.post("/v1/verifications", content=evidence, headers={"content-type": "application/zip"})
    assert response.status_code == 200, response.text
    told: dict[str, Any] = json.loads(response.text.splitlines()[-1])
    return told


# Photos


def test_a_photo_as_large_as_photos_may_be_is_read(client: httpx2.Client) -> None:
    response = sent(client, padded(_PHOTO - 1000))
    assert response.status_code == 200, response.text
    assert response.json()["dice"]


@pytest.mark.parametrize("size", [_PHOTO + 1, 27 * _MEGABYTE, 40 * _MEGABYTE])
def test_a_larger_one_is_refused_in_words_that_the_page_can_show(client: httpx2.Client, size: int) -> None:
    response = sent(client, padded(size))
    assert code(response) == (413, "too-large-file")
    assert "MB" in response.json()["detail"]


def test_a_large_photo_that_teaches_brings_the_profile_so_far(client: httpx2.Client) -> None:
    """The proxy lets both pass together; what is wrong with this profile the server says."""
    files = {
        "photo": ("IMG_1.jpg", padded(_PHOTO - 1000), "image/jpeg"),
        "profile": ("mine.json", b"x" * 7_900_000, "application/json"),
    }
    response = client.post("/v1/profiles", files=files, data={"name": "mine", "said": "[]"})
    assert response.status_code == 422, response.text
    assert "profile" in response.json()["detail"]


# Who asks


def test_wrong_tokens_are_counted_by_the_address_of_who_sends_them(proxy: Proxy, player: Player) -> None:
    with proxy.client("127.0.0.2") as guesser, proxy.client("127.0.0.3") as other:
        tried = [guess(guesser, player) for _ in range(12)]
        assert set(tried[:10]) == {(401, "wrong-token")}
        assert set(tried[10:]) == {(429, "too-many-failures")}
        lied = {"x-forwarded-for": "203.0.113.9", "forwarded": "for=203.0.113.9", "x-real-ip": "203.0.113.9"}
        assert guess(guesser, player, lied) == (429, "too-many-failures"), "a made-up address is believed"
        assert guess(other, player) == (401, "wrong-token"), "one address locks out another"
        path = f"/v1/games/{player.id}"
        for client in (guesser, other):
            assert client.get(path, headers=bearer(player.viewer)).status_code == 200


def guess(client: httpx2.Client, player: Player, more: dict[str, str] | None = None) -> tuple[int, str]:
    return code(client.get(f"/v1/games/{player.id}", headers={**bearer("x" * 43), **(more or {})}))


def test_nobody_begins_games_without_the_join_token(client: httpx2.Client) -> None:
    wanted = {"game": "crib-dice", "players": ["Ann", "Ben"]}
    assert code(client.post("/v1/games", json=wanted)) == (403, "no-join-token")


def test_a_page_of_another_site_moves_nothing(proxy: Proxy, player: Player) -> None:
    with proxy.client(origin="https://elsewhere.example") as elsewhere:
        response = elsewhere.post(f"/v1/games/{player.id}/undo", json={"lines": 1}, headers=bearer(player.player))
    assert code(response) == (403, "other-origin")


@pytest.mark.skipif(not phones.CHROMIUM, reason=phones.NO_CHROMIUM)
def test_browsers_play_and_watch_through_it_over_http_2(proxy: Proxy, chromium: BrowserType) -> None:
    resolved = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    with phones.opened(chromium, resolved, "--ignore-certificate-errors") as browser:
        table = phones.Phones(browser, proxy.url)
        ann, ben = table.phone(), table.phone()
        phones.begun(ann, proxy.url)
        ben.goto(phones.links(ann)[1])
        phones.types(ann, "opening 1 6")
        # What Ann's phone sent has come to Ben's through its stream.
        expect(ben.locator("#prompt")).to_contain_text("Ben")
        phones.types(ann, "opening 1 2")
        expect(ben.locator("#head")).to_have_text(ann.locator("#head").inner_text())
        assert ben.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
        table.close()


def test_the_page_is_served_over_the_name(client: httpx2.Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "/metrics?x=1", "/%6detrics"])
def test_metrics_are_kept_from_who_comes_through_the_proxy(proxy: Proxy, client: httpx2.Client, path: str) -> None:
    """Prometheus asks each server at its own address."""
    assert "muggins_request_seconds" in httpx2.get(f"http://127.0.0.1:{proxy.ports[0]}/metrics").text
    refused = client.get(path, follow_redirects=True)
    assert refused.status_code == 404
    assert "muggins_request_seconds" not in refused.text


# Logs


def test_no_log_has_a_token(proxy: Proxy, player: Player) -> None:
    player.goes_on()
    player.get("/record", player.player)
    player.post("/join", {"seats": [0]}, player.invite)
    watcher = Watcher(proxy, player)
    watcher.wait_for(player.lines)
    # Caddy logs a request once it is answered.
    logs = _logged(proxy, f"/v1/games/{player.id}/record")
    assert proxy.server is not None
    tokens = (player.player, player.viewer, player.invite, proxy.server.token)
    assert not [(name, token) for name, text in logs.items() for token in tokens if token in text]


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_no_log_has_the_join_token_of_a_request_that_no_server_answers(kind: str, tmp_path: Path) -> None:
    if program(kind) is None:
        pytest.skip(f"{kind} is not installed here")
    with behind(kind, tmp_path) as proxy, proxy.client() as client:
        assert proxy.server is not None
        proxy.server.ended()
        answer = client.post("/v1/games", json={}, headers={"x-muggins-join": proxy.server.token})
        assert answer.status_code in (502, 503)
        logs = _logged(proxy, "/v1/games")
        assert not [name for name, text in logs.items() if proxy.server.token in text]


# A server that is down


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_games_go_on_at_the_other_server_while_one_is_down(kind: str, tmp_path: Path) -> None:
    if program(kind) is None:
        pytest.skip(f"{kind} is not installed here")
    options = ("--host", "127.0.0.1", "--name", NAME)
    with (
        served(tmp_path / "one", *options) as one,
        served(tmp_path / "other", *options) as other,
        before(kind, tmp_path, [one.port, other.port]) as proxy,
        proxy.client() as client,
    ):
        one.ended(SIGKILL)
        answered, until = 0, time.monotonic() + _SETTLED
        # For longer than any of them is left out after one failure. Neither has these games, and says so.
        while answered < _ANSWERS:
            assert time.monotonic() < until, "requests still go to the server that is down"
            try:
                status = client.post(f"/v1/games/{answered:016x}/moves", json={"lines": 1, "move": "stop"}).status_code
            except httpx2.TransportError:
                status = 0
            answered = answered + 1 if status == 404 else 0
            time.sleep(0.1)


def _logged(proxy: Proxy, path: str) -> dict[str, str]:
    """All logs, once the access log has a request of this path."""
    until = time.monotonic() + PATIENCE
    while path not in proxy.logs.get("access.log", ""):
        assert time.monotonic() < until, f"{path} is not logged: {list(proxy.logs)}"
        time.sleep(0.1)
    return proxy.logs


def test_the_configurations_are_for_the_same_name() -> None:
    deploy = Path(__file__).resolve().parents[2] / "deploy"
    assert all(NAME in (deploy / file).read_text() for file in ("nginx.conf", "Caddyfile"))
