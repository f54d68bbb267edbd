"""The pages of a camera: for the phone over the table, and the ways to a camera where a browser allows none."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse

_WEB = Path(__file__).parents[2] / "web" / "camera"


def install(app: FastAPI) -> None:
    """Add `/camera/{game}` and `/camera/{game}/ways`."""
    for path, page in {"/camera/{game_id}": _camera, "/camera/{game_id}/ways": _ways}.items():
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)


def _camera(game_id: str) -> FileResponse:  # noqa: ARG001 - the page itself asks for its game, with its token
    return FileResponse(_WEB / "camera.html")


def _ways(game_id: str) -> FileResponse:  # noqa: ARG001 - as above
    return FileResponse(_WEB / "ways.html")
