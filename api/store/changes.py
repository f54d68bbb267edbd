"""Who waits for a game to go on is woken: by this process's own moves and, on PostgreSQL, by those of all others."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, func, select

_CHANNEL = "muggins"
_GLANCE = 0.2
"""Seconds between two looks whether the store was closed."""
_RETRY = 0.5
"""Seconds until a connection that was cut is tried again."""

log = logging.getLogger(__name__)


class Changes:
    """How many lines each game has, and the waiting for more. Safe to use from any thread.

    Args:
        count: asks the database for the number of lines of a game; called for games not heard of yet.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._lines: dict[str, int] = {}
        self._news = threading.Condition()
        self._closed = False

    def since(self, game_id: str, lines: int, timeout: float) -> bool:
        """Wait until the game has more than that many lines.

        Returns:
            True: it has; False: not within `timeout` seconds, or the store was closed.

        Raises:
            Missing: "no-game".
            StoreError: "database-trouble".
        """
        with self._news:
            happened = self._news.wait_for(lambda: self._closed or self._known(game_id) > lines, timeout)
            return happened and not self._closed

    def tell(self, game_id: str, lines: int) -> None:
        """The game has that many lines now."""
        with self._news:
            self._lines[game_id] = max(lines, self._lines.get(game_id, 0))
            self._news.notify_all()

    def forget(self) -> None:
        """Something may have been missed: the database is asked again about every game that somebody waits for."""
        with self._news:
            self._lines.clear()
            self._news.notify_all()

    def close(self) -> None:
        """Nobody waits any longer."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def _known(self, game_id: str) -> int:
        if game_id not in self._lines:
            self._lines[game_id] = self._count(game_id)
        return self._lines[game_id]


def announce(connection: Connection, game_id: str, lines: int) -> None:
    """Let every process on this PostgreSQL database know, as soon as the transaction has ended well."""
    connection.execute(select(func.pg_notify(_CHANNEL, f"{game_id} {lines}")))


class Listener:
    """A thread with a connection of its own that hears what `announce` says; it connects again whenever it is cut."""

    def __init__(self, engine: Engine, changes: Changes) -> None:
        self._connect_to: dict[str, Any] = dict(engine.dialect.create_connect_args(engine.url)[1])
        self._changes = changes
        self._closing = threading.Event()
        self._hearing = True
        self._thread = threading.Thread(target=self._run, name="muggins-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread and its connection."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._listen()
            except psycopg.Error as error:
                # Once, not twice a second for as long as the server is away.
                log.log(logging.WARNING if self._hearing else logging.DEBUG, "Lost the live updates: %s", error)
                self._hearing = False
                self._closing.wait(_RETRY)

    def _listen(self) -> None:
        with psycopg.connect(**self._connect_to, autocommit=True) as connection:
            connection.execute(f"LISTEN {_CHANNEL}")
            self._hearing = True
            # What was said before this moment, nobody here has heard.
            self._changes.forget()
            while not self._closing.is_set():
                for notice in connection.notifies(timeout=_GLANCE):
                    self._hear(notice.payload)

    def _hear(self, payload: str) -> None:
        game_id, _, lines = payload.rpartition(" ")
        # Any program on the database may speak on the channel.
        if lines.isdecimal():
            self._changes.tell(game_id, int(lines))
