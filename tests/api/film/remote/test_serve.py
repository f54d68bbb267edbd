"""`muggins watch CAMERA --serve LINK` as it is typed: a real camera on the network, the real networks, a real server."""

from __future__ import annotations

import hashlib
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGINT

import httpx2
import numpy as np
import pytest

from tests.api.film.cameras import Camera, on_air
from tests.api.film.films import Bytes
from tests.api.film.remote.test_live_feeder import A_TURN, Game, begun
from tests.api.http.games.play import bearer
from tests.api.pictures import drawn_throw
from tests.api.served import environment, interruptible, served

PATIENCE = 300.0
"""Seconds until whatever is waited for must have come."""
_HANDS = 1.5
"""Seconds for which dice are in a hand, and for which they roll."""
_TABLE = np.asarray(drawn_throw(()))


def on_table(*values: int, first: int = 0) -> Bytes:
    """Dice on their places of a table that has places; those before the first one are empty."""
    picture = np.array(drawn_throw((*[6] * first, *values)))
    for place in range(first):
        top, left = 110 + place // 4 * 260, 70 + place % 4 * 220
        picture[top : top + 150, left : left + 150] = _TABLE[0, 0]
    return picture


def rolling(still: Bytes, dice: Bytes, step: int) -> Bytes:
    """Those dice somewhere else on the table, beside what lies still on it."""
    moved = np.roll(dice, (11 * step % 90 - 45, -17 * step % 130 - 65), (0, 1))
    return np.where(moved != _TABLE, moved, still)


@dataclass
class Table:
    """A table that a camera films.

    Attributes:
        camera: over it.
        now: the pieces on the table.
        cast: what is being thrown, if anything is.
    """

    camera: Camera
    now: Bytes = field(default_factory=lambda: _TABLE)
    cast: Bytes | None = None

    def __post_init__(self) -> None:
        self.camera.shows = self._shown

    def throw(self, *values: int, beside: tuple[int, ...] = ()) -> None:
        """All dice but those are taken away, thrown, and come to rest."""
        self.now = on_table(*beside)
        time.sleep(_HANDS)
        self.cast = on_table(*values, first=len(beside))
        time.sleep(_HANDS)
        self.now, self.cast = on_table(*beside, *values), None

    def _shown(self, sent: int) -> Bytes:
        cast = self.cast
        return self.now if cast is None else rolling(self.now, cast, sent)


@dataclass
class Watching:
    """The command as it runs."""

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def told(self) -> str:
        return (self.folder / "told").read_text("utf-8")

    @property
    def said(self) -> str:
        return (self.folder / "said").read_text("utf-8")

    def until(self, come: Callable[[], bool]) -> None:
        """Wait for it."""
        end = time.monotonic() + PATIENCE
        while not come():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < end, f"{self.told}\n{self.said}"
            time.sleep(0.1)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    with served(tmp_path_factory.mktemp("server")) as running:
        yield begun(running.url)


@pytest.fixture
def watch(command: list[str], tmp_path: Path) -> Iterator[Callable[..., Watching]]:
    with ExitStack() as running:

        def begin(*arguments: str) -> Watching:
            told, said = (running.enter_context((tmp_path / name).open("wb")) for name in ("told", "said"))
            process = subprocess.Popen(
                [*command, "watch", *arguments],
                preexec_fn=interruptible,
                stdout=told,
                stderr=said,
                cwd=tmp_path,
                env=environment(tmp_path),
            )
            running.callback(process.wait)
            running.callback(process.kill)
            return Watching(process, tmp_path)

        yield begin


def test_a_camera_drives_a_game_drops_out_comes_back_and_nothing_is_thrown_twice(
    game: Game, watch: Callable[..., Watching]
) -> None:
    with on_air() as camera:
        table = Table(camera)
        link = f"{game.url}/table/{game.id}#{game.player}"
        watching = watch(camera.url, "--serve", link, "--events", "e.jsonl")
        watching.until(lambda: camera.visits > 1)
        table.throw(5, 5, 5, 2, 2, 3, 6)
        watching.until(lambda: game.moves == list(A_TURN[:1]))
        table.throw(5, 2, 3, 6, beside=(5, 5, 5))
        watching.until(lambda: game.moves == list(A_TURN[:3]))
    watching.until(lambda: "Reconnecting in" in watching.said)
    with on_air(camera.server_port) as again:
        back = Table(again, table.now)
        watching.until(lambda: "is back" in watching.said)
        back.throw(3, 3, 2, 2, 6, 6, 5)
        watching.until(lambda: "roll 3" in watching.told)
    watching.process.send_signal(SIGINT)
    assert watching.process.wait(PATIENCE) == 0, watching.said
    assert tuple(game.moves) == A_TURN
    assert [line.split(": ")[0].split()[-1] for line in watching.told.splitlines()] == ["1", "2", "3"]
    assert "Seen: point 5" in watching.said
    check_what_the_server_has(game)


def check_what_the_server_has(game: Game) -> None:
    """Every throw with its photo, and no choice inferred that the table has shown."""
    entries = game.record().entries
    assert [sorted(entry.corrected or {}) for entry in entries] == [[], ["watched"], [], ["watched"], []]
    headers = bearer(game.player)
    listed = httpx2.get(f"{game.url}/v1/games/{game.id}/readings", headers=headers, timeout=60).json()["readings"]
    assert [kept["reading"]["sha256"] for kept in listed] == [entry.seen["sha256"] for entry in entries if entry.seen]
    for kept in listed:
        photo = httpx2.get(f"{game.url}/v1/readings/{kept['id']}/photo", headers=headers, timeout=60)
        assert hashlib.sha256(photo.content).hexdigest() == kept["reading"]["sha256"]
