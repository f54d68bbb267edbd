"""Whole short games in real browsers: the photos are read by the real reader, and the evidence is verified at the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.phones import (
    CHROMIUM,
    NO_CHROMIUM,
    PATIENCE,
    STEP,
    Phones,
    arrives,
    begun,
    joins,
    links,
    opens,
    opens_photo,
)
from tests.e2e.throws import Film, jpeg, photo

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


def shows(phone: Page, *dice: int) -> None:
    """A photo of the throw, chosen by the button."""
    before = phone.locator("#head").inner_text()
    file = {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo(dice, seed=sum(dice)))}
    phone.get_by_label("Take a photo").set_input_files(file)  # type: ignore[arg-type]
    arrives(phone, before)
    reads(phone, dice)


def reads(phone: Page, dice: tuple[int, ...]) -> None:
    """Wait until these are the dice that the page says it sees."""
    found: list[str] = []
    for _ in range(PATIENCE // STEP):
        found = sorted(phone.locator("#values button").all_inner_texts())
        if found == sorted(map(str, dice)):
            return
        phone.wait_for_timeout(STEP)
    pytest.fail(f"{dice} were thrown, not {found}")


def chooses(phone: Page, move: str) -> None:
    before = phone.locator("#head").inner_text()
    offer = phone.locator(f"[data-move='{move}']")
    if not offer.count():
        phone.locator("#offers .more").click()
    offer.click()
    arrives(phone, before)


def undoes(phone: Page) -> None:
    before = phone.locator("#head").inner_text()
    phone.get_by_role("button", name="Undo").click()
    arrives(phone, before)


def verified(phone: Page, folder: Path) -> str:
    """What `muggins verify` says of the evidence that the phone saves."""
    opens(phone, "Moves")
    with phone.expect_download(timeout=4 * PATIENCE) as saved:
        phone.get_by_role("button", name="Save all evidence").click()
    file = folder / saved.value.suggested_filename
    saved.value.save_as(file)
    command = [sys.executable, "-c", "from api.cli.main import main; main()", "verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_farkle_is_played_by_photos_on_two_phones(phones: Phones, tmp_path: Path) -> None:
    ann, ben = phones.phone(), phones.phone("dark")
    begun(ann, phones.server, ("Finish", "31"), game="farkle-crib")
    joins(ben, links(ann)[0])
    shows(ann, 6, 5)
    shows(ben, 1, 2)
    expect(ann.locator("#prompt")).to_contain_text("Ann")
    reads(ann, (1, 2))
    shows(ann, 6, 6, 6, 2, 3, 5)
    corrects(ann, 5, 4)
    expect(ann.locator("#events")).to_contain_text("2-3-4-6-6-6")
    chooses(ann, "keep 6 6 6")
    expect(ann.locator("#risk")).to_contain_text("throw three dice: 28% farkle")
    shows(ann, 1, 1, 2)  # no 5: the game has learned that this one is a 4
    chooses(ann, "keep 1 1")
    ann.screenshot(path=tmp_path / "farkle-light.png", full_page=True)
    chooses(ann, "stop")
    expect(ben.locator("#standings .turn")).to_contain_text("Ben")
    undoes(ann)
    chooses(ann, "stop")
    shows(ben, 2, 2, 3, 4, 6, 6)
    expect(ann.locator("#events")).to_contain_text("farkle")
    shows(ann, 6, 6, 6, 1, 1, 2)
    chooses(ann, "keep 1 1 6 6 6")
    chooses(ann, "stop")
    shows(ben, 2, 3, 4, 6, 4, 6)
    for phone in (ann, ben):
        expect(phone.locator("#prompt")).to_have_text("Ann wins.")
        expect(phone.get_by_label("Take a photo")).to_be_hidden()
    assert ann.locator("#head").inner_text() == ben.locator("#head").inner_text()
    opens(ben, "Moves")
    expect(ben.locator("#moves .thumbnail")).to_have_count(8)
    ben.screenshot(path=tmp_path / "farkle-over-dark.png", full_page=True)
    verified(ben, tmp_path)


def corrects(phone: Page, wrong: int, right: int) -> None:
    """Tap the die and say what it shows; that is scored at once."""
    before = phone.locator("#head").inner_text()
    opens_photo(phone)
    phone.locator(f"#overlay [aria-label*='shows {wrong},']").first.click()
    phone.locator("#correct-choices").get_by_role("button", name=str(right), exact=True).click()
    arrives(phone, before)


def test_crib_dice_is_played_before_a_live_camera(filmed: Phones, film: Film, tmp_path: Path) -> None:
    phone = filmed.phone()
    begun(phone, filmed.server, ("Finish", "21"))
    phone.get_by_role("button", name="Live camera").click()
    expect(phone.locator("#viewfinder")).to_be_visible()

    def thrown(*dice: int) -> None:
        before = phone.locator("#head").inner_text()
        film.show(photo(dice, seed=sum(dice)))
        arrives(phone, before)
        reads(phone, dice)

    thrown(6, 1)
    thrown(1, 2)
    thrown(1, 2, 3, 4, 5, 5, 6)
    phone.screenshot(path=tmp_path / "crib-live.png", full_page=True)
    chooses(phone, "point 5")
    expect(phone.locator("#risk")).to_contain_text("throw five dice: 13% wipeout")
    thrown(5, 5, 1, 2, 3)
    chooses(phone, "stop")
    expect(phone.locator("#standings .side-0 .hole")).to_have_text("10")
    thrown(3, 3, 1, 2, 4, 6, 6)
    chooses(phone, "point 3")
    thrown(2, 2, 4, 5, 6)
    expect(phone.locator("#standings .streak")).to_have_text("1 wipeout")
    undoes(phone)
    expect(phone.locator("#standings .streak")).to_have_count(0)
    film.clear()
    chooses(phone, "stop")
    thrown(6, 6, 6, 6, 6, 1, 2)
    chooses(phone, "point 6")
    chooses(phone, "stop")
    thrown(2, 2, 1, 3, 4, 5, 6)
    chooses(phone, "point 2")
    chooses(phone, "stop")
    expect(phone.locator("#prompt")).to_have_text("Ann wins.")
    expect(phone.locator("#viewfinder")).to_be_hidden()
    phone.screenshot(path=tmp_path / "crib-over.png", full_page=True)
    verified(phone, tmp_path)
