"""What a throw of Farkle Cribbage is worth: every set-aside, under the rules that are played and with all bonuses.

Source: the Farkle Cribbage text, its chart and "Optional Bonus Scores"; RULINGS, "Farkle Crib".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scorer.engine.worth import Choice, Table, Worth, choices_to_json
from scorer.games.farkle_crib.rules import Rules
from scorer.games.farkle_crib.shapes import SetAsideChoice
from scorer.games.farkle_crib.throws import ALL_BONUSES, Bonus, classic_points, set_asides
from scorer.pieces.set_asides import SetAside, in_a_phrase, thrown
from scorer.pieces.text import dice_in_a_row, points, sentence


@dataclass(frozen=True, slots=True)
class _Scored:
    """One way to play a throw: the legal set-asides under its bonuses."""

    choices: tuple[Choice, ...]

    @property
    def outcome(self) -> str:
        return "scores" if self.choices else "farkle"

    @property
    def total(self) -> int:
        return self.choices[0].points if self.choices else 0

    @property
    def hot(self) -> bool:
        return any(choice.details["hot_dice"] for choice in self.choices)

    @property
    def text(self) -> str:
        return self.choices[0].text if self.choices else "a farkle, nothing scores"


def worth(values: tuple[int, ...], rules: Rules, set_aside: Sequence[int] = ()) -> Worth:
    """What the dice on the table are worth.

    Args:
        values: the values that were read, in any order.
        rules: of its options, the bonuses that are lines of the chart, `three_pairs_4_2` and `two_triples`.
        set_aside: values set aside earlier in the turn.

    Raises:
        ThrowError: see `scorer.pieces.set_asides.thrown`.
    """
    played = _scored(values, set_aside, rules.chart_bonuses, rules)
    bonus = _scored(values, set_aside, ALL_BONUSES, rules)
    return Worth(
        game="farkle-crib",
        values=values,
        outcome=played.outcome,
        total=played.total,
        summary=sentence(played.text if bonus == played else f"{played.text}; with all bonuses {bonus.text}"),
        choices=played.choices,
        tables=_tables(played, bonus),
        details={
            "thrown": list(thrown(values, set_aside)),
            "hot_dice": played.hot,
            "bonuses": sorted(rules.chart_bonuses),
            "bonus_outcome": bonus.outcome,
            "bonus_total": bonus.total,
            "bonus_hot_dice": bonus.hot,
            "bonus_choices": choices_to_json(bonus.choices),
        },
    )


def _scored(values: Sequence[int], set_aside: Sequence[int], bonuses: Collection[Bonus], rules: Rules) -> _Scored:
    found = set_asides(
        values, bonuses, set_aside=set_aside, three_pairs_4_2=rules.three_pairs_4_2, two_triples=rules.two_triples
    )
    return _Scored(tuple(_choice(one) for one in found))


def _choice(found: SetAside) -> Choice:
    name = in_a_phrase(found)
    text = f"{name} for {points(found.points)}"
    details: SetAsideChoice = {
        "left": found.left,
        "hot_dice": found.hot,
        "bomb": found.six_alike,
        "classic_points": classic_points(found.points),
    }
    text += ", or exchange pegs with the leader" if found.six_alike else ""
    text += ", and all six dice may be thrown again" if found.hot else ""
    return Choice(name, text, found.dice, found.indices, found.points, found.items, details)


def _tables(played: _Scored, bonus: _Scored) -> tuple[Table, ...]:
    if played == bonus:
        return (_table("Farkle Cribbage, as played and with all bonuses", played),)
    return (_table("Farkle Cribbage", played), _table("Farkle Cribbage with all bonuses", bonus))


def _table(title: str, scored: _Scored) -> Table:
    rows = tuple(_row(choice) for choice in scored.choices)
    header = ("Set aside", "Counts as", "Points", "Classic Farkle", "Left to throw")
    return Table(title if rows else f"{title}: a farkle", header, rows)


def _row(choice: Choice) -> tuple[str, ...]:
    left = "all six again" if choice.details["hot_dice"] else str(choice.details["left"])
    name = f"{choice.name} (or exchange pegs)" if choice.details["bomb"] else choice.name
    row = dice_in_a_row(map(int, choice.pieces))
    return (row, name, str(choice.points), str(choice.details["classic_points"]), left)
