"""The phone page of a live game in a real browser against the real server, which keeps its games in a folder."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed (on Debian: apt install chromium)")

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SAMPLE = Path("docs/sample-throw.jpg")
OPENING = ("opening 1 6", "opening 1 2", "throw 1 2 3 4 5 5 6", "point 5")
"""After these moves five dice are due, one fewer than the sample photo shows."""
expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `muggins serve` on a free port."""
    data = str(tmp_path_factory.mktemp("data"))
    command = [sys.executable, "-c", "from api.cli import main; main()", "serve", "--port", "0", "--data", data]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert running.stderr is not None
    try:
        said = iter(running.stderr)
        yield next(found[0] for line in said if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
    finally:
        running.terminate()
        running.communicate(timeout=20)


@pytest.fixture(scope="module")
def chromium() -> Iterator[BrowserType]:
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="module")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    opened = chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield opened
    opened.close()


class Phones:
    """Phones at the table, each with a memory of its own; at the end nothing was complained of on any."""

    def __init__(self, browser: Browser, server: str) -> None:
        self._browser = browser
        self.server = server
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def phone(self, scheme: str = "light") -> Page:
        """A new one, showing nothing yet."""
        context = self._browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844})  # type: ignore[arg-type]
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._console(said.text))
        page.on("request", lambda sent: self._request(sent.url))
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert self.complaints == []

    def _console(self, text: str) -> None:
        if "Content Security" in text or "Uncaught" in text:
            self.complaints.append(text)

    def _request(self, url: str) -> None:
        told = "token=" in url and "/events?" not in url
        if told or not url.startswith((self.server, "blob:")):
            self.complaints.append(url)


@pytest.fixture
def phones(browser: Browser, server: str) -> Iterator[Phones]:
    table = Phones(browser, server)
    yield table
    table.close()


def begun(phone: Page, server: str, *rules: tuple[str, str], game: str = "crib-dice") -> None:
    """A game of Ann and Ben, begun on the page."""
    phone.goto(f"{server}/table/")
    phone.get_by_label("Which game?").select_option(game)
    phone.get_by_label("Player 1").fill("Ann")
    phone.get_by_label("Player 2").fill("Ben")
    phone.get_by_text("Rules:").click()
    for label, value in rules:
        phone.get_by_label(label, exact=True).fill(value)
    phone.get_by_role("button", name="Begin").click()
    expect(phone.locator("#prompt")).to_contain_text("Ann")


def types(phone: Page, *moves: str) -> None:
    """Type them one by one, each once the one before has arrived."""
    for move in moves:
        before = phone.locator("#head").inner_text()
        if not phone.locator("#typing").evaluate("typing => typing.open"):
            phone.get_by_text("Type the dice instead").click()
        phone.get_by_label("What was thrown, or a move").fill(move)
        phone.get_by_role("button", name="Play", exact=True).click()
        expect(phone.locator("#head")).not_to_have_text(before)


def links(phone: Page) -> tuple[str, str]:
    """To play along, and to watch."""
    phone.get_by_text("Let others join or watch").click()
    found = [phone.get_by_label(label).input_value() for label in ("To play along", "To watch only")]
    return found[0], found[1]


def scanned(phone: Page, code: str) -> str:
    """What another phone's camera reads from the screen."""
    expect(phone.locator(code)).to_have_js_property("complete", True)
    expect(phone.locator(code)).not_to_have_js_property("naturalWidth", 0)
    with Image.open(BytesIO(phone.locator(code).screenshot())) as shot:
        return cv2.QRCodeDetector().detectAndDecode(np.asarray(shot.convert("L")))[0]


def heads(phone: Page) -> Any:
    """The heads of records that the phone remembers of the game it shows, by number of lines."""
    name = f"muggins.heads.{phone.url.rpartition('/')[2]}"
    return json.loads(phone.evaluate("name => localStorage.getItem(name)", name))["seen"]


def shows_sample(phone: Page) -> Any:
    """What the server answers to the sample photo."""
    with phone.expect_response("**/photos") as response:
        phone.get_by_label("Choose a photo").set_input_files(SAMPLE)
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
    expect(phone.locator("#standings .turn .running")).to_have_text("+2")
    expect(phone.locator("#pegs .peg")).to_have_count(3)
    phone.locator("[data-move='stop']").click()
    expect(phone.locator("#events")).to_contain_text("Ann pegs 2 points")
    expect(phone.locator("#standings .turn")).to_contain_text("Ben")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("#standings .turn")).to_contain_text("Ann")
    phone.get_by_text("All moves").click()
    expect(phone.locator("#moves li")).to_have_count(6)
    expect(phone.locator("#moves .undone")).to_have_text(re.compile("stop \\(taken back\\)"))


def test_the_keys_of_the_pad_make_a_throw(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    phone.get_by_text("Type the dice instead").click()
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
    confirms_if_asked(phone)
    expect(phone.locator("#offers .offer")).not_to_have_count(0)
    phone.screenshot(path=tmp_path / "scored-dark.png", full_page=True)

    phone.locator("#overlay .die").last.click()
    runner_up = next(str(value) for value, _ in dice[-1]["alternatives"] if value != dice[-1]["value"])
    assert phone.locator("#correct-choices button").first.inner_text() == runner_up
    phone.screenshot(path=tmp_path / "correct-dark.png")
    phone.locator("#correct-choices").get_by_role("button", name="4", exact=True).click()
    expect(phone.locator("#values button").last).to_have_text("4")
    expect(phone.locator("#was-corrected")).to_contain_text("1 change")
    before = len(heads(phone))
    phone.get_by_role("button", name="Take it back, and score it as corrected").click()
    expect(phone.locator("#again")).to_be_hidden()
    confirms_if_asked(phone)
    expect(phone.locator("#events")).to_contain_text("-".join(sorted([str(die["value"]) for die in dice[:-1]] + ["4"])))
    assert len(heads(phone)) == before + 2
    phone.get_by_text("All moves").click()
    expect(phone.locator("#moves .thumbnail")).to_have_count(2)


def confirms_if_asked(phone: Page) -> None:
    """A reading that is not sure is played once a person says that it is right."""
    if phone.locator("#confirm").is_visible():
        phone.locator("#confirm").click()
    expect(phone.locator("#doubt")).to_be_hidden()


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
    for left in (count - 1, count - 2):
        phone.locator("#values button").first.click()
        phone.get_by_role("button", name="Remove: there is none").click()
        expect(phone.locator("#overlay .die")).to_have_count(left)
    adds_a_five(phone)
    expect(phone.locator("#overlay .die")).to_have_count(count - 1)
    phone.get_by_role("button", name="Play it as corrected").click()
    expect(phone.locator("#again")).to_be_hidden()
    confirms_if_asked(phone)
    expect(phone.locator("#events")).to_contain_text("Ann throws")


def adds_a_five(phone: Page) -> None:
    phone.get_by_role("button", name="Add one that was missed").click()
    phone.locator("#stage").click(position={"x": 100, "y": 60})
    phone.locator("#correct-choices").get_by_role("button", name="5", exact=True).click()
    expect(phone.locator("#values button").last).to_have_text("5")
    added = phone.locator("#overlay .die").last.locator(".over").bounding_box()
    stage = phone.locator("#stage").bounding_box()
    assert added is not None
    assert stage is not None
    assert added["x"] + added["width"] / 2 == pytest.approx(stage["x"] + 100, abs=3)
    assert added["y"] + added["height"] / 2 == pytest.approx(stage["y"] + 60, abs=3)


def test_a_doubt_that_a_person_confirms_is_played(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, *OPENING[:2], "5555555", "point 5")
    phone.get_by_label("What was thrown, or a move").fill("5555555")
    phone.get_by_role("button", name="Play", exact=True).click()
    expect(phone.locator("#doubt")).to_contain_text("5")
    before = phone.locator("#head").inner_text()
    phone.locator("#confirm").click()
    expect(phone.locator("#doubt")).to_be_hidden()
    expect(phone.locator("#head")).not_to_have_text(before)


def test_a_viewer_sees_every_move_by_itself_and_cannot_play(phones: Phones) -> None:
    phone, other, third = phones.phone(), phones.phone("dark"), phones.phone()
    begun(phone, phones.server)
    player, viewer = links(phone)
    assert [scanned(phone, f"#{role}-qr") for role in ("player", "viewer")] == [player, viewer]
    third.goto(viewer)
    expect(third.locator("#watching")).to_be_visible()
    expect(third.locator("#acts")).to_be_hidden()
    assert "#" not in third.url, "the token is taken out of the address"
    other.goto(player)
    expect(other.locator("#acts")).to_be_visible()
    types(other, "6 1")
    for page in (phone, third):
        expect(page.locator("#prompt")).to_contain_text("Ben")
        expect(page.locator("#said")).to_contain_text("Ann rolls 1-6")
        expect(page.locator("#head")).to_have_text(other.locator("#head").inner_text())
    third.reload()
    expect(third.locator("#prompt")).to_contain_text("Ben")


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
    phone.get_by_text("Record and evidence").click()
    with phone.expect_download() as saved:
        phone.get_by_role("button", name="Save all evidence").click()
    assert saved.value.suggested_filename.startswith("farkle-crib-")
    phone.get_by_role("link", name="All games").click()
    expect(phone.locator("#games li")).to_have_count(2)
    expect(phone.locator("#games li").first).to_contain_text("Farkle Cribbage")
    expect(phone.locator("#games li").first).to_contain_text("Ann: roll two dice")
    phone.screenshot(path=tmp_path / "games-light.png", full_page=True)


def test_a_stale_choice_is_refused_and_the_page_looks_again(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server)
    player, _ = links(phone)
    other = phones.phone()
    other.route("**/events?*", lambda route: route.abort())
    other.goto(player)
    expect(other.locator("#acts")).to_be_visible()
    types(phone, "6 1")
    types(other, "5 1")
    expect(other.locator("#trouble")).to_contain_text("has gone on since")
    expect(other.locator("#prompt")).to_contain_text("Ben")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone_and_it_can_be_installed(phones: Phones, scheme: str, tmp_path: Path) -> None:
    phone = phones.phone(scheme)
    begun(phone, phones.server)
    phone.screenshot(path=tmp_path / f"begin-{scheme}.png", full_page=True)
    types(phone, *OPENING[:3])
    for summary in phone.locator("summary").all():
        if not summary.evaluate("summary => summary.parentElement.open"):
            summary.click()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.screenshot(path=tmp_path / f"choices-{scheme}.png", full_page=True)
    manifest = phone.request.get(phones.server + "/web/table/manifest.webmanifest").json()
    icons = [phone.request.get(phones.server + icon["src"]) for icon in manifest["icons"]]
    assert all(icon.ok for icon in icons)
    phone.goto(f"{phones.server}/table/")
    phone.get_by_text("Rules:").click()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.screenshot(path=tmp_path / f"start-{scheme}.png", full_page=True)


@pytest.fixture(scope="module")
def filmed(chromium: BrowserType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera looks at the throw of the sample photo."""
    film = tmp_path_factory.mktemp("film") / "throw.mjpeg"
    frame = BytesIO()
    with Image.open(SAMPLE) as photo:
        photo.convert("RGB").resize((1280, 960)).save(frame, "JPEG", quality=95)
    film.write_bytes(frame.getvalue() * 5)
    flags = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    args = [*FLAGS, *flags, f"--use-file-for-fake-video-capture={film}"]
    opened = chromium.launch(executable_path=CHROMIUM, args=args)
    yield opened
    opened.close()


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
    after = len(sent)
    while len(sent) < after + 3:
        phone.wait_for_timeout(200)
    assert sent.index("photos") >= 2, "two readings must agree first"
    assert sent.count("photos") == 1, "the same throw must not be scored twice"
    expect(phone.locator("#live-overlay .die")).not_to_have_count(0)
    phone.get_by_role("button", name="Live camera").click()
    expect(phone.locator("#viewfinder")).to_be_hidden()
    table.close()


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
