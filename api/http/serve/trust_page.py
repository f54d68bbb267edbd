"""A plain page that tells how a phone comes to trust this server's certificate, and the file that it has to trust.

It comes over HTTP, on a port of its own: a phone that does not trust the server yet would only show a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

from api.http import problems
from api.http.middleware import SAFE_HEADERS, BrowserHeaders, KnownHosts
from api.http.serve.join_codes import bracketed

_WEB = Path(__file__).parents[2] / "web"
MEDIA_TYPE = "application/x-x509-ca-cert"
FILE_NAME = "muggins.crt"


def install(app: FastAPI, authority: bytes, port: int) -> None:
    """Add the page at `/trust`, the file beside it, and the way from there to the games.

    Args:
        app: to which.
        authority: the certificate to trust, DER.
        port: of the server that shows it.
    """

    def certificate() -> Response:
        # Not as an attachment: an iPhone would put it among its downloads instead of offering to install it.
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
    """The page alone, for plain HTTP.

    Args:
        authority: the certificate to trust, DER.
        port: of the server that shows it.
        names: by which this computer is called, beside localhost and its addresses.
    """
    app = FastAPI(title="Muggins: trusting this server", openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(KnownHosts, names=names)
    app.add_middleware(BrowserHeaders, headers=SAFE_HEADERS)
    problems.install(app)
    install(app, authority, port)
    app.add_api_route("/", _to_page, methods=["GET", "HEAD"])
    app.mount("/web", StaticFiles(directory=_WEB))
    return app


def _page() -> FileResponse:
    return FileResponse(_WEB / "trust" / "trust.html")


def _to_page() -> RedirectResponse:
    return RedirectResponse("/trust")
