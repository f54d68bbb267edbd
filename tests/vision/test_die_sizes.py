"""Dice in doubt beside sure ones of another size."""

from dataclasses import replace

import pytest

from vision.candidate import Calibration, Candidate, log_odds
from vision.classify.dice import Face
from vision.detect.boxes import Detection, median
from vision.die_sizes import lost, of_one_size


def die(x: float, side: float, score: float = 0.9, other: float = 0.02, kind="d6", profile: str = "") -> Candidate:
    """A find of this size that shows a 3, or as a d12 an 11."""
    values = tuple(0.98 if k == 2 else 0.004 for k in range(6)) if kind == "d6" else (0.001,) * 10 + (0.98, 0.01)
    return Candidate(Detection(x, 0, x + side, side, score), Face(other, values, kind, profile), Calibration())


def doubtful(x: float, side: float, **told: object) -> Candidate:
    """The same, hardly seen."""
    found = die(x, side, 0.3, 0.4, **told)  # type: ignore[arg-type]
    assert 0.3 < found.probability < 0.9
    return found


TWO = [die(0, 100), die(200, 104)]


def test_a_find_in_doubt_that_is_far_smaller_than_the_dice_is_less_likely_one():
    small = doubtful(400, 60)
    after = of_one_size([*TWO, small])[-1]
    assert after.context_penalty == pytest.approx(3)
    assert log_odds(after.probability) == pytest.approx(log_odds(small.probability) - 3)
    assert after.by_itself == small.probability


@pytest.mark.parametrize("side", [85, 100, 120])
def test_one_about_as_large_stays_as_likely(side: float):
    assert of_one_size([*TWO, doubtful(400, side)])[-1].context_penalty == 0


def test_a_sure_die_of_another_size_is_a_die():
    found = [*TWO, die(400, 40)]
    assert of_one_size(found) == found


def test_one_die_alone_tells_nothing():
    found = [TWO[0], doubtful(400, 50)]
    assert of_one_size(found) == found


def test_twelve_sided_dice_tell_nothing_of_pip_dice():
    found = [*(replace(each, face=die(0, 1, kind="d12").face) for each in TWO), doubtful(400, 50)]
    assert of_one_size(found) == found


def test_what_a_profile_knows_stays_as_likely():
    found = [*TWO, doubtful(400, 50, profile="dragons")]
    assert of_one_size(found) == found


def test_the_find_itself_does_not_vouch_for_its_size():
    nearly = next(each for each in (die(400, 50, 0.5, k / 100) for k in range(60, 0, -1)) if each.confidence >= 0.86)
    assert nearly.probability < 0.9
    assert of_one_size([TWO[0], nearly])[-1].context_penalty == 0


def test_more_is_lost_the_more_the_sizes_differ():
    losses = [lost(ratio) for ratio in (0.0, 0.2, -0.25, 0.3, -0.5, 2.0)]
    assert losses == sorted(losses)
    assert losses[:2] == [0, 0]
    assert losses[-1] == 3


def test_the_median_of_an_even_number_is_the_mean_of_both_in_the_middle():
    assert [median([3, 1, 2]), median([4, 1, 2, 9])] == [2, 3]
