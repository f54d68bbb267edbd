"""A real server and real browsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType

from tests.e2e.phones import CAMERA, Phones, opened, serving
from tests.e2e.throws import Film


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `muggins serve` on a free port, which keeps its games in a folder."""
    with serving(tmp_path_factory.mktemp("data")) as address:
        yield address


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
    return Film(tmp_path / "table.y4m")


@pytest.fixture
def filmed(chromium: BrowserType, server: str, film: Film) -> Iterator[Phones]:
    """Phones whose cameras look at the film."""
    with opened(chromium, *CAMERA, f"--use-file-for-fake-video-capture={film.file}") as browser:
        table = Phones(browser, server)
        yield table
        table.close()
