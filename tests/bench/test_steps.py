"""The ways of reading that `bench/steps.py` compares."""

import pytest

from bench.steps import WAYS, changed
from vision.classify import numerals


@pytest.mark.parametrize("way", WAYS)
def test_every_way_replaces_names_that_exist(way: str) -> None:
    with changed(WAYS[way]):
        pass


def test_names_are_replaced_only_meanwhile() -> None:
    before = numerals.VIEWS
    with changed(WAYS["numerals in one view, not three"]):
        assert len(numerals.VIEWS) == 1
    assert numerals.VIEWS is before
