"""Prints results on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from datasets.evaluate.measuring import Result, confused
from datasets.evaluate.report import Figures, Row, tables
from datasets.labels.truth import label

_ACROSS = 10
"""Columns that fit side by side on a terminal."""


def show(console: Console, name: str, report: Row, results: Sequence[Result]) -> None:
    """Print a set's tables, its confusions, and every photo that is not exact."""
    console.rule(name)
    for table in tables(report):
        for part in _folded(table):
            console.print(table_of(part))
    console.print(_bins(report["reliability"]))
    if "reader_alone" in report:
        _show_confusion(console, "read alone, d12", report["reader_alone"]["pooled"]["confusion"])
    for kind, matrix in report["confusion"].items():
        _show_confusion(console, "ends of dominoes" if kind == "domino" else kind, matrix)
    for result in results:
        if not result.exact:
            console.print(_wrong(result))


def _folded(figures: Figures) -> Iterator[Figures]:
    """A wide table split into several, one below the other."""
    for start in range(0, len(figures.columns), _ACROSS):
        yield replace(figures, columns=figures.columns[start : start + _ACROSS])


def table_of(figures: Figures) -> Table:
    """The figures as a table on the terminal."""
    table = Table(figures.first, *(column.head for column in figures.columns), title=figures.title)
    for name, row in figures.rows.items():
        table.add_row(name, *(column.text(row) for column in figures.columns))
    return table


def _bins(rows: Sequence[Sequence[float]]) -> Table:
    table = Table("confidence", "pieces", "mean confidence", "right", title="reliability, without same_camera_as_train")
    for low, high, count, confidence, right in rows:
        table.add_row(f"{low} to {high}", str(count), f"{confidence:.3f}", f"{right:.3f}")
    return table


def _show_confusion(console: Console, what: str, matrix: dict[str, dict[str, int]]) -> None:
    if confused(matrix):
        read = sorted({face for row in matrix.values() for face in row}, key=lambda face: (len(face), face))
        table = Table("truth", *read, title=f"{what}: rows are the truth, columns the readings")
        for truth, row in matrix.items():
            table.add_row(truth, *(str(row.get(face, "")) for face in read))
        console.print(table)


def _wrong(result: Result) -> str:
    found = result.match
    misread = [f"{label(piece.face)} as {label(seen.face)}" for piece, seen in found.pairs if seen in found.misread]
    wrong = {"misread": misread, "missed": [label(piece.face) for piece in found.missed]}
    wrong["extra"] = [f"{label(seen.face)} ({seen.kind})" for seen in found.extra]
    verdict = "SILENT" if result.silent else "doubted"
    return f"{verdict} {result.truth.file}: " + "; ".join(
        f"{how} {', '.join(what)}" for how, what in wrong.items() if what
    )
