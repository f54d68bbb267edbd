"""The database behind the store: SQLite in a file, or PostgreSQL by URL; its transactions, and its migrations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from api.extras import MissingExtra, require
from api.store.errors import Conflict, StoreError
from api.store.faults import fault_of
from api.store.folder import DATABASE

POSTGRES = "postgresql+psycopg"
_BUSY_SECONDS = 30
_ALIVE = {"connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"}
"""Defaults for libpq, so that a silent server is noticed within a minute."""
_MIGRATING = 0x6D756767
"""Number of the advisory lock for migrations; arbitrary but unique."""


def connect_to(url: str | None, folder: Path) -> Engine:
    """Create the engine; nothing is opened yet.

    Args:
        url: postgresql+psycopg://…; None: SQLite in `folder`.
        folder: of the SQLite file.

    Raises:
        StoreError: "wrong-url", "missing-extra".
    """
    if url is None:
        where = URL.create("sqlite", database=str(folder.absolute() / DATABASE))
        engine = create_engine(where, connect_args={"timeout": _BUSY_SECONDS})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        # Idle connections that were cut are replaced before use.
        engine = create_engine(_postgres(url), pool_pre_ping=True)
        event.listen(engine, "begin", _begin_postgres)
    return engine


def shown_url(url: str) -> str:
    """The database that a URL names, without what may be secret: the password, and everything after the question mark."""
    return make_url(url).set(query={}).render_as_string(hide_password=True)


def is_postgres(engine: Engine) -> bool:
    """Whether other processes may write to the same database."""
    return engine.dialect.name == "postgresql"


def may_be_id(text: str) -> bool:
    """Whether the text may be an id; URLs may contain anything, such as a NUL or a lone surrogate, which databases refuse."""
    return text.isascii() and text.isprintable()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads.

    Raises:
        StoreError: "database-trouble".
    """
    with _told(), engine.begin() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes: committed to disk if it ends without an error, otherwise rolled back.

    If the connection breaks during commit, either may be the case; reading again tells which.

    Raises:
        StoreError: "database-trouble".
        Conflict: "already-there".
    """
    with _told(), engine.execution_options(writes=True).begin() as connection:
        yield connection


def migrate(engine: Engine) -> None:
    """Migrate the tables to this program's version; safe for several processes at once.

    Raises:
        StoreError: "newer-database", or "database-trouble".
    """
    config = Config()
    config.set_main_option("script_location", "api.store:migrations")
    with writing(engine) as connection:
        if is_postgres(engine):
            connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
        _check_known(connection, config)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _check_known(connection: Connection, config: Config) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if not known.issuperset(MigrationContext.configure(connection).get_current_heads()):
        text = "The database was written by a newer version of Muggins. Update, or use another database."
        raise StoreError("newer-database", text)


def _postgres(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.drivername != POSTGRES:
        # The URL may contain a password, so it is not shown.
        text = f"The database URL must start with {POSTGRES}:// and name a database. Without a URL, SQLite is used."
        raise StoreError("wrong-url", text)
    try:
        require("postgres", "Storing games in PostgreSQL")
    except MissingExtra as error:
        raise StoreError("missing-extra", str(error)) from error
    return parsed.set(query={**_ALIVE, **parsed.query})


def _prepare_sqlite(connection: Any, _: object) -> None:
    # The driver starts no transactions itself; `_begin_sqlite` does, with the right mode.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that starts by reading and then writes can fail at once if another writes.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _writes(connection) else "BEGIN")


def _begin_postgres(connection: Connection) -> None:
    if _writes(connection):
        connection.exec_driver_sql("SET LOCAL synchronous_commit TO on")


def _writes(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get("writes"))


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise Conflict("already-there", "This name is already in use.") from error
    except SQLAlchemyError as error:
        raise fault_of(error) from error
