"""After a turn: the next player, another round, or the end of the game.

Source: the Cribbage Dice text, "How to Play", "Finish the Round", "Round Limit"; RULINGS: ties are shared or rolled off.
"""

from __future__ import annotations

from dataclasses import replace

from scorer.engine.game import Event, Result, Step, names, ranked, who
from scorer.engine.roll_off import RollOff
from scorer.games.cribbage_dice.state import State, Turn
from scorer.pieces.text import points

_PLAY = "Cribbage Dice, How to Play"
_FINISH = "Cribbage Dice, Finish the Round"
_LIMIT = "Cribbage Dice, Round Limit"
_TIE = "Muggins's rulings, All games on a cribbage board"


def after_turn(state: State) -> Step[State]:
    """What follows once the turn's points are in `state.scores`."""
    last_of_round = (state.player + 1) % state.players == state.first
    if _reached(state, state.player) and not state.rules.finish_round:
        return _won(state, (state.player,), _PLAY)
    if not last_of_round:
        return _next_turn(state, _announced(state))
    if any(_reached(state, player) for player in range(state.players)):
        return _highest_wins(state, _FINISH)
    if state.round == state.rules.round_limit:
        return _highest_wins(state, _LIMIT)
    return _next_turn(replace(state, round=state.round + 1))


def _reached(state: State, player: int) -> bool:
    return 0 < state.rules.target <= state.scores[player]


def _announced(state: State) -> tuple[Event, ...]:
    """The event that tells the first player to reach the target that the round goes on; empty for all others."""
    if [player for player in range(state.players) if _reached(state, player)] != [state.player]:
        return ()
    text = f"{who(state.player)} has reached {state.rules.target}: the round is played out"
    return (Event("last-round", text, state.player, rule=_FINISH),)


def _next_turn(state: State, told: tuple[Event, ...] = ()) -> Step[State]:
    player = (state.player + 1) % state.players
    turn = Event("turn", f"{who(player)} is next", player, rule=_PLAY)
    return Step(replace(state, phase="throw", player=player, turn=Turn()), (*told, turn))


def _highest_wins(state: State, rule: str) -> Step[State]:
    best = tuple(player for player in range(state.players) if state.scores[player] == max(state.scores))
    if len(best) == 1 or state.rules.tie == "shared":
        return _won(state, best, rule)
    text = f"{names(best)} are level with {points(max(state.scores))}: they roll one die each, high roll wins"
    rolling = replace(state, phase="roll-off", turn=Turn(), roll_off=RollOff(best))
    return Step(rolling, (Event("tied", text, rule=_TIE),))


def rolled_off(state: State, winner: int) -> Step[State]:
    """The end of a game whose tie was rolled off."""
    return _won(state, (winner,), _TIE)


def _won(state: State, winners: tuple[int, ...], rule: str) -> Step[State]:
    verb = "wins" if len(winners) == 1 else "share the win"
    text = f"{names(winners)} {verb} with {points(max(state.scores))}"
    told = tuple(Event("won", text, player, rule=rule) for player in winners[:1])
    return Step(replace(state, phase="over", turn=Turn(), roll_off=RollOff(), result=_result(state, winners)), told)


def _result(state: State, winners: tuple[int, ...]) -> Result:
    below = (tuple(player for player in level if player not in winners) for level in ranked(state.scores))
    lost = tuple(int(player not in winners) for player in range(state.players))
    return Result(winners, (winners, *filter(None, below)), lost)
