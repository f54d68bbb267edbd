"""Errors of live games as problem details."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from starlette.responses import Response

from api.http.games.access import Denied
from api.http.games.feed import Full
from api.http.games.live_games import Stale
from api.http.problems import problem
from api.store import Conflict, Missing, StoreError
from scorer.errors import IllegalMove, ScorerError
from vision.taught.pieces import InvalidProfile

_RETRY = {"Retry-After": "5"}

log = logging.getLogger(__name__)


def install(app: FastAPI) -> None:
    """Make `app` report these errors as problems."""
    app.add_exception_handler(Denied, _denied)
    app.add_exception_handler(Stale, _stale)
    app.add_exception_handler(StoreError, _not_stored)
    app.add_exception_handler(ScorerError, _not_played)
    app.add_exception_handler(Full, _full)
    app.add_exception_handler(InvalidProfile, _no_profile)


def _denied(_: Request, error: Exception) -> Response:
    assert isinstance(error, Denied)
    return problem(error.status, error.code, error.message, error.headers)


def _stale(_: Request, error: Exception) -> Response:
    return problem(409, "stale", str(error))


def _not_stored(_: Request, error: Exception) -> Response:
    assert isinstance(error, StoreError)
    if isinstance(error, Missing):
        return problem(404, error.code, error.message)
    if isinstance(error, Conflict):
        return problem(409, error.code, error.message)
    log.error("%s: %s", error.code, error.message)
    return problem(503, error.code, _FAULTS.get(error.code, _UNNAMED), {} if error.code in _FAULTS else _RETRY)


_UNNAMED = "Storage is temporarily unavailable. Confirmed moves are safe."
_FAULTS = {
    "disk-full": "The server's disk is full and nothing more can be stored. Its owner has to free some space.",
    "read-only": "The server cannot write its games. Its owner has to make their folder writable again.",
    "locked": "Another program on the server's computer has locked the games. Its owner has to close that program.",
    "damaged": "The server's database is damaged. Its owner has to restore a backup.",
    "game-damaged": "This game was altered outside the server, so it is not shown. Restore a backup.",
    "photo-damaged": "This photo was damaged on the server's disk. The game continues without it; perhaps a backup has it.",
    "photo-not-read": "The server cannot read this photo from its disk. The game continues without it.",
}
"""What a player is shown; paths and the system's own messages go to the log."""


def _not_played(_: Request, error: Exception) -> Response:
    assert isinstance(error, ScorerError)
    rule = f" ({error.rule})" if isinstance(error, IllegalMove) else ""
    return problem(422, error.code, f"{error.message}{rule}")


def _no_profile(_: Request, error: Exception) -> Response:
    return problem(422, "bad-profile", str(error))


def _full(_: Request, error: Exception) -> Response:
    return problem(503, "too-many-viewers", str(error), _RETRY)
