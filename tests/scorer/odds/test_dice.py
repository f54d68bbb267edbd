"""How chances are said."""

from fractions import Fraction

import pytest

from scorer.odds.dice import percent, tenths
from scorer.odds.race import _four_decimals


@pytest.mark.parametrize(
    ("chance", "said", "to_a_tenth"),
    [
        (0, "0%", "0.0%"),
        (Fraction(1, 10**12), "<0.001%", "<0.1%"),
        (0.0003, "0.03%", "<0.1%"),
        (0.0005, "0.05%", "0.1%"),
        (0.004, "0.4%", "0.4%"),
        (Fraction(4, 5), "80%", "80.0%"),
        (0.992, "99.2%", "99.2%"),
        (0.99949, "99.9%", "99.9%"),
        (0.9997, ">99.9%", ">99.9%"),
        (1 - Fraction(1, 10**12), ">99.9%", ">99.9%"),
        (1, "100%", "100.0%"),
    ],
)
def test_only_what_is_certain_or_impossible_is_said_to_be(chance: float, said: str, to_a_tenth: str) -> None:
    assert (percent(chance), tenths(chance)) == (said, to_a_tenth)


@pytest.mark.parametrize(
    ("chance", "kept"),
    [(0.0, 0), (1e-12, 0), (0.00001, 0.0001), (0.45678, 0.4568), (0.99999, 0.9999), (1 - 1e-12, 1), (1.0, 1)],
)
def test_a_chance_to_win_is_not_rounded_to_certainty(chance: float, kept: float) -> None:
    assert float(_four_decimals(chance)) == kept
