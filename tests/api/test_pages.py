"""What the table's pages ask for, beside the interface for programs."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api import pages, problems
from scorer.games import GAMES


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    problems.install(app)
    pages.install(app)
    return TestClient(app)


def test_every_game_is_listed_with_rules_that_it_can_be_begun_by(client: TestClient) -> None:
    listed = {game["name"]: game for game in client.get("/table/games.json").json()["games"]}
    assert list(listed) == list(GAMES)
    assert listed["domino-cribbage"]["seats"] == [2]
    assert listed["crib-dice"]["seats"] == [2, 3, 4, 5, 6], "six play as partners"
    for name, game in GAMES.items():
        usual = [f"{option['name']}={option['usual']}" for option in listed[name]["options"]]
        assert game.rules.from_texts(usual) == game.rules()


def test_pages_of_any_game_are_the_same_page_and_stay_what_they_are(client: TestClient) -> None:
    one, other = client.get("/table/abc"), client.get("/table/xyz")
    assert one.text == other.text
    assert client.get("/table/").text != one.text
    for page in (one, client.get("/table/")):
        assert "<style" not in page.text
        assert "style=" not in page.text
        assert page.text.count("<script") == page.text.count('<script src="/web/')


def test_a_link_becomes_a_square_of_dark_and_light(client: TestClient) -> None:
    response = client.post("/table/qr", json={"text": "http://192.168.1.20:8000/table/abc#secret"})
    assert response.headers["content-type"] == "image/svg+xml"
    assert response.headers["cache-control"] == "no-store"
    assert ElementTree.fromstring(response.text).tag.endswith("svg")
    assert "secret" not in response.text
    assert client.post("/table/qr", json={"text": "x" * 301}).status_code == 422
