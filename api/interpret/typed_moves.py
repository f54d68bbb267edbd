"""What people type at a table, as moves of a game: the terminal and HTTP take the same words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from scorer.engine.game import Event, Move, Seen
from scorer.engine.record import Record, RecordError
from scorer.errors import MoveError

_DICE = re.compile(r"\d{1,4}([\s,-]+\d{1,4})*")
_TILES = re.compile(r"\d-\d([\s,]+\d-\d)*")


def seen_in(record: Record, text: str) -> Seen | None:
    """Bare dice or tiles as what lies on the table; None where the text is something else.

    Of a first throw of Cribbage Dice the first die is the starter.

    Raises:
        MoveError: "unreadable-move": dice that no tiles are.
    """
    if not (_DICE.fullmatch(text) or _TILES.fullmatch(text)):
        return None
    words = re.split(r"[\s,]+", text) if record.game.kind == "domino" else re.findall(r"\d+", text)
    try:
        return record.game.seen_as_typed(record.state, tuple(words))
    except ValueError as error:
        raise MoveError("unreadable-move", f"It cannot be read: {error}.") from error


def written(record: Record, text: str) -> Move:
    """The move that is written so; its dice and tiles may come in any order.

    Raises:
        MoveError: "unreadable-move". Whether the move is legal is not asked.
    """
    move = Move.parse(text)
    legal = record.game.legal_moves(record.state)
    if move in legal or record.game.why_not(record.state, move).code != "unsorted":
        return move
    # Where the starter's value comes first, it stays there.
    orders = ((*move.numbers[:1], *sorted(move.numbers[1:])), tuple(sorted(move.numbers)))
    ordered = [Move(move.verb, numbers, tuple(sorted(move.tiles))) for numbers in orders]
    return next((each for each in ordered if each in legal), move)


def after(
    record: Record,
    moves: Sequence[Move],
    *,
    seen: Mapping[str, Any] | None = None,
    corrected: Mapping[str, Any] | None = None,
) -> Record:
    """The record with these moves played now, and all that they brought about as its events.

    Args:
        record: the game so far.
        moves: in turn.
        seen: what the camera saw, as JSON.
        corrected: what a person changed of it or confirmed, or that a camera inferred the move.

    Raises:
        IllegalMove: with the reason and the rule that it breaks.
    """
    events: tuple[Event, ...] = ()
    for move in moves:
        record = record.play(move, at=now(), seen=seen, corrected=corrected)
        events = (*events, *record.events)
    return replace(record, events=events)


def check_shown(names: Sequence[str]) -> None:
    """Refuse names that no screen can show.

    Raises:
        RecordError: "bad-names".
    """
    if not all(name.isprintable() for name in names):
        raise RecordError("bad-names", "A name holds something that cannot be shown: write it in letters.")


def now() -> str:
    """The time of day here, ISO 8601, to the second."""
    return datetime.now().astimezone().isoformat(timespec="seconds")
