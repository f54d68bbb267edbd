"""`python -m tests.proof.two --moves 400`: two servers with one PostgreSQL, and players who ask now here, now there.

No move that was acknowledged is lost or doubled, and viewers of either server see every line in order.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import httpx2

from tests.api.http.games.play import bearer
from tests.proof.ledger import MoveLog
from tests.proof.load import Load, begin
from tests.proof.postgres import postgres
from tests.proof.server import Server
from tests.proof.viewing import Viewer


def main() -> None:
    """Play so many moves, and say what became of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=400, help="both games end after some 600")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres() as database:
        begun, ledger = time.monotonic(), both_played(options.moves, Path(folder) / "data", database.emptied())
        print(f"{ledger.moves} moves in {time.monotonic() - begun:.0f} s on two servers, all there, none twice;")
        print(f"{ledger.refused} came too late. Viewers of both saw every line in order.")


def both_played(moves: int, folder: Path, database: str) -> MoveLog:
    """Play so many moves on two servers.

    Raises:
        AssertionError: something is lost, doubled, or not seen in order.
    """
    with ExitStack() as closing, ExitStack() as stack:
        servers = [_started(stack, folder, database) for _ in range(2)]
        load = Load([server.url for server in servers], begin(servers[0].url, 2), MoveLog(), players=6, photos=False)
        viewers = [Viewer(server.url, game) for server in servers for game in load.games]
        # Last of all: their streams end with the servers.
        closing.callback(lambda: [viewer.close() for viewer in viewers])
        while any(not viewer.last for viewer in viewers):
            time.sleep(0.02)
        load.start()
        load.wait_for(moves, 30 + moves)
        load.end()
        assert not load.ledger.unanswered, "a server did not answer"
        for server in servers:
            _check(server, load, viewers)
        return load.ledger


def _started(stack: ExitStack, folder: Path, database: str) -> Server:
    server = Server.start(folder, database)
    stack.callback(server.kill)
    return server


def _check(server: Server, load: Load, viewers: list[Viewer]) -> None:
    with httpx2.Client(base_url=server.url, timeout=120) as client:
        load.ledger.check(client)
        for viewer, game in zip(viewers, [*load.games, *load.games], strict=True):
            viewer.wait_for(client.get(game.path, headers=bearer(game.viewer)).json()["lines"], 60)
            viewer.check()
            assert len(viewer.seen) == 1, "a stream ended"


if __name__ == "__main__":
    main()
