"""The HTTP service: `create_app` puts the routers, the limits and the pages together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import run_sync
from fastapi import FastAPI

from api import about, pages, problems, readings
from api.guard import SAFE_HEADERS, BodyLimit, BrowserHeaders
from api.version import VERSION
from vision.photo import Limits
from vision.reader import TableReader

_FORM_BYTES = 64 * 1024
"""What a multipart request may hold besides the photo: boundaries, headers and a few short fields."""

_DESCRIPTION = "Reads the dice and dominoes on your table from a photo and says what the throw or hand is worth."


def create_app(limits: Limits | None = None) -> FastAPI:
    """A ready application. It loads the networks once, when it starts, and takes photos within `limits`."""
    allowed = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.desk = readings.Desk(await run_sync(TableReader), allowed)
        yield

    app = FastAPI(
        title="Muggins", description=_DESCRIPTION, version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.add_middleware(BodyLimit, max_bytes=allowed.max_bytes + _FORM_BYTES)
    app.add_middleware(BrowserHeaders, headers=SAFE_HEADERS)
    problems.install(app)
    app.include_router(readings.router)
    app.include_router(about.router)
    pages.install(app)
    return app
