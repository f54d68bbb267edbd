"""Five phones at one table: one in the dark, a narrow one, one on its side, the camera above it, and somebody who watches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, joins, links, opens
from tests.e2e.test_camera import begins_filming, cleared
from tests.e2e.throws import Film, photo

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

SIZES = {"camera": (390, 844), "dark": (390, 844), "narrow": (360, 640), "sideways": (844, 390), "watching": (390, 844)}
THROWS = (
    ((6, 1), 7, "Ben"),
    ((1, 2), 3, "seven dice"),
    ((1, 2, 3, 4, 5, 5, 6), 26, "choose your point"),
)
"""Each with how it lies, and what the phones say then."""
WIDER = """() => [...document.querySelectorAll("body *")].filter((each) => each.checkVisibility()
    && !each.closest(".spoken, svg") && each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => each.outerHTML.slice(0, 80))"""

IN_REACH = """button => button.getBoundingClientRect().bottom
    <= innerHeight - (document.querySelector("#dock:not([hidden])")?.getBoundingClientRect().height ?? 0)"""


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where the screenshots go: `SCREENSHOTS`, if it is set."""
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def check(table: dict[str, Page], pictures: Path, moment: str) -> None:
    """Nothing leaves the side of a screen."""
    for name, phone in table.items():
        phone.screenshot(path=pictures / f"{moment}-{name}.png")
        assert phone.evaluate(WIDER) == [], name


def test_five_phones_follow_one_game_and_each_shows_it_in_its_own_way(
    filmed: Phones, film: Film, pictures: Path
) -> None:
    table = {name: filmed.phone("dark" if name == "dark" else "light") for name in SIZES}
    for name, (wide, high) in SIZES.items():
        table[name].set_viewport_size({"width": wide, "height": high})
    over, dark, narrow, sideways, watching = table.values()
    begins_filming(over, filmed.server)
    host = over.context.new_page()
    host.goto(over.url.replace("/camera/", "/table/"))
    to_play, to_watch = links(host)
    host.close()
    joins(dark, to_play, "Ann")
    joins(narrow, to_play, "Ben")
    joins(sideways, to_play)
    watching.goto(to_watch)
    expect(watching.locator("#watching")).to_be_visible()

    for dice, seed, then in THROWS:
        film.show(photo(dice, seed))
        for phone in table.values():
            expect(phone.locator("#prompt")).to_contain_text(then)
        cleared(film, over)
    expect(watching.locator("[data-move]")).to_have_count(0)
    check(table, pictures, "choice")

    narrow.locator("[data-move='point 5']").click()
    for phone in (dark, sideways, watching):
        expect(phone.locator("#standings .turn .running")).to_contain_text("+2")
        expect(phone.locator("#standings .turn")).to_contain_text("Ann")
    check(table, pictures, "chosen")

    film.show(photo((2, 2, 4), seed=8))
    for phone in (over, dark, narrow, sideways):
        expect(phone.locator(".waiting-roll")).to_contain_text("Please check this roll")
        expect(phone.locator(".waiting-roll img")).not_to_have_js_property("naturalWidth", 0)
        assert phone.get_by_role("button", name="No throw: leave it out").evaluate(IN_REACH), phone.viewport_size
    expect(watching.locator(".waiting-roll")).to_have_count(0)
    check(table, pictures, "doubt")
    sideways.get_by_role("button", name="No throw: leave it out").click()
    for phone in (over, dark, narrow, sideways):
        expect(phone.locator(".waiting-roll")).to_have_count(0)

    sideways.locator("[data-move='stop']").click()
    for phone in (dark, narrow, sideways, watching):
        expect(phone.locator("#standings .turn")).to_contain_text("Ben")
        opens(phone, "Board")
    check({name: phone for name, phone in table.items() if name != "camera"}, pictures, "board")
