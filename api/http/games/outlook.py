"""How a live game looks from here, for its page: streaks, what everything to do now is worth, and the photo of the last move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from api.store import StoredReading
from scorer.engine.record import Record
from scorer.games.crib_dice import odds as crib_dice
from scorer.games.crib_dice.throws import DICE as SEVEN
from scorer.games.cribbage_dice import odds as cribbage_dice
from scorer.games.cribbage_dice.state import ROLLS
from scorer.games.domino_cribbage import odds as domino_cribbage
from scorer.games.farkle_crib import odds as farkle_crib
from scorer.games.farkle_crib.state import Phase
from scorer.odds.advice import Advice


def outlook(record: Record, *, hands: bool) -> dict[str, Any]:
    """What the table talks about between two moves, ready for `json.dumps`.

    Args:
        record: the game so far.
        hands: whether it may tell what a player holds in his hand.

    Returns:
        "lines" of the record, "streaks" (side, text) and "advice" (`Advice.to_json`; None where there is nothing to choose).
    """
    advice = None if record.result else _ADVICE[record.header.game](record.state, hands)
    streaks = _STREAKS.get(record.header.game, lambda _: [])(record.state)
    told = [{"side": side, "text": text} for side, text in streaks if text]
    return {"lines": len(record.lines), "streaks": told, "advice": advice.to_json() if advice else None}


def reading_of_last(record: Record, readings: tuple[StoredReading, ...]) -> StoredReading | None:
    """The reading that the last line was played from; None if it was typed, or takes a move back.

    Args:
        record: the game so far.
        readings: all that were made for it.
    """
    seen = record.entries[-1].seen if record.entries else None
    return next((kept for kept in reversed(readings) if dict(kept.reading) == seen), None) if seen else None


# Streaks: a text a side


def _wipeouts(state: Any) -> list[tuple[int, str]]:
    return [(number, _wiped_out(side)) for number, side in enumerate(state.sides)]


def _wiped_out(side: Any) -> str:
    streak = _in_a_row(side.streak, "wipeout")
    return ", ".join(filter(None, (streak, "fuchled" if side.fuchled and not side.out else "")))


def _farkles(state: Any) -> list[tuple[int, str]]:
    return [(player, _in_a_row(count, "farkle")) for player, count in enumerate(state.farkles)]


def _in_a_row(count: int, what: str) -> str:
    return "" if not count else f"1 {what}" if count == 1 else f"{count} {what}s in a row"


_STREAKS: Mapping[str, Callable[[Any], list[tuple[int, str]]]] = {"crib-dice": _wipeouts, "farkle-crib": _farkles}


# Advice


def _crib_dice(state: Any, _: bool) -> Advice | None:
    turn = state.turn
    moments: dict[str, tuple[tuple[int, int] | None, tuple[int, ...]]] = {
        "throw": (None, ()),
        "choose": (None, turn.dice),
        "freeze": ((turn.point, turn.frozen), turn.dice),
        "safe": ((turn.point, turn.frozen), ()),
        "piddle": ((turn.point, turn.frozen), ()),
        "seven": ((turn.point, SEVEN), ()),
    }
    if state.phase not in moments:
        return None
    advice = crib_dice.advise(state.rules, turn.banked, *moments[state.phase])
    if state.may_bomb:
        return advice
    # Whoever leads has nobody to exchange pegs with.
    return replace(advice, alternatives=tuple(each for each in advice.alternatives if each.move != "bomb"))


def _farkle_crib(state: Any, _: bool) -> Advice | None:
    if state.phase not in (Phase.THROW, Phase.KEEP, Phase.GO_ON):
        return None
    return farkle_crib.advise(state.rules, state.turn.points, state.turn.dice, state.turn.thrown)


def _cribbage_dice(state: Any, _: bool) -> Advice | None:
    turn = state.turn
    if state.phase not in ("decide", "discard"):
        return None
    return cribbage_dice.advise(state.rules, turn.starter, turn.others, ROLLS - turn.rolls, turn.locked)


def _domino_cribbage(state: Any, hands: bool) -> Advice | None:
    if state.phase != "discard" or not hands:
        return None
    return domino_cribbage.discard(state.rules, state.hands[state.turn], dealer=state.turn == state.dealer)


_ADVICE: Mapping[str, Callable[[Any, bool], Advice | None]] = {
    "crib-dice": _crib_dice,
    "farkle-crib": _farkle_crib,
    "cribbage-dice": _cribbage_dice,
    "domino-cribbage": _domino_cribbage,
}
