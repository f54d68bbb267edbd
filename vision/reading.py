"""The result of reading a photo: frozen values that convert to JSON and back.

Points are pixels of the upright photo (EXIF orientation applied), x to the right, y down, in floats.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""The four corners of a box in turn; for an upright box: top left, top right, bottom right, bottom left."""


def middle_of(box: Quad) -> Point:
    """The mean of its corners, in pixels."""
    return sum(x for x, _ in box) / 4, sum(y for _, y in box) / 4


Alternatives = tuple[tuple[int, float], ...]
"""Every value with its probability, likeliest first."""

DoubtReason = Literal[
    "no-pieces",  # nothing was found on the table
    "uncertain-value",  # two values are too close to call, or what a die shows cannot be read at all
    "uncertain-piece",  # it may be no die or tile at all, or one may have been missed there
    "cut-off",  # a piece leaves the picture; it is not counted
    "number",  # more or fewer pieces than the game has on the table now
    "other-pieces",  # dominoes lie where dice should, in a number that the game does not have on the table now
    "overlapping",  # two detections that may be one piece, or a piece partly under another
    "too-small",  # too few pixels to trust the value
    "too-low",  # seen from so low that a die's front may pass for its top, or a tile may have been missed
    "blurred",  # the camera moved or had not focused: the dice in doubt, or tiles, of which one may be missed or misread
    "face-down",  # a tile may show its back
    "unseen-throw",  # dice of a film that came to rest while nobody watched it; they may not have been thrown
    "starter",  # which twelve-sided die has the odd colour is not clear
    "first-frame",  # the file is animated; only its first frame was read
]
"""Why a person should look. Stable: callers may switch on it."""

DieKind = Literal["d6", "d12"]
"""A die by how many sides it has."""


def _presence(confidence: float, alternatives: Sequence[tuple[object, float]]) -> float:
    """The probability of a piece: its confidence is this times the probability of its likeliest value, given a piece."""
    return min(1.0, confidence / max(1e-9, alternatives[0][1])) if alternatives else confidence


@dataclass(frozen=True, slots=True)
class Die:
    """One die: its top value, confidence, box and colour.

    `confidence` is calibrated: of all dice read at 0.97, 97 in 100 should be right (models/CARD.md says how far that holds).
    `starter` marks the one d12 of another colour than the rest, which some games call the starter; no d6 is one. `profile` names
    the profile of people's own dice that recognised it; empty if the networks did.
    """

    value: int
    confidence: float
    alternatives: Alternatives
    box: Quad
    colour: str
    kind: DieKind = "d6"
    starter: bool = False
    profile: str = ""

    @property
    def presence(self) -> float:
        """The probability that it is a piece at all, whatever it shows, 0..1."""
        return _presence(self.confidence, self.alternatives)


@dataclass(frozen=True, slots=True)
class Tile:
    """One domino: the pips of its two ends, confidence, box, and whether it lies face up.

    `box` follows the tile: its corners 0 and 1 are on one long side, so that the first end is the half between the
    corners 0 and 3, the second that between 1 and 2. A tile that lies face down has the ends (None, None) and no
    alternatives; `confidence` is then the probability that it shows its back. `profile`: as for a die.
    """

    ends: tuple[int | None, int | None]
    confidence: float
    alternatives: tuple[tuple[tuple[int, int], float], ...]
    box: Quad
    face_up: bool = True
    profile: str = ""

    @property
    def presence(self) -> float:
        """The probability that it is a piece at all, whatever it shows, 0..1."""
        return _presence(self.confidence, self.alternatives)

    @property
    def shown(self) -> tuple[int, int] | None:
        """Both ends; None unless it lies face up and both were read."""
        first, second = self.ends
        return None if first is None or second is None or not self.face_up else (first, second)

    @property
    def name(self) -> str:
        """The tile as a person writes it, first end first: "3-5", or "face down"."""
        return "face down" if self.shown is None else "{}-{}".format(*self.shown)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason to look again: at `Reading.dice[piece]`, at `Reading.tiles[tile]`, or without both at the whole photo."""

    reason: DoubtReason
    message: str
    piece: int | None = None
    tile: int | None = None

    @property
    def said(self) -> str:
        """The message with the number of its die or tile, from 1, for places that do not show the piece beside it."""
        if self.tile is not None:
            return f"Tile {self.tile + 1}: {self.message}"
        return self.message if self.piece is None else f"Die {self.piece + 1}: {self.message}"


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from one photo: the pieces in reading order (rows from the top, each left to right), and the doubts.

    `profiles`: the SHA-256 of each profile of people's own pieces that was in use, by its name.
    """

    photo: str
    sha256: str
    width: int
    height: int
    dice: tuple[Die, ...]
    doubts: tuple[Doubt, ...]
    models: Mapping[str, str]
    timings_ms: Mapping[str, float]
    tiles: tuple[Tile, ...] = ()
    profiles: Mapping[str, str] = field(default_factory=dict)

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
            "tiles": [_tile_to_json(tile) for tile in self.tiles],
            "doubts": [dataclasses.asdict(doubt) for doubt in self.doubts],
            "sure": self.sure,
            "models": dict(self.models),
            "timings_ms": {name: round(ms, 1) for name, ms in self.timings_ms.items()},
            "profiles": dict(self.profiles),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        """The reading that `to_json` wrote, now or in the first version, which had no profiles and no doubts about tiles.

        Unknown keys (such as `score`) are ignored.

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
            doubts=tuple(Doubt(d["reason"], d["message"], d["piece"], d.get("tile")) for d in data["doubts"]),
            models=dict(data["models"]),
            timings_ms=dict(data["timings_ms"]),
            profiles=dict(data.get("profiles", {})),
        )
        if reading.sure != data["sure"]:
            raise ValueError(f"'sure' is {data['sure']} but there are {len(reading.doubts)} doubts")
        return reading


def _quad(points: Any) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def _die_to_json(die: Die) -> dict[str, Any]:
    data = {
        "kind": die.kind,
        "value": die.value,
        "confidence": round(die.confidence, 4),
        "alternatives": [[value, round(p, 4)] for value, p in die.alternatives],
        "box": _box_to_json(die.box),
        "colour": die.colour,
        "profile": die.profile,
    }
    return {**data, "starter": die.starter} if die.kind == "d12" else data


def _tile_to_json(tile: Tile) -> dict[str, Any]:
    return {
        "ends": list(tile.ends),
        "confidence": round(tile.confidence, 4),
        "alternatives": [[list(ends), round(p, 4)] for ends, p in tile.alternatives],
        "box": _box_to_json(tile.box),
        "face_up": tile.face_up,
        "profile": tile.profile,
    }


def _box_to_json(box: Quad) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in box]


def _die_from_json(data: Mapping[str, Any]) -> Die:
    return Die(
        value=data["value"],
        confidence=data["confidence"],
        alternatives=tuple((value, p) for value, p in data["alternatives"]),
        box=_quad(data["box"]),
        colour=data["colour"],
        kind=data["kind"],
        starter=data.get("starter", False),
        profile=data.get("profile", ""),
    )


def _tile_from_json(data: Mapping[str, Any]) -> Tile:
    first, second = data["ends"]
    return Tile(
        ends=(first, second),
        confidence=data["confidence"],
        alternatives=tuple(((a, b), p) for (a, b), p in data["alternatives"]),
        box=_quad(data["box"]),
        face_up=data["face_up"],
        profile=data.get("profile", ""),
    )
