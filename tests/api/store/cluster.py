"""A real PostgreSQL for the tests: a cluster of their own on a socket in a folder of its own, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

OWNER = "postgres"


class Cluster:
    """A running server."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def emptied(self) -> str:
        """The URL of its one database, with nothing in it; many databases would take many seconds to remove."""
        with psycopg.connect(host=str(self._socket), user=OWNER, dbname="postgres") as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return f"postgresql+psycopg://{OWNER}@/postgres?host={self._socket}"


def programs() -> Path | None:
    """The folder with PostgreSQL's programs; None where there is none. Debian does not put it on the path."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve().parent] if on_path else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((folder for folder in reversed(found) if (folder / "pg_ctl").exists()), None)


@contextmanager
def running(programs: Path) -> Iterator[Cluster]:
    # Not pytest's folder: the path to a socket must be short, and the server's user must get there.
    folder = Path(tempfile.mkdtemp(prefix="muggins-"))
    try:
        if os.getuid() == 0:
            shutil.chown(folder, OWNER)
        data, options = str(folder / "data"), f"-c listen_addresses='' -k {folder} -c fsync=off"
        _run(folder, programs / "initdb", "-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        _run(folder, programs / "pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield Cluster(folder)
        finally:
            _run(folder, programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def _run(folder: Path, *command: Path | str) -> None:
    # PostgreSQL refuses to run as root.
    user = OWNER if os.getuid() == 0 else None
    # Into a file: the server goes on holding whatever it was started with.
    with (folder / "said").open("w") as said:
        done = subprocess.run(command, cwd=folder, user=user, stdout=said, stderr=said, timeout=120)
    assert done.returncode == 0, (folder / "said").read_text()
