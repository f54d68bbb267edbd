"""`python -m tests.e2e.overlay_picture` makes `docs/overlay.png`: every panel of the overlay, over a chequered ground."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
from playwright.sync_api import expect, sync_playwright

from tests.e2e.phones import Phones, opened, serving
from tests.e2e.test_overlay import a_game, over_chequers, overlay

OUT = Path("docs/overlay.png")
MOVES = (
    *("throw 1 1 1 2 4 6", "keep 1 1 1", "stop"),
    "throw 2 3 3 4 6 6",
    *("throw 1 2 5 5 5 6", "keep 1 5 5 5", "stop"),
    *("throw 1 2 3 4 6 6", "keep 1", "stop"),
    "throw 2 2 3 4 4 6",
    *("throw 1 1 2 3 4 6", "keep 1 1", "stop"),
    *("throw 1 1 1 2 4 5", "keep 1 1 1 5"),
)
"""Ben farkles twice; Ann has set dice aside and may stop."""
GREY = "#c8ccd2"


def main() -> None:
    """Play on a real server, and photograph."""
    with (
        TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        serving(Path(folder) / "data") as server,
        opened(playwright.chromium) as browser,
        httpx2.Client(base_url=server, timeout=60) as client,
    ):
        phones = Phones(browser, server)
        game = a_game(client, "farkle-crib", *MOVES, players=("Ann", "Ben", "Cleo"), rules="bonus=three-farkles")
        page = overlay(phones, game)
        expect(page.locator("#risk")).to_contain_text("farkle")
        page.wait_for_timeout(2000)  # until the panels have slid in
        over_chequers(page, OUT, GREY)
        phones.close()
    print(f"{OUT}: {OUT.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
