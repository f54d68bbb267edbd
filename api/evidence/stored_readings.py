"""Compares readings.json, which no signature covers, with the lines of the record that were played from its readings.

A server stores every reading before it plays it, and a line keeps the reading as stored with the corrections made until then.
So what is stored may have more corrections than its lines, and never others.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from api.evidence.findings import Finding, Level
from api.evidence.throws import Line

Kept = Mapping[str, Any]
"""An entry of readings.json: "photo", "reading", "corrections" (a list), and "at"."""


def key_of(reading: object) -> str:
    """A key that is equal for equal readings."""
    try:
        return json.dumps(reading, sort_keys=True)
    except RecursionError:  # no reading
        return ""


def noted_corrections(line: Line) -> list[Any]:
    """The corrections that a line keeps of its reading."""
    found = (line.entry.corrected or {}).get("corrections")
    return found if isinstance(found, list) else []


def compare(lines: Sequence[Line], readings: Sequence[Kept], begun: str) -> Iterator[Finding]:
    """The differences between lines and stored readings.

    Args:
        lines: of the record.
        readings: all entries of readings.json.
        begun: when the game began, as its header says.
    """
    played: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if line.photo:
            played[line.photo].append(line)
    kept: dict[str, list[Kept]] = defaultdict(list)
    for each in readings:
        kept[each["photo"]].append(each)
    for photo, own in played.items():
        yield from _of_photo(own, kept[photo])
    yield from _before_the_game(readings, moment(begun))


def moment(text: object) -> datetime | None:
    """The moment that a text stands for; None if it cannot be compared."""
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None


def is_time(text: str) -> bool:
    """Whether a text is a time, in any time zone."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _of_photo(lines: Sequence[Line], kept: Sequence[Kept]) -> Iterator[Finding]:
    by_reading: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_reading[key_of(line.entry.seen)].append(line)
    same: dict[str, list[Kept]] = defaultdict(list)
    for each in kept:
        same[key_of(each.get("reading"))].append(each)
    fits = True
    for key, own in by_reading.items():
        wrong = list(_of_reading(own, same[key], there=bool(kept)))
        fits = fits and not any(finding.level == "wrong" for finding in wrong)
        yield from wrong
    known = {"", *(_digests(noted_corrections(line))[-1] for line in lines)}
    if fits and any(_digests(each["corrections"])[-1] not in known for each in kept):
        text = "its photo was corrected in a way that the record does not show."
        yield _finding("warning", "corrected-beside", lines[0], text)


def _of_reading(lines: Sequence[Line], kept: Sequence[Kept], *, there: bool) -> Iterator[Finding]:
    """The findings on one reading: its stored entries (`kept`), and whether anything is stored of its photo (`there`)."""
    first = lines[0]
    if not kept:
        # Only a server stores readings, and it also notes who moved.
        if not first.entry.by:
            return
        if there:
            yield _finding("wrong", "other-reading", first, "readings.json has another reading of its photo.")
        else:
            yield _finding("warning", "no-stored-reading", first, "readings.json has no reading of its photo.")
        return
    made = {digest for each in kept for digest in _digests(each["corrections"])}
    for line in lines:
        if _digests(noted_corrections(line))[-1] not in made:
            text = "readings.json has other corrections of its photo than the record."
            yield _finding("wrong", "other-corrections", line, text)
    times = [at for each in kept if (at := moment(each.get("at")))]
    written = moment(first.entry.at)
    if times and written and min(times) > written:
        text = f"readings.json says that its photo was read at {min(times).isoformat()}, after the line was written."
        yield _finding("warning", "reading-time", first, text)


def _digests(corrections: Sequence[object]) -> list[str]:
    """Digests of every prefix of the corrections, the empty one first: lists that begin alike share the first digests."""
    found = [""]
    for each in corrections:
        found.append(hashlib.sha256(f"{found[-1]} {key_of(each)}".encode()).hexdigest())
    return found


def _before_the_game(readings: Sequence[Kept], begun: datetime | None) -> Iterator[Finding]:
    early = [at for each in readings if (at := moment(each.get("at"))) and begun and at < begun]
    if early:
        text = f"readings.json says that a photo was read at {min(early).isoformat()}, before the game began."
        yield Finding("warning", "reading-time", text)


def _finding(level: Level, code: str, line: Line, text: str) -> Finding:
    return Finding(level, code, f"Line {line.number}: {text}", line.number)
