"""Prometheus metrics at `/metrics`: number and duration of requests, number of viewers."""

from __future__ import annotations

import time

from fastapi import FastAPI, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SECONDS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def install(app: FastAPI) -> None:
    """Count the requests of `app` and serve `/metrics`."""
    registry = CollectorRegistry()
    viewers = Gauge("muggins_viewers", "Open event streams.", registry=registry)
    viewers.set_function(lambda: _viewers(app))
    app.add_middleware(_Counting, registry=registry)

    @app.get(
        "/metrics",
        operation_id="get_metrics",
        tags=["about"],
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    def get_metrics() -> Response:
        """Metrics since the server started, in Prometheus text format."""
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _viewers(app: FastAPI) -> float:
    live = getattr(app.state, "live", None)
    return live.feed.viewers if live else 0


class _Counting:
    """Counts and times requests by route, not by path, since paths contain game ids."""

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        self.app = app
        labels = ("method", "route", "status")
        self._seconds = Histogram(
            "muggins_request_seconds",
            "From the request to the start of its response.",
            labels,
            buckets=_SECONDS,
            registry=registry,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and count it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = time.perf_counter()

        async def timed(message: Message) -> None:
            if message["type"] == "http.response.start":
                took = time.perf_counter() - begun
                self._seconds.labels(_method(scope), _route(scope), str(message["status"])).observe(took)
            await send(message)

        await self.app(scope, receive, timed)


def _method(scope: Scope) -> str:
    return scope["method"] if scope["method"] in _METHODS else "other"


def _route(scope: Scope) -> str:
    return str(getattr(scope.get("route"), "path", "none"))
