"""The documented JSON of live games as pydantic models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from api.interpret import schemas
from api.interpret.game_names import PlayedGame
from api.interpret.rulings import Outcome
from api.interpret.schemas import End, TileName, Value

Lines = Annotated[
    int, Field(ge=1, le=10**6, description="How many lines the record had in the last snapshot that you have seen.")
]
Corrections = Annotated[int, Field(ge=0, le=10**6)]
Ends = Annotated[list[End], Field(min_length=2, max_length=2)]
Place = Annotated[int, Field(ge=0, le=1000)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Point = Annotated[
    list[Annotated[float, Field(ge=0, le=10**6)]],
    Field(min_length=2, max_length=2, description="[x, y] in pixels of the upright photo."),
]


class _Shape(BaseModel):
    """Nothing undocumented gets in or out."""

    model_config = ConfigDict(extra="forbid")


# What is asked


class _Asked(_Shape):
    """And nothing is taken for something else: true is not 1."""

    model_config = ConfigDict(strict=True)


class NewGame(_Asked):
    """A game to be begun."""

    game: PlayedGame
    players: list[Annotated[str, Field(min_length=1, max_length=40)]] = Field(
        min_length=1, max_length=12, description="Names in table order."
    )
    rules: list[Annotated[str, Field(max_length=200)]] = Field(
        [], max_length=100, description="Options like piddle_points=true; those not named are as the rules have them."
    )


class Watched(_Asked):
    """A roll that a watching camera saw."""

    frame: int = Field(ge=0, le=10**12, description="With which it came to rest.")
    time: float = Field(ge=0, le=10**9, allow_inf_nan=False, description="The same in seconds from the start.")


class MoveSaid(_Asked):
    """A move: typed or chosen; or a reading that was corrected, or whose doubt is confirmed."""

    lines: Lines
    move: Annotated[
        str | None,
        Field(max_length=400, description="As in an offer, like `stop`; or bare dice or tiles, like `1 2 2 4 5 5 6`."),
    ] = None
    reading: Annotated[
        str | None, Field(max_length=64, description="A reading to play; with `move`, the move is what it shows.")
    ] = None
    corrections: Corrections = Field(0, description="How many corrections of the reading you have seen.")
    confirm: bool = Field(False, description="Play what was doubted: a person has looked, and it is right.")
    inferred: bool = Field(
        False,
        description="Nobody said this move: a watching camera infers it from what it saw next. The record says so.",
    )
    watched: Watched | None = Field(
        None, description="The roll by which a watching camera knows or infers this move. The record says so."
    )

    @model_validator(mode="after")
    def _says_something(self) -> MoveSaid:
        if self.move is None and self.reading is None:
            raise ValueError("name a move or a reading")
        if (self.inferred or self.watched) and (self.reading is not None or self.confirm):
            raise ValueError("what a camera tells is a move alone: a reading is seen, and a person confirms")
        return self


class Undo(_Asked):
    """The last standing move is to be taken back."""

    lines: Lines


class LookAgain(_Asked):
    """Nothing needs to be said."""


class ChangeDie(_Asked):
    """A die shows something else."""

    die: Place = Field(description="Place in `dice` of the corrected reading.")
    value: Value
    starter: bool | None = Field(
        None, description="Whether it is the starter of Cribbage Dice; null leaves it as it is."
    )


class ChangeTile(_Asked):
    """A domino shows something else."""

    tile: Place = Field(description="Place in `tiles` of the corrected reading.")
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
    """What was read as a die is none."""

    die: Place = Field(description="Place in `dice` of the corrected reading.")


class RemoveTile(_Asked):
    """What was read as a domino is none."""

    tile: Place = Field(description="Place in `tiles` of the corrected reading.")


class Correction(_Asked):
    """One thing that a person says of a reading: just one of the three."""

    change: ChangeDie | ChangeTile | None = None
    add: AddDie | AddTile | None = None
    remove: RemoveDie | RemoveTile | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Correction:
        if sum(each is not None for each in (self.change, self.add, self.remove)) != 1:
            raise ValueError("say one of change, add and remove")
        return self


class CorrectionSaid(Correction):
    """The same, and what the corrector has seen."""

    expected: Corrections = Field(description="How many corrections of the reading you have seen.")

    @property
    def plain(self) -> dict[str, Any]:
        """The correction alone, ready for `json.dumps`."""
        return self.model_dump(exclude={"expected"}, exclude_none=True, mode="json")


# What is answered


class Item(_Shape):
    """A meld, or a line of the chart."""

    name: str
    pieces: list[int] | list[TileName]
    points: int


class Event(_Shape):
    """Something that the last line brought about."""

    name: str
    text: str
    player: int | None
    points: int
    items: list[Item]
    rule: str


class Offer(_Shape):
    """A choice, and what it is worth."""

    move: str = Field(description="To be sent as `move`.")
    text: str
    points: int


class OfferWithItems(Offer):
    """The same with what makes up the points."""

    items: list[Item]


class Question(_Shape):
    """What a player has to decide now."""

    player: int | None
    text: str
    offers: list[Offer]
    may_throw: bool = Field(description="Throwing is another answer, given with the dice.")


class Doubt(_Shape):
    """Why nothing was played."""

    code: str
    message: str
    moves: list[str] = Field(description="What a confirmation would play; empty where nothing could be.")


class Ruling(_Shape):
    """What came of a photo or move."""

    outcome: Outcome = Field(description="`question`: it was played, and now a choice is to be made.")
    moves: list[str] = Field(description="What was played.")
    events: list[str] = Field(description="What that brought about, in words.")
    question: Question | None
    doubt: Doubt | None
    notes: list[str]


class Pegs(_Shape):
    """The two pegs of one side."""

    side: int
    players: list[int]
    lane: int
    back: int
    front: int
    out: bool


class Board(_Shape):
    """The cribbage board, or a score sheet, which has no holes."""

    finish: int
    pegs: list[Pegs]
    skunk_line: int | None
    lap: int
    lanes: int
    streets: list[tuple[int, int]]
    sheet: bool


class Lying(_Shape):
    """What lies face up on the table: values of dice, or names of tiles."""

    player: int = Field(description="Who threw or laid it.")
    kind: Literal["d6", "d12", "domino"]
    thrown: list[int] | list[TileName] = Field(description="The last throw, roll or tile.")
    aside: list[int] | list[TileName] = Field(description="What lay there before it, the starter first.")
    starter: int | TileName | None = Field(description="The first of its name among `aside` and `thrown`.")


class Result(_Shape):
    """How it ended."""

    winners: list[str]
    ranking: list[list[str]]
    lost: dict[str, int]


class SignedHead(_Shape):
    """The hash of the record's last line, signed by this server. Who keeps it can show that a record was changed later."""

    game: str
    lines: int
    head: Sha256
    short: str = Field(description="The beginning of the head, for people to compare.")
    key: str = Field(description="The server's public key (Ed25519), hexadecimal.")
    signature: str


class Snapshot(_Shape):
    """A game at this moment: all that is needed to show it."""

    id: str
    lines: int = Field(description="Of the record; to be sent with the next move.")
    head: SignedHead
    game: str
    title: str
    kind: Literal["d6", "d12", "domino"] = Field(description="What it is played with.")
    players: list[str]
    rules: dict[str, str] = Field(description="Those that are not as the game has them.")
    moves: int = Field(description="How many stand.")
    to_act: int | None = Field(description="A player, counted from 0; null once the game is over.")
    prompt: str
    events: list[Event] = Field(description="What the last line brought about.")
    inferred: bool = Field(description="The last line is a move that nobody said: a camera inferred it.")
    offers: list[OfferWithItems] | None = Field(description="Null for viewers: they may tell what a player holds.")
    chance: bool = Field(description="Dice or tiles may come next.")
    lying: Lying | None = Field(description="Null where nothing lies face up.")
    board: Board
    result: Result | None


class Begun(_Shape):
    """A game that was begun, with its tokens: they are told this once."""

    id: str
    viewer: str = Field(description="The token that lets one watch.")
    player: str = Field(description="The token that lets one play.")
    snapshot: Snapshot


class PhotoRead(_Shape):
    """What a photo shows."""

    photo: str
    sha256: Sha256 = Field(description="Of the photo as it is kept, without the place where it was taken.")
    width: int
    height: int
    dice: list[schemas.Die]
    tiles: list[schemas.Tile]
    doubts: list[schemas.Doubt]
    sure: bool
    models: dict[str, str]
    timings_ms: dict[str, float]


class KeptReading(_Shape):
    """A reading, and what people have said of it."""

    id: str
    game: str
    again_of: str | None = Field(description="Of a second look at a photo: the reading that was the first.")
    at: str = Field(description="When it was read, ISO 8601.")
    reading: PhotoRead = Field(description="As it was read; it never changes.")
    corrections: list[Correction]
    corrected: PhotoRead = Field(description="As people say it is.")


class Readings(_Shape):
    """All readings of a game, in turn."""

    readings: list[KeptReading]


class Done(_Shape):
    """What a photo or move has brought about."""

    reading: KeptReading | None
    ruling: Ruling
    snapshot: Snapshot
