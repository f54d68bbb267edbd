from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from api.cli.batch.output import OutputError, output
from tests.api.cli.batch.photos import read, unread
from tests.api.settling import steps_of

pytest.importorskip("pyarrow", reason="pyarrow is not installed (the extra 'parquet')")

from pyarrow import parquet

KINDS = ["results.jsonl", "results.parquet"]


def written(path: Path, names: Iterable[str], settings: str = "one") -> None:
    with output(path, settings) as kept:
        for name in names:
            if name not in kept:
                kept.add(unread(name))


def held(path: Path) -> list[str]:
    if path.suffix == ".parquet":
        return [str(name) for name in parquet.read_table(path).column("photo").to_pylist()]
    return [json.loads(line)["photo"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_run_adds_only_what_is_missing(kind: str, tmp_path: Path) -> None:
    written(tmp_path / kind, ["a", "b"])
    written(tmp_path / kind, ["a", "c", "b", "d"])
    assert held(tmp_path / kind) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("kind", KINDS)
def test_photos_that_could_not_be_read_are_tried_again_and_have_one_result(kind: str, tmp_path: Path) -> None:
    path = tmp_path / kind
    written(path, ["a", "b", "c"])
    with output(path, "one") as kept:
        kept.retry(["b", "a", "new"])
        assert [name in kept for name in "abc"] == [False, False, True]
        kept.add(read("a"))
        kept.add(unread("b"))
    assert sorted(held(path)) == ["a", "b", "c"]
    with output(path, "one") as kept:
        kept.retry(["a", "b"])
        assert [name in kept for name in "abc"] == [True, False, True]
        kept.add(read("b"))
    assert sorted(held(path)) == ["a", "b", "c"]
    assert {file.name for file in tmp_path.rglob("*.unfinished")} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_done_is_kept_when_a_run_fails(kind: str, tmp_path: Path) -> None:
    def failing() -> Iterator[str]:
        yield "a"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        written(tmp_path / kind, failing())
    assert held(tmp_path / kind) == ["a"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_fails_before_any_result_leaves_nothing_new(kind: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), output(tmp_path / kind, "one"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    written(tmp_path / kind, ["a"])
    with pytest.raises(RuntimeError), output(tmp_path / kind, "one"):
        raise RuntimeError
    assert held(tmp_path / kind) == ["a"]


@pytest.mark.parametrize("kind", KINDS)
def test_results_of_other_settings_are_not_mixed(kind: str, tmp_path: Path) -> None:
    written(tmp_path / kind, ["a"])
    with pytest.raises(OutputError, match="other rules, profiles or networks"):
        written(tmp_path / kind, ["b"], "two")
    assert held(tmp_path / kind) == ["a"]


@pytest.mark.parametrize("kind", KINDS)
def test_two_runs_at_once_are_refused(kind: str, tmp_path: Path) -> None:
    with output(tmp_path / kind, "one"), pytest.raises(OutputError, match="Another command"):
        written(tmp_path / kind, ["a"])


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder in which nobody can make a file")
def test_a_place_that_takes_no_files_is_not_called_in_use() -> None:
    with (
        pytest.raises(OutputError, match=r"^Cannot write /proc/results\.jsonl: "),
        output(Path("/proc/results.jsonl"), "one"),
    ):
        pass


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_that_is_no_text_is_kept_and_known_again(kind: str, tmp_path: Path) -> None:
    written(tmp_path / kind, ["\udcff.jpg"])
    written(tmp_path / kind, ["\udcff.jpg"])
    assert len(held(tmp_path / kind)) == 1


def test_a_line_that_was_cut_off_is_removed_and_its_photo_read_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    written(path, ["a", "b"])
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    written(path, ["a", "b"])
    assert path.read_bytes() == whole


@pytest.mark.parametrize("text", ["dear diary\nand so on\n", "dear diary", '{"my": "data", "rows": [1, 2, 3]}'])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(text)
    with pytest.raises(OutputError, match=r"Line 1 of .*notes\.jsonl is no result"):
        written(path, ["a"])
    assert path.read_text() == text


def test_the_first_line_may_be_cut_off_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    written(path, ["a"])
    whole = path.read_bytes()
    for length in (1, 5, 12, len(whole) - 1):
        path.write_bytes(whole[:length])
        written(path, ["a"])
        assert path.read_bytes() == whole


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    written(path, ["a"])
    (part,) = path.glob("part-*")
    part.write_bytes(b"PAR1")
    with pytest.raises(OutputError, match=f"{part.name} is damaged"):
        written(path, ["a"])


def test_a_part_that_was_not_finished_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    path.mkdir()
    (path / "part-000001.unfinished").write_bytes(b"PAR1")
    written(path, ["a"])
    assert held(path) == ["a"]


@pytest.mark.parametrize("kind", KINDS)
def test_results_that_take_the_place_of_others_are_on_disk_first(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / kind, ["a", "b"])
    with output(tmp_path / kind, "one") as kept:
        assert steps_of(lambda: kept.retry(["a"]), monkeypatch) == [".unfinished", "rename", "folder"]


def test_errors_are_rows_with_their_code(tmp_path: Path) -> None:
    written(tmp_path / "results.parquet", ["a"])
    (row,) = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert (row["photo"], row["error"], row["seconds"], row["dice"]) == ("a", "not-found", 0.5, [])
    assert json.loads(row["json"])["error"]["code"] == "not-found"


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"\.jsonl or \.parquet, got results\.csv"):
        written(tmp_path / "results.csv", ["a"])


def test_a_file_where_the_folder_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"file is no folder\. Choose another\."):
        written(tmp_path / "file" / "results.jsonl", ["a"])
