"""Two choices in one tap: what is set aside, and that the turn ends with it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, arrives, begun, counts_taps, opens, taps, types
from tests.e2e.throws import jpeg, photo

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

GAME = "farkle-crib"
OPENING = ("opening 1 6", "opening 1 2")


def takes_photo(phone: Page, *dice: int) -> None:
    """Tap the camera's button, and take a photo of a throw."""
    before = phone.locator("#head").inner_text()
    with phone.expect_file_chooser() as chooser:
        phone.locator("#camera").click()
    picture = {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo(dice, seed=sum(dice)))}
    chooser.value.set_files(picture)  # type: ignore[arg-type]
    arrives(phone, before)


def test_a_turn_of_farkle_cribbage_by_photo_is_two_taps_a_throw(phones: Phones) -> None:
    phone = phones.phone()
    counts_taps(phone)
    begun(phone, phones.server, game=GAME)
    types(phone, *OPENING)
    before = taps(phone)
    takes_photo(phone, 2, 3, 4, 6, 6, 6)
    phone.locator("[data-move='keep 6 6 6']").click()
    expect(phone.locator("[data-move='stop']")).to_be_visible()
    takes_photo(phone, 1, 2, 5)
    phone.locator("[data-moves='keep 1 5, stop']").click()
    expect(phone.locator("#standings .turn")).to_contain_text("Ben")
    expect(phone.locator("#events")).to_contain_text("Ann pegs")
    assert taps(phone) - before == 4
    opens(phone, "Moves")
    played = ("stop", "keep 1 5", "throw 1 2 5", "keep 6 6 6", "throw 2 3 4 6 6 6", "opening 1 2", "opening 1 6")
    expect(phone.locator("#moves li")).to_have_text([re.compile(move) for move in played])


def test_both_choices_are_one_button_for_the_keyboard_and_for_a_screen_reader(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game=GAME)
    types(phone, *OPENING, "throw 1 2 3 4 4 6")
    both = phone.get_by_role("button", name="set aside a 1 for 2 points, then stop and peg 2 points", exact=True)
    expect(both).to_be_visible()
    phone.locator("[data-move='keep 1']").focus()
    phone.keyboard.press("Tab")
    expect(both).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#standings .turn")).to_contain_text("Ben")
    expect(phone.locator("#said")).to_have_text(re.compile("Ann pegs 2 points.*Ben"))
    for left in ("Ann: set aside scoring dice", "Ann: throw"):  # the button's whole effect at once, then one move
        phone.get_by_role("button", name="Undo").click()
        expect(phone.locator("#prompt")).to_contain_text(left)
    opens(phone, "Moves")
    expect(phone.locator("#moves li")).to_have_count(8)  # five moves, and three that took one back
    expect(phone.locator("#moves li.undone")).to_have_text([re.compile(move) for move in ("stop", "keep 1", "throw")])


def test_what_another_phone_plays_between_them_stands(phones: Phones) -> None:
    """The second choice was meant for a moment that is over by then: it is not played, and the page says why."""
    phone = phones.phone()
    begun(phone, phones.server, game=GAME)
    types(phone, *OPENING, "throw 1 2 3 4 4 6")
    sent: list[Request] = []

    def late(route: Route, request: Request) -> None:
        """The second move is for the moment before."""
        sent.append(request)
        said = request.post_data_json
        assert said is not None
        route.continue_(post_data={**said, "lines": said["lines"] - (len(sent) == 2)})

    phone.route("**/moves", late)
    phone.locator("[data-moves='keep 1, stop']").click()
    expect(phone.locator("#trouble")).to_be_visible()
    expect(phone.locator("#prompt")).to_contain_text("Ann: stop with 2 points")
    expect(phone.locator("[data-move='stop']")).to_be_visible()
    phone.get_by_role("button", name="Undo").click()  # of which only the first was played
    expect(phone.locator("#prompt")).to_contain_text("Ann: set aside scoring dice")
