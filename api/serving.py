"""The server as a process: where it keeps things, how it starts, how it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import FrameType

import uvicorn

from api.app import create_app
from api.evidence.keys import ServerKey
from api.store import Store

_ENDING = 5
"""Seconds that requests have to finish."""


def data_folder(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> Path:
    """Where this person's games and photos are kept, as each system has it; not yet made.

    Source: XDG Base Directory Specification; Apple's File System Programming Guide; Windows' known folders.
    """
    set_to = os.environ if environment is None else environment
    if platform == "win32":
        return Path(set_to.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Muggins"
    if platform == "darwin":
        return Path.home() / "Library/Application Support/Muggins"
    base = set_to.get("XDG_DATA_HOME", "")
    # The specification: a path that is not absolute is to be ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local/share") / "muggins"


def run(data: Path, database: str | None, names: Collection[str], host: str, port: int) -> None:
    """Serve until the process is told to end.

    Raises:
        StoreError, KeyTrouble: the folder or the database cannot be used.
    """
    # A server that is starting can only log what is wrong; here it can still be said.
    Store.open(database, data).close()
    ServerKey.open(data)
    app = create_app(data=data, database=database, names=names)
    config = uvicorn.Config(app, host=host, port=port, timeout_graceful_shutdown=_ENDING)
    Server(config, lambda: app.state.live.feed.close()).run()


class Server(uvicorn.Server):
    """Ends its event streams as soon as it is told to end: else it would wait for viewers who never leave."""

    def __init__(self, config: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._end_streams = end_streams

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Told to end by a signal."""
        super().handle_exit(sig, frame)
        if self.started:
            self._end_streams()
