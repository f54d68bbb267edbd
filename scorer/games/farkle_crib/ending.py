"""Farkle Cribbage: how turns, rounds and the game end, and the rolls for who begins and who wins.

Source: the text, "Play" 6 and 7 and "End"; RULINGS, "All games on a cribbage board": players after the first finisher in
that round still take their turn, the highest total wins, equal ones share or roll off.
"""

from __future__ import annotations

from dataclasses import replace

from scorer.engine.game import Event, Move, Result, Step, names, ranked, who
from scorer.engine.roll_off import RollOff
from scorer.games.farkle_crib.state import State
from scorer.games.set_aside_game import Phase, Turn
from scorer.pieces.text import dice_in_a_row

END = "Farkle Cribbage, End"
NEXT = "Farkle Cribbage, Play 7"
WHO_BEGINS = "Farkle Cribbage, Play: roll to determine who goes first"
TIE = "Muggins's rulings, All games on a cribbage board: tie"


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
    return _decided(state, roll_off).after(rolled)


def _in_roll_off(state: State) -> RollOff:
    if state.roll_off is None:
        raise ValueError(f"nobody rolls for anything in the phase {state.phase}")
    return state.roll_off


def _decided(state: State, roll_off: RollOff) -> Step[State]:
    winner, *others = roll_off.highest
    if others:
        text = f"{names(roll_off.highest)} tie and roll again"
        rule = WHO_BEGINS if state.phase is Phase.OPENING else TIE
        again = replace(state, roll_off=RollOff(roll_off.highest), player=winner)
        return Step(again, (Event("rolls-again", text, rule=rule),))
    if state.phase is Phase.ROLL_OFF:
        return _over(state, (winner,))
    begins = Event("begins", f"{who(winner)} goes first", winner, rule=WHO_BEGINS)
    return turn_of(replace(state, first=winner), winner).after(begins)


def _end(state: State) -> Step[State]:
    highest = ranked(state.holes)[0]
    if len(highest) == 1 or state.rules.tie == "shared":
        return _over(state, highest)
    text = f"{names(highest)} are level at {max(state.holes)} and roll off"
    tied = replace(state, phase=Phase.ROLL_OFF, roll_off=RollOff(highest), player=highest[0])
    return Step(tied, (Event("tied", text, rule=TIE),))


def _over(state: State, winners: tuple[int, ...]) -> Step[State]:
    highest, *others = ranked(state.holes)
    level = tuple(player for player in highest if player not in winners)
    ranking = (winners, *((level,) if level else ()), *others)
    lost = tuple(int(player not in winners) for player in range(state.players))
    verb = "win" if len(winners) > 1 else "wins"
    event = Event("won", f"{names(winners)} {verb} with {max(state.holes)}", winners[0], rule=END)
    if len(winners) > 1:
        event = replace(event, player=None, rule=TIE)
    over = replace(state, phase=Phase.OVER, roll_off=None, result=Result(winners, ranking, lost))
    return Step(over, (event,))
