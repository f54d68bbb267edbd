"""The statistics that the evaluation needs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval (95 % by default) for a share; (0, 1) for an empty sample.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if of == 0:
        return 0.0, 1.0
    share = hits / of
    middle = share + z * z / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def mcnemar(gained: int, lost: int) -> float:
    """The exact two-sided p of McNemar's test: how often a fair coin falls at least as unevenly as `gained` to `lost`.

    Source: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
    Psychometrika 12 (1947), with the binomial distribution in place of its approximation.
    """
    tosses = gained + lost
    tail = sum(math.comb(tosses, heads) for heads in range(min(gained, lost) + 1))
    return min(1.0, float(2 * tail / (1 << tosses)))


def reliability(
    pairs: Sequence[tuple[float, bool]], edges: Sequence[float]
) -> list[tuple[float, float, int, float, float]]:
    """For each bin between `edges`: lower and upper edge, count, mean confidence, accuracy. Empty bins are left out."""
    rows = []
    for low, high in itertools.pairwise(edges):
        inside = [(p, ok) for p, ok in pairs if low <= p < high or (high == edges[-1] and p == high)]
        if inside:
            rows.append(
                (
                    low,
                    high,
                    len(inside),
                    sum(p for p, _ in inside) / len(inside),
                    sum(ok for _, ok in inside) / len(inside),
                )
            )
    return rows


def expected_calibration_error(pairs: Sequence[tuple[float, bool]], edges: Sequence[float]) -> float:
    """The mean difference of confidence and accuracy, weighted by bin (Naeini et al., AAAI 2015)."""
    total = max(1, len(pairs))
    return sum(count / total * abs(confidence - right) for _, _, count, confidence, right in reliability(pairs, edges))
