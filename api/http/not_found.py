"""Responses for missing addresses: a page for a browser, a problem for programs."""

from __future__ import annotations

from html import escape

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse

from api.http import languages, problems
from scorer.games.registry import GAMES


def install(app: FastAPI) -> None:
    """Answer browsers with a page where `problems` would respond with 404."""
    app.add_exception_handler(404, _missing)


def _missing(request: Request, error: Exception) -> Response:
    if not _shows_pages(request):
        return problems.http_error(request, error)
    page = _page(request)
    page.status_code = 404
    page.headers["vary"] += ", accept"
    return page


def _page(request: Request) -> HTMLResponse:
    if request.url.path.rstrip("/") == "/trust":
        return languages.page("missing/trust.html", request)
    if request.url.path.startswith("/rules"):
        return languages.page("missing/rules.html", request, games=_games(languages.wanted(request)))
    return languages.page("missing/missing.html", request)


def _games(language: str) -> str:
    """Links to the rules of every game."""
    told = languages.sentences(language)
    titles = {game.name: told.get(game.title, game.title) for game in GAMES.values()}
    return "\n".join(f'<li><a href="/rules/{name}">{escape(title)}</a></li>' for name, title in titles.items())


def _shows_pages(request: Request) -> bool:
    """Whether a person navigates here, by the address bar or a link."""
    asks = request.method in ("GET", "HEAD") and not request.url.path.startswith("/v1/")
    return asks and "text/html" in request.headers.get("accept", "")
