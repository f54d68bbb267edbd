"""Notifies waiters about changes of games and news of their cameras: from this process and, on PostgreSQL, from all others."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Engine, func, select

from api.store.database import reading
from api.store.errors import StoreError

_CHANNEL = "muggins"
_CAMERA = "camera"
"""Sent in place of a number of lines."""
_GLANCE = 0.2
"""Seconds between checks whether the store was closed."""
_RETRY = 0.5
"""Seconds before reconnecting a lost connection."""

log = logging.getLogger(__name__)


class Changes:
    """The length of each game, how often its camera had news, and waiting for changes. Thread-safe.

    Args:
        count: fetches the number of lines of a game; called for unknown games.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._lines: dict[str, int] = {}
        self._camera: dict[str, int] = {}
        self._losses = 0
        self._news = threading.Condition()
        self._closed = False

    def since(self, game_id: str, lines: int, timeout: float, camera: int | None = None) -> bool:
        """Wait until the game has more than this many lines, or its camera other news than this (None: does not matter).

        Returns:
            True: it has; False: timeout in seconds, or the store was closed.

        Raises:
            Missing: "no-game".
            StoreError: "database-trouble".
        """

        def happened() -> bool:
            news = camera is not None and self._camera_news(game_id) != camera
            return self._closed or news or self._known(game_id) > lines

        with self._news:
            return self._news.wait_for(happened, timeout) and not self._closed

    def camera(self, game_id: str) -> int:
        """How often the game's camera had news so far, as far as this process knows; only differences count."""
        # Without the lock, which others hold while they query the database: the event loop calls this.
        return self._camera_news(game_id)

    def tell_camera(self, game_id: str) -> None:
        """Note that the game's camera has other rolls waiting, or that another camera films."""
        with self._news:
            self._camera[game_id] = self._camera.get(game_id, 0) + 1
            self._news.notify_all()

    def tell(self, game_id: str, lines: int) -> None:
        """Note that the game now has this many lines."""
        with self._news:
            self._lines[game_id] = max(lines, self._lines.get(game_id, 0))
            self._news.notify_all()

    def look_again(self, game_id: str) -> None:
        """Ask the database for the length of a game: a notification may have been lost.

        Raises:
            Missing: "no-game".
            StoreError: "database-trouble".
        """
        self.tell(game_id, self._count(game_id))

    def forget(self) -> None:
        """Forget all lengths after a possible loss of notifications; the database is asked again."""
        with self._news:
            self._lines.clear()
            self._losses += 1
            self._news.notify_all()

    def close(self) -> None:
        """Wake all waiters for good."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def _camera_news(self, game_id: str) -> int:
        # After a loss of notifications, phones ask once more than necessary.
        return self._camera.get(game_id, 0) + self._losses

    def _known(self, game_id: str) -> int:
        if game_id not in self._lines:
            self._lines[game_id] = self._count(game_id)
        return self._lines[game_id]


def announce(engine: Engine, game_id: str, lines: int) -> None:
    """Notify every process on this PostgreSQL database of lines that are stored.

    In a transaction of its own, which does not wait for the disk: PostgreSQL lets only one transaction that notifies commit at
    a time, so with the lines in it all moves would wait for the disk one after the other (docs/operations.md, sizing). If this
    process or the connection ends in between, other processes find the lines by `Changes.look_again`.
    """
    try:
        with reading(engine) as connection:
            connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
            connection.execute(select(func.pg_notify(_CHANNEL, f"{game_id} {lines}")))
    except StoreError as error:
        log.warning("Other servers learn of a move late: %s", error)


def announce_camera(connection: Connection, game_id: str) -> None:
    """Notify every process of news of a game's camera, when the transaction commits."""
    connection.execute(select(func.pg_notify(_CHANNEL, f"{game_id} {_CAMERA}")))


class Listener:
    """A thread with its own connection that receives notifications of `announce`, and reconnects when cut off."""

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
        import psycopg  # an optional extra: stores in SQLite do without

        while not self._closing.is_set():
            try:
                self._listen()
            except psycopg.Error as error:
                # Warn once, not on every attempt.
                reason = str(error).partition("\n")[0]
                log.log(logging.WARNING if self._hearing else logging.DEBUG, "Lost the live updates: %s", reason)
                self._hearing = False
                self._closing.wait(_RETRY)

    def _listen(self) -> None:
        import psycopg

        with psycopg.connect(**self._connect_to, autocommit=True) as connection:
            connection.execute(f"LISTEN {_CHANNEL}")
            if not self._hearing:
                log.warning("The live updates are back.")
            self._hearing = True
            # Earlier notifications were missed.
            self._changes.forget()
            while not self._closing.is_set():
                for notice in connection.notifies(timeout=_GLANCE):
                    self._hear(notice.payload)

    def _hear(self, payload: str) -> None:
        game_id, _, news = payload.rpartition(" ")
        # Any program on the database can send on the channel.
        if news == _CAMERA:
            self._changes.tell_camera(game_id)
        elif news.isdecimal():
            self._changes.tell(game_id, int(news))
