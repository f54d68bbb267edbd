"""Whether the list of readings is whole, and fits the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.evidence.bundle import READINGS
from api.evidence.checks.contents import Contents
from api.evidence.findings import Finding
from api.evidence.stored_readings import compare
from api.evidence.throws import Line


def check_readings(contents: Contents, lines: Sequence[Line], begun: str) -> Iterator[Finding]:
    """Whether the list of readings is whole, and fits the record."""
    if READINGS not in contents.archive:
        # Only a server stores readings, and it also notes who moved.
        if any(line.photo and line.entry.by for line in lines):
            text = f"{READINGS} is missing from the zip: it says how people corrected what was read."
            yield Finding("warning", "no-readings", text)
        return
    found = contents.parsed(READINGS)
    if not isinstance(found, list):
        yield Finding("wrong", "readings", f"{READINGS} is torn or damaged: what was read beside the record is lost.")
    elif contents.readings_repeat_a_name:
        text = f"{READINGS} has two values for the same name: programs differ in which one they show."
        yield Finding("wrong", "readings", text)
    elif len(contents.readings) < len(found):
        lost = len(found) - len(contents.readings)
        text = f"{lost} of {len(found)} entries of {READINGS} are no readings, or more than are looked at."
        yield Finding("wrong", "readings", text)
    else:
        yield from compare(lines, contents.readings, begun)
