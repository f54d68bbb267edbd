"""The legal moves of a state of Crib Dice, what each choice is worth, and the words that ask for it.

Source: the Crib Dice text, "Play", "Piddle and Rollover", "The Bomb"; RULINGS, "Crib Dice".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from scorer.engine.game import Legal, Move, Offer, Throws
from scorer.games.crib_dice.play import points_offered
from scorer.games.crib_dice.state import PIDDLE_DICE, State
from scorer.games.crib_dice.throws import DICE, FACES, chart
from scorer.pieces.melds import Meld, meld_at, of_a_kind
from scorer.pieces.text import in_words, listed, points, several

STOP = Move("stop")
BOMB = Move("bomb")
ROLL = Move("roll")
_WAYS = {STOP: "stop", BOMB: "bomb", ROLL: "roll the rest"}
_TWO_DICE = {"opening": "opening", "roll-off": "roll-off", "piddle": "piddle", "again": "piddle", "bombing": "piddle"}


def legal_moves(state: State) -> Legal:
    """Everything that may be done next."""
    return Legal(_choices(state), _chance(state))


def offers(state: State) -> tuple[Offer, ...]:
    """The choices with their words and worth, best point first."""
    return tuple(_offers(state))


def prompt(state: State) -> str:
    """What is to be done next, for the player to act."""
    if state.phase == "over":
        return "the game is over"
    ways = [_asked(state), *(_WAYS[move] for move in _choices(state) if move in _WAYS)]
    return f"{{{state.to_act}}}: {' or '.join(ways)}"


def _asked(state: State) -> str:
    return {
        "opening": "roll two dice for who goes first",
        "roll-off": "roll two dice for the win",
        "throw": "throw all seven dice",
        "choose": "choose your point",
        "freeze": f"say how many {state.turn.point}s you freeze",
        "safe": f"throw the {in_words(state.turn.to_throw)} unfrozen dice",
        "piddle": "piddle with two dice",
        "rolling": f"throw the {in_words(state.turn.to_throw)} unfrozen {'die' if state.turn.to_throw == 1 else 'dice'}",
        "again": "throw both dice again",
        "bombing": "throw two dice for the bomb, which any 1 sets off",
        "exchange": "say whose peg you take",
        "seven": "throw seven fresh dice",
    }[state.phase]


# Legal moves


def _choices(state: State) -> tuple[Move, ...]:
    if state.phase == "choose":
        return tuple(_point_move(state, meld) for meld in _melds(state))
    if state.phase == "freeze":
        return tuple(Move("freeze", (count,)) for count in _counts(state))
    if state.phase == "exchange":
        return tuple(Move("exchange", (state.members(side)[0],)) for side in state.rivals)
    if state.phase in ("safe", "piddle", "seven"):
        rolls = (ROLL,) if state.phase == "piddle" and state.rules.roll_at_five_or_six else ()
        return (STOP, BOMB, *rolls) if state.may_bomb else (STOP, *rolls)
    return ()


def _chance(state: State) -> Throws | None:
    if state.phase in _TWO_DICE:
        return _throws(PIDDLE_DICE, _TWO_DICE[state.phase])
    if state.phase in ("throw", "seven"):
        return _throws(DICE, "throw")
    return _throws(state.turn.to_throw, "throw") if state.phase in ("safe", "rolling") else None


@cache
def _throws(count: int, verb: str) -> Throws:
    return Throws(count, FACES, verb)


def _melds(state: State) -> tuple[Meld[int], ...]:
    return points_offered(state.turn.dice, state.rules.freeze_all)


def _point_move(state: State, meld: Meld[int]) -> Move:
    value, count = meld.pieces[0], len(meld.pieces)
    return Move("point", (value,) if state.rules.freeze_all else (value, count))


def _counts(state: State) -> range:
    """How many of the matching dice may join the point: at least one, since they made the throw safe; most first.

    The text says only that a player freezes "any dice matching" the point; setting one aside is how the turn goes on.
    """
    return range(state.turn.dice.count(state.turn.point), 0, -1)


# Offers


def _offers(state: State) -> Iterator[Offer]:
    if state.phase == "choose":
        yield from (_point_offer(state, meld) for meld in _melds(state))
    elif state.phase == "freeze":
        yield from (_freeze_offer(state, count) for count in _counts(state))
    elif state.phase == "exchange":
        yield from (_exchange_offer(state, side) for side in state.rivals)
    else:
        yield from (_OFFERS[move](state) for move in _choices(state))


def _point_offer(state: State, meld: Meld[int]) -> Offer:
    value, count = meld.pieces[0], len(meld.pieces)
    rolls_over = ", which rolls over" if count == DICE else ""
    text = f"freeze {several(count, value)} for {points(meld.points)}{rolls_over}"
    return Offer(_point_move(state, meld), text, meld.points, (meld,))


def _freeze_offer(state: State, count: int) -> Offer:
    point, now = state.turn.point, state.turn.frozen + count
    meld = meld_at(of_a_kind(now), (point,) * now, range(now), chart(point, now))
    text = f"freeze {several(count, point)} more: {several(now, point)} for {points(meld.points)}"
    return Offer(Move("freeze", (count,)), text, meld.points, (meld,))


def _stop_offer(state: State) -> Offer:
    total = state.turn.total
    return Offer(STOP, f"stop and peg {points(total)}, to hole {state.own.hole + total}", total)


def _bomb_offer(state: State) -> Offer:
    names = listed([state.names(side) for side in state.rivals])
    gain = _gain(state, state.rivals[0])
    if len(state.rivals) > 1:
        names = f"one of {names}"
    where = f"exchange pegs with {names}, {gain} {'hole' if gain == 1 else 'holes'} ahead"
    if state.bomb_ready:
        return Offer(BOMB, f"bomb: {where}", gain)
    return Offer(BOMB, f"announce the bomb, then piddle: with any 1 {where}; without, no points", gain)


def _roll_offer(state: State) -> Offer:
    dice = "die" if state.turn.to_throw == 1 else f"{in_words(state.turn.to_throw)} dice"
    return Offer(ROLL, f"roll the other {dice} on the point instead of a piddle")


_OFFERS: dict[Move, Callable[[State], Offer]] = {STOP: _stop_offer, BOMB: _bomb_offer, ROLL: _roll_offer}


def _exchange_offer(state: State, side: int) -> Offer:
    move = Move("exchange", (state.members(side)[0],))
    return Offer(move, f"exchange pegs with {state.names(side)} at hole {state.holes[side]}", _gain(state, side))


def _gain(state: State, side: int) -> int:
    """How many holes the peg of that side is ahead of the mover's."""
    return state.holes[side] - state.own.hole
