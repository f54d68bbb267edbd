"""The upload page and the API's documentation, all served from here: nothing is loaded from the network."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from starlette.staticfiles import StaticFiles

_WEB = Path(__file__).parent / "web"

_DOCS_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
"""Swagger UI writes style attributes as it goes; scripts still come from this server alone."""


def install(app: FastAPI) -> None:
    """Add `/`, `/docs` and the files they use."""
    app.add_api_route("/", _home, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/docs", _docs, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/web", StaticFiles(directory=_WEB))
    app.mount("/swagger-ui", StaticFiles(packages=[("fastapi_offline", "static")]))


def _home() -> FileResponse:
    return FileResponse(_WEB / "index.html")


def _docs() -> FileResponse:
    return FileResponse(_WEB / "docs.html", headers={"content-security-policy": _DOCS_POLICY})
