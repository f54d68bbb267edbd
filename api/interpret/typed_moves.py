"""Parses typed moves; the same syntax in the terminal and over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from unicodedata import normalize

from scorer.engine.game import Event, Move, Seen
from scorer.engine.record import Record, RecordError
from scorer.errors import MoveError

_DICE = re.compile(r"\d{1,4}([\s,-]+\d{1,4})*")
LONGEST_PLAYER_NAME = 40
"""Characters that the pages, the overlay and films have room for."""
_TILES = re.compile(r"\d-\d([\s,]+\d-\d)*")


def seen_in(record: Record, text: str) -> Seen | None:
    """Parse bare dice or tiles; None if the text is something else.

    In a first throw with a starter die the first die is the starter.

    Raises:
        MoveError: "unreadable-move": dice where tiles are needed.
    """
    if not (_DICE.fullmatch(text) or _TILES.fullmatch(text)):
        return None
    words = re.split(r"[\s,]+", text) if record.game.kind == "domino" else re.findall(r"\d+", text)
    try:
        return replace(record.game.seen_as_typed(record.state, tuple(words)), typed=True)
    except ValueError as error:
        raise MoveError("unreadable-move", f"Invalid tiles: {error}.") from error


def written(record: Record, text: str) -> Move:
    """Parse a move; its dice and tiles may be in any order.

    Raises:
        MoveError: "unreadable-move". Legality is not checked.
    """
    move = Move.parse(text)
    legal = record.game.legal_moves(record.state)
    if move in legal or record.game.why_not(record.state, move).code != "unsorted":
        return move
    # A starter in first place stays there.
    orders = ((*move.numbers[:1], *sorted(move.numbers[1:])), tuple(sorted(move.numbers)))
    ordered = [Move(move.verb, numbers, tuple(sorted(move.tiles))) for numbers in orders]
    return next((each for each in ordered if each in legal), move)


def after(
    record: Record,
    moves: Sequence[Move],
    *,
    seen: Mapping[str, Any] | None = None,
    corrected: Mapping[str, Any] | None = None,
    by: Callable[[Record], Mapping[str, Any]] | None = None,
) -> Record:
    """The record with these moves played now, all at one moment, and their events.

    Args:
        record: the game so far.
        moves: in order.
        seen: the camera's reading, as JSON.
        corrected: a person's corrections or confirmation, or a camera's inference.
        by: says of the record before each move who makes it.

    Raises:
        IllegalMove: with the reason and the rule.
    """
    events: tuple[Event, ...] = ()
    at = now()
    for move in moves:
        record = record.play(move, at=at, seen=seen, corrected=corrected, by=by(record) if by else None)
        events = (*events, *record.events)
    return replace(record, events=events)


def check_shown(names: Sequence[str]) -> None:
    """Refuse names with unprintable characters, names too long to show, and names that look the same.

    Records that were begun before may have them.

    Raises:
        RecordError: "bad-names".
    """
    if not all(_visible(name).isprintable() for name in names):
        raise RecordError("bad-names", "A name contains unprintable characters. Use letters.")
    if long := next((name for name in names if len(name) > LONGEST_PLAYER_NAME), None):
        text = f"Names have up to {LONGEST_PLAYER_NAME} characters, {long[:LONGEST_PLAYER_NAME]}… has {len(long)}. Shorten it."
        raise RecordError("bad-names", text)
    if not all(_folded(name) for name in names) or len({_folded(name) for name in names}) != len(names):
        raise RecordError("bad-names", "Every player needs a name, and no two the same.")


_JOINERS = str.maketrans(dict.fromkeys("\u200c\u200d"))
"""Invisible characters that control whether the letters beside them join, in Persian and Hindi and in combined emoji."""


def _visible(name: str) -> str:
    return name.translate(_JOINERS)


def _folded(name: str) -> str:
    """A name without barely visible differences: how its accents are stored, wide letters, capitals, joiners."""
    return normalize("NFKC", normalize("NFKC", _visible(name).strip()).casefold())


def now() -> str:
    """The local time, ISO 8601, to the second."""
    return datetime.now().astimezone().isoformat(timespec="seconds")
