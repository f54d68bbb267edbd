"""The phone page of a live game in a real browser against the real server, which keeps its games in a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserType, Page, Route, expect

from api.film.remote.game_client import Link
from tests.api.http.games.play import JOIN_TOKEN, bearer
from tests.e2e.phones import (
    CAMERA,
    CHROMIUM,
    NO_CHROMIUM,
    STEP,
    Phones,
    arrives,
    begun,
    chooses,
    confirms_until,
    heads,
    here,
    joins,
    links,
    opened,
    opens,
    opens_photo,
    scanned,
    types,
    values,
)
from tests.e2e.throws import jpeg, photo

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

SAMPLE, TILES = Path("docs/sample-throw.jpg"), Path("docs/sample-hand.jpg")
OPENING = ("opening 1 6", "opening 1 2", "throw 1 2 3 4 5 5 6", "point 5")
"""After these moves five dice are due; the sample photo shows six."""


def shows_sample(phone: Page) -> Any:
    """What the server answers to the sample photo."""
    return shows(phone, SAMPLE)


def shows(phone: Page, picture: Path) -> Any:
    """What the server answers to a photo."""
    with phone.expect_response("**/photos") as response:
        phone.get_by_label("Choose a photo").set_input_files(picture)
    expect(phone.locator("#seen")).to_be_visible()
    return response.value.json()


def test_a_game_is_begun_with_its_rules_and_played_by_dice_and_choices(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, ("Finish", "31"))
    expect(phone.locator("#pegs")).to_have_attribute("aria-label", re.compile("board of 30 holes: Ann at the start"))
    types(phone, "16", "1 2", "1234556")
    expect(phone.locator("#prompt")).to_have_text("Ann: choose your point")
    expect(phone.get_by_label("Take a photo")).to_be_hidden()
    phone.locator("[data-move='point 5']").click()
    expect(phone.locator("#standings .turn .running")).to_have_text("+2 this turn")
    expect(phone.locator("#pegs .peg")).to_have_count(3)
    phone.locator("[data-move='stop']").click()
    expect(phone.locator("#events")).to_contain_text("Ann pegs 2 points")
    expect(phone.locator("#standings .turn")).to_contain_text("Ben")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("#standings .turn")).to_contain_text("Ann")
    opens(phone, "Moves")
    expect(phone.locator("#moves li")).to_have_count(6)
    expect(phone.locator("#moves .undone")).to_have_text(re.compile("stop \\(undone\\)"))


def test_a_tab_can_be_chosen_once_the_page_hears_it(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    held: list[Route] = []
    # The page is on the phone already: neither its service worker nor the cache may answer in place of the server.
    chromium = phone.context.new_cdp_session(phone)
    chromium.send("Network.enable")
    chromium.send("Network.setBypassServiceWorker", {"bypass": True})
    chromium.send("Network.setCacheDisabled", {"cacheDisabled": True})
    phone.route("**/web/table/tabs.js", lambda route: held.append(route))
    phone.reload(wait_until="commit")
    share = phone.get_by_role("tab", name="Share", exact=True)
    expect(share).to_be_disabled()
    for _ in range(600):
        if held:
            break
        phone.wait_for_timeout(STEP)
    assert held, "the page never asked for its tabs"
    held[0].continue_()
    share.click()
    expect(phone.locator("#share")).to_be_visible()


def films(camera: Link, **move: object) -> None:
    """A camera plays a move."""
    path = f"{camera.origin}/v1/games/{camera.game}/moves"
    assert httpx2.post(path, json=move, headers=bearer(camera.token), timeout=60).is_success


def test_the_history_says_what_a_camera_inferred(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, *OPENING[:3])
    links(phone)
    phone.get_by_role("button", name="Make a camera link").click()
    expect(phone.locator("#camera-link")).to_have_value(re.compile("#."))
    camera = Link.parse(here(phone, phone.locator("#camera-link").input_value()))
    watched = {"watched": {"frame": 40, "time": 2.667}}
    films(camera, lines=4, move="point 5", **watched, inferred=True)
    expect(phone.locator("#events")).to_contain_text("(inferred)")
    films(camera, lines=5, move="stop", **watched)
    expect(phone.locator("#events")).not_to_contain_text("(inferred)")
    opens(phone, "Moves")
    told = [
        "Ann: stop (by camera)",
        "Ann: point 5 (inferred)",
        f"Ann: {OPENING[2]}",
        f"Ben: {OPENING[1]}",
        f"Ann: {OPENING[0]}",
    ]
    expect(phone.locator("#moves li span")).to_have_text(told)


def test_the_keyboard_goes_on_from_the_prompt_where_another_phone_folds_the_keys_away(phones: Phones) -> None:
    phone, other = phones.phone(), phones.phone()
    begun(phone, phones.server, game="farkle-crib")
    joins(other, links(phone)[0])
    types(phone, "opening 1 6", "opening 1 2")
    field = phone.get_by_label("The throw, or a move")
    field.focus()
    types(other, "throw 1 2 3 4 4 6")
    expect(phone.locator("#offers button").first).to_be_visible()
    expect(field).to_be_hidden()
    expect(phone.locator("#prompt")).to_be_focused()


def test_the_keys_of_the_pad_make_a_throw(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    phone.get_by_text("Type the dice").click()
    for key in "664":
        phone.locator("#pad").get_by_role("button", name=key, exact=True).click()
    phone.get_by_label("Delete the last die").click()
    expect(phone.locator("#dice")).to_have_value("6 6")
    phone.get_by_role("button", name="Play", exact=True).click()
    expect(phone.locator("#events")).to_contain_text("Ann rolls 6-6")


def test_a_photo_is_scored_and_when_a_die_was_misread_taken_back_and_scored_again(
    phones: Phones, tmp_path: Path
) -> None:
    phone = phones.phone("dark")
    begun(phone, phones.server, game="farkle-crib")
    types(phone, "1 6", "1 2")
    told = shows_sample(phone)
    dice = told["reading"]["corrected"]["dice"]
    expect(phone.locator("#overlay .die")).to_have_count(len(dice))
    assert phone.locator("#values button").all_inner_texts() == [str(die["value"]) for die in dice]
    confirms_until(phone, lambda: phone.locator("#offers .offer").count() > 0)
    phone.screenshot(path=tmp_path / "scored-dark.png", full_page=True)

    before = len(heads(phone))
    phone.locator("#values button").last.click()
    choices = phone.locator("#correct-choices button[aria-pressed]")
    assert [choice.get_attribute("aria-label") for choice in choices.all()] == list("123456")
    expect(phone.locator("#correct-choices [aria-pressed=true]")).to_have_attribute(
        "aria-label", str(dice[-1]["value"])
    )
    phone.screenshot(path=tmp_path / "correct-dark.png")
    phone.locator("#correct-choices").get_by_role("button", name="4", exact=True).click()
    expect(phone.locator("#values button").last).to_have_text("4")
    expect(phone.locator("#was-corrected")).to_contain_text("1 change")
    expect(phone.locator("#events")).to_contain_text("-".join(sorted([str(die["value"]) for die in dice[:-1]] + ["4"])))
    assert len(heads(phone)) == before + 2
    opens(phone, "Moves")
    expect(phone.locator("#moves .thumbnail")).to_have_count(2)

    opens(phone, "Turn")
    opens_photo(phone)
    phone.get_by_role("button", name="Look again").click()
    expect(phone.locator("#verdict")).to_have_text("The two readings differ in 1 piece.")
    differs = phone.locator("#pairs .differs figcaption")
    assert [each.inner_text().split("\n")[0] for each in differs.all()] == ["As corrected", "Closer look"]
    expect(phone.locator("#pairs .differs img")).to_have_count(2)
    phone.get_by_role("button", name="Leave it as it is").click()
    expect(phone.locator("#values button").last).to_have_text("4")


def test_a_closer_look_is_shown_beside_the_first_and_scored_only_when_a_person_says_so(
    phones: Phones, tmp_path: Path
) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="farkle-crib")
    types(phone, "1 6", "1 2")
    before = phone.locator("#head").inner_text()
    first = shows_sample(phone)["reading"]
    arrives(phone, before)
    before = phone.locator("#head").inner_text()
    phone.route("**/look-again", as_if_misread)
    opens_photo(phone)
    with phone.expect_response("**/look-again") as response:
        phone.get_by_role("button", name="Look again").click()
    closer = response.value.json()
    assert closer["again_of"] == first["id"]
    expect(phone.locator("#verdict")).to_have_text("The two readings differ in 1 piece.")
    expect(phone.locator("#pairs li")).to_have_count(len(first["reading"]["dice"]))
    expect(phone.locator("#pairs .differs")).to_have_count(1)
    expect(phone.locator("#pairs .differs img")).to_have_count(2)
    for crop in phone.locator("#pairs .differs img").all():
        expect(crop).not_to_have_js_property("naturalWidth", 0)
    phone.screenshot(path=tmp_path / "review-light.png", full_page=True)
    assert phone.locator("#head").inner_text() == before, "a look changes nothing"
    seen = len(heads(phone))
    phone.get_by_role("button", name="Use the closer look").click()
    expect(phone.locator("#review")).to_be_hidden()
    confirms_until(
        phone, lambda: len(heads(phone)) == seen + 2
    )  # another test has played the photo, so it is asked about
    opens(phone, "Moves")
    expect(phone.locator("#moves .undone")).to_have_count(1)
    expect(phone.locator("#moves .thumbnail")).to_have_count(2)


def test_the_buttons_of_a_review_stay_where_they_are_while_pieces_arrive(phones: Phones) -> None:
    phone, held = phones.phone(), list[Route]()
    begun(phone, phones.server, game="farkle-crib")
    types(phone, "1 6", "1 2")
    before = phone.locator("#head").inner_text()
    dice = len(shows_sample(phone)["reading"]["reading"]["dice"])
    arrives(phone, before)
    phone.route("**/look-again", as_if_misread)
    phone.route("**/crops/*", lambda route: held.append(route))
    opens_photo(phone)
    phone.get_by_role("button", name="Look again").click()
    button = phone.get_by_role("button", name="Use the closer look")
    expect(button).to_be_visible()
    expect(phone.locator("#pairs li")).to_have_count(dice)
    place = button.bounding_box()
    while len(held) < 2 * dice:
        phone.wait_for_timeout(STEP)
    for route in held:
        route.continue_()
    expect(phone.locator("#pairs img")).to_have_count(2 * dice)
    assert button.bounding_box() == place


def test_what_is_said_while_an_answer_is_on_its_way_waits_for_its_turn(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    answers_late(phone)
    types(phone, *OPENING[:2], "5555555", "point 5")  # each said as soon as the stream has shown the one before
    phone.get_by_label("The throw, or a move").fill("9 9")
    phone.get_by_role("button", name="Play", exact=True).click()
    expect(phone.locator("#doubt")).to_contain_text("No die shows 9")
    expect(phone.get_by_label("The throw, or a move")).to_have_value("9 9")
    phone.get_by_label("The throw, or a move").fill("5555555")
    phone.get_by_role("button", name="Play", exact=True).dblclick()
    phone.get_by_label("Choose a photo").set_input_files(SAMPLE)
    expect(phone.locator("#seen")).to_be_visible()


def test_a_second_tap_on_the_same_button_is_let_go(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, *OPENING)
    answers_late(phone)
    phone.locator("[data-move='stop']").dblclick()
    expect(phone.locator("#standings .turn")).to_contain_text("Ben")
    expect(phone.locator("body")).not_to_have_class("busy")
    expect(phone.locator("#trouble")).to_be_hidden()


def answers_late(phone: Page) -> None:
    """From now on the page hears what came of a move a second after the stream has told it."""
    phone.evaluate(
        """() => {
            const ask = window.fetch;
            window.fetch = async (path, options) => {
                const answer = await ask(path, options);
                if (path.endsWith("/moves")) await new Promise((resolve) => setTimeout(resolve, 1000));
                return answer;
            };
        }"""
    )


def as_if_misread(route: Route) -> None:
    """The server's answer, in which the first die shows something else than before."""
    answer = route.fetch()
    told = answer.json()
    die = told["reading"]["dice"][0]
    die["value"] = die["value"] % 6 + 1
    route.fulfill(response=answer, json=told)


def test_a_die_is_corrected_with_keys_alone(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="farkle-crib")
    types(phone, "1 6", "1 2")
    shows_sample(phone)
    confirms_until(phone, lambda: phone.locator("#offers .offer").count() > 0)
    opens_photo(phone)
    phone.locator("#overlay .die").first.focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#correct-choices button").first).to_be_focused()
    phone.keyboard.press("Escape")
    expect(phone.locator("#correct")).to_be_hidden()
    expect(phone.locator("#values button").first).to_be_focused()
    phone.keyboard.press("Enter")
    phone.keyboard.press("Enter")
    expect(phone.locator("#values button").first).to_have_text("1")
    expect(phone.locator("#was-corrected")).to_contain_text("1 change")


def test_a_tile_is_corrected_added_and_removed_by_pictures(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="muggins")
    shows(phone, TILES)
    choices, tiles = phone.locator("#correct-choices"), phone.locator("#values button")
    assert values(phone) == ["1-4", "0-0", "5-2", "6-0"]

    tiles.nth(3).click()
    likely = choices.locator("button:has(.domino)").first
    named = likely.get_attribute("aria-label")
    assert named != "6-0"
    likely.click()
    expect(tiles.nth(3)).to_have_text(str(named))

    tiles.nth(2).click()
    one, other = (choices.get_by_role("group", name=name) for name in ("One end", "Other end"))
    expect(one.get_by_role("button")).to_have_count(7)
    expect(one.get_by_role("button", pressed=True)).to_have_accessible_name("5")
    one.get_by_role("button", name="6", exact=True).click()
    expect(one.get_by_role("button", pressed=True)).to_have_accessible_name("6")
    expect(other.get_by_role("button", pressed=True)).to_have_accessible_name("2")
    choices.get_by_role("button", name="Use this").click()
    expect(tiles.nth(2)).to_have_text("6-2")

    tiles.first.click()
    choices.get_by_role("button", name="This is no tile").click()
    expect(tiles).to_have_count(3)

    phone.locator("#stage").click(position={"x": 30, "y": 30})
    expect(choices.get_by_role("button", name="Use this")).to_be_disabled()
    one.get_by_role("button", name="3", exact=True).click()
    expect(choices.get_by_role("button", name="Use this")).to_be_disabled()
    other.get_by_role("button", name="0", exact=True).click()
    choices.get_by_role("button", name="Use this").click()
    expect(tiles.last).to_have_text("3-0")
    expect(phone.locator("#was-corrected")).to_contain_text("4 changes")


def test_a_doubt_is_told_and_pieces_are_removed_and_added(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, *OPENING)
    told = shows_sample(phone)
    assert told["ruling"]["doubt"]["code"] == "wrong-count", "the photo shows six dice where five are due"
    expect(phone.locator("#doubt")).to_contain_text(told["ruling"]["doubt"]["message"])
    expect(phone.locator("#confirm")).to_have_count(0)
    phone.screenshot(path=tmp_path / "doubt-light.png", full_page=True)
    count = len(told["reading"]["corrected"]["dice"])
    takes_one_away(phone)
    confirms_until(phone, lambda: throws_of_ann(phone))
    for mends in (says_that_the_first_is_two, adds_a_five):
        takes_one_away(phone)
        expect(phone.locator("#doubt")).to_contain_text("the throw is 5 dice")
        expect(phone.locator("#overlay .die")).to_have_count(count - 2)
        mends(phone)
        confirms_until(phone, lambda: throws_of_ann(phone))
        expect(phone.locator("#overlay .die")).to_have_count(count - 1)


def test_undo_after_a_correction_that_took_back_a_move_plays_the_photo_as_before(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="farkle-crib")
    types(phone, "1 6", "1 2")
    head = phone.locator("#head").inner_text()
    dice = shows_sample(phone)["reading"]["corrected"]["dice"]
    arrives(phone, head)
    played = phone.locator("#events").inner_text()
    takes_one_away(phone)
    expect(phone.locator("#doubt")).to_contain_text("dice")
    expect(phone.locator("#overlay .die")).to_have_count(len(dice) - 1)
    head = phone.locator("#head").inner_text()
    phone.get_by_role("button", name="Undo").click()
    arrives(phone, head)
    expect(phone.locator("#events")).to_have_text(played, use_inner_text=True)
    expect(phone.locator("#overlay .die")).to_have_count(len(dice))
    assert sorted(phone.locator("#values button").all_inner_texts()) == sorted(str(die["value"]) for die in dice)
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("#prompt")).to_contain_text("Ann: throw all six dice")
    opens(phone, "Moves")
    expect(phone.locator("#moves .undone")).to_have_count(2)


def throws_of_ann(phone: Page) -> bool:
    return "Ann throws" in phone.locator("#events").inner_text()


def takes_one_away(phone: Page) -> None:
    phone.locator("#values button").first.click()
    phone.get_by_role("button", name="This is no die").click()


def says_that_the_first_is_two(phone: Page) -> None:
    phone.locator("#values button").first.click()
    phone.get_by_role("button", name="These are two dice").click()
    for value in "32":
        phone.locator("#correct-choices").get_by_role("button", name=value, exact=True).click()
    expect(phone.locator("#correct")).to_be_hidden()
    expect(phone.locator("#values button").first).to_have_text("3")
    expect(phone.locator("#values button").last).to_have_text("2")


def adds_a_five(phone: Page) -> None:
    """A tap on the photo where no die was seen asks for the one that was missed."""
    phone.locator("#stage").click(position={"x": 30, "y": 30})
    phone.locator("#correct-choices").get_by_role("button", name="5", exact=True).click()
    expect(phone.locator("#values button").last).to_have_text("5")
    # In one go: the page moves what is below when the odds arrive.
    x, y = phone.evaluate(
        """() => {
            const added = [...document.querySelectorAll("#overlay .die")].at(-1).querySelector(".over").getBoundingClientRect();
            const stage = document.querySelector("#stage").getBoundingClientRect();
            return [added.x + added.width / 2 - stage.x, added.y + added.height / 2 - stage.y];
        }"""
    )
    assert (x, y) == (pytest.approx(30, abs=3), pytest.approx(30, abs=3))


def test_a_photo_in_doubt_stays_on_the_page_though_the_last_move_came_from_another(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    two = {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo((6, 1)))}
    before = phone.locator("#head").inner_text()
    phone.get_by_label("Choose a photo").set_input_files(two)  # type: ignore[arg-type]
    expect(phone.locator("#values button")).to_have_count(2)
    arrives(phone, before)
    dice = shows_sample(phone)["reading"]["corrected"]["dice"]
    expect(phone.locator("#doubt")).to_be_visible()
    phone.wait_for_timeout(1500)
    expect(phone.locator("#values button")).to_have_count(len(dice))


def test_a_photo_that_is_chosen_before_the_page_knows_its_game_is_read(phones: Phones) -> None:
    host, phone = phones.phone(), phones.phone()
    begun(host, phones.server)
    joins(phone, links(host)[0])
    phone.add_init_script(
        """const ask = window.fetch;
        window.fetch = async (path, options) => {
            if (/^\\/v1\\/games\\/\\w+$/.test(path)) await new Promise((resolve) => setTimeout(resolve, 2000));
            return ask(path, options);
        };"""
    )
    phone.reload()
    two = {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo((6, 1)))}
    phone.get_by_label("Choose a photo").set_input_files(two)  # type: ignore[arg-type]
    assert phone.locator("#head").inner_text() == ""
    confirms_until(phone, lambda: "Ann rolls 1-6" in phone.locator("#events").inner_text())


def test_a_doubt_that_a_person_confirms_is_played(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, *OPENING[:2], "5555555", "point 5")
    phone.get_by_label("The throw, or a move").fill("5555555")
    phone.get_by_role("button", name="Play", exact=True).click()
    expect(phone.locator("#doubt")).to_contain_text("5")
    before = phone.locator("#head").inner_text()
    phone.locator("#confirm").click()
    expect(phone.locator("#doubt")).to_be_hidden()
    expect(phone.locator("#head")).not_to_have_text(before)


def test_dice_that_are_not_played_yet_stand_below_what_happened_before(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, "6 1")
    phone.get_by_label("Choose a photo").set_input_files(SAMPLE)
    expect(phone.locator("#doubt")).to_be_visible()
    expect(phone.locator("#values button").first).to_be_visible()
    assert _top(phone, "#events") < _top(phone, "#values") < _top(phone, "#doubt")
    phone.screenshot(path=tmp_path / "doubt.png", full_page=True)
    two = {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo((2, 1)))}
    phone.get_by_label("Choose a photo").set_input_files(two)  # type: ignore[arg-type]
    confirms_until(phone, lambda: "Ben rolls 1-2" in phone.locator("#events").inner_text())
    assert _top(phone, "#values") < _top(phone, "#events")


def _top(phone: Page, part: str) -> float:
    box = phone.locator(part).bounding_box()
    assert box
    return box["y"]


def test_a_viewer_sees_every_move_by_itself_and_cannot_play(phones: Phones) -> None:
    phone, other, third = phones.phone(), phones.phone("dark"), phones.phone()
    begun(phone, phones.server)
    player, viewer = links(phone)
    assert [here(phone, scanned(phone, f"#{role}-qr")) for role in ("player", "viewer")] == [player, viewer]
    third.goto(viewer)
    expect(third.locator("#watching")).to_be_visible()
    expect(third.locator("#dock")).to_be_hidden()
    assert "#" not in third.url, "the token is taken out of the address"
    joins(other, player)
    expect(other.locator("#dock")).to_be_visible()
    types(other, "6 1")
    for page in (phone, third):
        expect(page.locator("#prompt")).to_contain_text("Ben")
        expect(page.locator("#said")).to_contain_text("Ann rolls 1-6")
        expect(page.locator("#head")).to_have_text(other.locator("#head").inner_text())
    third.reload()
    expect(third.locator("#prompt")).to_contain_text("Ben")


def test_where_the_browser_cannot_share_a_link_it_is_copied(phones: Phones) -> None:
    phone = phones.phone()
    phone.add_init_script(
        'for (const each of ["share", "clipboard"]) Object.defineProperty(navigator, each, { value: undefined });'
    )
    begun(phone, phones.server)
    links(phone)
    for role in ("player", "viewer"):
        phone.locator(f"#{role}-send").click()
        expect(phone.locator(f"#{role}-copied")).to_have_text("Copied.")


def test_a_code_that_comes_late_moves_no_button_under_a_finger(phones: Phones) -> None:
    phone, late = phones.phone(), list[Route]()
    phone.route("**/table/qr", lambda route: late.append(route))
    begun(phone, phones.server)
    links(phone)
    button = phone.locator("#viewer-send")
    expect(button).to_be_visible()
    before = button.bounding_box()
    phone.wait_for_timeout(200)
    assert late
    for each in late:
        each.continue_()
    expect(phone.locator("#player-qr")).to_have_attribute("src", re.compile("^blob:"))
    phone.locator("#player-qr").evaluate("code => code.decode()")
    assert button.bounding_box() == before


def test_a_record_that_is_not_the_one_seen_is_noticed(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, "6 1")
    expect(phone.locator("#broken")).to_be_hidden()
    phone.evaluate(
        """() => {
            const name = "muggins.heads." + location.pathname.split("/")[2];
            const heads = JSON.parse(localStorage.getItem(name));
            heads.seen[1].head = "0".repeat(64);
            localStorage.setItem(name, JSON.stringify(heads));
        }"""
    )
    phone.reload()
    expect(phone.locator("#broken")).to_contain_text("not the one this phone has seen: line 1")


def test_several_games_are_listed_and_the_evidence_is_saved(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    begun(phone, phones.server, game="farkle-crib")
    opens(phone, "Moves")
    with phone.expect_download() as saved:
        phone.get_by_role("button", name="Save all evidence").click()
    assert saved.value.suggested_filename.startswith("farkle-crib-")
    phone.get_by_role("link", name="All games").click()
    expect(phone.locator("#games li")).to_have_count(2)
    expect(phone.locator("#games li").first).to_contain_text("Farkle Cribbage")
    expect(phone.locator("#games li").first).to_contain_text("Ann: roll two dice")
    phone.screenshot(path=tmp_path / "games-light.png", full_page=True)


def test_a_stale_choice_is_refused_and_the_page_looks_again(phones: Phones) -> None:
    phone, other = phones.phone(), phones.phone()
    begun(phone, phones.server)
    player, _ = links(phone)
    link = Link.parse(player)
    game = f"{link.origin}/v1/games/{link.game}"
    quicker = httpx2.post(f"{game}/join", json={"seats": None}, headers=bearer(link.token), timeout=60).json()["token"]

    def overtaken(route: Route) -> None:
        """The other phone has sent its move, and before it arrives this one does."""
        move = {"lines": route.request.post_data_json["lines"], "move": "6 1"}
        assert httpx2.post(f"{game}/moves", json=move, headers=bearer(quicker), timeout=60).is_success
        route.continue_()

    joins(other, player)
    other.route("**/moves", overtaken, times=1)
    other.locator("#typing > summary").click()
    other.get_by_label("The throw, or a move").fill("5 1")
    other.get_by_role("button", name="Play", exact=True).click()
    expect(other.locator("#typed-trouble")).to_contain_text("The game has advanced")
    expect(other.locator("#prompt")).to_contain_text("Ben")
    expect(phone.locator("#said")).to_contain_text("Ann rolls 1-6")


def test_typed_tiles_that_no_set_has_are_refused_alone_and_in_german(phones: Phones) -> None:
    """The complaint of the photo before stood beside it, and the refusal was in English."""
    phone = phones.phone()
    phone.set_extra_http_headers({"accept-language": "de-DE,de;q=0.9"})
    phone.goto(f"{phones.server}/#join={JOIN_TOKEN}")
    chooses(phone, "muggins")
    phone.locator("#begin").click()
    expect(phone.locator("#prompt")).not_to_be_empty()
    with phone.expect_response("**/photos"):
        phone.locator("#file").set_input_files(SAMPLE)
    expect(phone.locator("#doubt")).to_be_visible()
    if not phone.locator("#typing").evaluate("typing => typing.open"):
        phone.locator("#typing > summary").click()
    phone.locator("#dice").fill("6-7")
    phone.locator("#typed button[type=submit]").click()
    expect(phone.locator("#typed-trouble")).to_have_text(
        "Ungültige Steine: einen Stein 6-7 gibt es nicht, die Enden eines Doppelsechs-Satzes gehen von 0 bis 6."
    )
    expect(phone.locator("#doubt")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone_and_it_can_be_installed(phones: Phones, scheme: str, tmp_path: Path) -> None:
    phone = phones.phone(scheme)
    begun(phone, phones.server)
    phone.screenshot(path=tmp_path / f"begin-{scheme}.png", full_page=True)
    types(phone, *OPENING[:3])
    for tab in ("Board", "Odds", "Moves", "Share", "Turn"):
        opens(phone, tab)
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.screenshot(path=tmp_path / f"choices-{scheme}.png", full_page=True)
    manifest = phone.request.get(phones.server + "/web/table/manifest.webmanifest").json()
    icons = [phone.request.get(phones.server + icon["src"]) for icon in manifest["icons"]]
    assert all(icon.ok for icon in icons)
    phone.goto(phones.server)
    phone.get_by_text("More rules").click()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.screenshot(path=tmp_path / f"start-{scheme}.png", full_page=True)


CUT_OFF = """
    () => [...document.querySelectorAll(".bar h1, .offer .words")]
        .filter((part) => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
        .map((part) => part.textContent)
"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_titles_and_choices_are_not_cut_off(phones: Phones, language: str) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="farkle-crib")
    types(phone, "1 6", "1 2", "throw 1 1 5 2 2 2")
    if language != "en":
        phone.get_by_role("tab", name="Share").click()
        phone.locator(f"[data-language={language}]").click()
        expect(phone.locator("html")).to_have_attribute("lang", language)
    expect(phone.locator("#offers .offer .words").first).to_be_visible()
    expect(phone.locator("#title")).to_have_text("Farkle Cribbage")
    assert phone.evaluate(CUT_OFF) == []


WIDER_THAN_ITS_TABLE = """[...document.querySelectorAll("#odds th, #odds td")]
    .filter((cell) => cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth)
    .map((cell) => cell.textContent)"""


@pytest.mark.parametrize("letters", [16, 32])
def test_a_narrow_phone_with_large_letters_reaches_every_button(
    chromium: BrowserType, server: str, letters: int
) -> None:
    with opened(chromium, f"--blink-settings=defaultFontSize={letters}") as browser:
        table = Phones(browser, server)
        phone = table.phone()
        phone.set_viewport_size({"width": 320, "height": 640})
        for page in (f"#join={JOIN_TOKEN}", "teach", "verify", "history"):
            phone.goto(f"{server}/{page}")
            expect(phone.locator("h1")).to_be_visible()
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), page
        begun(phone, server, game="farkle-crib")
        for part in ("#title", "#take", "#undo", "#tab-share", "#tab-odds"):
            box = phone.locator(part).bounding_box()
            assert box, part
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 320, part
        title = phone.locator("#title").bounding_box()
        assert title
        assert title["height"] < 4 * letters  # two lines at most: no word is broken letter by letter
        types(phone, "opening 1 6", "opening 1 2", "throw 1 1 5 2 2 2")
        worth, follow_up = (phone.locator(f"#offers {part}").first.bounding_box() for part in (".worth", ".follow-up"))
        assert worth
        assert follow_up
        assert worth["x"] + worth["width"] <= follow_up["x"] or worth["y"] + worth["height"] <= follow_up["y"]
        opens(phone, "Odds")
        expect(phone.locator("#worths .points").first).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert phone.evaluate(WIDER_THAN_ITS_TABLE) == []
        table.close()


@pytest.fixture(scope="module")
def filmed(chromium: BrowserType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera looks at the throw of the sample photo."""
    film = tmp_path_factory.mktemp("film") / "throw.mjpeg"
    frame = BytesIO()
    with Image.open(SAMPLE) as photo:
        photo.convert("RGB").resize((1280, 960)).save(frame, "JPEG", quality=95)
    film.write_bytes(frame.getvalue() * 5)
    with opened(chromium, *CAMERA, f"--use-file-for-fake-video-capture={film}") as browser:
        yield browser


def test_the_live_camera_hands_over_a_throw_once_it_lies_still(filmed: Browser, server: str) -> None:
    table = Phones(filmed, server)
    phone = table.phone()
    begun(phone, server, game="farkle-crib")
    types(phone, "1 6", "1 2")
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.url.rpartition("/")[2]))
    phone.get_by_role("button", name="Live camera").click()
    expect(phone.locator("#viewfinder")).to_be_visible()
    expect(phone.locator("#seen")).to_be_visible()
    after = sent.count("readings")
    while sent.count("readings") < after + 3:
        phone.wait_for_timeout(200)
    assert sent[: sent.index("photos")].count("readings") >= 3, "three readings must agree first"
    assert sent.count("photos") == 1, "the same throw must not be scored twice"
    expect(phone.locator("#live-overlay .die")).not_to_have_count(0)
    phone.get_by_role("button", name="Live camera").click()
    expect(phone.locator("#viewfinder")).to_be_hidden()
    table.close()


@pytest.mark.parametrize("lost", ["**/v1/readings", "**/photos"])
def test_the_live_camera_goes_on_by_itself_after_a_lost_connection(filmed: Browser, server: str, lost: str) -> None:
    table = Phones(filmed, server)
    phone = table.phone()
    begun(phone, server, game="farkle-crib")
    types(phone, "1 6", "1 2")
    phone.route(lost, lambda route: route.abort())
    phone.get_by_role("button", name="Live camera").click()
    said = "#live-state" if lost == "**/v1/readings" else "#trouble"
    expect(phone.locator(said)).to_contain_text(re.compile("Connection lost|cannot be reached"))
    phone.unroute(lost)
    expect(phone.locator("#seen")).to_be_visible()
    expect(phone.locator("#trouble")).to_be_hidden()
    expect(phone.locator("#live-state")).not_to_contain_text("Connection lost")
    expect(phone.locator("#viewfinder")).to_be_visible()
    table.close()


def test_what_a_lost_connection_left_undone_is_no_trouble_any_more_once_it_is_back(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    phones.contexts[-1].set_offline(True)
    phone.get_by_label("Choose a photo").set_input_files(SAMPLE)
    expect(phone.locator("#trouble")).to_contain_text("The server cannot be reached")
    phones.contexts[-1].set_offline(False)
    expect(phone.locator("#trouble")).to_be_hidden()


def test_the_result_is_spoken_once_the_switch_is_on(phones: Phones) -> None:
    phone = phones.phone()
    phone.add_init_script("""
        globalThis.spoken = [];
        speechSynthesis.speak = (words) => spoken.push(words.text);
    """)
    begun(phone, phones.server)
    types(phone, "1 6")
    assert phone.evaluate("spoken") == []
    phone.get_by_role("switch", name="Speak").click()
    types(phone, "1 2")
    assert phone.evaluate("spoken")[-1].startswith("Ben rolls 1-2, 3 in all. ")
    expect(phone.get_by_role("switch", name="Speak")).to_have_attribute("aria-checked", "true")


def test_the_pages_open_while_the_server_is_away_and_go_on_once_it_is_back(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    phone.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    titles = [game["title"] for game in phone.request.get(f"{phones.server}/table/games.json").json()["games"]]
    assert "Crib Dice" in titles
    phones.contexts[-1].set_offline(True)
    phone.reload()
    expect(phone.locator("#trouble")).to_contain_text("The server cannot be reached")
    phone.get_by_role("link", name="All games").click()
    expect(phone.locator("#games li")).to_have_count(1)
    phone.get_by_role("button", name="Another game").click()
    expect(phone.locator("#cards strong")).to_have_text(titles)
    phone.locator("#games a").click()
    expect(phone.locator("#prompt")).to_have_text("This game cannot be opened")
    phones.contexts[-1].set_offline(False)
    expect(phone.locator("#prompt")).to_contain_text("Ann")
    expect(phone.locator("#trouble")).to_be_hidden()
    expect(phone.locator("#turn a.film")).to_be_visible()


def test_why_a_typed_move_is_refused_is_not_covered_by_the_buttons_at_the_foot(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="farkle")
    expect(phone.locator("#invite")).to_be_visible()
    phone.locator("#typing > summary").click()
    phone.get_by_label("The throw, or a move").fill("hello")
    phone.get_by_role("button", name="Play", exact=True).click()
    trouble = phone.locator("#typed-trouble")
    expect(trouble).to_contain_text("no move 'hello'")
    said, dock = trouble.bounding_box(), phone.locator("#dock").bounding_box()
    assert said
    assert dock
    assert said["y"] + said["height"] <= dock["y"]


def test_the_risk_is_that_of_the_throw_to_come_and_never_of_the_one_before(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, "6 1", "1 2", "1 2 2 4 5 5 6", "point 5")
    expect(phone.locator("#risk")).to_contain_text("throw five dice")
    waiting: list[Route] = []
    phone.route("**/outlook", lambda route: waiting.append(route))
    types(phone, "1 2 3 5 5")
    expect(phone.locator("#risk")).to_be_hidden()
    expect(phone.locator("#prompt")).to_contain_text("throw the three unfrozen dice")
    for each in waiting:
        each.continue_()
    expect(phone.locator("#risk")).to_be_visible()
    expect(phone.locator("#risk")).to_contain_text("throw three dice")


def test_what_arrives_while_a_button_is_pressed_does_not_move_it_away(phones: Phones) -> None:
    phone = phones.phone()
    waiting: list[Route] = []
    phone.route("**/outlook", lambda route: waiting.append(route))
    begun(phone, phones.server, game="farkle-crib")
    types(phone, "opening 1 6", "opening 1 2")
    before = phone.locator("#head").inner_text()
    phone.get_by_label("The throw, or a move").fill("throw 1 2 3 4 4 6")
    phone.get_by_role("button", name="Play", exact=True).scroll_into_view_if_needed()
    place = phone.get_by_role("button", name="Play", exact=True).bounding_box()
    assert place
    phone.mouse.move(place["x"] + place["width"] / 2, place["y"] + 2)  # at its upper edge
    phone.mouse.down()
    with phone.expect_response("**/outlook", timeout=60000):
        waiting.pop().continue_()
    phone.wait_for_timeout(500)  # it would be shown by now
    phone.mouse.up()
    arrives(phone, before)


def test_the_code_to_join_does_not_move_a_tab_away_while_it_is_pressed(phones: Phones) -> None:
    phone = phones.phone()
    waiting: list[Route] = []
    phone.route("**/codes", lambda route: waiting.append(route))
    begun(phone, phones.server)
    share = phone.get_by_role("tab", name="Share", exact=True)
    expect(share).to_be_enabled()
    while not waiting:
        phone.wait_for_timeout(50)
    place = share.bounding_box()
    assert place
    phone.mouse.move(place["x"] + place["width"] / 2, place["y"] + 4)  # at its upper edge
    phone.mouse.down()
    with phone.expect_response("**/codes"):
        waiting.pop().continue_()
    phone.wait_for_timeout(500)  # it would be shown by now
    phone.mouse.up()
    expect(share).to_have_attribute("aria-selected", "true")
    expect(phone.locator("#join-code")).not_to_be_empty()
