"""What the table's pages ask for, beside the interface for programs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree

import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.http import pages, problems
from scorer.games.registry import GAMES, SCORED
from tests.api.qr import decoded


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


def test_only_the_servers_own_computer_is_told_its_address_in_the_network() -> None:
    app = FastAPI()
    pages.install(app)
    app.state.network_origin = lambda: "http://192.168.1.5:8000"
    for host in ("127.0.0.1:8000", "localhost:8000", "[::1]:8000"):
        asked = TestClient(app, base_url=f"http://{host}").get("/table/network.json")
        assert asked.json() == {"origin": "http://192.168.1.5:8000"}
    assert TestClient(app, base_url="http://kitchen.example").get("/table/network.json").status_code == 404


def test_the_card_of_a_game_says_how_it_is_played_and_its_ready_made_rules(client: TestClient) -> None:
    for listed in client.get("/table/games.json").json()["games"]:
        game = GAMES[listed["name"]]
        assert len(listed["in_short"]) >= 3, listed["name"]
        assert len(listed["presets"]) >= 2
        for preset in listed["presets"]:
            changed = game.rules.from_texts(preset["options"]).changed()
            assert preset["options"] == [f"{name}={value}" for name, value in changed.items()]


def test_the_games_whose_hands_may_be_open_are_those_that_hide_them(client: TestClient) -> None:
    hides = {game["name"]: game["hides"] for game in client.get("/table/games.json").json()["games"]}
    assert {name: texts for name, texts in hides.items() if texts} == {
        "domino-cribbage": [""],
        "muggins": ["hands=told"],
    }


BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("address", ["/nonsense", "/table/x/y", "/web/nothing.html", "/trust/muggins.crt"])
def test_a_browser_gets_a_page_where_there_is_none(client: TestClient, address: str) -> None:
    english = client.get(address, headers=BROWSER)
    assert (english.status_code, english.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no page at this address." in english.text
    assert 'href="/"' in english.text
    assert "accept" in english.headers["vary"].split(", ")
    german = client.get(address, headers={**BROWSER, "accept-language": "de"})
    assert "Unter dieser Adresse gibt es keine Seite." in german.text


@pytest.mark.parametrize("address", ["/rules/foo", "/rules/", "/rules/crib-dice/x"])
def test_where_a_game_has_no_rules_the_page_names_those_that_have(client: TestClient, address: str) -> None:
    told = client.get(address, headers=BROWSER)
    assert told.status_code == 404
    for name, game in GAMES.items():
        assert f'<a href="/rules/{name}">{game.title}</a>' in told.text
        assert client.get(f"/rules/{name}", headers=BROWSER).status_code == 200
    problem = client.get("/rules/foo").json()
    assert (problem["status"], problem["detail"]) == (404, f"Unknown game. There are {', '.join(GAMES)}.")


@pytest.mark.parametrize("address", ["/trust", "/trust/"])
def test_without_https_the_page_about_trust_says_what_it_is_for(client: TestClient, address: str) -> None:
    told = client.get(address, headers=BROWSER)
    assert told.status_code == 404
    assert "<code>muggins serve --https</code>" in told.text


def test_programs_get_a_problem_where_there_is_nothing(client: TestClient) -> None:
    asked = [
        client.get("/nonsense"),
        client.get("/trust", headers={"accept": "application/json"}),
        client.get("/v1/nonsense", headers=BROWSER),
        client.post("/nonsense", headers=BROWSER),
    ]
    assert [(each.status_code, each.json()["code"]) for each in asked] == [(404, "not-found")] * 4
    assert {each.headers["content-type"] for each in asked} == {problems.MEDIA_TYPE}


def test_pages_of_any_game_are_the_same_page_and_stay_what_they_are(client: TestClient) -> None:
    one, other = client.get("/table/abc"), client.get("/table/xyz")
    assert one.text == other.text
    start, read = client.get("/"), client.get("/read")
    assert len({one.text, start.text, read.text}) == 3
    for page in (one, start, read):
        assert "<style" not in page.text
        assert "style=" not in page.text
        assert page.text.count("<script") == page.text.count('<script src="/web/')


def test_the_address_of_old_links_leads_to_the_start(client: TestClient) -> None:
    response = client.get("/table/", follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (308, "/")


def test_all_that_is_kept_for_when_there_is_no_network_is_there(client: TestClient) -> None:
    files = client.get("/table/shell.json").json()["files"]
    assert {"/", "/read", "/table/shell", "/web/table/game.js", "/web/muggins.css"} <= set(files)
    assert len(files) == len(set(files))
    assert all(client.get(file).status_code == 200 for file in files)


def test_whatever_a_page_loads_is_kept_with_it(client: TestClient) -> None:
    files = set(client.get("/table/shell.json").json()["files"])
    for page in ("/", "/read", "/table/shell", "/overlay/shell", "/scoreboard/shell", "/rules/shell"):
        wanted = re.findall(r'(?:src|href)="(/web/[^"]+)"', client.get(page).text)
        assert wanted
        assert set(wanted) <= files
    for module in (file for file in files if file.endswith(".js")):
        for name in re.findall(r'from "([^"]+)"', client.get(module).text):
            assert urljoin(module, name) in files


def test_the_worker_may_answer_for_every_page(client: TestClient) -> None:
    response = client.get("/worker.js")
    assert response.headers["content-type"].startswith("text/javascript")
    manifest = client.get("/web/table/manifest.webmanifest").json()
    assert (manifest["start_url"], manifest["scope"]) == ("/", "/")


def test_without_games_there_is_no_outlook(client: TestClient) -> None:
    response = client.get("/table/abc/outlook")
    assert (response.status_code, response.json()["code"]) == (404, "not-found")


def test_a_link_becomes_a_square_of_dark_and_light(client: TestClient) -> None:
    response = client.post("/table/qr", json={"text": "http://192.168.1.20:8000/table/abc#secret"})
    assert response.headers["content-type"] == "image/svg+xml"
    assert response.headers["cache-control"] == "no-store"
    assert ElementTree.fromstring(response.text).tag.endswith("svg")
    assert "secret" not in response.text
    assert read(response.text) == "http://192.168.1.20:8000/table/abc#secret"
    assert client.post("/table/qr", json={"text": "x" * 301}).status_code == 422


def read(svg: str) -> str:
    """What a camera reads from the code: its dark modules are horizontal strokes."""
    picture = ElementTree.fromstring(svg)
    size = int(picture.attrib["viewBox"].split()[2])
    modules = np.full((size, size), 255, np.uint8)
    stroke = next(path.attrib["d"] for path in picture if "stroke" in path.attrib)
    x, y = 0.0, 0.0
    for command, numbers in re.findall(r"([Mmh])([^Mmh]*)", stroke):
        values = [float(value) for value in re.findall(r"-?[\d.]+", numbers)]
        if command == "h":
            modules[int(y), int(x) : int(x + values[0])] = 0
            x += values[0]
        else:
            x, y = values if command == "M" else (x + values[0], y + values[1])
    return decoded(np.kron(modules, np.ones((8, 8), np.uint8)))


def test_no_page_names_a_game_by_itself(client: TestClient) -> None:
    named = re.compile("|".join(rf"[\"'`]{name}[\"'`=]" for name in SCORED if "-" in name))
    scripts = [file for file in Path("api/web").rglob("*") if file.suffix in {".js", ".html", ".css"}]
    assert len(scripts) > 30
    assert [str(file) for file in scripts if named.search(file.read_text("utf-8"))] == []


def test_the_page_for_a_photo_knows_what_each_game_may_be_told(client: TestClient) -> None:
    page = client.get("/read").text
    assert '<option value="crib-dice" data-kind="d6" data-asks="point frozen edition ' in page
    assert '<option value="domino-cribbage" data-kind="domino" data-asks="starter ' in page
    assert 'value="cards"' not in page


def test_every_file_of_the_pages_is_installed() -> None:
    told = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    patterns = told["tool"]["setuptools"]["package-data"]["api"]
    packed = {file for pattern in patterns for file in Path("api").glob(pattern)}
    files = {file for file in Path("api/web").rglob("*") if file.is_file()}
    assert len(files) > 60
    assert files <= packed
