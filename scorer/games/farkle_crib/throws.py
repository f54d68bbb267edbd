"""Farkle Cribbage: what may be set aside from a throw, and what it is worth.

Source: the Farkle Cribbage text (Howard Fosdick), its chart and "Optional Bonus Scores"; RULINGS, "Farkle Crib".
In the basic game four or more of a kind is one triple, and further 1s and 5s count singly: of six 2s three score, and
the other three do not. The erratum "One 1 plus three 3's for 7 points" is 8.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations, permutations, product

from scorer.pieces.dice import ThrowError, check_values, dice_counted, take_out, were_read
from scorer.pieces.melds import Indices, Meld, meld_at, places
from scorer.pieces.text import in_words, listed, several

DICE = 6
FACES = 6
TRIPLES = {1: 20, 2: 4, 3: 6, 4: 8, 5: 10, 6: 12}
SINGLES = {1: 2, 5: 1}


class Bonus(StrEnum):
    """The optional bonus scores of one throw, each a switch. (Three farkles in a row are the game's to count.)"""

    FOUR_OF_A_KIND = "four-of-a-kind"
    FIVE_OF_A_KIND = "five-of-a-kind"
    SIX_OF_A_KIND = "six-of-a-kind"
    THREE_PAIRS = "three-pairs"
    STRAIGHT = "straight"
    FULL_HOUSE = "full-house"


NO_BONUSES: frozenset[Bonus] = frozenset()
ALL_BONUSES = frozenset(Bonus)
_ABOVE_TRIPLE = {
    Bonus.FOUR_OF_A_KIND: (4, 10),
    Bonus.FIVE_OF_A_KIND: (5, 15),
    Bonus.SIX_OF_A_KIND: (6, 20),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the chart: the dice it takes, sorted, and its points."""

    name: str
    dice: tuple[int, ...]
    points: int

    @property
    def repeatable(self) -> bool:
        """Single dice score as often as they lie there; everything else once (RULINGS: six of a kind is one triple)."""
        return len(self.dice) == 1


@dataclass(frozen=True, slots=True)
class SetAside:
    """Dice set aside from one throw, under the chart lines that make the most of them.

    Attributes:
        items: the chart lines, most points first; the indices count into the dice that were read.
        left: dice left to throw; 0 means hot dice: all scored, and he may throw all six again.
        bomb: six of a kind under its bonus: take the points or exchange pegs with the leader.
    """

    items: tuple[Meld[int], ...]
    left: int
    bomb: bool

    @property
    def points(self) -> int:
        """What the dice score."""
        return sum(item.points for item in self.items)

    @property
    def hot(self) -> bool:
        """All dice of the throw score."""
        return self.left == 0

    @property
    def dice(self) -> tuple[int, ...]:
        """The values set aside, line by line."""
        return tuple(chain.from_iterable(item.pieces for item in self.items))

    @property
    def indices(self) -> Indices:
        """Where they lie, in the order of `dice`."""
        return tuple(chain.from_iterable(item.indices for item in self.items))


def classic_points(points: int) -> int:
    """Farkle Cribbage points in traditional Farkle: times 100, divided by 2."""
    return points * 100 // 2


def thrown(values: Sequence[int], set_aside: Sequence[int] = ()) -> Indices:
    """The indices of the dice that were thrown: all that were read, or what is left of all six without those set aside.

    Args:
        values: 1 to 6 values; with dice set aside, either the rest alone or all six dice.
        set_aside: values set aside earlier in the turn.

    Raises:
        ThrowError: "wrong-count", "value-out-of-range" or "set-aside-not-there".
    """
    check_values(values, FACES)
    check_values(set_aside, FACES)
    if len(set_aside) >= DICE:
        raise ThrowError(
            "wrong-count", "All six dice were set aside, so all six are thrown afresh: name no set-aside dice."
        )
    fits = len(values) == DICE - len(set_aside) if set_aside else 1 <= len(values) <= DICE
    if fits:
        return tuple(range(len(values)))
    if len(values) == DICE:
        return take_out(values, set_aside)
    raise ThrowError("wrong-count", _count_message(len(values), len(set_aside)))


def set_asides(
    values: Sequence[int],
    bonuses: Collection[Bonus] = NO_BONUSES,
    *,
    set_aside: Sequence[int] = (),
    three_pairs_4_2: bool = False,
) -> tuple[SetAside, ...]:
    """Every legal way to set dice aside from a throw, best first; none is a farkle.

    Legal is at least one die, scoring dice only. Dice of one value are alike, so equal choices are listed once, with
    the first of them. Each is worth what its best chart lines give. Equal points: fewer dice first, as more stay to
    throw.

    Args:
        values: see `thrown`.
        bonuses: the bonus scores that are played; none by default.
        set_aside: values set aside earlier in the turn; nothing combines across throws.
        three_pairs_4_2: four of a kind and a pair are three pairs too, where that bonus is played.

    Raises:
        ThrowError: see `thrown`.
    """
    at = thrown(values, set_aside)
    dice = [values[index] for index in at]
    fitting = _fitting(dice, _chart(frozenset(bonuses), three_pairs_4_2))
    scoring = [value for value in dice if any(value in line.dice for line in fitting)]
    choices = [
        _itemised(values, at, lines) for chosen in _selections(scoring) if (lines := _best_lines(chosen, fitting))
    ]
    return tuple(sorted(choices, key=lambda choice: (-choice.points, len(choice.dice), sorted(choice.dice))))


def _count_message(read: int, set_aside: int) -> str:
    if not set_aside:
        return f"A throw is 1 to {DICE} dice, and {were_read(read)}. Show the thrown dice alone."
    return (
        f"With {dice_counted(set_aside)} set aside the throw is {dice_counted(DICE - set_aside)}; {were_read(read)}. "
        f"Show the thrown dice alone, or all {DICE}."
    )


def _selections(dice: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every different non-empty selection of the dice, sorted."""
    counts = {value: len(at) for value, at in places(dice).items()}
    for taken in product(*(range(count + 1) for count in counts.values())):
        if any(taken):
            yield tuple(chain.from_iterable((value,) * n for value, n in zip(counts, taken, strict=True)))


@lru_cache(maxsize=4096)
def _best_lines(dice: tuple[int, ...], chart: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines of a chart that use up exactly these dice for the most points; none if there are no such lines."""
    covers = _covers(dice, _fitting(dice, chart))
    best = max(covers, key=lambda lines: (_total(lines), -len(lines)), default=())
    return tuple(sorted(best, key=lambda line: (-line.points, line.dice)))


def _fitting(dice: Sequence[int], chart: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines of a chart whose dice are all there."""
    return tuple(line for line in chart if _without(dice, line.dice) is not None)


def _total(lines: Sequence[Line]) -> int:
    return sum(line.points for line in lines)


def _covers(dice: tuple[int, ...], lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    if not dice:
        yield ()
    elif lines:
        first, rest = lines[0], lines[1:]
        left = _without(dice, first.dice)
        if left is not None:
            yield from ((first, *more) for more in _covers(left, lines if first.repeatable else rest))
        yield from _covers(dice, rest)


def _without(dice: Sequence[int], taken: tuple[int, ...]) -> tuple[int, ...] | None:
    left = list(dice)
    for value in taken:
        if value not in left:
            return None
        left.remove(value)
    return tuple(left)


@lru_cache(maxsize=128)
def _chart(bonuses: frozenset[Bonus], three_pairs_4_2: bool) -> tuple[Line, ...]:
    singles = [Line(several(1, value), (value,), points) for value, points in SINGLES.items()]
    triples = [Line(several(3, value), (value,) * 3, points) for value, points in TRIPLES.items()]
    bonus_lines = chain.from_iterable(_bonus_lines(bonus) for bonus in sorted(bonuses))
    four_and_two = _four_and_two() if three_pairs_4_2 and Bonus.THREE_PAIRS in bonuses else ()
    return (*singles, *triples, *bonus_lines, *four_and_two)


def _bonus_lines(bonus: Bonus) -> Iterator[Line]:
    faces = range(1, FACES + 1)
    if bonus is Bonus.STRAIGHT:
        yield Line("straight", tuple(faces), 25)
    elif bonus is Bonus.THREE_PAIRS:
        # Three different pairs: four of a kind and a pair are three pairs by their own option only (RULINGS).
        yield from (Line("three pairs", tuple(sorted(pairs * 2)), 10) for pairs in combinations(faces, 3))
    elif bonus is Bonus.FULL_HOUSE:
        yield from (Line("full house", tuple(sorted((a, a, a, b, b))), 15) for a, b in permutations(faces, 2))
    else:
        count, extra = _ABOVE_TRIPLE[bonus]
        yield from (Line(several(count, value), (value,) * count, TRIPLES[value] + extra) for value in faces)


def _four_and_two() -> Iterator[Line]:
    for four, two in permutations(range(1, FACES + 1), 2):
        yield Line("three pairs", tuple(sorted((four,) * 4 + (two,) * 2)), 10)


def _itemised(values: Sequence[int], at: Indices, lines: Sequence[Line]) -> SetAside:
    free = list(at)
    items: list[Meld[int]] = []
    for line in lines:
        indices = [_pick(values, free, value) for value in line.dice]
        items.append(meld_at(line.name, values, indices, line.points))
    bomb = any(len(line.dice) == DICE and len(set(line.dice)) == 1 for line in lines)
    return SetAside(tuple(items), len(free), bomb)


def _pick(values: Sequence[int], free: list[int], value: int) -> int:
    """Take the first free die of that value out of `free`."""
    index = next(index for index in free if values[index] == value)
    free.remove(index)
    return index


def in_a_phrase(choice: SetAside) -> str:
    """The chart lines of a set-aside in words, the single dice together: "three 3s and two 1s"."""
    larger = [item.name for item in choice.items if len(item.pieces) > 1]
    singles = places([item.pieces[0] for item in choice.items if len(item.pieces) == 1])
    return listed([*larger, *(_singly(choice, value, len(at)) for value, at in singles.items())])


def _singly(choice: SetAside, value: int, count: int) -> str:
    if not any(len(item.pieces) > 1 and set(item.pieces) == {value} for item in choice.items):
        return several(count, value)
    return f"{in_words(count)} more {value}{'s' if count > 1 else ''}"
