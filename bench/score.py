"""`python bench/score.py` scores the same hands in several ways in one run, side by side, on one core.

    batch        hands of five ranks per second, uint8[N, 5] -> uint8[N], by table (scorer/pieces/batch.py)
    table        time to build that table, in a process that has none yet
    card table   all 12,994,800 card hands: a separate process, from start to end, imports included
    itemised     single card hands, every meld named, with flush and nobs
    total        the same hands, totals alone
    cribbage-scorer   the PyPI package's `show_calc_score` on the same hands. It returns a total and a description and cannot
                 compute the total alone, so it is the counterpart of both

Hands are converted to each way's own format beforehand: cards here, tuples (rank, suit) there. The ways alternate, round
by round; every figure is the median of the rounds, with the slowest and the fastest. Before the first round all ways must agree
on every hand, as a hand and as a crib; otherwise the run ends with the first difference. `itemised cold` is one pass with
the melds' cache emptied before it. `cribbage-scorer` comes with `pip install cribbage-scorer`; without it the rest is measured.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from scorer.pieces import batch, melds
from scorer.pieces.cards import DECK, Card, score_cards

Deal = tuple[list[Card], Card]
"""Four cards and the starter."""
Pass = Callable[[], object]
"""Scores all hands once."""
PEER = "cribbage-scorer"
WANTED = {"batch": 100e6, "itemised": 3, "total": 10}
_CARD_TABLE = "from scorer.odds.hands import cards; assert cards().total == 12_994_800"


def main() -> None:
    """Measure and print; `--out` also writes JSON."""
    options = _options()
    _stay_on_one_core()
    deals = _deals(options.hands, options.seed)
    hands = np.random.default_rng(options.seed).integers(1, 14, (options.batch, batch.SIZE), dtype=np.uint8)
    report = {
        "batch_hands": len(hands),
        "single_hands": len(deals),
        "rounds": options.rounds,
        "seconds": {
            "table": _spread([_build() for _ in range(options.rounds)]),
            "card table": _card_table(options.rounds),
        },
        "hands_a_second": _measure(_ways(deals), deals, hands, options.rounds),
    }
    _show(report)
    if options.out:
        options.out.write_text(json.dumps(report, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=10_000_000, help="number of hands in the array")
    parser.add_argument("--hands", type=int, default=5_000, help="number of single card hands")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def _stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _deals(count: int, seed: int) -> list[Deal]:
    chance = random.Random(seed)
    dealt = (chance.sample(DECK, batch.SIZE) for _ in range(count))
    return [(cards[:-1], cards[-1]) for cards in dealt]


def _ways(deals: list[Deal]) -> dict[str, Pass]:
    ways: dict[str, Pass] = {
        "itemised": lambda: [score_cards(hand, starter).total for hand, starter in deals],
        "itemised cold": lambda: [score_cards(hand, starter).total for hand, starter in deals],
        "total": lambda: [batch.total_cards(hand, starter) for hand, starter in deals],
    }
    if find_spec("cribbage_scorer") is None:
        print(f"{PEER} is not installed and skipped: pip install {PEER}", file=sys.stderr)
        return ways
    score = _peer()
    theirs = [([_pair(card) for card in hand], _pair(starter)) for hand, starter in deals]
    _agree(deals)
    return ways | {PEER: lambda: [score(starter, hand)[0] for hand, starter in theirs]}


def _peer() -> Callable[..., tuple[int, str]]:
    score: Callable[..., tuple[int, str]] = import_module("cribbage_scorer.cribbage_scorer").show_calc_score
    return score


def _pair(card: Card) -> tuple[int, str]:
    return card.rank, card.suit


def _agree(deals: list[Deal]) -> None:
    """End the run if totals differ, naming the first such hand."""
    score = _peer()
    for hand, starter in deals:
        for crib in (False, True):
            ours = score_cards(hand, starter, crib=crib)
            alone = batch.total_cards(hand, starter, crib=crib)
            theirs, _ = score(_pair(starter), [*map(_pair, hand)], crib)
            if not ours.total == alone == theirs:
                cards = " ".join(map(str, (*hand, starter)))
                raise SystemExit(f"{cards} (crib: {crib}): {ours.aloud()}; total alone {alone}; {PEER} {theirs}")


def _measure(ways: dict[str, Pass], deals: list[Deal], hands: batch.Bytes, rounds: int) -> dict[str, Any]:
    seconds: dict[str, list[float]] = {name: [] for name in ("batch", *ways)}
    _timed(lambda: batch.totals(hands))
    for way in ways.values():
        _timed(way)
    console = Console(stderr=True)
    for _ in track(range(rounds), "rounds", console=console, disable=not sys.stderr.isatty()):
        seconds["batch"].append(_timed(lambda: batch.totals(hands)))
        for name, way in ways.items():
            if name == "itemised cold":
                melds.forget_found()
            seconds[name].append(_timed(way))
    counts = {name: len(hands) if name == "batch" else len(deals) for name in seconds}
    return {name: _spread([counts[name] / second for second in taken]) for name, taken in seconds.items()}


def _timed(way: Pass) -> float:
    # So that no way pays for garbage of the one before; collection itself stays on, as in a running program.
    gc.collect()
    start = time.perf_counter()
    way()
    return time.perf_counter() - start


def _build() -> float:
    batch.table.cache_clear()
    batch.multisets.cache_clear()
    return _timed(lambda: batch.table(batch.RANKS))


def _card_table(rounds: int) -> dict[str, float]:
    command = [sys.executable, "-c", _CARD_TABLE]
    room = Path(__file__).parent.parent
    return _spread([_timed(lambda: subprocess.run(command, check=True, cwd=room)) for _ in range(rounds)])


def _spread(figures: list[float]) -> dict[str, float]:
    return {
        name: float(f"{figure:.4g}")
        for name, figure in (("min", min(figures)), ("median", statistics.median(figures)), ("max", max(figures)))
    }


def _show(report: dict[str, Any]) -> None:
    rates = report["hands_a_second"]
    peer = rates.get(PEER, {}).get("median")
    table = Table("what", "min", "median", "max", f"times {PEER}", "target", title="one core, one run")
    for name, row in report["seconds"].items():
        wanted = "under 1 s" if name == "card table" else ""
        table.add_row(f"{name}, ms", *(f"{1000 * row[key]:.1f}" for key in row), "", wanted)
    for name, row in rates.items():
        times = f"{row['median'] / peer:.1f}" if peer and name != "batch" else ""
        table.add_row(f"{name}, hands/s", *(f"{row[key]:,.0f}" for key in row), times, _wanted(name))
    Console(width=120).print(table)


def _wanted(name: str) -> str:
    figure = WANTED.get(name)
    if figure is None:
        return ""
    return f"{figure:,.0f} a second" if name == "batch" else f"{figure} times"


if __name__ == "__main__":
    main()
