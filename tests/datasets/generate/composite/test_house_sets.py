"""Sets that no network was taught: the same for a seed, their pieces labelled, their emblems there to see."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.generate.composite.house_sets import KINDS, house_set, labelled


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


@pytest.mark.parametrize("k", [1, 4, 8, 10, 14, 18, 19], ids=lambda k: KINDS[k])
def test_what_a_piece_shows_can_be_seen(k: int) -> None:
    picture, labels = labelled(7018, k, 0)
    same, _ = house_set(7018, k)(np.random.default_rng((7018, k, 0)), 0)
    assert np.array_equal(picture, same)
    assert labels
    assert all(label["contrast"] > max(label["noise"], 8) for label in labels)


def test_pips_like_the_specks_around_them_cannot_be_seen() -> None:
    _, labels = labelled(7018, KINDS.index("odd pips"), 1)
    seen = {label["value"]: label["contrast"] > label["noise"] for label in labels}
    assert seen == {3: False, 2: False, 1: True}


def test_pips_on_a_top_that_is_burnt_out_cannot_be_seen() -> None:
    _, labels = labelled(7018, 11, 5)
    assert len(labels) == 3
    assert all(label["contrast"] <= label["noise"] for label in labels)


def test_a_blank_end_has_no_marks_that_could_be_hidden() -> None:
    _, labels = labelled(7018, KINDS.index("faint tiles"), 1)
    assert [(label["ends"], label["contrast"]) for label in labels if not any(label["ends"])] == [([0, 0], 255.0)]
