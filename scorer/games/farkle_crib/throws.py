"""Farkle Cribbage: what may be set aside from a throw, and what it is worth.

Source: the Farkle Cribbage text (Howard Fosdick), its chart and "Optional Bonus Scores"; RULINGS, "Farkle Crib".
In the basic game four or more of a kind is one triple, and further 1s and 5s count singly: of six 2s three score, and
the other three do not. The erratum "One 1 plus three 3's for 7 points" is 8.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations, permutations

from scorer.pieces.set_asides import FACES, Line, SetAside, choices
from scorer.pieces.text import several

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


def classic_points(points: int) -> int:
    """Farkle Cribbage points in traditional Farkle: times 100, divided by 2."""
    return points * 100 // 2


def set_asides(
    values: Sequence[int],
    bonuses: Collection[Bonus] = NO_BONUSES,
    *,
    set_aside: Sequence[int] = (),
    three_pairs_4_2: bool = False,
    two_triples: bool = False,
) -> tuple[SetAside, ...]:
    """Every legal way to set dice aside from a throw, best first; none is a farkle.

    Legal is at least one die, scoring dice only. Dice of one value are alike, so equal choices are listed once, with
    the first of them. Each is worth what its best chart lines give. Equal points: fewer dice first, as more stay to
    throw.

    Args:
        values: see `scorer.pieces.set_asides.thrown`.
        bonuses: the bonus scores that are played; none by default.
        set_aside: values set aside earlier in the turn; nothing combines across throws.
        three_pairs_4_2: four of a kind and a pair are three pairs too, where that bonus is played.
        two_triples: six of a kind may be two triples.

    Raises:
        ThrowError: see `scorer.pieces.set_asides.thrown`.
    """
    return choices(values, _chart(frozenset(bonuses), three_pairs_4_2, two_triples), set_aside)


@lru_cache(maxsize=128)
def _chart(bonuses: frozenset[Bonus], three_pairs_4_2: bool, two_triples: bool) -> tuple[Line, ...]:
    singles = [Line(several(1, value), (value,), points, repeats=True) for value, points in SINGLES.items()]
    triples = [Line(several(3, value), (value,) * 3, points, two_triples) for value, points in TRIPLES.items()]
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
