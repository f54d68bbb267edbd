"""The pages of a camera: for the phone over the table, and on how to use a camera where a browser allows none."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse

from api.http import languages


def install(app: FastAPI) -> None:
    """Add `/camera/{game}` and `/camera/{game}/ways`, and `/camera/ways` for people who have no game yet."""
    pages: dict[str, Callable[..., HTMLResponse]] = {
        "/camera/ways": _ways,
        "/camera/{game_id}": _camera,
        "/camera/{game_id}/ways": _ways_of_game,
    }
    for path, page in pages.items():
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False, response_model=None)


def _camera(game_id: str, request: Request) -> HTMLResponse:  # noqa: ARG001 - the page asks for its game, with its token
    return languages.page("camera/camera.html", request)


def _ways(request: Request) -> HTMLResponse:
    return languages.page("camera/ways.html", request)


def _ways_of_game(game_id: str, request: Request) -> HTMLResponse:  # noqa: ARG001 - as above
    return _ways(request)
