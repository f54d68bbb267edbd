"""JSON schemas of cameras, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

CameraName = Annotated[
    str, Field(pattern="^[A-Za-z0-9_-]{8,64}$", description="Random; one that is opened again has another.")
]
_Coordinate = Annotated[float, Field(ge=0, le=10**5)]
Point = tuple[_Coordinate, _Coordinate]


class _Shape(BaseModel):
    """No undocumented fields."""

    model_config = ConfigDict(extra="forbid")


class SeenRoll(_Shape):
    """A roll that a program has seen in its own stream. The server reads the photo itself."""

    number: int = Field(ge=1, le=10**6, description="Counts up; a number that was taken is not taken again.")
    frame: int = Field(ge=0, le=10**9)
    time: float = Field(ge=0, le=10**9, description="Seconds from the start of the stream.")
    pieces: list[str] = Field(max_length=60, description="What was read: values of dice, names of tiles.")
    thrown: list[Point] = Field(max_length=60, description="Middles of the pieces that were thrown, in the photo.")
    still: list[Point] = Field(max_length=60, description="Middles of those that were on the table before.")
    late: bool = Field(
        False, description="`others` has changed since it was seen: a player is asked whether it is still the next."
    )


class RollAnswer(_Shape):
    """A player's word on the roll that waits first."""

    model_config = ConfigDict(strict=True)

    number: int = Field(ge=1, le=10**6, description="Of the roll.")
    answer: Literal["yes", "no"] = Field(
        description="`yes`: it lies as it was read, or as corrected. `no`: it was no throw; leave it out."
    )
    corrections: int = Field(0, ge=0, le=10**6, description="Number of corrections of its reading you have seen.")


class RollAsked(_Shape):
    """What is asked about the roll that waits first."""

    number: int
    reading: str = Field(description="Id of its reading; correct it with `correct_reading`.")
    kind: Literal["check", "choice"] = Field(
        description="`check`: look at the picture. `choice`: the choice that is open in the game comes first."
    )
    code: str
    text: str
    may_confirm: bool = Field(description="Whether `yes` can play it.")


class Sentence(_Shape):
    """Something that the server did with a roll, for a program's log."""

    number: int
    text: str


class CameraStatus(_Shape):
    """What the camera of a game sees, and what waits."""

    rolls: int = Field(description="Number of the last roll seen.")
    waiting: int = Field(description="Rolls that are not yet in the record.")
    ask: RollAsked | None
    leaving: bool = Field(description="A piece leaves the picture: move the camera back.")
    state: Literal["empty", "rolling", "settled", "counted", "touched", "cleared"]
    idle: bool = Field(description="Nothing moves and everything has been counted.")
    filmed: bool = Field(description="Whether a phone's camera has ever filmed this game.")
    said: list[Sentence] = Field(description="The latest sentences, numbered from 1.")
    others: int = Field(
        description="Counts throws that did not come from this camera, and moves taken back; only changes matter."
    )
