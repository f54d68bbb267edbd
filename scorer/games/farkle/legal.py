"""Farkle: the legal moves, their worths, and the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from scorer.engine.game import Legal, Move, Offer, Throws, names, who
from scorer.games.farkle.rules import Rules
from scorer.games.farkle.state import State
from scorer.games.farkle.throws import set_asides
from scorer.games.set_aside_game import Phase
from scorer.pieces.dice import dice_counted
from scorer.pieces.set_asides import DICE, FACES, SetAside, in_a_phrase
from scorer.pieces.text import dice_in_a_row, points

CONTEST_DICE = 1
"""Dice that each player rolls in an opening."""
STOP = Move("stop")


def legal_moves(state: State) -> Legal:
    """Everything that may be done next."""
    if state.phase is Phase.OPENING:
        return Legal(chance=Throws(CONTEST_DICE, FACES, "opening"))
    if state.phase is Phase.KEEP:
        return Legal(tuple(keeps(state.rules, state.turn.thrown)))
    if state.phase is Phase.OVER:
        return Legal()
    choices = (STOP,) if state.phase is Phase.GO_ON and state.may_stop else ()
    return Legal(choices, Throws(state.turn.dice, FACES))


@lru_cache(maxsize=16384)
def keeps(rules: Rules, thrown: tuple[int, ...]) -> Mapping[Move, SetAside]:
    """Every legal way to set dice aside from a throw, best first; an empty result is a farkle."""
    return MappingProxyType({Move("keep", tuple(sorted(choice.dice))): choice for choice in set_asides(thrown, rules)})


def offers(state: State) -> tuple[Offer, ...]:
    """The choices in the order of the legal moves, with what each is worth."""
    return tuple(_offer(state, move) for move in legal_moves(state).choices)


def _offer(state: State, move: Move) -> Offer:
    if move == STOP:
        return Offer(move, f"stop and bank {points(state.turn.points)}", state.turn.points)
    choice = keeps(state.rules, state.turn.thrown)[move]
    hot = ", and all six dice may be thrown again" if choice.hot else ""
    return Offer(move, f"set aside {in_a_phrase(choice)} for {points(choice.points)}{hot}", choice.points, choice.items)


def prompt(state: State) -> str:
    """What is to be done next; "{0}" stands for the name of player 0."""
    if state.result is not None:
        return f"the game is over: {names(state.result.winners)} won"
    asked = {
        Phase.OPENING: "roll one die for who begins",
        Phase.THROW: "throw all six dice",
        Phase.KEEP: f"set aside scoring dice of {dice_in_a_row(state.turn.thrown)}",
        Phase.GO_ON: _asked_on(state),
    }
    return f"{who(state.player)}: {asked[state.phase]}"


def _asked_on(state: State) -> str:
    throw = (
        "take up all six dice again" if state.turn.dice == DICE else f"throw the other {dice_counted(state.turn.dice)}"
    )
    if state.may_stop:
        return f"stop with {points(state.turn.points)}, or {throw}"
    return f"{throw}: {state.rules.opening_score} points get you on the board, and you have {state.turn.points}"
