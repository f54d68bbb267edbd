"""The web pages and the API documentation, all served locally: nothing is loaded from other hosts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import segno
from fastapi import Body, Depends, FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from api.http import languages, not_found
from api.http.addresses import is_loopback
from api.http.games.outlook import outlook, reading_of_last
from api.http.games.routes import GameServices, Viewer
from api.http.games.schemas import MOST_PLAYERS
from api.http.middleware import SAFE_HEADERS
from scorer.engine.options import GameRules, Option, Preset
from scorer.engine.parameters import parameters
from scorer.engine.story import story
from scorer.errors import RulesError
from scorer.games.registry import GAMES, SCORED, AnyGame, AnyScored

_WEB = Path(__file__).parents[1] / "web"

_DOCS_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
"""Swagger UI sets style attributes; scripts still come from this server only."""

_OVERLAY_POLICY = (
    SAFE_HEADERS["content-security-policy"].replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    + "; style-src 'self' 'unsafe-inline'"
)
"""Our own set-up page shows the overlay in a frame. The overlay has nothing to click, so clickjacking is no risk. OBS injects
the custom CSS of a source into the page as a style.
"""

_SHELL = "shell"
"""Stands for a game's name or id in the URL of a page that the service worker caches for all games."""

_QUIET = 4
"""Quiet zone around a QR code in modules, as the standard requires."""


def install(app: FastAPI) -> None:
    """Add the start page, the pages of a game, of streams, photos, rules and evidence, the documentation, and their files.

    A browser gets a page for missing addresses.
    """
    pages: dict[str, Callable[..., Any]] = {
        "/": _start,
        "/read": _read,
        "/verify": _verify,
        "/teach": _teach,
        "/history": _history,
        "/rules/{game}": _rules,
        "/docs": _docs,
        "/worker.js": _worker,
        "/table/": _to_start,
        "/table/games.json": _games,
        "/table/network.json": _network,
        "/table/shell.json": _shell,
        "/table/words/{language}.json": _words,
        "/table/{game_id}": _table,
        "/overlay/{game_id}": _overlay,
        "/overlay/{game_id}/setup": _overlay_setup,
        "/scoreboard/{game_id}": _scoreboard,
    }
    for path, page in pages.items():
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False, response_model=None)
    app.add_api_route("/table/{game_id}/outlook", _outlook, methods=["GET"], include_in_schema=False)
    app.add_api_route("/table/{game_id}/story", _story, methods=["GET"], include_in_schema=False)
    app.add_api_route("/table/qr", _qr, methods=["POST"], include_in_schema=False)
    not_found.install(app)
    app.mount("/web", StaticFiles(directory=_WEB))
    app.mount("/swagger-ui", StaticFiles(packages=[("fastapi_offline", "static")]))


def _start(request: Request) -> HTMLResponse:
    return languages.page("table/start.html", request)


def _to_start() -> RedirectResponse:
    return RedirectResponse("/", 308)


def _read(request: Request) -> HTMLResponse:
    """The page for one photo, with the games that photos are read for."""
    told = languages.sentences(languages.wanted(request))
    games = [_choice(game, told.get(game.title, game.title)) for game in SCORED.values() if game.photographed]
    return languages.page("index.html", request, games="\n".join(games))


def _choice(game: AnyScored, title: str) -> str:
    """A game in the list, with its kind of piece and the names of the options that go with a photo."""
    asks = [each.name for each in parameters(game.score_options) if each.typed]
    asks += [option.name for option in game.rules.options()]
    attributes = {"value": game.name, "data-kind": game.kind, "data-asks": " ".join(asks)}
    told = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    return f"<option {told}>{escape(title)}</option>"


def _verify(request: Request) -> HTMLResponse:
    return languages.page("verify/verify.html", request)


def _teach(request: Request) -> HTMLResponse:
    return languages.page("teach/teach.html", request)


def _history(request: Request) -> HTMLResponse:
    return languages.page("history/history.html", request)


def _rules(game: str, request: Request) -> HTMLResponse:
    """The page of the rules, whose script loads the game; the service worker caches it as "shell"."""
    if game not in (*GAMES, _SHELL):
        raise HTTPException(404, f"Unknown game. There are {', '.join(GAMES)}.")
    return languages.page("rules/rules.html", request)


def _docs(request: Request) -> HTMLResponse:
    response = languages.page("docs.html", request)
    response.headers["content-security-policy"] = _DOCS_POLICY
    return response


def _table(game_id: str, request: Request) -> HTMLResponse:  # noqa: ARG001 - the page asks for its game, with its token
    return languages.page("table/table.html", request)


def _overlay(game_id: str, request: Request) -> HTMLResponse:  # noqa: ARG001 - as above
    response = languages.page("overlay/overlay.html", request)
    response.headers["content-security-policy"] = _OVERLAY_POLICY
    return response


def _overlay_setup(game_id: str, request: Request) -> HTMLResponse:  # noqa: ARG001 - as above
    return languages.page("overlay/setup.html", request)


def _scoreboard(game_id: str, request: Request) -> HTMLResponse:  # noqa: ARG001 - as above
    return languages.page("scoreboard/scoreboard.html", request)


def _network(request: Request) -> dict[str, str | None]:
    """The origin at which other devices reach this server; null if none does.

    For pages opened on its own computer, at an address that phones cannot reach.
    """
    host = request.url.hostname or ""
    if host != "localhost" and not is_loopback(host):
        raise HTTPException(404, "Only this server's own computer is told its address in the network.")
    find: Callable[[], str | None] = getattr(request.app.state, "network_origin", lambda: None)
    return {"origin": find()}


def _words(language: str) -> dict[str, Any]:
    """The strings of a page's scripts in this language."""
    if language not in languages.languages():
        raise HTTPException(404, f"Unknown language. There are {', '.join(languages.languages())}.")
    return {"words": languages.words(language), "sentences": languages.sentences(language)}


# Offline use


def _worker() -> FileResponse:
    """The service worker, at an address where its scope covers every page."""
    return FileResponse(_WEB / "table" / "worker.js", media_type="text/javascript")


@cache
def _shell() -> dict[str, list[str]]:
    """Every file of the pages, for the service worker to cache; pages are the same for all games."""
    kinds = (".css", ".js", ".png", ".svg", ".webmanifest")
    names = sorted(f"/web/{file.relative_to(_WEB).as_posix()}" for file in _WEB.rglob("*") if file.suffix in kinds)
    unwanted = ("/web/docs.js", "/web/table/worker.js")
    pages = [
        "/",
        "/read",
        "/teach",
        *(f"/{page}/{_SHELL}" for page in ("table", "overlay", "scoreboard", "rules")),
        "/history",
        "/table/games.json",
    ]
    pages += [f"/table/words/{language}.json" for language in languages.languages()]
    return {"files": [*pages, *(name for name in names if name not in unwanted)]}


# Outlook


def _live(request: Request) -> GameServices:
    live: GameServices | None = getattr(request.app.state, "live", None)
    if live is None:
        raise HTTPException(404, "This server has no live games.")
    return live


def _outlook(live: Annotated[GameServices, Depends(_live)], caller: Viewer) -> dict[str, Any]:
    record = caller.game.record
    played = record.entries and record.entries[-1].seen
    last = reading_of_last(record, tuple(live.table.store.readings_of(caller.game.id))) if played else None
    shows = last is not None and caller.visibility.reading(caller.game, last)
    return {
        **outlook(record, hands=caller.visibility.offers(caller.game)),
        "reading": last.id if last and shows else None,
    }


def _story(caller: Viewer) -> dict[str, Any]:
    """How the game went; only once it is over, since it reveals what others held."""
    if caller.game.record.result is None:
        raise HTTPException(409, "This game is not over yet.")
    return story(caller.game.record)


# Options for a new game


@cache
def _games() -> dict[str, Any]:
    return {"games": [_listed(game) for game in GAMES.values()]}


def _listed(game: AnyGame) -> dict[str, Any]:
    options = [_option(option) for option in game.rules.options()]
    presets = [_preset(game, preset) for preset in game.presets]
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "in_short": list(game.in_short),
        "kind": game.kind,
        "seats": _seats(game),
        "presets": presets,
        "options": options,
        "hides": _hides(game),
    }


def _hides(game: AnyGame) -> list[str]:
    """The options by which hands are hidden from other players; an empty text if they always are."""
    if game.holds_secrets(game.rules()):
        return [""]
    choices = [option for option in game.rules.options() if option.kind == "choice"]
    texts = [f"{option.name}={word}" for option in choices for word in option.words]
    return [text for text in texts if _holds_secrets(game, text)]


def _holds_secrets(game: AnyGame, text: str) -> bool:
    try:
        return game.holds_secrets(game.rules.from_texts([text]))
    except RulesError:  # an option that is valid only together with others
        return False


def _preset(game: AnyGame, preset: Preset) -> dict[str, Any]:
    changed = game.rules.from_texts(preset.options).changed()
    return {
        "title": preset.title,
        "says": preset.says,
        "options": [f"{name}={value}" for name, value in changed.items()],
    }


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
        "instead_of": option.instead_of,
    }


def _seats(game: AnyGame) -> list[int]:
    """Possible numbers of players, fewest first; some need a rule such as partners, which starting the game then reports."""
    return [
        count for count in range(1, MOST_PLAYERS + 1) if any(_fits(game, rules, count) for rules in _variants(game))
    ]


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


# QR codes


def _qr(text: Annotated[str, Body(embed=True, min_length=1, max_length=300)]) -> Response:
    """Render a text as a QR code. It is sent in the body, since it contains a token and URLs are logged."""
    picture = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(picture, kind="svg", border=_QUIET, omitsize=True, light="#fff", xmldecl=False)
    return Response(picture.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})
