"""The report of a game, opened from its folder in a real browser."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from api.evidence.bundle import Evidence
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.registry import game_named
from tests.api.evidence.conftest import zipped
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

EVIL = "<script>document.title = 'evil'</script>"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Of a game that began in the evening, by the server's clock, and went on past midnight."""
    header = Header(
        "crib-dice", game_named("crib-dice").rules.from_texts(()), ("Ann", EVIL), "2026-11-21T22:15:00+01:00"
    )
    record = Record.begin(header).play(Move.parse("opening 1 6"), at="2026-11-21T23:59:01+01:00")
    record = record.play(Move.parse("opening 2 5"), at="2026-11-22T00:01:02+01:00")
    (tmp_path / "evidence.zip").write_bytes(zipped(Evidence(record)))
    with ZipFile(tmp_path / "evidence.zip") as packed:
        packed.extractall(tmp_path)
    return tmp_path / "report.html"


def opened(context: BrowserContext, report: Path) -> Page:
    page = context.new_page()
    page.goto(report.as_uri())
    return page


@pytest.mark.parametrize(
    ("zone", "times"),
    [
        (
            "Europe/Berlin",
            ["21 November 2026, 22:15:00 (UTC+01:00)", "23:59:01", "22 November 2026, 00:01:02 (UTC+01:00)"],
        ),
        ("America/New_York", ["21 November 2026, 16:15:00 (UTC-05:00)", "17:59:01", "18:01:02"]),
        ("Asia/Kathmandu", ["22 November 2026, 03:00:00 (UTC+05:45)", "04:44:01", "04:46:02"]),
        ("UTC", ["21 November 2026, 21:15:00 (UTC)", "22:59:01", "23:01:02"]),
    ],
)
def test_times_are_those_of_the_readers_place(browser: Browser, report: Path, zone: str, times: list[str]) -> None:
    context = browser.new_context(timezone_id=zone, viewport={"width": 390, "height": 844})
    page = opened(context, report)
    assert page.locator("time").all_inner_texts() == times
    written = page.locator("time").nth(1).get_attribute("title")
    assert written == "On the server: 23:59:01"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_without_scripts_times_are_those_of_the_server(browser: Browser, report: Path) -> None:
    context = browser.new_context(timezone_id="America/New_York", java_script_enabled=False)
    page = opened(context, report)
    assert page.locator("time").nth(1).inner_text() == "23:59:01"
    context.close()


def test_a_script_that_is_not_its_own_is_not_run(browser: Browser, report: Path) -> None:
    """Names are escaped; were one not, the policy would stop it."""
    report.write_text(report.read_text().replace("</h1>", f"</h1>{EVIL}", 1))
    context = browser.new_context(timezone_id="America/New_York")
    page = opened(context, report)
    assert "evil" not in page.title().replace(EVIL, "")
    assert page.locator("time").nth(1).inner_text() == "17:59:01", "and its own is"
    context.close()
