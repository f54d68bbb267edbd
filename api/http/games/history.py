"""The history of a live game for its pages: every line, as one token may see it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from api.evidence.provenance import provenance
from api.evidence.throws import hash_of, line_numbers
from api.http.games import export, makers
from api.http.games.visibility import Visibility, hides_hands
from api.store import StoredGame, StoredReading
from scorer.engine.record import Entry, Record


def history(game: StoredGame, visibility: Visibility, readings: Sequence[StoredReading]) -> dict[str, Any]:
    """The lines and the hashes of the record, ready for `json.dumps`.

    Args:
        game: as it stands.
        visibility: of who asks.
        readings: all of the game.
    """
    record = game.record
    known = {_key(export.as_read(kept)): kept for kept in readings}
    seats = _seats(record)
    undone = _undone(record)
    lines = [
        _line(game, visibility, entry, seat, known) | {"line": number, "undone_by": undone.get(number)}
        for number, entry, seat in zip(line_numbers(record), record.entries, seats, strict=True)
    ]
    return {"lines": lines, "hashes": [hash_of(line) for line in record.lines]}


def _line(
    game: StoredGame, visibility: Visibility, entry: Entry, seat: int | None, known: Mapping[str, StoredReading]
) -> dict[str, Any]:
    hidden = (
        entry.move is not None
        and hides_hands(game)
        and entry.move.verb in game.record.game.hidden_verbs
        and not visibility.hand(game, seat)
    )
    kept = known.get(_key(entry.seen)) if entry.seen else None
    return {
        "at": entry.at,
        "move": None if entry.move is None or hidden else str(entry.move),
        "hidden": hidden,
        "player": None if entry.move is None else seat,
        "how": provenance(entry),
        "by": makers.shown(entry.by),
        "reading": kept.id if kept and not hidden and visibility.reading(game, kept) else None,
    }


def _seats(record: Record) -> list[int | None]:
    """The player to act before each entry."""
    game, seats = record.game, []
    states = [record.history[0]]
    for entry in record.entries:
        seats.append(states[-1].to_act)
        if entry.move is None:
            states.pop()
        else:
            states.append(game.follow(states[-1], entry.move).state)
    return seats


def _undone(record: Record) -> dict[int, int]:
    """The lines that were undone, with the lines that undid them."""
    standing: list[int] = []
    undone: dict[int, int] = {}
    for number, entry in zip(line_numbers(record), record.entries, strict=True):
        if entry.move is None:
            undone[standing.pop()] = number
        else:
            standing.append(number)
    return undone


def _key(seen: Mapping[str, Any] | None) -> str:
    return json.dumps(seen, sort_keys=True)
