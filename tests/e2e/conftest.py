"""A real server and real browsers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, sync_playwright

from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import Phones, opened
from tests.e2e.throws import Film


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `muggins serve` on a free port, which keeps its games in a folder."""
    data = str(tmp_path_factory.mktemp("data"))
    command = [sys.executable, "-c", "from api.cli.main import main; main()", "serve", "--port", "0", "--data", data]
    environment = {**os.environ, "MUGGINS_TOKEN": JOIN_TOKEN}
    running = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
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


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    with opened(chromium) as running:
        yield running


@pytest.fixture
def phones(browser: Browser, server: str) -> Iterator[Phones]:
    table = Phones(browser, server)
    yield table
    table.close()


@pytest.fixture
def film(tmp_path: Path) -> Film:
    return Film(tmp_path / "table.mjpeg")


@pytest.fixture
def filmed(chromium: BrowserType, server: str, film: Film) -> Iterator[Phones]:
    """Phones whose cameras look at the film."""
    flags = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    with opened(chromium, *flags, f"--use-file-for-fake-video-capture={film.file}") as browser:
        table = Phones(browser, server)
        yield table
        table.close()
