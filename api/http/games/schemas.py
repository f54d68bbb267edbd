"""JSON schemas of live games, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from api.interpret import schemas
from api.interpret.derived import array, response
from api.interpret.game_names import PlayedGame
from api.interpret.rulings import Outcome
from api.interpret.schemas import End, TileName, Value
from scorer.engine import board
from vision import reading

Lines = Annotated[int, Field(ge=1, le=10**6, description="Length of the record in the last snapshot you have seen.")]
Corrections = Annotated[int, Field(ge=0, le=10**6)]
Ends = Annotated[list[End], Field(min_length=2, max_length=2)]
Place = Annotated[int, Field(ge=0, le=1000)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Point = Annotated[
    list[Annotated[float, Field(ge=0, le=10**6)]],
    Field(min_length=2, max_length=2, description="[x, y] in pixels of the upright photo."),
]


class _Shape(BaseModel):
    """No undocumented fields."""

    model_config = ConfigDict(extra="forbid")


# Requests


class _Asked(_Shape):
    """Strict input: no type coercion (true is not 1)."""

    model_config = ConfigDict(strict=True)


class NewGame(_Asked):
    """A game to start."""

    game: PlayedGame
    players: list[Annotated[str, Field(min_length=1, max_length=40)]] = Field(
        min_length=1, max_length=12, description="Names in table order."
    )
    rules: list[Annotated[str, Field(max_length=200)]] = Field(
        [], max_length=100, description="Options such as piddle_points=true; the others keep their defaults."
    )


class Watched(_Asked):
    """A roll seen by a watching camera."""

    frame: int = Field(ge=0, le=10**12, description="Frame in which it came to rest.")
    time: float = Field(ge=0, le=10**9, allow_inf_nan=False, description="Its time in seconds from the start.")


class MoveSaid(_Asked):
    """A typed or chosen move, or a corrected or confirmed reading."""

    lines: Lines
    move: Annotated[
        str | None,
        Field(
            max_length=400,
            description="As in an offer, such as `stop`; or bare dice or tiles, such as `1 2 2 4 5 5 6`.",
        ),
    ] = None
    reading: Annotated[
        str | None, Field(max_length=64, description="A reading to play; with `move`, the move replaces what was read.")
    ] = None
    corrections: Corrections = Field(0, description="Number of corrections of the reading you have seen.")
    confirm: bool = Field(False, description="Play despite a doubt, after a person has checked it.")
    inferred: bool = Field(
        False,
        description="The move was inferred by a watching camera from the next roll. The record says so.",
    )
    watched: Watched | None = Field(None, description="The roll behind a watching camera's move. The record says so.")

    @model_validator(mode="after")
    def _says_something(self) -> MoveSaid:
        if self.move is None and self.reading is None:
            raise ValueError("name a move or a reading")
        if (self.inferred or self.watched) and (self.reading is not None or self.confirm):
            raise ValueError("inferred and watched go with a move only, not with a reading or confirm")
        return self


class Undo(_Asked):
    """A request to undo the last move."""

    lines: Lines


class LookAgain(_Asked):
    """An empty request."""


class ChangeDie(_Asked):
    """A die shows another value."""

    die: Place = Field(description="Index in `dice` of the corrected reading.")
    value: Value
    starter: bool | None = Field(
        None, description="Whether it is the starter, the die of another colour; null: unchanged."
    )


class ChangeTile(_Asked):
    """A domino shows other ends."""

    tile: Place = Field(description="Index in `tiles` of the corrected reading.")
    ends: Ends


class AddDie(_Asked):
    """A die was missed."""

    kind: Literal["d6", "d12"]
    value: Value
    starter: bool | None = None
    at: Point


class AddTile(_Asked):
    """A domino was missed."""

    kind: Literal["domino"]
    ends: Ends
    at: Point


class RemoveDie(_Asked):
    """Something read as a die is not one."""

    die: Place = Field(description="Index in `dice` of the corrected reading.")


class RemoveTile(_Asked):
    """Something read as a domino is not one."""

    tile: Place = Field(description="Index in `tiles` of the corrected reading.")


class Correction(_Asked):
    """A correction of a reading: exactly one of the three."""

    change: ChangeDie | ChangeTile | None = None
    add: AddDie | AddTile | None = None
    remove: RemoveDie | RemoveTile | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Correction:
        if sum(each is not None for each in (self.change, self.add, self.remove)) != 1:
            raise ValueError("give exactly one of change, add and remove")
        return self


class CorrectionSaid(Correction):
    """A correction, and the number of earlier ones the person has seen."""

    expected: Corrections = Field(description="Number of corrections of the reading you have seen.")

    @property
    def plain(self) -> dict[str, Any]:
        """The correction alone, ready for `json.dumps`."""
        return self.model_dump(exclude={"expected"}, exclude_none=True, mode="json")


# Responses


class Item(_Shape):
    """A meld, or a line of the chart."""

    name: str
    pieces: list[int] | list[TileName]
    points: int


class Event(_Shape):
    """An event of the last line."""

    name: str
    text: str
    player: int | None
    points: int
    items: list[Item]
    rule: str


class Offer(_Shape):
    """A choice and its worth."""

    move: str = Field(description="To be sent as `move`.")
    text: str
    points: int


class OfferWithItems(Offer):
    """A choice with the items that make up its points."""

    items: list[Item]


class Question(_Shape):
    """A decision a player has to make."""

    player: int | None
    text: str
    offers: list[Offer]
    may_throw: bool = Field(description="Whether the player may throw instead, by sending dice.")


class Doubt(_Shape):
    """Why nothing was played."""

    code: str
    message: str
    moves: list[str] = Field(description="What a confirmation would play; empty if it cannot be confirmed.")


class Ruling(_Shape):
    """The ruling on a photo or move."""

    outcome: Outcome = Field(description="`question`: it was played, and a choice follows.")
    moves: list[str] = Field(description="What was played.")
    events: list[str] = Field(description="The resulting events, in words.")
    question: Question | None
    doubt: Doubt | None
    notes: list[str]


Pegs = response(board.Pegs)
Board = response(
    board.Board,
    "lanes",
    "streets",
    pegs=array(Pegs),
    sheet=Annotated[bool, Field(description="A score sheet, which has no holes.")],
)


class OnTable(_Shape):
    """The pieces face up on the table: values of dice or names of tiles."""

    player: int = Field(description="Who threw or laid it.")
    kind: Literal["d6", "d12", "domino"]
    thrown: list[int] | list[TileName] = Field(description="The last throw, roll or tile.")
    aside: list[int] | list[TileName] = Field(description="Pieces on the table before it, the starter first.")
    starter: int | TileName | None = Field(
        description="Value of the starter: the first such piece in `aside` and `thrown`."
    )


class Result(_Shape):
    """How it ended."""

    winners: list[str]
    ranking: list[list[str]]
    lost: dict[str, int]


class SignedHead(_Shape):
    """The signed hash of the record's last line. A saved copy proves later changes of the record."""

    game: str
    lines: int
    head: Sha256
    short: str = Field(description="Short form of the head, for people to compare.")
    key: str = Field(description="The server's public key (Ed25519), hexadecimal.")
    signature: str


class Snapshot(_Shape):
    """The state of a game: everything needed to show it."""

    id: str
    lines: int = Field(description="Length of the record; send it with the next move.")
    head: SignedHead
    game: str
    title: str
    kind: Literal["d6", "d12", "domino"] = Field(description="What it is played with.")
    players: list[str]
    rules: dict[str, str] = Field(description="Options changed from their defaults.")
    moves: int = Field(description="Number of moves, without undone ones.")
    to_act: int | None = Field(description="Player number from 0; null once the game is over.")
    prompt: str
    events: list[Event] = Field(description="Events of the last line.")
    inferred: bool = Field(description="Whether the last move was inferred by a camera.")
    offers: list[OfferWithItems] | None = Field(description="Null for viewers, since offers may reveal a hand.")
    chance: bool = Field(description="Whether dice or tiles may come next.")
    on_table: OnTable | None = Field(description="Null if nothing is face up.")
    board: Board  # type: ignore[valid-type]
    result: Result | None


class Begun(_Shape):
    """A new game with its tokens, which are shown only once."""

    id: str
    viewer: str = Field(description="The token for watching.")
    player: str = Field(description="The token for playing.")
    snapshot: Snapshot


PhotoRead = response(reading.Reading, "sure", name="PhotoRead", **schemas.READING)


class KeptReading(_Shape):
    """A reading with its corrections."""

    id: str
    game: str
    again_of: str | None = Field(description="For a second reading of a photo: the first reading.")
    at: str = Field(description="When it was read, ISO 8601.")
    reading: PhotoRead = Field(description="As read; never changes.")  # type: ignore[valid-type] # made at run time
    corrections: list[Correction]
    corrected: PhotoRead = Field(description="With corrections applied.")  # type: ignore[valid-type]


class Readings(_Shape):
    """All readings of a game, in order."""

    readings: list[KeptReading]


class Done(_Shape):
    """The outcome of a photo or move."""

    reading: KeptReading | None
    ruling: Ruling
    snapshot: Snapshot
