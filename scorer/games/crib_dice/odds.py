"""Crib Dice: exact chances, the best expected turn, and the best decision now.

Source: the Crib Dice text, "Play", "Piddle and Rollover", "Automatic Rollover", "Piddle Points", "The Bomb" and "Dice
Probabilities"; RULINGS, "Crib Dice". All numbers are exact fractions, rollovers without limit included.

Why that is exact. Let b be the bank: points of earlier rollovers, at stake with the rest. A fresh throw of seven never
wipes out, for seven dice always hold a pair. Suppose that from some bank on one stops at every point of two to six dice.
Then a fresh throw there is worth b + c with a constant c, the mean of the best chart line (seven of a kind throws again
at no risk). With that worth put in, throwing on from any two to six frozen dice is a straight line in b that falls short
of stopping by b times the chance to lose: once stopping is best at a bank H it is best at all larger ones. So b + c
solves the equation of best play (Bellman's) from H on; a strategy attains it, and the worth of best play is the least
non-negative solution, so b + c is exactly that worth. Below H every rollover adds at least one point, so the worths
follow one from the next, downwards. H is found by search: `Turns.horizon`.

The bomb counts here for the points it pegs, mostly none: what exchanging pegs is worth depends on the board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count as counting
from math import comb
from typing import Any, Generic

from scorer.engine.advice import Advice, Alternative, best_first
from scorer.engine.worth import Table
from scorer.games.crib_dice.rules import Rules
from scorer.games.crib_dice.throws import DICE, FACES, SAFE, chart, points_to_choose, throw_on
from scorer.odds.dice import Decision, Measure, Outlook, Points, V, apart, on_average, percent, throws, turn_summary
from scorer.pieces.dice import ThrowError
from scorer.pieces.text import in_words, points, sentence, several

GAME = "crib-dice"
PIDDLES = 5
"""With this many frozen dice or more, a player piddles."""
BOMB_HIT = Fraction(11, 36)
"""An announced bomb, one throw of two dice: any 1."""
Held = tuple[int, int]
"""A point and how many dice are frozen on it."""


def safe_chance(dice: int, point: int) -> Fraction:
    """The chance that a throw of `dice` dice shows the point or a 1; with point 1, that it shows a 1."""
    return 1 - Fraction(FACES - len({point, SAFE}), FACES) ** dice


# The piddle and the bomb


@dataclass(frozen=True, slots=True)
class Piddle:
    """The chances of one throw of two dice in a piddle, and those of the whole piddle with its further throws."""

    won: Fraction
    lost: Fraction
    again: Fraction

    @property
    def won_in_the_end(self) -> Fraction:
        """The chance to roll over, doubles of the point thrown again as often as they come."""
        return self.won / (1 - self.again)

    def to_json(self) -> dict[str, str]:
        """Fractions as text."""
        names = ("won", "lost", "again", "won_in_the_end")
        return {name: str(getattr(self, name)) for name in names}


def piddle(rules: Rules) -> Piddle:
    """The chances of a piddle, which are the same for every point."""
    ways: Counter[str] = Counter()
    for dice, count in throws(2):
        ways[throw_on(dice, FACES, PIDDLES, piddle_points=rules.piddle_points, doubles=rules.doubles).outcome] += count
    won, lost, again = (Fraction(ways[f"piddle-{end}"], FACES**2) for end in ("won", "lost", "again"))
    return Piddle(won, lost, again)


def bomb_chance(rules: Rules, frozen: int = 0) -> Fraction:
    """The chance to roll the bomb in this turn, going for it without another rollover.

    Args:
        rules: what is played; `bomb` need not be on.
        frozen: 1s frozen so far; 0 before the first throw of seven, which must show at least two.
    """
    if frozen >= rules.bomb_at:
        return Fraction(1)
    if frozen >= PIDDLES:
        return BOMB_HIT
    dice, least = DICE - frozen, 1 if frozen else 2
    return sum((_show(dice, ones) * bomb_chance(rules, frozen + ones) for ones in range(least, dice + 1)), Fraction(0))


def _show(dice: int, matching: int) -> Fraction:
    """The chance that exactly `matching` of `dice` dice show one given value."""
    return Fraction(_ways(dice, matching), FACES**dice)


def _ways(dice: int, matching: int) -> int:
    return comb(dice, matching) * int((FACES - 1) ** (dice - matching))


# The turn


@cache
def _first_throws(freeze_all: bool) -> tuple[tuple[tuple[Held, ...], int], ...]:
    """The holds that throws of seven offer, each set of holds with the number of throws that offer it."""
    ways: Counter[tuple[Held, ...]] = Counter()
    for dice, count in throws(DICE):
        ways[_offered(dice, freeze_all)] += count
    return tuple(ways.items())


def _offered(dice: Sequence[int], freeze_all: bool) -> tuple[Held, ...]:
    """Every hold that a throw of seven offers, best line of the chart first."""
    whole = [(meld.pieces[0], len(meld.pieces)) for meld in points_to_choose(dice)]
    if freeze_all:
        return tuple(whole)
    return tuple((point, frozen) for point, most in whole for frozen in range(most, 1, -1))


@cache
def _gain_beyond(freeze_all: bool) -> Fraction:
    """The constant c of this module's proof."""
    lines = sum(max(chart(*held) for held in offered) * ways for offered, ways in _first_throws(freeze_all))
    return Fraction(lines, FACES**DICE - FACES)


class Turns(Generic[V]):
    """The worth of every moment of a turn under best play.

    Args:
        rules: what is played.
        measure: what the turn is played for.
        horizon: the bank at which the player starts to stop after every throw (or the measure treats all turns alike).
    """

    def __init__(self, rules: Rules, measure: Measure[V], horizon: int) -> None:
        self.rules = rules
        self.measure = measure
        self.horizon = horizon
        self._fresh: dict[int, V] = {}
        self._held: dict[tuple[int, int, int], V] = {}
        for bank in range(horizon - 1, -1, -1):
            self._fresh[bank] = self._of_seven(bank)

    def fresh(self, bank: int) -> V:
        """Throwing all seven dice."""
        if bank >= self.horizon:
            return self.measure.beyond(bank, Fraction(0), _gain_beyond(self.rules.freeze_all))
        return self._fresh[bank]

    def held(self, bank: int, point: int, frozen: int) -> V:
        """Holding a point: the better of stopping and going on."""
        key = (bank, point, frozen)
        if key not in self._held:
            self._held[key] = self.measure.best((self.stop(*key), self.go_on(*key)))
        return self._held[key]

    def stop(self, bank: int, point: int, frozen: int) -> V:
        """Stopping."""
        return self.measure.stop(bank + chart(point, frozen))

    def go_on(self, bank: int, point: int, frozen: int) -> V:
        """Throwing the unfrozen dice, piddling, or after seven of a kind throwing all seven."""
        if frozen == DICE:
            return self.fresh(bank + chart(point, frozen))
        if frozen < PIDDLES:
            return self.roll_on(bank, point, frozen)
        if self.rules.roll_at_five_or_six:
            return self.measure.best((self.piddle(bank, point, frozen), self.roll_on(bank, point, frozen)))
        return self.piddle(bank, point, frozen)

    def _of_seven(self, bank: int) -> V:
        firsts = _first_throws(self.rules.freeze_all)
        return self.measure.mean((ways, self._best_of(bank, offered)) for offered, ways in firsts)

    def _best_of(self, bank: int, offered: Iterable[Held]) -> V:
        return self.measure.best(self.held(bank, *held) for held in offered)

    def roll_on(self, bank: int, point: int, frozen: int) -> V:
        """Throwing the unfrozen dice.

        A 1 that does not join changes nothing, and a player who throws on throws again: such throws are left out of the mean.
        """
        dice = DICE - frozen
        joins = [(_ways(dice, more), self._joined(bank, point, frozen, more)) for more in range(1, dice + 1)]
        wipes = (FACES - len({point, SAFE})) ** dice
        return self.measure.mean([*joins, (wipes, self.measure.lost())])

    def roll_once(self, bank: int, point: int, frozen: int) -> V:
        """Throwing the unfrozen dice once, with best play afterwards, which may be to stop after a 1 that does not join.

        Equal to `roll_on` wherever throwing on is best.
        """
        dice, bad = DICE - frozen, FACES - len({point, SAFE})
        changes = FACES**dice - (FACES - 1) ** dice + bad**dice
        unchanged = FACES**dice - changes
        parts = [(changes, self.roll_on(bank, point, frozen)), (unchanged, self.held(bank, point, frozen))]
        return self.measure.mean(part for part in parts if part[0])

    def _joined(self, bank: int, point: int, frozen: int, more: int) -> V:
        least = more if self.rules.freeze_all else 1
        return self._best_of(bank, ((point, frozen + added) for added in range(more, least - 1, -1)))

    def piddle(self, bank: int, point: int, frozen: int) -> V:
        """Piddling. Throws of doubles of the point that change nothing are left out of the mean."""
        return self.measure.mean(self._piddled(bank, point, frozen))

    def _piddled(self, bank: int, point: int, frozen: int) -> Iterator[tuple[int, V]]:
        rules = self.rules
        for dice, ways in throws(2):
            throw = throw_on(dice, point, frozen, piddle_points=rules.piddle_points, doubles=rules.doubles)
            if throw.outcome == "piddle-lost":
                yield ways, self.measure.lost(wipeout=rules.piddle_fail_counts)
            elif throw.outcome == "piddle-won":
                yield ways, self.fresh(bank + chart(point, throw.frozen))
            elif throw.frozen > frozen:
                yield ways, self.piddle(bank, point, throw.frozen)


POINTS = Points()


@cache
def _turns(rules: Rules) -> Turns[Outlook]:
    """All worths in points, from the least horizon at which this module's proof holds."""
    tail = Turns(rules, POINTS, horizon=0)
    return Turns(rules, POINTS, next(bank for bank in counting() if _stops_everywhere(tail, bank)))


def points_of(rules: Rules) -> Turns[Outlook]:
    """The worth of every moment of a turn in expected points, exactly; computed once per set of relevant options."""
    return _turns(
        Rules(
            freeze_all=rules.freeze_all,
            piddle_points=rules.piddle_points,
            piddle_double_point=rules.piddle_double_point,
            roll_at_five_or_six=rules.roll_at_five_or_six,
        )
    )


def _stops_everywhere(turns: Turns[Outlook], bank: int) -> bool:
    spots = ((bank, point, frozen) for point in range(1, FACES + 1) for frozen in range(2, DICE))
    return all(turns.go_on(*spot).worth <= turns.stop(*spot).worth for spot in spots)


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the best way to play for points.

    Attributes:
        point: the value frozen.
        frozen: how many dice of it.
        up_to: go on with a bank of at most so many points, stop with more; None: always stop. (Seven of a kind has no
            row: the seven fresh dice never wipe out, so one always goes on.)
    """

    point: int
    frozen: int
    up_to: int | None

    @property
    def text(self) -> str:
        """The row as a sentence."""
        verb = "piddle" if self.frozen >= PIDDLES else f"throw {in_words(DICE - self.frozen)} dice"
        if self.up_to is None:
            return f"{several(self.frozen, self.point)}: stop"
        earlier = f"with at most {points(self.up_to)} from earlier rollovers" if self.up_to else "in the first seven"
        return f"{several(self.frozen, self.point)}: {verb} {earlier}, else stop"

    def to_json(self) -> dict[str, Any]:
        """A plain object."""
        return {"point": self.point, "frozen": self.frozen, "go_on_up_to": self.up_to, "text": self.text}


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn under best play for points.

    Attributes:
        rules: what is played.
        outlook: its points on average and its chance to end with none.
        policy: when to go on.
        piddle: the chances of a piddle.
        horizon: the bank at and above which one stops after every throw.
    """

    rules: Rules
    outlook: Outlook
    policy: tuple[Rule, ...]
    piddle: Piddle
    horizon: int

    @property
    def expected(self) -> Fraction:
        """Points on average."""
        return self.outlook.worth

    @property
    def summary(self) -> str:
        """Its worth in one sentence."""
        return turn_summary(self.expected, self.outlook.lost)

    @property
    def tables(self) -> tuple[Table, ...]:
        """When to go on, and the chance of a wipeout."""
        return _policy_table(self.policy), _wipeout_table()

    @property
    def notes(self) -> tuple[str, ...]:
        """How to read the tables, and the chance of a piddle."""
        won = self.piddle.won_in_the_end
        return (
            '"to 20": continue while earlier rollovers of the turn gave at most 20 points, else stop. With five or six dice '
            "frozen, to continue means to piddle; with seven, always throw again.",
            f"A piddle is won {won} of the time ({percent(won)}), {self.piddle.again} of its throws being thrown again.",
        )

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`; chances as fractions in text."""
        return {
            "game": GAME,
            "rules": self.rules.changed(),
            "expected": float(self.expected),
            "expected_exact": str(self.expected),
            "p_nothing": float(self.outlook.lost),
            "p_wipeout": {
                "point 1": _wipeouts(SAFE),
                "point 2 to 6": _wipeouts(FACES),
            },
            "p_piddle": self.piddle.to_json(),
            "p_bomb": {str(ones): str(bomb_chance(self.rules, ones)) for ones in (0, *range(2, DICE))},
            "stops_from_bank": self.horizon,
            "policy": [row.to_json() for row in self.policy],
        }


def _policy_table(policy: Sequence[Rule]) -> Table:
    frozen = sorted({row.frozen for row in policy})
    until = {(row.point, row.frozen): "stop" if row.up_to is None else f"to {row.up_to}" for row in policy}
    rows = tuple((str(point), *(until[point, dice] for dice in frozen)) for point in range(1, FACES + 1))
    return Table("How to play it", ("Point", *(f"{in_words(dice).capitalize()} frozen" for dice in frozen)), rows)


def _wipeout_table() -> Table:
    rows = tuple((str(dice), *_wipeout_cells(dice)) for dice in range(1, DICE - 1))
    return Table("The chance of a wipeout", ("Dice thrown", "Point 2 to 6", "", "Point 1", ""), rows)


def _wipeout_cells(dice: int) -> Iterator[str]:
    for point in (FACES, SAFE):
        wipeout = 1 - safe_chance(dice, point)
        yield from (str(wipeout), percent(wipeout))


def _wipeouts(point: int) -> dict[str, str]:
    return {str(dice): str(1 - safe_chance(dice, point)) for dice in range(1, DICE)}


def turn(rules: Rules) -> Turn:
    """The best expected turn, exactly, and how to play it."""
    turns = points_of(rules)
    policy = (_rule(turns, point, frozen) for point in range(FACES, 0, -1) for frozen in range(2, DICE))
    return Turn(rules, turns.fresh(0), tuple(policy), piddle(rules), turns.horizon)


def _rule(turns: Turns[Outlook], point: int, frozen: int) -> Rule:
    """As the bank grows, going on loses against stopping: a single threshold divides them."""
    goes_on = (
        bank
        for bank in range(turns.horizon, -1, -1)
        if turns.go_on(bank, point, frozen).worth > turns.stop(bank, point, frozen).worth
    )
    return Rule(point, frozen, next(goes_on, None))


# Advice


def decisions(turns: Turns[V], bank: int = 0, held: Held | None = None, dice: Sequence[int] = ()) -> list[Decision[V]]:
    """Everything to do at a moment of a turn, with its worth.

    Args:
        turns: the worths, in any measure.
        bank: points of earlier rollovers in this turn.
        held: the point and how many dice are frozen on it; None before it is chosen.
        dice: the throw on the table: of seven dice without `held`; with it, the dice thrown on it. With five or six frozen
            that is a roll of the rest, under `roll_at_five_or_six`.

    Raises:
        ThrowError: the throw does not fit, or it lost the turn ("turn-over").
    """
    if held is None:
        return _point_decisions(turns, bank, dice) if dice else [_all_seven(turns, bank)]
    _check_held(bank, *held)
    if not dice:
        return list(_held_decisions(turns, bank, *held))
    return _after_throw(turns, bank, held, dice)


def _check_held(bank: int, point: int, frozen: int) -> None:
    if bank < 0 or not (1 <= point <= FACES and 2 <= frozen <= DICE):
        raise ThrowError(
            "bad-frozen",
            f"A point is 2 to {DICE} dice of a value from 1 to {FACES}, with a bank of 0 or more; "
            f"not {frozen} dice of value {point} with a bank of {bank}.",
        )


def _all_seven(turns: Turns[V], bank: int) -> Decision[V]:
    return Decision("throw", "throw all seven dice", turns.fresh(bank), {"wipeout": Fraction(0)})


def _point_decisions(turns: Turns[V], bank: int, dice: Sequence[int]) -> list[Decision[V]]:
    whole = turns.rules.freeze_all
    return [
        Decision(
            f"point {point}" if whole else f"point {point} {frozen}",
            f"freeze {several(frozen, point)} for {points(chart(point, frozen))}",
            turns.held(bank, point, frozen),
        )
        for point, frozen in _offered(dice, whole)
    ]


def _held_decisions(turns: Turns[V], bank: int, point: int, frozen: int) -> Iterator[Decision[V]]:
    total = bank + chart(point, frozen)
    yield Decision("stop", f"stop and peg {points(total)}", turns.stop(bank, point, frozen))
    wipeout = {"wipeout": 1 - safe_chance(DICE - frozen, point)}
    if frozen == DICE:
        fresh = turns.go_on(bank, point, frozen)
        yield Decision("throw", "throw seven fresh dice", fresh, {"wipeout": Fraction(0)})
    elif frozen < PIDDLES:
        yield Decision("throw", f"throw {in_words(DICE - frozen)} dice", turns.roll_once(bank, point, frozen), wipeout)
    else:
        lost = {"wipeout": 1 - piddle(turns.rules).won_in_the_end}
        yield Decision("piddle", "piddle", turns.piddle(bank, point, frozen), lost)
        if turns.rules.roll_at_five_or_six:
            yield Decision("roll", "roll the remaining dice", turns.roll_once(bank, point, frozen), wipeout)


def _after_throw(turns: Turns[V], bank: int, held: Held, dice: Sequence[int]) -> list[Decision[V]]:
    point, frozen = held
    # Only rolling the rest leaves something to choose.
    rolls_on = frozen >= PIDDLES and turns.rules.roll_at_five_or_six
    if frozen >= PIDDLES and not rolls_on:
        raise ThrowError("no-choice", "A piddle leaves no choice: say what is frozen before it, or the bank after it.")
    throw = throw_on(dice, point, frozen, rolls_on=rolls_on)
    if throw.outcome == "wipeout":
        raise ThrowError("turn-over", f"There is neither a {point} nor a 1: a wipeout, and the turn is over.")
    if turns.rules.freeze_all or len(throw.joined) < 2:
        return list(_held_decisions(turns, bank, point, throw.frozen))
    return [_freeze(turns, bank, point, frozen, more) for more in range(len(throw.joined), 0, -1)]


def _freeze(turns: Turns[V], bank: int, point: int, frozen: int, more: int) -> Decision[V]:
    now = frozen + more
    text = f"freeze {several(more, point)} more: {several(now, point)} for {points(chart(point, now))}"
    return Decision(f"freeze {more}", text, turns.held(bank, point, now))


def advise(rules: Rules, bank: int = 0, held: Held | None = None, dice: Sequence[int] = ()) -> Advice:
    """The best decision for expected points, with every alternative's worth.

    With `bomb` on, a bomb that may be taken or announced stands among the alternatives for the points it pegs; whether
    exchanging pegs is worth more depends on the board.

    Args:
        rules: what is played.
        bank: points of earlier rollovers in this turn.
        held: the point and how many dice are frozen on it; None before it is chosen.
        dice: the throw on the table, if any, see `decisions`.

    Raises:
        ThrowError: see `decisions`.
    """
    found = decisions(points_of(rules), bank, held, dice)
    if held is not None and not dice:
        found.extend(_bomb(rules, bank, *held))
    alternatives = best_first([_alternative(decision) for decision in found])
    return Advice(GAME, "expected points of the turn", alternatives, _why(alternatives, found))


def after_piddle(rules: Rules, bank: int) -> Advice:
    """Whether to stop after a won piddle, where that is allowed: it is never better, for seven dice always hold a pair.

    Args:
        rules: what is played.
        bank: points of the turn.
    """
    turns = points_of(rules)
    found = [_all_seven(turns, bank), Decision("stop", f"stop and peg {points(bank)}", turns.measure.stop(bank))]
    alternatives = best_first([_alternative(decision) for decision in found])
    return Advice(GAME, "expected points of the turn", alternatives, _why(alternatives, found))


def _bomb(rules: Rules, bank: int, point: int, frozen: int) -> Iterator[Decision[Outlook]]:
    if not (rules.bomb and point == SAFE and frozen >= PIDDLES):
        return
    hit = bomb_chance(rules, frozen)
    pegged = (bank + chart(point, frozen)) if rules.bomb_scores_points else 0
    text = "exchange pegs with the leader" if hit == 1 else "announce the bomb and piddle, any 1 exchanging pegs"
    yield Decision("bomb", text, Outlook(hit * pegged, 1 - hit), {"bomb": hit, "wipeout": 1 - hit})


def _alternative(decision: Decision[Outlook]) -> Alternative:
    chances = {**decision.chances, "nothing": decision.worth.lost}
    return Alternative(decision.move, decision.text, decision.worth.worth, chances)


def _why(alternatives: Sequence[Alternative], found: Sequence[Decision[Outlook]]) -> str:
    best = alternatives[0]
    if len(alternatives) == 1:
        return f"This is the only choice; the turn is worth {on_average(best.worth)} points on average."
    if found[0].move == "stop":
        return _stop_or_go(alternatives)
    other = alternatives[1]
    most, less = apart(best.worth, other.worth)
    return sentence(
        f"{best.text}: the turn is then worth {most} points on average, against {less} for the next best, to {other.text}"
    )


def _stop_or_go(alternatives: Sequence[Alternative]) -> str:
    by_move = {alternative.move: alternative for alternative in alternatives}
    stop, go_on = by_move["stop"], by_move.get("throw") or by_move["piddle"]
    risk = go_on.chances["wipeout"]
    going_on, stopping = apart(go_on.worth, stop.worth)
    acts = {"throw": go_on.text.replace("throw", "throwing", 1), "piddle": "piddling"}[go_on.move]
    return (
        f"{acts.capitalize()} keeps you safe {percent(1 - risk)} of the time and makes the turn worth "
        f"{going_on} points on average, against the {stopping} you have: "
        f"{alternatives[0].text}."
    )
