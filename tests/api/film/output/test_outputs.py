from __future__ import annotations

import os
from pathlib import Path

import pytest

from api.film.output.outputs import InvalidOutput, Outputs


@pytest.mark.parametrize(
    ("option", "name"), [("record", "r.jsonl"), ("out", "o.mp4"), ("overlay", "o.webm"), ("subtitles", "s.srt")]
)
def test_a_folder_that_is_not_writable_is_told_before_watching(
    option: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = Outputs(**{option: tmp_path / name})  # type: ignore[arg-type]
    outputs.check(None, tmp_path / "events.jsonl", lambda _: False)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InvalidOutput, match=rf"--{option} .*: no permission to write to folder .*Choose another"):
        outputs.check(None, tmp_path / "events.jsonl", lambda _: False)


@pytest.mark.parametrize(
    ("option", "name"), [("record", "r.jsonl"), ("out", "o.mp4"), ("overlay", "o.webm"), ("subtitles", "s.srt")]
)
def test_one_command_at_a_time_makes_a_file(option: str, name: str, tmp_path: Path) -> None:
    outputs = Outputs(**{option: tmp_path / name})  # type: ignore[arg-type]
    other = Outputs(out=tmp_path / "other.mp4")
    with outputs.reserved(), other.reserved():
        with pytest.raises(InvalidOutput, match=f"{name}. Wait for it, or choose another"), outputs.reserved():
            pass
        with pytest.raises(InvalidOutput), outputs.reserved():
            pass
    with outputs.reserved():
        pass
    assert not list(tmp_path.iterdir())
