"""A camera over the table of a live game: frames of a phone's camera, or rolls of `muggins watch --serve`.

Begin at `routes` (requests), `cameras` (who films what) and `roll_queue` (from a roll to the record).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from api.http.cameras import error_handlers, pages, routes
from api.http.cameras.cameras import Cameras


def install(app: FastAPI) -> None:
    """Add the routes and pages of cameras to `app`; they work inside `running`."""
    error_handlers.install(app)
    app.include_router(routes.router)
    pages.install(app)


@asynccontextmanager
async def running(app: FastAPI, data: Path) -> AsyncIterator[None]:
    """Let cameras film the live games of `app`, which already run.

    Args:
        app: the application.
        data: folder of what an earlier version left waiting.
    """
    live = app.state.live
    app.state.cameras = cameras = Cameras(live.table, app.state.desk, data)
    try:
        yield
    finally:
        await cameras.closed()
