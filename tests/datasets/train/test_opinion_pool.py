"""The weights of two readers: the better one counts more."""

import numpy as np
import pytest

from datasets.train.opinion_pool import fit
from vision.classify.crop_network import softmax


def opinions(labels, knows: float, seed: int):
    rng = np.random.default_rng(seed)
    return softmax((knows * np.eye(4)[labels] + rng.normal(0, 1, (len(labels), 4))).astype(np.float32))


@pytest.mark.parametrize(("first", "second"), [(2.0, 0.3), (0.3, 2.0)])
def test_who_knows_more_counts_more(first: float, second: float):
    labels = np.random.default_rng(1).integers(4, size=2000)
    a, b = fit(opinions(labels, first, 2), opinions(labels, second, 3), labels)
    assert (a > b) == (first > second)
    assert max(a, b) > 0.5


def test_equal_readers_that_err_apart_count_alike():
    labels = np.random.default_rng(1).integers(4, size=4000)
    a, b = fit(opinions(labels, 1.0, 2), opinions(labels, 1.0, 3), labels)
    assert a == pytest.approx(b, abs=0.16)
    assert a + b > 1.5
