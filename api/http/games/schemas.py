"""JSON schemas of live games, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, model_validator
from pydantic_core import PydanticCustomError

from api.evidence.provenance import Provenance
from api.http.corrections import Correction
from api.http.games import past
from api.interpret import schemas
from api.interpret.derived import array, response, union
from api.interpret.game_names import PlayedGame
from api.interpret.rulings import Outcome
from api.interpret.schemas import TileName
from api.interpret.typed_moves import LONGEST_PLAYER_NAME
from scorer.engine import board
from vision import reading

Lines = Annotated[int, Field(ge=1, le=10**6, description="Length of the record in the last snapshot you have seen.")]
Corrections = Annotated[int, Field(ge=0, le=10**6)]
MOST_PLAYERS = 12
"""Limit of the pages, which show all players at once; the games and `muggins play` have only the limits of their rules."""


def _not_too_many(names: object) -> object:
    if isinstance(names, list) and len(names) > MOST_PLAYERS:
        text = (
            f"Live games are for up to {MOST_PLAYERS} players, so that the pages can show them all, got {len(names)}. "
            "For more, use `muggins play`."
        )
        raise PydanticCustomError("too-many-players", "{text}", {"text": text})
    return names


_PlayerName = Annotated[str, Field(min_length=1, json_schema_extra={"maxLength": LONGEST_PLAYER_NAME})]
"""A longer one is refused by `typed_moves.check_shown`, which names it."""
Seats = Annotated[
    list[Annotated[int, Field(ge=0, le=MOST_PLAYERS - 1)]] | None,
    Field(max_length=MOST_PLAYERS, description="Player numbers from 0 that play on this phone; null: the whole table."),
]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


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
    players: Annotated[list[_PlayerName], BeforeValidator(_not_too_many)] = Field(
        min_length=1, max_length=MOST_PLAYERS, description="Names in table order."
    )
    rules: list[Annotated[str, Field(max_length=200)]] = Field(
        [], max_length=100, description="Options such as piddle_points=true; the others keep their defaults."
    )
    seats: Seats = None
    open_hands: bool = Field(False, description="Everybody sees every hand, viewers and streams too.")


class Sits(_Asked):
    """Who plays on a phone."""

    seats: Seats


class WantedToken(_Asked):
    """A token to make. Players get theirs by joining with an invitation."""

    role: Literal["viewer", "invite", "camera"]
    name: str = Field("", max_length=40, description="Of a camera, for the record.")
    instead: bool = Field(False, description="Revoke the earlier tokens of this role.")


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


class WantedRematch(_Asked):
    """An empty request."""


class WantedCode(_Asked):
    """An empty request."""


class TypedCode(_Asked):
    """A code that a person typed."""

    code: str = Field(
        min_length=1, max_length=40, description="As the other phone shows it; spaces and case don't matter."
    )


class LookAgain(_Asked):
    """An empty request."""


class CorrectionSaid(Correction):
    """A correction, and the number of earlier ones the person has seen."""

    expected: Corrections = Field(description="Number of corrections of the reading you have seen.")


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
    """A choice with the items that make up its points, and what may be chosen in one go with it."""

    items: list[Item]
    then: list[Offer] = Field(
        description="Choices that follow for the same player, who may throw on instead: to be sent as the next move."
    )


class Question(_Shape):
    """A decision a player has to make."""

    player: int | None
    text: str
    offers: list[Offer]
    may_throw: bool = Field(description="Whether the player may throw instead, by sending dice.")


class RulingDoubt(_Shape):
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
    doubt: RulingDoubt | None
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


Share = Annotated[float, Field(ge=0, le=1)]


class Places(_Shape):
    """Where the pieces on the table lie in the picture they were read from."""

    aspect: float = Field(gt=0, description="The picture's width by its height.")
    boxes: list[tuple[Share, Share, Share, Share]] = Field(
        description="Of each piece left, top, right and bottom, as shares of the picture's width and height."
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


How = Annotated[
    Provenance,
    Field(
        description="`photo`: as read. `corrected`: from a photo, corrected, confirmed or replaced by a person. "
        "`watched`, `inferred`: a camera with its own token saw or concluded it. `claimed`: said to be so by somebody "
        "else. `typed`: no photo."
    ),
]


class Maker(_Shape):
    """Who made a move."""

    device: str | None = Field(description="Id of the phone's token.")
    camera: str | None = Field(description="Id of the camera's token.")
    name: str | None = Field(description="Of the camera.")
    seats: list[int] | None = Field(description="The players on that phone.")
    for_: int | None = Field(alias="for", description="The player it moved for, if not its own.")


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
    how: How | None = Field(description="Where the last line comes from.")
    by: Maker | None = Field(description="Who made the last line; null if nobody noted it.")
    offers: list[OfferWithItems] | None = Field(
        description="Null for viewers, and for other players where they reveal a hand."
    )
    hands: list[str] = Field(description="What the seats of this token hold, in words, where hands are hidden.")
    hands_hidden: bool = Field(description="Whether hands are hidden from other players now.")
    hands_open: bool = Field(description="Whether the host lets everybody see hands that would be hidden.")
    chance: bool = Field(description="Whether dice or tiles may come next.")
    on_table: OnTable | None = Field(description="Null if nothing is face up.")
    places: Places | None = Field(
        description="Null if the last throw was typed, nothing is face up, or hands are hidden from this token."
    )
    board: Board  # type: ignore[valid-type]
    result: Result | None


class Begun(_Shape):
    """A new game with its tokens, which are shown only once."""

    id: str
    viewer: str = Field(description="The token for watching.")
    invite: str = Field(description="The token for joining with another phone.")
    player: str = Field(description="The token of the phone that started the game; it is the host's.")
    snapshot: Snapshot


class Rematch(_Shape):
    """A new game after one that is over. Its tokens are shown only once."""

    id: str
    token: str = Field(description="With the rights in it of the token sent.")
    invite: str | None = Field(description="The token for joining with another phone; null unless the host asks.")
    viewer: str | None = Field(description="The token for watching; null unless the host asks.")
    snapshot: Snapshot


class Token(_Shape):
    """What a token allows, without its secret."""

    id: str
    role: Literal["viewer", "invite", "camera", "player"]
    name: str
    seats: list[int] | None = Field(description="Of a player; null: the whole table.")
    host: bool = Field(description="Whether it may make and revoke tokens.")
    made: str = Field(description="When, ISO 8601.")
    revoked: str | None = Field(description="When, ISO 8601; null while it is valid.")


class NewToken(Token):
    """A new token with its secret, which is shown only once."""

    token: str


class InviteCode(_Shape):
    """A code to type on another phone's start page."""

    code: str = Field(description='In two groups: "K7Q-2MX".')
    seconds: int = Field(description="For how long it is good.")


class Invited(_Shape):
    """What a code invites to."""

    id: str
    invite: str = Field(description="A new token for joining, shown only once.")
    title: str = Field(description="Of the game.")
    players: list[str]


FinalScore = response(past.FinalScore)
ListedGame = response(past.ListedGame, scores=array(FinalScore))
ListedGames = response(past.ListedGames, games=array(ListedGame))
BestThrow = response(past.BestThrow)
Tally = response(past.Tally, best=union(BestThrow, type(None)))
PlayerTally = response(past.PlayerTally, games=array(Tally))
PlayerTallies = response(past.PlayerTallies, players=array(PlayerTally))


class Tokens(_Shape):
    """All tokens of a game, in the order they were made."""

    tokens: list[Token]


class HistoryLine(_Shape):
    """A line of the record after its header."""

    line: int = Field(description="Its number in the record; the header is line 1.")
    at: str = Field(description="When, ISO 8601 with the server's time zone.")
    move: str | None = Field(description="Null for an undo, and for a hidden hand of another player.")
    hidden: bool = Field(description="Whether it is hidden from this token.")
    player: int | None = Field(description="Whose move it was; null for an undo.")
    how: How
    by: Maker | None
    undone_by: int | None = Field(description="The line that undid it.")
    reading: str | None = Field(description="The reading it was played from, if this token shows it.")


class History(_Shape):
    """A game line by line."""

    lines: list[HistoryLine]
    hashes: list[Sha256] = Field(description="Of every line of the record, the header first.")


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


class MoveOutcome(_Shape):
    """The outcome of a photo or move."""

    reading: KeptReading | None
    ruling: Ruling
    snapshot: Snapshot


class FoundPiece(_Shape):
    """What may be a piece on a photo."""

    kind: Literal["d6", "d12", "domino"]
    shows: list[int] = Field(description="What it is taken for: a value, two ends, or nothing.")
    box: schemas.Quad
    tile: bool
    sure: bool = Field(description="Nobody need be asked about it.")


class FoundPieces(_Shape):
    """Everything on a photo that may be a piece, in reading order."""

    width: int
    height: int
    pieces: list[FoundPiece]


class SaidPiece(_Shape):
    """What a person says lies somewhere on a photo."""

    kind: Literal["d6", "d12", "domino", "other"] = Field(description='"other": no piece that counts.')
    shows: list[int] = Field(max_length=2, description='The value of a die, the ends of a tile, nothing for "other".')
    at: tuple[FiniteFloat, FiniteFloat] = Field(description="A point in it: [x, y] in pixels of the upright photo.")
    symbol: str = Field("", max_length=40, description="What people call the face.")
    box: schemas.Quad | None = Field(
        None, description="Its outline, if it was found; a tile's ends are then in its order."
    )


class UsedProfile(_Shape):
    """A profile in a game."""

    name: str
    sha256: str
    pieces: int = Field(description="How many pieces it was shown.")
    shows: list[str] = Field(description="What they show, as people say it; nothing while hands are hidden.")
    at: str = Field(description="Since when the game has it, ISO 8601.")
    learned: bool = Field(description="The game made it itself, from corrections.")


class Profiles(_Shape):
    """The profiles that a game's photos are read with."""

    profiles: list[UsedProfile]
