"""Farkle: what scores in a throw.

Source: the scoring that Wikipedia ("Farkle") and the printed games share: 1s are 100 each and 5s 50 each, three 1s are
1,000, and three of another value a hundred times the value. The variants are options of `rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations

from scorer.games.farkle.rules import Rules
from scorer.pieces.set_asides import DICE, FACES, Chart, Line, SetAside, choices
from scorer.pieces.text import several

SINGLES = {1: 100, 5: 50}
TRIPLES = {1: 1000} | {value: 100 * value for value in range(2, FACES + 1)}
_MORE: dict[str, Callable[[int, int], int]] = {
    "doubled": lambda value, count: TRIPLES[value] * 2 ** (count - 3),
    "added": lambda value, count: TRIPLES[value] * (count - 2),
    "thousands": lambda _, count: 1000 * (count - 3),
}


def set_asides(values: Sequence[int], rules: Rules, set_aside: Sequence[int] = ()) -> tuple[SetAside, ...]:
    """Every legal way to set dice aside from a throw, best first; an empty result is a farkle.

    Args:
        values: the thrown dice alone, or all six.
        rules: what is played.
        set_aside: values set aside earlier in the turn.

    Raises:
        ThrowError: see `scorer.pieces.set_asides.thrown`.
    """
    return choices(values, chart(rules), set_aside)


@lru_cache(maxsize=64)
def chart(rules: Rules) -> Chart:
    """Everything that scores under these rules."""
    singles = (Line(several(1, value), (value,), points, repeats=True) for value, points in SINGLES.items())
    # Six of a kind are two triples, where more than three of a kind have no score of their own.
    triples = (Line(several(3, value), (value,) * 3, points, repeats=True) for value, points in TRIPLES.items())
    return (*singles, *triples, *_more_of_a_kind(rules), *_of_six_dice(rules))


def _more_of_a_kind(rules: Rules) -> Iterator[Line]:
    if rules.of_a_kind in _MORE:
        for value, count in ((value, count) for value in TRIPLES for count in range(4, DICE + 1)):
            yield Line(several(count, value), (value,) * count, _MORE[rules.of_a_kind](value, count))


def _of_six_dice(rules: Rules) -> Iterator[Line]:
    faces = range(1, FACES + 1)
    if rules.straight:
        yield Line("straight", tuple(faces), rules.straight)
    if rules.three_pairs:
        for pairs in combinations(faces, 3):
            yield Line("three pairs", tuple(sorted(pairs * 2)), rules.three_pairs)
    if rules.three_pairs and rules.four_and_two:
        for four, two in permutations(faces, 2):
            yield Line("three pairs", tuple(sorted((four,) * 4 + (two,) * 2)), rules.three_pairs)
    if rules.two_triplets:
        for pair in combinations(faces, 2):
            yield Line("two triplets", tuple(sorted(pair * 3)), rules.two_triplets)
