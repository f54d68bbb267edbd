"""Live games against their own description: generated requests to a real server, as anybody and as a player."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.core.parameters import ParameterLocation

from api.http.app import create_app
from tests.api.http.games.play import bearer
from tests.api.http.games.running import Running, running

load_all_checks()
schema = schemathesis.openapi.from_dict(create_app(data=Path("unused")).openapi()).include(tag="live games")
# A stream that is let in does not end; test_feed.py has those.
finite = schema.exclude(operation_id="watch_game")
FEW = settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
# The description cannot say which bytes are a photo, which moves are legal, which corrections fit, or who may know what.
PUT_RIGHT = (ParameterLocation.PATH, ParameterLocation.HEADER)
UNSAYABLE = ("positive_data_acceptance", "ignored_auth")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("served")) as started:
        yield started


@pytest.fixture(scope="module")
def game(served: Running) -> dict[str, Any]:
    wanted = {"game": "crib-dice", "players": ["Ann", "Ben"]}
    told: dict[str, Any] = httpx2.post(f"{served.url}/v1/games", json=wanted).json()
    with open("docs/sample-throw.jpg", "rb") as photo:
        url, files = f"{served.url}/v1/games/{told['id']}/photos", {"photo": photo}
        shown = httpx2.post(url, files=files, data={"lines": 1}, headers=bearer(told["player"]), timeout=60)
    return {**told, "reading": shown.json()["reading"]["id"]}


@schema.parametrize()
@FEW
def test_what_anybody_is_answered_is_documented(case: schemathesis.Case[Any], served: Running) -> None:
    case.call_and_validate(base_url=served.url, excluded_checks=_unsayable())


@finite.parametrize()
@FEW
def test_what_a_player_is_answered_is_documented(
    case: schemathesis.Case[Any], served: Running, game: dict[str, Any]
) -> None:
    known = {"game_id": game["id"], "reading_id": game["reading"]}
    case.path_parameters = {name: known.get(name, value) for name, value in (case.path_parameters or {}).items()}
    also = ("negative_data_rejection",) if _was_wrong(case) else ()
    case.call_and_validate(base_url=served.url, headers=bearer(game["player"]), excluded_checks=_unsayable(*also))


def _was_wrong(case: schemathesis.Case[Any]) -> bool:
    """Whether what was generated to be refused is right now that the names and the token are."""
    made = case.meta.components if case.meta else {}
    return any(made[place].mode.is_negative for place in PUT_RIGHT if place in made)


def _unsayable(*also: str) -> list[Any]:
    return [schemathesis.checks.CHECKS.get_one(name) for name in (*UNSAYABLE, *also)]
