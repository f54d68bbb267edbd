"""The places of the pieces on the table in the picture they were read from, so that an overlay does not cover them."""

from __future__ import annotations

from typing import Any

from api.evidence.throws import reading_of, standing_from_last
from api.interpret.corrections import InvalidCorrection, corrected
from scorer.engine.record import Entry, Record
from vision.reading import Die, Quad, Reading, Tile

_DIGITS = 4
"""Decimals of a share: a ten thousandth of a picture is less than a pixel of a film."""


def places(record: Record) -> dict[str, Any] | None:
    """The places of the pieces after the last throw, roll or tile; only their places, not their values.

    Returns:
        "aspect" (width of the picture by its height) and "boxes": left, top, right and bottom of each piece, as shares of the
        picture's width and height. None if the throw was typed, or nothing is face up.
    """
    for _, entry in standing_from_last(record):
        if entry.move is None or not record.game.laid_by(entry.move):
            continue
        reading = None if entry.move.verb in record.game.hidden_verbs else _as_said(entry)
        return _as_json(reading) if reading else None
    return None


def _as_said(entry: Entry) -> Reading | None:
    """The reading behind a move, with the pieces that a person added."""
    reading = reading_of(entry.seen)
    if reading is None:
        return None
    try:
        return corrected(reading, (entry.corrected or {}).get("corrections", ()))
    except InvalidCorrection:
        return reading


def _as_json(reading: Reading) -> dict[str, Any]:
    both: tuple[Die | Tile, ...] = (*reading.dice, *reading.tiles)
    return {
        "aspect": round(reading.width / reading.height, _DIGITS),
        "boxes": [_shares(piece.box, reading.width, reading.height) for piece in both],
    }


def _shares(box: Quad, width: int, height: int) -> list[float]:
    """The part of the picture that a piece takes, cut off at the edges."""
    across, down = [x / width for x, _ in box], [y / height for _, y in box]
    return [round(min(max(each, 0.0), 1.0), _DIGITS) for each in (min(across), min(down), max(across), max(down))]
