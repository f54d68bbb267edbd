"""The HTTP service: `create_app` assembles routers, limits and pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from api.http import about, cameras, games, links, metrics, pages, problems, readings, scoring, verifications
from api.http.middleware import JSON_BYTES, SAFE_HEADERS, BodyLimit, BrowserHeaders, HeadAsGet, KnownHosts, SameOrigin
from api.http.worker.desk import Desk
from api.http.worker.process import Budget
from api.version import VERSION
from vision.photo import Limits
from vision.taught.profile import MOST_BYTES

UPLOADS = Limits(max_bytes=25 * 1024 * 1024)
"""Default limits for uploaded photos."""
_FORM_BYTES = 64 * 1024
"""Bytes of a multipart request beside the photo: boundaries, headers and short fields."""

_DESCRIPTION = "Reads the dice and dominoes on your table from a photo and says what the throw or hand is worth."


def create_app(
    limits: Limits | None = None,
    data: Path | None = None,
    database: str | None = None,
    names: Collection[str] = (),
    budget: Budget | None = None,
) -> FastAPI:
    """Create the application. Its worker process loads the networks at startup.

    Args:
        limits: for uploaded photos; None: `UPLOADS`.
        data: folder for games and photos; None: no live games, nothing stored.
        database: URL of the database; None: SQLite in `data`. See `api.store.Store.open`.
        names: host names accepted besides localhost and this computer's addresses.
        budget: limits for reading one photo; None: the defaults of `Budget`.
    """
    allowed = limits or UPLOADS

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.desk = desk = Desk(allowed, budget)
        async with AsyncExitStack() as stack:
            stack.callback(desk.close)
            desk.open()
            if data is not None:
                await stack.enter_async_context(games.running(app, data, database))
                await stack.enter_async_context(cameras.running(app, data))
            yield

    app = FastAPI(
        title="Muggins", description=_DESCRIPTION, version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.add_middleware(HeadAsGet)
    app.add_middleware(
        BodyLimit,
        max_bytes=JSON_BYTES,
        photo_bytes=allowed.max_bytes + _FORM_BYTES,
        evidence_bytes=verifications.EVIDENCE_BYTES,
        profile_bytes=MOST_BYTES,
    )
    app.add_middleware(SameOrigin)
    app.add_middleware(KnownHosts, names=names)
    app.add_middleware(BrowserHeaders, headers=SAFE_HEADERS)
    metrics.install(app)
    problems.install(app)
    app.include_router(readings.router)
    app.include_router(scoring.router)
    app.include_router(about.router)
    verifications.install(app)
    if data is not None:
        games.install(app)
        cameras.install(app)
        links.install(app)
    pages.install(app)
    return app
