"""A real server beside the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM

import uvicorn

from api.http.app import create_app
from api.http.serve.server import Server

PATIENCE = 120
"""Seconds for an answer; only what fails waits so long."""


@dataclass
class Running:
    """A server that runs.

    Attributes:
        url: where.
        process: told to end by its `handle_exit`.
    """

    url: str
    process: Server


@contextmanager
def running(folder: Path, database: str | None = None) -> Iterator[Running]:
    """A server with an empty store; at the end it is told to end, and has to."""
    app = create_app(data=folder, database=database)
    config = uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=20)
    server = Server(config, lambda: app.state.live.feed.close())
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield Running(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", server)
    server.handle_exit(SIGTERM, None)
    thread.join(30)
    assert not thread.is_alive()
