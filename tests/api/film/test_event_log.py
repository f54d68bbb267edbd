import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from api.film.event_log import EndLine, EventLog, EventLogError, LogHeader, WrongEventLog
from tests.api.film.films import roll
from vision.watch.events import Change, Roll

HEADING = LogHeader("a.mp4", "abc", (160, 120), 2.0, 0.0, None, 1, "2026-11-21T20:15:00+00:00", {"muggins": "0.1.0"})
FIRST = (Change("settled", 3, 0.3), roll(1, 3, (1, 2)), Change("counted", 4, 0.4))
SECOND = (roll(2, 9, (5,), (2,)),)


def keep(path: Path, *more: tuple[Change | Roll, ...], done: EndLine | None = None) -> None:
    with closing(EventLog.create(path, HEADING)) as events:
        for each in more:
            events.add(each)
        if done:
            events.end(done)


def read(path: Path) -> EventLog:
    with closing(EventLog.open(path)) as events:
        return events


def fits(log: LogHeader, run: LogHeader) -> bool:
    return not any(log.differences(run))


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    keep(tmp_path / "e.jsonl", FIRST, (), SECOND, done=EndLine(20, 6))
    again = read(tmp_path / "e.jsonl")
    assert (again.header, again.events, again.done) == (HEADING, [*FIRST, *SECOND], EndLine(20, 6))
    assert [each.number for each in again.rolls] == [1, 2]


def test_events_of_other_pieces_are_other_events() -> None:
    assert not fits(HEADING, replace(HEADING, kinds=("d6",)))
    assert LogHeader.from_json(json.loads(json.dumps(replace(HEADING, kinds=("d6",)).to_json()))).kinds == ("d6",)


def test_every_event_is_a_documented_line_as_soon_as_it_is_found(tmp_path: Path) -> None:
    keep(tmp_path / "e.jsonl", FIRST)
    lines = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    assert [line["type"] for line in lines] == ["source", "state", "roll", "state"]
    assert lines[2]["thrown"] == [1, 2]
    assert (lines[2]["frame"], lines[2]["time"]) == (3, 0.3)


@pytest.mark.parametrize(
    "left", [b"", b'{"type": "sta', b'{"type": "state", "state": "rolling", "frame": 7, "time": 0.7}\n']
)
def test_an_interrupted_file_goes_on_after_its_last_roll(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "e.jsonl"
    keep(path, FIRST)
    before = path.read_bytes()
    path.write_bytes(before + left)
    with closing(EventLog.open(path)) as again:
        assert (tuple(again.events), again.done, path.read_bytes()) == (FIRST, None, before)
        again.add(SECOND)
    assert read(path).events == [*FIRST, *SECOND]


def test_what_was_found_before_any_roll_is_looked_for_again(tmp_path: Path) -> None:
    keep(tmp_path / "e.jsonl", (Change("rolling", 2, 0.2),))
    assert read(tmp_path / "e.jsonl").events == []


@pytest.mark.parametrize(
    "text", ["", "no events\n", '{"type": "other"}\n', '{"type": "source", "format": 99}\n', "[]\n"]
)
def test_another_file_is_refused_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "mine.txt").write_text(text)
    with pytest.raises(WrongEventLog, match="Choose another file"):
        read(path)
    assert path.read_text() == text


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    keep(tmp_path / "e.jsonl", FIRST)
    with pytest.raises(EventLogError, match="Cannot create"):
        EventLog.create(tmp_path / "e.jsonl", HEADING)


def test_the_same_source_fits_whatever_its_name_and_another_part_of_it_does_not() -> None:
    assert fits(HEADING, replace(HEADING, source="b.mp4", begun="later"))
    assert not fits(HEADING, replace(HEADING, start=1.0))
    assert not fits(HEADING, replace(HEADING, mark="other"))


def test_a_log_made_with_other_profiles_or_networks_is_another_one() -> None:
    first = replace(HEADING, versions={"muggins": "0.1.0", "dice": "aa", "profile cats": "bb"})
    assert fits(first, replace(first, versions={**first.versions, "muggins": "0.2.0"}))
    without = {"muggins": "0.1.0", "dice": "aa"}
    for versions, differs in (
        (without, "other profiles"),
        ({**without, "profile cats": "cc"}, "other profiles"),
        ({**first.versions, "dice": "dd"}, "other networks"),
        ({**first.versions, "ends": "ee"}, "other networks"),
    ):
        assert list(first.differences(replace(first, versions=versions))) == [differs]


def test_a_log_that_names_no_networks_goes_on_with_any() -> None:
    named = replace(HEADING, versions={"muggins": "0.2.0", "dice": "aa"})
    assert fits(HEADING, named)
    assert not fits(HEADING, replace(named, versions={**named.versions, "profile cats": "bb"}))


def test_of_what_is_watched_to_its_end_other_networks_see_nothing_more() -> None:
    first = replace(HEADING, versions={"muggins": "0.1.0", "dice": "aa", "profile cats": "bb"})
    assert not list(first.differences(replace(first, versions={**first.versions, "dice": "dd"}), complete=True))
    other = replace(first, versions={"muggins": "0.1.0", "dice": "aa"})
    assert list(first.differences(other, complete=True)) == ["other profiles"]


def test_all_that_differs_is_named() -> None:
    other = replace(HEADING, mark="other", start=1.0, every=2, kinds=("d6",))
    assert list(HEADING.differences(other)) == [
        "another source",
        "another part",
        "another --every",
        "other kinds of pieces",
    ]
