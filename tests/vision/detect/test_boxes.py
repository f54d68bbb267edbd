"""Detections that may be one thing."""

from vision.detect.boxes import without_duplicates


def near(one: float, other: float) -> bool:
    return abs(one - other) < 1


def test_of_things_that_are_the_same_the_best_is_kept():
    assert without_duplicates([5.0, 5.5, 8.0, 4.5, 1.0], near) == [5.0, 8.0, 1.0]
    assert without_duplicates([5.0, 8.0], near, [7.5]) == [7.5, 5.0]


def test_no_more_are_compared_than_are_kept():
    ranked = iter([5.0, 5.5, 8.0, 4.5, 1.0])
    assert without_duplicates(ranked, near, most=2) == [5.0, 8.0]
    assert list(ranked) == [1.0]
