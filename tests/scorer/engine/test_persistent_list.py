"""Versions of a list share their beginning, and none sees what was appended to another."""

from __future__ import annotations

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from scorer.engine.persistent_list import PersistentList


def test_versions_are_as_tuples_would_be_however_they_branch() -> None:
    random, versions = Random(1), [(PersistentList[int](), ())]
    for number in range(2000):
        # The last version mostly, as in a game; any other now and then, as after an undo.
        grown, plain = versions[-1] if random.random() < 0.8 else random.choice(versions)
        if plain and random.random() < 0.2:
            versions.append((grown.without_last(), plain[:-1]))
            continue
        versions.append((grown.appended(number), (*plain, number)))  # type: ignore[arg-type]
    for grown, plain in versions:
        assert grown == plain
        assert plain == grown
        assert (len(grown), [*grown], [*reversed(grown)]) == (len(plain), [*plain], [*reversed(plain)])
        start, stop, step = random.randint(-9, 9), random.randint(-9, 9), random.choice([-2, -1, 1, 2])
        assert tuple(grown[start:stop:step]) == plain[start:stop:step]
        assert tuple(grown[:stop]) == plain[:stop]


def test_a_version_does_not_reach_into_what_was_appended_since() -> None:
    one = PersistentList("a")
    two = one.appended("b", "c")
    assert (one[-1], two[-1], one[:5], "b" in one) == ("a", "c", ("a",), False)
    for outside in (1, -2):
        with pytest.raises(IndexError):
            one[outside]


def test_a_beginning_is_shared_and_a_branch_is_not() -> None:
    one = PersistentList(range(1000))
    two = one.appended(1)
    assert one._items is two._items is two.without_last()._items is two[:7]._items  # type: ignore[attr-defined]
    three = one.appended(2)
    assert (two[-1], three[-1]) == (1, 2)


def test_threads_that_append_to_the_same_version_each_have_their_own() -> None:
    begun = PersistentList([0])
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            made = [*threads.map(begun.appended, range(5000))]
    finally:
        sys.setswitchinterval(before)
    assert [tuple(each) for each in made] == [(0, number) for number in range(5000)]


def test_equality_asks_the_items_and_only_sequences_that_cannot_change() -> None:
    assert PersistentList([1, 2]) == PersistentList([1, 2])
    assert PersistentList([1, 2]) != PersistentList([1, 3])
    assert PersistentList([1]) != [1]
    assert hash(PersistentList([1, 2])) == hash((1, 2))
    nan = float("nan")
    assert PersistentList([nan]) == (nan,)


def test_it_is_copied_and_pickled_with_its_own_items_alone() -> None:
    one = PersistentList(["a"])
    one.appended("b")
    for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert (again, repr(again), again._items) == (("a",), "('a',)", ["a"])
