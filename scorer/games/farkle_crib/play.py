"""Farkle Cribbage: what the moves of a turn lead to. Every move here is legal, see `Game.apply`.

Source: the text, "Play" 1 to 7 and "Optional Bonus Scores"; RULINGS, "Farkle Crib".
"""

from __future__ import annotations

from dataclasses import replace

from scorer.engine.game import Event, Move, Step, who
from scorer.games.farkle_crib import ending, pegging
from scorer.games.farkle_crib.legal import keeps
from scorer.games.farkle_crib.state import State
from scorer.games.set_aside_game import Phase, Turn
from scorer.pieces.set_asides import SetAside, in_a_phrase
from scorer.pieces.text import dice_in_a_row, points

THROW = "Farkle Cribbage, Play 1"
FARKLE = "Farkle Cribbage, Play 3"
ROLL_ON = "Farkle Cribbage, Play 5"
STOP = "Farkle Cribbage, Play 6"
CHART = "Farkle Cribbage, chart"
ONE_PEG = "Farkle Cribbage, One Peg per Hole"
BONUS = "Farkle Cribbage, Optional Bonus Scores"
BOMB = "Farkle Cribbage, Optional Bonus Scores: The Bomb"
FARKLES_IN_A_ROW = 3


def follow(state: State, move: Move) -> Step[State]:
    """What a legal move leads to."""
    if move.verb == "throw":
        return _throw(state, move.numbers)
    if move.verb == "keep":
        return _keep(state, keeps(state.rules, state.turn.thrown)[move])
    if move.verb == "exchange":
        return _exchange(state, move.numbers[0])
    return _stop(state) if move.verb == "stop" else ending.roll(state, move)


def _throw(state: State, dice: tuple[int, ...]) -> Step[State]:
    thrown = Event("thrown", f"{who(state.player)} throws {dice_in_a_row(dice)}", state.player, rule=THROW)
    if not keeps(state.rules, dice):
        return _farkle(state, thrown)
    turn = replace(state.turn, thrown=dice)
    return Step(replace(state, phase=Phase.KEEP, turn=turn), (thrown,))


def _keep(state: State, choice: SetAside) -> Step[State]:
    turn = state.turn.keeping(choice.dice, choice.points)
    text = f"{who(state.player)} sets aside {in_a_phrase(choice)} for {points(choice.points)}, {turn.points} this turn"
    kept = Event("kept", text, state.player, choice.points, choice.items, CHART)
    hot = Event(
        "hot-dice", f"all six dice score, and {who(state.player)} may throw them all again", state.player, rule=ROLL_ON
    )
    events = (kept, hot) if choice.hot else (kept,)
    return Step(replace(state, phase=Phase.GO_ON, turn=turn), events)


def _stop(state: State) -> Step[State]:
    moved, events = _pegged(state)
    return ending.next_turn(_without_farkles(moved)).after(*events)


def _pegged(state: State) -> tuple[State, tuple[Event, ...]]:
    """The state with the turn's points pegged, and how that went."""
    target = state.hole + state.turn.points
    moved = replace(state, holes=pegging.advanced(state, state.turn.points))
    off = moved.hole >= state.rules.finish
    where = f"and is off the board at {moved.hole}" if off else f"to hole {moved.hole}"
    text = f"{who(state.player)} pegs {points(state.turn.points)} {where}"
    pegged = Event("pegged", text, state.player, moved.hole - state.hole, rule=STOP)
    return moved, (pegged, *_short(state, target, moved.hole))


def _short(state: State, target: int, hole: int) -> tuple[Event, ...]:
    """The event of stopping short of a hole that is taken, where that happened."""
    if hole == target:
        return ()
    return (Event("stopped-short", f"hole {target} is taken, so {who(state.player)} stops short of it", rule=ONE_PEG),)


def _farkle(state: State, thrown: Event) -> Step[State]:
    lost = f" and loses the {points(state.turn.points)} of this turn" if state.turn.points else ""
    farkle = Event("farkle", f"nothing scores: {who(state.player)} farkles{lost}", state.player, rule=FARKLE)
    moved, events = _counted(state)
    return ending.next_turn(moved).after(thrown, farkle, *events)


def _counted(state: State) -> tuple[State, tuple[Event, ...]]:
    """The state with one farkle more in a row, and what the third costs."""
    if not state.rules.three_farkles:
        return state, ()
    count = state.farkles[state.player] + 1
    if count < FARKLES_IN_A_ROW:
        return _with_farkles(state, count), ()
    moved = _with_farkles(replace(state, holes=pegging.sent_back(state)), 0)
    text = f"the third farkle in a row sends {who(state.player)} back to hole {moved.hole}"
    return moved, (Event("three-farkles", text, state.player, moved.hole - state.hole, rule=BONUS),)


def _with_farkles(state: State, count: int) -> State:
    farkles = (*state.farkles[: state.player], count, *state.farkles[state.player + 1 :])
    return replace(state, farkles=farkles)


def _without_farkles(state: State) -> State:
    return _with_farkles(state, 0) if state.farkles[state.player] else state


def _exchange(state: State, rival: int) -> Step[State]:
    moved = replace(state, holes=pegging.exchanged(state, rival))
    text = f"{who(state.player)} exchanges pegs with {who(rival)}: {_standing(moved, state.player, rival)}"
    event = Event("exchanged", text, state.player, moved.hole - state.hole, rule=BOMB)
    if state.rules.bomb_exchange == "continue":
        # Six of a kind are always all six dice, so none is set aside and all may be thrown again.
        return Step(replace(moved, phase=Phase.GO_ON, turn=Turn(state.turn.points)), (event,))
    if state.rules.bomb_exchange == "end_turn_bank" and state.turn.points:
        moved, events = _pegged(moved)
        return ending.next_turn(_without_farkles(moved)).after(event, *events)
    return ending.next_turn(_without_farkles(moved)).after(event, *_forfeited(state))


def _standing(state: State, player: int, rival: int) -> str:
    return f"{who(player)} stands at hole {state.holes[player]}, {who(rival)} at hole {state.holes[rival]}"


def _forfeited(state: State) -> tuple[Event, ...]:
    if not state.turn.points:
        return ()
    text = f"{who(state.player)} gives up the other {points(state.turn.points)} of this turn"
    return (Event("forfeited", text, state.player, rule="Muggins's rulings, Farkle Crib: bomb_exchange"),)
