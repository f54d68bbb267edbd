from typing import Any

import pytest

from datasets.evaluate import Result, compare, confident_and_right, groups, summary


@pytest.mark.parametrize(
    ("truth", "ambiguous", "read", "expected"),
    [
        ([1, 2, 3], 0, [3, 1, 2], (True, 3, 0, 0, 0)),
        ([1, 2, 3], 0, [1, 2], (False, 2, 1, 0, 0)),
        ([1, 2], 0, [1, 2, 2], (False, 2, 0, 1, 0)),
        ([1, 2], 0, [1, 5], (False, 1, 0, 0, 1)),
        ([], 0, [], (True, 0, 0, 0, 0)),
        ([], 0, [4], (False, 0, 0, 1, 0)),
        ([6, 6], 1, [6, 6], (True, 2, 0, 0, 0)),
        ([6, 6], 1, [6, 6, 2], (True, 2, 0, 0, 0)),
        ([6, 6], 1, [6, 6, 2, 3], (False, 2, 0, 1, 0)),
        ([6, 6], 1, [6, 2], (False, 1, 0, 0, 1)),
        ([6, 6], 1, [6, 2, 3], (False, 1, 0, 0, 1)),
    ],
)
def test_compare(truth: list[int], ambiguous: int, read: list[int], expected: tuple[Any, ...]):
    assert tuple(compare(truth, ambiguous, read).values()) == expected


def result(truth: tuple[int, ...], read: tuple[int, ...], doubts: tuple[str, ...] = (), same: bool = False) -> Result:
    confidences = tuple(0.9 for _ in read)
    return Result("f", "s", False, same, truth, 0, read, confidences, doubts, **compare(truth, 0, read))  # type: ignore[arg-type]


def test_silent_is_wrong_without_a_doubt():
    assert result((1,), (2,)).silent
    assert not result((1,), (2,), ("uncertain-value: ?",)).silent
    assert not result((1,), (1,)).silent


def test_summary_counts():
    found = summary(
        [
            result((1, 2), (1, 2)),
            result((3,), (4,)),
            result((5,), (), ("no-pieces: none",)),
            result((6,), (6,), ("cut-off: .",)),
        ]
    )
    assert (found["photos"], found["exact"], found["right"], found["missed"], found["misread"]) == (4, 2, 3, 1, 1)
    assert (found["silent_errors"], found["doubted"], found["doubted_among_exact"]) == (1, 2, 0.5)
    assert found["recall"] == 0.6


def test_the_training_camera_is_told_apart():
    table = groups([result((1,), (1,)), result((1,), (2,), same=True)])
    assert len(table["pooled, without same_camera_as_train"]) == len(table["same_camera_as_train"]) == 1


def test_a_value_read_twice_is_right_once():
    assert sorted(confident_and_right([result((4,), (4, 4))])) == [(0.9, False), (0.9, True)]
