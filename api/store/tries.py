"""Wrong tokens and codes, counted across all servers of a database."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, delete, func, insert, select

from api.store import tables
from api.store.database import is_postgres, reading, writing


class FailedTries:
    """When each client last failed, and at what. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def since(self, client: str, about: str, since: float, most: int) -> list[float]:
        """The times of the last tries after `since`, in order, in seconds since 1970.

        Raises:
            StoreError: "database-trouble".
        """
        with reading(self._engine) as connection:
            return _since(connection, client, about, since, most)

    def add(self, client: str, about: str, at: float, since: float, most: int) -> list[float]:
        """Record a failed try unless there were `most` of them after `since`, and delete old ones.

        Clients may send many at once, so both happen in one transaction.

        Returns:
            The times of the earlier tries, as from `since`.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.failures
        with writing(self._engine) as connection:
            if is_postgres(self._engine):
                # On SQLite only one transaction writes at a time.
                connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"{client} {about}"))))
            connection.execute(delete(table).where(table.c.at <= since))
            before = _since(connection, client, about, since, most)
            if len(before) < most:
                connection.execute(insert(table).values(client=client, about=about, at=at))
        return before


def _since(connection: Connection, client: str, about: str, since: float, most: int) -> list[float]:
    table = tables.failures
    chosen = select(table.c.at).where(table.c.client == client, table.c.about == about, table.c.at > since)
    return sorted(connection.scalars(chosen.order_by(table.c.at.desc()).limit(most)))
