"""Live games over HTTP. Begin at `routes` (requests), `live_games` (actions) and `feed` (events for viewers)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

from anyio.to_thread import run_sync
from fastapi import FastAPI

from api.evidence.keys import ServerKey
from api.http.games import error_handlers, profiles, routes
from api.http.games.access import Failures, hush
from api.http.games.codes import Codes
from api.http.games.feed import Feed
from api.http.games.learning import Learning
from api.http.games.live_games import LiveGames
from api.http.games.past import Past
from api.store import Store
from api.store.folder import only_server


def install(app: FastAPI) -> None:
    """Add the routes of live games to `app`; they work inside `running`."""
    error_handlers.install(app)
    app.include_router(routes.router)
    app.include_router(profiles.router)


@asynccontextmanager
async def running(app: FastAPI, data: Path, database: str | None) -> AsyncIterator[None]:
    """Open the store and run the event streams.

    Args:
        app: the application.
        data: folder for photos, signing key and SQLite file.
        database: see `api.store.Store.open`.

    Raises:
        StoreError, KeyFileError: the folder or the database cannot be used.
    """
    hush("uvicorn.access", "uvicorn.error")
    with only_server(data) if database is None else nullcontext():
        async with _opened(app, data, database):
            yield


@asynccontextmanager
async def _opened(app: FastAPI, data: Path, database: str | None) -> AsyncIterator[None]:
    store = await run_sync(Store.open, database, data)
    try:
        key = await run_sync(ServerKey.open, data)
        table = LiveGames(store, key)
        feed = Feed(table)
        failures = Failures(store.tries)
        codes = Codes(store.codes, failures)
        app.state.live = routes.GameServices(table, feed, key, failures, codes, Past(store), Learning(store))
        try:
            yield
        finally:
            await feed.closed()
    finally:
        await run_sync(store.close)
