"""Scores typed dice, tiles or cards, and gives advice. Nothing is stored."""

from __future__ import annotations

import threading
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body
from pydantic import BaseModel, Field, create_model

from api.http.problems import documented, problem
from api.interpret import schemas
from api.interpret.derived import (
    LARGEST_NUMBER,
    LONGEST_NAME,
    Request,
    array,
    asked,
    body_fields,
    request,
    response,
    union,
)
from api.interpret.game_names import ScoredGame
from api.interpret.schemas import Probability
from scorer.engine import advice
from scorer.errors import ScorerError, ThrowError
from scorer.games.registry import GAMES, AnyGame
from scorer.games.scoring import rules_named, score_parameters, typed, worth

router = APIRouter(prefix="/v1", tags=["scoring"])

_one_at_a_time = threading.Lock()
_places = threading.BoundedSemaphore(4)
_OPTIONS = score_parameters(typed())
_Number = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
_Name = Annotated[str, Field(max_length=LONGEST_NAME)]


class _Asked(Request):
    rules: list[Annotated[str, Field(max_length=200)]] = Field(
        [], max_length=100, description="Options such as finish=61; the others keep their defaults."
    )


class _Pieces(_Asked):
    game: ScoredGame
    pieces: list[_Number | _Name] = Field(
        max_length=100, description="Dice such as 5, tiles such as 3-0, cards such as 5H."
    )


Throw = create_model(
    "Throw", __base__=_Pieces, __doc__="A throw or a hand.", __module__=__name__, **body_fields(_OPTIONS)
)


# Advice


def _moment_of(game: AnyGame) -> type[BaseModel]:
    question = game.moment
    assert question is not None
    text = f"A situation in a turn of {game.title}."
    return request(question, question.__name__, text, _Asked, game=(Literal[game.name], ...))


MOMENTS = {name: _moment_of(game) for name, game in GAMES.items() if game.moment is not None}
"""The models of the situations that advice can be asked for, by game."""
Moment: Any = Annotated[union(*MOMENTS.values()), Body(discriminator="game")]

Alternative = response(
    advice.Alternative,
    worth=Annotated[float, Field(description="In the unit of `measures`, under best further play.")],
    worth_exact=Annotated[str, Field(description="The same as a fraction.")],
    chances=dict[str, Probability],
    points=dict[str, float],
)
AdviceAnswer = response(
    advice.Advice,
    name="AdviceAnswer",
    best=Annotated[str, Field(description="The move of the first alternative.")],
    alternatives=array(Alternative),
    exact=None,
)


@router.post(
    "/score", operation_id="score_throw", response_model=schemas.Typed, responses=documented(400, 403, 413, 422)
)
def score_throw(throw: Throw) -> Any:  # type: ignore[valid-type] # made at run time
    """Score a throw or hand under a game's rules."""
    options = {each.name: getattr(throw, each.name) for each in _OPTIONS}
    rules = rules_named(throw.game, throw.rules)  # type: ignore[attr-defined]
    return worth(throw.game, throw.pieces, rules=rules, **options).to_json()  # type: ignore[attr-defined]


@router.post(
    "/advice", operation_id="get_advice", response_model=AdviceAnswer, responses=documented(400, 403, 413, 422, 503)
)
def get_advice(moment: Moment) -> Any:
    """The best decision in a turn. The first advice under some rules can take half a minute; later ones are cached."""
    # Players must not wait for advice requests.
    if not _places.acquire(blocking=False):
        return problem(503, "busy", "Others are asking for advice just now: try again.", {"Retry-After": "10"})
    try:
        with _one_at_a_time:
            return _advice(moment)
    except ScorerError as error:
        # Impossible rules are an error of the request.
        raise ThrowError(error.code, error.message) from error
    finally:
        _places.release()


def _advice(moment: Any) -> Any:
    game = GAMES[moment.game]
    assert game.moment is not None
    return asked(game.moment, moment).advice(game.rules.from_texts(moment.rules)).to_json()
