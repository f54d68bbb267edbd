"""Learning curves: sets of a kind pooled, and drawn with their intervals."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from datasets.evaluate.curves import pooled, svg


def rows(*exact: float) -> list[dict[str, object]]:
    return [
        {"shown": n, "photos": 20, "exact": e, "wilson_95": [e / 2, (1 + e) / 2]}
        for n, e in zip((0, 1, 3), exact, strict=True)
    ]


CURVES = {"04 symbols": rows(0.0, 0.2, 0.6), "05 symbols": rows(0.2, 0.4, 0.8), "dice-dev: a & b": rows(1.0, 1.0, 1.0)}


def test_sets_of_a_kind_are_one_curve() -> None:
    together = pooled(CURVES)
    assert list(together) == ["symbols", "dice-dev: a & b"]
    assert [row["exact"] for row in together["symbols"]] == pytest.approx([0.1, 0.3, 0.7])
    assert [row["photos"] for row in together["symbols"]] == [40] * 3
    low, high = together["symbols"][2]["wilson_95"]
    assert 0.5 < low < 0.7 < high < 0.85


def test_the_picture_has_a_line_and_bars_for_each_curve_that_is_not_right_everywhere() -> None:
    picture = ET.fromstring(svg({**pooled(CURVES), "c & d": rows(0.5, 0.6, 0.7)}))
    names = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "symbols" in names
    assert "c & d" in names
    assert "dice-dev: a & b" not in names
    lines = list(picture.iter("{http://www.w3.org/2000/svg}polyline"))
    assert len(lines) == 2
    assert not any("stroke-dasharray" in line.attrib for line in lines)
    heights = [float(point.split(",")[1]) for point in lines[0].attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)


def test_second_curves_are_dashed_and_named_in_the_key() -> None:
    second = {"symbols": rows(0.1, 0.5, 0.9), "elsewhere": rows(0.1, 0.2, 0.3)}
    picture = ET.fromstring(svg(pooled(CURVES), second))
    lines = list(picture.iter("{http://www.w3.org/2000/svg}polyline"))
    assert ["stroke-dasharray" in line.attrib for line in lines] == [False, True]
    assert lines[0].attrib["stroke"] == lines[1].attrib["stroke"]
    names = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "dashed: photos shown as asked for" in names
