"""The data folder: private to its owner, and used by one server at a time."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from api.files.lock import LockedError, held
from api.store.errors import StoreError

DATABASE = "muggins.db"
"""SQLite's file."""
LOCK = "server.lock"
_OURS = {DATABASE, LOCK, "https", "join-token", "profiles", "signing-key.pem"}
"""What Muggins keeps in the folder; any of them shows that it is its own."""
_MAY_BE_OURS = {*_OURS, *(f"{DATABASE}{ending}" for ending in ("-wal", "-shm", "-journal")), "config.toml", "photos"}
"""The same, with names that other programs use as well."""
_OTHERS = 0o077

log = logging.getLogger(__name__)


def prepare(folder: Path) -> None:
    """Create the folder if it does not exist, and make it private.

    A folder of ours that others can read is made private; one that holds other things stays as it is, with a warning.

    Raises:
        StoreError: "folder": it cannot be created or read.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & _OTHERS:
            _close(folder)
    except OSError as error:
        raise StoreError("folder", f"Cannot use the folder {folder}: {error.strerror or error}.") from error


def _close(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    ours = not names or (names & _OURS and names <= _MAY_BE_OURS)
    if ours and folder.stat().st_uid == os.geteuid():
        folder.chmod(0o700)
    else:
        _warn(folder)


@cache
def _warn(folder: Path) -> None:
    """Warn once: a server that starts prepares its folder several times."""
    log.warning("Others on this computer may look into %s. Forbid it with: chmod 700 %s", folder, folder)


@contextmanager
def only_server(folder: Path) -> Iterator[None]:
    """Hold the lock of the one server with its games in SQLite there: a second one would not hear of the first one's moves.

    Raises:
        StoreError: "folder-in-use": another server does; "folder".
    """
    prepare(folder)
    with ExitStack() as stack:
        try:
            alone = stack.enter_context(held(folder / LOCK, mode=0o600, stays=True))
        except LockedError as error:
            raise StoreError("folder-in-use", _IN_USE.format(folder)) from error
        except OSError as error:
            raise StoreError("folder", f"Cannot use the folder {folder}: {error.strerror or error}.") from error
        if not alone:
            log.warning("The disk of %s knows no locks: see that no second server uses it.", folder)
        yield


_IN_USE = (
    "Another Muggins server already keeps its games in {}. Stop it, choose another folder with --data, or let both "
    "servers share a PostgreSQL database with --database."
)
