"""The scoreboard of a live game in a real browser: on phones and televisions, for two to ten players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.api.http.games.play import Player
from tests.api.http.games.play import begun as begun_over_http
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

SIZES = {"phone": (390, 844), "phone on its side": (844, 390), "television": (1920, 1080), "small phone": (360, 640)}
LONG = tuple(f"Maximiliane-Alexandra von Hohenfels {number}" for number in range(1, 11))

LAID_OUT = """() => {
    const rect = (each) => (({ left, top, right, bottom }) => ({ left, top, right, bottom }))(each.getBoundingClientRect());
    const sides = [...document.querySelectorAll(".side")].map((side) => ({
        side: rect(side),
        score: rect(side.querySelector(".score span")),
        name: rect(side.querySelector(".name")),
        running: side.querySelector(".running") && rect(side.querySelector(".running")),
        size: parseFloat(getComputedStyle(side.querySelector(".score span")).fontSize),
    }));
    const lone = ["#prompt", "#pieces", "#full"].map((name) => document.querySelector(name));
    const { scrollWidth: wide, scrollHeight: high } = document.documentElement;
    const thrown = rect(document.querySelector("#throw"));
    return { sides, lone: lone.filter((each) => each.checkVisibility()).map(rect), throw: thrown, wide, high };
}"""


@pytest.fixture
def client(server: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server, timeout=60) as running:
        yield running


def a_game(client: Any, game: str, *moves: str, players: tuple[str, ...] = ("Ann", "Ben")) -> Player:
    begun = begun_over_http(client, game, "opening_roll=false", players=players)
    for move in moves:
        begun.plays(move)
    return begun


def scoreboard(phones: Phones, game: Player, token: str | None = None) -> Page:
    page = phones.phone("dark")
    page.goto(f"{phones.server}/scoreboard/{game.id}#{token or game.viewer}")
    return page


def inside(inner: dict[str, float], outer: dict[str, float]) -> bool:
    near = 1  # pixel
    left, top = inner["left"] >= outer["left"] - near, inner["top"] >= outer["top"] - near
    return left and top and inner["right"] <= outer["right"] + near and inner["bottom"] <= outer["bottom"] + near


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    beside = one["right"] <= other["left"] + 1 or other["right"] <= one["left"] + 1
    return beside or one["bottom"] <= other["top"] + 1 or other["bottom"] <= one["top"] + 1


def check_room(page: Page, size: tuple[int, int]) -> None:
    """Scores of at least 96 pixels; nothing leaves the window or its place, or lies on something else."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(300)
    told = page.evaluate(LAID_OUT)
    window = {"left": 0, "top": 0, "right": size[0], "bottom": size[1]}
    assert (told["wide"], told["high"]) == size
    places = [each["side"] for each in told["sides"]]
    for each in told["sides"]:
        assert each["size"] >= 96
        assert inside(each["side"], window)
        assert all(inside(each[part], each["side"]) for part in ("score", "name"))
        assert each["running"] is None or inside(each["running"], each["side"])
        assert each["running"] is None or apart(each["running"], each["name"])
    parts = [*places, told["throw"]]
    assert all(apart(one, other) for at, one in enumerate(parts) for other in parts[at + 1 :])
    assert all(inside(each, window) for each in told["lone"])
    assert all(apart(one, other) for at, one in enumerate(told["lone"]) for other in told["lone"][at + 1 :])


def test_two_players_see_score_turn_throw_and_what_it_brought_as_it_happens(
    phones: Phones, client: httpx2.Client, tmp_path: Path
) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6", "point 5")
    page = scoreboard(phones, game)
    expect(page.locator(".turn")).to_contain_text("+2 this turn")
    game.plays("throw 1 2 3 5 5")
    expect(page.locator("#gain")).to_have_text("+8 points")
    expect(page.locator("#pieces .drawn")).to_have_count(7)
    expect(page.locator("#who")).to_have_text("Ann")
    for name, size in SIZES.items():
        check_room(page, size)
        page.screenshot(path=tmp_path / f"two on a {name}.png")
    game.plays("stop")
    expect(page.locator(".turn .name")).to_contain_text("Ben")
    expect(page.locator(".score").first).to_have_text("10")
    page.get_by_role("button", name="Full screen").click()
    expect(page.locator("#full")).to_be_hidden()
    assert page.evaluate("document.fullscreenElement === document.documentElement")


def test_ten_players_with_long_names_and_large_scores_fit_every_screen(
    phones: Phones, client: httpx2.Client, tmp_path: Path
) -> None:
    game = a_game(client, "farkle", "throw 1 1 1 1 1 1", "keep 1 1 1 1 1 1", "stop", players=LONG)
    game.plays("throw 1 5 2 2 2 6")
    game.plays("keep 1 2 2 2 5")
    page = scoreboard(phones, game)
    expect(page.locator(".side")).to_have_count(10)
    expect(page.locator(".turn")).to_contain_text("+350")
    assert len(page.locator(".score").first.inner_text()) >= 4, "a score of thousands"
    for name, size in SIZES.items():
        check_room(page, size)
        page.screenshot(path=tmp_path / f"ten on a {name}.png")


def test_a_link_of_players_is_refused_since_everybody_sees_the_page(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "crib-dice")
    page = scoreboard(phones, game, game.player)
    expect(page.locator("#trouble")).to_contain_text("this page is public")
    expect(page.locator(".side")).to_have_count(0)


@pytest.mark.parametrize("page", ["scoreboard", "overlay"])
def test_a_page_whose_link_was_revoked_says_so_and_not_that_it_reconnects(
    phones: Phones, client: httpx2.Client, page: str
) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6")
    shown = phones.phone()
    shown.goto(f"{phones.server}/{page}/{game.id}#{game.viewer}")
    expect(shown.locator("#who")).to_have_text("Ann")
    with shown.expect_response(lambda answer: answer.url.endswith("/events") and answer.status == 401):
        assert game.post("/tokens", {"role": "viewer", "instead": True}).status_code == 201
    expect(shown.locator("#trouble")).to_have_text("This link was revoked. Ask the host of the game for a new one.")
    expect(shown.locator("#connection")).to_be_hidden(timeout=2_000)
    expect(shown.locator("body.lost")).to_have_count(1)
