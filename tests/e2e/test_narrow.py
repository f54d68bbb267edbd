"""German pages on narrow phones: long words neither widen a page nor break in the middle."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.api.http.games.play import JOIN_TOKEN
from tests.api.pictures import drawn_throw, jpeg
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, chooses

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

WIDTHS = (320, 340, 360, 390)


def german(phones: Phones, page: str) -> Page:
    phone = phones.phone()
    phone.set_extra_http_headers({"accept-language": "de-DE,de;q=0.9"})
    phone.goto(f"{phones.server}/{page}")
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    return phone


@pytest.mark.parametrize("page", [f"#join={JOIN_TOKEN}", "teach", "verify", "history", "read"])
def test_no_german_page_is_wider_than_a_narrow_phone(phones: Phones, page: str) -> None:
    phone = german(phones, page)
    expect(phone.locator("h1")).to_be_visible()
    if JOIN_TOKEN in page:
        expect(phone.locator("#cards .card").first).to_be_visible()
    for width in WIDTHS:
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("game", ["crib-dice", "farkle"])
def test_what_a_photo_scores_fits_a_narrow_phone(phones: Phones, game: str, tmp_path: Path) -> None:
    phone = german(phones, "read")
    phone.locator("#game").select_option(game)
    (photo := tmp_path / "throw.jpg").write_bytes(
        jpeg(drawn_throw((1, 1, 5, 5, 3, 2, 4)[: 7 if game == "crib-dice" else 6]))
    )
    phone.locator("#file").set_input_files(photo)
    expect(phone.locator("#result table tr").nth(1)).to_be_visible()
    for width in WIDTHS:
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate("document.documentElement.scrollWidth") <= width


def test_how_to_trust_a_server_fits_a_narrow_phone(phones: Phones) -> None:
    phone = phones.phone()
    told = json.loads(Path("api/web/languages/de.json").read_text("utf-8"))

    def answer(route: Route) -> None:
        text = Path("api/web/trust/trust.html").read_text("utf-8").replace("{{language}}", "de")
        head = Path("api/web/head.html").read_text("utf-8")
        text = text.replace("{{{head}}}", head).replace("{{{language.switch}}}", "")
        route.fulfill(
            body=re.sub(r"\{{2,3}([\w.-]+)\}{2,3}", lambda slot: str(told[slot[1]]), text), content_type="text/html"
        )

    phone.route("**/trust", answer)
    phone.goto(f"{phones.server}/trust")
    for width in WIDTHS:
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate("document.documentElement.scrollWidth") <= width


BROKEN_WORDS = """(buttons) => buttons.filter((button) => {
    const words = document.createRange();
    const text = button.firstChild;
    return [...text.data.matchAll(/\\S+/g)].some(({ 0: word, index }) => {
        words.setStart(text, index);
        words.setEnd(text, index + word.length);
        return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    });
}).map((button) => button.textContent)"""


def test_links_and_own_dice_of_a_game_fit_a_narrow_phone(phones: Phones) -> None:
    """Words on buttons were broken letter by letter, and a link had no room beside its button."""
    phone = german(phones, f"#join={JOIN_TOKEN}")
    chooses(phone, "farkle")
    phone.locator("#begin").click()
    own = {"name": "Drachenwürfel", "sha256": "0" * 64, "pieces": 12, "learned": False, "shows": [], "at": ""}
    phone.route("**/profiles", lambda route: route.fulfill(json={"profiles": [own, {**own, "learned": True}]}))
    expect(phone.locator("#invite")).to_be_visible()
    for width in WIDTHS:
        phone.set_viewport_size({"width": width, "height": 700})
        text, close = (phone.locator(f"#invite {part}").bounding_box() for part in ("span", "#invite-close"))
        assert text
        assert close
        assert close["y"] < text["y"] + text["height"], "the cross stands beside the text"
    phone.locator("#tab-share").click()
    expect(phone.locator("#own-dice button")).to_have_count(3)
    for width in WIDTHS:
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate("document.documentElement.scrollWidth") <= width
        assert phone.locator("#share button").evaluate_all(BROKEN_WORDS) == []
        for link in phone.locator("#share input:visible").all():
            box = link.bounding_box()
            assert box
            assert box["width"] > 120


def test_what_is_taught_is_numbered_once_and_touches_nothing(phones: Phones) -> None:
    phone = german(phones, "teach")
    phone.locator("#file").set_input_files("docs/sample-throw.jpg")
    expect(phone.locator("#values li").first).to_contain_text("Stück 1")
    expect(phone.locator("#values")).to_have_css("list-style-type", "none")
    for above, below in (("[for=file]", ".buttons + .hint"), ("#learn", "#kept-title")):
        upper, lower = (phone.locator(each).first.bounding_box() for each in (above, below))
        assert upper
        assert lower
        assert lower["y"] - upper["y"] - upper["height"] >= 8
