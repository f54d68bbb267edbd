"""The figures of `python -m bench` as rows, and as a table in a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

BEGIN, END = "<!-- bench -->", "<!-- /bench -->"


def rows(report: dict[str, Any]) -> list[tuple[str, ...]]:
    """The head, and one row per figure."""
    return [("what", "Muggins", "unit", "rival", "limit", "times the limit"), *map(_row, report["figures"])]


def _row(figure: dict[str, Any]) -> tuple[str, ...]:
    rivals = "; ".join(f"{name} {number(value)}" for name, value in figure["rivals"].items())
    limit = figure["limit"]
    times = f"{figure['value'] / limit:.2f}" if limit else ""
    return figure["name"], number(figure["value"]), figure["unit"], rivals, number(limit) if limit else "", times


def number(value: float) -> str:
    """Three significant digits, and large numbers as integers."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def as_markdown(report: dict[str, Any]) -> str:
    """The table, with the conditions of the measurement."""
    head, *body = rows(report)
    lines = [head, ("---",) * len(head), *body]
    on = report["machine"]
    where = f"{on['processor']}, {on['cores']} cores, Python {on['python']}, commit {on['commit']}, load {on['load']}"
    table = "\n".join(f"| {' | '.join(row)} |" for row in lines)
    return f"{report['began']}: {where}.\n\n{table}"


def put_between_marks(path: Path, text: str) -> None:
    """Replace the text between the marks.

    Raises:
        SystemExit: the marks are not there.
    """
    before, begin, rest = path.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{path} has no {BEGIN} and {END} around the table. Add them where it shall stand.")
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")
