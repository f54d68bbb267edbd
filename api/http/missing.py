"""What an address leads to where there is nothing: a page for a browser, a problem for programs."""

from __future__ import annotations

from fastapi import FastAPI, Request, Response

from api.http import languages, problems


def install(app: FastAPI) -> None:
    """Answer browsers with a page where `problems` would have a 404."""
    app.add_exception_handler(404, _missing)


def _missing(request: Request, error: Exception) -> Response:
    if not _shows_pages(request):
        return problems.http_error(request, error)
    trust = request.url.path.rstrip("/") == "/trust"
    page = languages.page("missing/trust.html" if trust else "missing/missing.html", request)
    page.status_code = 404
    page.headers["vary"] += ", accept"
    return page


def _shows_pages(request: Request) -> bool:
    """Whether a person asks, by the address bar or a link."""
    asks = request.method in ("GET", "HEAD") and not request.url.path.startswith("/v1/")
    return asks and "text/html" in request.headers.get("accept", "")
