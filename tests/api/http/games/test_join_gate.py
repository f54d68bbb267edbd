from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient

from api.http.games import error_handlers as problems
from api.http.games.access import TRIES, WINDOW, Denied, Failures
from api.http.games.join_gate import FILE, Gate, kept_token, may_begin, new_token
from api.store import Store

TOKEN = "a-token-of-a-server"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(None, tmp_path / "store")
    yield opened
    opened.close()


@pytest.fixture
def failures(store: Store) -> Failures:
    return Failures(store.tries, Clock())


def verdict(failures: Failures, client: str, token: str | None = None) -> tuple[int, str]:
    try:
        Gate(TOKEN).admit(client, token, "start a game here", failures)
    except Denied as denied:
        return denied.status, denied.code
    return 200, "admitted"


ADMITTED = (200, "admitted")
NO_TOKEN, WRONG_TOKEN = (403, "no-join-token"), (403, "wrong-join-token")


@pytest.mark.parametrize("client", ["192.168.1.7", "127.0.0.1", "::1", "::ffff:127.0.0.1", ""])
def test_everybody_needs_the_token(failures: Failures, client: str) -> None:
    """From this computer's own address, too, comes whatever a proxy on it passes on."""
    assert verdict(failures, client) == NO_TOKEN
    assert verdict(failures, client, "") == NO_TOKEN
    assert verdict(failures, client, TOKEN[:-1]) == WRONG_TOKEN
    assert verdict(failures, client, "ü") == WRONG_TOKEN
    assert verdict(failures, client, TOKEN) == ADMITTED


def test_who_guesses_must_wait_and_who_has_the_token_need_not(store: Store) -> None:
    clock = Clock()
    failures = Failures(store.tries, clock)
    for _ in range(TRIES):
        assert verdict(failures, "192.168.1.7", "guess") == WRONG_TOKEN
    assert verdict(failures, "192.168.1.7", "guess") == (429, "too-many-failures")
    assert verdict(failures, "192.168.1.7", TOKEN) == ADMITTED
    assert verdict(failures, "192.168.1.8", "guess") == WRONG_TOKEN
    clock.now = WINDOW + 1
    assert verdict(failures, "192.168.1.7", "guess") == WRONG_TOKEN


def test_tokens_are_random_and_fit_a_link() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 22 and token.replace("-", "").replace("_", "").isalnum() for token in tokens)


@pytest.fixture
def app() -> FastAPI:
    app = FastAPI()
    problems.install(app)

    @app.post("/begin", dependencies=[Depends(may_begin)])
    def begin() -> str:
        return "begun"

    return app


@pytest.fixture
def phone(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://192.168.1.20:8000", client=("192.168.1.7", 5000)) as client:
        yield client


def test_a_phone_begins_a_game_by_the_header(app: FastAPI, phone: TestClient, failures: Failures) -> None:
    app.state.live = SimpleNamespace(failures=failures)
    app.state.gate = Gate(TOKEN)
    refused: Any = phone.post("/begin")
    assert (refused.status_code, refused.json()["code"]) == NO_TOKEN
    assert "scan the code" in refused.json()["detail"]
    assert phone.post(f"/begin?x-muggins-join={TOKEN}").status_code == 403, "never in an address"
    assert phone.post("/begin", headers={"X-Muggins-Join": TOKEN}).json() == "begun"
    assert phone.post("/begin", headers={"X-Muggins-Join": "x" * 201}).status_code == 422


def test_an_app_without_a_gate_lets_everybody_in(phone: TestClient) -> None:
    assert phone.post("/begin").json() == "begun"


def test_the_token_outlives_the_server_until_its_file_is_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    token = kept_token(folder)
    assert kept_token(folder) == token
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600
    (folder / FILE).unlink()
    assert kept_token(folder) != token


@pytest.mark.parametrize("harmed", ["damaged", "readable"])
def test_a_token_that_is_damaged_or_that_others_could_read_is_replaced(tmp_path: Path, harmed: str) -> None:
    token = kept_token(tmp_path)
    if harmed == "damaged":
        (tmp_path / FILE).write_bytes(b"\xff")
    else:
        (tmp_path / FILE).chmod(0o644)
    assert kept_token(tmp_path) not in (token, "")
    assert kept_token(tmp_path) == kept_token(tmp_path)
