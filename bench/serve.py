"""`python bench/serve.py` measures a real server: 50 viewers on one game's stream, and 20 photos a minute into that game.

Every photo is played and undone, so that the next can be played too: two snapshots each. In the same run:

    steady      seconds from sending a photo to its answer, at that pace; from sending the undo until the last viewer has it
    at once     the same photo again and again, each as soon as the one before is answered, with the viewers connected
    bare        the same photo read by the reader alone, in a process without a server

Every viewer must see every snapshot, in order and identical to all others, or nothing is written. Memory is the server's own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.proof.server import JOIN, Server
from vision.photo import load
from vision.reader import TableReader

ROOT = Path(__file__).parent.parent
PHOTO = ROOT / "docs/sample-throw.jpg"
_GAME = {"game": "farkle-crib", "players": ["Ann", "Ben"], "rules": ["opening_roll=false"]}
"""A game in which six dice may be thrown at once."""
_WITHIN = 120.0
"""Timeout of any request, in seconds."""


def main() -> None:
    """Measure, print, and write bench/serve.json."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        server = Server.start(Path(folder) / "data")
        try:
            measured = asyncio.run(_measure(server, options))
        finally:
            server.kill()
    measured |= _beside_bare(measured, bare(options.at_once))
    _show(measured)
    options.out.write_text(json.dumps(measured, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--photos", type=int, default=60, help="number of photos at the steady pace")
    parser.add_argument("--per-minute", type=float, default=20.0)
    parser.add_argument("--at-once", type=int, default=60, help="photos sent at once, and photos read without a server")
    parser.add_argument("--out", type=Path, default=ROOT / "bench/serve.json")
    return parser.parse_args()


# Viewers


@dataclass
class Viewer:
    """One stream.

    Attributes:
        ids: ids of the snapshots, in order of arrival.
        sums: a checksum of each snapshot.
        at: arrival time of each snapshot.
    """

    ids: list[int] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    at: dict[int, float] = field(default_factory=dict)

    async def watch(self, client: httpx2.AsyncClient, url: str, token: str) -> None:
        """Record every snapshot, until cancelled."""
        async with client.stream("GET", url, headers={"authorization": f"Bearer {token}"}) as response:
            response.raise_for_status()
            async for line in response.aiter_lines():
                if line.startswith("id: "):
                    self.ids.append(int(line[4:]))
                    self.at[self.ids[-1]] = time.perf_counter()
                elif line.startswith("data: "):
                    self.sums.append(zlib.crc32(line.encode()))


def check(viewers: Sequence[Viewer], lines: int) -> None:
    """Raises `SystemExit` unless every viewer has seen every line, in order and identical."""
    for viewer in viewers:
        if viewer.ids != list(range(1, lines + 1)) or viewer.sums != viewers[0].sums:
            raise SystemExit(f"a viewer missed a line, or got lines out of order: {viewer.ids} of {lines}")


async def _until_seen(viewers: Sequence[Viewer], lines: int) -> float:
    """The time at which the last of them has seen that line."""
    async with asyncio.timeout(_WITHIN):
        while not all(lines in viewer.at for viewer in viewers):
            await asyncio.sleep(0.005)
    return max(viewer.at[lines] for viewer in viewers)


# Player


@dataclass
class Player:
    """A player who sends photos and undoes them.

    Attributes:
        lines: number of lines of the record.
        photos: seconds from sending each photo to its answer.
        shown: seconds from sending an undo until the last viewer has it.
    """

    client: httpx2.AsyncClient
    url: str
    token: str
    viewers: Sequence[Viewer]
    lines: int = 1
    photos: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)

    async def photo(self) -> None:
        """Send a photo of the table, and undo the resulting move."""
        begun = time.perf_counter()
        files, data = {"photo": ("IMG_1.jpg", PHOTO.read_bytes(), "image/jpeg")}, {"lines": str(self.lines)}
        told = await self._post("photos", files=files, data=data)
        self.photos.append(time.perf_counter() - begun)
        if told["ruling"]["outcome"] == "doubt":
            said = {"lines": self.lines, "reading": told["reading"]["id"], "confirm": True}
            told = await self._post("moves", json=said)
        self.lines = told["snapshot"]["lines"]
        begun = time.perf_counter()
        self.lines = (await self._post("undo", json={"lines": self.lines}))["lines"]
        self.shown.append(await _until_seen(self.viewers, self.lines) - begun)

    async def _post(self, path: str, **what: Any) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {self.token}"}
        response = await self.client.post(f"{self.url}/{path}", headers=headers, **what)
        response.raise_for_status()
        told: dict[str, Any] = response.json()
        return told


# Measurements


async def _measure(server: Server, options: argparse.Namespace) -> dict[str, Any]:
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=server.url, timeout=_WITHIN, limits=limits) as client:
        begun = (await client.post("/v1/games", json=_GAME, headers=JOIN)).raise_for_status().json()
        url = f"/v1/games/{begun['id']}"
        viewers = [Viewer() for _ in range(options.viewers)]
        watching = [asyncio.create_task(each.watch(client, f"{url}/events", begun["viewer"])) for each in viewers]
        await _until_seen(viewers, 1)
        player = Player(client, url, begun["player"], viewers)
        # The first photo opens files and warms caches.
        await player.photo()
        memory = {"before_mb": round(server.megabytes, 1)}
        steady = await _steady(player, options.photos, 60 / options.per_minute)
        memory["after_mb"] = round(server.megabytes, 1)
        at_once = await _at_once(player, options.at_once)
        memory["after_all_mb"] = round(server.megabytes, 1)
        check(viewers, player.lines)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    return _told(options, steady, at_once, memory, player.lines)


def _told(
    options: argparse.Namespace, steady: dict[str, Any], at_once: dict[str, Any], memory: dict[str, float], lines: int
) -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "viewers": options.viewers,
        "photos_per_minute": options.per_minute,
        "snapshots_seen_by_all_in_order": lines,
        "steady": steady,
        "at_once": at_once,
        "memory": memory,
    }


async def _steady(player: Player, photos: int, every: float) -> dict[str, Any]:
    player.photos, player.shown, begun = [], [], time.perf_counter()
    for at in range(photos):
        await asyncio.sleep(max(0.0, begun + at * every - time.perf_counter()))
        await player.photo()
    return {"photos": photos, "photo": spread(player.photos), "seen_by_all": spread(player.shown)}


async def _at_once(player: Player, photos: int) -> dict[str, Any]:
    player.photos, player.shown = [], []
    for _ in range(photos):
        await player.photo()
    return {"photos": photos, "photo": spread(player.photos), "photos_per_second": photos / sum(player.photos)}


def bare(photos: int) -> float:
    """Photos per second of the reader alone, after the first."""
    reader, data = TableReader(), PHOTO.read_bytes()
    reader.read(load(data))
    begun = time.perf_counter()
    for _ in range(photos):
        reader.read(load(data))
    return photos / (time.perf_counter() - begun)


def _beside_bare(measured: dict[str, Any], alone: float) -> dict[str, Any]:
    share = measured["at_once"]["photos_per_second"] / alone
    return {"bare": {"photos_per_second": alone, "share_that_the_server_reaches": share}}


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Milliseconds: median, 95th and 99th percentile (of fewer than a hundred, the slowest), and maximum."""
    ordered = sorted(seconds)
    at = {f"p{part}": ordered[min(len(ordered) - 1, int(part / 100 * len(ordered)))] for part in (95, 99)}
    return {
        name: round(1000 * value, 1)
        for name, value in {"p50": statistics.median(ordered), **at, "slowest": ordered[-1]}.items()
    }


def _show(measured: dict[str, Any]) -> None:
    table = Table("Milliseconds", "p50", "p95", "p99", "slowest", title=f"{measured['viewers']} viewers of one game")
    steady = measured["steady"]
    ways = {
        "photo, steady": steady["photo"],
        "seen by all": steady["seen_by_all"],
        "photo, at once": measured["at_once"]["photo"],
    }
    for name, times in ways.items():
        table.add_row(name, *(f"{times[part]:.1f}" for part in ("p50", "p95", "p99", "slowest")))
    console = Console()
    console.print(table)
    alone, served = measured["bare"]["photos_per_second"], measured["at_once"]["photos_per_second"]
    console.print(
        f"{served:.1f} photos a second served, {alone:.1f} read without a server; memory {measured['memory']}"
    )
    console.print(f"Every viewer received all {measured['snapshots_seen_by_all_in_order']} snapshots in order.")


if __name__ == "__main__":
    main()
