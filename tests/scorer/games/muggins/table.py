"""Tables of Muggins, set up and played by moves in their text form."""

from __future__ import annotations

from typing import Any

from scorer.engine.game import Event, Move, Step
from scorer.games.muggins.game import Muggins
from scorer.games.muggins.layout import Layout, Spinner
from scorer.games.muggins.legal import after, play
from scorer.games.muggins.rules import Rules
from scorer.games.muggins.state import State
from scorer.pieces.tiles import Tile

GAME = Muggins()


def tiles(text: str) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, text.split()))


def layout(*plays: str, spinner: Spinner = "first") -> Layout:
    """Tiles laid one after the other, each "5-3 5-5" with the one it lies against."""
    now = Layout(spinner)
    for text in plays:
        now = after(now, play(*tiles(text)))
    return now


def run(state: State, *moves: str) -> Step[State]:
    """The moves applied, and all their events."""
    events: tuple[Event, ...] = ()
    for move in moves:
        step = GAME.apply(state, Move.parse(move))
        state, events = step.state, (*events, *step.events)
    return Step(state, events)


def told(*hands: str, **rules: Any) -> State:
    """A hand that player 0 leads, all tiles told; the hands are of equal length."""
    count = len(hands[0].split())
    played: dict[str, Any] = {"lead": "first_player", "hands": "told", "hand": count, **rules}
    start = GAME.start(Rules(**played), len(hands))
    deals = (f"deal {seat} {' '.join(map(str, sorted(tiles(hand))))}" for seat, hand in enumerate(hands))
    return run(start, *deals).state


def secret(players: int = 2, **rules: Any) -> State:
    """A hand that player 0 leads, of which only the layout is told."""
    return GAME.start(Rules(**{"lead": "first_player", **rules}), players)


def points(step: Step[State]) -> list[tuple[int | None, int]]:
    """Who scored how much, in turn."""
    return [(event.player, event.points) for event in step.events if event.name == "scored"]
