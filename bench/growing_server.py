"""How a server's work grows with the number of concurrent clients: viewers of one game's stream, cameras over separate games.

Each size has a real server of its own. The times are CPU seconds of the server and its reader process; the viewers and cameras
run in another process, which is not counted.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import httpx2
from PIL import Image

from api.film.input.timecode import Span
from api.film.input.video import VideoFile
from bench.crowd import Table, new_table, played, seen_by_all
from bench.point import Point
from bench.serve import Viewer
from tests.api.pictures import jpeg
from tests.proof.server import Server

_FILM = Path(__file__).parent.parent / "api/demo/game.mp4"
_MOVES = 20
_FRAMES, _EVERY = 100, 3
"""Frames that a camera sends, and the sampling interval in the film: ten frames per second."""
_RULES = ("opening_roll=false",)
"""The rules of the demo film, whose first roll counts."""
_WIDE = 640
_WITHIN = 300.0
"""Timeout of any request, in seconds."""


def viewers(sizes: Sequence[int]) -> Iterator[Point]:
    """Twenty moves of one game, each sent once every viewer has the one before."""
    return _each(sizes, _watched)


def _each(sizes: Sequence[int], work: Callable[[Server, int], Coroutine[Any, Any, Point]]) -> Iterator[Point]:
    """Run the work at each size, with a server of its own."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            server = Server.start(Path(folder) / "data")
            try:
                yield asyncio.run(work(server, size))
            finally:
                server.kill()


async def _watched(server: Server, size: int) -> Point:
    async with _client(server) as client:
        table, crowd = await new_table(client, 1), [Viewer() for _ in range(size)]
        url = f"{table.url}/events"
        watching = [asyncio.create_task(each.watch(client, url, table.viewer)) for each in crowd]
        await seen_by_all(crowd, 1)
        worked, seen = server.worked, []
        for _ in range(_MOVES):
            begun = time.perf_counter()
            await played(client, table)
            lines = len(table.record.lines)
            await seen_by_all(crowd, lines)
            seen.append(max(each.at[lines] for each in crowd) - begun)
        took = server.worked - worked
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    if any(each.ids != list(range(1, lines + 1)) for each in crowd):
        raise SystemExit("A viewer missed a line, or got lines out of order.")
    return Point(size, took, f"seen by all after {1000 * statistics.median(seen):.0f} ms")


def cameras(sizes: Sequence[int]) -> Iterator[Point]:
    """A fixed number of frames per camera, each sent once the camera's last one is answered; every camera films its own game."""
    return _each(sizes, partial(_filmed, _frames()))


def _frames() -> list[bytes]:
    """Frames of the demo film in the format that a phone's page sends."""
    film = VideoFile.open(str(_FILM), _FILM)
    pictures = (Image.fromarray(frame.pixels) for frame in islice(film.frames(Span(), _EVERY), _FRAMES))
    return [jpeg(each.resize((_WIDE, round(each.height * _WIDE / each.width)))) for each in pictures]


async def _filmed(frames: Sequence[bytes], server: Server, size: int) -> Point:
    async with _client(server) as client:
        tables = [await new_table(client, at, _RULES) for at in range(size)]
        # The reader process opens its networks at its first frame.
        await _sent(client, await new_table(client, size, _RULES), frames[:1])
        worked, begun = server.worked, time.perf_counter()
        rolls = await asyncio.gather(*(_sent(client, each, frames) for each in tables))
        took, passed = server.worked - worked, time.perf_counter() - begun
    if len(set(rolls)) > 1:
        raise SystemExit(f"Cameras that sent the same frames saw different numbers of rolls: {rolls}.")
    return Point(size, took, f"{rolls[0]} rolls each; {size * len(frames) / passed:.1f} frames a second")


async def _sent(client: httpx2.AsyncClient, table: Table, frames: Sequence[bytes]) -> int:
    """Send frames of a camera; returns the number of rolls seen."""
    headers, rolls = {"authorization": f"Bearer {table.player}"}, 0
    for number, frame in enumerate(frames):
        form = {"camera": f"camera-of-{table.id}", "number": str(number), "time": str(number * _EVERY / 30)}
        files = {"photo": ("frame.jpg", frame, "image/jpeg")}
        response = await client.post(f"{table.url}/camera/frames", files=files, data=form, headers=headers)
        rolls = response.raise_for_status().json()["rolls"]
    return int(rolls)


def _client(server: Server) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=server.url, timeout=_WITHIN, limits=httpx2.Limits(max_connections=None))
