"""`python -m tests.e2e.read_aloud` writes down in `docs/accessibility.md` what a screen reader finds on the page of one turn."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import expect, sync_playwright

from tests.e2e.phones import Phones, begun, opened, serving, types

DOC = Path("docs/accessibility.md")
MOVES = ("6 1", "1 2", "1 2 2 4 5 5 6", "point 5", "1 2 3 5 5")
"""Ann throws twice, and has dice frozen."""
_WRITTEN = re.compile(r"(?<=```yaml\n).*?(?=\n```)", re.DOTALL)


def main() -> None:
    """Play on a real server, and write."""
    with (
        TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        serving(Path(folder) / "data") as server,
        opened(playwright.chromium) as browser,
    ):
        phones = Phones(browser, server)
        found = tree(phones)
        phones.close()
    DOC.write_text(_WRITTEN.sub(lambda _: found, DOC.read_text("utf-8")), "utf-8")
    print(f"{DOC}: {len(found.splitlines())} lines")


def tree(phones: Phones) -> str:
    """Chromium's accessibility tree of the page after Ann's throw, in Playwright's words; the game's name is left out."""
    phone = phones.phone()
    begun(phone, phones.server)
    types(phone, *MOVES)
    expect(phone.get_by_text("wipeout").first).to_be_visible()  # the odds of the next throw come last
    game = phone.url.rpartition("/")[2].partition("#")[0]
    return phone.locator("body").aria_snapshot().replace(game, "GAME")


def written(doc: Path = DOC) -> str:
    """What was written down.

    Raises:
        AttributeError: there is no such part in the file.
    """
    return _WRITTEN.search(doc.read_text("utf-8")).group()  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
