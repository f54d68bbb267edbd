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

from api.store.errors import Conflict, StoreError
from api.store.faults import fault_of
from api.store.folder import DATABASE

POSTGRES = "postgresql+psycopg"
_BUSY_SECONDS = 30
_ALIVE = {"connect_timeout": "10", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"}
"""For libpq, where the URL says nothing else: a server that went away without a word is noticed within a minute."""
_MIGRATING = 0x6D756767
"""The advisory lock under which one process at a time migrates; any number that no other program takes."""


def connect_to(url: str | None, folder: Path) -> Engine:
    """The engine; nothing is opened yet.

    Args:
        url: postgresql+psycopg://…; None: SQLite in `folder`.
        folder: where SQLite's file is.

    Raises:
        StoreError: "wrong-url".
    """
    if url is None:
        where = URL.create("sqlite", database=str(folder.absolute() / DATABASE))
        engine = create_engine(where, connect_args={"timeout": _BUSY_SECONDS})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        # A connection that was cut while it lay idle is replaced before it is used.
        engine = create_engine(_postgres(url), pool_pre_ping=True)
        event.listen(engine, "begin", _begin_postgres)
    return engine


def is_postgres(engine: Engine) -> bool:
    """Whether other processes may be writing to the same database."""
    return engine.dialect.name == "postgresql"


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
    """A transaction that writes. When it has ended without an error, all of it is on the disk; else nothing is there.

    Only where the connection breaks in the very moment of the end, it may be either; a fresh look tells.

    Raises:
        StoreError: "database-trouble".
        Conflict: "already-there".
    """
    with _told(), engine.execution_options(writes=True).begin() as connection:
        yield connection


def migrate(engine: Engine) -> None:
    """Bring the tables to what this program expects; several processes may try at once.

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
        text = "The database was written by a newer Muggins than this one: get that, or use another database."
        raise StoreError("newer-database", text)


def _postgres(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.drivername != POSTGRES:
        # The URL may hold a password, so it is not said.
        text = f"The URL of the database must begin with {POSTGRES}:// and name one; without a URL, SQLite is used."
        raise StoreError("wrong-url", text)
    return parsed.set(query={**_ALIVE, **parsed.query})


def _prepare_sqlite(connection: Any, _: object) -> None:
    # The driver begins no transaction by itself: `_begin_sqlite` does, and says of which sort.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_sqlite(connection: Connection) -> None:
    # One that begins as a reader and then writes can fail at once where another writes: waiting would not help it.
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
        raise Conflict("already-there", "Something with this name is kept already.") from error
    except SQLAlchemyError as error:
        raise fault_of(error) from error
