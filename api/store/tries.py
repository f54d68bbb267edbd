"""Wrong tokens and codes, counted for all servers of a database together."""

from __future__ import annotations

from sqlalchemy import Engine, delete, insert, select

from api.store import tables
from api.store.database import reading, writing


class FailedTries:
    """When each client last failed at what. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def since(self, client: str, about: str, since: float, most: int) -> list[float]:
        """The times of the last tries after `since`, in order, in seconds since 1970.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.failures
        chosen = select(table.c.at).where(table.c.client == client, table.c.about == about, table.c.at > since)
        with reading(self._engine) as connection:
            return sorted(connection.scalars(chosen.order_by(table.c.at.desc()).limit(most)))

    def add(self, client: str, about: str, at: float, forget_before: float) -> None:
        """Note a failed try, and forget old ones.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.failures
        with writing(self._engine) as connection:
            connection.execute(delete(table).where(table.c.at <= forget_before))
            connection.execute(insert(table).values(client=client, about=about, at=at))
