"""Farkle Cribbage: how turns, rounds and the game end, and the rolls for who begins and who wins.

Source: the text, "Play" 6 and 7 and "End"; RULINGS, "All games on a cribbage board": players after the first finisher in
that round still take their turn, the highest total wins, equal ones share or roll off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.engine.game import Event, Move, Result, Step
from scorer.engine.roll_off import RollOff
from scorer.games.farkle_crib.state import Phase, State, Turn, who
from scorer.pieces.text import dice_in_a_row, listed

END = "Farkle Cribbage, End"
NEXT = "Farkle Cribbage, Play 7"
WHO_BEGINS = "Farkle Cribbage, Play: roll to determine who goes first"
TIE = "RULINGS, All games on a cribbage board: tie"


def next_turn(state: State) -> Step[State]:
    """What follows once a turn is over and its points are pegged: the next player, or the end of the game."""
    last_of_round = (state.player + 1) % state.players == state.first
    if state.finished and (last_of_round or state.rules.final_turns == "at_once"):
        return _end(replace(state, turn=Turn()))
    return turn_of(state, (state.player + 1) % state.players)


def turn_of(state: State, player: int) -> Step[State]:
    """The turn of this player begins."""
    last = " last turn" if state.finished else " turn"
    event = Event("turn", f"it is {who(player)}'s{last}", player, rule=END if state.finished else NEXT)
    return Step(replace(state, phase=Phase.THROW, player=player, turn=Turn(), roll_off=None), (event,))


def roll(state: State, move: Move) -> Step[State]:
    """One player's two dice in an opening or a roll-off."""
    roll_off = _in_roll_off(state)
    roll_off = roll_off.cast(sum(move.numbers))
    text = f"{who(state.player)} rolls {dice_in_a_row(move.numbers)}, {roll_off.rolled[-1]} in all"
    rolled = Event("rolled", text, state.player, rule=TIE if state.finished else WHO_BEGINS)
    if not roll_off.complete:
        return Step(replace(state, roll_off=roll_off, player=roll_off.to_roll), (rolled,))
    return _after(rolled, _decided(state, roll_off))


def _in_roll_off(state: State) -> RollOff:
    if state.roll_off is None:
        raise ValueError(f"nobody rolls for anything in the phase {state.phase}")
    return state.roll_off


def _decided(state: State, roll_off: RollOff) -> Step[State]:
    winner, *others = roll_off.highest
    if others:
        text = f"{_names(roll_off.highest)} tie and roll again"
        rule = WHO_BEGINS if state.phase is Phase.OPENING else TIE
        again = replace(state, roll_off=RollOff(roll_off.highest), player=winner)
        return Step(again, (Event("rolls-again", text, rule=rule),))
    if state.phase is Phase.ROLL_OFF:
        return _over(state, (winner,))
    begins = Event("begins", f"{who(winner)} goes first", winner, rule=WHO_BEGINS)
    return _after(begins, turn_of(replace(state, first=winner), winner))


def _end(state: State) -> Step[State]:
    highest = _ranking(state)[0]
    if len(highest) == 1 or state.rules.tie == "shared":
        return _over(state, highest)
    text = f"{_names(highest)} are level at {max(state.holes)} and roll off"
    tied = replace(state, phase=Phase.ROLL_OFF, roll_off=RollOff(highest), player=highest[0])
    return Step(tied, (Event("tied", text, rule=TIE),))


def _over(state: State, winners: tuple[int, ...]) -> Step[State]:
    level = tuple(player for player in _ranking(state)[0] if player not in winners)
    ranking = (winners, *((level,) if level else ()), *_ranking(state)[1:])
    lost = tuple(int(player not in winners) for player in range(state.players))
    verb = "win" if len(winners) > 1 else "wins"
    event = Event("won", f"{_names(winners)} {verb} with {max(state.holes)}", winners[0], rule=END)
    if len(winners) > 1:
        event = replace(event, player=None, rule=TIE)
    over = replace(state, phase=Phase.OVER, roll_off=None, result=Result(winners, ranking, lost))
    return Step(over, (event,))


def _ranking(state: State) -> tuple[tuple[int, ...], ...]:
    """All players by their pegs, the furthest first, equals together."""
    return tuple(
        tuple(player for player, at in enumerate(state.holes) if at == hole)
        for hole in sorted(set(state.holes), reverse=True)
    )


def _names(players: Sequence[int]) -> str:
    return listed([who(player) for player in players])


def _after(event: Event, step: Step[State]) -> Step[State]:
    return Step(step.state, (event, *step.events))
