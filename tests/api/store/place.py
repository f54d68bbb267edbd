"""Where a store is, and what is kept in it for a test."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Engine, text

from api.store import Store, StoredGame, StoredReading, StoredToken
from api.store.database import connect_to, writing
from scorer.engine.game import Move
from scorer.engine.record import Header, Record
from scorer.games.crib_dice.rules import Rules

DATE = "2026-11-21T20:15:00+00:00"
PHOTO = b"bytes of a photo"


@dataclass
class Place:
    """A database and a folder; what was opened there is closed at the end."""

    url: str | None
    folder: Path
    opened: list[Store] = field(default_factory=list)

    def open(self) -> Store:
        self.opened.append(Store.open(self.url, self.folder))
        return self.opened[-1]

    def sql(self, statement: str, **values: Any) -> None:
        """Do something behind the store's back."""
        with self.engine() as engine, writing(engine) as connection:
            connection.execute(text(statement), values)

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        engine = connect_to(self.url, self.folder)
        try:
            yield engine
        finally:
            engine.dispose()

    def cut(self) -> None:
        """Cut every connection to the PostgreSQL database."""
        self.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for store in self.opened:
            store.close()


def begun(*players: str) -> Record:
    return Record.begin(Header("crib-dice", Rules(), players or ("Ann", "Ben"), DATE, {"muggins": "0.1.0"}))


def new_tokens() -> tuple[StoredToken, StoredToken]:
    """A viewer's and the host's, different for every game."""
    return StoredToken.new("viewer", secrets.token_bytes(32), made=DATE), StoredToken.new(
        "player", secrets.token_bytes(32), host=True, made=DATE
    )


def kept(store: Store) -> StoredGame:
    return store.begin(begun(), new_tokens())


def grown(record: Record, at: str = "") -> Record:
    """The record with one line more, for as long as one likes."""
    return record.undo(at=at) if record.moves else record.play(Move.parse("opening 3 4"), at=at)


def read(store: Store, name: str, game_id: str | None = None) -> StoredReading:
    """A reading of that name, added."""
    sha = store.photos.put(PHOTO)
    found = StoredReading(name, game_id, sha, {"dice": [{"value": 3, "confidence": 0.25}]}, {"locator": "ab"}, DATE)
    store.add_reading(found)
    return found
