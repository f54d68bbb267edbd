"""The page that checks evidence, in a real browser against the real server."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from api.evidence.bundle import Evidence
from api.evidence.keys import Head, ServerKey, short
from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.api.evidence.conftest import rezipped, zipped
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, begun, opens, types

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


def saved(phone: Page, to: Path) -> Path:
    """The evidence that the page of the game saves."""
    opens(phone, "Moves")
    with phone.expect_download() as download:
        phone.get_by_role("button", name="Save all evidence").click()
    download.value.save_as(to)
    return to


def one_roll(phone: Page, server: str, to: Path) -> tuple[Path, str]:
    """The evidence of a game with one roll, and the code of its record."""
    begun(phone, server)
    types(phone, "1 6")
    evidence = saved(phone, to)
    opens(phone, "Moves")
    return evidence, phone.locator("#head").inner_text()


def check(phone: Page, file: Path) -> None:
    phone.locator("#file").set_input_files(file)
    expect(phone.locator("#busy")).to_be_hidden()
    expect(phone.locator("#result")).to_be_visible()


def findings(phone: Page) -> list[str]:
    phone.locator("#fine").evaluate("fine => { fine.open = true; }")
    return [" ".join(text.split()) for text in phone.locator(".findings li").all_inner_texts()]


def test_a_phone_of_the_table_finds_what_was_written_anew(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    early, before = one_roll(phone, phones.server, tmp_path / "early.zip")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("#head")).not_to_have_text(before)
    evidence = saved(phone, tmp_path / "evidence.zip")

    phone.goto(f"{phones.server}/verify")
    check(phone, evidence)
    expect(phone.locator("#verdict")).to_have_text("Everything matches.")
    expect(phone.locator("#wrong-do")).to_be_hidden()
    assert any("codes of the record that this browser saved" in text for text in findings(phone))
    phone.screenshot(path=tmp_path / "matches.png", full_page=True)

    check(phone, early)
    expect(phone.locator("#verdict")).to_have_text("Nothing is wrong, but please check what is marked.")
    expect(phone.locator("#findings li")).to_have_count(1)
    expect(phone.locator("#findings")).to_contain_text("saw the game go on to line 3, but this record ends with line 2")

    check(phone, forged(early, tmp_path / "forged.zip"))
    expect(phone.locator("#verdict")).to_have_text("This evidence cannot be trusted.")
    expect(phone.locator("#wrong-do")).to_contain_text("Save the evidence again")
    expect(phone.locator("#findings .wrong").first).to_be_visible()
    assert any("This record is not the one this phone has seen: line 2" in text for text in findings(phone))
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.screenshot(path=tmp_path / "forged.png", full_page=True)


def test_a_record_that_this_browser_cannot_confirm_is_to_be_looked_at(phones: Phones, tmp_path: Path) -> None:
    """Rewritten from its first line, under another id and another key, it fits by itself."""
    phone = phones.phone()
    genuine, code = one_roll(phone, phones.server, tmp_path / "genuine.zip")
    anew = rewritten(genuine, tmp_path / "anew.zip")

    phone.goto(f"{phones.server}/verify")
    check(phone, anew)
    expect(phone.locator("#verdict")).to_have_text("Nothing is wrong, but please check what is marked.")
    told = phone.locator("#findings li").all_inner_texts()
    assert len(told) == 2
    assert "This browser was not at this game" in told[0]
    assert "with a key that this browser does not know" in told[1]
    check(phone, genuine)
    expect(phone.locator("#verdict")).to_have_text("Everything matches.")

    third = phones.phone()
    third.goto(f"{phones.server}/verify")
    check(third, genuine)
    expect(third.locator("#findings li")).to_have_count(1)
    expect(third.locator("#findings")).to_contain_text("proves only that nothing changed since it was signed")
    third.locator("summary").first.click()
    third.locator("#head").fill(code_of_line_1(genuine))
    third.locator("#head").press("Enter")
    expect(third.locator("#fits")).to_contain_text("is the head after line 1. It proves nothing of what follows.")
    expect(third.locator("#verdict")).to_have_text("Nothing is wrong, but please check what is marked.")
    third.locator("#head").fill(code)
    third.locator("#head").press("Enter")
    expect(third.locator("#verdict")).to_have_text("Everything matches.")


def code_of_line_1(evidence: Path) -> str:
    with ZipFile(evidence) as found:
        return short(json.loads(found.read("record.jsonl").splitlines()[0])["hash"])


def rewritten(evidence: Path, to: Path) -> Path:
    """The same moves in a record of another day, signed by another server as another game."""
    with ZipFile(evidence) as found:
        record = Record.load(found.read("record.jsonl").decode())
    anew = Record.begin(replace(record.header, date="2026-11-21T20:15:00+00:00"))
    for entry in record.entries:
        assert entry.move is not None
        anew = anew.play(entry.move, at=entry.at, by=entry.by)
    to.with_suffix("").mkdir()
    signed = ServerKey.open(to.with_suffix("")).sign(Head.of(anew, "f" * 16))
    to.write_bytes(zipped(Evidence(anew, {}, signed=signed)))
    return to


def forged(evidence: Path, to: Path) -> Path:
    """The same game with another roll, every hash of it right, but not signed."""
    with ZipFile(evidence) as found:
        record = Record.load(found.read("record.jsonl").decode())
        manifest = json.loads(found.read("manifest.json"))
    entry = record.entries[0]
    move = Move.parse(str(entry.move).replace("1", "2"))
    better = Record.begin(record.header).play(move, at=entry.at, by=entry.by)
    manifest |= {"head": better.head, "signed": None}
    changed = {"record.jsonl": better.text.encode(), "manifest.json": json.dumps(manifest).encode()}
    to.write_bytes(rezipped(evidence.read_bytes(), changed))
    return to


def test_it_speaks_german_as_a_whole(phones: Phones, browser: Browser, tmp_path: Path) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, "1 6")
    evidence = saved(phone, tmp_path / "evidence.zip")
    phone.goto(f"{phones.server}/verify")
    check(phone, forged(evidence, tmp_path / "forged.zip"))
    english = findings(phone)

    other = browser.new_page(locale="de-DE", viewport={"width": 390, "height": 844})
    other.goto(f"{phones.server}/verify")
    check(other, tmp_path / "forged.zip")
    expect(other.locator("#verdict")).to_have_text("Diesen Beweisen ist nicht zu trauen.")
    german = findings(other)
    other.screenshot(path=tmp_path / "german.png", full_page=True)
    other.close()
    # The other browser was not at the table, and has nothing saved.
    assert len(german) == len(english) - 1
    assert set(german) & set(english) == set()
    assert not any(" the " in text for text in german), german


@pytest.mark.parametrize(
    ("locale", "content", "seems"),
    [
        ("en-GB", "Dear Ben,\n", "This is a text, not evidence. Choose"),
        ("de-DE", "Dear Ben,\n", "Das ist ein Text, kein Beweis. Wähle"),
        ("en-GB", "", "This file is empty. Choose"),
        ("de-DE", "", "Diese Datei ist leer. Wähle"),
    ],
)
def test_another_file_is_not_called_forged(
    server: str, browser: Browser, tmp_path: Path, locale: str, content: str, seems: str
) -> None:
    page = browser.new_page(locale=locale)
    page.goto(f"{server}/verify")
    (tmp_path / "letter.zip").write_text(content)
    page.locator("#file").set_input_files(tmp_path / "letter.zip")
    expect(page.get_by_role("alert")).to_contain_text(seems)
    expect(page.locator("#result")).to_be_hidden()
    page.close()


def test_a_code_may_be_typed_after_the_zip_was_chosen(phones: Phones, tmp_path: Path) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, "1 6")
    evidence = saved(phone, tmp_path / "evidence.zip")
    opens(phone, "Moves")
    code = phone.locator("#head").inner_text()
    phone.goto(f"{phones.server}/verify")
    phone.locator("summary").first.click()
    expect(phone.locator("#head")).to_be_enabled()
    with phone.expect_file_chooser():
        phone.locator("#head").press("Enter")
    check(phone, evidence)
    assert not any("you noted" in text for text in findings(phone))
    phone.locator("#head").fill(code)
    phone.locator("#head").press("Enter")
    expect(phone.locator("#fits")).to_contain_text("you noted")
    phone.locator("#head").fill(code[:-1])
    phone.get_by_role("button", name="Check with these").click()
    expect(phone.get_by_role("alert")).to_contain_text("has 15.")
    expect(phone.locator("#result")).to_be_hidden()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.screenshot(path=tmp_path / "mistyped.png", full_page=True)
    phone.get_by_role("link", name="Deutsch").click()
    phone.locator("summary").first.click()
    phone.locator("#file").set_input_files(evidence)
    expect(phone.locator("#verdict")).to_be_visible()
    phone.locator("#key").fill("K7QD-0000-AAAA-AAAA")
    phone.locator("#key").press("Enter")
    expect(phone.get_by_role("alert")).to_contain_text("hat 0, was in keinem vorkommt.")


def test_codes_are_taken_once_somebody_listens(phones: Phones) -> None:
    phone = phones.phone()
    held: list[Route] = []
    phone.route("**/table/words/*.json", lambda route: held.append(route))
    with phone.expect_request("**/table/words/*.json"):
        phone.goto(f"{phones.server}/verify", wait_until="commit")
    phone.locator("summary").first.click()
    expect(phone.locator("#head")).to_be_disabled()
    for route in held:
        route.continue_()
    expect(phone.locator("#head")).to_be_enabled()
    expect(phone.get_by_role("button", name="Check with these")).to_be_enabled()
