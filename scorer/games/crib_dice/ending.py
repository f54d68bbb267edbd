"""How a game of Crib Dice ends: who has won, the ranking, and the games that everybody else has lost.

Source: the Crib Dice text, "Game End", "Skunk and Double-Skunk", "Find a Loser"; RULINGS: equal totals share the win or
roll off; one side left has won; eliminated sides rank last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from scorer.engine.game import Event, Result, Step, names
from scorer.engine.roll_off import RollOff
from scorer.games.crib_dice.rules import GAME_END, LOSER, SKUNK, TIES
from scorer.games.crib_dice.state import State

SKUNKED, DOUBLE_SKUNKED = 2, 4

Group = tuple[int, ...]
"""Sides that rank as equals."""


def left(state: State) -> Group:
    """The sides that are not eliminated."""
    return tuple(number for number, side in enumerate(state.sides) if not side.out)


def on_the_board(state: State) -> Group:
    """The sides that are neither eliminated nor finished."""
    return tuple(side for side in left(state) if side not in state.finished)


def race_over(state: State, events: tuple[Event, ...]) -> Step[State]:
    """The last turn is played: the peg furthest off the board wins; equals share that, or roll for it."""
    groups = _by_hole(state, left(state))
    if len(groups[0]) > 1 and state.rules.tie == "roll_off":
        roll_off = RollOff(tuple(state.members(side)[0] for side in groups[0]))
        tied = Event("tied", f"{_named(state, groups[0])} are equally far: they roll two dice for it", rule=TIES)
        return Step(replace(state, phase="roll-off", roll_off=roll_off), (*events, tied))
    return _over(state, groups[0], groups, events, GAME_END)


def last_one_left(state: State, events: tuple[Event, ...]) -> Step[State]:
    """All but one side are eliminated: it has won, wherever its peg stands."""
    return _over(state, left(state), [left(state)], events, "Muggins's rulings, Crib Dice: one player left has won")


def loser_found(state: State, events: tuple[Event, ...]) -> Step[State]:
    """Find a Loser: one peg is left on the board, and those off it rank by who got there first."""
    loser = on_the_board(state)
    lost = Event(
        "loser", f"{_named(state, loser)} is last on the board and loses", state.members(loser[0])[0], rule=LOSER
    )
    groups = [*((side,) for side in state.finished), loser]
    return _over(state, state.finished, groups, (*events, lost), LOSER)


def roll_off_won(state: State, winner: int, events: tuple[Event, ...]) -> Step[State]:
    """One of the tied sides rolled highest: it alone wins, the others share the place after it."""
    first, *rest = _by_hole(state, left(state))
    beaten = tuple(side for side in first if side != winner)
    return _over(state, (winner,), [(winner,), beaten, *rest], events, TIES)


def _over(state: State, winners: Group, groups: list[Group], events: tuple[Event, ...], rule: str) -> Step[State]:
    out = tuple(number for number, side in enumerate(state.sides) if side.out)
    ranking = tuple(_players(state, group) for group in (*groups, out) if group)
    lost = tuple(_games_lost(state, state.side_of(player), winners) for player in range(state.players))
    result = Result(_players(state, winners), ranking, lost)
    verb = "wins" if len(result.winners) == 1 else "win"
    won = Event("won", f"{_named(state, winners)} {verb}", result.winners[0], rule=rule)
    after = replace(state, phase="over", roll_off=None, result=result)
    return Step(after, (*events, won, *_skunks(after, result)))


def _games_lost(state: State, side: int, winners: Group) -> int:
    if side in winners:
        return 0
    if not state.rules.skunk:
        return 1
    if _double_skunked(state, side):
        return DOUBLE_SKUNKED
    return SKUNKED if state.sides[side].hole < state.rules.skunk_line else 1


def _double_skunked(state: State, side: int) -> bool:
    """A peg that never left the start is skunked only, unless it was fuchled there: then it is off the board."""
    peg = state.sides[side]
    return peg.out or peg.fuchled or (state.rules.double_skunk_unmoved and not peg.moved)


def _skunks(state: State, result: Result) -> Iterator[Event]:
    for side in range(len(state.sides)):
        who = state.members(side)[0]
        games = result.lost[who]
        if games > 1:
            word = "skunked" if games == SKUNKED else "double-skunked"
            yield Event("skunked", f"{word}: {state.names(side)}, {games} games lost", who, rule=SKUNK)


def _by_hole(state: State, sides: Iterable[int]) -> list[Group]:
    holes: dict[int, list[int]] = {}
    for side in sides:
        holes.setdefault(state.sides[side].hole, []).append(side)
    return [tuple(holes[hole]) for hole in sorted(holes, reverse=True)]


def _players(state: State, sides: Group) -> tuple[int, ...]:
    return tuple(sorted(player for side in sides for player in state.members(side)))


def _named(state: State, sides: Group) -> str:
    return names(_players(state, sides))
