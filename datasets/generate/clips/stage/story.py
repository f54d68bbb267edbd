"""The story of a clip: throws, and between them distractions that are no throws. Pure: names and numbers, no pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

Rng = np.random.Generator
Kind = Literal["throw", "pick-up", "nudge", "set-aside", "wave", "light", "bump", "put-back", "clear", "rest"]

FOOLERS: tuple[Kind, ...] = ("nudge", "wave", "light", "bump", "put-back")
"""Distractions after a throw that change no value."""
CALM = 0.7
"""Least seconds that a throw lies untouched, so that it can be read."""


@dataclass(frozen=True)
class Step:
    """One step of a story: the dice involved (by number), the duration (rest), one hand for each die (`singly`)."""

    kind: Kind
    dice: tuple[int, ...] = ()
    seconds: float = 0.0
    singly: bool = False


def story(rng: Rng, dice: int, throws: int) -> list[Step]:
    """A clip with a number of dice and throws.

    It begins with an empty table. Before each throw but the first, all or some dice are picked up; the others lie still
    during the throw, where they fell or set aside.
    """
    everyone = tuple(range(dice))
    steps = [_rest(rng, 0.3, 0.8), Step("throw", everyone)]
    for again in range(1, throws + 1):
        steps += [_rest(rng, CALM, 1.4), *_foolers(rng, everyone)]
        if again == throws:
            break
        steps += _gathered(rng, everyone, thrown=_thrown(rng, everyone))
    if rng.random() < 0.6:
        steps += [Step("clear", everyone, singly=bool(rng.random() < 0.2)), _rest(rng, 0.4, 0.8)]
    return steps


def _rest(rng: Rng, least: float, most: float) -> Step:
    return Step("rest", seconds=float(rng.uniform(least, most)))


def _thrown(rng: Rng, everyone: tuple[int, ...]) -> tuple[int, ...]:
    """The dice of the next throw: all, or a random number of them."""
    if len(everyone) == 1 or rng.random() < 0.4:
        return everyone
    count = int(rng.integers(1, len(everyone)))
    return tuple(sorted(int(die) for die in rng.choice(everyone, count, replace=False)))


def _foolers(rng: Rng, everyone: tuple[int, ...]) -> list[Step]:
    steps: list[Step] = []
    for _ in range(int(rng.choice([0, 1, 2], p=[0.25, 0.6, 0.15]))):
        kind = FOOLERS[rng.integers(len(FOOLERS))]
        whom = (int(rng.choice(everyone)),) if kind in ("nudge", "put-back") else ()
        steps += [Step(kind, whom), _rest(rng, 0.25, 0.8)]
    return steps


def _gathered(rng: Rng, everyone: tuple[int, ...], thrown: tuple[int, ...]) -> list[Step]:
    still = tuple(die for die in everyone if die not in thrown)
    aside = [Step("set-aside", still)] if still and rng.random() < 0.4 else []
    picked = Step("pick-up", thrown, singly=bool(rng.random() < 0.25))
    return [*aside, picked, _rest(rng, 0.2, 0.9), Step("throw", thrown)]
