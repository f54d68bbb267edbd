"""The unsettled rolls of each game's camera, shared by all servers of a database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, insert, select, update

from api.store import tables
from api.store.changes import Changes, announce_camera
from api.store.database import is_postgres, reading, writing
from api.store.errors import Conflict


class CameraQueues:
    """The queues of all games, as JSON. Thread-safe."""

    def __init__(self, engine: Engine, changes: Changes) -> None:
        self._engine, self._changes = engine, changes

    def get(self, game_id: str) -> tuple[int, dict[str, Any]] | None:
        """The queue of a game and its version; None if it has none yet.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.cameras
        with reading(self._engine) as connection:
            row = connection.execute(select(table).where(table.c.game_id == game_id)).one_or_none()
        return (row.version, row.queue) if row else None

    def version(self, game_id: str) -> int:
        """The version of a game's queue; 0 if it has none yet.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.cameras
        with reading(self._engine) as connection:
            return connection.scalar(select(table.c.version).where(table.c.game_id == game_id)) or 0

    def put(self, game_id: str, version: int, queue: Mapping[str, Any], *, announced: bool) -> int:
        """Store a changed queue.

        Args:
            game_id: of the game.
            version: that was changed; 0: there was none.
            queue: the new one.
            announced: tell the viewers of every server.

        Returns:
            Its version.

        Raises:
            Conflict: "camera-moved-on", or "already-there" for the first: another server has changed it since.
            StoreError: "database-trouble".
        """
        table, known = tables.cameras, {"version": version + 1, "queue": dict(queue)}
        with writing(self._engine) as connection:
            if version == 0:
                connection.execute(insert(table).values(game_id=game_id, **known))
            else:
                unchanged = table.c.game_id == game_id, table.c.version == version
                if connection.execute(update(table).where(*unchanged).values(known)).rowcount != 1:
                    raise Conflict("camera-moved-on", "Another server has settled something of this camera.")
            if announced and is_postgres(self._engine):
                announce_camera(connection, game_id)
        # On PostgreSQL this server hears itself, as the others do.
        if announced and not is_postgres(self._engine):
            self._changes.tell_camera(game_id)
        return version + 1
