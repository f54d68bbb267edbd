"""Every link of the description is followed once, in a real game in which what it leads to can be done.

schemathesis follows links by chance (`test_contract.py`), some seldom. Here each leads to a good answer.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.http.app import create_app
from api.http.links import LINKS, Link
from tests.api.http.games.play import Player, bearer, begun

MOVE = "opening 3 4"
PATHS = {
    each["operationId"]: (method, path)
    for path, methods in create_app(data=Path("unused")).openapi()["paths"].items()
    for method, each in methods.items()
}
EVERY = [pytest.param(name, link, id=f"{name}-{link.to}") for name, links in LINKS.items() for link in links]
STREAM = "watch_game"
"""Its answer does not end."""


@dataclass
class Answer:
    """What a link starts from.

    Attributes:
        game: it is about.
        path: what was in the path of its request.
        body: of the answer.
    """

    game: Player
    path: Mapping[str, str]
    body: Any = field(repr=False)


def crib(client: TestClient) -> Player:
    return begun(client, "crib-dice", "finish=31")


def over(client: TestClient) -> Player:
    game = crib(client)
    while game.snapshot["result"] is None:
        game.goes_on()
    return game


def started(client: TestClient, sample: bytes) -> Answer:
    game = crib(client)
    body = {"id": game.id, "snapshot": game.snapshot}
    game.plays(MOVE)
    return Answer(game, {}, copy.deepcopy({**body, "snapshot": game.snapshot}))


def started_again(client: TestClient, sample: bytes) -> Answer:
    ended = over(client)
    told = ended.post("/rematch", {}).json()
    game = Player(client, told["id"], told["viewer"], told["invite"], told["token"], told["snapshot"])
    game.plays(MOVE)
    return Answer(game, {"game_id": ended.id}, {**told, "snapshot": game.snapshot})


def looked(client: TestClient, sample: bytes) -> Answer:
    game = crib(client)
    game.plays(MOVE)
    return Answer(game, {"game_id": game.id}, game.get().json())


def moved(client: TestClient, sample: bytes) -> Answer:
    game = crib(client)
    return Answer(game, {"game_id": game.id}, game.plays(MOVE))


def took_back(client: TestClient, sample: bytes) -> Answer:
    game = crib(client)
    for move in (MOVE, "opening 3 3"):
        game.plays(move)
    told = game.post("/undo", {"lines": game.lines}).json()
    game.snapshot = told
    return Answer(game, {"game_id": game.id}, told)


def showed(client: TestClient, sample: bytes) -> Answer:
    game = begun(client, "farkle-crib", "opening_roll=false")
    return Answer(game, {"game_id": game.id}, game.shows(sample))


def looked_again(client: TestClient, sample: bytes) -> Answer:
    before = showed(client, sample)
    path = {"reading_id": before.body["reading"]["id"]}
    return Answer(before.game, path, before.game.post(f"/v1/readings/{path['reading_id']}/look-again", {}).json())


def corrected(client: TestClient, sample: bytes) -> Answer:
    before = showed(client, sample)
    path = {"reading_id": before.body["reading"]["id"]}
    said = {"expected": 0, "remove": {"die": 0}}
    return Answer(before.game, path, before.game.post(f"/v1/readings/{path['reading_id']}/corrections", said).json())


def joined(client: TestClient, sample: bytes) -> Answer:
    game = crib(client)
    return Answer(game, {"game_id": game.id}, game.post("/join", {"seats": [1]}, game.invite).json())


def made_token(client: TestClient, sample: bytes) -> Answer:
    game = crib(client)
    return Answer(game, {"game_id": game.id}, game.post("/tokens", {"role": "viewer"}).json())


def listed(client: TestClient, sample: bytes) -> Answer:
    game = crib(client)
    return Answer(game, {"game_id": game.id}, game.get("/tokens", game.player).json())


SOURCES: Mapping[str, Callable[[TestClient, bytes], Answer]] = {
    "start_game": started,
    "start_rematch": started_again,
    "get_game": looked,
    "play_move": moved,
    "undo_move": took_back,
    "post_photo": showed,
    "look_again": looked_again,
    "correct_reading": corrected,
    "join_game": joined,
    "make_token": made_token,
    "list_tokens": listed,
}


def evaluated(expression: Any, answer: Answer) -> Any:
    """What a runtime expression of OpenAPI stands for."""
    if not isinstance(expression, str) or not expression.startswith("$"):
        return expression
    if expression.startswith("$request.path."):
        return answer.path[expression.removeprefix("$request.path.")]
    found = answer.body
    for name in expression.removeprefix("$response.body#/").split("/"):
        found = found[int(name)] if isinstance(found, list) else found[name]
    return found


def body_of(link: Link, answer: Answer) -> dict[str, Any]:
    """What the link puts into the body; and a legal move, where no link can know one."""
    told = {name: evaluated(value, answer) for name, value in link.body.items()}
    if link.to == "play_move" and "reading" not in told:
        record = answer.game.record()
        legal = record.game.legal_moves(record.state)
        move = next(iter(legal.choices or legal.chance or ()))
        return {**told, "lines": len(record.lines), "move": str(move)}
    return told


@pytest.fixture
def answers(client: TestClient, sample: bytes, forgotten: None) -> Callable[[str], Answer]:
    return lambda name: SOURCES[name](client, sample)


def test_the_links_start_from_operations_that_are_done_here() -> None:
    assert set(LINKS) == set(SOURCES)


@pytest.mark.parametrize(("source", "link"), [each for each in EVERY if each.values[1].to != STREAM])
def test_a_link_leads_to_what_can_be_done(
    source: str, link: Link, answers: Callable[[str], Answer], sample: bytes
) -> None:
    if link.to == "start_rematch":
        answer = answers(source)
        while answer.game.snapshot["result"] is None:
            answer.game.goes_on()
    else:
        answer = answers(source)
    method, path = PATHS[link.to]
    url = path.format(**{name: evaluated(value, answer) for name, value in link.parameters.items()})
    headers, body = bearer(answer.game.player), body_of(link, answer)
    said: dict[str, Any] = {"json": body} if method in ("post", "put") else {}
    if link.to == "post_photo":
        lines = len(answer.game.record().lines)
        said = {"files": {"photo": ("a.jpg", sample, "image/jpeg")}, "data": {"lines": lines}}
    response = answer.game.client.request(method, url, headers=headers, **said)
    assert response.is_success, response.text
