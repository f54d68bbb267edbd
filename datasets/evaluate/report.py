"""The figures of one set of photos: as JSON with one line per photo, and as tables of the model card."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.evaluate import reader_alone
from datasets.evaluate.measuring import EDGES, Result, confident_and_right, confusion, fresh, groups, summary
from datasets.evaluate.reader_alone import Alone
from datasets.evaluate.statistics import reliability

Row = dict[str, Any]
"""The figures of one group, as `measuring.summary` gives them, or a whole report."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, and its text for a group."""

    head: str
    text: Callable[[Row], str]


@dataclass(frozen=True, slots=True)
class Figures:
    """A table: its title, the head of its first column, and the rows by name."""

    title: str
    first: str
    columns: Sequence[Column]
    rows: Mapping[str, Row]


def _count(key: str) -> Callable[[Row], str]:
    return lambda row: str(row[key])


def _share(count: str, share: str) -> Callable[[Row], str]:
    return lambda row: f"{row[count]} ({row[share]:.1%})"


def _percent(key: str) -> Callable[[Row], str]:
    return lambda row: f"{row[key]:.1%}"


def _between(key: str) -> Callable[[Row], str]:
    return lambda row: "{:.1%} to {:.1%}".format(*row[key])


_EXACT = (
    Column("photos", _count("photos")),
    Column("exact", _share("exact", "exact_share")),
    Column("Wilson 95 %", _between("exact_wilson_95")),
)
_SILENT = Column("silent errors", _share("silent_errors", "silent_share"))
_READ = (
    *_EXACT,
    Column("pieces", _count("pieces")),
    Column("found", _count("found")),
    Column("right", _share("right", "recall")),
    Column("missed", _count("missed")),
    Column("extra", _count("extra")),
    Column("misread", _count("misread")),
    Column("precision", _percent("precision")),
)
_TRUSTED = (
    _SILENT,
    Column("wrong, not flagged", _share("wrong_not_flagged", "wrong_not_flagged_share")),
    Column("flagged", _share("flagged", "flagged_share")),
    Column("right, doubted", _share("right_doubted", "right_doubted_share")),
    Column("photos doubted", _share("doubted", "doubted_share")),
    Column("doubted when right", _percent("doubted_among_exact")),
    Column("ECE", _count("expected_calibration_error")),
)
_EMPTY = (
    Column("photos", _count("photos")),
    Column("given a piece", _share("given", "given_share")),
    Column("Wilson 95 %", _between("given_wilson_95")),
    Column("given a sure piece", _count("given_sure")),
    _SILENT,
    Column("pieces given", _count("extra")),
)
_ALONE = (
    Column("crops", _count("crops")),
    Column("right", _share("right", "right_share")),
    Column("Wilson 95 %", _between("right_wilson_95")),
    Column("taken for no die", _count("taken_for_no_die")),
    Column("ECE", _count("expected_calibration_error")),
)
_OVERVIEW = (
    *_EXACT,
    Column("of its kinds", _count("exact_of_its_kinds")),
    Column("pieces", _count("pieces")),
    Column("right", _share("right", "recall")),
    Column("extra", _count("extra")),
    _SILENT,
    Column("right, doubted", _share("right_doubted", "right_doubted_share")),
    Column("given a piece", _share("given", "given_share")),
    Column("sure", _count("given_sure")),
)


def report_of(results: Sequence[Result], alone: Sequence[Alone], hashes: Mapping[str, str]) -> Row:
    """Everything measured on a set; `alone` is empty for every set but d12-crops, `hashes` are those of the networks."""
    return {
        "models": dict(hashes),
        **(_alone(alone) if alone else {}),
        "groups": {name: summary(group) for name, group in groups(results).items()},
        "reliability": reliability(confident_and_right(fresh(results)), EDGES),
        "confusion": confusion(fresh(results)),
        "photos": [result.to_json() for result in results],
    }


def _alone(read: Sequence[Alone]) -> Row:
    grouped = reader_alone.by_source(read)
    return {
        "reader_alone": {name: reader_alone.summary(group) for name, group in grouped.items()},
        "crops_read_alone": [[each.truth.file, each.value, round(each.confidence, 4), each.right] for each in read],
    }


# Tables


def tables(report: Row) -> list[Figures]:
    """The tables of a set: crops classified alone, groups with pieces, and groups without."""
    rows = report["groups"]
    with_pieces = {name: row for name, row in rows.items() if row["pieces"]}
    without = {name: row for name, row in rows.items() if not row["pieces"]}
    alone = report.get("reader_alone", {})
    found = [
        Figures("the reader of dice alone: each crop as it is", "the reader of dice alone", _ALONE, alone),
        Figures("from file to reading", "group", (*_READ, *_TRUSTED), with_pieces),
        Figures("photos without a piece", "no piece there", _EMPTY, without),
    ]
    return [table for table in found if table.rows]


def overview(reports: Mapping[str, Row]) -> Figures:
    """A table with one line for each part of every set, over its sources."""
    rows = {
        name if group == "pooled" else f"{name}, {group.removesuffix(': pooled').removeprefix('pooled, ')}": row
        for name, report in reports.items()
        for group, row in report["groups"].items()
        if "pooled" in group or group.endswith("same_camera_as_train")
    }
    return Figures("all sets", "set", _OVERVIEW, rows)


# Written


def write(report: Row, path: Path) -> None:
    """Write the report as JSON, one line per photo, so that a diff of two runs is readable."""
    path.write_text(
        "{\n" + ",\n".join(f"{json.dumps(key)}: {_block(value)}" for key, value in report.items()) + "\n}\n"
    )


def _block(value: Any) -> str:
    if isinstance(value, dict):
        inside = [f"{json.dumps(key)}: {json.dumps(each)}" for key, each in value.items()]
        return "{\n  " + ",\n  ".join(inside) + "\n }"
    return "[\n  " + ",\n  ".join(json.dumps(each) for each in value) + "\n ]"


def card_with(card: str, name: str, report: Row) -> str:
    """The card with this set's figures between its two marks, so that no figure is typed by hand.

    Raises:
        SystemExit: the card has no such marks.
    """
    begin, end = marks(card, name)
    head, _, rest = card.partition(begin)
    _, _, tail = rest.partition(end)
    return f"{head}{begin}\n" + "\n".join(map(_markdown, tables(report))) + f"{end}{tail}"


def marks(card: str, name: str) -> tuple[str, str]:
    """The two marks around a set's figures in the card.

    Raises:
        SystemExit: the card has no such marks.
    """
    begin, end = f"<!-- results {name} -->", f"<!-- /results {name} -->"
    _, found, rest = card.partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"The card has no section between {begin} and {end}.")
    return begin, end


def _markdown(table: Figures) -> str:
    lines = [[table.first, *(column.head for column in table.columns)], ["---"] * (len(table.columns) + 1)]
    lines += [[name, *(column.text(row) for column in table.columns)] for name, row in table.rows.items()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
