"""A viewer of a game who reconnects where the stream ended, as a browser does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import pairwise

import httpx2

from tests.api.http.games.play import bearer
from tests.api.http.games.streams import events
from tests.proof.ledger import Game

_COMES_BACK = 0.2
"""Seconds before the viewer reconnects."""


class Viewer:
    """A viewer with a thread and a stream of their own.

    Attributes:
        seen: the number of lines of every snapshot, stream by stream.
    """

    def __init__(
        self,
        url: str,
        game: Game,
        connect: Callable[[str], httpx2.Client] = lambda url: httpx2.Client(base_url=url, timeout=60),
    ) -> None:
        self.seen: list[list[int]] = []
        self._connect = partial(connect, url)
        self._where = f"{game.path}/events"
        self._headers = bearer(game.viewer)
        self._over: set[int] = set()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    @property
    def last(self) -> int:
        """How many lines the game had in the last snapshot."""
        return next((stream[-1] for stream in reversed(self.seen) if stream), 0)

    def wait_for(self, lines: int, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self.last < lines:
            assert time.monotonic() < until, f"a viewer has seen {self.last} lines of {lines}"
            time.sleep(0.02)

    def check(self) -> None:
        """Nothing was left out and nothing came twice or out of turn, within each stream.

        The move that ends a game and the line that closes its record come in one snapshot.
        """
        for stream in self.seen:
            for before, after in pairwise(stream):
                assert after == before + (2 if after in self._over else 1), stream

    def close(self) -> None:
        """Leave. Only once the server has ended, or the game goes on: the thread waits for that."""
        self._closing.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def _watch(self) -> None:
        with self._connect() as client:
            while not self._closing.is_set():
                with suppress(httpx2.TransportError):
                    self._watch_once(client)
                time.sleep(_COMES_BACK)

    def _watch_once(self, client: httpx2.Client) -> None:
        with client.stream("GET", self._where, headers=self._headers) as response:
            if response.status_code != 200:
                return
            stream: list[int] = []
            self.seen.append(stream)
            for event in events(response):
                if event.told["result"]:
                    self._over.add(event.told["lines"])
                stream.append(event.told["lines"])
                if self._closing.is_set():
                    return
