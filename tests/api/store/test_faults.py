"""A disk or database that refuses is said to be full, read-only, locked or damaged, each with the way out."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from api.store import Store, StoreError
from api.store.faults import disk_fault
from api.store.folder import DATABASE
from tests.api.store.place import Place, begun, kept


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Place(None, tmp_path / "data") as place:
        yield place.open()


@contextmanager
def pragma(store: Store, text: str) -> Iterator[None]:
    """Every connection of the store has this setting before its transaction begins."""

    def set_it(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute(f"PRAGMA {text}").close()

    event.listen(store._engine.pool, "checkout", set_it)
    try:
        yield
    finally:
        event.remove(store._engine.pool, "checkout", set_it)


def refusal(store: Store) -> StoreError:
    with pytest.raises(StoreError) as refused:
        _fill(store)
    return refused.value


def _fill(store: Store) -> None:
    for _ in range(200):
        store.begin(begun("Ann" * 2000, "Ben"))


def test_a_full_disk_is_named(store: Store) -> None:
    with pragma(store, "max_page_count = 30"):
        error = refusal(store)
    assert error.code == "disk-full"
    assert "Free some space" in error.message


def test_a_disk_that_is_full_before_the_server_starts_is_named(tmp_path: Path) -> None:
    """No room for the file that SQLite makes beside a database when it opens it."""
    resource = pytest.importorskip("resource")
    with Place(None, tmp_path / "data") as place:
        place.open()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Place(None, tmp_path / "data") as place:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, hard))
        try:
            with pytest.raises(StoreError) as refused:
                place.open()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert refused.value.code == "disk-full"


def test_a_database_that_cannot_be_written_is_named(store: Store) -> None:
    with pragma(store, "query_only = ON"):
        error = refusal(store)
    assert error.code == "read-only"


def test_a_locked_database_is_named(store: Store, tmp_path: Path) -> None:
    with (
        pragma(store, "busy_timeout = 10"),
        closing(sqlite3.connect(tmp_path / "data" / DATABASE, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        error = refusal(store)
    assert error.code == "locked"
    assert "database browser" in error.message


def _look_in(folder: Path) -> None:
    with Place(None, folder) as place:
        place.open().games(50)


@pytest.mark.parametrize("damaged", [slice(0, 100), slice(4096, 12_288)], ids=["header", "pages"])
def test_a_damaged_database_is_named(tmp_path: Path, damaged: slice) -> None:
    with Place(None, tmp_path / "data") as place:
        kept(place.open())
    file = tmp_path / "data" / DATABASE
    data = bytearray(file.read_bytes())
    data[damaged] = bytes(range(256)) * 64
    file.write_bytes(data[: len(file.read_bytes())])
    with pytest.raises(StoreError) as refused:
        _look_in(tmp_path / "data")
    assert refused.value.code == "damaged"
    assert "restore the last backup" in refused.value.message


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk-full"), (errno.EROFS, "read-only"), (errno.EACCES, "read-only"), (errno.EIO, "other")],
)
def test_what_a_disk_says_is_named(number: int, code: str) -> None:
    assert disk_fault(OSError(number, "words of the system"), "other", "Cannot write").code == code
