"""Each target takes its own samples, and those changed by chance: that the targets work is tested without atheris, too."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.targets import TARGETS

_CHANGED = 10
"""Of each sample."""


@pytest.mark.parametrize("name", TARGETS)
def test_samples_are_taken_as_they_are(name: str) -> None:
    seeds = list(TARGETS[name].seeds())
    assert len(seeds) > 10
    assert max(map(len, seeds)) <= TARGETS[name].longest, "the fuzzer would cut it off"
    for seed in seeds:
        TARGETS[name].take(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_samples_that_were_changed_end_in_documented_errors(name: str) -> None:
    random = Random(name)
    for seed in TARGETS[name].seeds():
        for _ in range(_CHANGED):
            TARGETS[name].take(_changed(seed, random))


def _changed(seed: bytes, random: Random) -> bytes:
    data = bytearray(seed)
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(data))
        match random.randrange(3):
            case 0:
                data[at] = random.randrange(256)
            case 1:
                del data[at : at + random.randint(1, 20)]
            case _:
                data[at:at] = data[: random.randint(1, 20)]
        if not data:
            break
    return bytes(data)
