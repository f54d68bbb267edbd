"""A record line by line: the move, the camera's reading, the events, and the head after it.

A line played from a photo has the reading in "seen", as from `vision.reading.Reading.to_json`; its "sha256" is the hash of
the stored photo (see `api.evidence.place`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from pydantic import ValidationError

from api.evidence.provenance import Provenance, by_hand, camera_notes, is_by_camera, provenance
from api.interpret import schemas
from scorer.engine.game import Event
from scorer.engine.record import Entry, Record
from scorer.pieces.text import listed
from vision.reading import Reading

_MOST_PIECES = 200
_LONGEST_TEXT = 1000
_LARGEST_SIDE = 100_000
"""The largest side of a photo, in pixels."""
_FRAME = re.compile(r"frame \d+")
"""How `muggins watch` names what it read."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a record after its header.

    Attributes:
        number: of the line; the header is line 1.
        entry: its contents.
        state: the game before it.
        player: who made the move, or whose move was undone; None if nobody was to act.
        events: of the move; none for an undo.
        head: the hash of the line.
        closing: hash of the closing line after it, if the game was over.
        reading: of the camera; None without one, or if it is invalid.
        undone_by: number of the line that undid it; 0 if not undone.
        same_as: number of the first line with the same reading, possibly this one; 0 without a reading.
    """

    number: int
    entry: Entry
    state: Any
    player: int | None
    events: tuple[Event, ...]
    head: str
    closing: str
    reading: Reading | None
    undone_by: int = 0
    same_as: int = 0

    @property
    def photo(self) -> str:
        """SHA-256 of the photo; empty without one."""
        return self.reading.sha256 if self.reading else ""

    @property
    def of_a_film(self) -> bool:
        """Whether `muggins watch` read it from a film or camera: it keeps no pictures; a server does, and notes who moved."""
        return bool(self.reading and not self.entry.by and self.watched and _FRAME.fullmatch(self.reading.photo))

    @property
    def provenance(self) -> Provenance:
        """Where the move comes from."""
        return provenance(self.entry)

    @property
    def inferred(self) -> bool:
        """Whether the line says that a watching camera inferred the move from later rolls."""
        return self.entry.inferred

    @property
    def watched(self) -> str:
        """Frame and time in the film that shows or confirms the move, according to the line, as text; empty without one."""
        return str(camera_notes(self.entry)["watched"])

    @property
    def by_hand(self) -> dict[str, Any]:
        """Corrections and confirmations by a person."""
        return by_hand(self.entry)


def lines_of(record: Record) -> list[Line]:
    """Every line except header and closing lines, in order."""
    return _first_readings(_taken_back(list(_told(record))))


_CLOSING = '{"end":'


def line_numbers(record: Record) -> list[int]:
    """The number of the line of each entry. A closing line follows the move that ends the game, and has no entry."""
    return [number for number, line in enumerate(record.lines[1:], start=2) if not line.startswith(_CLOSING)]


def standing(record: Record) -> list[tuple[int, Entry]]:
    """The moves that were not undone, with the numbers of their lines."""
    return still_standing(zip(line_numbers(record), record.entries, strict=True))


def standing_from_last(record: Record) -> Iterator[tuple[int, Entry]]:
    """The moves that were not undone, the last first; lazy, because a long game is appended to often."""
    numbers = (at for at in range(len(record.lines), 1, -1) if not record.lines[at - 1].startswith(_CLOSING))
    undone = 0
    for number, entry in zip(numbers, reversed(record.entries), strict=True):
        if entry.move is None:
            undone += 1
        elif undone:
            undone -= 1
        else:
            yield number, entry


def still_standing(entries: Iterable[tuple[int, Entry]]) -> list[tuple[int, Entry]]:
    """Those of numbered entries that are moves and were not undone."""
    found: list[tuple[int, Entry]] = []
    for number, entry in entries:
        if entry.move is None:
            found.pop()
        else:
            found.append((number, entry))
    return found


def _told(record: Record) -> Iterator[Line]:
    now = Record.begin(record.header)
    for entry in record.entries:
        after = now.undo(at=entry.at) if entry.move is None else now.play(entry.move, at=entry.at)
        own, last = len(now.lines), len(after.lines) - 1
        yield Line(
            number=own + 1,
            entry=entry,
            state=now.state,
            player=after.state.to_act if entry.move is None else now.state.to_act,
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
    """How a watching camera found the move, as a phrase; empty if no camera did."""
    if not line.inferred and not line.watched:
        return ""
    how = "inferred from what followed" if line.inferred else "seen by a watching camera"
    claimed = "" if is_by_camera(line.entry) else "claimed to be "
    return f"{claimed}{how} ({line.watched})" if line.watched else f"{claimed}{how}"


def lines_named(lines: Sequence[Line]) -> str:
    """Such as "line 4", "lines 4 and 6" or "no line"."""
    numbers = listed([str(line.number) for line in lines])
    return f"line{'s' if len(lines) > 1 else ''} {numbers}" if lines else "no line"


def hash_of(line: str) -> str:
    """The final hash of the line."""
    return line[-66:-2]


def reading_of(seen: object) -> Reading | None:
    """Parse a reading; None if it is invalid or impossible.

    Records are untrusted, so types, positions and lengths are checked before anything is drawn.
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
    """A JSON value as text: an object as "name value, name value"; nested values are left out."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(each, deep - 1)}" for name, each in value.items()) if deep else "…"
    if isinstance(value, (list, tuple)):
        return " ".join(plain(each, deep - 1) for each in value) if deep else "…"
    return str(value)
