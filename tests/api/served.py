"""The real command `muggins serve` as a process beside the tests."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, Signals, default_int_handler, signal

from tests.api.http.games.play import JOIN_TOKEN

COMMAND = [sys.executable, "-c", "from api.cli.main import main; main()", "serve"]
_STARTING, _ENDING = 180, 60


def interruptible() -> None:
    """Run in a process before it becomes the command: who starts tests in the background may have switched Ctrl-C off."""
    signal(SIGINT, default_int_handler)


@dataclass
class Served:
    """A server that runs.

    Attributes:
        process: of it.
        folder: for what it keeps and says.
    """

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def out(self) -> str:
        return (self.folder / "out").read_text(encoding="utf-8")

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        return str(re.findall(r"Muggins serves at (\S+)", self.err)[0])

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def token(self) -> str:
        return str(re.findall(r"#join=(\S+)", self.out)[0])

    def forget_throws(self) -> None:
        """Tests that share it throw the same: what one game threw is not to be asked about in the next."""
        (file,) = self.folder.rglob("muggins.db")
        with closing(sqlite3.connect(file, timeout=60)) as database, database:
            database.execute("DELETE FROM throws")

    def ended(self, sig: Signals = SIGINT) -> int:
        """Told to end; its exit code."""
        self.process.send_signal(sig)
        return self.process.wait(_ENDING)


def environment(folder: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without Muggins options."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MUGGINS_")}
    # Where a test brings a file of options, the token is to come from there.
    token = {} if "MUGGINS_CONFIG" in (more or {}) else {"MUGGINS_TOKEN": JOIN_TOKEN}
    return {
        **kept,
        **token,
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        **(more or {}),
    }


@contextmanager
def served(folder: Path, *arguments: str, port: int = 0, more: Mapping[str, str] | None = None) -> Iterator[Served]:
    """A server that is ready; at the end it is told to end, unless it has."""
    folder.mkdir(exist_ok=True)
    command = [*COMMAND, "--port", str(port), *arguments]
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment(folder, more))
    running = Served(process, folder)
    try:
        _wait(running)
        yield running
    finally:
        if process.poll() is None:
            running.ended()


def _wait(running: Served) -> None:
    until = time.monotonic() + _STARTING
    while "Ctrl-C" not in running.out:
        assert running.process.poll() is None, running.err
        assert time.monotonic() < until, "it does not start"
        time.sleep(0.05)
