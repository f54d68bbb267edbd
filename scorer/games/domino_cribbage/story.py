"""Points as they are pegged, until somebody has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.engine.game import Event, Step, who
from scorer.games.domino_cribbage.rules import SCORING
from scorer.games.domino_cribbage.state import State, other
from scorer.pieces.melds import Meld
from scorer.pieces.text import listed, points


def credit(state: State, player: int, event: Event) -> Step[State]:
    """The event, and its points for the player: at the target the game is won at once."""
    scores = tuple(score + event.points * (side == player) for side, score in enumerate(state.scores))
    state = replace(state, scores=scores)
    if scores[player] < state.rules.target:
        return Step(state, (event,))
    text = f"{who(player)} wins with {points(scores[player])} to {scores[other(player)]}"
    won = Event("won", text, player, rule=SCORING)
    return Step(replace(state, phase="over", turn=player), (event, won))


def peg(state: State, player: int, melds: Sequence[Meld[str]], rule: str) -> Step[State]:
    """The points of these melds, pegged as they are called out; nothing happens if there are none."""
    if not melds:
        return Step(state)
    total = sum(meld.points for meld in melds)
    return credit(
        state,
        player,
        Event("pegged", f"{who(player)} pegs {for_what(melds)}", player, total, tuple(melds), rule),
    )


def for_what(melds: Sequence[Meld[str]]) -> str:
    """The scores as a player calls them out: "2 for fifteen and 1 for the last tile"."""
    return listed([f"{meld.points} for {_with_article(meld.name)}" for meld in melds])


def _with_article(name: str) -> str:
    if name in ("fifteen", "thirty-one"):
        return name
    return f"the {name}" if name in ("go", "last tile", "double") else f"a {name}"
