"""The same tests on SQLite and on a real PostgreSQL; without one, those on it are skipped and say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.store.cluster import Cluster, programs, running
from tests.api.store.place import Place


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL is installed here (initdb and pg_ctl)")
    with running(found) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty database and an empty folder, on each kind of database."""
    url = request.getfixturevalue("cluster").emptied() if request.param == "postgres" else None
    with Place(url, tmp_path / "data") as empty:
        yield empty


@pytest.fixture
def shared(cluster: Cluster, tmp_path: Path) -> Iterator[Place]:
    """The same, only on PostgreSQL."""
    with Place(cluster.emptied(), tmp_path / "data") as empty:
        yield empty
