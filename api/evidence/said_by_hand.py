"""What a person corrected or confirmed, in words, for readers of a report. Pieces are counted from 1, as on the pages.

The notes of a record are untrusted: what has no known form is shown unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from api.evidence.reuse import ELSEWHERE, PHOTO_AGAIN, PHOTO_ELSEWHERE, PHOTO_OLD
from api.evidence.throws import plain
from scorer.pieces.text import listed

_CONFIRMED = {
    "unsure-reading": "What was in doubt was confirmed.",
    "nothing-thrown": "It was confirmed that the dice were thrown, though they lay as before.",
    PHOTO_AGAIN: "It was confirmed that the photo counts once more.",
    PHOTO_OLD: "It was confirmed that the photo counts, though it says that it is older than the game's last move.",
    PHOTO_ELSEWHERE: "It was confirmed that the photo counts here, too.",
}
_TOLD = {
    "said": "The move was said: {}.",
    "again_of": "The photo was looked at again, closer, and that reading was used.",
    "taken": "The photo says that it was taken at {}.",
    ELSEWHERE: "Another game had played this throw on {}.",
}
"""Sentences by the name of a note whose value is text."""
_ONE = {"dice": "die", "tiles": "tile"}


def in_words(notes: Mapping[str, Any]) -> Iterator[str]:
    """What the notes of a line of a record say (`Line.by_hand`), a sentence each."""
    for name, value in notes.items():
        if name == "corrections" and isinstance(value, list):
            yield from map(corrected, value)
        elif name == "confirmed" and isinstance(value, str):
            yield _CONFIRMED.get(value, f"Confirmed despite the doubt “{value}”.")
        elif name in _TOLD and isinstance(value, str):
            yield _TOLD[name].format(value)
        elif name == "first" and isinstance(value, Mapping):
            yield _first_look(value)
        else:
            yield plain({name: value})


def corrected(correction: Any) -> str:
    """One correction, in a sentence."""
    match correction:
        case {"change": {"die": int(at), "value": int(value), **more}}:
            return f"Die {at + 1} shows {value}{', and is the starter' if more.get('starter') else ''}."
        case {"change": {"tile": int(at), "ends": [int(one), int(other)]}}:
            return f"Tile {at + 1} shows {one}-{other}."
        case {"add": {"kind": "domino", "ends": [int(one), int(other)]}}:
            return f"One tile more shows {one}-{other}."
        case {"add": {"kind": "d6" | "d12", "value": int(value), **more}}:
            return f"One die more shows {value}{', and is the starter' if more.get('starter') else ''}."
        case {"remove": {"die": int(at)}}:
            return f"Die {at + 1} is none, or does not count."
        case {"remove": {"tile": int(at)}}:
            return f"Tile {at + 1} is none, or does not count."
    return plain(correction)


def _first_look(read: Mapping[str, Any]) -> str:
    """What the first reading had, where the closer one was used."""
    phrases = [_read(name, read[name]) for name in ("dice", "tiles") if name in read]
    if read.keys() <= {"dice", "tiles"} and all(phrases):
        return f"The first look read {' and '.join(phrases) or 'nothing'}."
    return plain({"first": read})


def _read(kind: str, pieces: object) -> str:
    """Such as "the dice 1 and 5"; empty if they are not values or names."""
    if not isinstance(pieces, list) or not pieces or not all(isinstance(each, (int, str)) for each in pieces):
        return ""
    return f"the {_ONE[kind] if len(pieces) == 1 else kind} {listed([str(each) for each in pieces])}"
