"""`python -m datasets.evaluate ../shared/photos/dice-dev` measures the shipped reader on photos with known values.

Prints per source and pooled; writes what was seen on every photo to `--out` (models/dice-dev.json by default).
The folder holds `dev.json`: file, d6 (sorted values), ambiguous (further dice that may be read as anything or not at all),
source, hard, same_camera_as_train.

A photo is exact when all values are right and there is nothing more. Values carry no places in `dev.json`, so right, missed,
extra and misread are counted on the sorted values: pairs of a missing and a surplus value are misreads, the rest is missed
or extra. A silent error is a photo that is not exact and has no doubt.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets.statistics import expected_calibration_error, reliability, wilson
from models import FOLDER, load_manifest
from vision.photo import load
from vision.reader import TableReader
from vision.reading import Reading

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class Result:
    """One photo measured."""

    file: str
    source: str
    hard: bool
    same_camera_as_train: bool
    truth: tuple[int, ...]
    ambiguous: int
    read: tuple[int, ...]
    confidences: tuple[float, ...]
    doubts: tuple[str, ...]
    exact: bool
    right: int
    missed: int
    extra: int
    misread: int

    @property
    def silent(self) -> bool:
        """Wrong, and nobody was told."""
        return not self.exact and not self.doubts


def compare(truth: Sequence[int], ambiguous: int, read: Sequence[int]) -> dict[str, int | bool]:
    """Exact, right, missed, extra and misread of one photo; up to `ambiguous` surplus dice are neither right nor wrong."""
    missing, surplus = Counter(truth) - Counter(read), Counter(read) - Counter(truth)
    lost, more = missing.total(), surplus.total()
    excused = min(ambiguous, max(0, more - lost))
    misread = min(lost, more)
    return {
        "exact": lost == 0 and more - excused == 0,
        "right": len(truth) - lost,
        "missed": lost - misread,
        "extra": more - misread - excused,
        "misread": misread,
    }


def measure(entries: Iterable[dict[str, Any]], read: Callable[[Path], Reading], folder: Path) -> list[Result]:
    """Read every photo and compare."""
    return [_one(entry, read(folder / entry["file"])) for entry in entries]


def _one(entry: dict[str, Any], reading: Reading) -> Result:
    return Result(
        file=entry["file"],
        source=entry["source"],
        hard=entry["hard"],
        same_camera_as_train=entry["same_camera_as_train"],
        truth=tuple(entry["d6"]),
        ambiguous=entry["ambiguous"],
        read=tuple(sorted(reading.values)),
        confidences=tuple(round(die.confidence, 4) for die in sorted(reading.dice, key=lambda die: die.value)),
        doubts=tuple(f"{doubt.reason}: {doubt.message}" for doubt in reading.doubts),
        **compare(entry["d6"], entry["ambiguous"], reading.values),  # type: ignore[arg-type]
    )


def confident_and_right(results: Iterable[Result]) -> list[tuple[float, bool]]:
    """Every die's confidence, and whether it was right; photos with ambiguous dice are left out."""
    pairs: list[tuple[float, bool]] = []
    for result in results:
        left = Counter(result.truth)
        if result.ambiguous == 0:
            for value, confidence in sorted(
                zip(result.read, result.confidences, strict=True), key=lambda pair: -pair[1]
            ):
                pairs.append((confidence, left[value] > 0))
                left[value] -= 1
    return pairs


def groups(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results by source; pooled without the training camera; and what is to be told apart."""
    named: dict[str, list[Result]] = {}
    for result in results:
        named.setdefault(result.source, []).append(result)
    fresh = [result for result in results if not result.same_camera_as_train]
    return {
        **named,
        "pooled, without same_camera_as_train": fresh,
        "of these, hard": [result for result in fresh if result.hard],
        "of these, not hard": [result for result in fresh if not result.hard],
        "same_camera_as_train": [result for result in results if result.same_camera_as_train],
    }


def summary(results: Sequence[Result]) -> dict[str, Any]:
    """The figures of one group, ready for JSON."""
    exact = sum(result.exact for result in results)
    right, missed, extra, misread = (
        sum(getattr(r, name) for r in results) for name in ("right", "missed", "extra", "misread")
    )
    doubted_right = sum(result.exact and bool(result.doubts) for result in results)
    low, high = wilson(exact, len(results))
    return {
        "photos": len(results),
        "exact": exact,
        "exact_share": round(exact / max(1, len(results)), 4),
        "exact_wilson_95": [round(low, 4), round(high, 4)],
        "dice": right + missed + misread,
        "right": right,
        "missed": missed,
        "extra": extra,
        "misread": misread,
        "recall": round(right / max(1, right + missed + misread), 4),
        "precision": round(right / max(1, right + extra + misread), 4),
        "silent_errors": sum(result.silent for result in results),
        "silent_share": round(sum(result.silent for result in results) / max(1, len(results)), 4),
        "doubted": sum(bool(result.doubts) for result in results),
        "doubted_among_exact": round(doubted_right / max(1, exact), 4),
        "expected_calibration_error": round(expected_calibration_error(confident_and_right(results), EDGES), 4),
    }


def main() -> None:
    """Measure, print, write."""
    options = _options()
    reader = TableReader()
    entries = json.loads((options.folder / "dev.json").read_text())
    shown = track(entries, description="reading", console=Console(stderr=True), disable=not sys.stderr.isatty())
    results = measure(shown, lambda path: reader.read(load(path)), options.folder)
    table = groups(results)
    _print(table, results)
    report = {
        "models": load_manifest().hashes,
        "groups": {name: summary(group) for name, group in table.items()},
        "reliability": reliability(confident_and_right([r for r in results if not r.same_camera_as_train]), EDGES),
        "photos": [asdict(result) for result in results],
    }
    options.out.write_text(json.dumps(report, indent=1) + "\n")
    if options.card:
        _fill_card(options.card, table)
    print(f"written to {options.out}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER / "dice-dev.json")
    parser.add_argument("--card", type=Path, help="a model card whose results section is to be rewritten")
    return parser.parse_args()


def _fill_card(card: Path, table: dict[str, list[Result]]) -> None:
    """Write the figures between the card's two marks, so that no number in it is typed by hand."""
    head, _, rest = card.read_text().partition("<!-- results -->")
    _, _, tail = rest.partition("<!-- /results -->")
    names = ["group", "photos", "exact", "Wilson 95 %", "dice right", "missed", "extra", "misread"]
    names += ["silent errors", "doubted when right", "ECE"]
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    for name, group in table.items():
        s = summary(group)
        low, high = s["exact_wilson_95"]
        found = f"{s['exact']} ({s['exact_share']:.1%}) | {low:.1%} to {high:.1%} | {s['right']} of {s['dice']}"
        wrong = f"{s['missed']} | {s['extra']} | {s['misread']} | {s['silent_errors']} ({s['silent_share']:.1%})"
        lines.append(
            f"| {name} | {s['photos']} | {found} | {wrong} | {s['doubted_among_exact']:.1%} | {s['expected_calibration_error']} |"
        )
    card.write_text(f"{head}<!-- results -->\n" + "\n".join(lines) + f"\n<!-- /results -->{tail}")


def _print(table: dict[str, list[Result]], results: Sequence[Result]) -> None:
    console = Console(width=170)
    shown = Table(
        "group",
        "photos",
        "exact",
        "Wilson 95 %",
        "dice",
        "right",
        "missed",
        "extra",
        "misread",
        "recall",
        "precision",
        "silent",
        "doubted when right",
        "ECE",
    )
    for name, group in table.items():
        s = summary(group)
        low, high = s["exact_wilson_95"]
        numbers = (s["dice"], s["right"], s["missed"], s["extra"], s["misread"], s["recall"], s["precision"])
        silent = f"{s['silent_errors']} ({s['silent_share']:.1%})"
        exact = f"{s['exact']} ({s['exact_share']:.1%})"
        rest = (silent, f"{s['doubted_among_exact']:.1%}", str(s["expected_calibration_error"]))
        shown.add_row(name, str(s["photos"]), exact, f"{low:.1%} to {high:.1%}", *map(str, numbers), *rest)
    console.print(shown)
    bins = Table("confidence", "dice", "mean confidence", "right", title="reliability, without same_camera_as_train")
    for low, high, count, confidence, right in reliability(
        confident_and_right([r for r in results if not r.same_camera_as_train]), EDGES
    ):
        bins.add_row(f"{low} to {high}", str(count), f"{confidence:.3f}", f"{right:.3f}")
    console.print(bins)
    for result in results:
        if not result.exact:
            verdict = "SILENT" if result.silent else "doubted"
            console.print(f"{verdict} {result.file}: is {result.truth} +{result.ambiguous}, read {result.read}")


if __name__ == "__main__":
    main()
