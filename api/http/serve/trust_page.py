"""A plain page that explains how a phone can trust this server, with the certificate to install.

It is served over HTTP on its own port, since a phone that does not trust the server yet would show only a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse
from starlette.staticfiles import StaticFiles

from api.http import languages, not_found, problems
from api.http.middleware import SAFE_HEADERS, BrowserHeaders, KnownHosts
from api.http.serve.join_codes import bracketed

_WEB = Path(__file__).parents[2] / "web"
MEDIA_TYPE = "application/x-x509-ca-cert"
FILE_NAME = "muggins.crt"


def install(app: FastAPI, authority: bytes, port: int) -> None:
    """Add the page at `/trust`, its certificate file, and a link to the games.

    Args:
        app: the application.
        authority: the certificate to trust, DER.
        port: of the HTTPS server.
    """

    def certificate() -> Response:
        # Not an attachment: an iPhone would save it to its downloads instead of offering to install it.
        named = {"content-disposition": f'inline; filename="{FILE_NAME}"'}
        return Response(authority, media_type=MEDIA_TYPE, headers=named)

    def games(request: Request) -> RedirectResponse:
        return RedirectResponse(f"https://{bracketed(request.url.hostname or 'localhost')}:{port}/")

    pages: dict[str, Callable[..., Response]] = {
        "/trust": _page,
        f"/trust/{FILE_NAME}": certificate,
        "/trust/games": games,
    }
    for path, page in pages.items():
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)


def plain_app(authority: bytes, port: int, names: Collection[str]) -> FastAPI:
    """An application with only this page, for plain HTTP.

    Args:
        authority: the certificate to trust, DER.
        port: of the HTTPS server.
        names: host names accepted besides localhost and this computer's addresses.
    """
    app = FastAPI(title="Muggins: trusting this server", openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(KnownHosts, names=names)
    app.add_middleware(BrowserHeaders, headers=SAFE_HEADERS)
    problems.install(app)
    not_found.install(app)
    install(app, authority, port)
    app.add_api_route("/", _to_page, methods=["GET", "HEAD"])
    app.mount("/web", StaticFiles(directory=_WEB))
    return app


def _page(request: Request) -> Response:
    return languages.page("trust/trust.html", request)


def _to_page() -> RedirectResponse:
    return RedirectResponse("/trust")
