"""`python -m tests.e2e.moving_picture` makes the README's moving picture, `docs/hands-free.webp`.

The rendered film of `muggins demo` is played before the camera of a real browser that has the page over the table open;
the real server reads it, and another page shows the scoreboard. Nobody taps. The pages are photographed side by side.

Film and page run at a fraction of their speed meanwhile, `--slower`, so that taking the screenshots costs no frames. What the
server needs for a reading therefore looks shorter by that factor; the stillness that the watcher waits for does not.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import httpx2
from PIL import Image, ImageDraw, ImageEnhance, ImageFont
from playwright.sync_api import Page, expect, sync_playwright

from api.cli.demo import FILM, PLAYED
from api.files.record_file import RecordFile
from tests.api.http.games.play import Player, begun
from tests.e2e.phones import CAMERA, Phones, opened, serving
from tests.e2e.throws import jpeg

OUT = Path("docs/hands-free.webp")
UNTIL = 27.5
"""Seconds of the film: Ann's whole turn and Ben's first throw."""
SLOWER = 4.0
FASTER = 1.7
"""How much faster than it was filmed the picture plays."""
FINISH = 61
"""Of the game that is shown; the one in the film ends sooner, which its first turns do not tell."""
LAST = 2500
"""Milliseconds that the last picture stays."""

CAMERA_RATE = 30
"""Pictures a second of the browser's camera."""
BEFORE, AFTER = 20, 30
"""Seconds that the camera sees the film's first picture, until the page is ready, and its last."""
BRIGHTER = 1.35
"""The camera's exposure: the film was made darker than a page likes it."""
EVERY = 0.09
"""Seconds of the film between two shots, at least."""

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
    parser.add_argument("--slower", type=float, default=SLOWER, help="on a busy machine more (default: %(default)s)")
    options = parser.parse_args()
    shots = list(photographed(options.until, options.slower))
    pictures = [composed(shot) for shot in shots]
    times = [shot.at for shot in shots]
    durations = [round(1000 * (after - at) / FASTER) for at, after in pairwise(times)] + [LAST]
    first, *others = pictures
    first.save(
        options.out, save_all=True, append_images=others, duration=durations, quality=options.quality, method=6, loop=0
    )
    size = options.out.stat().st_size / 1e6
    print(f"{options.out}: {len(pictures)} pictures, {sum(durations) / 1000:.1f} s, {size:.2f} MB")


def photographed(until: float, slower: float) -> Iterator[Shot]:
    """Both pages while the film plays before the camera."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright, serving(Path(folder) / "data") as server:
        seen = Path(folder) / "table.mjpeg"
        slowed(FILM, seen, until, slower)
        with opened(playwright.chromium, *CAMERA, f"--use-file-for-fake-video-capture={seen}") as browser:
            phones = Phones(browser, server)
            phone, television = pages(phones, a_game(server), slower)
            while (at := film_time(phone, slower)) < until:
                if at >= 0:
                    yield Shot(at, screenshot(phone), screenshot(television))
                phone.wait_for_timeout(max(0.0, (at + EVERY - film_time(phone, slower)) * slower * 1000))
            phones.close()


def slowed(film: Path, out: Path, until: float, slower: float) -> None:
    """What the camera sees: first an empty table, then the film, slowed down, and its last picture for a while."""
    with av.open(film) as opened_film, out.open("wb") as file:
        stream = opened_film.streams.video[0]
        assert stream.average_rate is not None
        repeats = round(CAMERA_RATE * slower / stream.average_rate)
        last = int(until * stream.average_rate)
        for number, frame in zip(range(last + 1), opened_film.decode(stream), strict=False):
            picture = jpeg(ImageEnhance.Brightness(frame.to_image()).enhance(BRIGHTER))
            more = CAMERA_RATE * (BEFORE if number == 0 else AFTER if number == last else 0)
            file.writelines([picture] * (repeats + more))


def film_time(phone: Page, slower: float) -> float:
    """Seconds of the film that the camera has seen."""
    return (float(phone.locator("#video").evaluate("video => video.currentTime")) - BEFORE) / slower


def a_game(server: str) -> Player:
    """A live game of the players of the film by its rules, but for the finish."""
    header = RecordFile.open(PLAYED).record.header
    rules = {**header.rules.changed(), "finish": str(FINISH)}
    with httpx2.Client(base_url=server, timeout=60) as client:
        wanted = (f"{name}={value}" for name, value in rules.items())
        return begun(client, header.game, *wanted, players=header.players)  # type: ignore[arg-type]


def pages(phones: Phones, game: Player, slower: float) -> tuple[Page, Page]:
    """The phone over the table and the television, both ready."""
    phone, television = phones.phone(), phones.phone("dark")
    phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    television.set_viewport_size({"width": TELEVISION[0], "height": TELEVISION[1]})
    phone.add_init_script(f"const now = performance.now.bind(performance); performance.now = () => now() / {slower};")
    phone.goto(f"{phones.server}/camera/{game.id}#{game.player}")
    expect(phone.locator("#state")).to_have_text("Watching. Throw when you like.")
    television.goto(f"{phones.server}/scoreboard/{game.id}#{game.viewer}")
    television.get_by_role("button", name="Full screen").click()
    expect(television.locator("#full")).to_be_hidden()
    return phone, television


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
