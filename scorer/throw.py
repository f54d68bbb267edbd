"""A throw's worth: the one door through which the command line and the HTTP service ask.

    worth("crib-dice", [5, 5, 2, 2, 1, 4, 6])                      every point one may choose
    worth("crib-dice", [5, 1, 6, 6, 6], point=5, frozen=2)         safe, what joins and what it adds; or a wipeout
    worth("farkle-crib", [1, 2, 6, 3, 3, 3])                       every set-aside, basic and with bonuses
    worth("cribbage-dice", [5, 10, 10, 10, 11])                    fifteens, pairs, runs

The JSON of a worth has "game", "values", "outcome", "total", "summary" and "choices" in every game; indices count into
"values". Beside them:
    - crib-dice, with a point frozen: "point", "frozen_before", "frozen" (now), "thrown" and "joined" (indices), "adds".
      A point to choose has "point", "frozen" and "rolls_over".
    - farkle-crib: "thrown" (indices), "hot_dice", and the same throw with bonuses: "bonuses", "bonus_outcome",
      "bonus_total", "bonus_hot_dice", "bonus_choices". A set-aside has "left", "hot_dice", "bomb" and "classic_points".
    - cribbage-dice: "starter". A hand has "discarded" (indices).
Outcomes: "choose-point" and those of `crib_dice.Outcome`; "scores" or "farkle"; "counted", or "choose-five" of seven.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.crib_dice import throws as crib_dice
from scorer.cribbage_dice import throws as cribbage_dice
from scorer.dice import ThrowError
from scorer.farkle_crib import throws as farkle_crib
from scorer.melds import Hand, Meld
from scorer.words import dice_in_a_row, in_words, listed, points, sentence, several
from scorer.worth import Choice, Table, Worth, choices_to_json

__all__ = ["GAMES", "Choice", "Table", "ThrowError", "Worth", "worth"]

_OPTIONS = {
    "crib-dice": {"point", "frozen", "piddle_points"},
    "farkle-crib": {"set_aside", "bonuses"},
    "cribbage-dice": {"starter"},
}
GAMES = tuple(_OPTIONS)
"""The names of the games."""


def worth(
    game: str,
    values: Sequence[int],
    *,
    point: int | None = None,
    frozen: int | None = None,
    piddle_points: bool = False,
    set_aside: Sequence[int] | None = None,
    bonuses: Collection[str] | None = None,
    starter: int | None = None,
) -> Worth:
    """What the dice on the table are worth.

    Args:
        game: one of `GAMES`.
        values: the values that were read, in any order; indices in the answer count into them.
        point: crib-dice: the value frozen; only together with `frozen`. Without them it is the first throw of seven.
        frozen: crib-dice: how many dice were frozen before this throw.
        piddle_points: crib-dice: play the advanced rule of that name.
        set_aside: farkle-crib: values set aside earlier in the turn.
        bonuses: farkle-crib: names of the `farkle_crib.Bonus` scores shown beside the basic game; all by default.
        starter: cribbage-dice: the value of the starter die, which is among `values`.

    Raises:
        ThrowError: no such game or bonus, an option of another game, or dice that the game does not throw.
    """
    given: dict[str, object] = {
        "point": point,
        "frozen": frozen,
        "set_aside": set_aside,
        "bonuses": bonuses,
        "starter": starter,
    }
    given["piddle_points"] = piddle_points or None
    _check_options(game, {name for name, value in given.items() if value is not None})
    dice = tuple(values)
    if game == "crib-dice":
        return _crib_dice(dice, point, frozen, piddle_points)
    if game == "farkle-crib":
        return _farkle_crib(dice, tuple(set_aside or ()), _bonuses(bonuses))
    return _cribbage_dice(dice, starter)


def _check_options(game: str, used: set[str]) -> None:
    if game not in _OPTIONS:
        raise ThrowError("unknown-game", f"There is no game {game!r} here. Choose one of {', '.join(GAMES)}.")
    strange = sorted(used - _OPTIONS[game])
    if strange:
        raise ThrowError(
            "option-of-another-game",
            f"{game} has no {listed(strange)}: leave that away, or choose the game it belongs to.",
        )


# Crib Dice


def _crib_dice(values: tuple[int, ...], point: int | None, frozen: int | None, piddle_points: bool) -> Worth:
    if point is None and frozen is None:
        return _first_throw(values)
    if point is None or frozen is None:
        raise ThrowError(
            "point-and-frozen-together",
            "A point is a value and how many dice are frozen on it: name both, or neither for the first throw.",
        )
    thrown = crib_dice.throw_on(values, point, frozen, piddle_points=piddle_points)
    return _later_throw(values, thrown, frozen)


def _first_throw(values: tuple[int, ...]) -> Worth:
    offers = crib_dice.points_to_choose(values)
    rows = tuple((str(offer.pieces[0]), dice_in_a_row(offer.pieces), str(offer.points)) for offer in offers)
    return Worth(
        game="crib-dice",
        values=values,
        outcome="choose-point",
        total=offers[0].points,
        summary=sentence(f"choose your point: {listed([_offer_text(offer) for offer in offers])}"),
        choices=tuple(_point_choice(offer) for offer in offers),
        tables=(Table("Crib Dice: choose a point", ("Point", "Freezes", "Points"), rows),),
    )


def _offer_text(offer: Meld) -> str:
    text = f"{several(len(offer.pieces), offer.pieces[0])} for {offer.points}"
    return f"{text}, which rolls over" if len(offer.pieces) == crib_dice.DICE else text


def _point_choice(offer: Meld) -> Choice:
    value, count = offer.pieces[0], len(offer.pieces)
    text = f"freeze {_offer_text(offer)}"
    details = {"point": value, "frozen": count, "rolls_over": count == crib_dice.DICE}
    return Choice(f"point {value}", text, offer.pieces, offer.indices, offer.points, (offer,), details)


def _later_throw(values: tuple[int, ...], throw: crib_dice.Throw, before: int) -> Worth:
    row = (
        throw.outcome,
        str(len(throw.joined)),
        f"{throw.frozen} x {throw.point}",
        str(throw.total),
        f"{throw.adds:+}",
    )
    title = f"Crib Dice: {several(before, throw.point)} frozen before the throw"
    return Worth(
        game="crib-dice",
        values=values,
        outcome=throw.outcome,
        total=throw.total,
        summary=sentence(_later_text(throw)),
        choices=(),
        tables=(Table(title, ("Outcome", "Join", "Frozen", "Points", "Change"), (row,)),),
        details={
            "point": throw.point,
            "frozen_before": before,
            "frozen": throw.frozen,
            "thrown": list(throw.thrown),
            "joined": list(throw.joined),
            "adds": throw.adds,
        },
    )


def _later_text(throw: crib_dice.Throw) -> str:
    if throw.outcome == "wipeout":
        saving = "no 1" if throw.point == crib_dice.SAFE else f"no {throw.point} and no 1"
        return f"wipeout: {saving}, so the turn ends without score"
    if throw.outcome == "piddle-lost":
        return f"piddle lost: doubles that are not {throw.point}s, so the turn ends without score"
    return f"{_kept_text(throw)}; {_then_text(throw)}"


def _kept_text(throw: crib_dice.Throw) -> str:
    have = f"{several(throw.frozen, throw.point)} for {points(throw.total)}"
    if not throw.joined:
        return f"nothing joins, still {have}"
    change = f"{abs(throw.adds)} {'fewer' if throw.adds < 0 else 'more'}" if throw.adds else "no more than before"
    verb = "joins" if len(throw.joined) == 1 else "join"
    return f"{several(len(throw.joined), throw.point)} {verb}: {have} ({change})"


def _then_text(throw: crib_dice.Throw) -> str:
    if throw.outcome == "safe":
        return "safe, piddle or stop" if throw.frozen >= 5 else "safe, go on or stop"
    return {
        "rollover": "seven of a kind rolls over: throw seven fresh dice, or stop",
        "piddle-won": "no doubles, the piddle is won: throw seven fresh dice",
        "piddle-again": f"doubles of {throw.point}: throw both dice again",
    }[throw.outcome]


# Farkle Cribbage


@dataclass(frozen=True, slots=True)
class _Scored:
    """One way to play a throw of Farkle Cribbage: the legal set-asides under its bonuses."""

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


def _farkle_crib(values: tuple[int, ...], set_aside: tuple[int, ...], bonuses: frozenset[farkle_crib.Bonus]) -> Worth:
    basic = _scored(values, set_aside, farkle_crib.NO_BONUSES)
    bonus = _scored(values, set_aside, bonuses)
    return Worth(
        game="farkle-crib",
        values=values,
        outcome=basic.outcome,
        total=basic.total,
        summary=sentence(basic.text if bonus == basic else f"{basic.text}; with bonuses {bonus.text}"),
        choices=basic.choices,
        tables=_farkle_tables(basic, bonus),
        details={
            "thrown": list(farkle_crib.thrown(values, set_aside)),
            "hot_dice": basic.hot,
            "bonuses": sorted(bonuses),
            "bonus_outcome": bonus.outcome,
            "bonus_total": bonus.total,
            "bonus_hot_dice": bonus.hot,
            "bonus_choices": choices_to_json(bonus.choices),
        },
    )


def _scored(values: tuple[int, ...], set_aside: tuple[int, ...], bonuses: frozenset[farkle_crib.Bonus]) -> _Scored:
    found = farkle_crib.set_asides(values, bonuses, set_aside=set_aside)
    return _Scored(tuple(_set_aside_choice(choice) for choice in found))


def _set_aside_choice(choice: farkle_crib.SetAside) -> Choice:
    name = farkle_crib.in_a_phrase(choice)
    text = f"{name} for {points(choice.points)}"
    details: dict[str, Any] = {
        "left": choice.left,
        "hot_dice": choice.hot,
        "bomb": choice.bomb,
        "classic_points": farkle_crib.classic_points(choice.points),
    }
    text += ", or exchange pegs with the leader" if choice.bomb else ""
    text += ", and all six dice may be thrown again" if choice.hot else ""
    return Choice(name, text, choice.dice, choice.indices, choice.points, choice.items, details)


def _farkle_tables(basic: _Scored, bonus: _Scored) -> tuple[Table, ...]:
    if basic == bonus:
        return (_farkle_table("Farkle Cribbage, basic and with bonuses", basic),)
    return (_farkle_table("Farkle Cribbage", basic), _farkle_table("Farkle Cribbage with bonuses", bonus))


def _farkle_table(title: str, scored: _Scored) -> Table:
    rows = tuple(_farkle_row(choice) for choice in scored.choices)
    header = ("Set aside", "Counts as", "Points", "Classic Farkle", "Left to throw")
    return Table(title if rows else f"{title}: a farkle", header, rows)


def _farkle_row(choice: Choice) -> tuple[str, ...]:
    left = "all six again" if choice.details["hot_dice"] else str(choice.details["left"])
    name = f"{choice.name} (or exchange pegs)" if choice.details["bomb"] else choice.name
    return (dice_in_a_row(choice.dice), name, str(choice.points), str(choice.details["classic_points"]), left)


def _bonuses(names: Collection[str] | None) -> frozenset[farkle_crib.Bonus]:
    known = {bonus.value: bonus for bonus in farkle_crib.Bonus}
    if names is None:
        return farkle_crib.ALL_BONUSES
    strange = sorted(set(names) - set(known))
    if strange:
        raise ThrowError("unknown-bonus", f"There is no bonus {strange[0]!r}. Choose from {', '.join(known)}.")
    return frozenset(known[name] for name in names)


# Cribbage Dice


def _cribbage_dice(values: tuple[int, ...], starter: int | None) -> Worth:
    keeps = cribbage_dice.keeps(values, starter)
    best = keeps[0]
    tables = (_hand_table(best.hand),) if len(keeps) == 1 else (_hand_table(best.hand), _keep_table(values, keeps))
    return Worth(
        game="cribbage-dice",
        values=values,
        outcome="counted" if len(values) == cribbage_dice.HAND else "choose-five",
        total=best.hand.total,
        summary=sentence(_keep_text(values, best)),
        choices=tuple(_keep_choice(values, keep) for keep in keeps),
        tables=tables,
        details={"starter": starter},
    )


def _keep_choice(values: tuple[int, ...], keep: cribbage_dice.Keep) -> Choice:
    name = f"keep {dice_in_a_row(keep.hand.values)}" if keep.discarded else dice_in_a_row(values)
    details = {"discarded": list(keep.discarded)}
    text = _keep_text(values, keep)
    return Choice(name, text, keep.hand.values, keep.indices, keep.hand.total, keep.hand.melds, details)


def _keep_text(values: tuple[int, ...], keep: cribbage_dice.Keep) -> str:
    if not keep.discarded:
        return keep.hand.aloud()
    return f"discard {_discarded(values, keep)} and keep {dice_in_a_row(keep.hand.values)}: {keep.hand.aloud()}"


def _discarded(values: tuple[int, ...], keep: cribbage_dice.Keep) -> str:
    return listed([str(values[index]) for index in keep.discarded])


def _hand_table(hand: Hand) -> Table:
    title = f"Cribbage Dice: {dice_in_a_row(hand.values)} scores {in_words(hand.total)}"
    rows = tuple((meld.name, dice_in_a_row(meld.pieces), str(meld.points)) for meld in hand.melds)
    return Table(title, ("Meld", "Dice", "Points"), rows)


def _keep_table(values: tuple[int, ...], keeps: Sequence[cribbage_dice.Keep]) -> Table:
    rows = tuple((dice_in_a_row(k.hand.values), _discarded(values, k), str(k.hand.total)) for k in keeps)
    return Table("Cribbage Dice: every five of the seven", ("Keep", "Discard", "Points"), rows)
