from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.cli.report.photos import Read, Unread, read_one
from api.extras import EXTRAS, MissingExtra
from api.files.addresses import AddressError, is_address, photos_named
from api.interpret.score_request import ScoreRequest
from vision.reader import TableReader

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed (the extra 's3')")


@pytest.fixture
def store(throw: bytes) -> Iterator[str]:
    """An address at which throws lie, in memory."""
    files = fsspec.filesystem("memory")
    for name in ("b.jpg", "a.jpg", "deep/c.JPG", "notes.txt", ".hidden.jpg"):
        files.pipe(f"/throws/{name}", throw)
    yield "memory://throws"
    files.rm("/throws", recursive=True)


@pytest.fixture(autouse=True)
def memory_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "s3", ("fsspec",))


def test_what_is_an_address() -> None:
    assert all(map(is_address, ("s3://bucket/a.jpg", "memory://a", "https://example.org/a.jpg")))
    assert not any(map(is_address, ("a.jpg", "C:\\photos\\a.jpg", "./s3/x", "-", "a:b.jpg")))


def test_folders_patterns_and_photos_at_addresses(store: str) -> None:
    everything = ["memory:///throws/a.jpg", "memory:///throws/b.jpg", "memory:///throws/deep/c.JPG"]
    assert photos_named([store]) == everything
    assert photos_named([f"{store}/*.jpg", f"{store}/a.jpg"])[:2] == everything[:2]
    assert photos_named([f"{store}/none.jpg"]) == [f"{store}/none.jpg"], "to be reported as missing"


def test_files_folders_and_patterns(tmp_path: Path) -> None:
    for name in ("a.jpg", "b.jpg", "deep/c.jpg", "deep/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    photos = [str(tmp_path / name) for name in ("a.jpg", "b.jpg", "deep/c.jpg")]
    assert photos_named([photos[1], str(tmp_path)]) == [photos[1], *photos]
    assert photos_named([f"{tmp_path}/**"]) == photos
    assert photos_named([f"{tmp_path}/*"]) == photos, "a pattern may fit folders"
    assert photos_named([f"{tmp_path}/*.gif"]) == [f"{tmp_path}/*.gif"], "to be reported as missing"


def test_a_name_with_brackets_is_a_file_first(tmp_path: Path) -> None:
    (tmp_path / "[1].jpg").touch()
    assert photos_named([f"{tmp_path}/[1].jpg"]) == [f"{tmp_path}/[1].jpg"]


def test_a_photo_at_an_address_is_read_and_a_missing_one_is_said(store: str, throw: bytes) -> None:
    reader, request = TableReader(), ScoreRequest()
    read = read_one(reader, f"{store}/a.jpg", request)
    assert isinstance(read, Read)
    assert read.answer.reading.photo == f"{store}/a.jpg"
    assert (read.answer.reading.width, read.answer.reading.height) == (960, 640)
    missing = read_one(reader, f"{store}/none.jpg", request)
    assert isinstance(missing, Unread)
    assert missing.error.code == "not-found"


def test_an_unknown_kind_of_address_is_said() -> None:
    with pytest.raises(AddressError, match="Cannot read from carrier-pigeon://"):
        photos_named(["carrier-pigeon://coop/a.jpg"])


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "s3", ("s3fs_that_is_not_installed",))
    with pytest.raises(MissingExtra, match=r"pip install 'muggins\[s3\]'"):
        photos_named(["s3://bucket"])
