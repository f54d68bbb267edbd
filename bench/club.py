"""`python -m bench club` measures several servers with one PostgreSQL: twenty tables with ten phones and an overlay each.

    answer      milliseconds from sending a move to its answer
    seen        from sending a move until each of the eleven streams of its table has it
    photo       from sending a photo to its reading; each table sends one every `--photo-every` seconds
    memory      of each server and the process that reads photos for it
    work        CPU seconds of all servers and their readers; those of PostgreSQL and of this program are not included

Moves come at the pace of people, one every two seconds at each table. As in the configurations of `deploy/`, a table's
phones use one server; with `--scattered` its eleven streams are spread over all of them, so that every move crosses processes.
The phones share the machine with the servers. Lag is the delay of this program itself: if it is large, the machine was busy.
Every stream must deliver every line, in order.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table as Shown

from bench.crowd import WITHIN, Measured, Table, lags, new_table, plays, read_photo, seen_by_all
from bench.machine import load, machine
from bench.serve import Viewer, spread
from tests.proof.postgres import postgres
from tests.proof.server import Server

OUT = Path(__file__).with_suffix(".json")


@dataclass
class Seated:
    """A table, the server of its phones, and its streams."""

    table: Table
    client: httpx2.AsyncClient
    viewers: list[Viewer]

    def delays(self) -> list[float]:
        """Seconds until each stream received each move."""
        sent = self.table.sent
        return [at - sent[lines] for viewer in self.viewers for lines, at in viewer.at.items() if lines in sent]


def main(arguments: Sequence[str]) -> int:
    """Measure, print and write."""
    options = _options(arguments)
    found: dict[str, Any] = {"machine": machine(), "runs": []}
    with tempfile.TemporaryDirectory() as folder, postgres() as database:
        for at, servers in enumerate(options.servers):
            with ExitStack() as stack:
                url = database.emptied()
                running = [Server.start(Path(folder) / f"{at}-{number}", url) for number in range(servers)]
                for server in running:
                    stack.callback(server.kill)
                found["runs"].append(asyncio.run(_measured(running, options)))
    found["load_at_end"] = load()
    options.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    _show(found["runs"], Console(highlight=False))
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench club", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--servers", type=_numbers, default=[1, 3], help="number of servers, for each run in turn (default: 1,3)"
    )
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--phones", type=int, default=10, help="number per table, besides its overlay")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--photo-every", type=float, default=60, help="seconds between photos; 0: no photos")
    parser.add_argument("--scattered", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


async def _measured(servers: list[Server], options: argparse.Namespace) -> dict[str, Any]:
    measured = Measured()
    async with AsyncExitStack() as stack:
        limits = httpx2.Limits(max_connections=None)
        clients = [
            await stack.enter_async_context(httpx2.AsyncClient(base_url=server.url, timeout=WITHIN, limits=limits))
            for server in servers
        ]
        for client in clients:
            # The reader opens its networks only after the server has started.
            await read_photo(client)
        seated = [await _seated(clients, at, options) for at in range(options.tables)]
        watching = [
            asyncio.create_task(task) for at, each in enumerate(seated) for task in _streams(clients, at, each, options)
        ]
        for each in seated:
            await seen_by_all(each.viewers, 1)
        before, begun = [server.worked for server in servers], time.perf_counter()
        until = begun + options.seconds
        works = [plays(each.client, each.table, measured, until, each.viewers) for each in seated]
        works += [_photographs(each, measured, until, options.photo_every) for each in seated if options.photo_every]
        await asyncio.gather(*works, lags(measured, until))
        work = sum(server.worked for server in servers) - sum(before)
        memory = [round(server.megabytes) for server in servers]
        await _check(seated)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    # Instead of the slowest stream of each move: every stream of each move.
    measured.took["seen"] = [delay for each in seated for delay in each.delays()]
    asked = {name: getattr(options, name) for name in ("tables", "phones", "seconds", "photo_every", "scattered")}
    moves = sum(len(each.table.sent) for each in seated)
    told = {name: {"count": len(each), **spread(each)} for name, each in measured.took.items() if each}
    return {
        "servers": len(servers),
        **asked,
        "moves": moves,
        **told,
        "lag": spread(measured.lag),
        "memory_mb": memory,
        "work": round(work, 1),
        "load": load(),
    }


async def _seated(clients: list[httpx2.AsyncClient], at: int, options: argparse.Namespace) -> Seated:
    client = clients[at % len(clients)]
    return Seated(await new_table(client, at), client, [Viewer() for _ in range(options.phones + 1)])


def _streams(clients: list[httpx2.AsyncClient], at: int, seated: Seated, options: argparse.Namespace) -> list[Any]:
    """The streams of the overlay, which only watches, and of each phone."""
    table = seated.table
    tokens = [table.viewer, *[table.player] * options.phones]
    return [
        viewer.watch(clients[(at + number * options.scattered) % len(clients)], f"{table.url}/events", token)
        for number, (viewer, token) in enumerate(zip(seated.viewers, tokens, strict=True))
    ]


async def _photographs(seated: Seated, measured: Measured, until: float, every: float) -> None:
    await asyncio.sleep(seated.table.random.random() * every)
    while time.perf_counter() < until:
        begun = time.perf_counter()
        await read_photo(seated.client)
        measured.took["photo"].append(time.perf_counter() - begun)
        await asyncio.sleep(max(0.0, begun + every - time.perf_counter()))


async def _check(seated: Sequence[Seated]) -> None:
    """Check that everybody has every line, in order; the last move and the line that closes the record arrive together."""
    for each in seated:
        lines = len(each.table.record.lines)
        await seen_by_all(each.viewers, lines)
        expected = [1, *each.table.sent]
        if any(viewer.ids != expected for viewer in each.viewers):
            raise SystemExit("A viewer missed a line, or got lines out of order.")


def _show(runs: list[dict[str, Any]], console: Console) -> None:
    shown = Shown("servers", "moves", "what", "p50 ms", "p95 ms", "p99 ms", "memory, MB", "work, s")
    for run in runs:
        for name in ("answer", "seen", "photo", "lag"):
            if row := run.get(name):
                figures = (str(row[part]) for part in ("p50", "p95", "p99"))
                shown.add_row(
                    str(run["servers"]), str(run["moves"]), name, *figures, str(run["memory_mb"]), str(run["work"])
                )
    console.print(shown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
