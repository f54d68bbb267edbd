"""`python -m tests.proof.kill --times 50`: the server is killed under load, again and again, and has lost nothing.

With `--postgres`, the same on a PostgreSQL of its own. Each time: players move in several games and take photos, the process
gets SIGKILL at any moment, is started again, is asked once more what it had not answered, and then must hold every move that
it had acknowledged, in its place, once, in records that verify.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx2

from tests.api.store.cluster import programs, running
from tests.proof.ledger import MoveLog
from tests.proof.load import Load, begin
from tests.proof.server import Server

GAMES = 3
"""Played at a time."""


def main() -> None:
    """Kill it so many times, and say what was kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _database(options.postgres) as database:
        begun, ledger = time.monotonic(), killed(options.times, Path(folder) / "data", database)
        photos = f"{len(ledger.photos)} photos"
        print(
            f"{options.times} kills in {time.monotonic() - begun:.0f} s: {ledger.moves} moves and {photos} acknowledged,"
        )
        print(f"all there, none twice; {ledger.unanswered} requests had no answer, {ledger.refused} came too late.")


def killed(times: int, folder: Path, database: str | None = None, seed: int = 1) -> MoveLog:
    """Kill it so many times.

    Raises:
        AssertionError: something is lost, doubled, or not to be trusted.
    """
    random, everything = Random(seed), MoveLog()
    server = Server.start(folder, database)
    try:
        for at in range(times):
            server, ledger = _killed_once(server, folder, database, random, at)
            everything.add(ledger)
            print(f"kill {at + 1}: {ledger.moves} moves, {ledger.unanswered} without an answer", flush=True)
        with httpx2.Client(base_url=server.url, timeout=120) as client:
            # What outlived one kill must outlive all that came after it.
            everything.check(client)
    finally:
        server.kill()
    return everything


def _killed_once(server: Server, folder: Path, database: str | None, random: Random, at: int) -> tuple[Server, MoveLog]:
    ledger = MoveLog()
    load = Load([server.url], begin(server.url, GAMES), ledger, seed=at)
    load.start()
    load.wait_for(random.randint(1, 40), 120)
    time.sleep(random.random() * 0.1)
    server.kill()
    load.end()
    server = Server.start(folder, database)
    with httpx2.Client(base_url=server.url, timeout=120) as client:
        ledger.check(client)
        ledger.ask_again(client)
        ledger.check(client)
    return server, ledger


@contextmanager
def _database(postgres: bool) -> Iterator[str | None]:
    found = programs() if postgres else None
    if found is None:
        assert not postgres, "no PostgreSQL is installed here (initdb and pg_ctl)"
        yield None
        return
    with running(found) as cluster:
        yield cluster.emptied()


if __name__ == "__main__":
    main()
