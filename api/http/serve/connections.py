"""Limits on idle connections: each has little time, and no client has more of them than a table needs.

Uvicorn by itself waits forever for the end of a request that has begun, and for a client that does not read.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.http.addresses import is_loopback

HEAD_SECONDS = 10.0
"""Time limit for a request's head, from the connection or the first byte of a further request."""
IDLE_SECONDS = 20.0
"""The longest pause within a body."""
BODY_SECONDS = 180.0
"""Time limit for the whole body: 25 MB over a Wi-Fi that gives 1.2 Mbit/s."""
READER_SECONDS = 30.0
"""How long a client may leave unread what was sent."""
MOST, MOST_OF_CLIENT = 2000, 100
"""Connections in all, and of one address; this computer's own address may be a proxy's, with the connections of all clients."""
_SPARE_FILES = 200
"""Files that this process opens for itself: the database, photos, pipes."""
_ENOUGH_FILES = 1024
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nretry-after: 10\r\nconnection: close\r\n\r\n"
    b"Too many connections are open here: close some, or try again later.\n"
)

log = logging.getLogger("uvicorn.error")


@dataclass(slots=True)
class Patience:
    """The time limits of a connection; see the constants of this module."""

    head: float = HEAD_SECONDS
    idle: float = IDLE_SECONDS
    body: float = BODY_SECONDS
    reader: float = READER_SECONDS


class Connections:
    """Counts the connections of this server by client."""

    def __init__(self, most: int = MOST, most_of_client: int = MOST_OF_CLIENT) -> None:
        self._most = most
        self._most_of_client = most_of_client
        self._of: Counter[str] = Counter()

    def admits(self, client: str) -> bool:
        """Count one more connection if the limits allow it; returns whether they do."""
        if self._of.total() >= self._most or (not is_loopback(client) and self._of[client] >= self._most_of_client):
            return False
        self._of[client] += 1
        return True

    def leaves(self, client: str) -> None:
        """A connection has ended."""
        self._of[client] -= 1
        if not self._of[client]:
            del self._of[client]


def protocol(connections: Connections | None = None, patience: Patience | None = None) -> type[H11Protocol]:
    """The protocol class that uvicorn creates for each connection.

    Args:
        connections: those of this server.
        patience: the time limits.
    """

    class Impatient(_Impatient):
        known = connections or Connections()
        waits = patience or Patience()

    return Impatient


class _Impatient(H11Protocol):
    """Uvicorn's HTTP/1.1 protocol, with time limits for clients that send nothing or read nothing."""

    known: Connections
    waits: Patience

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._admitted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit a client, and wait for the head of its request."""
        super().connection_made(transport)
        client = self.client[0] if self.client else ""
        if not self.known.admits(client):
            transport.write(_FULL)
            transport.close()
            return
        self._admitted = client
        self._wait("head", self.waits.head, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        for name in list(self._timers):
            self._stop(name)
        if self._admitted is not None:
            self.known.leaves(self._admitted)
            self._admitted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process data, and restart the timers for what comes next."""
        if self._admitted is None:
            return
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """A response is complete; part of the next request may be here already."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """The client does not read as fast as the server writes."""
        super().pause_writing()
        self._wait("reader", self.waits.reader, self._give_up)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._stop("reader")

    def _look(self) -> None:
        """Set the timers for the rest of a head or a body, or none."""
        if self.conn.their_state is h11.IDLE:
            self._stop("idle", "body")
            # Between two requests uvicorn's own timer runs, which stops at the first byte.
            if self.conn.trailing_data[0] or self.cycle is None:
                self._wait("head", self.waits.head, self._give_up)
        elif self.conn.their_state is h11.SEND_BODY:
            self._stop("head", "idle")
            self._wait("idle", self.waits.idle, self._give_up_reading)
            self._wait("body", self.waits.body, self._give_up)
        else:
            self._stop("head", "idle", "body")

    def _wait(self, name: str, seconds: float, done: Callable[[], None]) -> None:
        if name not in self._timers:
            self._timers[name] = self.loop.call_later(seconds, done)

    def _stop(self, *names: str) -> None:
        for name in names:
            if timer := self._timers.pop(name, None):
                timer.cancel()

    def _give_up_reading(self) -> None:
        """Close the connection, except where the server itself has paused reading: there the client waits for us."""
        self._stop("idle")
        if self.flow.read_paused:
            self._wait("idle", self.waits.idle, self._give_up_reading)
        else:
            self._give_up()

    def _give_up(self) -> None:
        self.transport.abort()


def raised_open_files() -> int:
    """Raise the limit of open files as far as allowed; returns how many connections this process can hold.

    If it stays low, the log says how to raise it.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + _SPARE_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST + _SPARE_FILES)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    if soft < _ENOUGH_FILES:
        log.warning("This process may open only %d files, so few can connect: raise it with ulimit -n 4096.", soft)
    return max(1, min(MOST, soft - _SPARE_FILES))
