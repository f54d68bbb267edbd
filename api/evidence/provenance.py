"""Where a move comes from, as its line of the record says.

Only a camera with a token of its own has watched or inferred anything: the server writes which camera it was. What a player's
phone, or a record written elsewhere, says about a camera is a claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from scorer.engine.record import Entry

Provenance = Literal["photo", "corrected", "watched", "inferred", "claimed", "typed", "undo"]
"""photo: as the photo was read. corrected: from a photo, with a person's correction, confirmation or move instead.
watched, inferred: a camera saw it, or inferred it from what followed. claimed: said to be one of these. typed: no photo.
"""
_BY_CAMERA = ("watched", "inferred")


def provenance(entry: Entry) -> Provenance:
    """Where the move of a line comes from."""
    if entry.move is None:
        return "undo"
    if not any(camera_notes(entry).values()):
        if not entry.seen:
            return "typed"
        return "corrected" if by_hand(entry) else "photo"
    if not is_by_camera(entry):
        return "claimed"
    return "inferred" if entry.inferred else "watched"


def is_by_camera(entry: Entry) -> bool:
    """Whether the server names a camera as the sender."""
    return isinstance((entry.by or {}).get("camera"), str)


def seats_named(seats: object, names: Sequence[str]) -> list[str]:
    """The names of these seats; records are untrusted, so numbers that are none are left out."""
    numbers = seats if isinstance(seats, list) else []
    return [names[seat] for seat in numbers if type(seat) is int and 0 <= seat < len(names)]


def moved_for(entry: Entry, names: Sequence[str]) -> tuple[tuple[str, ...], str] | None:
    """The players of a phone, and the other player whose move it made; None if it did not make one for another."""
    by = entry.by or {}
    if entry.move is None or "camera" in by or "device" not in by:
        return None
    others = seats_named([by.get("for")], names)
    return (tuple(seats_named(by.get("seats"), names)), others[0]) if others else None


def camera_notes(entry: Entry) -> dict[str, Any]:
    """What the line says about a camera: "inferred" (bool) and "watched" (frame and time as text, or empty)."""
    return {"inferred": entry.inferred, "watched": _watched(entry.corrected or {})}


def by_hand(entry: Entry) -> dict[str, Any]:
    """Corrections and confirmations by a person: everything noted except what is about a camera."""
    notes = camera_notes(entry)
    return {name: each for name, each in (entry.corrected or {}).items() if not notes.get(name)}


def _watched(corrected: Mapping[str, Any]) -> str:
    match corrected.get("watched"):
        case {"frame": int(frame), "time": int() | float() as time}:
            return f"frame {frame}, {time} s"
    return ""
