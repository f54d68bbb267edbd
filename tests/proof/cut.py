"""`python -m tests.proof.cut --times 50`: the connection to PostgreSQL is cut under load, again and again.

Every second time all connections are cut, every other time the whole database is stopped as by a crash, and started again.
The server goes on by itself, and holds every move that it had acknowledged, in its place, once, in records that verify; and
a viewer whose stream stayed open is shown where the game stands in the end.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from random import Random

import httpx2

from tests.api.http.games.play import bearer
from tests.proof.ledger import MoveLog
from tests.proof.load import Load, begin
from tests.proof.postgres import Postgres, postgres
from tests.proof.server import Server
from tests.proof.viewing import Viewer


def main() -> None:
    """Cut it so many times, and say what was kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres() as database:
        begun, ledger = time.monotonic(), cut_off(options.times, Path(folder) / "data", database)
        print(f"{options.times} cuts in {time.monotonic() - begun:.0f} s: {ledger.moves} moves acknowledged,")
        print(
            f"all there, none twice; {ledger.unanswered} requests had no sure answer, {ledger.refused} came too late."
        )


def cut_off(times: int, folder: Path, database: Postgres, seed: int = 1) -> MoveLog:
    """Cut it so many times, under one server that is never started again.

    Raises:
        AssertionError: something is lost, doubled, or not to be trusted; or the server does not go on.
    """
    random, everything, viewers = Random(seed), MoveLog(), []
    server = Server.start(folder, database.emptied())
    try:
        for at in range(times):
            # New games each time, so that no record becomes too long to be looked at often.
            load = Load([server.url], begin(server.url, 3), MoveLog(), photos=False, seed=at)
            viewers.append(Viewer(server.url, load.games[0]))
            _cut_once(load, viewers[-1], database, random, stop=at % 2 == 1)
            everything.add(load.ledger)
            print(
                f"cut {at + 1}: {load.ledger.moves} moves, {load.ledger.unanswered} without a sure answer", flush=True
            )
        with httpx2.Client(base_url=server.url, timeout=120) as client:
            everything.check(client)
        assert server.alive
    finally:
        server.kill()
        for viewer in viewers:
            viewer.close()
    return everything


def _cut_once(load: Load, viewer: Viewer, database: Postgres, random: Random, *, stop: bool) -> None:
    load.start()
    load.wait_for(random.randint(1, 30), 120)
    if stop:
        with database.away():
            time.sleep(random.random())
    else:
        assert database.cut()
    # It goes on by itself.
    load.wait_for(10, 120)
    load.end()
    with httpx2.Client(base_url=load.urls[0], timeout=120) as client:
        load.ledger.ask_again(client)
        load.ledger.check(client)
        game = load.games[0]
        viewer.wait_for(client.get(game.path, headers=bearer(game.viewer)).json()["lines"], 60)
    viewer.check()


if __name__ == "__main__":
    main()
