"""A player for schemathesis, which runs this file as its hooks where it follows links.

It begins games by itself and cannot know two things: which token goes with a game, and which moves are legal. Requests to a
game that was begun here get the token of its host; and most moves become legal ones, and most photos real ones, so that there
is something to take back, to correct and to look at.
"""

from __future__ import annotations

from random import Random
from typing import Any

import httpx2
import schemathesis
from schemathesis import Case, HookContext, Response

from scorer.engine.record import Record
from tests.api.http import media_types  # noqa: F401 - registers its bodies
from tests.api.http.games.play import bearer
from tests.api.http.games.running import PATIENCE
from tests.proof.load import small_photo

_GAMES: dict[str, str] = {}
"""The host's token of each game."""
_READINGS: dict[str, str] = {}
"""The game of each reading."""
_RANDOM = Random(1)
_REAL = 0.8
"""The share of moves and photos that are replaced by real ones."""
_OVER = 0.3
"""The share of short games that are played to the end at once, for what can be done only then."""
_SHORT = {"game": "crib-dice", "players": ["Ann", "Ben"], "rules": ["finish=31"]}


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Send what is about a game as its host."""
    name = operation(case)
    if name == "start_game" and isinstance(case.body, dict) and _RANDOM.random() < _REAL:
        case.body = dict(_SHORT)
    game = _game(case)
    token = _GAMES.get(game)
    if token is None:
        return
    case.headers = {**(case.headers or {}), **bearer(token)}
    if _RANDOM.random() < _REAL and isinstance(case.body, dict) and (make := _REAL_BODIES.get(name)):
        record = _record(context, game, token)
        if record is not None and (body := make(record, case.body)) is not None:
            case.body = body


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """Note games and readings."""
    if response.status_code not in (200, 201) or not response.headers.get("content-type", [""])[0].endswith("json"):
        return
    told, name = response.json(), operation(case)
    if name == "start_game":
        _GAMES[told["id"]] = told["player"]
        if _RANDOM.random() < _OVER and told["snapshot"]["rules"].get("finish") == "31":
            _play_on(context, told["id"], told["player"])
    elif name == "start_rematch":
        _GAMES[told["id"]] = told["token"]
    elif name == "look_again" or (name == "post_photo" and told["reading"]):
        kept = told if name == "look_again" else told["reading"]
        _READINGS[kept["id"]] = kept["game_id"] if "game_id" in kept else _game(case)


def operation(case: Case) -> str:
    name: str = case.operation.definition.raw["operationId"]
    return name


def _game(case: Case) -> str:
    path = case.path_parameters or {}
    reading = path.get("reading_id")
    return str(path.get("game_id", "")) or _READINGS.get(str(reading), "")


def _record(context: HookContext, game: str, token: str) -> Record | None:
    base = context.operation.base_url if context.operation else None
    response = httpx2.get(f"{base}/v1/games/{game}/record", headers=bearer(token), timeout=PATIENCE)
    return Record.load(response.text) if response.status_code == 200 else None


def _play_on(context: HookContext, game: str, token: str) -> None:
    url = f"{context.operation.base_url if context.operation else ''}/v1/games/{game}/moves"
    while (record := _record(context, game, token)) and (body := _move(record, {})):
        httpx2.post(url, json=body, headers=bearer(token), timeout=PATIENCE).raise_for_status()


def _move(record: Record, body: dict[str, Any]) -> dict[str, Any] | None:
    if record.result:
        return None
    legal = record.game.legal_moves(record.state)
    thrown = legal.chance.sample(_RANDOM) if legal.chance else None
    return {"lines": len(record.lines), "move": str(_RANDOM.choice(legal.choices) if legal.choices else thrown)}


def _undo(record: Record, body: dict[str, Any]) -> dict[str, Any]:
    return {"lines": len(record.lines)}


def _photo(record: Record, body: dict[str, Any]) -> dict[str, Any]:
    return {"lines": len(record.lines), "photo": small_photo()}


_REAL_BODIES = {"play_move": _move, "undo_move": _undo, "post_photo": _photo}
