"""What a legal move leads to.

Source: the Cribbage Dice text, "How to Play", "Once kept, always kept", "Roll Two Extra Dice".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scorer.engine.game import Event, Move, Step, names, who
from scorer.engine.roll_off import RollOff
from scorer.games.cribbage_dice.ending import after_turn, rolled_off
from scorer.games.cribbage_dice.legal import discard_move, hands_of_seven
from scorer.games.cribbage_dice.state import ROLLS, State, Turn, best
from scorer.pieces.melds import Hand
from scorer.pieces.text import dice_in_a_row, points, several

_PLAY = "Cribbage Dice, How to Play"
_SEVEN = "Cribbage Dice, Roll Two Extra Dice"


def follow(state: State, move: Move) -> Step[State]:
    """The state after a legal move, and what happened on the way."""
    return _FOLLOWS[move.verb](state, move)


def _cast(state: State, move: Move) -> Step[State]:
    (value,) = move.numbers
    player = state.roll_off.to_roll
    roll_off = state.roll_off.cast(value)
    told = Event("rolled", f"{who(player)} rolls {several(1, value)}", player, rule=_PLAY)
    if not roll_off.complete:
        return Step(replace(state, roll_off=roll_off), (told,))
    if len(roll_off.highest) > 1:
        again = Event("tied", f"{names(roll_off.highest)} are level and roll again", rule=_PLAY)
        return Step(replace(state, roll_off=RollOff(roll_off.highest)), (told, again))
    return _decided(state, roll_off.highest[0], told)


def _decided(state: State, winner: int, told: Event) -> Step[State]:
    if state.phase == "roll-off":
        ended = rolled_off(state, winner)
        return Step(ended.state, (told, *ended.events))
    leads = Event("turn", f"{who(winner)} has the high roll and goes first", winner, rule=_PLAY)
    return Step(replace(state, phase="throw", player=winner, first=winner, roll_off=RollOff()), (told, leads))


def _throw(state: State, move: Move) -> Step[State]:
    if state.phase == "throw":
        starter, *others = move.numbers
        text = f"throws {dice_in_a_row(others)} with the starter on {starter}"
        return _thrown(state, Turn(1, starter, tuple(others)), text)
    before = state.turn
    others = sorted(before.others + move.numbers)
    locked = before.others if state.rules.once_kept else ()
    text = f"throws {dice_in_a_row(move.numbers)}"
    return _thrown(state, Turn(before.rolls + 1, before.starter, tuple(others), locked), text)


def _thrown(state: State, turn: Turn, text: str) -> Step[State]:
    told = Event("thrown", f"{who(state.player)} {text}", state.player, rule=_PLAY)
    now = replace(state, phase="decide", turn=turn)
    if turn.rolls < ROLLS:
        return Step(now, (told,))
    last = _last_roll(now)
    return Step(last.state, (told, *last.events))


def _last_roll(state: State) -> Step[State]:
    """No roll is left or wanted: two of seven dice are discarded, five are counted."""
    if state.rules.seven_dice:
        return Step(replace(state, phase="discard", turn=replace(state.turn, locked=())))
    return _counted(state, best(state).hand)


def _keep(state: State, move: Move) -> Step[State]:
    kept = f"keeps {dice_in_a_row(move.numbers)}" if move.numbers else "keeps only the starter"
    turn = replace(state.turn, others=move.numbers, locked=())
    told = Event("kept", f"{who(state.player)} {kept}", state.player, rule=_PLAY)
    return Step(replace(state, phase="rethrow", turn=turn), (told,))


def _stop(state: State, _: Move) -> Step[State]:
    return _last_roll(state)


def _discard(state: State, move: Move) -> Step[State]:
    hand = next(hand for hand in hands_of_seven(state) if discard_move(state, hand) == move)
    text = f"{who(state.player)} discards {dice_in_a_row(move.numbers)}"
    told = Event("discarded", text, state.player, rule=_SEVEN)
    counted = _counted(state, hand.hand)
    return Step(counted.state, (told, *counted.events))


def _counted(state: State, hand: Hand[int]) -> Step[State]:
    scores = list(state.scores)
    scores[state.player] += hand.total
    told = Event("pegged", _count(state.player, hand, scores), state.player, hand.total, hand.melds, _PLAY)
    following = after_turn(replace(state, scores=tuple(scores)))
    return Step(following.state, (told, *following.events))


def _count(player: int, hand: Hand[int], scores: list[int]) -> str:
    counts = f"{who(player)} counts {dice_in_a_row(hand.values)}: {hand.aloud()}"
    if not hand.total:
        return f"{counts}, and stays at {scores[player]}"
    return f"{counts}; {points(hand.total)}, now at {scores[player]}"


_FOLLOWS: dict[str, Callable[[State, Move], Step[State]]] = {
    "opening": _cast,
    "roll-off": _cast,
    "throw": _throw,
    "keep": _keep,
    "stop": _stop,
    "discard": _discard,
}
