"""The figures of `python -m bench` as a page: a single file with plots by matplotlib (the extra `bench`)."""

from __future__ import annotations

import html
import io
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from bench.tables import rows

_STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } td, th { text-align: left; padding: .2rem .8rem; border-bottom: 1px solid #ccc }
svg { max-width: 100%; height: auto }"""


def write_page(report: dict[str, Any], path: Path) -> None:
    """Write the page with all figures."""
    head, *body = rows(report)
    told = [f"<p>{html.escape(line)}</p>" for line in _about(report)]
    plots = [_bars(bench, list(figures)) for bench, figures in groupby(report["figures"], lambda each: each["bench"])]
    path.write_text(page("Muggins: figures", [*told, *plots, table(head, body)]), "utf-8")


def _about(report: dict[str, Any]) -> Iterable[str]:
    on = report["machine"]
    yield f"{report['began']}; {on['processor']}, {on['cores']} cores; {on['system']}."
    yield f"Python {on['python']}; commit {on['commit']}."
    yield ", ".join(f"{name} {version}" for name, version in on["versions"].items() if version)
    if on["load"] and on["load"] > on["cores"]:
        yield f"The machine was busy ({on['load']} processes for {on['cores']} cores): these figures are not to be kept."
    yield from (f"{name}: skipped, {reason}" for name, reason in report["left_out"].items())
    yield from (f"{name}: failed. {reason}" for name, reason in report["failed"].items())


def page(title: str, parts: Iterable[str]) -> str:
    """A self-contained page."""
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html><html lang="en">{head}<h1>{html.escape(title)}</h1>\n' + "\n".join(parts) + "</html>\n"


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A table of text cells."""
    lines = [_line(head, "th"), *(_line(row, "td") for row in body)]
    return f"<table>{''.join(lines)}</table>"


def _line(cells: Sequence[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def new_plot(width: float, height: float) -> tuple[Any, Any]:
    """A figure of matplotlib and its axes; size in inches.

    Raises:
        SystemExit: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise SystemExit("Plots need the extra 'bench'. Install it with: pip install 'muggins[bench]'") from error
    figure = Figure((width, height), layout="constrained")
    return figure, figure.subplots()


def svg(figure: Any) -> str:
    """The plot as SVG to embed in a page."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg")
    text = drawn.getvalue()
    return text[text.index("<svg") :]


def _bars(bench: str, figures: Sequence[dict[str, Any]]) -> str:
    """Muggins, its rivals and its limit, each relative to Muggins: figures have different units."""
    bars = [(name, value / figure["value"]) for figure in figures for name, value in _beside(figure) if figure["value"]]
    figure, axes = new_plot(9, 0.8 + 0.28 * len(bars))
    colours = ["#2d6a4f" if name.endswith("Muggins") else "#bbbbbb" for name, _ in bars]
    axes.barh(range(len(bars)), [times for _, times in bars], color=colours)
    axes.set_yticks(range(len(bars)), [name for name, _ in bars], fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("times Muggins")
    return f"<h2>{html.escape(bench)}</h2>{svg(figure)}"


def _beside(figure: dict[str, Any]) -> Iterable[tuple[str, float]]:
    name = figure["name"].partition(": ")[2]
    yield f"{name} ({figure['value']:.3g} {figure['unit']}): Muggins", figure["value"]
    yield from figure["rivals"].items()
    if figure["limit"] is not None:
        yield "limit", figure["limit"]
