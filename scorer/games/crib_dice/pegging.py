"""How a turn ends on the board: points pegged, a wipeout, a fuchle, or pegs exchanged by the bomb.

Source: the Crib Dice text, "Ending Your Turn", "Fuchle", "Double Fuchle", "The Bomb", "One Peg per Hole"; RULINGS.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.engine.board import bump
from scorer.engine.game import Event, Step
from scorer.games.crib_dice.rounds import after_turn
from scorer.games.crib_dice.rules import BOMB, BUMPING, CHART, DOUBLE_FUCHLE, FUCHLE
from scorer.games.crib_dice.state import State
from scorer.pieces.text import points


def bank(state: State) -> Step[State]:
    """The player stops: the turn's points are pegged and the streak is broken."""
    state, events = _advance(state, state.turn.total)
    return after_turn(state, events)


def no_score(state: State, why: Event, *, counts: bool) -> Step[State]:
    """The turn is lost. It adds to the streak if it counts as a wipeout, and leaves it as it is otherwise."""
    if not counts:
        return after_turn(state, (why,))
    streak = state.own.streak + 1
    state = state.with_side(state.mover, replace(state.own, streak=streak))
    state, fuchled = _fuchle(state)
    state, eliminated = _eliminate(state)
    return after_turn(state, (why, *fuchled, *eliminated))


def exchange(state: State, rival: int) -> Step[State]:
    """The bomb goes off: two pegs change places, nobody is bumped, and the turn is over.

    Only the positions move: the rival keeps its streak, and no fuchle goes with them.
    """
    ahead, behind = state.sides[rival].hole, state.own.hole
    swap = Event(
        "exchanged",
        f"{{{state.player}}} exchanges pegs with {state.names(rival)}: hole {behind} for hole {ahead}",
        state.player,
        ahead - behind,
        rule=BOMB,
    )
    gathered = state.turn.total
    state = state.with_side(rival, replace(state.sides[rival], hole=behind))
    state = state.with_side(state.mover, replace(state.own, hole=ahead, streak=0, fuchled=False, moved=True))
    state, pegged = _advance(state, gathered) if state.rules.bomb_scores_points else (state, ())
    return after_turn(state, (swap, *pegged))


def _advance(state: State, gained: int) -> tuple[State, tuple[Event, ...]]:
    hole = state.own.hole + gained
    pegged = Event(
        "pegged", f"{{{state.player}}} pegs {points(gained)}, to hole {hole}", state.player, gained, rule=CHART
    )
    state = state.with_side(state.mover, replace(state.own, hole=hole, streak=0, fuchled=False, moved=True))
    if not state.rules.bumping:
        return state, (pegged,)
    holes = bump(state.holes, state.lanes, state.mover, state.rules.goal)
    bumped = tuple(_bumped(state, holes))
    sides = tuple(replace(side, hole=hole) for side, hole in zip(state.sides, holes, strict=True))
    return replace(state, sides=sides), (pegged, *bumped)


def _bumped(state: State, holes: tuple[int, ...]) -> Iterator[Event]:
    for number, (before, now) in enumerate(zip(state.holes, holes, strict=True)):
        if now != before:
            text = f"the peg of {state.names(number)} is bumped from hole {before} back to {now}"
            yield Event("bumped", text, state.members(number)[0], now - before, rule=BUMPING)


def _fuchle(state: State) -> tuple[State, tuple[Event, ...]]:
    own, rules = state.own, state.rules
    if own.streak < rules.fuchle_at or own.fuchled or not (own.hole or rules.fuchle_at_start):
        return state, ()
    names, where = state.names(state.mover), "goes back" if own.hole else "stays"
    text = f"wipeout number {own.streak} in a row: the peg of {names} is fuchled and {where} off the board at the start"
    event = Event("fuchled", text, state.player, -own.hole, rule=FUCHLE)
    return state.with_side(state.mover, replace(own, hole=0, fuchled=True)), (event,)


def _eliminate(state: State) -> tuple[State, tuple[Event, ...]]:
    own, rules = state.own, state.rules
    if not (rules.double_fuchle and own.fuchled and own.streak >= rules.out_at):
        return state, ()
    text = f"wipeout number {own.streak} in a row: {state.names(state.mover)} {_is(state)} out of the game"
    event = Event("eliminated", text, state.player, rule=DOUBLE_FUCHLE)
    return state.with_side(state.mover, replace(own, out=True)), (event,)


def _is(state: State) -> str:
    return "is" if len(state.members(state.mover)) == 1 else "are"
