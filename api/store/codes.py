"""Short codes that invite to games, shared by all servers of a database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine, delete, insert, select

from api.store import tables
from api.store.database import reading, writing


@dataclass(frozen=True, slots=True)
class StoredCode:
    """A code, the game it invites to, and when it expires, in seconds since 1970."""

    letters: str
    game_id: str
    until: float


class GameCodes:
    """The codes of all games. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, game_id: str, now: float, until: float, made: Callable[[], StoredCode]) -> StoredCode:
        """The newest code of a game that is valid beyond `until`; if there is none, a new one is stored.

        Codes that expired before `now` are deleted.

        Raises:
            Conflict: "already-there": the letters made are in use.
            StoreError: "database-trouble".
        """
        table = tables.codes
        good = select(table).where(table.c.game_id == game_id, table.c.until > until)
        with writing(self._engine) as connection:
            connection.execute(delete(table).where(table.c.until <= now))
            row = connection.execute(good.order_by(table.c.until.desc()).limit(1)).one_or_none()
            if row is not None:
                return StoredCode(row.letters, row.game_id, row.until)
            code = made()
            connection.execute(insert(table).values(letters=code.letters, game_id=game_id, until=code.until))
        return code

    def find(self, letters: str) -> StoredCode | None:
        """The code with these letters, expired or not.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.codes
        with reading(self._engine) as connection:
            row = connection.execute(select(table).where(table.c.letters == letters)).one_or_none()
        return StoredCode(row.letters, row.game_id, row.until) if row else None

    def forget(self, game_id: str) -> None:
        """Delete the codes of a game.

        Raises:
            StoreError: "database-trouble".
        """
        with writing(self._engine) as connection:
            connection.execute(delete(tables.codes).where(tables.codes.c.game_id == game_id))
