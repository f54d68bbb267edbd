"""What a throw of Crib Dice is worth to the player who looks at it: the points to choose, or what joins and what it adds.

Source: the Crib Dice text, "Play", "Piddle and Rollover", "The Bomb"; RULINGS, "Crib Dice".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.engine.worth import Choice, Table, Worth
from scorer.errors import ThrowError
from scorer.games.crib_dice.play import points_offered
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.shapes import PointChoice, ThrowDetails
from scorer.games.crib_dice.state import BOMB_POINT, PIDDLES
from scorer.games.crib_dice.throws import DICE, SAFE, Throw, chart, counts_that_fit, throw_on
from scorer.pieces.melds import Meld, of_a_kind
from scorer.pieces.text import dice_in_a_row, listed, points, sentence, several

GAME = "crib-dice"
_BOMB = ", or exchange pegs with the leader"


def worth(values: tuple[int, ...], rules: Rules, point: int | None = None, frozen: int | None = None) -> Worth:
    """What the dice on the table are worth.

    Under `roll_at_five_or_six` the number of dice distinguishes a roll of the rest from a piddle. An ambiguous throw counts
    as a piddle, and the summary adds its worth as a roll. With five 1s frozen a piddle may be an announced bomb: it does not
    count as one, and the summary adds what it would be as a bomb.

    Args:
        values: the values that were read, in any order.
        rules: the options that matter are the piddle's, `freeze_all`, `roll_at_five_or_six` and the bomb's.
        point: the value frozen; only together with `frozen`. Without them it is the first throw of seven.
        frozen: how many dice were frozen before this throw.

    Raises:
        ThrowError: "point-and-frozen-together", or what `throws.points_to_choose` and `throws.throw_on` raise.
    """
    if point is None and frozen is None:
        return _first_throw(values, rules)
    if point is None or frozen is None:
        raise ThrowError(
            "point-and-frozen-together",
            "point and frozen go together: name both, or neither for the first throw.",
        )
    roll = _rest_rolled(values, point, frozen, rules)
    if roll and len(values) not in counts_that_fit(point, frozen, piddle_points=rules.piddle_points):
        return _later_throw(values, roll, frozen, rules)
    throw = throw_on(values, point, frozen, piddle_points=rules.piddle_points, doubles=rules.doubles)
    bomb = _as_a_bomb(values, throw, frozen, rules)
    told = _later_throw(values, throw, frozen, rules)
    if roll is None:
        return replace(told, summary=told.summary + bomb)
    rolled = _later_throw(values, roll, frozen, rules)
    summary = f"As a piddle: {told.summary} As a roll of the rest: {rolled.summary}{bomb}"
    return replace(told, summary=summary, tables=(*told.tables, *rolled.tables))


def _rest_rolled(values: tuple[int, ...], point: int, frozen: int, rules: Rules) -> Throw | None:
    """The throw as a roll of the rest with five or six dice frozen; None where it cannot be one."""
    if not (rules.roll_at_five_or_six and PIDDLES <= frozen < DICE):
        return None
    if len(values) not in counts_that_fit(point, frozen, piddle_points=rules.piddle_points, rolls_on=True):
        return None
    return throw_on(values, point, frozen, rolls_on=True)


def _as_a_bomb(values: tuple[int, ...], throw: Throw, frozen: int, rules: Rules) -> str:
    """The outcome of a piddle as an announced bomb; empty where it cannot be one, or where the turn is lost anyway."""
    if not _may_announce(throw.point, frozen, rules):
        return ""
    if any(values[index] == BOMB_POINT for index in throw.thrown):
        return " As a bomb that was announced: it goes off, exchange pegs with the leader."
    if throw.outcome == "piddle-lost":
        return ""
    return " As a bomb that was announced: it fails, the turn ends without score."


# The first throw


def _first_throw(values: tuple[int, ...], rules: Rules) -> Worth:
    offers = points_offered(values, rules.freeze_all)
    choices = tuple(_point_choice(offer, rules) for offer in offers)
    rows = tuple((str(offer.pieces[0]), dice_in_a_row(offer.pieces), str(offer.points)) for offer in offers)
    return Worth(
        game=GAME,
        values=values,
        outcome="choose-point",
        total=offers[0].points,
        summary=sentence(f"choose your point: {listed([_offer_text(offer, rules) for offer in offers])}"),
        choices=choices,
        tables=(Table("Crib Dice: choose a point", ("Point", "Freezes", "Points"), rows),),
    )


def _offer_text(offer: Meld[int], rules: Rules) -> str:
    value, count = offer.pieces[0], len(offer.pieces)
    rolls_over = ", which rolls over" if count == DICE else ""
    return f"{several(count, value)} for {offer.points}{rolls_over}{_BOMB if _bomb(value, count, rules) else ''}"


def _point_choice(offer: Meld[int], rules: Rules) -> Choice:
    value, count = offer.pieces[0], len(offer.pieces)
    name = f"point {value}" if rules.freeze_all else f"point {value}, {several(count, value)}"
    details = _details(value, count, rules)
    text = f"freeze {_offer_text(offer, rules)}"
    return Choice(name, text, offer.pieces, offer.indices, offer.points, (offer,), details)


def _details(point: int, frozen: int, rules: Rules) -> PointChoice:
    return {"point": point, "frozen": frozen, "rolls_over": frozen == DICE, "bomb": _bomb(point, frozen, rules)}


def _bomb(point: int, frozen: int, rules: Rules) -> bool:
    """Whether this many dice, thrown without a piddle, may be taken as the bomb instead of their points."""
    return rules.bomb and point == BOMB_POINT and frozen >= rules.bomb_at


def _may_announce(point: int, frozen: int, rules: Rules) -> bool:
    """Whether a piddle with this many dice frozen may be announced as the bomb."""
    return rules.bomb and point == BOMB_POINT and PIDDLES <= frozen < rules.bomb_at


# A throw on a point


def _later_throw(values: tuple[int, ...], throw: Throw, before: int, rules: Rules) -> Worth:
    choices = _freeze_choices(throw, before, rules)
    bomb = throw.outcome in ("safe", "rollover") and _bomb(throw.point, throw.frozen, rules)
    details: ThrowDetails = {
        "point": throw.point,
        "frozen_before": before,
        "frozen": throw.frozen,
        "thrown": list(throw.thrown),
        "joined": list(throw.joined),
        "adds": throw.adds,
        "bomb": bomb,
    }
    return Worth(
        game=GAME,
        values=values,
        outcome=throw.outcome,
        total=throw.total,
        summary=sentence(_later_text(throw, rules, may_freeze_fewer=bool(choices)) + (_BOMB if bomb else "")),
        choices=choices,
        tables=(_later_table(throw, before), *_freeze_tables(choices)),
        details=details,
    )


def _freeze_choices(throw: Throw, before: int, rules: Rules) -> tuple[Choice, ...]:
    """How many of the matching dice may join, most first: no choice under `freeze_all`, or with one die."""
    if rules.freeze_all or throw.outcome not in ("safe", "rollover") or len(throw.joined) < 2:
        return ()
    return tuple(_freeze_choice(throw, before, count, rules) for count in range(len(throw.joined), 0, -1))


def _freeze_choice(throw: Throw, before: int, count: int, rules: Rules) -> Choice:
    point, now = throw.point, before + count
    # The meld has all dice of the point, but indices only for those that join now: only these were surely read.
    meld = Meld(of_a_kind(now), (point,) * now, throw.joined[:count], chart(point, now))
    name = f"freeze {several(count, point)} more"
    text = f"{name}: {several(now, point)} for {points(meld.points)}"
    return Choice(name, text, (point,) * count, meld.indices, meld.points, (meld,), _details(point, now, rules))


def _later_table(throw: Throw, before: int) -> Table:
    row = (
        throw.outcome,
        str(len(throw.joined)),
        f"{throw.frozen} x {throw.point}",
        str(throw.total),
        f"{throw.adds:+}",
    )
    title = f"Crib Dice: {several(before, throw.point)} frozen before the throw"
    return Table(title, ("Outcome", "Join", "Frozen", "Points", "Change"), (row,))


def _freeze_tables(choices: Sequence[Choice]) -> tuple[Table, ...]:
    rows = tuple((choice.name, choice.items[0].name, str(choice.points)) for choice in choices)
    return (Table("Crib Dice: how many join", ("Choice", "Makes", "Points"), rows),) if rows else ()


def _later_text(throw: Throw, rules: Rules, *, may_freeze_fewer: bool) -> str:
    if throw.outcome == "wipeout":
        saving = "no 1" if throw.point == SAFE else f"no {throw.point} and no 1"
        return f"wipeout: {saving}, so the turn ends without score"
    if throw.outcome == "piddle-lost":
        return f"piddle lost: doubles that are not {throw.point}s, so the turn ends without score"
    fewer = ", or freeze fewer of them" if may_freeze_fewer else ""
    return f"{_kept_text(throw)}{fewer}; {_then_text(throw, rules)}"


def _kept_text(throw: Throw) -> str:
    have = f"{several(throw.frozen, throw.point)} for {points(throw.total)}"
    if not throw.joined:
        return f"nothing joins, still {have}"
    change = f"{abs(throw.adds)} {'fewer' if throw.adds < 0 else 'more'}" if throw.adds else "no more than before"
    verb = "joins" if len(throw.joined) == 1 else "join"
    return f"{several(len(throw.joined), throw.point)} {verb}: {have} ({change})"


def _then_text(throw: Throw, rules: Rules) -> str:
    if throw.outcome == "safe":
        if throw.frozen < PIDDLES:
            return "safe, go on or stop"
        rolls = ", roll the rest" if rules.roll_at_five_or_six else ""
        bombs = ", announce the bomb" if _may_announce(throw.point, throw.frozen, rules) else ""
        return f"safe, piddle{rolls}{bombs} or stop"
    return {
        "rollover": "seven of a kind rolls over: throw seven fresh dice, or stop",
        "piddle-won": f"the piddle is won: throw seven fresh dice{', or stop' if rules.stop_after_piddle else ''}",
        "piddle-again": f"doubles of {throw.point}: throw both dice again",
    }[throw.outcome]
