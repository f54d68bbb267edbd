"""A real film of dice before a browser's camera: two dice, thrown six times by hand. It is shared, not part of the project."""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import av
import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Request, expect

from scorer.engine.record import Record
from tests.api.http.games.play import JOIN_TOKEN, bearer
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, PATIENCE, Phones, chooses
from tests.e2e.throws import Film

CLIPS = Path(os.environ.get("MUGGINS_PHOTOS", Path(__file__).parents[3] / "shared" / "photos")) / "clips"
NAME = "dice_video_1.mp4"
FRAME, STEP = 0.08, 100
"""Seconds that a frame is shown; milliseconds between two looks at what the camera has counted."""
_CAMERA = """() => {
    const video = document.getElementById("video");
    const tracks = video.srcObject?.getTracks().map((track) => [track.readyState, track.muted]);
    return JSON.stringify({ tracks, time: video.currentTime, paused: video.paused, hidden: document.hidden });
}"""
"""What the page's camera is at, should a throw not be counted."""

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM),
    pytest.mark.skipif(not CLIPS.exists(), reason=f"the measuring clips are not here: {CLIPS} (set MUGGINS_PHOTOS)"),
]


def pictures() -> Iterator[Image.Image]:
    with av.open(str(CLIPS / NAME)) as container:
        for frame in container.decode(video=0):
            yield frame.to_image()


def settled() -> dict[int, list[int]]:
    """The frame in the middle of each rest, and the values shown."""
    rests = [each for each in json.loads((CLIPS / "events.json").read_text()) if each["video"] == NAME]
    return {(each["settled_from_frame"] + each["settled_to_frame"]) // 2: sorted(each["values"]) for each in rests}


class Game:
    """A game of Crib Dice that a phone films; who throws more with two dice begins."""

    def __init__(self, phones: Phones) -> None:
        self.over = phones.phone()
        self.sent: deque[str] = deque(maxlen=6)
        """What the page has asked of the server lately, and whether that has answered."""
        for news in ("request", "requestfinished", "requestfailed"):
            self.over.on(news, partial(self._sends, news))  # type: ignore[call-overload]
        self.over.goto(f"{phones.server}/#join={JOIN_TOKEN}")
        chooses(self.over, "crib-dice")
        for number, name in enumerate(("Ann", "Ben"), 1):
            self.over.get_by_label(f"Player {number}").fill(name)
        self.over.get_by_role("button", name="Score with this phone").click()
        self.over.wait_for_url("**/camera/*")
        name = self.over.url.rpartition("/")[2]
        self._token = json.loads(self.over.evaluate("localStorage.getItem('muggins.games')"))[name]["player"]
        self._server, self._path = phones.server, f"{phones.server}/v1/games/{name}"
        expect(self.over.locator("#state")).to_have_text("Watching. Throw when you like.")

    def _sends(self, news: str, request: Request) -> None:
        self.sent.append(f"{time.monotonic():.1f} s: {news} {request.url.rpartition('/')[2]}")

    def get(self, what: str) -> httpx2.Response:
        return httpx2.get(f"{self._path}{what}", headers=bearer(self._token), timeout=60).raise_for_status()

    def until(self, known: Any) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for _ in range(PATIENCE // STEP):
            told = self.get("/camera").json()
            if known(told):
                return told
            self.over.wait_for_timeout(STEP)
        page = self.over.locator("main").inner_text()
        raise AssertionError(
            f"{told}: {page}\nits camera: {self.over.evaluate(_CAMERA)}; its last requests: {self.sent}"
        )


def test_every_throw_of_a_real_film_is_counted_once_and_none_is_lost(
    filmed: Phones, film: Film, tmp_path: Path
) -> None:
    """The first two say who begins; each later one has two dice where seven are to be thrown: it is asked about, and waits."""
    rests, coming, game, shown = settled(), pictures(), None, 0
    for counted, rest in enumerate(rests, 1):
        # Made beforehand, shown by the clock, the browser not asked: on a busy machine a hand in mid-throw would seem to rest.
        frames = [film.frame(picture) for picture in islice(coming, rest + 1 - shown)]
        film.show_frame(frames[0])
        game = game or Game(filmed)
        begun = time.monotonic()
        while (at := int((time.monotonic() - begun) / FRAME)) < len(frames):
            film.show_frame(frames[at])
            time.sleep(max(0.0, begun + (at + 1) * FRAME - time.monotonic()))
        film.show_frame(frames[-1])
        shown = rest + 1
        assert game is not None
        # As players wait until a throw has been counted.
        assert game.until(lambda told, least=counted: told["rolls"] >= least)["rolls"] == counted
    assert game is not None
    record = Record.load(game.get("/record").text)
    values = list(rests.values())
    thrown = [sorted(int(word) for word in str(move).split()[1:]) for move in record.moves]
    assert thrown == values[:2], game.get("/camera").json()
    game.over.screenshot(path=tmp_path / "waiting.png", full_page=True)
    for left in range(len(values) - 2, 0, -1):
        told = game.until(lambda told, wanted=left: told["waiting"] == wanted)
        assert told["ask"]["kind"] == "check"
        expect(game.over.locator(".waiting-roll")).to_contain_text(told["ask"]["text"])
        game.over.get_by_role("button", name="No throw: leave it out").click()
    game.until(lambda told: told["waiting"] == 0)
    assert Record.load(game.get("/record").text).moves == record.moves
