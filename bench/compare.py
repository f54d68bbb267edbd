"""Significant changes between two runs of `python -m bench`.

The repeats of a figure in both runs are ranked together. The probability of ranks at least as uneven if nothing had
changed is computed over all permutations (the exact two-sided rank-sum test of Wilcoxon, Mann and Whitney).
Below `SURE` it is a change, and the ratio of the medians is reported with its 95 % bootstrap interval. With four repeats on
each side nothing can be that unlikely: each run needs `FEWEST`, and with fewer the verdict is "too few".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

SURE = 0.01
"""Significance level: the share of unchanged figures that are called changed."""
FEWEST = 5
_MOST_WAYS = 200_000
"""The most permutations that are enumerated; beyond it as many are sampled."""
_DRAWN = 5_000


@dataclass(frozen=True, slots=True)
class Change:
    """A figure in two runs.

    Attributes:
        name: bench and figure.
        unit: of the medians.
        old, new: the medians.
        low, high: the 95 % interval of the ratio new / old.
        chance: probability of ranks at least as uneven if nothing had changed; None: too few repeats.
        better: whether the new value is better, if it changed.
    """

    name: str
    unit: str
    old: float
    new: float
    low: float
    high: float
    chance: float | None
    better: bool

    @property
    def sure(self) -> bool:
        """Whether the change is significant."""
        return self.chance is not None and self.chance < SURE

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        if self.chance is None:
            return f"too few repeats (each run needs {FEWEST})"
        return ("faster or smaller" if self.better else "slower or larger") if self.sure else "as before"


def compare(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """Compare every figure that both reports have."""
    before = {figure["name"]: figure for figure in old["figures"]}
    return [_change(before[figure["name"]], figure) for figure in new["figures"] if figure["name"] in before]


def _change(old: dict[str, Any], new: dict[str, Any]) -> Change:
    first, second = old["samples"], new["samples"]
    was, is_now = float(np.median(first)), float(np.median(second))
    low, high = ratio_interval(first, second)
    better = (is_now > was) == new["more_is_better"]
    enough = min(len(first), len(second)) >= FEWEST
    chance = rank_chance(first, second) if enough else None
    return Change(new["name"], new["unit"], was, is_now, low, high, chance, better)


def rank_chance(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that the sum of the ranks of `first` is at least as far from its mean, if both are alike."""
    ranks = _ranks(np.array([*first, *second], float))
    size, total = len(first), len(ranks)
    middle = size * (total + 1) / 2
    off = abs(float(ranks[:size].sum()) - middle)
    if math.comb(total, size) <= _MOST_WAYS:
        ways = np.array(list(itertools.combinations(range(total), size)))
    else:
        random = np.random.default_rng(0)
        ways = np.array([random.permutation(total)[:size] for _ in range(_DRAWN)])
    # Sums of ranks are multiples of a half: a smaller difference is rounding.
    return float(np.mean(np.abs(ranks[ways].sum(axis=1) - middle) >= off - 1e-9))


def _ranks(values: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Ranks from 1; ties get their mean rank."""
    below = (values[:, None] > values[None, :]).sum(axis=1)
    equal = (values[:, None] == values[None, :]).sum(axis=1)
    return np.asarray(below + (equal + 1) / 2, np.float64)


def ratio_interval(old: Sequence[float], new: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """The 95 % bootstrap interval of the ratio of the medians, new over old."""
    random = np.random.default_rng(seed)
    medians = [np.median(random.choice(np.asarray(each, float), (_DRAWN, len(each))), axis=1) for each in (old, new)]
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.nanquantile(medians[1] / medians[0], [0.025, 0.975])
    return float(low), float(high)
