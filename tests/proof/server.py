"""`muggins serve` as a process of its own, which may be killed without a word."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx2

JOIN = {"x-muggins-join": "token-of-these-proofs"}
"""With what games are begun here."""
_STARTS_WITHIN = 300.0
"""Seconds, on a machine that does other things too."""


_ENVIRONMENT = {**os.environ, "MUGGINS_TOKEN": JOIN["x-muggins-join"]}


@dataclass
class Server:
    """A server that runs.

    Attributes:
        url: where.
        process: its process.
        log: what it writes.
    """

    url: str
    process: subprocess.Popen[bytes]
    log: IO[bytes]

    @classmethod
    def start(cls, folder: Path, database: str | None = None, *options: str, port: int = 0) -> Server:
        """One with its games in that folder or database, once it answers; at a free port, if none is given."""
        port, log = port or free_port(), (folder.parent / f"{folder.name}.log").open("ab")
        command = [sys.executable, "-c", "from api.cli.main import main; main()", "serve", "--host", "127.0.0.1"]
        command += [
            "--port",
            str(port),
            "--data",
            str(folder),
            *(["--database", database] if database else []),
            *options,
        ]
        server = cls(
            f"http://127.0.0.1:{port}", subprocess.Popen(command, env=_ENVIRONMENT, stdout=log, stderr=log), log
        )
        server._wait()
        return server

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def megabytes(self) -> float:
        """Of memory that it and its worker hold (Linux)."""
        return sum(said.get("VmRSS", 0) for said in self._both()) / 1024

    @property
    def worked(self) -> float:
        """Seconds of a core that it and its worker took so far (Linux)."""
        return sum(_seconds(said["Pid"]) for said in self._both())

    def _both(self) -> Iterator[dict[str, int]]:
        return (said for said in _processes() if self.process.pid in (said.get("Pid"), said.get("PPid")))

    def kill(self) -> None:
        """SIGKILL: nothing can be cleaned up."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As Ctrl-C does it."""
        self._end(signal.SIGINT)

    def _end(self, sig: signal.Signals) -> None:
        self.process.send_signal(sig)
        self.process.wait(60)
        self.log.close()

    def _wait(self) -> None:
        until = time.monotonic() + _STARTS_WITHIN
        while not self._answers():
            if not self.alive or time.monotonic() > until:
                self.process.kill()
                said = Path(self.log.name).read_text(errors="replace")[-2000:]
                raise AssertionError(f"The server does not start ({self.process.returncode}): {said}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            return httpx2.get(f"{self.url}/healthz", timeout=5).status_code == 200
        except httpx2.TransportError:
            return False


def _seconds(pid: int) -> float:
    """Of a core that a process took; 0 if it is gone."""
    with suppress(OSError):
        user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _processes() -> Iterator[dict[str, int]]:
    """What Linux says of each process, as far as it is a number."""
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            lines = (line.partition(":") for line in status.read_text().splitlines())
            words = {name: value.split()[:1] for name, _, value in lines}
            yield {name: int(value[0]) for name, value in words.items() if value and value[0].isdecimal()}


def free_port() -> int:
    """A port of this computer that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
