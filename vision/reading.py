"""What was read from a photo: frozen values that turn into JSON and back.

Points are pixels of the upright photo (EXIF orientation applied), x to the right, y down, in floats.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""The four corners of a box in turn; for an upright box: top left, top right, bottom right, bottom left."""

Alternatives = tuple[tuple[int, float], ...]
"""Every value with its probability, likeliest first."""

DoubtReason = Literal[
    "no-pieces",  # nothing was found on the table
    "uncertain-value",  # two values are too close to call
    "uncertain-piece",  # it may not be a die at all, or a die may have been missed there
    "cut-off",  # the piece leaves the picture
    "overlapping",  # two finds that may be one piece, or a piece partly under another
    "too-small",  # too few pixels to trust the value
    "first-frame",  # the file is animated; only its first frame was read
]
"""Why a person should look. Stable: callers may switch on it."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die: its top value, how sure, where, and of which colour.

    `confidence` is calibrated: of all dice read at 0.97, 97 in 100 should be right (models/CARD.md says how far that holds).
    """

    value: int
    confidence: float
    alternatives: Alternatives
    box: Quad
    colour: str
    kind: Literal["d6"] = "d6"


@dataclass(frozen=True, slots=True)
class Tile:
    """One domino. Read from a later version on; the field exists so that the JSON keeps its shape."""

    ends: tuple[int | None, int | None]
    confidence: float
    alternatives: tuple[tuple[tuple[int, int], float], ...]
    box: Quad
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason to look again. `piece` counts into `Reading.dice`; None is about the whole photo."""

    reason: DoubtReason
    message: str
    piece: int | None = None

    @property
    def said(self) -> str:
        """The message with the die it is about, counted from 1, for where no die stands beside it."""
        return self.message if self.piece is None else f"Die {self.piece + 1}: {self.message}"


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything one photo told: the pieces in reading order (rows from the top, each left to right), and the doubts."""

    photo: str
    sha256: str
    width: int
    height: int
    dice: tuple[Die, ...]
    doubts: tuple[Doubt, ...]
    models: Mapping[str, str]
    timings_ms: Mapping[str, float]
    tiles: tuple[Tile, ...] = ()

    @property
    def sure(self) -> bool:
        """True when nobody needs to look."""
        return not self.doubts

    @property
    def values(self) -> tuple[int, ...]:
        """The top values of the dice, in the order of `dice`."""
        return tuple(die.value for die in self.dice)

    def to_json(self) -> dict[str, Any]:
        """A plain object in the documented shape, ready for `json.dumps`."""
        return {
            "photo": self.photo,
            "sha256": self.sha256,
            "width": self.width,
            "height": self.height,
            "dice": [_die_to_json(die) for die in self.dice],
            "tiles": [dataclasses.asdict(tile) for tile in self.tiles],
            "doubts": [dataclasses.asdict(doubt) for doubt in self.doubts],
            "sure": self.sure,
            "models": dict(self.models),
            "timings_ms": {name: round(ms, 1) for name, ms in self.timings_ms.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        """The reading that `to_json` wrote. Keys it does not know (such as `score`) are ignored.

        Raises:
            KeyError: a documented key is missing.
            ValueError: `sure` contradicts `doubts`.
        """
        reading = cls(
            photo=data["photo"],
            sha256=data["sha256"],
            width=data["width"],
            height=data["height"],
            dice=tuple(_die_from_json(die) for die in data["dice"]),
            tiles=tuple(_tile_from_json(tile) for tile in data["tiles"]),
            doubts=tuple(Doubt(d["reason"], d["message"], d["piece"]) for d in data["doubts"]),
            models=dict(data["models"]),
            timings_ms=dict(data["timings_ms"]),
        )
        if reading.sure != data["sure"]:
            raise ValueError(f"'sure' is {data['sure']} but there are {len(reading.doubts)} doubts")
        return reading


def _quad(points: Any) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def _die_to_json(die: Die) -> dict[str, Any]:
    return {
        "kind": die.kind,
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "alternatives": [[value, round(p, 4)] for value, p in die.alternatives],
        "box": [[round(x, 1), round(y, 1)] for x, y in die.box],
        "colour": die.colour,
    }


def _die_from_json(data: Mapping[str, Any]) -> Die:
    return Die(
        value=data["value"],
        confidence=data["confidence"],
        alternatives=tuple((value, p) for value, p in data["alternatives"]),
        box=_quad(data["box"]),
        colour=data["colour"],
        kind=data["kind"],
    )


def _tile_from_json(data: Mapping[str, Any]) -> Tile:
    first, second = data["ends"]
    return Tile(
        ends=(first, second),
        confidence=data["confidence"],
        alternatives=tuple(((a, b), p) for (a, b), p in data["alternatives"]),
        box=_quad(data["box"]),
        face_up=data["face_up"],
    )
