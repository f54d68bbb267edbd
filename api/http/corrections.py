"""Corrections of a reading as JSON, as pydantic models: for a photo that is only read, and for a reading of a game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from api.interpret.derived import Request
from api.interpret.schemas import End, Value

Ends = Annotated[list[End], Field(min_length=2, max_length=2)]
Place = Annotated[int, Field(ge=0, le=1000)]
Point = Annotated[
    list[Annotated[float, Field(ge=0, le=10**6)]],
    Field(min_length=2, max_length=2, description="[x, y] in pixels of the upright photo."),
]


class ChangeDie(Request):
    """A die shows another value."""

    die: Place = Field(description="Index in `dice` of the corrected reading.")
    value: Value
    starter: bool | None = Field(
        None, description="Whether it is the starter, the die of another colour; null: unchanged."
    )


class ChangeTile(Request):
    """A domino shows other ends."""

    tile: Place = Field(description="Index in `tiles` of the corrected reading.")
    ends: Ends


class AddDie(Request):
    """A die was missed."""

    kind: Literal["d6", "d12"]
    value: Value
    starter: bool | None = None
    at: Point


class AddTile(Request):
    """A domino was missed."""

    kind: Literal["domino"]
    ends: Ends
    at: Point


class RemoveDie(Request):
    """Something read as a die is not one."""

    die: Place = Field(description="Index in `dice` of the corrected reading.")


class RemoveTile(Request):
    """Something read as a domino is not one."""

    tile: Place = Field(description="Index in `tiles` of the corrected reading.")


class Correction(Request):
    """A correction of a reading: exactly one of the three."""

    change: ChangeDie | ChangeTile | None = None
    add: AddDie | AddTile | None = None
    remove: RemoveDie | RemoveTile | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Correction:
        if sum(each is not None for each in (self.change, self.add, self.remove)) != 1:
            raise ValueError("give exactly one of change, add and remove")
        return self

    @property
    def plain(self) -> dict[str, Any]:
        """The correction alone, ready for `json.dumps`."""
        return self.model_dump(include={"change", "add", "remove"}, exclude_none=True, mode="json")
