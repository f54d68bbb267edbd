"""What goes wrong in live games, as problem details."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.responses import Response

from api.http.games.access import Denied
from api.http.games.feed import Full
from api.http.games.live_games import Stale
from api.http.problems import problem
from api.interpret.corrections import BadCorrection
from api.store import Conflict, Missing, StoreError
from scorer.errors import IllegalMove, ScorerError

_RETRY = {"Retry-After": "5"}


def install(app: FastAPI) -> None:
    """Make `app` answer these errors as problems."""
    app.add_exception_handler(Denied, _denied)
    app.add_exception_handler(Stale, _stale)
    app.add_exception_handler(StoreError, _not_stored)
    app.add_exception_handler(ScorerError, _not_played)
    app.add_exception_handler(BadCorrection, _not_corrected)
    app.add_exception_handler(Full, _full)


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
    return problem(503, error.code, "This server cannot reach what it keeps just now: try again.", _RETRY)


def _not_played(_: Request, error: Exception) -> Response:
    assert isinstance(error, ScorerError)
    rule = f" ({error.rule})" if isinstance(error, IllegalMove) else ""
    return problem(422, error.code, f"{error.message}{rule}")


def _not_corrected(_: Request, error: Exception) -> Response:
    return problem(422, "bad-correction", str(error))


def _full(_: Request, error: Exception) -> Response:
    return problem(503, "too-many-viewers", str(error), _RETRY)
