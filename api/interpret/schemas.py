"""JSON schemas of readings and scores as pydantic models, shown in /docs and used to validate responses."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from scorer.games.crib_dice import throws as crib_dice
from scorer.games.domino_pips import worth as pips
from vision.reading import DoubtReason

Value = Annotated[int, Field(ge=1, le=12)]
End = Annotated[int, Field(ge=0, le=pips.HIGHEST, description="Pips of one end of a tile.")]
TileName = Annotated[str, Field(pattern="^[0-9]{1,2}-[0-9]{1,2}$", description="The two ends of a tile, such as 3-5.")]
CardName = Annotated[str, Field(description="Rank and suit of a card, such as 5H or JC.")]
Probability = Annotated[float, Field(ge=0, le=1)]
Quad = Annotated[
    list[tuple[float, float]],
    Field(min_length=4, max_length=4, description="Corners in order, [x, y] in pixels of the upright photo."),
]
Indices = Annotated[list[int], Field(description="Indices in `values`.")]


class _Shape(BaseModel):
    """No undocumented fields."""

    model_config = ConfigDict(extra="forbid")


class _Die(_Shape):
    value: Value
    confidence: Probability = Field(description="Calibrated: of all dice read at 0.97, 97 in 100 should be right.")
    alternatives: list[tuple[int, Probability]] = Field(description="[value, probability], likeliest first.")
    box: Quad
    colour: str


class SixSided(_Die):
    """One die with six sides."""

    kind: Literal["d6"]


class TwelveSided(_Die):
    """One die with twelve sides."""

    kind: Literal["d12"]
    starter: bool = Field(description="Whether its colour differs from the others: the starter of Cribbage Dice.")


Die = Annotated[SixSided | TwelveSided, Field(discriminator="kind")]


class Tile(_Shape):
    """One domino."""

    ends: tuple[End | None, End | None] = Field(
        description="The half between corners 0 and 3 of the box, and that between 1 and 2; nulls if it is face down."
    )
    confidence: Probability = Field(description="Calibrated: that the piece is a tile and both ends are right.")
    alternatives: list[tuple[tuple[End, End], Probability]] = Field(
        description="[ends, probability], likeliest first; empty if it is face down."
    )
    box: Quad
    face_up: bool


class Doubt(_Shape):
    """A reason for a person to check."""

    reason: DoubtReason
    message: str
    piece: int | None = Field(description="Index in `dice`.")
    tile: int | None = Field(description="Index in `tiles`; null, like `piece`, if it is about the whole photo.")


class Item(_Shape):
    """A meld or a row of the chart."""

    name: str
    pieces: list[Value] | list[TileName]
    indices: Indices
    points: int
    text: str


class Choice(_Shape):
    """One choice the player has."""

    name: str
    text: str
    pieces: list[Value]
    indices: Indices
    points: int
    items: list[Item]


class PointChoice(Choice):
    """Crib Dice: a point to freeze, or how many more dice to freeze on it."""

    point: Value
    frozen: int = Field(description="Dice of the point once these are frozen.")
    rolls_over: bool
    bomb: bool = Field(description="Pegs may be exchanged with the leader instead.")


class SetAsideChoice(Choice):
    """Farkle Cribbage: dice to set aside."""

    left: int = Field(description="Dice left to throw.")
    hot_dice: bool = Field(description="All dice score: all six may be thrown again.")
    bomb: bool = Field(description="Six of a kind: pegs may be exchanged with the leader instead.")
    classic_points: int = Field(description="The same in traditional Farkle.")


class KeepChoice(Choice):
    """Cribbage Dice: five dice to count."""

    discarded: Indices


class AnyChoice(Choice):
    """Something to choose in any other game, with keys of its own."""

    model_config = ConfigDict(extra="allow")

    pieces: list[Value | TileName]  # type: ignore[assignment]


class _Worth(_Shape):
    values: list[Value]
    total: int = Field(description="Points of the best choice; 0 when the turn is lost.")
    summary: str = Field(description="One sentence that a player would say.")
    items: list[Item] = Field(description="What a hand scores that is simply counted; empty where there are choices.")


class CribDiceFirst(_Worth):
    """Crib Dice, seven dice: every point that can be chosen."""

    game: Literal["crib-dice"]
    outcome: Literal["choose-point"]
    choices: list[PointChoice]


class CribDiceLater(_Worth):
    """Crib Dice with a point frozen."""

    game: Literal["crib-dice"]
    outcome: crib_dice.Outcome
    choices: list[PointChoice] = Field(description="How many dice to freeze, where the rules leave that to the player.")
    point: Value
    frozen_before: int
    frozen: int = Field(description="Dice of the point after the throw.")
    thrown: Indices
    joined: Indices
    adds: int = Field(description="The change of this point's points.")
    bomb: bool = Field(description="Pegs may be exchanged with the leader instead.")


class FarkleCrib(_Worth):
    """Farkle Cribbage: every set-aside, best first, as played and with all bonus scores."""

    game: Literal["farkle-crib"]
    outcome: Literal["scores", "farkle"]
    choices: list[SetAsideChoice]
    thrown: Indices
    hot_dice: bool
    bonuses: list[str] = Field(description="The bonus scores that are played.")
    bonus_outcome: Literal["scores", "farkle"]
    bonus_total: int
    bonus_hot_dice: bool
    bonus_choices: list[SetAsideChoice]


class CribbageDice(_Worth):
    """Cribbage Dice: fifteens, pairs, runs."""

    game: Literal["cribbage-dice"]
    outcome: Literal["counted", "choose-five"]
    choices: list[KeepChoice] = Field(description="Of seven dice, every five; of five there is nothing to choose.")
    starter: int | None


class _WorthOfHand(_Shape):
    outcome: Literal["counted"]
    total: int
    summary: str = Field(description="One sentence that a player would say.")
    choices: list[Choice] = Field(max_length=0, description="There is nothing to choose.")


class _WorthOfTiles(_WorthOfHand):
    values: list[TileName]
    items: list[Item] = Field(description="What makes up the total.")


class DominoCribbage(_WorthOfTiles):
    """Domino Cribbage: fifteens, pairs, runs of four tiles and the starter, which is the last of `values`."""

    game: Literal["domino-cribbage"]
    starter: TileName | None


class Pips(_WorthOfTiles):
    """Plain totals of tiles."""

    game: Literal["domino-pips"]
    count: Literal["table", "hand", "ends"]


class CardItem(_Shape):
    """A meld of cards."""

    name: str
    pieces: list[CardName]
    indices: Indices
    points: int
    text: str


class Cards(_WorthOfHand):
    """A cribbage hand of playing cards; the starter is the last of `values`."""

    game: Literal["cards"]
    values: list[CardName]
    items: list[CardItem] = Field(description="What makes up the total.")
    starter: CardName | None


class AnyGame(_Worth):
    """Any other game: what all of them have, and keys of its own."""

    model_config = ConfigDict(extra="allow")

    game: str
    values: list[Value | TileName]  # type: ignore[assignment]
    outcome: str
    choices: list[AnyChoice]


Typed = Annotated[
    CribDiceFirst | CribDiceLater | FarkleCrib | CribbageDice | DominoCribbage | Pips | Cards | AnyGame,
    Field(union_mode="left_to_right"),
]


# Scores of photos


class _Counted(_Shape):
    """The pieces that were scored."""

    source: Literal["dice", "tiles"] = Field(description="The list that contains the scored pieces.")
    places: list[int | None] = Field(
        description="Index of each of `values` in that list; null for a starter that is not in the photo."
    )
    notes: list[str] = Field(description="Notes for the player, such as pieces that were left out.")


class CribDiceFirstThrow(_Counted, CribDiceFirst):
    """Crib Dice, seven dice: every point that can be chosen."""


class CribDiceLaterThrow(_Counted, CribDiceLater):
    """Crib Dice with a point frozen."""


class FarkleCribThrow(_Counted, FarkleCrib):
    """Farkle Cribbage: every set-aside, best first, as played and with all bonus scores."""


class CribbageDiceHand(_Counted, CribbageDice):
    """Cribbage Dice: fifteens, pairs, runs."""


class DominoCribbageHand(_Counted, DominoCribbage):
    """Domino Cribbage: fifteens, pairs, runs of four tiles and the starter, which is the last of `values`."""


class DominoPips(_Counted, Pips):
    """Plain totals of tiles."""


class AnyThrow(_Counted, AnyGame):
    """Any other game: what all of them have, and keys of its own."""

    model_config = ConfigDict(extra="allow")


class ErrorDetail(_Shape):
    """Why there is no score."""

    code: str
    message: str


class NoScore(_Shape):
    """The photo was read, but it is not a throw of the game."""

    error: ErrorDetail
    notes: list[str] = Field(description="Notes for the player, such as pieces that were left out.")


Score = Annotated[
    CribDiceFirstThrow
    | CribDiceLaterThrow
    | FarkleCribThrow
    | CribbageDiceHand
    | DominoCribbageHand
    | DominoPips
    | NoScore
    | AnyThrow,
    Field(union_mode="left_to_right"),
]


class Answer(_Shape):
    """The reading of a photo and its worth; the same object as from `muggins read --json`."""

    photo: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="Of the photo's bytes.")
    width: int = Field(description="Pixels of the upright photo.")
    height: int
    dice: list[Die] = Field(description="In reading order: rows from the top, each left to right.")
    tiles: list[Tile] = Field(description="In reading order, like the dice.")
    doubts: list[Doubt] = Field(description="Empty means sure.")
    sure: bool
    models: dict[str, str] = Field(description="SHA-256 of every network used.")
    timings_ms: dict[str, float]
    score: Score | None = Field(description="Null when no game was named.")
