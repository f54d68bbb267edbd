"""Farkle Cribbage: the legal moves, their worths, and the prompt.

Source: the text, "Play" 1 to 6 and "Optional Bonus Scores"; RULINGS, "Farkle Crib" and "The leader".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from scorer.engine.board import leaders
from scorer.engine.game import Legal, Move, Offer, Throws, names, who
from scorer.games.farkle_crib import pegging
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.state import State
from scorer.games.farkle_crib.throws import Bonus, set_asides
from scorer.games.set_aside_game import Phase
from scorer.pieces.dice import dice_counted
from scorer.pieces.set_asides import DICE, FACES, SetAside, in_a_phrase
from scorer.pieces.text import dice_in_a_row, points

CONTEST_DICE = 2
"""Dice that each player rolls in an opening or a roll-off."""
STOP = Move("stop")


def legal_moves(state: State) -> Legal:
    """Everything that may be done next."""
    if state.phase in (Phase.OPENING, Phase.ROLL_OFF):
        return Legal(chance=Throws(CONTEST_DICE, FACES, state.phase.value))
    if state.phase is Phase.THROW:
        return Legal(chance=Throws(DICE, FACES))
    if state.phase is Phase.GO_ON:
        return Legal((STOP,), Throws(state.turn.dice, FACES))
    return Legal(_choices(state)) if state.phase is Phase.KEEP else Legal()


def keeps(rules: Rules, thrown: tuple[int, ...]) -> Mapping[Move, SetAside]:
    """Every legal way to set dice aside from a throw, best first; an empty result is a farkle.

    Args:
        rules: what is played.
        thrown: the dice thrown, sorted.
    """
    return _keeps(thrown, rules.chart_bonuses, rules.three_pairs_4_2, rules.two_triples)


@lru_cache(maxsize=16384)
def _keeps(
    thrown: tuple[int, ...], bonuses: frozenset[Bonus], three_pairs_4_2: bool, two_triples: bool
) -> Mapping[Move, SetAside]:
    found = set_asides(thrown, bonuses, three_pairs_4_2=three_pairs_4_2, two_triples=two_triples)
    return MappingProxyType({Move("keep", tuple(sorted(choice.dice))): choice for choice in found})


def is_bomb(state: State) -> bool:
    """Is the throw six of a kind, under its bonus?"""
    return any(choice.six_alike for choice in keeps(state.rules, state.turn.thrown).values())


def rivals(state: State) -> tuple[int, ...]:
    """The leaders that the player to act may exchange pegs with; none if that player leads."""
    return leaders(state.holes, state.player, state.rules.finish, (False,) * state.players)


def _choices(state: State) -> tuple[Move, ...]:
    exchanges = [Move("exchange", (rival,)) for rival in rivals(state)] if is_bomb(state) else []
    return (*keeps(state.rules, state.turn.thrown), *exchanges)


def offers(state: State) -> tuple[Offer, ...]:
    """The choices in the order of the legal moves, with what each is worth."""
    return tuple(_offer(state, move) for move in legal_moves(state).choices)


def _offer(state: State, move: Move) -> Offer:
    if move.verb == "keep":
        return _keep_offer(move, keeps(state.rules, state.turn.thrown)[move])
    if move.verb == "exchange":
        return _exchange_offer(state, move)
    return Offer(move, f"stop and peg {points(state.turn.points)}", state.turn.points)


def _keep_offer(move: Move, choice: SetAside) -> Offer:
    hot = ", and all six dice may be thrown again" if choice.hot else ""
    return Offer(move, f"set aside {in_a_phrase(choice)} for {points(choice.points)}{hot}", choice.points, choice.items)


def _exchange_offer(state: State, move: Move) -> Offer:
    (rival,) = move.numbers
    moved = pegging.exchanged(state, rival)[state.player]
    banked = state.turn.points if state.rules.bomb_exchange == "end_turn_bank" else 0
    text = f"exchange pegs with {who(rival)}, from hole {state.hole} to hole {moved}{_then(state)}"
    return Offer(move, text, banked)


def _then(state: State) -> str:
    """What becomes of the turn and its other points in an exchange."""
    others = state.turn.points
    if state.rules.bomb_exchange == "continue":
        return ", and go on"
    if not others:
        return ", which ends the turn"
    kept = "peg" if state.rules.bomb_exchange == "end_turn_bank" else "lose"
    return f", end the turn and {kept} its other {points(others)}"


def prompt(state: State) -> str:
    """What is to be done next; "{0}" stands for the name of player 0."""
    if state.result is not None:
        return f"the game is over: {names(state.result.winners)} won"
    return f"{who(state.player)}: {_ASKED[state.phase](state)}"


def _asked_keep(state: State) -> str:
    exchange = ", or exchange pegs with the leader" if is_bomb(state) and rivals(state) else ""
    return f"set aside scoring dice of {dice_in_a_row(state.turn.thrown)}{exchange}"


def _asked_on(state: State) -> str:
    hot = state.turn.dice == DICE
    throw = "take up all six dice again" if hot else f"throw the other {dice_counted(state.turn.dice)}"
    return f"stop with {points(state.turn.points)}, or {throw}"


_ASKED: Mapping[Phase, Callable[[State], str]] = {
    Phase.OPENING: lambda _: "roll two dice for who begins",
    Phase.THROW: lambda _: "throw all six dice",
    Phase.KEEP: _asked_keep,
    Phase.GO_ON: _asked_on,
    Phase.ROLL_OFF: lambda _: "roll two dice for the win",
}
