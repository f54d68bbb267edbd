"""The database is opened as it must be, or it is said why not."""

from __future__ import annotations

import pickle
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from api.extras import EXTRAS
from api.store import Store, StoreError
from api.store.database import reading, shown_url, writing
from api.store.folder import DATABASE
from api.store.tables import metadata
from tests.api.store.place import Place, grown, kept


def refusal(url: str | None, folder: Path) -> StoreError:
    with pytest.raises(StoreError) as refused:
        Store.open(url, folder).close()
    return refused.value


def test_the_migrations_make_what_the_tables_say(place: Place) -> None:
    place.open()
    with place.engine() as engine, reading(engine) as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_opening_again_loses_nothing(place: Place) -> None:
    game = kept(place.open())
    place.open()
    assert place.open().game(game.id) == game


def test_many_may_open_a_new_database_at_once(place: Place) -> None:
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(lambda _: place.open(), range(6)))
    game = kept(stores[0])
    assert all(store.game(game.id) == game for store in stores)


def test_a_newer_database_is_left_alone(place: Place) -> None:
    game = kept(place.open())
    place.sql("UPDATE alembic_version SET version_num = '9999'")
    error = refusal(place.url, place.folder)
    assert (error.code, "newer version of Muggins" in error.message) == ("newer-database", True)
    place.sql("UPDATE alembic_version SET version_num = '0005'")
    assert place.open().game(game.id) == game


def test_tables_of_somebody_else_are_left_alone(place: Place) -> None:
    place.folder.mkdir()
    place.sql("CREATE TABLE readings (theirs INTEGER)")
    error = refusal(place.url, place.folder)
    assert error.code == "database-trouble"
    assert "readings" in error.message
    place.sql("INSERT INTO readings (theirs) VALUES (1)")
    # All of a step or nothing of it.
    with pytest.raises(StoreError, match="games"):
        place.sql("SELECT * FROM games")


def test_sqlite_is_set_to_keep_what_it_has_said_is_kept(tmp_path: Path) -> None:
    with Place(None, tmp_path).engine() as engine, reading(engine) as connection:
        said = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert said == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}


def test_postgres_is_set_to_keep_what_it_has_said_is_kept(shared: Place) -> None:
    assert shared.url is not None
    with Place(f"{shared.url}&options=-csynchronous_commit%3Doff", shared.folder).engine() as engine:
        with reading(engine) as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "off"
        with writing(engine) as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"


def test_a_writer_on_sqlite_keeps_others_waiting_from_its_first_moment(tmp_path: Path) -> None:
    with (
        Place(None, tmp_path).engine() as engine,
        closing(sqlite3.connect(tmp_path / DATABASE, timeout=0, isolation_level=None)) as other,
        writing(engine),
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


def test_work_goes_on_after_every_connection_was_cut(shared: Place) -> None:
    store = shared.open()
    game = kept(store)
    for _ in range(3):
        shared.cut()
        game = store.append(game, grown(game.record))
    assert store.game(game.id) == game


def test_a_connection_cut_within_a_write_is_said_and_leaves_nothing(shared: Place) -> None:
    store = shared.open()
    game = kept(store)

    def write() -> None:
        with shared.engine() as engine, writing(engine) as connection:
            connection.exec_driver_sql("UPDATE games SET lines = 7")
            shared.cut()
            connection.exec_driver_sql("UPDATE games SET lines = 8")

    with pytest.raises(StoreError, match=r"^Database error: ") as said:
        write()
    assert said.value.code == "database-trouble"
    assert store.game(game.id) == game


@pytest.mark.parametrize(
    "url",
    [
        "",
        "muggins.db",
        "sqlite:///x.db",
        "postgresql://me:secret@host/db",
        "mysql://me:secret@host/db",
        "postgresql+psycopg://me:secret@host:port/db",
    ],
)
def test_a_wrong_url_is_refused_without_saying_it_aloud(tmp_path: Path, url: str) -> None:
    error = refusal(url, tmp_path)
    assert error.code == "wrong-url"
    assert "secret" not in error.message
    assert list(tmp_path.iterdir()) == []


def test_a_url_is_shown_without_its_secrets() -> None:
    shown = shown_url("postgresql+psycopg://ann:secret@db:5433/games?sslpassword=secret&host=/run")
    assert shown == "postgresql+psycopg://ann:***@db:5433/games"


def test_without_its_extra_postgresql_is_refused_with_the_way_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXTRAS, "postgres", ("psycopg_that_is_not_installed",))
    error = refusal("postgresql+psycopg://me:secret@host/db", tmp_path)
    assert error.code == "missing-extra"
    assert "pip install 'muggins[postgres]'" in error.message
    assert "secret" not in error.message


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    error = refusal(f"postgresql+psycopg://me:secret@/db?host={tmp_path}", tmp_path)
    assert error.code == "database-trouble"
    assert str(tmp_path) in error.message
    assert "secret" not in error.message


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"not a database, and longer than a header" * 100)
    error = refusal(None, tmp_path)
    assert (error.code, "not a database" in error.message) == ("damaged", True)


@pytest.mark.parametrize("taken", ["data", "data/photos", "data/deep/er"])
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / taken).write_bytes(b"")
    folder = tmp_path / taken if taken.endswith("er") else tmp_path / "data"
    error = refusal(None, folder)
    assert (error.code, str(folder) in error.message) == ("folder", True)


def test_an_error_outlives_pickling() -> None:
    error = pickle.loads(pickle.dumps(StoreError("folder", "No.")))
    assert (type(error), error.code, error.message, str(error)) == (StoreError, "folder", "No.", "No.")
