"""The upload page in a real browser against the real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from api.interpret.score_request import ScoreRequest, answer
from tests.api import table
from tests.api.pictures import drawn_throw, jpeg
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, values
from vision.reading import Doubt, Reading

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


@pytest.fixture(params=[("light", 1100, 900), ("dark", 390, 844)], ids=["light-wide", "dark-phone"])
def page(request: pytest.FixtureRequest, browser: Browser, server: str) -> Iterator[Page]:
    """The page; at its end, nothing was complained of and nothing was loaded from elsewhere."""
    scheme, width, height = request.param
    opened = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console", lambda message: complaints.append(message.text) if "Content Security" in message.text else None
    )
    opened.on(
        "request", lambda sent: complaints.append(sent.url) if not sent.url.startswith((server, "blob:")) else None
    )
    opened.goto(f"{server}/read")
    yield opened
    opened.close()
    assert complaints == []


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    file = tmp_path / "throw.jpg"
    file.write_bytes(jpeg(drawn_throw()))
    return file


def answer_to(page: Page, do: Any) -> Any:
    """The JSON with which the server answers what `do` sets off."""
    with page.expect_response("**/v1/readings") as response:
        do()
    return response.value.json()


def test_a_photo_is_sent_and_drawn_with_its_values_and_worth(page: Page, photo: Path, tmp_path: Path) -> None:
    page.get_by_label("Which game?").select_option("crib-dice")
    told = answer_to(page, lambda: page.get_by_label("Choose a photo").set_input_files(photo))
    expect(page.locator("#result")).to_be_visible()
    assert told["dice"], "the drawn throw should show dice"
    assert values(page) == [str(die["value"]) for die in told["dice"]]
    expect(page.locator("#verdict")).to_contain_text("sure" if told["sure"] else "please look")
    expect(page.locator("#summary")).to_contain_text(told["score"].get("summary") or told["score"]["error"]["message"])
    expect(page.locator("#doubts li")).to_have_count(len(told["doubts"]))
    assert_boxes_lie_on_the_picture(page, told)
    page.screenshot(path=tmp_path / "page.png", full_page=True)


def assert_boxes_lie_on_the_picture(page: Page, told: Any) -> None:
    dice = page.locator("#overlay .die")
    expect(dice).to_have_count(len(told["dice"]))
    picture = page.locator("#picture").bounding_box()
    assert picture is not None
    scale = picture["width"] / told["width"]
    for die, drawn in zip(told["dice"], dice.locator(".over").all(), strict=True):
        box = drawn.bounding_box()
        assert box is not None
        left, top = (min(point[axis] for point in die["box"]) for axis in (0, 1))
        assert box["x"] - picture["x"] == pytest.approx(left * scale, abs=3)
        assert box["y"] - picture["y"] == pytest.approx(top * scale, abs=3)


def test_the_page_fits_its_width(page: Page, photo: Path) -> None:
    page.get_by_label("Which game?").select_option("farkle-crib")
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#result")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_another_game_is_asked_about_the_same_photo(page: Page, photo: Path) -> None:
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#summary")).to_be_empty()
    told = answer_to(page, lambda: page.get_by_label("Which game?").select_option("cribbage-dice"))
    assert told["score"]
    expect(page.locator("#summary")).not_to_be_empty()


def test_a_hand_that_is_counted_shows_what_scores(page: Page, tmp_path: Path) -> None:
    hand = tmp_path / "hand.jpg"
    hand.write_bytes(jpeg(drawn_throw((5, 4, 6, 5, 5))))
    page.get_by_label("Which game?").select_option("cribbage-dice")
    told = answer_to(page, lambda: page.get_by_label("Choose a photo").set_input_files(hand))
    items = told["score"]["items"]
    assert items, "the drawn hand should score"
    expect(page.locator("#worth caption")).to_have_text("What scores")
    assert page.locator("#worth tbody td.points").all_inner_texts() == [str(item["points"]) for item in items]


def test_the_point_goes_along_with_crib_dice_only(page: Page, photo: Path) -> None:
    expect(page.get_by_label("Your point")).to_be_hidden()
    page.get_by_label("Which game?").select_option("crib-dice")
    page.get_by_label("Your point").select_option("5")
    page.get_by_label("Dice frozen on it").select_option("4")
    told = answer_to(page, lambda: page.get_by_label("Choose a photo").set_input_files(photo))
    assert told["score"].get("frozen_before", 4) == 4
    told = answer_to(page, lambda: page.get_by_label("Which game?").select_option("farkle-crib"))
    assert "frozen_before" not in told["score"]


def test_every_die_is_reached_by_keyboard_and_says_itself(page: Page, photo: Path) -> None:
    told = answer_to(page, lambda: page.get_by_label("Choose a photo").set_input_files(photo))
    expect(page.locator("#verdict")).to_be_focused()
    for die in told["dice"]:
        page.keyboard.press("Tab")
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label == f"{die['value']}: correct this"
    for place, die in enumerate(told["dice"], start=1):
        page.keyboard.press("Tab")
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label.startswith(f"Die {place}: {die['colour']}, shows {die['value']}, ")
    expect(page.get_by_role("status")).to_contain_text(", ".join(str(die["value"]) for die in told["dice"]))


def test_what_is_no_photo_is_said_in_plain_words(page: Page, tmp_path: Path) -> None:
    text = tmp_path / "throw.jpg"
    text.write_text("seven dice")
    page.get_by_label("Choose a photo").set_input_files(text)
    expect(page.get_by_role("alert")).to_contain_text("This file is not a picture")
    expect(page.locator("#result")).to_be_hidden()
    expect(page.locator("#busy")).to_be_hidden()


def test_a_photo_is_dropped_or_pasted(page: Page, photo: Path) -> None:
    for kind, field in (("drop", "dataTransfer"), ("paste", "clipboardData")):
        told = answer_to(
            page, lambda kind=kind, field=field: page.evaluate(HAND_OVER, [kind, field, [*photo.read_bytes()]])
        )
        assert told["photo"] == f"{kind}.jpg"
        expect(page.locator("#caption")).to_have_text(f"{kind}.jpg")


HAND_OVER = """([kind, field, bytes]) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(bytes)], `${kind}.jpg`, { type: "image/jpeg" }));
    const event = new Event(kind, { bubbles: true, cancelable: true });
    Object.defineProperty(event, field, { value: files });
    document.body.dispatchEvent(event);
}"""


def test_a_picture_the_browser_cannot_show_is_drawn_by_the_server(page: Page) -> None:
    heic = Path(__file__).parents[1] / "vision" / "fixtures" / "heic_10_bit.heic"
    told = answer_to(page, lambda: page.get_by_label("Choose a photo").set_input_files(heic))
    expect(page.locator("#result")).to_be_visible()
    assert page.evaluate("document.getElementById('picture').naturalWidth") == told["width"]
    assert_boxes_lie_on_the_picture(page, told)


def test_the_interface_is_documented_without_the_network(page: Page, server: str) -> None:
    paths = page.request.get(f"{server}/openapi.json").json()["paths"]
    page.goto(f"{server}/docs")
    expect(page.locator(".opblock")).to_have_count(sum(map(len, paths.values())))


def test_what_was_misread_is_corrected_and_scored_anew(page: Page) -> None:
    page.get_by_label("Which game?").select_option("farkle-crib")
    page.get_by_label("Choose a photo").set_input_files("docs/sample-throw.jpg")
    expect(page.locator("#summary")).to_have_text("Two 1s and a 5 for 5 points.")
    assert values(page) == ["2", "6", "5", "1", "1", "3"]

    choices = page.locator("#correct-choices")
    page.locator("#values button").first.click()
    choices.get_by_role("button", name="1", exact=True).click()
    expect(page.locator("#was-corrected")).to_have_text("Corrected by hand: 1 change.")
    expect(page.locator("#values button").first).to_be_focused()
    assert values(page) == ["1", "6", "5", "1", "1", "3"]
    expect(page.locator("#summary")).to_contain_text("Three 1s")

    page.locator("#overlay .die").last.click()
    choices.get_by_role("button", name="This is no die").click()
    expect(page.locator("#values button")).to_have_count(5)

    page.get_by_role("button", name="One is missing").click()
    page.locator("#stage").click(position={"x": 20, "y": 20})
    choices.get_by_role("button", name="5", exact=True).click()
    expect(page.locator("#was-corrected")).to_have_text("Corrected by hand: 3 changes.")
    assert values(page) == ["1", "6", "5", "1", "1", "5"]

    told = answer_to(page, lambda: page.get_by_label("Which game?").select_option("farkle"))  # the same dice
    expect(page.locator("#summary")).to_have_text(told["score"]["summary"])
    assert [die["value"] for die in told["dice"]] == [1, 6, 5, 1, 1, 5]
    assert values(page) == ["1", "6", "5", "1", "1", "5"]

    page.get_by_label("Choose a photo").set_input_files("docs/sample-throw.jpg")
    expect(page.locator("#was-corrected")).to_be_empty()
    assert values(page) == ["2", "6", "5", "1", "1", "3"]


def test_two_dice_that_were_taken_for_a_tile_are_two_dice_by_one_tap(page: Page) -> None:
    page.get_by_label("Choose a photo").set_input_files("docs/sample-hand.jpg")
    expect(page.locator("#verdict")).to_have_text("4 tiles: sure")
    two = page.get_by_role("button", name="These are two dice")
    page.locator("#values button").nth(1).click()  # no die shows nothing
    expect(page.get_by_role("button", name="This is no tile")).to_be_visible()
    expect(two).to_have_count(0)
    page.keyboard.press("Escape")
    place = page.locator("#overlay .tile").nth(2).bounding_box()
    page.locator("#values button").nth(2).click()
    two.click()
    expect(page.locator("#was-corrected")).to_have_text("Corrected by hand: 3 changes.")
    assert values(page) == ["5", "2", "1-4", "0-0", "6-0"]
    dice = [page.locator("#overlay .die").nth(at).bounding_box() for at in (0, 1)]
    assert place
    for die in dice:
        assert die
        assert place["x"] < die["x"] + die["width"] / 2 < place["x"] + place["width"]
    assert dice[0]["x"] < dice[1]["x"]  # type: ignore[index]


def test_a_correction_that_does_not_arrive_is_no_correction(page: Page) -> None:
    page.get_by_label("Choose a photo").set_input_files("docs/sample-hand.jpg")
    expect(page.locator("#values button")).to_have_count(4)
    page.route("**/v1/readings", lambda route: route.abort())
    page.locator("#values button").first.click()
    page.get_by_role("button", name="This is no tile").click()
    expect(page.locator("#trouble")).to_be_visible()
    assert values(page) == ["1-4", "0-0", "5-2", "6-0"]
    page.unroute("**/v1/readings")
    page.locator("#values button").nth(1).click()
    page.get_by_role("button", name="This is no tile").click()
    expect(page.locator("#values button")).to_have_count(3)
    assert values(page) == ["1-4", "5-2", "6-0"]


def test_nothing_is_corrected_while_a_correction_is_on_its_way(page: Page) -> None:
    """It names pieces by their places, which the answer changes."""
    late = list[Route]()
    page.get_by_label("Choose a photo").set_input_files("docs/sample-hand.jpg")
    expect(page.locator("#values button")).to_have_count(4)
    page.route("**/v1/readings", lambda route: late.append(route))
    page.locator("#values button").first.click()
    page.get_by_role("button", name="This is no tile").click()
    page.locator("#values button").nth(1).click()
    page.locator("#overlay .tile").nth(2).click()
    expect(page.locator("#correct")).to_be_hidden()
    (route,) = late
    route.continue_()
    expect(page.locator("#values button")).to_have_count(3)
    page.locator("#values button").nth(1).click()
    expect(page.locator("#correct-title")).to_have_text("Tile 2: which is it?")


# Tables of tiles and twelve-sided dice: the readings are made by hand, and the questions are those that the page asks.


def lay(page: Page, seen: Reading) -> list[dict[str, str]]:
    """Have `seen` read from any photo; the list fills with the fields of every question."""
    asked: list[dict[str, str]] = []

    def serve(route: Route) -> None:
        fields = dict(
            re.findall(r'name="(\w+)"\r\n\r\n([^\r]*)\r\n', (route.request.post_data_buffer or b"").decode("latin-1"))
        )
        asked.append(fields)
        request = ScoreRequest(
            fields.get("game"), tuple(fields.get("rules", "").split()), {"starter": fields.get("starter")}
        )
        route.fulfill(json=answer(seen, request).to_json())

    page.route("**/v1/readings", serve)
    return asked


HAND = table.row("0-3", "4-0", "3-1", "3-2")


def test_tiles_are_listed_drawn_and_counted(page: Page, photo: Path) -> None:
    doubt = Doubt("face-down", "It shows its back.", tile=2)
    lay(page, table.reading(table.d6(5), *HAND[:2], table.face_down(), doubts=(doubt,)))
    page.get_by_label("Which game?").select_option("domino-pips")
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#verdict")).to_have_text("1 die and 3 tiles: please look")
    assert values(page) == ["5", "0-3", "4-0", "face down"]
    expect(page.locator("#values .look")).to_have_attribute("data-value", "face down")
    expect(page.locator("#doubts li")).to_have_text("Tile 3: It shows its back.")
    expect(page.locator("#overlay .tile")).to_have_count(3)
    expect(page.locator("#overlay .die.look")).to_have_count(0)
    expect(page.locator("#summary")).to_have_text("7 pips on 2 tiles.")
    expect(page.locator("#notes li")).to_have_count(2)
    assert page.locator("#worth tbody td.points").all_inner_texts() == ["3", "4"]


def test_a_hand_is_asked_for_its_starter(page: Page, photo: Path) -> None:
    asked = lay(page, table.reading(*HAND, table.tile("1-4", 0, 150)))
    expect(page.get_by_label("Which one?")).to_be_hidden()
    page.get_by_label("Which game?").select_option("domino-cribbage")
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#summary")).to_contain_text("Name the starter")
    here = page.locator("#starter optgroup[label='In the photo'] option")
    assert sorted(here.all_inner_texts()) == ["3-0", "3-1", "3-2", "4-0", "4-1"]
    expect(page.locator("#starter optgroup[label='Not in the photo'] option")).to_have_count(23)
    page.get_by_label("Which one?").select_option("4-1")
    expect(page.locator("#summary")).to_contain_text("is sixteen")
    expect(page.locator("#worth tbody tr").first).to_contain_text("4-0 3-1")
    assert asked[-1]["starter"] == "4-1"


def test_the_starter_of_other_dice_is_corrected_and_not_kept_for_the_next_throw(page: Page, photo: Path) -> None:
    dice = [table.d12(9, starter=True), *map(table.d12, (5, 5, 10, 1))]
    asked = lay(page, table.reading(table.d6(2), *dice))
    page.get_by_label("Which game?").select_option("cribbage-dice")
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#values button:has(.starter)")).to_have_attribute("data-value", "9★")
    expect(page.get_by_role("status")).to_contain_text("9 (the starter)")
    assert page.locator("#starter option").all_inner_texts() == ["The odd-coloured one", "1", "5", "9", "10"]
    page.get_by_label("Which one?").select_option("10")
    expect(page.locator("#notes li").last).to_contain_text("The starter is 10 as named")
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#notes li")).to_have_count(1)
    assert [fields.get("starter") for fields in asked] == [None, "10", None]


def test_what_is_counted_is_chosen(page: Page, photo: Path) -> None:
    asked = lay(page, table.reading(*table.row("0-0", "12-9")))
    page.get_by_label("Which game?").select_option("domino-pips")
    page.get_by_label("Choose a photo").set_input_files(photo)
    expect(page.locator("#summary")).to_have_text("21 pips on 2 tiles.")
    expect(page.get_by_label("Double blank counts")).to_be_disabled()
    page.get_by_label("What to count").select_option("hand")
    page.get_by_label("Double blank counts").select_option("50")
    expect(page.locator("#summary")).to_have_text("2 tiles left in the hand: 71.")
    page.get_by_label("What to count").select_option("ends")
    expect(page.locator("#summary")).to_contain_text("21 at the open ends: 0, 12, and 9")
    assert asked[-2]["rules"] == "count=hand double_blank=50"
    assert asked[-1]["rules"] == "count=ends"
