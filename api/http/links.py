"""OpenAPI links: from an answer to the operations that can follow, with parameters from the answer.

    LINKS["start_game"]     a game was started: get it, play in it, …, with its id and the length of its record

Tokens are not passed on: they are sent in a header that no link can fill. Nor are moves: what may be played, if anything, is
among the offers of a snapshot, or is thrown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import FastAPI


@dataclass(frozen=True, slots=True)
class Link:
    """A link from an answer to an operation.

    Attributes:
        to: the operation.
        parameters: values for its path, as runtime expressions.
        body: values for its body.
    """

    to: str
    parameters: Mapping[str, Any]
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def described(self) -> dict[str, Any]:
        """The link as an OpenAPI object."""
        return {
            "operationId": self.to,
            "parameters": dict(self.parameters),
            **({"requestBody": dict(self.body)} if self.body else {}),
        }


_LOOKS = ("get_game", "get_history", "get_token", "list_tokens", "list_readings", "get_record", "get_evidence")
_FOLLOWS = (*_LOOKS, "watch_game", "get_camera")
_READING = ("get_reading", "get_photo", "draw_reading")
_SAME_GAME = "$request.path.game_id"


def _of_game(game_id: str, lines: str) -> tuple[Link, ...]:
    """What can be done in a game with this id and this length of its record."""
    here = {"game_id": game_id}
    looks = (Link(each, here) for each in _FOLLOWS)
    return (
        *looks,
        Link("play_move", here),
        Link("undo_move", here, {"lines": lines}),
        Link("join_game", here, {"seats": [0]}),
        Link("take_seats", here, {"seats": None}),
        Link("make_token", here, {"role": "viewer"}),
        Link("post_photo", here),
    )


def _of_reading(reading_id: str) -> tuple[Link, ...]:
    here = {"reading_id": reading_id}
    return (
        *(Link(each, here) for each in _READING),
        Link("crop_piece", {**here, "piece": 0}),
        Link("look_again", here),
        Link("correct_reading", here, {"expected": 0, "remove": {"die": 0}}),
    )


def _of_token() -> tuple[Link, ...]:
    return (Link("revoke_token", {"game_id": _SAME_GAME, "token_id": "$response.body#/id"}),)


LINKS: Mapping[str, tuple[Link, ...]] = {
    "start_game": _of_game("$response.body#/id", "$response.body#/snapshot/lines"),
    "start_rematch": _of_game("$response.body#/id", "$response.body#/snapshot/lines"),
    "get_game": (
        Link("undo_move", {"game_id": _SAME_GAME}, {"lines": "$response.body#/lines"}),
        Link("play_move", {"game_id": _SAME_GAME}),
        Link("start_rematch", {"game_id": _SAME_GAME}),
    ),
    "play_move": (
        Link("get_history", {"game_id": _SAME_GAME}),
        Link("undo_move", {"game_id": _SAME_GAME}, {"lines": "$response.body#/snapshot/lines"}),
        Link("play_move", {"game_id": _SAME_GAME}),
        Link("start_rematch", {"game_id": _SAME_GAME}),
    ),
    "undo_move": (
        Link("get_history", {"game_id": _SAME_GAME}),
        Link("undo_move", {"game_id": _SAME_GAME}, {"lines": "$response.body#/lines"}),
    ),
    "post_photo": (
        *_of_reading("$response.body#/reading/id"),
        Link(
            "play_move",
            {"game_id": _SAME_GAME},
            {"lines": "$response.body#/snapshot/lines", "reading": "$response.body#/reading/id", "confirm": True},
        ),
    ),
    "look_again": (*_of_reading("$response.body#/id"),),
    "correct_reading": (Link("get_reading", {"reading_id": "$request.path.reading_id"}),),
    "join_game": _of_token(),
    "make_token": _of_token(),
    "list_tokens": (Link("revoke_token", {"game_id": _SAME_GAME, "token_id": "$response.body#/tokens/0/id"}),),
}
"""By the operation whose answer they start from."""


def install(app: FastAPI) -> None:
    """Add the links to the OpenAPI description."""
    app.openapi = partial(_linked, app.openapi)  # type: ignore[method-assign] # FastAPI's own way to extend it


def _linked(describe: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    description = describe()
    for operation in operations(description):
        if links := LINKS.get(operation["operationId"]):
            good = next(response for status, response in operation["responses"].items() if status.startswith("2"))
            good["links"] = {link.to: link.described for link in links}
    return description


def operations(description: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """All operations of a description."""
    for path in description["paths"].values():
        yield from path.values()
