"""`python -m bench`: one run of a cheap bench, what it writes, and how two runs are compared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.__main__ import gathered
from bench.compare import compare, rank_chance, ratio_interval
from bench.growth import Growth, Point, exponent
from bench.machine import machine
from bench.page import write_page
from bench.suite import BENCHES, ROOT, Bench, Figure
from bench.tables import as_markdown, put_between_marks

SAME, SLOWER = [10.0, 10.2, 9.9, 10.1, 10.3], [13.0, 13.3, 12.9, 13.1, 13.2]


def report(samples: list[float], *, more_is_better: bool = False, **others: Any) -> dict[str, Any]:
    """Of a run with one figure."""
    bench = Bench("toy", "a toy", lambda told: iter(()))
    figures = [[Figure("way", each, "ms", more_is_better, {"rival": 30.0}, 5.0)] for each in samples]
    told = {"machine": machine(), "began": "today", "left_out": {}, "failed": {}, "figures": gathered(bench, figures)}
    return {**told, **others}


def test_the_median_of_the_repeats_is_told_with_all_of_them() -> None:
    (figure,) = report(SAME)["figures"]
    assert (figure["value"], figure["samples"], figure["rivals"], figure["limit"]) == (10.1, SAME, {"rival": 30.0}, 5.0)


def test_a_change_is_told_and_noise_is_not() -> None:
    (worse,) = compare(report(SAME), report(SLOWER))
    assert (worse.sure, worse.verdict) == (True, "slower or larger")
    assert worse.low > 1.2
    assert worse.high < 1.4
    (same,) = compare(report(SAME), report([10.2, 9.8, 10.1, 10.0, 10.4]))
    assert (same.sure, same.verdict) == (False, "as before")


def test_more_hands_a_second_are_better() -> None:
    (better,) = compare(report(SAME, more_is_better=True), report(SLOWER, more_is_better=True))
    assert better.verdict == "faster or smaller"


def test_too_few_repeats_decide_nothing() -> None:
    (change,) = compare(report(SAME[:4]), report(SLOWER))
    assert not change.sure
    assert "too few repeats" in change.verdict


def test_the_rank_sum_test_is_that_of_the_books() -> None:
    # Five before all five others: two of the 252 ways to choose five of ten are as uneven.
    assert rank_chance(SAME, SLOWER) == pytest.approx(2 / 252)
    assert rank_chance(SAME, SAME) == pytest.approx(1.0)
    # 1, 3 and 4 of six: sums of ranks as far from 10.5 as 8 are 6, 7, 8, 13, 14 and 15, and come up in 8 of 20 ways.
    assert rank_chance([1, 3, 4], [2, 5, 6]) == pytest.approx(8 / 20)


def test_of_runs_that_are_alike_hardly_one_in_a_hundred_is_called_changed() -> None:
    random = Random(5)
    runs = [[[random.gauss(10, 1) for _ in range(5)] for _ in range(2)] for _ in range(1000)]
    assert sum(rank_chance(old, new) < 0.01 for old, new in runs) < 25


def test_the_interval_holds_the_true_ratio() -> None:
    low, high = ratio_interval([9, 10, 11] * 5, [18, 20, 22] * 5)
    assert low <= 2 <= high
    assert high - low < 0.6


def test_the_page_is_one_file_with_everything_in_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra 'bench')")
    left_out = {"watch": "no <film> here"}
    write_page(report(SAME, left_out=left_out, failed={"pages": "it broke"}), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<svg") == 1
    for told in ("toy: way", "rival 30", "no &lt;film&gt; here", "it broke", machine()["python"]):
        assert told in page
    assert "src=" not in page, "nothing is fetched"


def test_the_table_stands_between_its_marks(tmp_path: Path) -> None:
    document = tmp_path / "speed.md"
    document.write_text("before\n<!-- bench -->\nold\n<!-- /bench -->\nafter\n")
    put_between_marks(document, as_markdown(report(SAME)))
    text = document.read_text()
    assert "old" not in text
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "| toy: way | 10.1 | ms | rival 30 | 5 | 2.02 |" in text
    document.write_text("no marks")
    with pytest.raises(SystemExit, match="Add them where it shall stand"):
        put_between_marks(document, "table")


@pytest.mark.parametrize("name", [name for name in BENCHES if (ROOT / f"bench/{name}.json").exists()])
def test_the_figures_of_every_bench_are_in_what_it_writes(name: str) -> None:
    figures = list(BENCHES[name].figures(json.loads((ROOT / f"bench/{name}.json").read_text())))
    assert figures
    assert len({figure.name for figure in figures}) == len(figures)
    assert all(figure.value > 0 for figure in figures)


def test_every_bench_is_a_program_that_says_where_to_write() -> None:
    for name in BENCHES:
        assert '"--out"' in (ROOT / f"bench/{name}.py").read_text(), name


def test_other_forms_of_the_detector_are_given_to_those_who_measure_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Torch weights only where ultralytics is installed."""
    networks = {"--pt": tmp_path / "last.pt", "--exported": tmp_path / "detector.onnx"}
    for there in (True, False):
        monkeypatch.setattr("bench.suite.find_spec", lambda _, there=there: there or None)
        told = {name: each.command(tmp_path, tmp_path, quick=True, networks=networks) for name, each in BENCHES.items()}
        given = {option: {name for name, command in told.items() if option in command} for option in networks}
        assert given == {"--pt": {"read", "pieces"} if there else set(), "--exported": {"read"}}


def test_a_photo_is_told_beside_the_exported_network_where_it_was_measured() -> None:
    told = json.loads((ROOT / "bench/read.json").read_text())
    ways = {name: {**way, "median_of_exported": 1.2} for name, way in told["ways"].items()}
    with_it = {each.name: each.value for each in BENCHES["read"].figures({**told, "ways": ways})}
    assert with_it["a photo over one decode and the exported network"] == 1.2


def bench(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.slow
def test_a_quick_run_of_a_cheap_bench(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (the extra 'bench')")
    done = bench("--quick", "--only", "score,race,read", "--out", tmp_path / "all")
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "all.json").read_text())
    assert {figure["bench"] for figure in told["figures"]} == {"score"}
    assert told["left_out"] == {"race": "takes long, left out of --quick", "read": "needs --photos FOLDER"}
    assert told["machine"]["versions"]["numpy"]
    assert "score: total" in done.stdout
    assert "<svg" in (tmp_path / "all.html").read_text()
    again = bench("--report", tmp_path / "all.json", "--compare", tmp_path / "all.json")
    assert "too few repeats" in again.stdout


def test_an_unknown_bench_is_named_with_those_that_there_are() -> None:
    done = bench("--only", "speed")
    assert done.returncode == 2
    assert "no bench speed; there are read," in done.stderr


def test_the_exponent_of_what_grows_as_a_power_is_found() -> None:
    for power in (0.0, 1.0, 2.0):
        points = tuple(Point(size, 3 * size**power) for size in (1, 10, 100, 1000))
        assert exponent(points) == pytest.approx(power, abs=1e-9)
        assert Growth("toy", "toys", points).linear == (power < 2)
        assert Growth("toy", "toys", points, each=True).linear == (power < 1)


def test_a_fixed_cost_does_not_hide_the_growth_behind_it() -> None:
    points = tuple(Point(size, 1 + (size / 100) ** 2) for size in (1, 10, 100, 1000, 10_000))
    assert Growth("toy", "toys", points).exponent > 1.8
