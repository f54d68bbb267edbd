"""Phones at the table: real browsers, and what people do with them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from tests.api.http.games.play import JOIN_TOKEN
from tests.api.qr import decoded

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NO_CHROMIUM = "no Chromium is installed (on Debian: apt install chromium)"
PATIENCE = 180_000
"""Milliseconds; only what fails waits so long."""
STEP = 100
"""Milliseconds between two looks at a page."""
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
"""Flags for a camera that nobody needs to allow; `--use-file-for-fake-video-capture` says what it sees."""
expect.set_options(timeout=PATIENCE)


@contextmanager
def serving(data: Path, tree: Path = Path(), host: str = "0.0.0.0") -> Iterator[str]:
    """The address of `muggins serve` of a tree on a free port; it keeps its games in this folder and ends with the context."""
    command = [
        sys.executable,
        "-c",
        "from api.cli.main import main; main()",
        "serve",
        "--port",
        "0",
        "--host",
        host,
        "--data",
        str(data.resolve()),
    ]
    environment = {**os.environ, "MUGGINS_TOKEN": JOIN_TOKEN, "PYTHONPATH": str(tree.resolve())}
    running = subprocess.Popen(
        command, cwd=tree, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    assert running.stderr is not None
    try:
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", said)):
            line = running.stderr.readline()
            assert line, f"the server ended ({running.wait()}): {said}"
            said += line
        yield found[0]
    finally:
        running.terminate()
        running.communicate(timeout=90)


@contextmanager
def opened(chromium: BrowserType, *flags: str) -> Iterator[Browser]:
    """A browser, closed at the end."""
    browser = chromium.launch(executable_path=CHROMIUM, args=[*_FLAGS, *flags])
    yield browser
    browser.close()


_COUNT_TAPS = """
    const KEY = "tests.taps";
    addEventListener("pointerup", () => localStorage.setItem(KEY, Number(localStorage.getItem(KEY)) + 1), true);
"""


def counts_taps(phone: Page) -> None:
    """Count from now on, through all pages, how often a finger leaves the screen."""
    phone.add_init_script(_COUNT_TAPS)


def taps(phone: Page) -> int:
    """How many have been counted."""
    return int(phone.evaluate("Number(localStorage.getItem('tests.taps'))"))


class Phones:
    """Phones at the table, each with a memory of its own; at the end nothing was complained of on any."""

    def __init__(self, browser: Browser, server: str) -> None:
        self._browser = browser
        self.server = server
        self.addresses = [server]
        """All under which this server is asked; what a page asks of anybody else is complained of."""
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def phone(self, scheme: str = "light") -> Page:
        """A new one, showing nothing yet."""
        context = self._browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844})  # type: ignore[arg-type]
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)  # also of navigations
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._console(said.text))
        page.on("request", lambda sent: self._request(sent.url))
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert not self.complaints, self.complaints

    def _console(self, text: str) -> None:
        if "Content Security" in text or "Uncaught" in text:
            self.complaints.append(text)

    def _request(self, url: str) -> None:
        if "token=" in url or not url.startswith((*self.addresses, "blob:")):
            self.complaints.append(url)


def chooses(phone: Page, game: str) -> None:
    """The card of a game, on the start page; the one played last is shown alone."""
    expect(phone.locator("#cards .card").first).to_be_visible()
    if phone.locator("#others").is_visible():
        phone.locator("#others").click()
    phone.locator(f"#cards input[value={game}]").check()


def begun(phone: Page, server: str, *rules: tuple[str, str], game: str = "crib-dice") -> None:
    """A game of Ann and Ben, begun on the page."""
    phone.goto(f"{server}/#join={JOIN_TOKEN}")
    chooses(phone, game)
    phone.get_by_label("Player 1").fill("Ann")
    phone.get_by_label("Player 2").fill("Ben")
    phone.get_by_text("More rules").click()
    for label, value in rules:
        phone.get_by_label(label, exact=True).fill(value)
    phone.get_by_role("button", name="Begin").click()
    expect(phone.locator("#prompt")).to_contain_text("Ann")


def values(page: Page) -> list[str]:
    """The pieces that were read, in their order, by what they show."""
    read: list[str] = page.locator("#values button").evaluate_all("read => read.map((each) => each.dataset.value)")
    return read


def opens(phone: Page, tab: str) -> None:
    """Show what lies behind a tab of the game's page."""
    phone.get_by_role("tab", name=tab, exact=True).click()


def opens_photo(phone: Page) -> None:
    """The photo of the throw, where it is not open anyway."""
    if not phone.locator("#photo").evaluate("photo => photo.open"):
        phone.locator("#photo > summary").click()
    expect(phone.locator("#stage")).to_be_visible()


def types(phone: Page, *moves: str) -> None:
    """Type them one by one, each once the one before has arrived."""
    opens(phone, "Turn")
    for move in moves:
        before = phone.locator("#head").inner_text()
        if not phone.locator("#typing").evaluate("typing => typing.open"):
            phone.locator("#typing > summary").click()
        field = phone.get_by_label("The throw, or a move")
        field.fill(move)
        phone.get_by_role("button", name="Play", exact=True).click()
        expect(phone.locator("#head")).not_to_have_text(before)
        expect(field).to_have_value("")  # another phone's move changes the head, too


def links(phone: Page) -> tuple[str, str]:
    """To play along, and to watch; the tab stays open."""
    opens(phone, "Share")
    fields = [phone.get_by_label(label) for label in ("To play along", "To watch only")]
    for field in fields:
        expect(field).to_have_value(re.compile("#."))  # which is filled in a moment after it is shown
    return here(phone, fields[0].input_value()), here(phone, fields[1].input_value())


def here(phone: Page, link: str) -> str:
    """A link for other devices, at the address that this phone uses: all these phones are on the server's own computer."""
    return str(phone.evaluate("origin")) + re.sub("^https?://[^/]+", "", link)


def joins(phone: Page, link: str, *names: str) -> None:
    """Open an invitation and say who plays on the phone; without names the whole table."""
    phone.goto(link)
    for name in names:
        phone.locator("#who-names").get_by_text(name, exact=True).click()
    phone.locator("#who-join" if names else "#who-all").click()
    expect(phone.locator("#who")).to_be_hidden()
    expect(phone.locator("#dock")).to_be_visible()  # the page opens anew


def scanned(phone: Page, code: str) -> str:
    """What another phone's camera reads from the screen."""
    expect(phone.locator(code)).to_have_js_property("complete", True)
    expect(phone.locator(code)).not_to_have_js_property("naturalWidth", 0)
    with Image.open(BytesIO(phone.locator(code).screenshot())) as shot:
        return decoded(np.asarray(shot.convert("L")))


def heads(phone: Page) -> Any:
    """The heads of records that the phone remembers of the game it shows, by number of lines."""
    name = f"muggins.heads.{phone.url.rpartition('/')[2]}"
    return json.loads(phone.evaluate("name => localStorage.getItem(name)", name))["seen"]


def arrives(phone: Page, before: str) -> None:
    """Wait until something is played that was not there before; what the reader is not sure of, a person confirms."""
    head = phone.locator("#head")
    confirms_until(phone, lambda: head.inner_text() != before)


def confirms_until(phone: Page, done: Callable[[], bool]) -> None:
    """Wait for it; what the page asks about meanwhile, a person confirms."""
    confirm = phone.locator("#confirm")
    for _ in range(2 * PATIENCE // STEP):
        if done():
            expect(phone.locator("#doubt")).to_be_hidden()
            return
        # In this order: an answer that comes in between hides the button before the page stops being busy.
        if "busy" not in (phone.locator("body").get_attribute("class") or "") and confirm.is_visible():
            confirm.click()
        phone.wait_for_timeout(STEP)
    pytest.fail(f"nothing was played: {phone.locator('main').inner_text()}")
