"""From the start page to the first throw in few taps; and from the last throw to the next game."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from api.http.addresses import lan_addresses
from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import (
    CHROMIUM,
    NO_CHROMIUM,
    Phones,
    begun,
    chooses,
    joins,
    links,
    scanned,
    serving,
    types,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

WON = ("throw 1 2 3 4 5 6", "keep 1 2 3 4 5 6", "stop", "throw 2 2 3 3 4 6") * 2
"""With a bonus for straights Ann pegs 25 twice, and Ben farkles twice."""


def opens(phone: Page, server: str) -> None:
    phone.goto(f"{server}/#join={JOIN_TOKEN}")
    expect(phone.locator("#cards .card").first).to_be_visible()


MOST = 150_000
"""Bytes of the first visit."""


def test_the_start_page_is_light_and_opens_without_a_network_from_then_on(phones: Phones) -> None:
    phone = phones.phone()
    devtools = phone.context.new_cdp_session(phone)
    devtools.send("Network.enable")
    sizes: list[int] = []
    devtools.on("Network.loadingFinished", lambda told: sizes.append(int(told["encodedDataLength"])))
    phone.goto(phones.server)
    expect(phone.locator("#cards .card").first).to_be_visible()
    phone.wait_for_load_state("networkidle")
    assert 20_000 < sum(sizes) < MOST
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    phone.context.set_offline(True)
    phone.goto("about:blank")
    phone.goto(phones.server)
    expect(phone.locator("#cards .card").first).to_be_visible()
    phone.goto(f"{phones.server}/rules/crib-dice")
    expect(phone.locator("#options dt").first).to_be_visible()


@pytest.mark.parametrize("size", [(844, 390), (360, 640)], ids=["on its side", "small"])
@pytest.mark.parametrize("page", ["", "history", "rules/crib-dice"])
def test_a_page_is_as_wide_as_the_phone(phones: Phones, page: str, size: tuple[int, int]) -> None:
    phone = phones.phone()
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    phone.goto(f"{phones.server}/{page}#join={JOIN_TOKEN}")
    expect(phone.locator("main")).to_be_visible()
    widest, whole = phone.evaluate(
        "[Math.max(...[...document.querySelectorAll('main > *')].map((part) => part.offsetWidth)), document.body.scrollWidth]"
    )
    assert 0.85 * size[0] < widest <= size[0]
    assert whole <= size[0]


def test_a_game_is_begun_from_its_card_with_ready_made_rules(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    opens(phone, phones.server)
    chooses(phone, "farkle-crib")
    card = phone.locator(".card", has_text="Farkle Cribbage")
    expect(card).to_contain_text("Dice · 2 to")
    card.get_by_text("Rules in half a minute").click()
    expect(card.locator("li")).to_have_count(4)
    phone.locator("#presets").get_by_text("Short").click()
    expect(phone.locator("#changed")).to_have_text("finish=61")
    phone.locator("#presets").get_by_text("All bonuses").click()
    expect(phone.locator("#changed")).not_to_contain_text("finish")
    phone.locator("#rule-options summary").click()
    phone.get_by_label("Finish", exact=True).fill("10")
    expect(phone.locator("#presets input:checked")).to_have_count(0)
    phone.locator("#begin").click()
    expect(phone.locator(".rule", has_text="Finish").locator("#trouble")).to_be_in_viewport()
    phone.screenshot(path=tmp_path / "start.png", full_page=True)


def test_a_game_without_rules_in_short_links_to_its_options(phones: Phones) -> None:
    phone = phones.phone()

    def without(route: Route) -> None:
        told = route.fetch().json()
        route.fulfill(json={**told, "games": [{**each, "in_short": []} for each in told["games"]]})

    phone.context.route("**/table/games.json", without)
    opens(phone, phones.server)
    chooses(phone, "farkle-crib")
    card = phone.locator(".card", has_text="Farkle Cribbage")
    expect(card).not_to_contain_text("Rules in half a minute")
    card.get_by_role("link", name="The rules in full").click()
    expect(phone.locator("#options")).to_contain_text("Finish")
    expect(phone.get_by_role("heading", name="Rules in half a minute")).to_be_hidden()


def test_a_refusal_that_names_a_switch_opens_more_rules_at_it(phones: Phones) -> None:
    phone = phones.phone()
    opens(phone, phones.server)
    chooses(phone, "crib-dice")
    for _ in range(4):
        phone.get_by_role("button", name="Add player").click()
    phone.locator("#begin").click()
    expect(phone.locator(".rule", has_text="Partners").locator("#trouble")).to_contain_text("switch partners on")
    partners = phone.get_by_label("Partners", exact=True)
    expect(partners).to_be_focused()
    expect(partners).to_be_in_viewport()
    partners.check()
    phone.locator("#begin").click()
    expect(phone.locator("#prompt")).to_contain_text("Player 1")


def test_a_round_limit_shows_that_it_is_played_instead_of_the_target(phones: Phones) -> None:
    phone = phones.phone()
    opens(phone, phones.server)
    chooses(phone, "cribbage-dice")
    phone.get_by_text("More rules").click()
    target, rounds = phone.get_by_label("Target", exact=True), phone.get_by_label("Round limit", exact=True)
    rounds.fill("20")
    expect(target).to_have_value("0")
    rounds.fill("0")
    expect(target).to_have_value("90")
    rounds.fill("20")
    target.fill("90")
    rounds.fill("12")
    expect(target).to_have_value("90")
    expect(phone.locator("#changed")).to_have_text("target=90, round_limit=12")
    with phone.expect_request("**/v1/games") as asked:
        phone.locator("#begin").click()
    assert asked.value.post_data_json["rules"] == ["target=90", "round_limit=12"]
    expect(phone.locator("#prompt")).to_be_visible()


def test_a_double_tap_on_begin_makes_one_game(phones: Phones) -> None:
    phone, asked = phones.phone(), list[str]()
    opens(phone, phones.server)
    phone.on("request", lambda sent: asked.append(sent.url) if sent.method == "POST" else None)
    phone.locator("#begin").dblclick()
    expect(phone.locator("#prompt")).to_contain_text("Player 1")
    assert asked.count(f"{phones.server}/v1/games") == 1


def test_the_second_game_of_an_evening_is_begun_with_one_tap(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="farkle")
    phone.get_by_role("link", name="All games").click()
    expect(phone.locator(".card:visible")).to_have_count(1)
    expect(phone.get_by_label("Player 2")).to_have_value("Ben")
    phone.locator("#begin").click()
    expect(phone.locator("#prompt")).to_contain_text("Ann")
    expect(phone.locator("#title")).to_have_text("Farkle")


def test_a_game_that_is_over_is_told_drawn_sent_and_played_again(phones: Phones, tmp_path: Path) -> None:
    ann, ben = phones.phone(), phones.phone("dark")
    opens(ann, phones.server)
    chooses(ann, "farkle-crib")
    ann.get_by_label("Player 1").fill("Ann")
    ann.get_by_label("Player 2").fill("Ben")
    ann.get_by_text("More rules").click()
    ann.get_by_label("Finish", exact=True).fill("31")
    ann.get_by_role("checkbox", name="Straight").check()
    ann.get_by_label("Opening roll").uncheck()
    ann.locator("#begin").click()
    expect(ann.locator("#prompt")).to_contain_text("Ann")
    joins(ben, links(ann)[0], "Ben")
    first = ann.url
    types(ann, *WON)
    for phone in (ann, ben):
        expect(phone.locator("#prompt")).to_have_text("Ann wins.")
        expect(phone.locator("#moments")).to_contain_text("Won by 50 points.")
        expect(phone.locator("#moments")).to_contain_text("Best turn: Ann pegs 25 points")
        expect(phone.locator("#moments")).to_contain_text("above what best play brings on average in 2 turns")
        expect(phone.locator("#curve polyline")).to_have_count(2)
    expect(ann.locator("#curve")).to_have_attribute(
        "aria-label", "The score after each of 4 turns. At the end, Ann: 50; Ben: 0"
    )
    ann.screenshot(path=tmp_path / "over.png", full_page=True)
    ben.screenshot(path=tmp_path / "over-dark.png", full_page=True)
    with ann.expect_download() as saved:
        ann.locator("#send-picture").click()
    with Image.open(BytesIO(Path(saved.value.path()).read_bytes())) as picture:
        assert picture.size == (1080, 1080)
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 3
    for phone in (ben, ann):
        phone.locator("#rematch").click()
        phone.wait_for_url(lambda url: url != first)
        expect(phone.locator("#prompt")).to_contain_text("Ann: throw all six dice")
    assert ann.url == ben.url


def test_points_that_are_close_at_the_end_are_not_drawn_on_each_other(phones: Phones) -> None:
    phone = phones.phone()

    def close(route: Route) -> None:
        story = route.fetch().json()
        story["turns"][-1]["scores"] = [50, 49]
        route.fulfill(json=story)

    phone.route("**/story", close)
    begun(phone, phones.server, ("Finish", "31"), game="farkle-crib")
    turns = ("throw 1 1 2 6 6 6", "keep 1 1 6 6 6", "stop", "throw 2 2 3 3 4 6") * 2
    types(phone, "opening 6 6", "opening 1 2", *turns)
    expect(phone.locator("#curve text")).to_have_text(["50", "49"])
    upper, lower = (phone.locator("#curve text").nth(place).bounding_box() for place in (0, 1))
    assert upper
    assert lower
    assert lower["y"] - upper["y"] > 10  # 12 of the drawing, which is about as wide as the phone


def test_open_hands_are_chosen_at_the_start_and_shown_on_every_phone(phones: Phones) -> None:
    ann, ben = phones.phone(), phones.phone()
    opens(ann, phones.server)
    expect(ann.locator("#hands")).to_be_hidden()
    chooses(ann, "domino-cribbage")
    ann.get_by_label("Open: every phone shows every hand").check()
    ann.locator("#begin").click()
    expect(ann.locator("#hands-open")).to_be_visible()
    ben.goto(links(ann)[1])
    expect(ben.locator("#hands-open")).to_be_visible()
    types(ann, "opening 6-6", "opening 0-0", "deal 1 1-0 1-1 2-0 2-1 2-2 3-0", "deal 0 3-1 3-2 3-3 4-0 4-1 4-2")
    for phone in (ann, ben):
        expect(phone.locator("#hands")).to_contain_text("1-0 1-1 2-0 2-1 2-2 3-0")
        expect(phone.locator("#hands")).to_contain_text("3-1 3-2 3-3 4-0 4-1 4-2")


def test_a_code_stays_that_was_typed_before_somebody_listens(phones: Phones) -> None:
    phone = phones.phone()
    held: list[Route] = []
    phone.route("**/table/words/*.json", lambda route: held.append(route))
    with phone.expect_request("**/table/words/*.json"):
        phone.goto(phones.server, wait_until="commit")
    join = phone.get_by_role("button", name="Join", exact=True)
    phone.locator("#code").fill("AAA-AAA")
    phone.keyboard.press("Enter")
    expect(join).to_be_disabled()
    expect(phone.locator("#begin")).to_be_disabled()
    for route in held:
        route.continue_()
    expect(join).to_be_enabled()
    expect(phone.locator("#begin")).to_be_enabled()
    expect(phone.locator("#code")).to_have_value("AAA-AAA")


def test_a_second_phone_joins_by_the_code_that_the_first_one_shows(phones: Phones) -> None:
    ann, ben = phones.phone(), phones.phone()
    begun(ann, phones.server)
    expect(ann.locator("#invite-code")).to_have_text(re.compile(r"^\w{3}-\w{3}$"))
    code = ann.locator("#invite-code").inner_text()
    ben.goto(phones.server)
    ben.get_by_role("button", name="Join", exact=True).click()
    expect(ben.locator("#code-trouble")).to_contain_text("The code is missing.")
    ben.locator("#code").fill("AAA-AAA")
    ben.get_by_role("button", name="Join", exact=True).click()
    expect(ben.locator("#code-trouble")).to_contain_text("This code is wrong or too old.")
    ben.locator("#code").fill(code.lower().replace("-", " "))
    ben.keyboard.press("Enter")
    expect(ben.locator("#who")).to_be_visible()
    ben.locator("#who-names").get_by_text("Ben", exact=True).click()
    ben.locator("#who-join").click()
    expect(ben.locator("#dock")).to_be_visible()
    # The invitation is gone once somebody has played; the code is still behind the tab.
    types(ann, "opening 1 2")
    expect(ann.locator("#invite")).to_be_hidden()
    ann.get_by_role("tab", name="Share").click()
    expect(ann.locator("#join-code")).to_have_text(code)


AT_HOME = lan_addresses()


@pytest.mark.skipif(not AT_HOME, reason="this computer is in no network")
def test_links_for_other_devices_name_the_address_in_the_network(phones: Phones) -> None:
    phone, other = phones.phone(), phones.phone()
    begun(phone, phones.server)
    links(phone)
    network = phones.server.replace("127.0.0.1", AT_HOME[0])
    for role in ("player", "viewer"):
        assert scanned(phone, f"#{role}-qr") == phone.locator(f"#{role}-link").input_value()
    phone.get_by_role("button", name="Make a camera link").click()
    for role in ("player", "viewer", "camera"):
        field = phone.locator(f"#{role}-link")
        expect(field).to_have_value(re.compile(f"^{re.escape(network)}/table/"))
    expect(phone.locator("#camera-qr")).to_be_visible()
    expect(phone.locator("#only-here")).to_be_hidden()
    expect(phone.locator("#overlay-link")).to_have_value(re.compile(f"^{re.escape(phones.server)}/overlay/"))
    phones.addresses.append(network)
    other.goto(phone.locator("#viewer-link").input_value())
    expect(other.locator("#watching")).to_be_visible()
    expect(other.locator("#prompt")).to_contain_text("Ann")


def test_a_server_of_this_computer_alone_says_so_beside_the_links(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data", host="127.0.0.1") as server:
        table = Phones(browser, server)
        phone = table.phone()
        begun(phone, server)
        assert links(phone)[0].startswith(server)
        expect(phone.locator("#only-here")).to_contain_text("Only this computer can open these links.")
        for role in ("player", "viewer"):
            expect(phone.locator(f"#{role}-qr")).to_be_hidden()
        table.close()


def test_a_server_without_games_has_no_empty_list_of_them(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        table = Phones(browser, server)
        phone = table.phone()
        phone.goto(f"{server}/history#join={JOIN_TOKEN}")
        expect(phone.locator("#counted")).to_have_text("No game is over yet.")
        expect(phone.get_by_role("heading", name="Games", exact=True)).to_be_hidden()
        begun(phone, server)
        phone.goto(f"{server}/history")
        expect(phone.get_by_role("heading", name="Games", exact=True)).to_be_visible()
        expect(phone.locator("#games li")).to_have_count(1)
        table.close()


def test_the_games_of_the_evening_and_what_each_player_did_are_listed_on_the_host(
    phones: Phones, tmp_path: Path
) -> None:
    ann, stranger = phones.phone(), phones.phone()
    opens(ann, phones.server)
    chooses(ann, "farkle-crib")
    for number, name in enumerate(("Johanna", "Emil"), start=1):
        ann.get_by_label(f"Player {number}").fill(name)
    ann.get_by_text("More rules").click()
    ann.get_by_label("Finish", exact=True).fill("31")
    ann.get_by_role("checkbox", name="Straight").check()
    ann.get_by_label("Opening roll").uncheck()
    ann.locator("#begin").click()
    expect(ann.locator("#prompt")).to_contain_text("Johanna")
    types(ann, *WON)
    expect(ann.locator("#prompt")).to_have_text("Johanna wins.")
    game = ann.url
    ann.goto(phones.server)
    ann.get_by_role("link", name="Games played here, and players").click()
    listed = ann.locator("#games li").first
    expect(listed).to_contain_text("Johanna won: Johanna 50, Emil 0")
    best = ann.locator(".tally", has=ann.get_by_role("heading", name="Johanna", exact=True))
    expect(best).to_contain_text("won 1 of one game")
    expect(best).to_contain_text("Best throw: Johanna sets aside straight for 25 points")
    expect(ann.locator(".tally", has=ann.get_by_role("heading", name="Emil", exact=True))).to_contain_text(
        "won 0 of one game"
    )
    ann.screenshot(path=tmp_path / "history.png", full_page=True)
    listed.get_by_role("link").click()
    ann.wait_for_url(game)
    stranger.goto(f"{phones.server}/history")
    expect(stranger.locator("#trouble")).to_contain_text("To see the games of this server, scan the code")
    expect(stranger.locator("#games li")).to_have_count(0)
    expect(stranger.locator("h2:visible")).to_have_count(0)


@pytest.mark.parametrize("page", ["table", "camera"])
def test_the_page_of_a_game_that_nobody_joined_here_has_no_dead_controls(phones: Phones, page: str) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/{page}/abc")
    expect(phone.locator("#prompt")).to_have_text("This game cannot be opened")
    expect(phone.locator("#trouble")).to_contain_text("Open the link that the players gave you, or type")
    expect(phone.locator("button:visible, video:visible, [role=tabpanel]:visible")).to_have_count(0)
    phone.locator("a[href='/']:visible").click()
    expect(phone.locator("#code")).to_be_visible()
