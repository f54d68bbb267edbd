"""Dice set aside from a throw, as farkle games have it: a chart of lines, and every way to take dice that score.

A game brings its chart; each choice of dice is worth what the chart's best lines make of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product

from scorer.errors import ThrowError
from scorer.pieces.dice import check_values, dice_counted, take_out, were_read
from scorer.pieces.melds import Indices, Meld, meld_at, places
from scorer.pieces.text import in_words, listed, several

DICE = 6
FACES = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart.

    Attributes:
        name: in words, like "three 3s".
        dice: the values it takes, sorted.
        points: what they score.
        repeats: it may score several times in one throw, once for each set of its dice.
    """

    name: str
    dice: tuple[int, ...]
    points: int
    repeats: bool = False


Chart = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class SetAside:
    """Dice set aside from one throw, under the chart lines that make the most of them.

    Attributes:
        items: the chart lines, most points first; the indices count into the dice that were read.
        left: dice left to throw; 0 means hot dice: all scored, and all six may be thrown again.
    """

    items: tuple[Meld[int], ...]
    left: int

    @property
    def points(self) -> int:
        """What the dice score."""
        return sum(item.points for item in self.items)

    @property
    def hot(self) -> bool:
        """All dice of the throw score."""
        return self.left == 0

    @property
    def six_alike(self) -> bool:
        """All six dice show one value, and one line of the chart takes them."""
        return any(len(item.pieces) == DICE and len(set(item.pieces)) == 1 for item in self.items)

    @property
    def dice(self) -> tuple[int, ...]:
        """The values set aside, line by line."""
        return tuple(chain.from_iterable(item.pieces for item in self.items))

    @property
    def indices(self) -> Indices:
        """Where they lie, in the order of `dice`."""
        return tuple(chain.from_iterable(item.indices for item in self.items))


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


def _count_message(read: int, set_aside: int) -> str:
    if not set_aside:
        return f"A throw is 1 to {DICE} dice, and {were_read(read)}. Show the thrown dice alone."
    return (
        f"With {dice_counted(set_aside)} set aside the throw is {dice_counted(DICE - set_aside)}; {were_read(read)}. "
        f"Show the thrown dice alone, or all {DICE}."
    )


def choices(values: Sequence[int], chart: Chart, set_aside: Sequence[int] = ()) -> tuple[SetAside, ...]:
    """Every way to set dice aside from a throw, best first; an empty result is a farkle.

    At least one die, scoring dice only. Dice of one value are alike, so equal choices are listed once, with the first of
    them. Each is worth what its best chart lines give. Equal points: fewer dice first, as more stay to throw.

    Args:
        values: see `thrown`.
        chart: what scores.
        set_aside: values set aside earlier in the turn; nothing combines across throws.

    Raises:
        ThrowError: see `thrown`.
    """
    at = thrown(values, set_aside)
    dice = [values[index] for index in at]
    fitting = _fitting(dice, chart)
    scoring = [value for value in dice if any(value in line.dice for line in fitting)]
    found = [_itemised(values, at, lines) for chosen in _selections(scoring) if (lines := best_lines(chosen, fitting))]
    return tuple(sorted(found, key=lambda choice: (-choice.points, len(choice.dice), sorted(choice.dice))))


def _selections(dice: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every different non-empty selection of the dice, sorted."""
    counts = {value: len(at) for value, at in places(dice).items()}
    for taken in product(*(range(count + 1) for count in counts.values())):
        if any(taken):
            yield tuple(chain.from_iterable((value,) * n for value, n in zip(counts, taken, strict=True)))


@lru_cache(maxsize=4096)
def best_lines(dice: tuple[int, ...], chart: Chart) -> Chart:
    """The lines of a chart that use up exactly these dice for the most points; none if there are no such lines."""
    covers = _covers(dice, _fitting(dice, chart))
    best = max(covers, key=lambda lines: (_total(lines), -len(lines)), default=())
    return tuple(sorted(best, key=lambda line: (-line.points, line.dice)))


def _fitting(dice: Sequence[int], chart: Chart) -> Chart:
    """The lines of a chart whose dice are all there."""
    return tuple(line for line in chart if _without(dice, line.dice) is not None)


def _total(lines: Sequence[Line]) -> int:
    return sum(line.points for line in lines)


def _covers(dice: tuple[int, ...], lines: Chart) -> Iterator[Chart]:
    if not dice:
        yield ()
    elif lines:
        first, rest = lines[0], lines[1:]
        left = _without(dice, first.dice)
        if left is not None:
            yield from ((first, *more) for more in _covers(left, lines if first.repeats else rest))
        yield from _covers(dice, rest)


def _without(dice: Sequence[int], taken: tuple[int, ...]) -> tuple[int, ...] | None:
    left = list(dice)
    for value in taken:
        if value not in left:
            return None
        left.remove(value)
    return tuple(left)


def _itemised(values: Sequence[int], at: Indices, lines: Chart) -> SetAside:
    free = list(at)
    items: list[Meld[int]] = []
    for line in lines:
        indices = [_pick(values, free, value) for value in line.dice]
        items.append(meld_at(line.name, values, indices, line.points))
    return SetAside(tuple(items), len(free))


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
