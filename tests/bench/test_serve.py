"""What the bench says of its numbers and viewers must be so."""

from __future__ import annotations

import pytest

from bench.serve import Viewer, check, spread


def test_the_spread_is_in_milliseconds_and_ends_with_the_slowest() -> None:
    assert spread([at / 1000 for at in range(1, 201)]) == {"p50": 100.5, "p95": 191.0, "p99": 199.0, "slowest": 200.0}
    assert spread([0.25]) == {"p50": 250.0, "p95": 250.0, "p99": 250.0, "slowest": 250.0}


@pytest.mark.parametrize("ids", [[1, 2], [1, 3, 2], [1, 2, 2, 3], [2, 3]])
def test_a_viewer_who_missed_something_ends_it(ids: list[int]) -> None:
    good = Viewer([1, 2, 3], [7, 8, 9])
    check([good, good], 3)
    with pytest.raises(SystemExit):
        check([good, Viewer(ids, [7, 8, 9][: len(ids)])], 3)


def test_a_viewer_who_saw_something_else_ends_it() -> None:
    with pytest.raises(SystemExit):
        check([Viewer([1, 2], [7, 8]), Viewer([1, 2], [7, 9])], 2)
