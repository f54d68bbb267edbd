"""The tokens of each game: what each allows, for which seats, and whether it was revoked. Only digests are stored."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from sqlalchemy import Connection, Engine, Row, insert, select, update

from api.store import tables
from api.store.database import may_be_id, reading, writing
from api.store.errors import Conflict, Missing

Role = Literal["viewer", "invite", "camera", "player"]
"""A viewer watches; an invitation lets a phone join; a camera plays what it sees; a player plays for their seats."""
_DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class StoredToken:
    """One token of a game.

    Attributes:
        id: unique within the server; harmless to show.
        role: what it allows.
        digest: SHA-256 of the token, 32 bytes.
        name: what people call its holder, such as "webcam"; may be empty.
        seats: numbers of the players it plays for; None: the whole table.
        host: whether it may make and revoke tokens.
        made: time, ISO 8601.
        revoked: time, ISO 8601; empty while it is valid.
    """

    id: str
    role: Role
    digest: bytes
    name: str = ""
    seats: tuple[int, ...] | None = None
    host: bool = False
    made: str = ""
    revoked: str = ""

    def __post_init__(self) -> None:
        if len(self.digest) != _DIGEST_BYTES:
            raise ValueError("tokens are stored as SHA-256 digests only")
        if self.role not in get_args(Role):
            raise ValueError(f"unknown role: {self.role}")

    @classmethod
    def new(cls, role: Role, digest: bytes, **more: Any) -> StoredToken:
        """A token with a fresh id."""
        return cls(secrets.token_hex(4), role, digest, **more)

    def holds(self, seat: int) -> bool:
        """Whether it plays for this seat."""
        return self.role == "player" and (self.seats is None or seat in self.seats)


class GameTokens:
    """The tokens of all games. Thread-safe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, game_id: str, digest: bytes) -> StoredToken | None:
        """The token with this digest, revoked or not; None if the game has none.

        Raises:
            StoreError: "database-trouble".
        """
        table = tables.tokens
        chosen = select(table).where(table.c.digest == digest, table.c.game_id == game_id)
        with reading(self._engine) as connection:
            row = connection.execute(chosen).one_or_none()
        return _token(row) if row else None

    def of(self, game_id: str) -> list[StoredToken]:
        """All tokens of a game in the order they were made, revoked ones too.

        Raises:
            StoreError: "database-trouble".
        """
        with reading(self._engine) as connection:
            return _tokens(connection, game_id)

    def add(self, game_id: str, token: StoredToken, *, alone: bool = False) -> StoredToken:
        """Store a new token.

        Args:
            game_id: of its game.
            token: to store.
            alone: each of its seats may be held by nobody else.

        Raises:
            Missing: "no-game".
            Conflict: "seat-taken", with `alone`.
            StoreError: "database-trouble".
        """
        with writing(self._engine) as connection:
            _lock(connection, game_id)
            if alone:
                _check_free(_tokens(connection, game_id), token)
            _insert(connection, game_id, [token])
        return token

    def sit(self, game_id: str, token: StoredToken, seats: Sequence[int] | None, *, alone: bool = False) -> StoredToken:
        """Change the seats of a token.

        Raises:
            Missing: "no-game", "no-token".
            Conflict: "seat-taken", with `alone`.
            StoreError: "database-trouble".
        """
        moved = replace(token, seats=None if seats is None else tuple(seats))
        with writing(self._engine) as connection:
            _lock(connection, game_id)
            if alone:
                _check_free(_tokens(connection, game_id), moved)
            _change(connection, game_id, token.id, seats=_plain(moved.seats))
        return moved

    def revoke(self, game_id: str, token_id: str, at: str) -> None:
        """Revoke a token for good; idempotent.

        Raises:
            Missing: "no-game", "no-token".
            Conflict: "last-host": nobody could hand out tokens any more.
            StoreError: "database-trouble".
        """
        with writing(self._engine) as connection:
            _lock(connection, game_id)
            valid = [token for token in _tokens(connection, game_id) if not token.revoked]
            if [token.id for token in valid if token.host] == [token_id]:
                raise Conflict("last-host", "This is the only host. Its token cannot be revoked.")
            if any(token.id == token_id for token in valid):
                _change(connection, game_id, token_id, revoked=at)
                return
            _change(connection, game_id, token_id, id=token_id)


def insert_all(connection: Connection, game_id: str, tokens: Iterable[StoredToken]) -> None:
    """Store the tokens of a new game, in its transaction."""
    if each := list(tokens):
        _insert(connection, game_id, each)


def _insert(connection: Connection, game_id: str, tokens: Sequence[StoredToken]) -> None:
    connection.execute(insert(tables.tokens), [_row(game_id, token) for token in tokens])


def _row(game_id: str, token: StoredToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "game_id": game_id,
        "role": token.role,
        "digest": token.digest,
        "name": token.name,
        "seats": _plain(token.seats),
        "host": token.host,
        "made": token.made,
        "revoked": token.revoked,
    }


def _tokens(connection: Connection, game_id: str) -> list[StoredToken]:
    table = tables.tokens
    chosen = select(table).where(table.c.game_id == game_id).order_by(table.c.place)
    return [_token(row) for row in connection.execute(chosen)]


def _token(row: Row[Any]) -> StoredToken:
    seats = None if row.seats is None else tuple(row.seats)
    return StoredToken(row.id, row.role, row.digest, row.name, seats, row.host, row.made, row.revoked)


def _plain(seats: tuple[int, ...] | None) -> list[int] | None:
    return None if seats is None else list(seats)


def _lock(connection: Connection, game_id: str) -> None:
    """Lock a game's tokens for one change at a time: on PostgreSQL by its row, on SQLite by the transaction itself."""
    games = tables.games
    if connection.execute(select(games.c.id).where(games.c.id == game_id).with_for_update()).one_or_none() is None:
        raise Missing("no-game", "Unknown game.")


def _check_free(tokens: Iterable[StoredToken], wanted: StoredToken) -> None:
    others = [t for t in tokens if t.role == "player" and not t.revoked and t.id != wanted.id]
    taken = any(_share(other.seats, wanted.seats) for other in others)
    if taken:
        raise Conflict(
            "seat-taken",
            "Another phone holds this seat, and its hand is hidden from others. That phone or the host can free it.",
        )


def _share(some: tuple[int, ...] | None, others: tuple[int, ...] | None) -> bool:
    """Whether two holders have a seat in common; None is every seat."""
    if some is None or others is None:
        return some != () and others != ()
    return not set(some).isdisjoint(others)


def _change(connection: Connection, game_id: str, token_id: str, **values: Any) -> None:
    table = tables.tokens
    chosen = update(table).where(table.c.game_id == game_id, table.c.id == token_id)
    if not may_be_id(token_id) or connection.execute(chosen.values(values)).rowcount != 1:
        raise Missing("no-token", "This game has no such token.")
