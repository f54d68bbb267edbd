"""`python bench/turn.py` plays one turn of each game on a phone's page and measures the player's effort. Needs Chromium.

    taps        on the page, per throw (or tile); a photo additionally takes the camera app's own shutter and "use photo"
    scrolled    pixels per throw, to reach the next control and to read the score
    seconds     from choosing the photo until the score is on the page; with a camera: from the moment the dice lie still
    page        pixels from top to bottom while a choice is open, on a phone of 390 x 844
    score       font size of the score in pixels

Each is measured for the current pages and, side by side, for those of an earlier commit (`--before`), from a server of its tree.
Crib Dice and Farkle Cribbage are played with photos composed for the throw; the others with keys and buttons. "camera" is a
whole short game before a camera, without taps (`tests/e2e/hands_free.py`).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path

import httpx2
from playwright.sync_api import Browser, Locator, Page, Playwright, expect, sync_playwright
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.hands_free import Journey
from tests.e2e.phones import CAMERA, Phones, opened, serving
from tests.e2e.throws import Film, jpeg, photo

OUT = Path(__file__).with_suffix(".json")
BEFORE = "20b0d8b"
"""The last commit before the pages were made for hands-free play."""
PHOTO, KEYS, CAMERA_WAY = "photo", "keys", "camera"
TURNS = {
    "crib-dice": (PHOTO, ("throw 1 2 3 4 5 5 6", "point 5", "throw 1 2 3 5 5", "stop")),
    "farkle-crib": (PHOTO, ("throw 2 3 4 6 6 6", "keep 6 6 6", "throw 1 2 5", "keep 1 5, stop")),
    "cribbage-dice": (KEYS, ("throw 5 5 10 10 11", "keep 5 10 10", "throw 5", "stop")),
    "domino-cribbage": (KEYS, ("play 4-1", "play 6-0", "play 5-2", "play 6-3")),
}
"""By game, how its throws are entered, and a turn; for Domino Cribbage four tiles after `DEALT`. Two choices separated by a comma
are a single button, where the pages have one."""
DEALT = (
    "deal 1 2-1 3-1 4-1 5-2 5-3 5-4",
    "deal 0 0-0 1-1 6-0 6-3 6-5 6-6",
    "discard 2-1 3-1",
    "discard 0-0 1-1",
    "starter 4-3",
)
FILMED = {"crib-dice": ("21", 1), "farkle-crib": ("31", 2)}
"""Finish and seed of the games before a camera."""
PHONE = {"width": 390, "height": 844}
_PATIENCE = 120
"""Timeout for scoring a photo, in seconds."""
_REACH = """(wanted) => {
    const dock = document.querySelector("#dock:not([hidden])")?.getBoundingClientRect().height ?? 0;
    const fixed = wanted.closest("#dock, dialog") !== null;
    const { top, bottom } = wanted.getBoundingClientRect();
    const below = bottom - (innerHeight - dock);
    const by = fixed ? 0 : top < 0 ? top : below > 0 ? Math.min(below, top) : 0;
    scrollBy({ top: by, behavior: "instant" });
    return Math.abs(by);
}"""
"""Scrolls an element into view, and returns the distance."""
_SCORE_SIZE = "() => parseFloat(getComputedStyle(document.querySelector('#standings .hole')).fontSize)"
"""Read in one call: the standings may be redrawn at any moment."""


@dataclass(frozen=True)
class Measured:
    """The figures of a turn, per throw or per tile. A camera's pages are not scrolled."""

    way: str
    taps: float
    scrolled: float | None
    seconds: float | None
    page: int | None
    score: float | None


@dataclass
class Hand:
    """A simulated thumb that plays a turn, and counts its actions."""

    phone: Page
    taps: int = 0
    scrolled: float = 0
    seconds: list[float] = field(default_factory=list)
    page: int = 0

    def reach(self, wanted: Locator) -> None:
        """Scroll an element into view if necessary."""
        self.scrolled += wanted.evaluate(_REACH)

    def tap(self, wanted: Locator) -> None:
        """Tap it."""
        self.reach(wanted)
        wanted.click()
        self.taps += 1

    def play(self, way: str, move: str) -> None:
        """Make a move, and look at the score."""
        head = self.phone.locator("#head")
        before = head.inner_text()
        verb, *pieces = move.split()
        if verb != "throw":
            self._choose(move)
        elif way == PHOTO:
            self._show(tuple(map(int, pieces)), before)
        else:
            self._type(pieces)
        expect(head).not_to_have_text(before)
        self.page = max(self.page, self.phone.evaluate("document.documentElement.scrollHeight"))
        self.reach(self.phone.locator("#standings"))

    def _choose(self, moves: str) -> None:
        both = self.phone.locator(f"[data-moves='{moves}']")
        expect(self.phone.locator("#offers [data-move]").first).to_be_attached()
        if both.count():
            self.tap(both)
            return
        for move in moves.split(", "):
            self._tap_offer(move)

    def _tap_offer(self, move: str) -> None:
        offer, more = self.phone.locator(f"[data-move='{move}']"), self.phone.locator("#offers .more")
        expect(offer.or_(more).first).to_be_attached()
        if not offer.count():
            self.tap(more)
        self.tap(offer)

    def _show(self, dice: tuple[int, ...], before: str) -> None:
        take = self.phone.locator("label[for=camera]")
        self.reach(take)
        self.taps += 1
        picture = {"name": "IMG_1.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo(dice, seed=sum(dice)))}
        begun = time.perf_counter()
        self.phone.locator("#camera").set_input_files(picture)  # type: ignore[arg-type]
        head, confirm = self.phone.locator("#head"), self.phone.locator("#confirm")
        while head.inner_text() == before:
            if time.perf_counter() - begun > _PATIENCE:
                raise TimeoutError(self.phone.locator("main").inner_text())
            if confirm.is_visible():
                self.tap(confirm)
                expect(confirm).to_be_hidden()
            self.phone.wait_for_timeout(20)
        self.seconds.append(time.perf_counter() - begun)

    def _type(self, pieces: list[str]) -> None:
        if not self.phone.locator("#typing").evaluate("typing => typing.open"):
            self.tap(self.phone.locator("#typing > summary"))
        for piece in pieces:
            self.tap(self.phone.locator("#pad").get_by_role("button", name=piece, exact=True))
        self.tap(self.phone.get_by_role("button", name="Play", exact=True))


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default=BEFORE, help="commit to compare with (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/turn.json)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each game (default: %(default)s)")
    parser.add_argument(
        "--without-camera", action="store_true", help="skip whole games with a camera; keep their figures"
    )
    options = parser.parse_args()
    with sync_playwright() as playwright:
        with opened(playwright.chromium) as browser, tree_of(options.before) as tree:
            before, after = turns(browser, options.rounds, tree, Path())
        filmed = kept(options.out) if options.without_camera else cameras(playwright)
    show({"before": before, "after": after, "camera": filmed})
    told = {
        when: {game: asdict(each) for game, each in found.items()}
        for when, found in (("before", before), ("after", after), ("camera", filmed))
    }
    options.out.write_text(json.dumps({"commit before": options.before, **told}, indent=1) + "\n")


def kept(file: Path) -> dict[str, Measured]:
    """An earlier run's figures before a camera; empty if there are none."""
    if not file.exists():
        return {}
    return {game: Measured(**each) for game, each in json.loads(file.read_text())["camera"].items()}


def cameras(playwright: Playwright) -> dict[str, Measured]:
    """A whole short game of each kind before a camera."""
    filmed = {}
    for game, (finish, seed) in FILMED.items():
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "data") as server:
            film = Film(Path(folder) / "table.y4m")
            with opened(playwright.chromium, *CAMERA, f"--use-file-for-fake-video-capture={film.file}") as seeing:
                filmed[game] = camera(seeing, server, film, game, finish, seed)
    return filmed


def show(found: dict[str, dict[str, Measured]]) -> None:
    """Print the table."""
    table = Table("game", "when", "way", "taps", "scrolled, px", "seconds", "page, px", "score, px")
    for game in TURNS:
        for when, each in ((when, games[game]) for when, games in found.items() if game in games):
            told = [f"{each.taps:.1f}", *(f"{value:.0f}" if value is not None else "" for value in (each.scrolled,))]
            told += [f"{each.seconds:.1f}" if each.seconds is not None else ""]
            table.add_row(game, when, each.way, *told, str(each.page or ""), f"{each.score:.0f}" if each.score else "")
    Console().print(table)


@contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    """The files of a commit, in a temporary folder."""
    archive = subprocess.run(["git", "archive", commit], capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(archive)) as packed:
            packed.extractall(folder, filter="data")
        yield Path(folder)


def turns(browser: Browser, rounds: int, *trees: Path) -> list[dict[str, Measured]]:
    """A turn of every game on the pages of each tree.

    Their servers run side by side and alternate. Each round starts new ones, for a server asks about a photo that it has
    seen before.
    """
    played = [_round(browser, trees) for _ in range(rounds)]
    return [
        {game: _measured(way, moves, [each[tree][game] for each in played]) for game, (way, moves) in TURNS.items()}
        for tree in range(len(trees))
    ]


def _round(browser: Browser, trees: tuple[Path, ...]) -> list[dict[str, tuple[Hand, float]]]:
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in trees]
        servers = [
            stack.enter_context(serving(folder / "data", tree)) for folder, tree in zip(folders, trees, strict=True)
        ]
        played: list[dict[str, tuple[Hand, float]]] = [{} for _ in trees]
        for game, (way, moves) in TURNS.items():
            for server, hands in zip(servers, played, strict=True):
                hands[game] = _played(browser, server, game, way, moves)
        return played


def _measured(way: str, moves: tuple[str, ...], hands: list[tuple[Hand, float]]) -> Measured:
    """The figures of the same turn played several times; seconds are the median."""
    hand, score = hands[-1]
    throws = sum(move.startswith(("throw", "play")) for move in moves)
    seconds = [each for one, _ in hands for each in one.seconds]
    taken = statistics.median(seconds) if seconds else None
    return Measured(way, hand.taps / throws, hand.scrolled / throws, taken, hand.page, score)


def _played(browser: Browser, server: str, game: str, way: str, moves: tuple[str, ...]) -> tuple[Hand, float]:
    link = begun(server, game, DEALT if game == "domino-cribbage" else ())
    with browser.new_context(viewport=PHONE, locale="en") as context:  # type: ignore[arg-type]
        phone = context.new_page()
        phone.goto(f"{server}{link}")
        expect(phone.locator("#standings .hole").first).to_be_visible()
        if game == "domino-cribbage" and phone.locator("#who-all").is_visible():
            with phone.expect_navigation():
                phone.locator("#who-all").click()  # asked once per game on each phone
            expect(phone.locator("#offers [data-move]").first).to_be_visible()
        hand = Hand(phone)
        for move in moves:
            hand.play(way, move)
        score = float(phone.evaluate(_SCORE_SIZE))
    return hand, score


def begun(server: str, game: str, moves: tuple[str, ...]) -> str:
    """The link to a new game, after these moves."""
    body = {"game": game, "players": ["Ann", "Ben"], "rules": ["opening_roll=false"]}
    with httpx2.Client(base_url=server, timeout=60) as client:
        told = client.post("/v1/games", json=body, headers={"x-muggins-join": JOIN_TOKEN}).raise_for_status().json()
        snapshot = told["snapshot"]
        for move in moves:
            said = {"lines": snapshot["lines"], "move": move}
            headers = {"authorization": f"Bearer {told['player']}"}
            path = f"/v1/games/{told['id']}/moves"
            snapshot = client.post(path, json=said, headers=headers).raise_for_status().json()["snapshot"]
    return f"/table/{told['id']}#{told['player']}"


def camera(browser: Browser, server: str, film: Film, game: str, finish: str, seed: int) -> Measured:
    """A whole game before a camera."""
    phones = Phones(browser, server)
    played = Journey(phones, film, game, {"finish": finish}, seed).play()
    phones.close()
    return Measured(CAMERA_WAY, played.taps / played.throws, None, statistics.median(played.seconds), None, None)


if __name__ == "__main__":
    main()
