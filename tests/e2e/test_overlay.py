"""The overlay of a live game in a real browser, over a chequered ground; its server dies and comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP
from typing import Any

import httpx2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageOps
from playwright.sync_api import Browser, BrowserType, Page, Route, expect

from tests.api.http.games.play import Player
from tests.api.http.games.play import begun as begun_over_http
from tests.api.served import served
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, begun, links, opened, types
from tests.e2e.throws import jpeg, photo, picture_of

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

WIDE, HIGH, SQUARE = (1920, 1080), (1080, 1920), (600, 600)
SIX = ("Maximiliane-Alexandra von Hohenfels-Zettl", "Ben", "Cleo", "Dorothea Constantia", "Eve", "Friedrich-Wilhelm")
LONG = tuple(name[:40] for name in SIX)


@pytest.fixture
def client(server: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=server, timeout=60) as running:
        yield running


def a_game(client: Any, game: str, *moves: str, players: tuple[str, ...] = ("Ann", "Ben"), rules: str = "") -> Player:
    begun = begun_over_http(client, game, *filter(None, ["opening_roll=false", rules]), players=players)
    for move in moves:
        begun.plays(move)
    return begun


def overlay(phones: Phones, game: Player, size: tuple[int, int] = WIDE, query: str = "") -> Page:
    page = phones.phone()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{phones.server}/overlay/{game.id}{query}#{game.viewer}")
    return page


def shown(page: Page, kind: str = "#pieces") -> list[str]:
    drawn: list[str] = page.locator(f"{kind} .drawn").evaluate_all("drawn => drawn.map((each) => each.dataset.value)")
    return drawn


def holes(page: Page) -> list[str]:
    return page.locator("#standings .hole").all_inner_texts()


def over_chequers(page: Page, file: Path, other: str = "#2858c8") -> Image.Image:
    """What a stream would show; the overlay alone is given back."""
    with Image.open(BytesIO(page.screenshot(omit_background=True))) as taken:
        alone = taken.convert("RGBA")
    ground, cell = Image.new("RGBA", alone.size, "white"), 40
    draw = ImageDraw.Draw(ground)
    for x in range(0, alone.width, cell):
        for y in range(x // cell % 2 * cell, alone.height, 2 * cell):
            draw.rectangle((x, y, x + cell - 1, y + cell - 1), other)
    Image.alpha_composite(ground, alone).convert("RGB").save(file)
    return alone


RECTS = """() => [...document.querySelectorAll("#zones .part:not([hidden])")].map((part) => {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const clipped = part.scrollWidth > part.clientWidth + 1;
    return { id: part.id, left, top, right, bottom, clipped };
})"""


def rects(page: Page) -> dict[str, Mapping[str, Any]]:
    """Where every part that is shown lies."""
    return {rect["id"]: rect for rect in page.evaluate(RECTS)}


def check_room(page: Page, size: tuple[int, int]) -> None:
    """Nothing leaves the window, is cut off, or lies on something else."""
    parts = list(rects(page).values())
    for at, one in enumerate(parts):
        assert one["left"] >= 0
        assert one["top"] >= 0
        assert one["right"] <= size[0], one
        assert one["bottom"] <= size[1], one
        assert not one["clipped"], one
        for other in parts[at + 1 :]:
            beside = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"], (one, other)


def test_the_link_is_copied_on_the_phone_and_every_throw_is_drawn(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begun(phone, phones.server)
    _, viewer = links(phone)
    phone.get_by_role("button", name="Copy overlay link").click()
    expect(phone.locator("#overlay-copied")).to_have_text("Copied.")
    phone.screenshot(path=tmp_path / "share.png")
    link = phone.evaluate("navigator.clipboard.readText()")
    assert link == viewer.replace("/table/", "/overlay/")
    phone.evaluate("""() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        document.querySelector("#overlay-copied").textContent = "";
    }""")
    phone.get_by_role("button", name="Copy overlay link").click()
    expect(phone.locator("#overlay-copied")).to_have_text("Copied.")
    page = phones.phone()
    page.goto(link)
    expect(page.locator("#prompt")).to_contain_text("Ann: roll two dice")
    expect(page.locator("#roll")).to_be_hidden()
    types(phone, "6 1")
    expect(page.locator("#who")).to_have_text("Ann")
    assert shown(page) == ["1", "6"]
    page.reload()
    expect(page.locator("#prompt")).to_contain_text("Ben")
    assert shown(page) == ["1", "6"]


OBS = (
    "--disable-gpu-compositing",
    "--disable-features=HardwareMediaKeyHandling",
    "--autoplay-policy=no-user-gesture-required",
)
"""What obs-browser gives its Chromium on a computer without shared textures (OnBeforeCommandLineProcessing)."""
OBS_STYLE = """
    const style = document.createElement("style");
    style.innerHTML = "body { background-color: rgba(0, 0, 0, 0); margin: 0px auto; overflow: hidden; } #names { opacity: .5 }";
    document.querySelector("head").appendChild(style);
"""
"""How OBS lays a source's custom CSS into the page: its usual one, and a wish of the streamer's."""


def test_the_overlay_is_drawn_by_a_browser_as_obs_starts_it(
    chromium: BrowserType, server: str, client: httpx2.Client, tmp_path: Path
) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6")
    with opened(chromium, *OBS) as browser:
        phones = Phones(browser, server)
        page = overlay(phones, game)
        page.evaluate(OBS_STYLE)
        expect(page.locator("#prompt")).to_contain_text("choose your point")
        expect(page.locator("#names")).to_have_css("opacity", "0.5")
        assert shown(page) == ["1", "2", "3", "4", "5", "5", "6"]
        check_room(page, WIDE)
        alone = over_chequers(page, tmp_path / "obs.png")
        assert alone.getpixel((WIDE[0] // 2, WIDE[1] // 2)) == (0, 0, 0, 0)
        page.evaluate("document.dispatchEvent(new CustomEvent('visibilitychange', {}))")
        game.plays("point 5")
        expect(page.locator("#prompt")).to_contain_text("unfrozen dice")
        phones.close()


def photographed(client: httpx2.Client, picture: Image.Image) -> Player:
    """A game whose first throw is read from this picture, which shows 1 2 3 4 5 5 6, and whose point is chosen."""
    game = a_game(client, "crib-dice")
    told = game.shows(jpeg(picture))
    if told["ruling"]["outcome"] == "doubt":
        game.took(game.says(reading=told["reading"]["id"], confirm=True))
    assert len(game.snapshot["places"]["boxes"]) == 7
    game.plays("point 5")
    return game


def a_throw_in_a_part(left: float, top: float, size: float, seed: int) -> Image.Image:
    """The table with a throw that lies in a part of it, as shares of the picture."""
    ground, throw = picture_of(()), photo((1, 2, 3, 4, 5, 5, 6), seed)
    small = throw.resize((round(size * throw.width), round(size * throw.height)))
    ground.paste(small, (round(left * (ground.width - small.width)), round(top * (ground.height - small.height))))
    return ground


def dice_in(page: Page, game: Player, camera: str = "fill") -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom in the window of each die that can be seen in it."""
    told, window = game.snapshot["places"], page.viewport_size
    assert window
    width, height = window["width"], window["height"]
    fills = camera == "fill"
    high = max(height, width / told["aspect"]) if fills else min(height, width / told["aspect"])
    wide = high * told["aspect"]
    x, y = (width - wide) / 2, (height - high) / 2
    dice = [(x + a * wide, y + b * high, x + c * wide, y + d * high) for a, b, c, d in told["boxes"]]
    return [die for die in dice if die[0] < width and die[2] > 0 and die[1] < height and die[3] > 0]


def covered(page: Page, dice: list[tuple[float, float, float, float]]) -> list[tuple[str, int]]:
    """Which part lies on which die."""
    return [
        (part["id"], number)
        for part in rects(page).values()
        for number, (left, top, right, bottom) in enumerate(dice)
        if part["left"] < right and left < part["right"] and part["top"] < bottom and top < part["bottom"]
    ]


def settled(page: Page) -> None:
    """Wait until everything has come and nothing moves any more."""
    expect(page.locator("#odds")).to_be_visible()
    expect(page.locator("#odds")).not_to_contain_class("old")
    before = None
    while (now := rects(page)) != before:
        before = now
        page.wait_for_timeout(600)


@pytest.mark.parametrize(
    ("part", "scale"),
    [((0.0, 0.15, 0.5, 1), 1.0), ((1.0, 0.85, 0.5, 2), 1.0), ((0.5, 0.5, 0.6, 3), 1.0), ((0, 0, 1.0, 4), 0.7)],
    ids=["left", "right", "middle", "everywhere"],
)
def test_no_panel_covers_a_die_that_the_camera_has_seen(
    part: tuple[float, float, float, int],
    scale: float,
    chromium: BrowserType,
    server: str,
    client: httpx2.Client,
    tmp_path: Path,
) -> None:
    picture = a_throw_in_a_part(*part)
    game = photographed(client, picture)
    with opened(chromium, *OBS) as browser:
        phones = Phones(browser, server)
        for size in (WIDE, HIGH):
            still = overlay(phones, game, size, f"?camera=off&scale={scale}")
            settled(still)
            homes = rects(still)
            assert covered(still, dice_in(still, game)), "without looking at the dice, some would be covered"
            page = overlay(phones, game, size, f"?scale={scale}")
            settled(page)
            assert rects(page).keys() == homes.keys() == {"names", "board", "odds", "roll", "score"}
            assert covered(page, dice_in(page, game)) == []
            check_room(page, size)
            over_picture(page, picture, tmp_path / f"{size[0]}.png")
            for each in (still, page):
                each.context.close()
        phones.close()


def over_picture(page: Page, picture: Image.Image, file: Path) -> None:
    """What a stream would show whose camera's picture fills it."""
    with Image.open(BytesIO(page.screenshot(omit_background=True))) as taken:
        alone = taken.convert("RGBA")
    ground = ImageOps.fit(picture, alone.size).convert("RGBA")
    Image.alpha_composite(ground, alone).convert("RGB").save(file)


def test_panels_come_back_when_nobody_knows_where_the_dice_lie(phones: Phones, client: httpx2.Client) -> None:
    game = photographed(client, a_throw_in_a_part(0, 0.15, 0.5, 5))
    page, still = overlay(phones, game), overlay(phones, game, query="?camera=off")
    for each in (page, still):
        settled(each)
    assert rects(page)["names"] != rects(still)["names"]
    game.plays("throw 1 2 3 5 5")
    for each in (page, still):
        expect(each.locator("#standings .running")).to_have_text("+10 this turn")
        settled(each)
    assert rects(page) == rects(still)


def test_the_set_up_shows_the_dice_and_the_panels_that_move_aside(
    phones: Phones, client: httpx2.Client, tmp_path: Path
) -> None:
    game = photographed(client, picture := a_throw_in_a_part(0, 0.15, 0.5, 6))
    page = phones.phone()
    page.set_viewport_size({"width": 1600, "height": 1000})
    page.goto(f"{phones.server}/overlay/{game.id}/setup#{game.viewer}")
    expect(page.locator("#outlines rect")).to_have_count(7)
    expect(page.locator("#outlines-told")).to_contain_text("Dashed")
    picture.save(ground := tmp_path / "ground.jpg")
    page.locator("#ground").set_input_files(ground)
    preview = page.frame_locator("#preview")
    names = preview.locator("#names")
    expect(names).to_have_attribute("style", re.compile(r"translate: [^;]*[1-9]"))
    page.screenshot(path=tmp_path / "fill.png")
    page.locator("#camera").select_option("fit")
    expect(page.locator("#address")).to_have_value(re.compile(r"\?camera=fit#"))
    expect(page.locator("#screen")).to_have_css("background-size", "contain")
    page.screenshot(path=tmp_path / "fit.png")
    page.locator("#camera").select_option("off")
    expect(page.locator("#outlines rect")).to_have_count(0)
    expect(names).to_have_attribute("style", re.compile(r"translate: 0px(;| 0px)"))
    expect(page.locator("#address")).to_have_value(re.compile(r"\?camera=off#"))
    opens = phones.phone()
    opens.goto(page.locator("#address").input_value())
    expect(opens.locator("#names")).to_contain_text("Ann")
    page.goto("about:blank")
    page.goto(f"{phones.server}/overlay/{a_game(client, 'crib-dice').id}/setup#{game.player}")
    expect(page.locator("#trouble")).to_be_visible()


def test_the_set_up_without_a_token_says_what_is_missing_and_shows_no_controls(
    phones: Phones, client: httpx2.Client
) -> None:
    game, page = a_game(client, "crib-dice"), phones.phone()
    page.goto(f"{phones.server}/overlay/{game.id}/setup")
    expect(page.locator("#no-token")).to_contain_text("This address lacks the part after #")
    expect(page.locator("#no-token a")).to_have_attribute("href", f"/table/{game.id}")
    for controls in ("#settings", "#copy", "#preview"):
        expect(page.locator(controls)).to_be_hidden()
    page.goto(f"{phones.server}/overlay/{game.id}/setup#{game.viewer}")
    expect(page.locator("#settings")).to_be_visible()
    expect(page.locator("#no-token")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_set_up_shows_what_lies_under_the_overlay(
    phones: Phones, client: httpx2.Client, scheme: str, tmp_path: Path
) -> None:
    """In dark mode the preview had a white ground of its own."""
    page = phones.phone(scheme)
    page.set_viewport_size({"width": 1600, "height": 1000})
    game = a_game(client, "crib-dice")
    page.goto(f"{phones.server}/overlay/{game.id}/setup#{game.viewer}")
    expect(page.frame_locator("#preview").locator("#names")).to_contain_text("Ann")
    Image.new("RGB", (160, 90), "#2858c8").save(ground := tmp_path / "ground.png")
    page.locator("#ground").set_input_files(ground)
    expect(page.locator("#screen")).to_have_css("background-image", re.compile("blob:"))
    with Image.open(BytesIO(page.locator("#screen").screenshot(path=tmp_path / f"{scheme}.png"))) as shot:
        blue = (np.asarray(shot.convert("RGB")) == (0x28, 0x58, 0xC8)).all(axis=2)
    assert blue.mean() > 0.3


def test_parts_themes_and_places_are_as_the_address_asks(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6", "point 5", "throw 1 2 3 5 5")
    page = overlay(phones, game, query="?parts=roll,%20score,names&roll=top-right&score=bottom&theme=light&scale=1.5")
    expect(page.locator("#who")).to_have_text("Ann")
    assert shown(page) == ["5", "5", "1", "2", "3", "5", "5"]
    expect(page.locator("#pieces .aside")).to_have_count(2)
    assert shown(page, ".melds") == ["5"] * 4
    assert page.locator(".melds li").all_inner_texts()[-1] == "+8 points"
    parts = rects(page)
    assert set(parts) == {"roll", "score", "names"}
    assert parts["roll"]["right"] > WIDE[0] * 0.95
    assert parts["roll"]["top"] < WIDE[1] * 0.05
    assert parts["score"]["left"] + parts["score"]["right"] == pytest.approx(WIDE[0], abs=40)
    assert parts["score"]["bottom"] > WIDE[1] * 0.95
    assert page.locator("#problems").is_hidden()
    look = "() => [document.documentElement.dataset.theme, parseFloat(getComputedStyle(document.body).fontSize)]"
    assert page.evaluate(look) == ["light", pytest.approx(1080 * 0.024 * 1.5)]
    check_room(page, WIDE)


def test_a_choice_that_a_camera_inferred_says_so_where_it_is_counted_out(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "cribbage-dice", "throw 11 4 5 10 10")
    game.plays("stop", inferred=True)
    page = overlay(phones, game)
    expect(page.locator("#events .text").first).to_have_text("Ann counts 11\u20114\u20115\u201110\u201110 (inferred)")
    expect(page.locator("#events .melds li")).not_to_have_count(0)


def test_odds_that_the_server_could_not_say_are_asked_for_again(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6")
    page = overlay(phones, game)
    expect(page.locator("#odds.old")).to_have_count(0)
    busy = {"status": 503, "code": "busy", "detail": "The server is busy. Try again."}
    page.route("**/outlook", lambda route: route.fulfill(status=503, json=busy))
    game.plays("point 5")
    expect(page.locator("#trouble")).to_have_text(busy["detail"])
    page.unroute("**/outlook")
    expect(page.locator("#trouble")).to_be_hidden(timeout=30_000)
    expect(page.locator("#odds.old")).to_have_count(0)
    page.route("**/outlook", lambda route: route.abort())
    game.plays("throw 1 2 3 5 5")
    expect(page.locator("#odds.old")).to_have_count(1)
    page.unroute("**/outlook")
    page.evaluate("dispatchEvent(new Event('online'))")  # the event stream is opened anew, and tells the same state
    expect(page.locator("#odds.old")).to_have_count(0)


def test_an_overlay_whose_link_was_revoked_says_so(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6")
    page = overlay(phones, game)
    expect(page.locator("#who")).to_have_text("Ann")
    revoked = {
        "status": 401,
        "code": "revoked-token",
        "detail": "This link was revoked. Ask the host of the game for a new one.",
    }
    page.route(re.compile(f"/v1/games/{game.id}(/events)?$"), lambda route: route.fulfill(status=401, json=revoked))
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#trouble")).to_have_text(revoked["detail"])


def test_odds_that_arrive_late_do_not_hide_that_the_link_was_revoked(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6")
    page = overlay(phones, game)
    expect(page.locator("#who")).to_have_text("Ann")
    held: list[Route] = []
    page.route("**/outlook", lambda route: held.append(route))
    with page.expect_request("**/outlook"):
        game.plays("point 5")
    revoked = {"status": 401, "code": "revoked-token", "detail": "This link was revoked."}
    page.route(re.compile(f"/v1/games/{game.id}(/events)?$"), lambda route: route.fulfill(status=401, json=revoked))
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#trouble")).to_have_text(revoked["detail"])
    with page.expect_response("**/outlook"):
        held[0].continue_()
    expect(page.locator("#odds")).not_to_have_class(re.compile("old"))
    expect(page.locator("#trouble")).to_have_text(revoked["detail"])


def test_what_is_not_understood_or_not_allowed_is_said_in_plain_words(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6")
    page = overlay(phones, game, query="?colour=red&roll=lower&scale=9&camera=near&parts=roll,dise&theme=a&theme=b")
    said = page.locator("#problems")
    expect(said).to_contain_text("“colour” is not a setting. Choose from parts, theme, scale, camera, language, names")
    expect(said).to_contain_text("“lower” is not a place for “roll”. Choose from top-left")
    expect(said).to_contain_text("scale must be 0.4 to 3, got “9”.")
    expect(said).to_contain_text("camera must be one of fill, fit, off, got “near”.")
    expect(said).to_contain_text("“parts” names “dise”, which is no part. Choose from names")
    expect(said).to_contain_text("“theme” is given more than once.")
    expect(page.locator("#who")).to_have_text("Ann")
    for token, words in ((game.player, "this page is public"), ("wrong", "needs a token"), ("", "incomplete")):
        page.goto("about:blank")
        page.goto(f"{phones.server}/overlay/{game.id}#{token}")
        expect(page.locator("#trouble")).to_contain_text(words)
        expect(page.locator(".part").filter(visible=True)).to_have_count(0)


CONTRASTS = """(theme) => {
    document.documentElement.dataset.theme = theme;
    const channels = (text) => text.match(/[\\d.]+/g).map(Number);
    const light = (channel) => (channel /= 255) <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) => 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);
    const over = ([red, green, blue, alpha = 1], under) => [red, green, blue].map((value) => value * alpha + under * (1 - alpha));
    const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const speaks = (each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const texts = [...document.querySelectorAll("#zones .part *")].filter((each) => speaks(each) && !each.closest("svg"));
    return texts.flatMap((each) => {
        const [ink, ground] = [each, each.closest(".part")].map((one) => getComputedStyle(one));
        const colour = luminance(channels(ink.color));
        const grounds = [0, 255].map((under) => luminance(over(channels(ground.backgroundColor), under)));
        return grounds.map((behind) => [each.textContent, ratio(colour, behind)]);
    });
}"""


@pytest.mark.parametrize("players", [("Ann", "Ben"), ("Ann", "Ben", "Cleo", "Dora")], ids=["two", "four"])
def test_panels_lie_on_nothing_in_windows_between_wide_and_high(
    phones: Phones, client: httpx2.Client, players: tuple[str, ...], tmp_path: Path
) -> None:
    moves = ("throw 1 2 3 4 5 5 6", "point 5", "throw 1 2 3 5 5")
    page = overlay(phones, a_game(client, "crib-dice", *moves, players=players))
    for size in (WIDE, (1250, 1000), SQUARE, (800, 1000), (680, 1000), (660, 1000), (400, 800)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        settled(page)
        assert rects(page).keys() == {"names", "board", "odds", "roll", "score"}
        over_chequers(page, tmp_path / f"{size[0]}x{size[1]}.png")
        check_room(page, size)


@pytest.mark.parametrize("size", [WIDE, HIGH, SQUARE])
def test_four_games_fit_all_formats_with_six_players_and_long_names(
    phones: Phones, client: httpx2.Client, size: tuple[int, int], tmp_path: Path
) -> None:
    dice = a_game(client, "cribbage-dice", "throw 5 5 10 10 11", "keep 5 10 10", "throw 5", "stop", players=LONG)
    page = overlay(phones, dice, size)
    expect(page.locator("#pieces .starter")).to_have_attribute("data-value", "5")
    expect(page.locator(".melds li")).to_have_count(10)
    alone = over_chequers(page, tmp_path / "cribbage-dice.png")
    assert alone.getpixel((size[0] // 2, size[1] // 2))[3] == 0
    check_room(page, size)
    for theme in ("dark", "light", "wood", "contrast"):
        contrasts = page.evaluate(CONTRASTS, theme)
        assert len(contrasts) > 30
        assert [each for each in contrasts if each[1] < 4.5] == []
        over_chequers(page, tmp_path / f"{theme}.png")
    farkle = a_game(
        client,
        "farkle-crib",
        "throw 2 3 3 4 4 6",
        "throw 1 2 2 3 4 5",
        "keep 1",
        players=LONG,
        rules="bonus=three-farkles",
    )
    page = overlay(phones, farkle, size)
    expect(page.locator("#streaks")).to_have_text(f"{LONG[0]} 1 farkle")
    expect(page.locator("#risk")).to_have_text("throw five dice: 8% farkle")
    over_chequers(page, tmp_path / "farkle.png")
    check_room(page, size)
    crib = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6", players=LONG, rules="partners=true")
    page = overlay(phones, crib, size)
    expect(page.locator("#standings .side").first).to_contain_text(f"{LONG[0]} and Dorothea")
    over_chequers(page, tmp_path / "crib-dice.png")
    check_room(page, size)
    game = counted(client)
    assert sum(len(event["items"]) for event in game.snapshot["events"]) > 12
    page = overlay(phones, game, size)
    expect(page.locator("#pieces .domino")).to_have_count(9)
    over_chequers(page, tmp_path / "dominoes.png")
    check_room(page, size)


def counted(client: httpx2.Client) -> Player:
    """A game of dominoes whose first hands, as rich as any, have just been counted."""
    hands = ("deal 1 0-0 2-0 3-2 4-1 5-0 6-4", "deal 0 1-0 1-1 4-3 5-2 6-1 6-2")
    game = a_game(client, "domino-cribbage", *hands, "discard 0-0 2-0", "discard 1-0 1-1", "starter 5-5")
    while "counted" not in {event["name"] for event in game.snapshot["events"]}:
        game.goes_on()
    return game


def test_a_whole_game_at_once_ends_with_its_winner_and_motion_can_be_switched_off(
    phones: Phones, client: httpx2.Client, tmp_path: Path
) -> None:
    game = a_game(client, "crib-dice", rules="finish=31")
    page, calm = overlay(phones, game), overlay(phones, game)
    calm.emulate_media(reduced_motion="reduce")
    for each in (page, calm):
        expect(each.locator("#prompt")).to_contain_text("Ann")
        each.evaluate("""() => {
            window.moved = 0;
            addEventListener("animationstart", () => window.moved++);
        }""")
    while game.snapshot["result"] is None:
        game.goes_on()
    for each in (page, calm):
        expect(each.locator("#prompt")).to_contain_text(f"{game.snapshot['result']['winners'][0]} wins.")
        assert holes(each) == [str(pegs["back"]) for pegs in game.snapshot["board"]["pegs"]]
        assert sorted(shown(each)) == sorted(map(str, thrown_last(game)))
        expect(each.locator("#odds")).to_be_hidden()
        expect(each.locator("#trouble")).to_be_hidden()
    assert page.evaluate("window.moved") > 0
    assert calm.evaluate("window.moved") == 0
    over_chequers(page, tmp_path / "over.png")


def thrown_last(game: Player) -> list[int]:
    lying = game.snapshot["on_table"]
    return [*lying["aside"], *lying["thrown"]]


def moved(page: Page, name: str) -> None:
    """Wait for an animation. (Playwright's own waiting evaluates strings in the page, which its policy forbids.)"""
    for _ in range(600):
        if name in page.evaluate("window.moved"):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{name} never began: {page.evaluate('window.moved')}")


def test_a_later_snapshot_cuts_an_animation_short(phones: Phones, client: httpx2.Client) -> None:
    game = a_game(client, "cribbage-dice", "throw 5 5 5 10 10")
    page = overlay(phones, game)
    expect(page.locator("#who")).to_have_text("Ann")
    page.evaluate("""() => {
        window.moved = [];
        addEventListener("animationstart", (event) => window.moved.push(event.animationName));
    }""")
    game.plays("stop")
    expect(page.locator(".melds li")).to_have_count(10)
    moved(page, "told")
    assert set(page.evaluate("window.moved")) == {"told"}, "dice already on the table are not thrown again"
    game.plays("throw 7 1 2 3 4")
    expect(page.locator("#who")).to_have_text("Ben")
    expect(page.locator(".melds li")).to_have_count(0)
    assert shown(page) == ["7", "1", "2", "3", "4"]
    moved(page, "thrown")


def test_a_server_that_falls_silent_or_dies_is_said_and_then_the_game_is_right_at_once(
    browser: Browser, tmp_path: Path
) -> None:
    data = ("--data", str(tmp_path / "data"))
    with served(tmp_path / "one", *data) as first:
        phones = Phones(browser, first.url)
        client = httpx2.Client(base_url=first.url, timeout=60)
        game = a_game(client, "crib-dice", "throw 1 2 3 4 5 5 6", "point 5")
        page = phones.phone()
        page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        page.clock.install()
        page.goto(f"{first.url}/overlay/{game.id}#{game.viewer}")
        expect(page.locator("#standings .running")).to_have_text("+2 this turn")
        first.process.send_signal(SIGSTOP)
        expect(page.locator("#connection")).to_be_hidden()
        page.clock.fast_forward(41_000)
        expect(page.locator("#connection")).to_contain_text("Connection lost. State of the game at")
        first.process.send_signal(SIGCONT)
        expect(page.locator("#connection")).to_be_hidden()
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        first.ended(SIGKILL)
        expect(page.locator("#connection")).to_contain_text("Connection lost")
        over_chequers(page, tmp_path / "lost.png")
        expect(page.locator("#standings .running")).to_have_text("+2 this turn")
        later = page.context.new_page()
        later.goto(page.url)
        expect(later.locator("#trouble")).to_have_text("Connection lost. Reconnecting…")
    with served(tmp_path / "two", *data, port=first.port):
        game.plays("throw 1 2 3 5 5")
        expect(page.locator("#connection")).to_be_hidden()
        expect(page.locator("#standings .running")).to_have_text("+10 this turn")
        assert shown(page) == ["5", "5", "1", "2", "3", "5", "5"]
        expect(page.locator("body.lost")).to_have_count(0)
        game.plays("stop")
        for each in (page, later):
            expect(each.locator("#prompt")).to_contain_text("Ben")
        client.close()
        phones.close()
