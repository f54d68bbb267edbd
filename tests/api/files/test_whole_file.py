from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from api.files import private_file, whole_file
from tests.api.settling import steps_of


def write(path: Path, text: str) -> None:
    with whole_file.replacing(path) as part:
        part.write_text(text)


def fail_halfway(path: Path) -> None:
    with whole_file.replacing(path) as part:
        part.write_text("half")
        raise ZeroDivisionError


def test_a_file_is_on_disk_before_it_takes_the_place_and_its_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "a.txt").write_text("old")
    assert steps_of(lambda: write(path, "new"), monkeypatch) == [".part", "rename", "folder"]
    assert path.read_text() == "new"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_the_old_file_stays_when_the_new_one_is_not_finished(tmp_path: Path) -> None:
    (path := tmp_path / "a.txt").write_text("old")
    with pytest.raises(ZeroDivisionError):
        fail_halfway(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_the_old_file_stays_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (path := tmp_path / "a.txt").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    for replace in (write, lambda file, text: private_file.replace(file, text.encode())):
        with pytest.raises(OSError, match="No space left"):
            replace(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_disk_that_cannot_sync_folders_is_no_reason_to_refuse_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def on_such_a_disk(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", on_such_a_disk)
    write(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="of POSIX permissions")
def test_a_private_file_is_for_its_owner_alone_and_settled_as_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new" / "key"
    assert steps_of(lambda: private_file.replace(path, b"one"), monkeypatch) == [".part", "rename", "folder"]
    assert steps_of(lambda: private_file.make(path.with_name("other"), b"two"), monkeypatch) == [".part", "folder"]
    private_file.make(path, b"late")
    assert path.read_bytes() == b"one"
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    assert sorted(file.name for file in path.parent.iterdir()) == ["key", "other"]
