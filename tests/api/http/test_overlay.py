"""The page that is laid over a stream."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.http import pages, problems
from api.http.app import create_app
from api.http.middleware import SAFE_HEADERS


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    problems.install(app)
    pages.install(app)
    return TestClient(app)


def test_the_overlays_of_all_games_are_one_page_without_inline_code_or_styles(client: TestClient) -> None:
    page = client.get("/overlay/abc")
    assert page.status_code == 200
    assert page.text == client.get("/overlay/xyz?theme=wood").text == client.get("/overlay/shell").text
    assert page.text != client.get("/table/abc").text
    assert "<style" not in page.text
    assert "style=" not in page.text
    assert page.text.count("<script") == page.text.count('<script src="/web/')


def test_it_opens_while_the_server_is_away(client: TestClient) -> None:
    files = client.get("/table/shell.json").json()["files"]
    assert {"/overlay/shell", "/web/overlay/overlay.js", "/web/overlay/overlay.css"} <= set(files)
    assert "(table|overlay|scoreboard|rules)" in client.get("/worker.js").text


def test_the_overlay_comes_with_the_policy_of_all_pages_and_may_be_framed_by_its_own_server_alone() -> None:
    # Without its life span the app loads no network.
    client = TestClient(create_app(), base_url="http://localhost")
    response = client.get("/overlay/abc")
    usual = SAFE_HEADERS["content-security-policy"]
    assert usual.endswith("frame-ancestors 'none'")
    own = usual.removesuffix("'none'") + "'self'; style-src 'self' 'unsafe-inline'"
    assert response.headers["content-security-policy"] == own
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cache-control"] == "no-cache"
    for page in ("/overlay/abc/setup", "/scoreboard/abc", "/table/abc"):
        assert client.get(page).headers["content-security-policy"] == usual


@pytest.mark.parametrize("page", ["/overlay/{}/setup", "/scoreboard/{}"])
def test_the_pages_round_it_are_one_page_for_all_games(client: TestClient, page: str) -> None:
    one = client.get(page.format("abc"))
    assert one.status_code == 200
    assert one.text == client.get(page.format("xyz")).text
    assert one.text.count("<script") == one.text.count('<script src="/web/')
    assert "style=" not in one.text


def test_the_scoreboard_opens_while_the_server_is_away(client: TestClient) -> None:
    files = client.get("/table/shell.json").json()["files"]
    assert {"/scoreboard/shell", "/web/scoreboard/scoreboard.js", "/web/scoreboard/fit.js", "/web/pieces.css"} <= set(
        files
    )


def test_the_settings_are_those_of_the_guide(client: TestClient) -> None:
    guide = set(re.findall(r"`([a-z-]+)`", Path("docs/overlay.md").read_text(encoding="utf-8")))
    source = client.get("/web/overlay/wanted.js").text
    for name in ("PARTS", "THEMES", "PLACES", "CAMERAS"):
        listed = re.search(rf"const {name} = \[(.*?)\];", source, re.S)
        assert listed
        values = set(re.findall(r'"([a-z-]+)"', listed[1]))
        assert len(values) >= 3
        assert values <= guide
