"""Dice of one's own in a real browser: what is corrected in a game is read right from then on, and dice are taught beforehand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, begun, opens, opens_photo
from tests.vision.taught.drawn import EMBLEM, Thrown, thrown

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

SET = 6
"""Dice with an emblem in place of the 6, which no network takes for a die."""


def shows(phone: Page, throw: Thrown, folder: Path) -> dict[str, Any]:
    """What the server answers to a photo."""
    file = folder / "throw.jpg"
    file.write_bytes(throw.jpeg)
    with phone.expect_response("**/photos") as response:
        phone.get_by_label("Choose a photo").set_input_files(file)
    told: dict[str, Any] = response.value.json()
    expect(phone.locator("#seen")).to_be_visible()
    return told


def values(told: dict[str, Any]) -> list[int]:
    return sorted(die["value"] for die in told["reading"]["reading"]["dice"])


def adds(phone: Page, place: tuple[float, float], value: int) -> None:
    """Tap where a die is missing, and say what it shows."""
    opens_photo(phone)
    phone.get_by_role("button", name="One is missing").click()
    overlay = phone.locator("#overlay")
    box, shape = overlay.bounding_box(), [float(n) for n in (overlay.get_attribute("viewBox") or "").split()]
    assert box
    x, y = (at / side for at, side in zip(place, shape[2:], strict=True))
    overlay.click(position={"x": x * box["width"], "y": y * box["height"]})
    with phone.expect_response("**/corrections"):
        phone.locator("#correct-choices").get_by_role("button", name=str(value), exact=True).click()


def test_a_die_with_an_emblem_is_corrected_once_and_read_right_from_then_on(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="farkle-crib")
    first, second, third = (thrown(EMBLEM, *of, SET) for of in (([6, 3], 11), ([6, 2], 12), ([5, 6, 6], 13)))
    before = shows(phone, first, tmp_path)
    assert values(before) == [3]
    adds(phone, first.places[first.values.index(6)], 6)
    for throw in (second, third):
        told = shows(phone, throw, tmp_path)
        assert values(told) == sorted(throw.values)
        dice = told["reading"]["reading"]["dice"]
        assert {die["profile"] for die in dice if die["value"] == 6} == {"this game"}
    opens(phone, "Share")
    expect(phone.locator("#own-dice")).to_contain_text("Learned in this game: 2 pieces")
    phone.on("dialog", lambda dialog: dialog.accept("Dragons") if dialog.type == "prompt" else dialog.dismiss())
    phone.get_by_role("button", name="Keep on this phone").click()
    expect(phone.locator("#own-dice")).to_contain_text("Use Dragons in this game")
    phone.evaluate("localStorage.setItem('muggins.profiles', JSON.stringify({Dragons: 'another'}))")
    with phone.expect_event("dialog", lambda dialog: dialog.type == "confirm") as asked:
        phone.get_by_role("button", name="Keep on this phone").click()
    assert asked.value.message == "This phone already keeps a profile Dragons. Replace it?"
    assert json.loads(phone.evaluate("localStorage.getItem('muggins.profiles')")) == {"Dragons": "another"}


def test_dice_are_taught_before_a_game_and_used_in_it(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/teach")
    throw = thrown(EMBLEM, [6, 6, 3], 3, SET)
    file = tmp_path / "teach.jpg"
    file.write_bytes(throw.jpeg)
    phone.get_by_label("What are these dice").fill("Dragons")
    phone.get_by_label("Choose a photo").set_input_files(file)
    expect(phone.locator("#status")).to_have_text("3 pieces were found. What do they show?")
    boxes = [box for box in phone.locator("#values input").all() if not box.input_value()]
    for box, said in zip(boxes, ("dragon", "dragon=6"), strict=True):
        box.fill(said)
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.locator("#status")).to_contain_text("Dragons knows 3 pieces now")
    kept = json.loads(json.loads(phone.evaluate("localStorage.getItem('muggins.profiles')"))["Dragons"])
    assert sorted((piece["symbol"], piece["value"]) for piece in kept["pieces"]) == [
        ("", 3),
        ("dragon", 6),
        ("dragon", 6),
    ]
    expect(phone.get_by_label("Choose a photo")).to_be_focused()
    expect(phone.locator("#status")).to_contain_text("Not shown yet: 1, 2, 4, 5. Turn your dice to them: 2 more photos")
    expect(phone.locator("#kept")).to_contain_text("Dragons: 3 pieces. Not shown yet: 1, 2, 4, 5.")
    for turned, found, said in (
        (
            [1, 2, 4],
            "3 pieces were found.",
            "6 pieces now. Use them in a game under “Share”. Not shown yet: 5. Turn a die to it",
        ),
        ([5], "One piece was found.", "7 pieces now."),
    ):
        file.write_bytes(thrown(EMBLEM, turned, 7, SET).jpeg)
        phone.get_by_label("Choose a photo").set_input_files(file)
        expect(phone.locator("#status")).to_contain_text(found)
        phone.get_by_role("button", name="Learn these").click()
        expect(phone.locator("#status")).to_contain_text(f"Dragons knows {said}")
    expect(phone.locator("#kept")).not_to_contain_text("Not shown yet")
    with phone.expect_download() as saved:
        phone.get_by_text("Save as a file").click()
    assert json.loads(saved.value.path().read_text())["name"] == "Dragons"
    begun(phone, phones.server, game="farkle-crib")
    opens(phone, "Share")
    phone.get_by_role("button", name="Use Dragons in this game").click()
    expect(phone.locator("#own-dice")).to_contain_text("Dragons: 7 pieces")
    opens(phone, "Turn")
    told = shows(phone, thrown(EMBLEM, [6, 2, 5, 6], 5, SET), tmp_path)
    assert values(told) == [2, 5, 6, 6]


def test_ordinary_photos_teach_a_profile_that_a_game_uses(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/teach")
    phone.get_by_label("What are these dice").fill("Mine")
    for count in (6, 12, 18):
        file = tmp_path / f"{count}.jpg"
        with Image.open("docs/sample-throw.jpg") as photo:
            photo.resize((photo.width + 40 * count, photo.height + 30 * count)).save(file, quality=95)
        phone.get_by_label("Choose a photo").set_input_files(file)
        expect(phone.locator("#status")).to_have_text("6 pieces were found. What do they show?")
        phone.get_by_role("button", name="Learn these").click()
        expect(phone.locator("#status")).to_contain_text(f"Mine knows {count} pieces now")
    begun(phone, phones.server, game="farkle-crib")
    opens(phone, "Share")
    phone.get_by_role("button", name="Use Mine in this game").click()
    expect(phone.locator("#own-dice")).to_contain_text("Mine: 18 pieces")


def test_the_page_says_what_is_wrong(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/teach")
    file = tmp_path / "x.json"
    file.write_text("{}")
    phone.get_by_label("Load from a file").set_input_files(file)
    expect(phone.get_by_role("alert")).to_have_text("This file is no profile of dice or dominoes.")
    throw = tmp_path / "throw.jpg"
    throw.write_bytes(thrown(EMBLEM, [6, 3], 11, SET).jpeg)
    phone.get_by_label("Choose a photo").set_input_files(throw)
    expect(phone.locator("#pieces")).to_be_visible()
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.get_by_role("alert")).to_have_text("Give these dice a name first.")
    expect(phone.get_by_role("alert")).to_be_in_viewport()
    phone.get_by_label("What are these dice").fill("Dragons!")
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.get_by_role("alert")).to_have_text(re.compile("Dragons! cannot be the name of a profile"))
    phone.get_by_label("What are these dice").fill("Dragons")
    phone.locator("#values input").first.fill("many")
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.get_by_role("alert")).to_have_text(re.compile("Piece 1: many is no value"))
    phone.locator("#values input").first.fill("dragon=13")
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.get_by_role("alert")).to_have_text("Piece 1: dragon=13 is no value.")
    inputs = phone.locator("#values input")
    for at, said in enumerate(("dragon=6", "dragon=5")):
        inputs.nth(at).fill(said)
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.get_by_role("alert")).to_have_text("dragon was 6 before, and is 5 now. Which is it?")
    inputs.first.fill("5=6")
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.get_by_role("alert")).to_have_text(re.compile("5 says by itself what a piece shows"))
    inputs.first.fill("dragon=3-5")
    inputs.nth(1).fill("")
    phone.get_by_role("button", name="Learn these").click()
    expect(phone.get_by_role("alert")).to_have_text("Piece 1: dragon=3-5 is no value.")
    phone.reload()
    phone.get_by_label("What are these dice").fill("Dragons")
    phone.get_by_label("Choose a photo").set_input_files(throw)
    expect(phone.locator("#pieces")).to_be_visible()
    # The networks are sure of the die with pips alone; the one with an emblem may be anything.
    read = [inputs.nth(at).input_value() for at in range(inputs.count())].index("3")
    inputs.first.fill("6")
    inputs.nth(read).fill("3-5")
    phone.get_by_role("button", name="Learn these").click()
    expected = f"Piece {read + 1} is a die, but 3-5 are the two ends of a tile"
    expect(phone.get_by_role("alert")).to_have_text(re.compile(expected))


def test_the_page_is_whole_where_dice_are_kept_of_which_sides_are_missing(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/teach")
    loads(phone, tmp_path, "Dragons", [kept_piece(6)])
    expect(phone.locator("#kept")).to_contain_text("Dragons: one piece. Not shown yet: 1, 2, 3, 4, 5.")
    phone.reload()
    expect(phone.locator("#kept")).to_contain_text("Dragons: one piece. Not shown yet: 1, 2, 3, 4, 5.")
    throw = tmp_path / "throw.jpg"
    throw.write_bytes(thrown(EMBLEM, [6, 3], 11, SET).jpeg)
    phone.get_by_label("Choose a photo").set_input_files(throw)
    expect(phone.locator("#pieces")).to_be_visible()
    found = phone.locator("#values input").count()
    phone.locator("#picture").click(position={"x": 9, "y": 9}, timeout=10_000)
    expect(phone.locator("#values input")).to_have_count(found + 1)
    expect(phone.locator("#overlay polygon")).to_have_count(found + 1)
    expect(phone.locator("#values input").last).to_be_focused()


def test_what_was_written_of_one_photo_is_not_said_of_the_next(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/teach")
    throw = tmp_path / "throw.jpg"
    for first, seed in ((2, 21), (5, 22)):
        throw.write_bytes(thrown(EMBLEM, [first, first, first], seed, SET).jpeg)
        with phone.expect_response("**/v1/pieces"):
            phone.get_by_label("Choose a photo").set_input_files(throw)
        expect(phone.locator("#status")).to_contain_text("3 pieces were found")
        expect(phone.locator("#values input").first).to_have_value(str(first))


def test_a_loaded_profile_replaces_none_unasked_and_a_damaged_one_can_be_deleted(
    phones: Phones, tmp_path: Path
) -> None:
    phone = phones.phone()
    asked: list[str] = []
    answers = iter((False, True, False, True))
    phone.on("dialog", lambda said: (asked.append(said.message), said.accept() if next(answers) else said.dismiss()))
    phone.goto(f"{phones.server}/teach")
    loads(phone, tmp_path, "Dragons", [kept_piece(6)])
    expect(phone.locator("#kept")).to_contain_text("Dragons: one piece")  # read before the file is another
    for kept in ("one piece", "2 pieces"):
        loads(phone, tmp_path, "Dragons", [kept_piece(6), kept_piece(5)])
        expect(phone.locator("#kept")).to_contain_text(f"Dragons: {kept}")
    assert asked == ["This phone already keeps a profile Dragons. Replace it?"] * 2
    loads(phone, tmp_path, "Broken", [None])
    expect(phone.get_by_role("alert")).to_have_text("This file is no profile of dice or dominoes.")
    loads(phone, tmp_path, "../Dragons", [kept_piece(6)])
    expect(phone.get_by_role("alert")).to_contain_text("../Dragons cannot be the name of a profile.")
    phone.evaluate("localStorage.setItem('muggins.profiles', JSON.stringify({Broken: '[', Dragons: 'null'}))")
    phone.reload()
    expect(phone.locator("#kept li")).to_have_count(2)
    expect(phone.locator("#kept")).to_contain_text("Broken: the profile is damaged.")
    for left in (2, 1):
        phone.get_by_role("button", name="Delete Broken").click()
        expect(phone.locator("#kept li")).to_have_count(left)


def kept_piece(value: int) -> dict[str, Any]:
    """A die of a profile, as far as the page looks at it."""
    return {"kind": "d6", "value": value, "photo": ""}


def loads(phone: Page, folder: Path, name: str, pieces: list[dict[str, Any] | None]) -> None:
    file = folder / "profile.json"
    file.write_text(json.dumps({"profile": "muggins-profile", "version": 1, "name": name, "pieces": pieces}))
    phone.get_by_label("Load from a file").set_input_files(file)


@pytest.mark.parametrize("name", ["constructor", "__proto__"])
def test_a_profile_may_have_a_name_that_every_object_knows(phones: Phones, name: str) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/teach")
    kept = phone.evaluate(
        """async (name) => {
            const { keepProfile, profiles } = await import("/web/teach/profiles.js");
            const before = profiles()[name] ?? null;
            keepProfile(name, "text");
            const after = profiles()[name];
            keepProfile(name, null);
            return [before, after, Object.keys(profiles())];
        }""",
        name,
    )
    assert kept == [None, "text", []]


def test_where_no_piece_is_found_the_page_asks_for_taps(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    phone.goto(f"{phones.server}/teach")
    Image.new("RGB", (400, 300), "grey").save(tmp_path / "empty.png")
    phone.get_by_label("Choose a photo").set_input_files(tmp_path / "empty.png")
    expect(phone.get_by_text("No piece was found. Tap on the middle of each in the photo.")).to_be_visible()
