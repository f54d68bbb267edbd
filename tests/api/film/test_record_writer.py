from __future__ import annotations

from pathlib import Path

import pytest

from api.files.record_file import RecordFile
from api.film.record_writer import RecordWriter
from scorer.engine.record import Header, Record
from scorer.games.registry import game_named
from tests.api.settling import steps_of

BEGUN = "2026-11-21T20:15:00+00:00"


def test_a_record_is_on_disk_once_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record.begin(Header("crib-dice", game_named("crib-dice").rules(), ("Ann", "Ben"), BEGUN))
    writer = RecordWriter(tmp_path / "r.jsonl", BEGUN, force=False)
    assert steps_of(lambda: writer.keep(record), monkeypatch) == [".part", "rename", "folder"]
    assert RecordFile.open(tmp_path / "r.jsonl").record.text == record.text
