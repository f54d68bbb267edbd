"""Farkle: what the moves lead to, up to the end of the game. Every move here is legal, see `Game.apply`."""

from __future__ import annotations

from dataclasses import replace

from scorer.engine.game import Event, Move, Result, Step, names, ranked, who
from scorer.engine.roll_off import RollOff
from scorer.games.farkle.legal import keeps
from scorer.games.farkle.state import State
from scorer.games.set_aside_game import Phase, Turn
from scorer.pieces.set_asides import SetAside, in_a_phrase
from scorer.pieces.text import dice_in_a_row, points

OPENING = "Farkle, who begins"
THROW = "Farkle, the throw"
SET_ASIDE = "Farkle, setting aside"
FARKLE = "Farkle, the farkle"
STOP = "Farkle, stopping"
END = "Farkle, the end"
FARKLES_IN_A_ROW = 3


def follow(state: State, move: Move) -> Step[State]:
    """What a legal move leads to."""
    if move.verb == "opening":
        return _roll(state, move.numbers[0])
    if move.verb == "throw":
        return _throw(state, move.numbers)
    if move.verb == "keep":
        return _keep(state, keeps(state.rules, state.turn.thrown)[move])
    return _stop(state)


def _roll(state: State, value: int) -> Step[State]:
    roll_off = state.roll_off.cast(value)
    rolled = Event("rolled", f"{who(state.player)} rolls {value}", state.player, rule=OPENING)
    if not roll_off.complete:
        return Step(replace(state, roll_off=roll_off, player=roll_off.to_roll), (rolled,))
    winner, *others = roll_off.highest
    if others:
        text = f"{names(roll_off.highest)} tie and roll again"
        again = replace(state, roll_off=RollOff(roll_off.highest), player=winner)
        return Step(again, (rolled, Event("rolls-again", text, rule=OPENING)))
    begins = Event("begins", f"{who(winner)} goes first", winner, rule=OPENING)
    return _turn_of(replace(state, roll_off=RollOff(), first=winner), winner).after(rolled, begins)


def _throw(state: State, dice: tuple[int, ...]) -> Step[State]:
    thrown = Event("thrown", f"{who(state.player)} throws {dice_in_a_row(dice)}", state.player, rule=THROW)
    if keeps(state.rules, dice):
        return Step(replace(state, phase=Phase.KEEP, turn=replace(state.turn, thrown=dice)), (thrown,))
    lost = f" and loses the {points(state.turn.points)} of this turn" if state.turn.points else ""
    farkle = Event("farkle", f"nothing scores: {who(state.player)} farkles{lost}", state.player, rule=FARKLE)
    moved, events = _counted(state)
    return _next_turn(moved).after(thrown, farkle, *events)


def _counted(state: State) -> tuple[State, tuple[Event, ...]]:
    """The state with one farkle more in a row, and what the third costs."""
    if not state.rules.three_farkles:
        return state, ()
    count = state.farkles[state.player] + 1
    if count < FARKLES_IN_A_ROW:
        return _with_farkles(state, count), ()
    cost = min(state.rules.three_farkles, state.score)
    text = f"the third farkle in a row costs {who(state.player)} {points(cost)}"
    moved = _with_farkles(_with_score(state, state.score - cost), 0)
    return moved, (Event("three-farkles", text, state.player, -cost, rule=FARKLE),)


def _keep(state: State, choice: SetAside) -> Step[State]:
    turn = state.turn.keeping(choice.dice, choice.points)
    text = f"{who(state.player)} sets aside {in_a_phrase(choice)} for {points(choice.points)}, {turn.points} this turn"
    kept = Event("kept", text, state.player, choice.points, choice.items, SET_ASIDE)
    again = f"all six dice score, and {who(state.player)} may throw them all again"
    hot = (Event("hot-dice", again, state.player, rule=SET_ASIDE),) if choice.hot else ()
    return Step(replace(state, phase=Phase.GO_ON, turn=turn), (kept, *hot))


def _stop(state: State) -> Step[State]:
    score = state.score + state.turn.points
    text = f"{who(state.player)} banks {points(state.turn.points)} and has {score}"
    banked = Event("banked", text, state.player, state.turn.points, rule=STOP)
    moved = _with_farkles(_with_score(state, score), 0)
    if state.finisher is None and score >= state.rules.target:
        moved = replace(moved, finisher=state.player)
    return _next_turn(moved).after(banked)


def _with_score(state: State, score: int) -> State:
    return replace(state, scores=(*state.scores[: state.player], score, *state.scores[state.player + 1 :]))


def _with_farkles(state: State, count: int) -> State:
    return replace(state, farkles=(*state.farkles[: state.player], count, *state.farkles[state.player + 1 :]))


# Turns, and the end


def _next_turn(state: State) -> Step[State]:
    following = (state.player + 1) % state.players
    if state.finisher is not None and following in _ends_before(state):
        return _over(state)
    return _turn_of(state, following)


def _ends_before(state: State) -> tuple[int, ...]:
    """Once somebody has reached the target: the players before whose next turn the game ends."""
    if state.rules.final_turns == "at_once":
        return tuple(range(state.players))
    return (state.first,) if state.rules.final_turns == "same_round" else (state.finisher or 0,)


def _turn_of(state: State, player: int) -> Step[State]:
    last = " last turn" if state.finisher is not None else " turn"
    event = Event("turn", f"it is {who(player)}'s{last}", player, rule=END if state.finisher is not None else THROW)
    return Step(replace(state, phase=Phase.THROW, player=player, turn=Turn()), (event,))


def _over(state: State) -> Step[State]:
    ranking = ranked(state.scores)
    winners = ranking[0]
    verb = "wins" if len(winners) == 1 else "share the win"
    text = f"{names(winners)} {verb} with {points(max(state.scores))}"
    event = Event("won", text, winners[0] if len(winners) == 1 else None, rule=END)
    result = Result(winners, ranking, tuple(int(player not in winners) for player in range(state.players)))
    return Step(replace(state, phase=Phase.OVER, turn=Turn(), result=result), (event,))
