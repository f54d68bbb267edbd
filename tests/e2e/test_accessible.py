"""No page breaks a rule of WCAG that a machine can check (axe-core), in any state, light or dark, in English."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, begun, chooses, links, opens, types
from tests.e2e.read_aloud import tree, written
from tests.e2e.test_start_and_end import WON

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

SAMPLE = "docs/sample-throw.jpg"


def start(phone: Page, server: str) -> None:
    phone.goto(f"{server}/#join={JOIN_TOKEN}")
    expect(phone.locator("#cards .card").first).to_be_visible()
    phone.locator("#rule-options summary").click()


def wrong_code(phone: Page, server: str) -> None:
    start(phone, server)
    phone.locator("#code").fill("AAA-AAA")
    phone.keyboard.press("Enter")
    expect(phone.locator("#code-trouble")).to_be_visible()


def new_game(phone: Page, server: str) -> None:
    begun(phone, server)
    expect(phone.locator("#invite-code")).not_to_be_empty()


def turn(phone: Page, server: str) -> None:
    begun(phone, server)
    types(phone, "6 1", "1 2", "1 2 2 4 5 5 6")
    expect(phone.locator(".offer").first).to_be_visible()


def doubt(phone: Page, server: str) -> None:
    turn(phone, server)
    phone.locator(".offer").first.click()
    with phone.expect_response("**/photos"):
        phone.locator("#camera").set_input_files(SAMPLE)
    expect(phone.locator("#stage")).to_be_visible()


def tab(name: str) -> Callable[[Page, str], None]:
    def opened(phone: Page, server: str) -> None:
        turn(phone, server)
        opens(phone, name)

    return opened


def over(phone: Page, server: str) -> None:
    phone.goto(f"{server}/#join={JOIN_TOKEN}")
    chooses(phone, "farkle-crib")
    phone.get_by_text("More rules").click()
    phone.get_by_label("Finish", exact=True).fill("31")
    phone.get_by_role("checkbox", name="Straight").check()
    phone.get_by_label("Opening roll").uncheck()
    phone.locator("#begin").click()
    expect(phone.locator("#prompt")).to_contain_text("Player 1")
    types(phone, *WON)
    expect(phone.locator("#curve")).to_be_visible()


def past(phone: Page, server: str) -> None:
    over(phone, server)
    phone.goto(f"{server}/history")
    expect(phone.locator("#games li").first).to_be_visible()
    expect(phone.locator(".tally").first).to_be_visible()


def watching(phone: Page, server: str) -> None:
    begun(phone, server)
    _, viewer = links(phone)
    phone.evaluate("() => localStorage.clear()")  # as a phone that never played here
    phone.goto("about:blank")
    phone.goto(viewer)
    expect(phone.locator("#watching")).to_be_visible()


def scoreboard(phone: Page, server: str) -> None:
    turn(phone, server)
    opens(phone, "Share")
    phone.goto(phone.locator("#scoreboard").evaluate("link => link.href"))
    expect(phone.locator(".side").first).to_be_visible()


def overlay_setup(phone: Page, server: str) -> None:
    turn(phone, server)
    opens(phone, "Share")
    phone.goto(phone.locator("#overlay-setup").evaluate("link => link.href"))
    expect(phone.locator("iframe, #preview").first).to_be_visible()


def reading(phone: Page, server: str) -> None:
    phone.goto(f"{server}/read")
    with phone.expect_response("**/v1/readings"):
        phone.locator("input[type=file]").first.set_input_files(SAMPLE)
    expect(phone.locator(".die").first).to_be_visible()


def page(path: str) -> Callable[[Page, str], None]:
    def opened(phone: Page, server: str) -> None:
        phone.goto(server + path)
        expect(phone.locator("h1").first).to_be_visible()

    return opened


STATES: dict[str, Callable[[Page, str], None]] = {
    "start": start,
    "wrong code": wrong_code,
    "new game": new_game,
    "turn": turn,
    "doubt": doubt,
    "board": tab("Board"),
    "odds": tab("Odds"),
    "moves": tab("Moves"),
    "share": tab("Share"),
    "over": over,
    "history": past,
    "watching": watching,
    "scoreboard": scoreboard,
    "overlay set-up": overlay_setup,
    "reading": reading,
    "rules": page("/rules/crib-dice"),
    "verify": page("/verify"),
    "no page": page("/nonsense"),
    "no certificate": page("/trust"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_no_rule_that_a_machine_can_check_is_broken(phones: Phones, state: str, scheme: str) -> None:
    phone = phones.phone(scheme)
    STATES[state](phone, phones.server)
    # Colours that fade in have less contrast for a moment. (Animations without an end are not waited for.)
    phone.evaluate(
        "() => Promise.all(document.getAnimations()"
        ".filter((each) => each.effect.getComputedTiming().endTime < Infinity).map((each) => each.finished))"
    )
    found = Axe().run(phone)
    told = [
        (each["id"], node["target"], node["failureSummary"])
        for each in found.response["violations"]
        for node in each["nodes"]
    ]
    assert told == []


def test_what_a_screen_reader_finds_is_what_is_written_down(phones: Phones) -> None:
    assert tree(phones) == written(), "The page has changed: python -m tests.e2e.read_aloud"
