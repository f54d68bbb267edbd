"""Why a move is not legal: the reason in a player's words, and the rule that it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from scorer.engine.game import Move
from scorer.errors import IllegalMove
from scorer.games.cribbage_dice.prompts import due
from scorer.games.cribbage_dice.state import State
from scorer.games.cribbage_dice.throws import FACES
from scorer.pieces.dice import dice_counted
from scorer.pieces.text import dice_in_a_row, listed

_PLAY = "Cribbage Dice, How to Play"
_ONCE_KEPT = "Cribbage Dice, Once kept, always kept"
_SEVEN = "Cribbage Dice, Roll Two Extra Dice"
_STARTER_STAYS = "Muggins's rulings, Cribbage Dice: seven_keep_starter"
_DUE = {
    "opening": ("opening",),
    "throw": ("throw",),
    "decide": ("stop", "keep"),
    "rethrow": ("throw",),
    "discard": ("discard",),
    "roll-off": ("roll-off",),
}


def why_not(state: State, move: Move) -> IllegalMove:
    """The reason why a move is not among the legal ones."""
    if state.phase == "over":
        return IllegalMove("game-over", "The game is over: start another one.", _PLAY)
    if move.verb not in _DUE[state.phase]:
        return _not_now(state, move)
    if move.tiles:
        return IllegalMove("tiles-named", "There are no tiles in Cribbage Dice: name the dice by their values.", _PLAY)
    return _REASONS[move.verb](state, move)


def _not_now(state: State, move: Move) -> IllegalMove:
    if state.phase == "decide" and move.verb == "throw":
        return IllegalMove(
            "keep-first", "Say first which dice you keep, like keep 10 10, then throw the others.", _PLAY
        )
    return IllegalMove("not-now", f"{move.verb!r} is not a move here. Due now: {due(state)}.", _PLAY)


def _thrown(state: State, move: Move) -> IllegalMove:
    dice = move.numbers
    if len(dice) != state.to_throw:
        thrown, named = dice_counted(state.to_throw), dice_counted(len(dice))
        return IllegalMove("wrong-count", f"The throw is of {thrown}, but {named} would be named.", _PLAY)
    wrong = [value for value in dice if not 1 <= value <= FACES]
    if wrong:
        text = f"The dice go from 1 to {FACES}, got {wrong[0]}."
        return IllegalMove("value-out-of-range", text, _PLAY)
    if state.phase == "throw":
        return _unsorted((*dice[:1], *sorted(dice[1:])), "the starter's value first, the others lowest first")
    return _unsorted(tuple(sorted(dice)))


def _unsorted(dice: tuple[int, ...], order: str = "lowest first") -> IllegalMove:
    text = f"The dice are named in order, {order}: {' '.join(map(str, dice))}."
    return IllegalMove("unsorted", text, _PLAY)


def _keep(state: State, move: Move) -> IllegalMove:
    turn = state.turn
    if not _among(move.numbers, turn.others):
        return _not_there(turn.others, move.numbers, "The starter stays in any case and is not named")
    if len(move.numbers) == len(turn.others):
        return IllegalMove("all-kept", "Nothing is left to throw when all dice are kept: that is stop.", _PLAY)
    if not _among(turn.locked, move.numbers):
        text = f"{dice_in_a_row(turn.locked)} was kept before and stays kept: name it again among the dice you keep."
        return IllegalMove("once-kept", text, _ONCE_KEPT)
    return _unsorted(tuple(sorted(move.numbers)))


def _stop(_: State, move: Move) -> IllegalMove:
    return IllegalMove("dice-named", f"Stop names no dice, so {dice_in_a_row(move.numbers)} is too much.", _PLAY)


def _discard(state: State, move: Move) -> IllegalMove:
    turn = state.turn
    if len(move.numbers) != 2:
        named = dice_counted(len(move.numbers))
        return IllegalMove("wrong-count", f"Two of the seven dice are discarded, but {named} would be named.", _SEVEN)
    if not _among(move.numbers, turn.table):
        return _not_there(turn.table, move.numbers, "Discard two of these, by their values")
    if state.starter_index is not None and not _among(move.numbers, turn.others):
        text = f"The starter stays in the hand: discard two of the other dice, {dice_in_a_row(turn.others)}."
        return IllegalMove("starter-stays", text, _STARTER_STAYS)
    return _unsorted(tuple(sorted(move.numbers)))


def _not_there(dice: tuple[int, ...], named: tuple[int, ...], hint: str) -> IllegalMove:
    counts, there = Counter(named), Counter(dice)
    missing = listed([str(value) for value in sorted(counts) if counts[value] > there[value]])
    text = f"There are too few dice on {missing} among {dice_in_a_row(dice)}. {hint}."
    return IllegalMove("not-there", text, _PLAY)


def _among(some: tuple[int, ...], dice: tuple[int, ...]) -> bool:
    return Counter(some) <= Counter(dice)


_REASONS: dict[str, Callable[[State, Move], IllegalMove]] = {
    "opening": _thrown,
    "roll-off": _thrown,
    "throw": _thrown,
    "keep": _keep,
    "stop": _stop,
    "discard": _discard,
}
