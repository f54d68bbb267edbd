"""The outlook of a live game for its page: streaks, the value of every choice, and the photo of the last move."""

from __future__ import annotations

from typing import Any

from api.store import StoredReading
from scorer.engine.record import Record


def outlook(record: Record, *, hands: bool) -> dict[str, Any]:
    """Streaks and advice, ready for `json.dumps`.

    Args:
        record: the game so far.
        hands: whether hands may be revealed.

    Returns:
        "lines" of the record, "streaks" (side, text) and "advice" (`Advice.to_json`; None if there is nothing to choose).
    """
    advice = None if record.result else record.game.advise(record.state, hands=hands)
    told = [{"side": side, "text": text} for side, text in record.game.streaks(record.state) if text]
    return {"lines": len(record.lines), "streaks": told, "advice": advice.to_json() if advice else None}


def reading_of_last(record: Record, readings: tuple[StoredReading, ...]) -> StoredReading | None:
    """The reading the last line was played from; None if it was typed or is an undo.

    Args:
        record: the game so far.
        readings: all readings of the game.
    """
    seen = record.entries[-1].seen if record.entries else None
    return next((kept for kept in reversed(readings) if dict(kept.reading) == seen), None) if seen else None
