import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.evaluate.statistics import expected_calibration_error, mcnemar, reliability, wilson


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_wilson_agrees_with_published_values(hits: int, of: int, low: float, high: float):
    assert wilson(hits, of) == pytest.approx((low, high), abs=5e-4)


def test_wilson_knows_nothing_of_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share(case: tuple[int, int]):
    hits, of = case
    low, high = wilson(hits, of)
    assert 0 <= low <= hits / of + 1e-12
    assert hits / of - 1e-12 <= high <= 1


def test_every_pair_falls_into_one_bin():
    pairs = [(0.0, False), (0.5, True), (0.9, True), (1.0, True)]
    assert sum(count for _, _, count, _, _ in reliability(pairs, (0.0, 0.5, 0.9, 1.0))) == len(pairs)


def test_calibration_error_of_the_perfect_and_the_boastful():
    assert expected_calibration_error([(0.5, True), (0.5, False)], (0.0, 1.0)) == 0
    assert expected_calibration_error([(0.9, False)] * 4, (0.0, 1.0)) == pytest.approx(0.9)


def test_empty_bins_are_left_out():
    rows = reliability([(0.2, False), (0.4, True), (0.95, True)], (0.0, 0.5, 0.9, 1.0))
    assert rows == [(0.0, 0.5, 2, pytest.approx(0.3), 0.5), (0.9, 1.0, 1, 0.95, 1.0)]


def test_calibration_error_weighs_bins_by_what_is_in_them():
    pairs = [(0.2, False)] * 3 + [(0.9, False)]
    assert expected_calibration_error(pairs, (0.0, 0.5, 1.0)) == pytest.approx(0.75 * 0.2 + 0.25 * 0.9)
    assert expected_calibration_error([], (0.0, 1.0)) == 0


@pytest.mark.parametrize(
    ("gained", "lost", "p"), [(0, 0, 1), (1, 0, 1), (3, 3, 1), (6, 0, 2 / 64), (0, 6, 2 / 64), (1, 7, 2 * 9 / 256)]
)
def test_mcnemar_counts_the_tosses_of_a_coin(gained: int, lost: int, p: float):
    assert mcnemar(gained, lost) == pytest.approx(p)


def test_mcnemar_bears_thousands():
    assert 0 < mcnemar(1500, 1300) < 0.001
    assert mcnemar(3000, 0) == 0
