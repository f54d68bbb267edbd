"""`python -m datasets.evaluate FOLDER` measures the shipped reader on photos whose pieces are known, and prints and writes it.

FOLDER is dice-dev, domino-dev (or its board, mixed or crops alone), d12-crops, or renders of a seed that no network learned
from (datasets/labels/truth.py). The figures are given by source and pooled; `measuring` says what each of them counts, and
`matching` when a piece is right. What was seen on every photo goes to `--out`, models/NAME-OF-THE-FOLDER.json by default.
`--card models/CARD.md` writes the table between the card's marks `<!-- results NAME -->` and `<!-- /results NAME -->`.

On d12-crops the reader of faces is also measured alone: it is given each crop as it is, for a die cut already has not to be
found (`reader_alone`). The other figures there are those of the whole way, from file to reading.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets.evaluate import reader_alone
from datasets.evaluate.measuring import (
    EDGES,
    Result,
    confident_and_right,
    confused,
    confusion,
    fresh,
    groups,
    measure,
    summary,
)
from datasets.evaluate.statistics import reliability
from datasets.labels.truth import Truth, UnknownFolderError, label, load
from models import FOLDER, Manifest, ModelError, load_manifest
from vision import photo
from vision.classify.dice import NUMERAL_VIEWS, FaceReader
from vision.reader import TableReader

Row = dict[str, Any]
"""The figures of one group, as `measuring.summary` gives them."""
_D12_CROPS = "d12-crops"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, and what stands in it for a group."""

    head: str
    text: Callable[[Row], str]


def _count(key: str) -> Callable[[Row], str]:
    return lambda row: str(row[key])


def _share(count: str, share: str) -> Callable[[Row], str]:
    return lambda row: f"{row[count]} ({row[share]:.1%})"


def _percent(key: str) -> Callable[[Row], str]:
    return lambda row: f"{row[key]:.1%}"


def _between(key: str) -> Callable[[Row], str]:
    return lambda row: "{:.1%} to {:.1%}".format(*row[key])


READ = (
    Column("photos", _count("photos")),
    Column("exact", _share("exact", "exact_share")),
    Column("Wilson 95 %", _between("exact_wilson_95")),
    Column("pieces", _count("pieces")),
    Column("found", _count("found")),
    Column("right", _share("right", "recall")),
    Column("missed", _count("missed")),
    Column("extra", _count("extra")),
    Column("misread", _count("misread")),
    Column("precision", _percent("precision")),
)
TRUSTED = (
    Column("silent errors", _share("silent_errors", "silent_share")),
    Column("wrong, not flagged", _share("wrong_not_flagged", "wrong_not_flagged_share")),
    Column("flagged", _share("flagged", "flagged_share")),
    Column("photos doubted", _share("doubted", "doubted_share")),
    Column("doubted when right", _percent("doubted_among_exact")),
    Column("ECE", _count("expected_calibration_error")),
)
ALONE = (
    Column("crops", _count("crops")),
    Column("right", _share("right", "right_share")),
    Column("Wilson 95 %", _between("right_wilson_95")),
    Column("taken for no die", _count("taken_for_no_die")),
    Column("ECE", _count("expected_calibration_error")),
)


def main() -> None:
    """Measure, write, print."""
    options = _options()
    try:
        truths, manifest = load(options.folder), load_manifest()
        report, results = _measured(truths, manifest)
    except (UnknownFolderError, ModelError) as error:
        raise SystemExit(str(error)) from error
    name = options.folder.resolve().name
    out = options.out or FOLDER / f"{name}.json"
    write(report, out)
    if options.card:
        options.card.write_text(card_with(options.card.read_text(), name, report))
    _show(report, results)
    print(f"written to {out}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, help="where the figures go (default: models/NAME-OF-THE-FOLDER.json)")
    parser.add_argument("--card", type=Path, help="a model card whose section of this name is to be rewritten")
    return parser.parse_args()


def _measured(truths: Sequence[Truth], manifest: Manifest) -> tuple[Row, list[Result]]:
    """The report that is written, and the results it was made of."""
    alone = _alone(truths, manifest) if truths[0].part == _D12_CROPS else {}
    reader = TableReader(manifest)
    results = measure(_shown(truths), lambda truth: reader.read(photo.load(truth.path)))
    report = {
        "models": manifest.hashes,
        **alone,
        "groups": {name: summary(group) for name, group in groups(results).items()},
        "reliability": reliability(confident_and_right(fresh(results)), EDGES),
        "confusion": confusion(fresh(results)),
        "photos": [result.to_json() for result in results],
    }
    return report, results


def _alone(truths: Sequence[Truth], manifest: Manifest) -> Row:
    read = reader_alone.read_alone(truths, FaceReader(manifest["d12"], views=NUMERAL_VIEWS))
    grouped = reader_alone.by_source(read)
    return {
        "reader_alone": {name: reader_alone.summary(group) for name, group in grouped.items()},
        "crops_read_alone": [[each.truth.file, each.value, round(each.confidence, 4), each.right] for each in read],
    }


def _shown(truths: Sequence[Truth]) -> Iterable[Truth]:
    return track(truths, "reading", console=Console(stderr=True), disable=not sys.stderr.isatty())


# Written


def write(report: Row, path: Path) -> None:
    """As JSON, a photo a line, so that what changed between two runs can be seen."""
    path.write_text(
        "{\n" + ",\n".join(f"{json.dumps(key)}: {_block(value)}" for key, value in report.items()) + "\n}\n"
    )


def _block(value: Any) -> str:
    if isinstance(value, dict):
        inside = [f"{json.dumps(key)}: {json.dumps(each)}" for key, each in value.items()]
        return "{\n  " + ",\n  ".join(inside) + "\n }"
    return "[\n  " + ",\n  ".join(json.dumps(each) for each in value) + "\n ]"


def card_with(card: str, name: str, report: Row) -> str:
    """The card with this folder's figures between its two marks, so that no number in it is typed by hand.

    Raises:
        SystemExit: the card has no such marks.
    """
    begin, end = f"<!-- results {name} -->", f"<!-- /results {name} -->"
    head, found, rest = card.partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"The card has no section between {begin} and {end}.")
    tables = [_markdown("group", (*READ, *TRUSTED), report["groups"])]
    if "reader_alone" in report:
        tables.insert(0, _markdown("the reader of faces alone", ALONE, report["reader_alone"]))
    return f"{head}{begin}\n" + "\n".join(tables) + f"{end}{tail}"


def _markdown(first: str, columns: Sequence[Column], rows: dict[str, Row]) -> str:
    lines = [[first, *(column.head for column in columns)], ["---"] * (len(columns) + 1)]
    lines += [[name, *(column.text(row) for column in columns)] for name, row in rows.items()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


# Printed


def _show(report: Row, results: Sequence[Result]) -> None:
    console = Console(width=150, highlight=False)
    if "reader_alone" in report:
        title = "the reader of faces alone: each crop as it is, whole, without the detector"
        console.print(_table(title, ALONE, report["reader_alone"]))
        _show_confusion(console, "read alone, d12", report["reader_alone"]["pooled"]["confusion"])
    console.print(_table("from file to reading", READ, report["groups"]))
    console.print(_table("what to trust", TRUSTED, report["groups"]))
    console.print(_bins(report["reliability"]))
    for kind, matrix in report["confusion"].items():
        _show_confusion(console, "ends of dominoes" if kind == "domino" else kind, matrix)
    for result in results:
        if not result.exact:
            console.print(_wrong(result))


def _table(title: str, columns: Sequence[Column], rows: dict[str, Row]) -> Table:
    table = Table("group", *(column.head for column in columns), title=title)
    for name, row in rows.items():
        table.add_row(name, *(column.text(row) for column in columns))
    return table


def _bins(rows: Sequence[Sequence[float]]) -> Table:
    table = Table("confidence", "pieces", "mean confidence", "right", title="reliability, without same_camera_as_train")
    for low, high, count, confidence, right in rows:
        table.add_row(f"{low} to {high}", str(count), f"{confidence:.3f}", f"{right:.3f}")
    return table


def _show_confusion(console: Console, what: str, matrix: dict[str, dict[str, int]]) -> None:
    if confused(matrix):
        read = sorted({face for row in matrix.values() for face in row}, key=lambda face: (len(face), face))
        table = Table("is", *read, title=f"{what}: what is, down, was read as, across")
        for truth, row in matrix.items():
            table.add_row(truth, *(str(row.get(face, "")) for face in read))
        console.print(table)


def _wrong(result: Result) -> str:
    found = result.match
    misread = [f"{label(piece.face)} as {label(seen.face)}" for piece, seen in found.pairs if seen in found.misread]
    told = {"misread": misread, "missed": [label(piece.face) for piece in found.missed]}
    told["extra"] = [f"{label(seen.face)} ({seen.kind})" for seen in found.extra]
    verdict = "SILENT" if result.silent else "doubted"
    return f"{verdict} {result.truth.file}: " + "; ".join(
        f"{how} {', '.join(what)}" for how, what in told.items() if what
    )


if __name__ == "__main__":
    main()
