"""Scores typed dice, tiles or cards, and gives advice. Nothing is stored."""

from __future__ import annotations

import threading
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body
from pydantic import BaseModel, ConfigDict, Field, model_validator

from api.http.problems import documented, problem
from api.interpret import schemas
from api.interpret.game_names import ScoredGame
from scorer.engine.advice import Advice
from scorer.errors import ScorerError, ThrowError
from scorer.games.crib_dice import odds as crib_dice
from scorer.games.crib_dice.rules import Rules as CribDice
from scorer.games.cribbage_dice import odds as cribbage_dice
from scorer.games.cribbage_dice.rules import Rules as CribbageDice
from scorer.games.domino_cribbage import odds as domino_cribbage
from scorer.games.domino_cribbage.rules import Rules as DominoCribbage
from scorer.games.farkle_crib import odds as farkle_crib
from scorer.games.farkle_crib.rules import Rules as FarkleCrib
from scorer.games.farkle_crib.throws import DICE
from scorer.games.scoring import rules_named, worth
from scorer.pieces.text import sentence
from scorer.pieces.tiles import Tile

router = APIRouter(prefix="/v1", tags=["scoring"])

Rules = Annotated[
    list[Annotated[str, Field(max_length=200)]],
    Field(max_length=100, description="Options such as piddle_points=true; the others keep their defaults."),
]
Pips = Annotated[int, Field(ge=1, le=6)]
Twelve = Annotated[int, Field(ge=1, le=12)]
Points = Annotated[int, Field(ge=0, le=9999)]
_one_at_a_time = threading.Lock()
_places = threading.BoundedSemaphore(4)
_Text = Annotated[str, Field(max_length=10)]
_Number = Annotated[int, Field(ge=0, le=99)]


class _Asked(BaseModel):
    """Strict input: no undocumented fields, no type coercion (true is not 1)."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rules: Rules = []


class Throw(_Asked):
    """A throw or a hand."""

    game: ScoredGame
    pieces: list[_Number | _Text] = Field(
        max_length=100, description="Dice such as 5, tiles such as 3-0, cards such as 5H."
    )
    point: Pips | None = Field(None, description="Crib Dice: the value frozen before this throw.")
    frozen: Annotated[int, Field(ge=1, le=7)] | None = Field(
        None, description="Crib Dice: number of dice frozen on it."
    )
    set_aside: list[Pips] | None = Field(
        None, max_length=6, description="Farkle Cribbage: dice set aside earlier in the turn."
    )
    starter: _Number | _Text | None = Field(
        None, description="Cribbage Dice: which piece is the starter. Domino Cribbage, cards: an additional piece."
    )


class CribDiceMoment(_Asked):
    """A situation in a turn of Crib Dice."""

    game: Literal["crib-dice"]
    dice: list[Pips] = Field([], max_length=7, description="The throw on the table, if any.")
    point: Pips | None = Field(None, description="The value frozen; with `frozen`.")
    frozen: Annotated[int, Field(ge=1, le=7)] | None = Field(None, description="Number of dice frozen on it.")
    banked: Points = Field(0, description="Points of earlier rollovers in this turn.")

    @model_validator(mode="after")
    def _both_or_none(self) -> CribDiceMoment:
        if (self.point is None) != (self.frozen is None):
            raise ValueError("point and frozen go together")
        return self

    def advice(self) -> Advice:
        """Which point to choose, or whether to stop."""
        held = None if self.point is None or self.frozen is None else (self.point, self.frozen)
        return crib_dice.advise(CribDice.from_texts(self.rules), self.banked, held, self.dice)


class FarkleCribMoment(_Asked):
    """A situation in a turn of Farkle Cribbage."""

    game: Literal["farkle-crib"]
    dice: list[Pips] = Field([], max_length=DICE, description="The throw on the table, if any.")
    points: Points = Field(0, description="Set aside earlier in this turn.")
    to_throw: Annotated[int, Field(ge=1, le=DICE)] | None = Field(
        None, description="Without dice: number to be thrown. Null: six."
    )

    @model_validator(mode="after")
    def _comes_about(self) -> FarkleCribMoment:
        if self.dice and self.to_throw not in (None, len(self.dice)):
            raise ValueError("to_throw is for a throw to come: omit it when dice are given")
        if not self.points and self._count < DICE:
            raise ValueError(f"a turn starts with {DICE} dice: give the points of those set aside")
        return self

    @property
    def _count(self) -> int:
        return len(self.dice) or self.to_throw or DICE

    def advice(self) -> Advice:
        """What to set aside, and whether to stop then."""
        return farkle_crib.advise(FarkleCrib.from_texts(self.rules), self.points, self._count, self.dice)


class CribbageDiceMoment(_Asked):
    """A situation in a turn of Cribbage Dice, after a throw."""

    game: Literal["cribbage-dice"]
    dice: list[Twelve] = Field(max_length=6, description="All but the starter.")
    starter: Twelve
    rolls_left: Annotated[int, Field(ge=0, le=2)]
    kept: list[Twelve] = Field([], max_length=6, description="With once_kept=true: dice kept earlier.")

    def advice(self) -> Advice:
        """Which dice to keep."""
        rules = CribbageDice.from_texts(self.rules)
        return cribbage_dice.advise(rules, self.starter, self.dice, self.rolls_left, self.kept)


class DominoCribbageMoment(_Asked):
    """The six tiles dealt in Domino Cribbage."""

    game: Literal["domino-cribbage"]
    tiles: list[_Text] = Field(max_length=6, description="Such as 3-0.")
    dealer: bool = Field(False, description="Whether the player is the dealer and owns the crib.")

    def advice(self) -> Advice:
        """Which two tiles to lay in the crib."""
        return domino_cribbage.discard(DominoCribbage.from_texts(self.rules), self._tiles(), dealer=self.dealer)

    def _tiles(self) -> list[Tile]:
        try:
            return [Tile.parse(text) for text in self.tiles]
        except ValueError as error:
            raise ThrowError("no-tile", sentence(str(error))) from error


Moment = Annotated[
    CribDiceMoment | FarkleCribMoment | CribbageDiceMoment | DominoCribbageMoment, Body(discriminator="game")
]


class Alternative(BaseModel):
    """One possible decision."""

    move: str
    text: str
    worth: float = Field(description="In the unit of `measures`, under best further play.")
    worth_exact: str = Field(description="The same as a fraction.")
    chances: dict[str, schemas.Probability]
    points: dict[str, float] = Field(description="Parts of the worth, such as `hand` and `crib`.")


class AdviceTold(BaseModel):
    """All decisions, best first, and why the first is best."""

    game: str
    measures: str = Field(description="Unit of `worth`, such as `expected points of the turn`.")
    best: str = Field(description="The move of the first alternative.")
    why: str
    alternatives: list[Alternative]


@router.post(
    "/score", operation_id="score_throw", response_model=schemas.Typed, responses=documented(400, 403, 413, 422)
)
def score_throw(throw: Throw) -> Any:
    """Score a throw or hand under a game's rules."""
    return worth(
        throw.game,
        throw.pieces,
        rules=rules_named(throw.game, throw.rules),
        point=throw.point,
        frozen=throw.frozen,
        set_aside=throw.set_aside,
        starter=throw.starter,
    ).to_json()


@router.post(
    "/advice", operation_id="get_advice", response_model=AdviceTold, responses=documented(400, 403, 413, 422, 503)
)
def get_advice(moment: Moment) -> Any:
    """The best decision in a turn. The first advice under some rules can take half a minute; later ones are cached."""
    # Players must not wait for advice requests.
    if not _places.acquire(blocking=False):
        return problem(503, "busy", "Others are asking for advice just now: try again.", {"Retry-After": "10"})
    try:
        with _one_at_a_time:
            return moment.advice().to_json()
    except ScorerError as error:
        # Impossible rules are an error of the request.
        raise ThrowError(error.code, error.message) from error
    finally:
        _places.release()
