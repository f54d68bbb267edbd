"""`python -m tests.proof.several --proxy nginx --moves 600`: three servers with one PostgreSQL behind a proxy, through bad times.

Each server has a data folder of its own, as on a computer of its own; they have the database and the signing key in common.
While players move and take photos through the proxy, one server is killed, then the database is stopped as by a crash and
started again, and then the killed server comes back. No move or photo that was acknowledged is lost or doubled, every server has
all of them, and viewers see every line in order, reconnecting where their stream was cut.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import httpx2

from api.evidence.keys import FILE, ServerKey
from tests.api.http.games.play import bearer
from tests.proof.ledger import MoveLog
from tests.proof.load import Load, begin
from tests.proof.postgres import Postgres, postgres
from tests.proof.proxies import NAME, STARTS, Proxy, before
from tests.proof.server import Server
from tests.proof.viewing import Viewer

SERVERS = 3
_WITHIN = 300.0
"""Seconds that a quarter of the moves may take, on a machine that does other things too."""


def main() -> None:
    """Play so many moves, and say what became of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proxy", choices=[*STARTS], default="nginx")
    parser.add_argument("--moves", type=int, default=600, help="about so many")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, postgres() as database:
        begun, ledger = time.monotonic(), through_bad_times(options.proxy, options.moves, Path(folder), database)
        print(
            f"{ledger.moves} moves and {len(ledger.photos)} photos in {time.monotonic() - begun:.0f} s behind {options.proxy}:"
        )
        print(f"all there at each of {SERVERS} servers, none twice; {ledger.unanswered} had no sure answer, ", end="")
        print(f"{ledger.refused} came too late.")


def through_bad_times(kind: str, moves: int, folder: Path, database: Postgres) -> MoveLog:
    """Play so many moves while servers and the database go away and come back.

    Raises:
        AssertionError: something is lost, doubled, or not seen in order.
    """
    url = database.emptied()
    with ExitStack() as closing, ExitStack() as stack:
        servers = [_started(stack, folder / f"server-{at}", url) for at in range(SERVERS)]
        proxy = stack.enter_context(before(kind, folder, [server.port for server in servers]))
        with proxy.client() as client:
            # So many that the server that is killed has some of them, however they fall.
            games = begin(client, 8 * SERVERS)
        load = Load([proxy.url], games, MoveLog(), players=6, connect=lambda _: proxy.client())
        viewers = [Viewer(proxy.url, game, lambda _: proxy.client()) for game in games]
        # Last of all: their streams end with the servers.
        closing.callback(lambda: [viewer.close() for viewer in viewers])
        _disturbed(stack, load, servers, url, database, moves // 4)
        with proxy.client() as client:
            load.ledger.ask_again(client)
            _check_viewers(client, load, viewers)
        _check_servers(load, servers, proxy)
        return load.ledger


def _disturbed(stack: ExitStack, load: Load, servers: list[Server], url: str, database: Postgres, moves: int) -> None:
    """A quarter of the moves before each disturbance, and after the last."""
    load.start()
    load.wait_for(moves, _WITHIN)
    servers[0].kill()
    load.wait_for(moves, _WITHIN)
    with database.away():
        time.sleep(1)
    load.wait_for(moves, _WITHIN)
    servers[0] = _started(stack, Path(servers[0].log.name).with_suffix(""), url, servers[0].port)
    load.wait_for(moves, _WITHIN)
    load.end()


def _started(stack: ExitStack, folder: Path, database: str, port: int = 0) -> Server:
    """With the key that all have, as `docs/operations.md` tells."""
    common = folder.parent / "common"
    ServerKey.open(common)
    folder.mkdir(mode=0o700, exist_ok=True)
    shutil.copy2(common / FILE, folder)
    server = Server.start(folder, database, "--name", NAME, port=port)
    stack.callback(lambda: server.kill() if server.alive else None)
    return server


def _check_viewers(client: httpx2.Client, load: Load, viewers: list[Viewer]) -> None:
    for viewer, game in zip(viewers, load.games, strict=True):
        viewer.wait_for(client.get(game.path, headers=bearer(game.viewer)).json()["lines"], _WITHIN)
        viewer.check()
    assert any(len(viewer.seen) > 1 for viewer in viewers), "no stream was cut"


def _check_servers(load: Load, servers: list[Server], proxy: Proxy) -> None:
    keys = set()
    for server in servers:
        # By its own address, which it knows without the proxy's name.
        with httpx2.Client(base_url=server.url, timeout=120) as client:
            load.ledger.check(client)
            told = client.get(load.games[0].path, headers=bearer(load.games[0].viewer)).json()
            keys.add(told["head"]["key"])
    assert len(keys) == 1, "the servers sign with different keys"
    with proxy.client() as client:
        load.ledger.check(client)


if __name__ == "__main__":
    main()
