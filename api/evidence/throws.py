"""A record line by line, as the evidence tells it: the move, what the camera saw, what it brought about, the head after it.

A line that was read from a photo holds the reading as `vision.reading.Reading.to_json` writes it, in "seen"; "sha256" in
it is the hash of the photo that is kept (`api.evidence.place` says what that photo is).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from pydantic import ValidationError

from api.interpret import schemas
from scorer.engine.game import Event
from scorer.engine.record import Entry, Record
from vision.reading import Reading

_MOST_PIECES = 200
_LONGEST_TEXT = 1000
_LARGEST_SIDE = 100_000
"""Pixels."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record after its header.

    Attributes:
        number: of the line, counted from 1; the header is line 1.
        entry: what it says.
        state: the game as it stood before.
        events: what it brought about; nothing for an undo.
        head: the hash of the line.
        closing: the hash of the closing line behind it, if the game was over.
        reading: what the camera saw; None where nothing was seen, or what is written there is no reading.
        undone_by: the number of the line that took it back; 0 if it stands.
        same_as: the number of the first line with the same reading, which may be this one; 0 where nothing was read.
    """

    number: int
    entry: Entry
    state: Any
    events: tuple[Event, ...]
    head: str
    closing: str
    reading: Reading | None
    undone_by: int = 0
    same_as: int = 0

    @property
    def photo(self) -> str:
        """The SHA-256 of the photo; empty if there is none."""
        return self.reading.sha256 if self.reading else ""

    @property
    def inferred(self) -> bool:
        """Whether the move is what a watching camera took for the likeliest, by what followed."""
        return self.entry.inferred

    @property
    def watched(self) -> str:
        """The frame and time of the film that showed the move or bore it out, as words; empty where none is named."""
        match self._beside.get("watched"):
            case {"frame": int(frame), "time": int() | float() as time}:
                return f"frame {frame}, {time} s"
        return ""

    @property
    def by_hand(self) -> dict[str, Any]:
        """What a person changed or confirmed: all that is noted beside the move, but what a watching camera notes."""
        camera = {"inferred": self.inferred, "watched": self.watched}
        return {name: each for name, each in self._beside.items() if not camera.get(name)}

    @property
    def _beside(self) -> Mapping[str, Any]:
        return self.entry.corrected or {}


def lines_of(record: Record) -> list[Line]:
    """Every line but the header and the closing ones, in order."""
    return _first_readings(_taken_back(list(_told(record))))


def _told(record: Record) -> Iterator[Line]:
    now = Record.begin(record.header)
    for entry in record.entries:
        after = now.undo(at=entry.at) if entry.move is None else now.play(entry.move, at=entry.at)
        own, last = len(now.lines), len(after.lines) - 1
        yield Line(
            number=own + 1,
            entry=entry,
            state=now.state,
            events=after.events,
            head=hash_of(record.lines[own]),
            closing=hash_of(record.lines[last]) if last > own else "",
            reading=reading_of(entry.seen),
        )
        now = after


def _taken_back(lines: list[Line]) -> list[Line]:
    standing: list[int] = []
    gone: dict[int, int] = {}
    for line in lines:
        if line.entry.move is None:
            gone[standing.pop()] = line.number
        else:
            standing.append(line.number)
    return [replace(line, undone_by=gone.get(line.number, 0)) for line in lines]


def _first_readings(lines: list[Line]) -> list[Line]:
    first: dict[str, int] = {}
    return [
        replace(line, same_as=first.setdefault(json.dumps(line.entry.seen, sort_keys=True), line.number))
        if line.reading
        else line
        for line in lines
    ]


def by_camera(line: Line) -> str:
    """How a watching camera came by the move, as a phrase; empty where none did."""
    if not line.inferred and not line.watched:
        return ""
    how = "inferred from what followed" if line.inferred else "seen by a watching camera"
    return f"{how} ({line.watched})" if line.watched else how


def hash_of(line: str) -> str:
    """The hash at the end of a line that was checked."""
    return line[-66:-2]


def reading_of(seen: object) -> Reading | None:
    """The reading in such an object; None if it is none, or one that no camera makes.

    Records come from anybody, so everything is checked before it is drawn: types, places in the picture, lengths.
    """
    if not isinstance(seen, Mapping):
        return None
    try:
        schemas.Answer.model_validate_json(json.dumps({**seen, "score": None}), strict=True)
        reading = Reading.from_json(seen)
    except (ValidationError, KeyError, TypeError, ValueError, RecursionError):
        return None
    return reading if _is_possible(reading) else None


def _is_possible(reading: Reading) -> bool:
    boxes = [*(die.box for die in reading.dice), *(tile.box for tile in reading.tiles)]
    if len(boxes) > _MOST_PIECES or len(reading.doubts) > _MOST_PIECES:
        return False
    sides = (reading.width, reading.height)
    texts = (reading.photo, *(doubt.message for doubt in reading.doubts), *(die.colour for die in reading.dice))
    return (
        all(0 < side <= _LARGEST_SIDE for side in sides)
        and all(len(text) <= _LONGEST_TEXT for text in texts)
        and all(_is_near(point, sides) for box in boxes for point in box)
    )


def _is_near(point: tuple[float, float], sides: tuple[int, int]) -> bool:
    return all(isfinite(x) and -side <= x <= 2 * side for x, side in zip(point, sides, strict=True))


def plain(value: Any, deep: int = 4) -> str:
    """A value of JSON as people read it: an object as "name value, name value"; what lies deeper is left out."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(each, deep - 1)}" for name, each in value.items()) if deep else "…"
    if isinstance(value, (list, tuple)):
        return " ".join(plain(each, deep - 1) for each in value) if deep else "…"
    return str(value)
