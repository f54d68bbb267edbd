"""A camera that the server's computer watches, over HTTP or RTSP: from the start page, over plain HTTP, to the first roll."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import BrowserType, Page, expect

from tests.api.film.cameras import on_air
from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import (
    CHROMIUM,
    NO_CHROMIUM,
    PATIENCE,
    STEP,
    Phones,
    chooses,
    counts_taps,
    opened,
    opens,
    serving,
    taps,
)
from tests.e2e.throws import jpeg, photo, picture_of

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

AT_HOME = "table.local"
"""A name in the home network, which browsers do not trust with a camera over plain HTTP."""
_PAUSE = 0.1
"""Seconds between two frames."""
_PYTHON = Path("/usr/bin/python3")
UNTIL_SEEN = 5000
"""Milliseconds for the camera to see that the table is empty, which nobody is told; a roll is found without it as well."""
Shows = Callable[[Image.Image], None]


@contextmanager
def over_http(folder: Path) -> Iterator[tuple[str, Shows]]:
    """An address of motion JPEG, and what changes its picture."""
    seen = [np.asarray(picture_of(()))]

    def show(picture: Image.Image) -> None:
        seen[0] = np.asarray(picture)

    def frame(_: int) -> np.ndarray:  # type: ignore[type-arg]
        time.sleep(_PAUSE)
        return seen[0]

    with on_air() as camera:
        camera.shows = frame
        yield camera.url, show


@contextmanager
def over_rtsp(folder: Path) -> Iterator[tuple[str, Shows]]:
    """An address of H.264, and what changes its picture."""
    file = folder / "table.jpg"

    def show(picture: Image.Image) -> None:
        new = file.with_suffix(".new")
        new.write_bytes(jpeg(picture))
        new.replace(file)

    show(picture_of(()))
    command = [_PYTHON, Path(__file__).with_name("rtsp_camera.py"), file]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as camera:
        try:
            assert camera.stdout
            assert camera.stderr
            if not (address := camera.stdout.readline().strip()):
                said = camera.stderr.read().strip().rpartition("\n")[2]
                pytest.skip(f"no RTSP server is installed (tests/e2e/rtsp_camera.py says which): {said}")
            yield address, show
        finally:
            camera.kill()


@contextmanager
def watching(command: str, camera: str, log: Path) -> Iterator[None]:
    """The command that the page shows, with the camera's address in its place, run on the server's computer."""
    asked = shlex.split(command.replace("CAMERA", camera).replace(AT_HOME, "127.0.0.1"))
    assert asked[0] == "muggins"
    run = [sys.executable, "-c", "from api.cli.main import main; main()", *asked[1:]]
    environment = {**os.environ, "PYTHONPATH": str(Path().resolve())}
    with (
        log.open("w") as said,
        subprocess.Popen(run, cwd=log.parent, env=environment, stdout=said, stderr=said) as watcher,
    ):
        try:
            yield
        finally:
            watcher.kill()


@pytest.fixture
def at_home(chromium: BrowserType, tmp_path: Path) -> Iterator[Phones]:
    """Phones that reach the server by a name, over plain HTTP; it is one of its own, so that no throw was seen before."""
    rules = f"--host-resolver-rules=MAP {AT_HOME} 127.0.0.1"
    with serving(tmp_path / "data") as server, opened(chromium, rules) as browser:
        table = Phones(browser, server.replace("127.0.0.1", AT_HOME))
        yield table
        table.close()


def says(phone: Page, what: str, log: Path) -> None:
    """Wait for the prompt; what the watching program has said helps if it never comes."""
    try:
        expect(phone.locator("#prompt")).to_contain_text(what)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{log.read_text()}") from None


def test_the_ways_to_a_camera_are_told_before_a_game_is_made(at_home: Phones) -> None:
    phone, asked = at_home.phone(), list[str]()
    phone.goto(f"{at_home.server}/#join={JOIN_TOKEN}")
    chooses(phone, "crib-dice")
    phone.on("request", lambda sent: asked.append(sent.url) if sent.method == "POST" else None)
    phone.get_by_role("button", name="Score with this phone").click()
    notice = phone.get_by_role("alert").filter(has_text="Browsers allow a camera only over a secure connection.")
    expect(notice).to_be_in_viewport()
    notice.get_by_role("link", name="Ways to use a camera here").click()
    expect(phone.locator("#command")).to_have_text("muggins watch CAMERA --serve 'LINK'")
    expect(phone.locator("#which-link")).to_contain_text("make a camera link")
    phone.get_by_role("link", name="begin a game").click()
    expect(phone.locator("#cards .card").first).to_be_visible()
    assert not asked


@pytest.mark.parametrize("camera", [over_http, over_rtsp], ids=["http", "rtsp"])
def test_a_phone_without_a_camera_is_shown_the_way_and_counts_the_rolls_of_a_camera_on_the_server(
    camera: Callable[[Path], Iterator[tuple[str, Shows]]], at_home: Phones, tmp_path: Path
) -> None:
    phone = at_home.phone()
    counts_taps(phone)
    phone.goto(f"{at_home.server}/#join={JOIN_TOKEN}")
    chooses(phone, "crib-dice")
    for number, name in enumerate(("Ann", "Ben"), 1):
        phone.get_by_label(f"Player {number}").fill(name)
    phone.get_by_role("button", name="Begin").click()
    phone.get_by_role("link", name="Score with this phone").click()
    phone.wait_for_url("**/camera/*")
    expect(phone.locator("#without")).to_be_visible()
    phone.locator("#ways").click()
    phone.wait_for_url("**/ways#*")
    phone.screenshot(path=tmp_path / "ways.png", full_page=True)
    command = phone.locator("#command").inner_text()
    phone.get_by_role("link", name="open the game").click()
    expect(phone.locator("#dock")).to_be_visible()
    assert taps(phone) == 4, "begin, the camera, its ways, the game"
    log = tmp_path / "watch.log"
    with camera(tmp_path) as (address, show), watching(command, address, log):
        for _ in range(PATIENCE // STEP):
            if f"Watching {address}." in log.read_text():
                break
            phone.wait_for_timeout(STEP)
        show(photo((6, 1), seed=7))
        says(phone, "Ben", log)
        show(picture_of(()))
        phone.wait_for_timeout(UNTIL_SEEN)
        show(photo((1, 2), seed=3))
        says(phone, "seven dice", log)
    assert taps(phone) == 4, "no throw wants a tap"
    opens(phone, "Moves")
    expect(phone.locator("#moves .thumbnail")).to_have_count(2)
    phone.screenshot(path=tmp_path / "moves.png")
