"""Compares a run with an earlier one, photo by photo.

The comparison is whether a photo is exact. Photos in both runs form pairs; only those gained or lost say which run is better,
and McNemar's exact test says whether that could be chance (`statistics.mcnemar`).

The pooled figure covers whole photos of new tables: photos of cameras or tables known from training, renders and the large
sets of crops have lines of their own. If nothing else was measured, it covers everything.
"""

from __future__ import annotations

import enum
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from datasets.evaluate.measuring import Result
from datasets.evaluate.sets import CROPS, RENDERS
from datasets.evaluate.statistics import mcnemar

LEVEL = 0.05
"""A difference is significant below this p."""
POOLED = "pooled: whole photos of new tables"


class Verdict(enum.Enum):
    """The outcome of a comparison for this run; the value is the exit code of the command."""

    BETTER = 0
    INDISTINGUISHABLE = 3
    WORSE = 4


@dataclass(frozen=True, slots=True)
class Pair:
    """One photo in two runs."""

    file: str
    exact_before: bool
    exact_now: bool
    silent_before: bool
    silent_now: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The photos that two runs have in common."""

    pairs: tuple[Pair, ...]

    @property
    def gained(self) -> tuple[str, ...]:
        """Photos that are exact now and were not before."""
        return tuple(pair.file for pair in self.pairs if pair.exact_now and not pair.exact_before)

    @property
    def lost(self) -> tuple[str, ...]:
        """Photos that were exact before and are not now."""
        return tuple(pair.file for pair in self.pairs if pair.exact_before and not pair.exact_now)

    @property
    def p(self) -> float:
        """The probability that chance alone makes the runs differ at least as much."""
        return mcnemar(len(self.gained), len(self.lost))

    @property
    def verdict(self) -> Verdict:
        """Better or worse only if the difference is significant."""
        if self.p >= LEVEL:
            return Verdict.INDISTINGUISHABLE
        return Verdict.BETTER if len(self.gained) > len(self.lost) else Verdict.WORSE


class UnknownRunError(ValueError):
    """There are no results of an earlier run at the given place."""


def earlier(where: str, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The earlier run's reports on the sets of these names, as far as it has them.

    `where` is the folder of its JSON files, or a commit whose `models/` has them.

    Raises:
        UnknownRunError: it is neither, or has none of these sets.
    """
    folder = Path(where)
    read = _from_folder if folder.is_dir() else _from_commit
    texts = {name: read(where, name) for name in names}
    reports = {name: json.loads(text) for name, text in texts.items() if text is not None}
    missing = [name for name in texts if name not in reports]
    if reports and missing:
        print(f"{where} has no results of {', '.join(missing)}: not compared.", file=sys.stderr)
    if not reports:
        raise UnknownRunError(f"{where} has no results to compare with. Give a folder of JSON files, or a commit.")
    return reports


def _from_folder(where: str, name: str) -> str | None:
    path = Path(where) / f"{name}.json"
    return path.read_text() if path.is_file() else None


def _from_commit(where: str, name: str) -> str | None:
    command = ["git", "show", f"{where}:models/{name}.json"]
    shown = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return shown.stdout if shown.returncode == 0 else None


def compare(before: Mapping[str, Mapping[str, Any]], now: Mapping[str, Sequence[Result]]) -> dict[str, Comparison]:
    """Comparisons by part of every set in both runs, with known cameras separate, and last the pooled one."""
    lines: dict[str, list[Pair]] = {}
    pooled: list[Pair] = []
    for name, results in now.items():
        rows = {row["file"]: row for row in before.get(name, {}).get("photos", ())}
        for result in results:
            if (row := rows.get(result.truth.file)) is None:
                continue
            pair = _pair(row, result)
            lines.setdefault(_line(name, result), []).append(pair)
            if not result.truth.same_camera_as_train and name != RENDERS and result.truth.part not in CROPS:
                pooled.append(pair)
    everything = [pair for pairs in lines.values() for pair in pairs]
    lines |= {POOLED: pooled} if pooled else {"pooled": everything}
    return {name: Comparison(tuple(pairs)) for name, pairs in lines.items()}


def _line(name: str, result: Result) -> str:
    part = "" if result.truth.part == name else f": {result.truth.part}"
    return f"{name}{part}" + (", same_camera_as_train" if result.truth.same_camera_as_train else "")


def _pair(row: Mapping[str, Any], result: Result) -> Pair:
    silent = not row["exact"] and not row["doubts"]
    return Pair(result.truth.file, row["exact"], result.exact, silent, result.silent)


def show(console: Console, compared: Mapping[str, Comparison]) -> Verdict:
    """Print every line, the photos gained and lost, and the pooled comparison; returns its verdict."""
    heads = ("photos", "exact before", "now", "gained", "lost", "p", "silent before", "now")
    table = Table("set", *heads, title="compared with the earlier run")
    for name, each in compared.items():
        table.add_row(name, *_cells(each))
    console.print(table)
    for name, each in list(compared.items())[:-1]:
        for how, files in (("gained", each.gained), ("lost", each.lost)):
            if files:
                console.print(f"{name}, {how}: {', '.join(files)}")
    last, pooled = list(compared.items())[-1]
    console.print(f"{last}: {pooled.verdict.name.lower()} (p = {pooled.p:.3f})")
    return pooled.verdict


def _cells(compared: Comparison) -> list[str]:
    pairs = compared.pairs
    counts = (
        len(pairs),
        sum(pair.exact_before for pair in pairs),
        sum(pair.exact_now for pair in pairs),
        len(compared.gained),
        len(compared.lost),
    )
    silent = (sum(pair.silent_before for pair in pairs), sum(pair.silent_now for pair in pairs))
    return [*map(str, counts), f"{compared.p:.3f}", *map(str, silent)]
