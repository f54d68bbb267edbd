"""The pages and the API's documentation, all served from here: nothing is loaded from the network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from fastapi import Body, FastAPI, Response
from fastapi.responses import FileResponse
from starlette.staticfiles import StaticFiles

from scorer.errors import RulesError
from scorer.games import GAMES, AnyGame
from scorer.options import GameRules, Option

_WEB = Path(__file__).parent / "web"

_DOCS_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
"""Swagger UI writes style attributes as it goes; scripts still come from this server alone."""

_MOST_SEATS = 12


def install(app: FastAPI) -> None:
    """Add `/`, `/table/`, `/table/{id}`, `/docs` and what they use."""
    pages: dict[str, Callable[..., Any]] = {
        "/": _home,
        "/docs": _docs,
        "/table/": _start,
        "/table/games.json": _games,
        "/table/{game_id}": _table,
    }
    for path, page in pages.items():
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/table/qr", _qr, methods=["POST"], include_in_schema=False)
    app.mount("/web", StaticFiles(directory=_WEB))
    app.mount("/swagger-ui", StaticFiles(packages=[("fastapi_offline", "static")]))


def _home() -> FileResponse:
    return FileResponse(_WEB / "index.html")


def _docs() -> FileResponse:
    return FileResponse(_WEB / "docs.html", headers={"content-security-policy": _DOCS_POLICY})


def _start() -> FileResponse:
    return FileResponse(_WEB / "table" / "start.html")


def _table(game_id: str) -> FileResponse:  # noqa: ARG001 - the page itself asks for its game, with its token
    return FileResponse(_WEB / "table" / "table.html")


# What the page for a new game offers


@cache
def _games() -> dict[str, Any]:
    return {"games": [_listed(game) for game in GAMES.values()]}


def _listed(game: AnyGame) -> dict[str, Any]:
    options = [_option(option) for option in game.rules.options()]
    return {"name": game.name, "title": game.title, "seats": _seats(game), "options": options}


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "kind": option.kind,
        "usual": option.written(option.default),
        "says": option.says,
        "values": option.values,
        "words": list(option.words),
        "low": option.low,
        "high": option.high,
    }


def _seats(game: AnyGame) -> list[int]:
    """For how many players it may be, fewest first; some numbers need a rule such as partners, as starting it then says."""
    return [count for count in range(1, _MOST_SEATS + 1) if any(_fits(game, rules, count) for rules in _variants(game))]


def _variants(game: AnyGame) -> list[GameRules]:
    usual = game.rules()
    switches = [option for option in usual.options() if option.kind == "switch"]
    return [usual, *(replace(usual, **{option.name: not option.default}) for option in switches)]


def _fits(game: AnyGame, rules: GameRules, players: int) -> bool:
    try:
        game.start(rules, players)
    except RulesError:
        return False
    return True


# A link for another phone, to be scanned from this one's screen


def _qr(text: Annotated[str, Body(embed=True, min_length=1, max_length=300)]) -> Response:
    """The text as a QR code. It comes in the body, not in the address: it holds a token, and addresses are logged."""
    dark = np.pad(
        cv2.QRCodeEncoder.create().encode(text) == 0, 2
    )  # four light modules on each side, with two of its own
    path = "".join(f"M{column} {row}h1v1h-1z" for row, column in np.argwhere(dark))
    size = len(dark)
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>'
    )
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "no-store"})
