"""`python bench/pages.py` measures the size of the pages, and how long a phone waits for them. Needs Chromium.

    kB          of everything that the first visit fetches, as transferred
    requests    of the first visit
    usable      milliseconds from opening the address until a person can begin, with the CPU throttled by 4
    again       the same on a second visit
    offline     whether the page opens once the server is unreachable

The machine's processor matters: see the figures of `bench/` for how it compares.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.e2e.phones import opened
from tests.proof.server import Server

OUT = Path(__file__).with_suffix(".json")
PAGES = {"/": "#cards .card", "/read": "input[type=file]", "/rules/crib-dice": "#options dt", "/verify": "main"}
"""For each page, the element that must be present before anybody can use it."""
_SLOWER = 4
_ROUNDS = 5


@dataclass(frozen=True)
class Measured:
    """The figures of one page; milliseconds are medians."""

    kilobytes: float
    requests: int
    usable: float
    again: float
    offline: bool


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/pages.json)")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        opened(playwright.chromium) as browser,
    ):
        server = Server.start(Path(folder) / "data")
        try:
            found = {page: _measured(browser, server.url, page) for page in PAGES}
        finally:
            server.stop()
    table = Table("page", "kB", "requests", "usable, ms", "second visit, ms", "offline")
    for page, each in found.items():
        told = (f"{each.kilobytes:.0f}", str(each.requests), f"{each.usable:.0f}", f"{each.again:.0f}")
        table.add_row(page, *told, "yes" if each.offline else "no")
    Console().print(table)
    options.out.write_text(json.dumps({page: asdict(each) for page, each in found.items()}, indent=1) + "\n")


def _measured(browser: Browser, url: str, page: str) -> Measured:
    address = url + page
    usable, again = [], []
    for _ in range(_ROUNDS):
        with browser.new_context(viewport={"width": 390, "height": 844}) as phone:
            took, size, requests = _visit(phone, address, page)
            usable.append(took)
            again.append(_visit(phone, address, page)[0])
    with browser.new_context() as phone:
        offline = _offline(phone, address, page)
    return Measured(size / 1000, requests, statistics.median(usable), statistics.median(again), offline)


def _visit(phone: BrowserContext, address: str, page: str) -> tuple[float, int, int]:
    """Milliseconds until the page is usable, and the bytes and the number of requests until it is idle."""
    tab = phone.new_page()
    devtools = phone.new_cdp_session(tab)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    devtools.send("Network.enable")
    sizes: list[int] = []
    devtools.on("Network.loadingFinished", lambda told: sizes.append(int(told["encodedDataLength"])))
    begun = time.perf_counter()
    tab.goto(address, wait_until="commit")
    tab.locator(PAGES[page]).first.wait_for()
    took = time.perf_counter() - begun
    tab.wait_for_load_state("networkidle")
    tab.close()
    return 1000 * took, sum(sizes), len(sizes)


def _offline(phone: BrowserContext, address: str, page: str) -> bool:
    tab = phone.new_page()
    tab.goto(address)
    tab.evaluate(
        "() => Promise.race([navigator.serviceWorker.ready.then(() => 1), new Promise((done) => setTimeout(done, 5000))])"
    )
    tab.wait_for_load_state("networkidle")
    phone.set_offline(True)
    try:
        tab.goto(address)
        tab.locator(PAGES[page]).first.wait_for(timeout=20_000)
    except Error:
        return False
    finally:
        phone.set_offline(False)
    return True


if __name__ == "__main__":
    main()
