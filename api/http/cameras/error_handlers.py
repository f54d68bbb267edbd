"""Errors of cameras as problem details."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.responses import Response

from api.http.cameras.cameras import Replaced
from api.http.cameras.roll_queue import TooManyWaiting
from api.http.cameras.stored_queue import QueueLost
from api.http.problems import problem


def install(app: FastAPI) -> None:
    """Make `app` report these errors as problems."""
    app.add_exception_handler(Replaced, _replaced)
    app.add_exception_handler(TooManyWaiting, _full)
    app.add_exception_handler(QueueLost, _lost)


def _replaced(_: Request, error: Exception) -> Response:
    return problem(409, "camera-replaced", str(error))


def _full(*_: object) -> Response:
    text = "Too many rolls wait for an answer. Answer the first one on a phone; the camera goes on by itself."
    return problem(503, "too-many-waiting", text, {"Retry-After": "5"})


def _lost(_: Request, error: Exception) -> Response:
    return problem(503, "camera-not-stored", str(error), {"Retry-After": "5"})
