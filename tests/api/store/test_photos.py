"""Photos come back as they were put, or not at all."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from api.store import Missing, StoreError
from api.store.photos import FolderPhotos
from tests.api.settling import steps_of
from tests.api.store.place import Place

DATA = b"bytes of a photo" * 1000
NAME = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def photos(tmp_path: Path) -> FolderPhotos:
    return FolderPhotos(tmp_path / "photos")


def file_of(photos: FolderPhotos) -> Path:
    return photos.folder / NAME[:2] / f"{NAME}.bin"


def test_a_photo_is_named_by_its_bytes(photos: FolderPhotos) -> None:
    assert not photos.has(NAME)
    assert photos.put(DATA) == NAME
    assert file_of(photos).read_bytes() == DATA
    assert photos.has(NAME)
    assert FolderPhotos(photos.folder).get(NAME) == DATA


def test_the_same_photo_many_times_at_once_is_one_file(photos: FolderPhotos) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(photos.put, [DATA] * 32)) == {NAME}
    assert [file for file in photos.folder.rglob("*") if file.is_file()] == [file_of(photos)]


def test_no_bytes_are_a_file_too(photos: FolderPhotos) -> None:
    assert photos.get(photos.put(b"")) == b""


@pytest.mark.parametrize("damaged", [b"", DATA[:-1], DATA.replace(b"photo", b"phony", 1)])
def test_damage_is_noticed_and_mended_by_the_photo_itself(photos: FolderPhotos, damaged: bytes) -> None:
    photos.put(DATA)
    file_of(photos).write_bytes(damaged)
    with pytest.raises(StoreError, match=NAME) as noticed:
        photos.get(NAME)
    assert noticed.value.code == "photo-damaged"
    photos.put(DATA)
    assert photos.get(NAME) == DATA


@pytest.mark.parametrize("name", ["", NAME[:-1], NAME.upper(), f"{NAME}\n", f"../{NAME}", "/etc/passwd", "a\0b"])
def test_a_name_that_is_none_is_missing_and_leads_nowhere(photos: FolderPhotos, name: str) -> None:
    photos.put(DATA)
    assert not photos.has(name)
    with pytest.raises(Missing):
        photos.get(name)


def test_nothing_half_written_stays_when_the_disk_is_full(
    photos: FolderPhotos, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left") as refused:
        photos.put(DATA)
    assert refused.value.code == "disk-full"
    assert not photos.has(NAME)
    assert [file for file in photos.folder.rglob("*") if file.is_file()] == []


def test_a_photo_is_settled_in_order_file_then_name_then_folder(
    photos: FolderPhotos, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert steps_of(lambda: photos.put(DATA), monkeypatch) == [".part", "rename", "folder", "folder"]


# In the database


def test_on_postgresql_every_server_has_every_photo(shared: Place, tmp_path: Path) -> None:
    one, other = shared.open(), Place(shared.url, tmp_path / "of another computer").open()
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda at: (one, other)[at % 2].photos.put(DATA), range(16))) == {NAME}
    assert (other.photos.get(NAME), other.photos.has(NAME), [*other.photos.names()]) == (DATA, True, [NAME])
    assert not one.photos.has("0" * 64)
    for name in ("0" * 64, "a\0b", ""):
        with pytest.raises(Missing):
            one.photos.get(name)
    other.close()


def test_damage_in_the_database_is_noticed_and_mended_by_the_photo_itself(shared: Place) -> None:
    store = shared.open()
    store.photos.put(DATA)
    shared.sql("UPDATE photos SET data = :other", other=DATA[:-1])
    with pytest.raises(StoreError, match=NAME) as noticed:
        store.photos.get(NAME)
    assert noticed.value.code == "photo-damaged"
    store.photos.put(DATA)
    assert store.photos.get(NAME) == DATA


def test_photos_that_an_earlier_version_kept_in_the_folder_are_there_still(shared: Place) -> None:
    FolderPhotos(shared.folder / "photos").put(DATA)
    store = shared.open()
    new = store.photos.put(b"another")
    assert (store.photos.has(NAME), store.photos.get(NAME)) == (True, DATA)
    assert {*store.photos.names()} == {NAME, new}
    store.photos.put(DATA)
    assert sorted(store.photos.names()) == sorted([NAME, new])
