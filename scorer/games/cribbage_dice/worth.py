"""What a hand of Cribbage Dice is worth: five dice counted, or every five that may be kept of seven.

Source: the Cribbage Dice text, its scoring section and "Roll Two Extra Dice"; RULINGS, "Cribbage Dice".
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.engine.worth import Choice, Table, Worth, counted, hand_table
from scorer.games.cribbage_dice.rules import Rules
from scorer.games.cribbage_dice.shapes import KeepChoice
from scorer.games.cribbage_dice.throws import HAND, Keep, keeps
from scorer.pieces.melds import Hand
from scorer.pieces.text import dice_in_a_row, listed, sentence

GAME = "cribbage-dice"


def worth(values: tuple[int, ...], rules: Rules, starter: int | None = None) -> Worth:
    """What the dice on the table are worth.

    Args:
        values: five values, the starter among them; or seven of which two are discarded.
        rules: of its options, `seven_keep_starter` and `sub_runs`.
        starter: the value of the starter die.

    Raises:
        ThrowError: see `throws.keeps`.
    """
    found = keeps(values, starter, sub_runs=rules.sub_runs)
    if len(values) == HAND:
        return counted(GAME, values, found[0].hand, _hand_table(found[0].hand), starter=starter)
    return _of_seven(values, found if rules.seven_keep_starter else keeps(values, sub_runs=rules.sub_runs), starter)


def _of_seven(values: tuple[int, ...], found: Sequence[Keep], starter: int | None) -> Worth:
    best = found[0]
    return Worth(
        game=GAME,
        values=values,
        outcome="choose-five",
        total=best.hand.total,
        summary=sentence(_text(values, best)),
        choices=tuple(_choice(values, keep) for keep in found),
        tables=(_hand_table(best.hand), _keep_table(values, found)),
        details={"starter": starter},
    )


def _choice(values: Sequence[int], keep: Keep) -> Choice:
    name, hand = f"keep {dice_in_a_row(keep.hand.values)}", keep.hand
    details: KeepChoice = {"discarded": list(keep.discarded)}
    return Choice(name, _text(values, keep), hand.values, keep.indices, hand.total, hand.melds, details)


def _text(values: Sequence[int], keep: Keep) -> str:
    return f"discard {_discarded(values, keep)} and keep {dice_in_a_row(keep.hand.values)}: {keep.hand.aloud()}"


def _discarded(values: Sequence[int], keep: Keep) -> str:
    return listed([str(values[index]) for index in keep.discarded])


def _hand_table(hand: Hand[int]) -> Table:
    return hand_table(f"Cribbage Dice: {dice_in_a_row(hand.values)}", "Dice", hand, dice_in_a_row)


def _keep_table(values: Sequence[int], found: Sequence[Keep]) -> Table:
    rows = tuple((dice_in_a_row(k.hand.values), _discarded(values, k), str(k.hand.total)) for k in found)
    return Table("Cribbage Dice: every five of the seven", ("Keep", "Discard", "Points"), rows)
