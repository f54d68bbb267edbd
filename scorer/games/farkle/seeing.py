"""Farkle: what a picture of the table means.

Source: RULINGS, "What a photo means in a game": the thrown dice alone, or all six with those set aside.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.engine.expected import Expected, pieces
from scorer.engine.game import Move, Seen, Unclear, throw
from scorer.errors import ThrowError
from scorer.games.farkle.state import Phase, State
from scorer.pieces.dice import check_values, dice_counted, were_read
from scorer.pieces.set_asides import DICE, FACES, thrown
from scorer.pieces.text import dice_in_a_row, in_a_row

PIECES = pieces("d6", at_most=DICE)


def on_table(state: State) -> Expected:
    """How many dice a photo taken now should show: the thrown ones alone, or all six."""
    if state.phase is Phase.OPENING:
        return PIECES.showing({1})
    return PIECES if state.phase is Phase.OVER else PIECES.showing({DICE, state.turn.dice})


def in_photo(set_aside: Sequence[int] = ()) -> Expected:
    """How many dice a photo of a throw shows: with dice set aside, the thrown ones alone or all six."""
    return PIECES.showing({DICE, DICE - len(set_aside)}) if set_aside else PIECES


def view(state: State) -> str:
    """The dice that the prompt does not name."""
    return f"set aside {dice_in_a_row(state.turn.aside)}" if state.turn.aside and state.result is None else ""


def streaks(state: State) -> tuple[tuple[int, str], ...]:
    """The farkles of every player in a row, where they are counted."""
    return tuple((player, in_a_row(count, "farkle")) for player, count in enumerate(state.farkles))


def recognise(state: State, seen: Seen) -> tuple[Move, ...]:
    """The throw that a picture shows.

    Raises:
        Unclear: "choice-first", "game-over", "wrong-count", "value-out-of-range", "set-aside-not-there" or "tiles-there".
    """
    if state.phase is Phase.OVER:
        raise Unclear("game-over", "The game is over, so these dice are no throw of it. Begin a new game.")
    if state.phase is Phase.KEEP:
        dice = dice_in_a_row(state.turn.thrown)
        raise Unclear("choice-first", f"First say which dice of {dice} are set aside; then show the next throw.")
    try:
        move = _shown(state, seen.dice)
    except ThrowError as error:
        raise Unclear(error.code, error.message) from error
    if seen.tiles:
        raise Unclear("tiles-there", "Farkle has no dominoes: clear them away, or confirm the dice.", (move,))
    return (move,)


def _shown(state: State, dice: tuple[int, ...]) -> Move:
    check_values(dice, FACES)
    if state.turn.aside:
        return throw(dice[index] for index in thrown(dice, state.turn.aside))
    due = 1 if state.phase is Phase.OPENING else DICE
    if len(dice) != due:
        text = f"This throw is {dice_counted(due)}; {were_read(len(dice))}. Show just the dice that were thrown."
        raise ThrowError("wrong-count", text)
    return throw(dice, "opening" if state.phase is Phase.OPENING else "throw")
