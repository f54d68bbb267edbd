"""Sets that no network was taught: the same for a seed, their pieces labelled, their emblems there to see."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.generate.composite.house_sets import KINDS, house_set


@pytest.mark.parametrize("k", [1, 4, 8, 10, 12, 14, 17, 19], ids=lambda k: KINDS[k])
def test_a_set_is_thrown_with_labels_and_the_same_again(k: int) -> None:
    picture, labels = house_set(5, k)(np.random.default_rng(2), 0)
    again, same = house_set(5, k)(np.random.default_rng(2), 0)
    assert np.array_equal(picture, again)
    assert labels == same
    assert labels
    kind = "domino" if k >= 14 else "d6"
    assert {label["kind"] for label in labels} == {kind}


def test_an_emblem_stands_in_place_of_the_pips() -> None:
    def drawn(value: int) -> np.ndarray:
        from tests.vision.taught.drawn import EMBLEM, set_of

        return set_of(EMBLEM, 6).marks(value)[0]

    six, five = drawn(6), drawn(5)
    assert float(np.abs(six.astype(float) - five).mean()) > 10
