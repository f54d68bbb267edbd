"""Learning curves as an SVG picture: share of exact photos by the number of photos shown, with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from datasets.evaluate.statistics import wilson

_WIDE, _HIGH, _LEFT, _TOP, _KEY = 560, 360, 50, 20, 300
_INKS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933", "#882255", "#44aa99")
"""The palette of Okabe and Ito (2008), with a few additions."""
Rows = Sequence[Mapping[str, Any]]


def pooled(curves: Mapping[str, Rows]) -> dict[str, list[dict[str, Any]]]:
    """The curves merged by kind of set ("04 symbols" and "05 symbols" become "symbols"); sources keep their names."""
    groups: dict[str, list[Rows]] = defaultdict(list)
    for name, rows in curves.items():
        groups[name[3:] if name[:2].isdigit() else name].append(rows)
    return {name: [_together(each) for each in zip(*members, strict=False)] for name, members in groups.items()}


def _together(rows: Rows) -> dict[str, Any]:
    of = sum(row["photos"] for row in rows)
    exact = sum(row["exact"] * row["photos"] for row in rows) / of
    low, high = wilson(round(exact * of), of)
    return {
        "shown": rows[0]["shown"],
        "photos": of,
        "exact": round(exact, 4),
        "wilson_95": [round(low, 4), round(high, 4)],
    }


def svg(curves: Mapping[str, Rows], dashed: Mapping[str, Rows] | None = None) -> str:
    """The curves as a picture, without those that are exact everywhere. `dashed`: second curves with the same names."""
    shown = {name: rows for name, rows in curves.items() if min(row["exact"] for row in rows) < 1}
    most = max(row["shown"] for rows in shown.values() for row in rows)
    size = (_LEFT + _WIDE + _KEY, 2 * _TOP + _HIGH + 30)
    parts = [_axis(most)]
    parts += [_curve(rows, most, _INKS[at % len(_INKS)], at - len(shown) / 2) for at, rows in enumerate(shown.values())]
    second = [(at, (dashed or {}).get(name)) for at, name in enumerate(shown)]
    parts += [
        _curve(rows, most, _INKS[at % len(_INKS)], at - len(shown) / 2, dashed=True) for at, rows in second if rows
    ]
    if any(rows for _, rows in second):
        parts.append(_text_of_key("dashed: photos shown as asked for", len(shown)))
    parts += [_key(name, at, _INKS[at % len(_INKS)]) for at, name in enumerate(shown)]
    body = "\n".join(parts)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif" font-size="12">'
    return f'{head}\n<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'


def _x(shown: float, most: int) -> float:
    return round(_LEFT + 10 + (_WIDE - 20) * shown / most, 1)


def _y(exact: float) -> float:
    return round(_TOP + _HIGH * (1 - exact), 1)


def _axis(most: int) -> str:
    lines = [
        f'<line x1="{_LEFT}" x2="{_LEFT + _WIDE}" y1="{_y(k / 5)}" y2="{_y(k / 5)}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 8}" y="{_y(k / 5) + 4}" text-anchor="end">{20 * k} %</text>'
        for k in range(6)
    ]
    foot = _TOP + _HIGH + 18
    ticks = [
        f'<text x="{_x(n, most)}" y="{foot}" text-anchor="middle">{n}</text>' for n in (0, 1, 3, 5, 10) if n <= most
    ]
    title = f'<text x="{_LEFT + _WIDE / 2}" y="{foot + 18}" text-anchor="middle">photos shown; photos exact of the others</text>'
    return "\n".join([*lines, *ticks, title])


def _curve(rows: Rows, most: int, ink: str, aside: float, *, dashed: bool = False) -> str:
    points = [(_x(row["shown"], most) + round(aside, 1), row) for row in rows]
    path = " ".join(f"{x},{_y(row['exact'])}" for x, row in points)
    bars = [
        f'<line x1="{x}" x2="{x}" y1="{_y(row["wilson_95"][0])}" y2="{_y(row["wilson_95"][1])}" stroke="{ink}" opacity="0.5"/>'
        for x, row in points
    ]
    dashes = ' stroke-dasharray="6 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"{dashes}/>' + "".join(bars)


def _key(name: str, at: int, ink: str) -> str:
    x, y = _place(at)
    return f'<rect x="{x}" y="{y - 9}" width="12" height="10" fill="{ink}"/>{_text_of_key(name, at)}'


def _text_of_key(name: str, at: int) -> str:
    x, y = _place(at)
    text = name.replace("&", "&amp;").replace("<", "&lt;")[:44]
    return f'<text x="{x + 18}" y="{y}">{text}</text>'


def _place(at: int) -> tuple[int, int]:
    return _LEFT + _WIDE + 20, _TOP + 16 + 18 * at
