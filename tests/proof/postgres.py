"""A PostgreSQL that may be taken away: its connections cut, or the whole of it stopped at once and started again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.api.store.cluster import OWNER, Cluster, programs, running
from tests.api.store.cluster import _run as run


@dataclass
class Postgres:
    """One that runs, with one database."""

    cluster: Cluster
    folder: Path
    programs: Path

    def emptied(self) -> str:
        """The URL of the database, with nothing in it."""
        return self.cluster.emptied()

    def cut(self) -> int:
        """Cut every connection to it; how many there were."""
        ask = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres' AND pid <> pg_backend_pid()"
        with psycopg.connect(host=str(self.folder), user=OWNER, dbname="postgres") as connection:
            return len(connection.execute(ask).fetchall())

    @contextmanager
    def away(self) -> Iterator[None]:
        """Stopped without a word to anybody, as by a crash; started again at the end."""
        control = self.programs / "pg_ctl", "-D", str(self.folder / "data"), "-w"
        run(self.folder, *control, "-m", "immediate", "stop")
        try:
            yield
        finally:
            options = f"-c listen_addresses='' -k {self.folder} -c fsync=off"
            run(self.folder, *control, "-l", str(self.folder / "log"), "-o", options, "start")


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A cluster of its own, gone afterwards."""
    found = programs()
    assert found is not None, "no PostgreSQL is installed here (initdb and pg_ctl)"
    with running(found) as cluster:
        yield Postgres(cluster, cluster._socket, found)
