"""`python -m tests.e2e.moving_picture` makes the README's moving picture, `docs/hands-free.webp`.

The rendered film of `muggins demo` is played before the camera of a real browser that has the page over the table open;
the real server reads it, and another page shows the scoreboard. Nobody taps. The pages are photographed side by side.

The film waits: its next picture is shown when the server has answered for the one before, and the page's clock is the film's. So
a slow or busy machine makes the same picture as a fast one, only later. What the server needs for a reading is therefore
not seen in it; the stillness that the watcher waits for is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import httpx2
from PIL import Image, ImageDraw, ImageEnhance, ImageFont
from playwright.sync_api import Page, Request, expect, sync_playwright

from api.cli.demo import FILM, PLAYED
from api.files.record_file import RecordFile
from tests.api.http.games.play import Player, begun
from tests.e2e.phones import CAMERA, PATIENCE, STEP, Phones, opened, serving
from tests.e2e.throws import Film

OUT = Path("docs/hands-free.webp")
UNTIL = 27.5
"""Seconds of the film: Ann's whole turn and Ben's first throw."""
FASTER = 1.7
"""How much faster than it was filmed the picture plays."""
FINISH = 61
"""Of the game that is shown; the one in the film ends sooner, which its first turns do not tell."""
LAST = 2500
"""Milliseconds that the last picture stays."""

NEW_PICTURES = 4
"""Pictures after which the page's video shows what has been put before its camera: some are under way."""
_SHOWN = """(count) => new Promise((shown) => {
    const video = document.getElementById("video");
    const next = () => (count-- ? video.requestVideoFrameCallback(next) : shown());
    next();
})"""
_COUNT_SENT = """
    const toBlob = HTMLCanvasElement.prototype.toBlob;
    window.taken = 0;
    HTMLCanvasElement.prototype.toBlob = function (...said) { window.taken += 1; toBlob.apply(this, said); };
"""
"""Counts the frames that the page takes to send them."""
BRIGHTER = 1.35
"""The camera's exposure: the film was made darker than a page likes it."""
SIZE = (960, 588)
GROUND, FRAME, WORDS, HINT = "#eef0f2", "#15181c", "#15181c", "#5b646e"
PHONE, TELEVISION = (350, 690), (960, 540)
"""Sizes of the pages, in their own pixels."""
PHONE_AT, TELEVISION_AT = (24, 24, 274, 540), (330, 24, 606, 341)
"""Where they lie in the picture: left, top, width, height."""
CAPTIONS = (
    ((322, 438), 29, WORDS, "A phone on a stand scores the game."),
    ((322, 474), 29, WORDS, "Nobody taps."),
    ((322, 516), 17, HINT, "Left: the phone's page. Above: the scoreboard, for a television."),
    ((322, 540), 17, HINT, "The real pages before a rendered film of Crib Dice."),
)


@dataclass(frozen=True)
class Shot:
    """Both pages at one time of the film, in seconds."""

    at: float
    phone: Image.Image
    television: Image.Image


def main() -> None:
    """Play, photograph, put together, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT, help="the picture (default: %(default)s)")
    parser.add_argument("--until", type=float, default=UNTIL, help="seconds of the film (default: %(default)s)")
    parser.add_argument("--quality", type=int, default=66, help="of WebP, 1 to 100 (default: %(default)s)")
    options = parser.parse_args()
    shots = list(photographed(options.until))
    pictures = [composed(shot) for shot in shots]
    times = [shot.at for shot in shots]
    durations = [round(1000 * (after - at) / FASTER) for at, after in pairwise(times)] + [LAST]
    first, *others = pictures
    wanted = {"quality": options.quality, "method": 6, "minimize_size": True}  # which saves a third, and takes minutes
    first.save(options.out, save_all=True, append_images=others, duration=durations, loop=0, **wanted)
    size = options.out.stat().st_size / 1e6
    print(f"{options.out}: {len(pictures)} pictures, {sum(durations) / 1000:.1f} s, {size:.2f} MB")


def photographed(until: float) -> Iterator[Shot]:
    """Both pages after each picture of the film."""
    pictures = filmed(FILM, until)
    with TemporaryDirectory() as folder, sync_playwright() as playwright, serving(Path(folder) / "data") as server:
        film = Film(Path(folder) / "table.y4m", pictures[0][1].size)
        film.show(pictures[0][1])
        seeing = opened(playwright.chromium, *CAMERA, f"--use-file-for-fake-video-capture={film.file}")
        with httpx2.Client(base_url=server, timeout=60) as client, seeing as browser:
            phones = Phones(browser, server)
            game, before = a_game(client), 0.0
            stage = Stage(phones, game, film)
            for at, picture in pictures:
                stage.show(picture, at - before)
                before = at
                yield Shot(at, screenshot(stage.phone), screenshot(stage.television))
            check(game)
            phones.close()


def check(game: Player) -> None:
    """Whether the pages show the game that was played, as far as the film went."""
    read, played = game.record().moves, RecordFile.open(PLAYED).record.moves
    assert read, "No roll was read."
    assert read == played[: len(read)], f"Read {[str(move) for move in read]}."
    print(f"{len(read)} moves, as they were played; the last: {read[-1]}")


def filmed(film: Path, until: float) -> list[tuple[float, Image.Image]]:
    """The film's pictures with their times."""
    with av.open(film) as opened_film:
        stream = opened_film.streams.video[0]
        assert stream.average_rate is not None
        rate, wanted = float(stream.average_rate), int(until * stream.average_rate) + 1
        return [(n / rate, brighter(frame)) for n, frame in enumerate(islice(opened_film.decode(stream), wanted))]


def brighter(frame: av.VideoFrame) -> Image.Image:
    """A frame as the camera exposes it."""
    picture: Image.Image = frame.to_image()  # type: ignore[no-untyped-call]
    return ImageEnhance.Brightness(picture).enhance(BRIGHTER)


class Stage:
    """The film before the camera of a phone's page, whose clock stands still between two pictures, and the scoreboard."""

    def __init__(self, phones: Phones, game: Player, film: Film) -> None:
        """Open the pages."""
        self.phone, self.television = phones.phone(), phones.phone("dark")
        self._film, self._answers = film, 0
        for ended in ("requestfinished", "requestfailed"):
            self.phone.on(ended, self._answered)
        self._open(phones.server, game)

    def _open(self, server: str, game: Player) -> None:
        self.phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        self.television.set_viewport_size({"width": TELEVISION[0], "height": TELEVISION[1]})
        self.phone.add_init_script(_COUNT_SENT)
        self.phone.clock.install()
        self.phone.goto(f"{server}/camera/{game.id}#{game.player}")
        expect(self.phone.locator("#state")).to_have_text("Watching. Throw when you like.")
        self.phone.clock.pause_at(self.phone.evaluate("Date.now() / 1000 + 1"))
        self.television.goto(f"{server}/scoreboard/{game.id}#{game.viewer}")
        self.television.get_by_role("button", name="Full screen").click()
        expect(self.television.locator("#full")).to_be_hidden()

    def show(self, picture: Image.Image, later: float) -> None:
        """Put a picture before the camera, so many seconds after the last one, and wait until the server has looked at it."""
        self._film.show(picture)
        self.phone.evaluate(_SHOWN, NEW_PICTURES)
        self.phone.clock.run_for(round(1000 * later))
        for _ in range(PATIENCE // STEP):
            if self._answers >= self.phone.evaluate("window.taken"):
                return expect(self.phone.locator("#trouble")).to_be_hidden()
            self.phone.wait_for_timeout(STEP)
        raise AssertionError(f"no answer: {self.phone.locator('main').inner_text()}")

    def _answered(self, request: Request) -> None:
        self._answers += request.url.endswith("/camera/frames")


def a_game(client: httpx2.Client) -> Player:
    """A live game of the players of the film by its rules, but for the finish."""
    header = RecordFile.open(PLAYED).record.header
    rules = {**header.rules.changed(), "finish": str(FINISH)}
    wanted = (f"{name}={value}" for name, value in rules.items())
    return begun(client, header.game, *wanted, players=header.players)  # type: ignore[arg-type]


def screenshot(page: Page) -> Image.Image:
    """What is in its window."""
    return Image.open(BytesIO(page.screenshot(type="png"))).convert("RGB")


def composed(shot: Shot) -> Image.Image:
    """The two pages, each in its frame, and what they are."""
    picture = Image.new("RGB", SIZE, GROUND)
    draw = ImageDraw.Draw(picture)
    for (left, top, wide, high), page, round_ in ((PHONE_AT, shot.phone, 18), (TELEVISION_AT, shot.television, 6)):
        draw.rounded_rectangle((left - 8, top - 8, left + wide + 7, top + high + 7), round_ + 6, fill=FRAME)
        mask = Image.new("L", (wide * 4, high * 4))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, wide * 4 - 1, high * 4 - 1), round_ * 4, fill=255)
        small = page.resize((wide, high), Image.Resampling.LANCZOS)
        picture.paste(small, (left, top), mask.resize((wide, high), Image.Resampling.LANCZOS))
    for at, size, colour, words in CAPTIONS:
        draw.text(at, words, colour, ImageFont.load_default(size), anchor="ls")
    return picture


if __name__ == "__main__":
    main()
