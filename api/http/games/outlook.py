"""How a live game looks from here, for its page: streaks, what everything to do now is worth, and the photo of the last move."""

from __future__ import annotations

from typing import Any

from api.store import StoredReading
from scorer.engine.record import Record


def outlook(record: Record, *, hands: bool) -> dict[str, Any]:
    """What the table talks about between two moves, ready for `json.dumps`.

    Args:
        record: the game so far.
        hands: whether it may tell what a player holds in his hand.

    Returns:
        "lines" of the record, "streaks" (side, text) and "advice" (`Advice.to_json`; None where there is nothing to choose).
    """
    advice = None if record.result else record.game.advise(record.state, hands=hands)
    told = [{"side": side, "text": text} for side, text in record.game.streaks(record.state) if text]
    return {"lines": len(record.lines), "streaks": told, "advice": advice.to_json() if advice else None}


def reading_of_last(record: Record, readings: tuple[StoredReading, ...]) -> StoredReading | None:
    """The reading that the last line was played from; None if it was typed, or takes a move back.

    Args:
        record: the game so far.
        readings: all that were made for it.
    """
    seen = record.entries[-1].seen if record.entries else None
    return next((kept for kept in reversed(readings) if dict(kept.reading) == seen), None) if seen else None
