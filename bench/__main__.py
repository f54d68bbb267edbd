"""`python -m bench` runs every benchmark beside its rival and its limit, and writes one table, one JSON file and one page.

    python -m bench                                  all of them, five times each; takes hours
    python -m bench --photos ../shared/photos        include those that read photos of a folder
    python -m bench --pt last.pt                     ultralytics' predict as a rival, too, with the detector's torch weights
    python -m bench --exported detector.onnx         and the detector as ultralytics exports it (bench/read.py)
    python -m bench --only score,start --repeats 5   some of them
    python -m bench --quick                          about ten minutes: shortened, once each; those that cannot be are left out
    python -m bench --compare OLD.json               significant changes since that file; runs nothing with --report
    python -m bench --docs docs/speed.md             also writes the table between the marks in that file
    python -m bench growth                           how the time grows with the size of the work (bench/growth.py)
    python -m bench club                             twenty tables on several servers with one database (bench/club.py)

If a benchmark fails or lacks something, the reason is reported and the others run; the exit code is 1 after a failure.
The files go to `bench/all.json` and `bench/all.html`, or to `--out`. The page needs the extra `bench`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench import club, growth
from bench.compare import Change, compare
from bench.machine import load, machine
from bench.page import write_page
from bench.suite import BENCHES, ROOT, Bench, Figure
from bench.tables import as_markdown, put_between_marks, rows

OUT = Path(__file__).parent / "all"


def main() -> int:
    """Run, print and write; returns the exit code."""
    if sys.argv[1:2] == ["growth"]:
        return growth.main(sys.argv[2:])
    if sys.argv[1:2] == ["club"]:
        return club.main(sys.argv[2:])
    options = _options()
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    report = json.loads(options.report.read_text("utf-8")) if options.report else run(options, console)
    show(report, console)
    if options.docs:
        put_between_marks(options.docs, as_markdown(report))
    if options.compare:
        show_changes(compare(json.loads(options.compare.read_text("utf-8")), report), console)
    return int(bool(report["failed"]))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", type=_names, default=list(BENCHES), help=f"only some of {', '.join(BENCHES)}")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeats", type=int, help="runs of each benchmark (default: 5; --quick: 1)")
    parser.add_argument("--photos", type=Path, help="the folder of the shared photos")
    parser.add_argument("--pt", type=Path, metavar="FILE", help="the detector's torch weights, for ultralytics")
    parser.add_argument("--exported", type=Path, metavar="FILE", help="the detector as ultralytics exports it")
    parser.add_argument("--out", type=Path, default=OUT, help="path of the JSON file and the page, without extension")
    parser.add_argument("--compare", type=Path, metavar="OLD.json")
    parser.add_argument("--report", type=Path, metavar="JSON", help="show this report instead of running anything")
    parser.add_argument(
        "--docs", type=Path, metavar="FILE", help="write the table between <!-- bench --> and <!-- /bench -->"
    )
    options = parser.parse_args()
    options.repeats = options.repeats or (1 if options.quick else 5)
    return options


def _names(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in BENCHES]:
        raise argparse.ArgumentTypeError(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    return names


# Running


def run(options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Run every requested benchmark, as often as requested; the results are written after each of them."""
    report: dict[str, Any] = {
        "machine": machine(),
        "began": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "quick": options.quick,
        "took_seconds": {},
        "figures": [],
        "left_out": {},
        "failed": {},
    }
    for name in options.only:
        bench = BENCHES[name]
        if reason := bench.missing(options.photos, quick=options.quick):
            report["left_out"][name] = reason
            continue
        start = time.perf_counter()
        try:
            with console.status(f"{name}: {bench.what}"):
                report["figures"] += repeated(bench, options)
        except BenchError as error:
            report["failed"][name] = str(error)
        report["took_seconds"][name] = round(time.perf_counter() - start, 1)
        console.print(f"{name}: {report['took_seconds'][name]:.0f} s", style="dim")
        keep(report, options.out)  # a run takes an hour: if it is interrupted, no results are lost
    keep(report, options.out)
    return report


def keep(report: dict[str, Any], out: Path) -> None:
    """Write the JSON file and the page."""
    report["load_at_end"] = load()
    out.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    write_page(report, out.with_suffix(".html"))


class BenchError(Exception):
    """A benchmark failed; the message is the end of its output."""


def repeated(bench: Bench, options: argparse.Namespace) -> list[dict[str, Any]]:
    """The figures of a benchmark, each with the values of all repeats."""
    return gathered(bench, [once(bench, options) for _ in range(options.repeats)])


def once(bench: Bench, options: argparse.Namespace) -> list[Figure]:
    """Run a benchmark once.

    Raises:
        BenchError: it failed, or its output lacks the figures.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "figures.json"
        named = {"--pt": options.pt, "--exported": options.exported}
        networks = {option: file for option, file in named.items() if file}
        command = bench.command(out, options.photos, quick=options.quick, networks=networks)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode or not out.exists():
            raise BenchError((done.stderr or done.stdout).strip()[-500:] or f"exit code {done.returncode}")
        try:
            return list(bench.figures(json.loads(out.read_text("utf-8"))))
        except (ValueError, KeyError, TypeError, ArithmeticError) as error:
            raise BenchError(f"its output lacks the figures: {error!r}") from error


def gathered(bench: Bench, runs: Iterable[list[Figure]]) -> list[dict[str, Any]]:
    """Each figure over all runs: the median of the repeats, of rivals and limits, too."""
    by_name: dict[str, list[Figure]] = {}
    for figure in (figure for figures in runs for figure in figures):
        by_name.setdefault(figure.name, []).append(figure)
    return [_gathered(bench, name, each) for name, each in by_name.items()]


def _gathered(bench: Bench, name: str, each: list[Figure]) -> dict[str, Any]:
    limits = [figure.limit for figure in each if figure.limit is not None]
    rivals = {rival: [figure.rivals[rival] for figure in each if rival in figure.rivals] for rival in each[0].rivals}
    return {
        **asdict(each[0]),
        "bench": bench.name,
        "name": f"{bench.name}: {name}",
        "value": statistics.median(figure.value for figure in each),
        "samples": [figure.value for figure in each],
        "limit": statistics.median(limits) if limits else None,
        "rivals": {rival: statistics.median(values) for rival, values in rivals.items()},
    }


# Printed


def show(report: dict[str, Any], console: Console) -> None:
    """Print the table, what was left out, and what failed."""
    head, *body = rows(report)
    table = Table(*head)
    for row in body:
        table.add_row(*row)
    console.print(table)
    busy, cores = report["machine"]["load"], report["machine"]["cores"]
    if busy and busy > cores:
        console.print(f"The machine was busy: {busy} processes competed for {cores} cores. Do not keep these figures.")
    if took := report.get("took_seconds"):
        each = ", ".join(f"{name} {seconds:.0f}" for name, seconds in took.items())
        console.print(f"Took {sum(took.values()) / 60:.1f} minutes; seconds: {each}.")
    for name, reason in report["left_out"].items():
        console.print(f"{name}: skipped, {reason}")
    for name, reason in report["failed"].items():
        console.print(f"{name}: failed\n{reason}", markup=False)


def show_changes(changes: list[Change], console: Console) -> None:
    """Print what changed, and how many figures did not."""
    table = Table("figure", "before", "now", "ratio, 95 %", "p", "verdict", title="changes")
    for each in changes:
        if each.sure or each.chance is None:
            chance = "" if each.chance is None else f"{each.chance:.3f}"
            between = f"{each.new / each.old:.2f} ({each.low:.2f} to {each.high:.2f})" if each.old else ""
            table.add_row(each.name, f"{each.old:.4g}", f"{each.new:.4g} {each.unit}", between, chance, each.verdict)
    if table.row_count:
        console.print(table)
    same = sum(not each.sure and each.chance is not None for each in changes)
    console.print(f"{same} of {len(changes)} figures unchanged (exact rank-sum test; p below 0.01 is a change).")


if __name__ == "__main__":
    sys.exit(main())
