"""How a game went, told once it is over: the score after every turn, the best turn and throw, and the points above what
best play brings on average.

Points are those of the board: what is banked, by side. A turn is what one player does until it is another's move.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from scorer.engine.game import CONTESTS, Event
from scorer.engine.record import Record
from scorer.engine.snapshot import named


def story(record: Record) -> dict[str, Any]:
    """The game as a curve and its best moments, ready for `json.dumps`.

    Returns:
        "sides" (side, names), "turns" (player, and the scores by side after it, in the order of "sides"), "best_turn" and
        "best_throw" (text, player and points of the event that banked, or added to, the most points; None without any), and
        "luck" (by side: turns, points, and "above": points above those that best play brings on average in as many turns,
        rounded; None where the odds of a turn are not known).
    """
    return story_and_best_throws(record)[0]


def story_and_best_throws(record: Record) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
    """The story, and each player's "best_throw" as in it; the best turn for a player whose throws brought no points."""
    names = record.header.players
    sides = [{"side": pegs.side, "names": [names[player] for player in pegs.players]} for pegs in _pegs(record, 0)]
    turns = list(_turns(record))
    banked, running = _events(record)
    told = {
        "sides": sides,
        "turns": turns,
        "best_turn": _best(banked, names),
        "best_throw": _best(running, names),
        "luck": _luck(record, turns),
    }
    of_each = {who: _of(who, running) or _of(who, banked) for who in range(len(names))}
    bests = {who: _best(events, names) for who, events in of_each.items()}
    return told, {who: best for who, best in bests.items() if best is not None}


def _of(player: int, events: list[Event]) -> list[Event]:
    return [event for event in events if event.player == player]


def _pegs(record: Record, at: int) -> tuple[Any, ...]:
    return tuple(record.game.board(record.history[at]).pegs)


def _scores(record: Record, at: int) -> list[int]:
    return [pegs.back for pegs in _pegs(record, at)]


def _turns(record: Record) -> Iterator[dict[str, Any]]:
    for at, (move, (before, after)) in enumerate(zip(record.moves, pairwise(record.history), strict=True), start=1):
        # A roll for who begins or wins is nobody's turn.
        if move.verb not in CONTESTS and (after.to_act != before.to_act or after.result is not None):
            yield {"player": before.to_act, "scores": _scores(record, at)}


def _events(record: Record) -> tuple[list[Event], list[Event]]:
    """The events that bring points: those of moves that changed the score, and the others."""
    banked: list[Event] = []
    running: list[Event] = []
    for at, (move, before) in enumerate(zip(record.moves, record.history[:-1], strict=True)):
        changed = _scores(record, at) != _scores(record, at + 1)
        events = record.game.follow(before, move).events
        (banked if changed else running).extend(event for event in events if event.points > 0)
    return banked, running


def _best(events: list[Event], names: tuple[str, ...]) -> dict[str, Any] | None:
    best = max(events, key=lambda event: event.points, default=None)
    return None if best is None else {"text": named(best.text, names), "player": best.player, "points": best.points}


def _luck(record: Record, turns: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    expected = _expected(record)
    if expected is None or not turns:
        return None
    told = []
    for place, pegs in enumerate(_pegs(record, -1)):
        taken = sum(turn["player"] in pegs.players for turn in turns)
        points = turns[-1]["scores"][place]
        told.append({"turns": taken, "points": points, "above": round(points - taken * expected)})
    return told


def _expected(record: Record) -> float | None:
    """Points of a turn under best play, on average; None where they are not known."""
    question = record.game.whole_turn
    if question is None:
        return None
    told = question().odds(record.header.rules).to_json()
    return float(told["expected"]) if "expected" in told else None
