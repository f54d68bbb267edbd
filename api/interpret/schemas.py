"""JSON schemas of readings and scores as pydantic models, shown in /docs and used to validate responses.

They are derived from the dataclasses of `vision.reading` and `scorer.engine.worth`, and from the `shapes` of each game.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, create_model

from api.interpret.derived import Strict, array, described, model, response, summary, union
from scorer.engine import worth
from scorer.engine.expected import Kind
from scorer.games.registry import SCORED, AnyScored
from scorer.pieces import melds
from scorer.pieces.tiles import HIGHEST_OF_ANY_SET
from vision import reading

Value = Annotated[int, Field(ge=1, le=12)]
End = Annotated[int, Field(ge=0, le=HIGHEST_OF_ANY_SET, description="Pips of one end of a tile.")]
TileName = Annotated[str, Field(pattern="^[0-9]{1,2}-[0-9]{1,2}$", description="The two ends of a tile, such as 3-5.")]
CardName = Annotated[str, Field(description="Rank and suit of a card, such as 5H or JC.")]
Probability = Annotated[float, Field(ge=0, le=1)]
Quad = Annotated[
    list[tuple[FiniteFloat, FiniteFloat]],
    Field(min_length=4, max_length=4, description="Corners in order, [x, y] in pixels of the upright photo."),
]
Indices = Annotated[list[int], Field(description="Indices in `values`.")]


# Readings


class _Taught(Strict):
    profile: str = Field("", description="The profile of people's own pieces that says so; empty: the networks.")


class Knowing(Strict):
    """A reading says which profiles were known."""

    profiles: dict[str, str] = Field({}, description="The profiles that were known: name and SHA-256.")


_DIE: dict[str, Any] = {
    "base": _Taught,
    "profile": None,
    "value": Value,
    "confidence": Probability,
    "alternatives": Annotated[
        list[tuple[int, Probability]], Field(description="[value, probability], likeliest first.")
    ],
    "box": Quad,
}
SixSided = response(reading.Die, name="SixSided", kind=Literal["d6"], starter=None, **_DIE)
TwelveSided = response(reading.Die, name="TwelveSided", kind=Literal["d12"], **_DIE)
Die: Any = Annotated[SixSided | TwelveSided, Field(discriminator="kind")]
Tile = response(
    reading.Tile,
    base=_Taught,
    profile=None,
    ends=tuple[End | None, End | None],
    confidence=Probability,
    alternatives=Annotated[
        list[tuple[tuple[End, End], Probability]],
        Field(description="[ends, probability], likeliest first; empty if it is face down."),
    ],
    box=Quad,
)
Doubt = response(reading.Doubt)
READING: dict[str, Any] = {
    "base": Knowing,
    "profiles": None,
    "sha256": Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="Of the photo's bytes.")],
    "dice": array(Die),
    "tiles": array(Tile),
    "doubts": array(Doubt),
    "models": dict[str, str],
    "timings_ms": dict[str, float],
}
"""Fields of a reading whose JSON type differs from that of the dataclass."""


# Scores

_PIECES: dict[Kind, Any] = {"d6": Value, "d12": Value, "domino": TileName, "card": CardName}
_NAMES: dict[Kind, str] = {"d6": "Dice", "d12": "Dice", "domino": "Tiles", "card": "Cards"}
_ITEMS = {
    name: response(melds.Meld, "text", name=f"ItemOf{name}", pieces=array(_PIECES[kind]), indices=Indices)
    for kind, name in _NAMES.items()
}


@cache
def _choice(adds: type, kind: Kind) -> type[BaseModel]:
    """The model of a choice of a game."""
    return _adding(adds, response(worth.Choice, pieces=array(_PIECES[kind]), details=None, **_counted(kind)))


def _counted(kind: Kind) -> dict[str, Any]:
    return {"indices": Indices, "items": array(_ITEMS[_NAMES[kind]])}


def _adding(adds: type, base: type[BaseModel], name: str = "", **more: Any) -> type[BaseModel]:
    """The model with the keys of a `TypedDict`."""
    told = described(adds)
    shape = {key: (kind, told.get(key)) for key, kind in (get_type_hints(adds) | more).items()}
    return model(name or adds.__name__, summary(adds), shape, base)


class _Counted(Strict):
    source: Literal["dice", "tiles"] = Field(description="The list that contains the scored pieces.")
    places: list[int | None] = Field(
        description="Index of each of `values` in that list; null for a starter that is not in the photo."
    )
    notes: list[str] = Field(description="Notes for the player, such as pieces that were left out.")


def _worths(game: AnyScored) -> list[type[BaseModel]]:
    """The models of the worths of a game."""
    return [_worth(game, shape) for shape in game.shapes]


def _worth(game: AnyScored, shape: type) -> type[BaseModel]:
    kind = game.kind
    hints = get_type_hints(shape)
    choices = {key: array(_choice(get_args(each)[0], kind)) for key, each in hints.items() if key.endswith("choices")}
    nothing = Annotated[list[Any], Field(max_length=0, description="There is nothing to choose.")]
    base = response(
        worth.Worth,
        name=f"{shape.__name__}Base",
        game=Literal[game.name],
        values=array(_PIECES[kind]),
        items=array(_ITEMS[_NAMES[kind]]),
        choices=choices.get("choices", nothing),
        tables=None,
        details=None,
    )
    return _adding(shape, base, **choices)


class AnyChoice(Strict):
    """Something to choose in any other game, with keys of its own."""

    model_config = ConfigDict(extra="allow")

    name: str
    text: str
    pieces: list[Value | TileName]
    indices: Indices
    points: int
    items: list[Any]


class AnyGame(Strict):
    """Any other game: what all of them have, and keys of its own."""

    model_config = ConfigDict(extra="allow")

    game: str
    values: list[Value | TileName]
    outcome: str
    total: int = Field(description="Points of the best choice; 0 when the turn is lost.")
    summary: str = Field(description="One sentence that a player would say.")
    choices: list[AnyChoice]
    items: list[Any] = Field(description="What a hand scores that is simply counted; empty where there are choices.")


_OF_GAMES = {name: _worths(game) for name, game in SCORED.items()}
Typed: Any = Annotated[
    union(*(each for models in _OF_GAMES.values() for each in models), AnyGame),
    Field(union_mode="left_to_right"),
]


# Scores of photos


class AnyThrow(_Counted, AnyGame):
    """Any other game: what all of them have, and keys of its own."""

    model_config = ConfigDict(extra="allow")


class ErrorDetail(Strict):
    """Why there is no score."""

    code: str
    message: str


class NoScore(Strict):
    """The photo was read, but it is not a throw of the game."""

    error: ErrorDetail
    notes: list[str] = Field(description="Notes for the player, such as pieces that were left out.")


def _in_photo(scored: type[BaseModel]) -> type[BaseModel]:
    name = f"{scored.__name__}InPhoto"
    return create_model(name, __base__=(_Counted, scored), __doc__=scored.__doc__, __module__=__name__)


_PHOTOGRAPHED = [_in_photo(each) for name, models in _OF_GAMES.items() if SCORED[name].photographed for each in models]
Score: Any = Annotated[union(*_PHOTOGRAPHED, NoScore, AnyThrow), Field(union_mode="left_to_right")]

Answer = response(
    reading.Reading,
    "sure",
    name="Answer",
    score=Annotated[Score | None, Field(description="Null when no game was named.")],
    **READING,
)
