"""What a network learns from next is made while it learns from the last."""

import pytest

from datasets.train.prefetch import made_ahead


def test_all_batches_come_in_order_and_once():
    made: list[int] = []

    def make(step: int) -> int:
        made.append(step)
        return step * step

    assert list(made_ahead(make, range(3, 20), 3)) == [step * step for step in range(3, 20)]
    assert sorted(made) == list(range(3, 20))


def test_no_steps_no_batches():
    assert list(made_ahead(str, range(5, 5), 1)) == []


def test_what_goes_wrong_while_a_batch_is_made_is_told():
    def make(step: int) -> int:
        if step == 2:
            raise OSError("no such picture")
        return step

    batches = made_ahead(make, range(6), 1)
    assert [next(batches), next(batches)] == [0, 1]
    with pytest.raises(OSError, match="no such picture"):
        next(batches)
