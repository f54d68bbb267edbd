"""The profiles of people's own dice in each game, with every version that its photos were read with."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sqlalchemy import Engine, insert, select, update

from api.store import tables
from api.store.database import reading, writing
from api.store.errors import Missing


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """A version of a profile in a game.

    Attributes:
        sha256: of its file.
        name: of the profile.
        data: its file.
        at: when the game got it, ISO 8601.
        used: whether future photos are read with it.
    """

    sha256: str
    name: str
    data: bytes
    at: str
    used: bool


class GameProfiles:
    """The profiles of all games."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, game_id: str, name: str, data: bytes, at: str) -> StoredProfile:
        """Use a profile in a game from now on, in place of the one of that name; earlier versions are kept.

        Raises:
            StoreError: "database-trouble".
        """
        table, sha256 = tables.profiles, hashlib.sha256(data).hexdigest()
        here = (table.c.game_id == game_id) & (table.c.name == name)
        with writing(self._engine) as connection:
            connection.execute(update(table).where(here).values(used=False))
            same = here & (table.c.sha256 == sha256)
            if connection.execute(update(table).where(same).values(used=True)).rowcount == 0:
                row = {"game_id": game_id, "sha256": sha256, "name": name, "data": data, "at": at, "used": True}
                connection.execute(insert(table).values(row))
        return StoredProfile(sha256, name, data, at, used=True)

    def leave(self, game_id: str, sha256: str) -> None:
        """Stop using a profile.

        Raises:
            Missing: "no-profile".
            StoreError: "database-trouble".
        """
        table = tables.profiles
        here = (table.c.game_id == game_id) & (table.c.sha256 == sha256) & table.c.used
        with writing(self._engine) as connection:
            if connection.execute(update(table).where(here).values(used=False)).rowcount == 0:
                raise Missing("no-profile", "The game uses no such profile.")

    def knows(self, game_id: str, name: str, sha256: str) -> bool:
        """Whether a game has known this version of a profile, in use or not.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.profiles
        here = (table.c.game_id == game_id) & (table.c.name == name) & (table.c.sha256 == sha256)
        with reading(self._engine) as connection:
            return connection.execute(select(table.c.place).where(here).limit(1)).first() is not None

    def of(self, game_id: str, *, used: bool = False, sha256: str | None = None) -> list[StoredProfile]:
        """Every version that the game has had, in order; or only those in use, or with this SHA-256.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.profiles
        chosen = select(table).where(table.c.game_id == game_id).order_by(table.c.place)
        if used:
            chosen = chosen.where(table.c.used)
        if sha256 is not None:
            chosen = chosen.where(table.c.sha256 == sha256)
        with reading(self._engine) as connection:
            rows = connection.execute(chosen).all()
        return [StoredProfile(row.sha256, row.name, row.data, row.at, row.used) for row in rows]
