"""`python bench/crowd.py` measures a real server with a crowd: 500 viewers of one game, 20 games at once, 16 who send photos.

    answer      milliseconds from sending a move to its answer
    seen        from sending a move of the watched game until the last viewer has it
    photo       from sending a photo to its answer: photos are read one after the other, so the sixteenth waits for fifteen
    health      `/healthz`, four times a second
    work        CPU seconds of the server and its worker, without opening the networks: other programs on the
                machine make everything above slower, but hardly change this

Moves come at the pace of people, one every two seconds in each game; photos as soon as the one before is answered. The viewers
share the machine with the server: on two cores they affect the figures, too. `--server` names another checkout whose server
is measured. Lag is the delay of this program itself: if it is large, the machine was busy with other things.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.serve import Viewer, spread
from scorer.engine.game import Move
from scorer.engine.record import Record
from tests.proof.load import small_photo
from tests.proof.server import JOIN, Server

ROOT = Path(__file__).parent.parent
_GAME = {"game": "crib-dice", "players": ["Ann", "Ben"]}
PACE = 2.0
"""Seconds between two moves of a game."""
_HEALTH = 0.25
WITHIN = 300.0
"""Timeout of any request, in seconds."""


@dataclass
class Measured:
    """The durations of all requests, by kind.

    Attributes:
        took: seconds of each request, by kind.
        lag: delays of this program in seconds.
        refused: answers other than 200, by kind and status.
    """

    took: dict[str, list[float]] = field(default_factory=lambda: {"answer": [], "seen": [], "photo": [], "health": []})
    lag: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """The counts, medians and extremes."""
        counted = {name: {"count": len(each), **spread(each)} for name, each in self.took.items() if each}
        return {**counted, "lag": spread(self.lag), "refused": dict(self.refused)}


@dataclass
class Table:
    """A game, from its player's view."""

    id: str
    player: str
    viewer: str
    record: Record
    random: Random
    sent: dict[int, float] = field(default_factory=dict)
    """When the move behind each line was sent, on the clock of `Viewer.at`."""

    @property
    def url(self) -> str:
        """The path of its requests."""
        return f"/v1/games/{self.id}"

    def next_move(self) -> str:
        """A random legal move."""
        legal = self.record.game.legal_moves(self.record.state)
        thrown = legal.chance.sample(self.random) if legal.chance else None
        return str(self.random.choice(legal.choices) if legal.choices else thrown)


async def main() -> None:
    """Measure, and print."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        if options.server:
            os.environ["PYTHONPATH"] = str(options.server.resolve())
            os.chdir(options.server)
        server = Server.start(Path(folder) / "data")
        try:
            told = await _measured(server, options)
        finally:
            server.kill()
    print(json.dumps(told, indent=1))
    if options.out:
        options.out.write_text(json.dumps(told, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viewers", type=int, default=500)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--uploaders", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--server", type=Path, help="run the server of another checkout")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


async def _measured(server: Server, options: argparse.Namespace) -> dict[str, Any]:
    limits, measured = httpx2.Limits(max_connections=None), Measured()
    async with httpx2.AsyncClient(base_url=server.url, timeout=WITHIN, limits=limits) as client:
        # The worker opens its networks only after the server has started.
        await read_photo(client)
        memory, worked = {"idle_mb": round(server.megabytes)}, server.worked
        tables = [await new_table(client, at) for at in range(options.games)]
        showing = [await new_table(client, options.games + at) for at in range(options.uploaders)]
        viewers = [Viewer() for _ in range(options.viewers)]
        first = tables[0]
        watching = [asyncio.create_task(each.watch(client, f"{first.url}/events", first.viewer)) for each in viewers]
        await seen_by_all(viewers, 1)
        memory["watched_mb"] = round(server.megabytes)
        until = time.perf_counter() + options.seconds
        works = [plays(client, each, measured, until, viewers if each is first else []) for each in tables]
        works += [_shows(client, each, measured, until) for each in showing]
        await asyncio.gather(*works, _looks(client, measured, until), lags(measured, until))
        memory["after_mb"] = round(server.megabytes)
        work = round(server.worked - worked, 1)
        lines = len(first.record.lines)
        await seen_by_all(viewers, lines)
        assert all(each.ids == list(range(1, lines + 1)) for each in viewers), (
            "a viewer has not seen every line in order"
        )
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    asked = {name: getattr(options, name) for name in ("viewers", "games", "uploaders", "seconds")}
    return {"cores": os.cpu_count(), **asked, **measured.to_json(), "memory": memory, "work": work}


async def read_photo(client: httpx2.AsyncClient) -> None:
    """Have the sample photo read."""
    files = {"photo": ("IMG_1.jpg", small_photo(), "image/jpeg")}
    (await client.post("/v1/readings", files=files)).raise_for_status()


async def new_table(client: httpx2.AsyncClient, seed: int, rules: Sequence[str] = ()) -> Table:
    """A game that has just begun."""
    game = {**_GAME, "rules": list(rules)}
    told = (await client.post("/v1/games", json=game, headers=JOIN)).raise_for_status().json()
    headers = {"authorization": f"Bearer {told['player']}"}
    record = await client.get(f"/v1/games/{told['id']}/record", headers=headers)
    return Table(told["id"], told["player"], told["viewer"], Record.load(record.text), Random(seed))


async def seen_by_all(viewers: list[Viewer], lines: int) -> None:
    """Wait until every viewer has this line."""
    async with asyncio.timeout(WITHIN):
        while not all(lines in viewer.at for viewer in viewers):
            await asyncio.sleep(0.005)


async def played(client: httpx2.AsyncClient, table: Table) -> float:
    """Send a legal move, and update the game; returns the seconds until the answer."""
    begun, move = time.perf_counter(), table.next_move()
    body = {"lines": len(table.record.lines), "move": move}
    headers = {"authorization": f"Bearer {table.player}"}
    response = await client.post(f"{table.url}/moves", json=body, headers=headers)
    taken = time.perf_counter() - begun
    response.raise_for_status()
    table.record = table.record.play(Move.parse(move))
    assert response.json()["snapshot"]["lines"] == len(table.record.lines)
    return taken


async def plays(
    client: httpx2.AsyncClient, table: Table, measured: Measured, until: float, viewers: list[Viewer]
) -> None:
    """Move at the pace of people, each move once the viewers have seen the one before."""
    await asyncio.sleep(table.random.random() * PACE)
    while time.perf_counter() < until and not table.record.result:
        begun = time.perf_counter()
        measured.took["answer"].append(await played(client, table))
        table.sent[len(table.record.lines)] = begun
        if viewers:
            await seen_by_all(viewers, len(table.record.lines))
            measured.took["seen"].append(max(each.at[len(table.record.lines)] for each in viewers) - begun)
        await asyncio.sleep(max(0.0, begun + PACE - time.perf_counter()))


async def _shows(client: httpx2.AsyncClient, table: Table, measured: Measured, until: float) -> None:
    headers, data = {"authorization": f"Bearer {table.player}"}, {"lines": "1"}
    while time.perf_counter() < until:
        begun, files = time.perf_counter(), {"photo": ("IMG_1.jpg", small_photo(), "image/jpeg")}
        response = await client.post(f"{table.url}/photos", files=files, data=data, headers=headers)
        if response.status_code == 200:
            measured.took["photo"].append(time.perf_counter() - begun)
        else:
            measured.refused[f"photo {response.status_code}"] += 1
            await asyncio.sleep(1)


async def _looks(client: httpx2.AsyncClient, measured: Measured, until: float) -> None:
    while time.perf_counter() < until:
        begun = time.perf_counter()
        (await client.get("/healthz")).raise_for_status()
        measured.took["health"].append(time.perf_counter() - begun)
        await asyncio.sleep(_HEALTH)


async def lags(measured: Measured, until: float) -> None:
    """Record the delays of this program."""
    while time.perf_counter() < until:
        begun = time.perf_counter()
        await asyncio.sleep(0.05)
        measured.lag.append(time.perf_counter() - begun - 0.05)


if __name__ == "__main__":
    asyncio.run(main())
