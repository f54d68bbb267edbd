"""From turn to turn: who is next, when the last round is played, and the rolls of two dice that decide an order.

Source: the Crib Dice text, "Play" (highest of two dice goes first, others clockwise), "Game End"; RULINGS: ties roll
again among the tied; players after the first finisher in that round still take their turn.
"""

from __future__ import annotations

from dataclasses import replace

from scorer.engine.game import Event, Step, names
from scorer.engine.roll_off import RollOff
from scorer.games.crib_dice import ending
from scorer.games.crib_dice.rules import GAME_END, OPENING, PLAY, TIES, Rules
from scorer.games.crib_dice.state import Side, State, Turn
from scorer.pieces.text import dice_in_a_row


def first_state(rules: Rules, players: int) -> State:
    """The state before the first move; the rules check that they fit the players."""
    sides = tuple(Side() for _ in range(rules.sides(players)))
    if rules.opening_roll:
        return State(rules, players, sides, "opening", roll_off=RollOff(tuple(range(players))))
    return State(rules, players, sides, "throw")


def rolled(state: State, dice: tuple[int, ...]) -> Step[State]:
    """The next player's two dice of an opening or a roll-off."""
    assert state.roll_off is not None, "only an opening or a roll-off is rolled for"
    who = state.roll_off.to_roll
    roll_off = state.roll_off.cast(sum(dice))
    roll = Event("rolled", f"{{{who}}} rolls {dice_in_a_row(dice)}, {sum(dice)} in all", who, rule=_rule(state))
    if not roll_off.complete:
        return Step(replace(state, roll_off=roll_off), (roll,))
    return _decided(state, roll_off, roll)


def _rule(state: State) -> str:
    return OPENING if state.phase == "opening" else TIES


def _decided(state: State, roll_off: RollOff, roll: Event) -> Step[State]:
    best = roll_off.highest
    if len(best) > 1:
        tied = Event("tied", f"{names(best)} are tied at {max(roll_off.rolled)} and roll again", rule=_rule(state))
        return Step(replace(state, roll_off=RollOff(best)), (roll, tied))
    if state.phase == "roll-off":
        return ending.roll_off_won(state, state.side_of(best[0]), (roll,))
    leads = Event("leads", f"{{{best[0]}}} goes first", best[0], rule=OPENING)
    return Step(replace(state, phase="throw", roll_off=None, player=best[0], first=best[0]), (roll, leads))


def after_turn(state: State, events: tuple[Event, ...]) -> Step[State]:
    """The turn is over and the pegs stand: the next player's turn, or the end of the game."""
    state = replace(state, turn=Turn())
    # A partner may still have a turn in this round: their peg leaves the board only once.
    if state.own.hole >= state.rules.goal and state.mover not in state.finished:
        state = replace(state, finished=(*state.finished, state.mover))
        off = f"the peg of {state.names(state.mover)} is off the board at {state.own.hole}"
        events = (*events, Event("finished", off, state.player, rule=GAME_END))
    if len(ending.left(state)) == 1:
        return ending.last_one_left(state, events)
    if state.rules.find_a_loser:
        found = len(ending.on_the_board(state)) == 1
        return ending.loser_found(state, events) if found else _next_turn(state, events)
    if state.finished and (state.rules.final_turns == "at_once" or _round_is_over(state)):
        return ending.race_over(state, events)
    return _next_turn(state, events)


def _next_turn(state: State, events: tuple[Event, ...]) -> Step[State]:
    who = _next_player(state)
    last = bool(state.finished) and not state.rules.find_a_loser
    text = f"it is {{{who}}}'s {'last turn' if last else 'turn'}"
    turn = Event("turn", text, who, rule=GAME_END if last else PLAY)
    return Step(replace(state, phase="throw", player=who), (*events, turn))


def _next_player(state: State) -> int:
    clockwise = (player % state.players for player in range(state.player + 1, state.player + state.players + 1))
    return next(player for player in clockwise if state.playing(state.side_of(player)))


def _round_is_over(state: State) -> bool:
    """A round is one turn of every player, partners included, from the player who went first (RULINGS)."""
    return _place(state, _next_player(state)) < _place(state, state.player)


def _place(state: State, player: int) -> int:
    return (player - state.first) % state.players
