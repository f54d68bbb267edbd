"""The watcher's input and output: frames in, rolls and changes of state out, as frozen values and as lines of JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from vision.photo import Pixels
from vision.reading import Die, Reading, Tile
from vision.watch.motion import Motion

State = Literal["empty", "rolling", "settled", "counted", "touched", "cleared"]
"""In this order: the table is bare; pieces move; nothing moves; the pieces have been counted; something, probably a hand, has
moved over counted pieces; the counted pieces have been taken away."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture of the table.

    Attributes:
        picture: its pixels, or a function that returns them: for most frames only `small` is needed.
        number: its number in the source.
        time: seconds from the source's start.
        small: the picture at the size of `motion.small_size`, if the source can make it faster than all pixels.
        motion: what has moved, if already computed (`Watcher.prepared`).
    """

    picture: Pixels | Callable[[], Pixels]
    number: int
    time: float
    small: Pixels | None = None
    motion: Motion | None = None

    @cached_property
    def pixels(self) -> Pixels:
        """H x W x 3, RGB."""
        return self.picture() if callable(self.picture) else self.picture


@dataclass(frozen=True, slots=True)
class Change:
    """The table entered another state with this frame, `time` seconds from the source's start."""

    state: State
    frame: int
    time: float

    def to_json(self) -> dict[str, Any]:
        """A line of events."""
        return {"type": "state", "state": self.state, "frame": self.frame, "time": round(self.time, 3)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Change:
        """The change that `to_json` wrote.

        Raises:
            KeyError: a documented key is missing.
        """
        return cls(data["state"], data["frame"], data["time"])


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the table. It keeps its `id` for as long as it can be distinguished from the others.

    `thrown`: whether it was thrown in this roll. Otherwise it is the same piece as before, unmoved or put in its place by a hand.
    """

    id: int
    piece: Die | Tile
    thrown: bool


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw that came to rest, read from several frames, once.

    `number` counts from 1; `frame` and `time` say when it came to rest, `counted_frame` and `counted_time` when there were
    enough samples to count it. `reading` has all pieces on the table, `pieces` its dice and then its tiles, in the same order.
    """

    number: int
    frame: int
    time: float
    counted_frame: int
    counted_time: float
    reading: Reading
    pieces: tuple[Piece, ...]

    @property
    def thrown(self) -> tuple[int, ...]:
        """The values of the dice that were thrown."""
        return tuple(each.piece.value for each in self.pieces if isinstance(each.piece, Die) and each.thrown)

    @property
    def still(self) -> tuple[int, ...]:
        """The values of the dice that were not thrown."""
        return tuple(each.piece.value for each in self.pieces if isinstance(each.piece, Die) and not each.thrown)

    @property
    def confidence(self) -> float:
        """The confidence of the least certain piece, 0..1."""
        return min(each.piece.confidence for each in self.pieces)

    def to_json(self) -> dict[str, Any]:
        """A line of events."""
        return {
            "type": "roll",
            "number": self.number,
            "frame": self.frame,
            "time": round(self.time, 3),
            "counted_frame": self.counted_frame,
            "counted_time": round(self.counted_time, 3),
            "values": list(self.reading.values),
            "thrown": list(self.thrown),
            "still": list(self.still),
            "tiles": [tile.name for tile in self.reading.tiles],
            "confidence": round(self.confidence, 4),
            "sure": self.reading.sure,
            "pieces": [{"id": each.id, "thrown": each.thrown} for each in self.pieces],
            "reading": self.reading.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Roll:
        """The roll that `to_json` wrote.

        Raises:
            KeyError: a documented key is missing.
            ValueError: the pieces are not as many as the reading has, or the reading contradicts itself.
        """
        reading = Reading.from_json(data["reading"])
        read: tuple[Die | Tile, ...] = (*reading.dice, *reading.tiles)
        pieces = tuple(
            Piece(each["id"], piece, each["thrown"]) for each, piece in zip(data["pieces"], read, strict=True)
        )
        return cls(
            number=data["number"],
            frame=data["frame"],
            time=data["time"],
            counted_frame=data["counted_frame"],
            counted_time=data["counted_time"],
            reading=reading,
            pieces=pieces,
        )
