from pathlib import Path

import pytest

from api.files.photo_paths import check_no_folder, gather
from vision.photo import PhotoError


def touch(folder: Path, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def test_a_folder_is_walked_in_sorted_order_and_files_are_taken_as_they_are(tmp_path: Path) -> None:
    touch(tmp_path, "b.JPG", "a.heic", "c/d.png", "notes.txt", "clip.mov")
    named = [str(tmp_path), "no-such-file", "-"]
    expected = [str(tmp_path / name) for name in ("a.heic", "b.JPG", "c/d.png")]
    assert gather(named) == [*expected, "no-such-file", "-"]


def test_pictures_that_are_not_read_are_named_rather_than_passed_over(tmp_path: Path) -> None:
    touch(tmp_path, "scan.pdf", "old.tif")
    assert gather([str(tmp_path)]) == [str(tmp_path / "old.tif"), str(tmp_path / "scan.pdf")]


def test_hidden_files_and_the_folder_of_annotated_copies_are_passed_over(tmp_path: Path) -> None:
    touch(tmp_path, "._a.jpg", ".thumbnails/a.jpg", "out/a-read.jpg", "a.jpg")
    assert gather([str(tmp_path)], skip=tmp_path / "out") == [str(tmp_path / "a.jpg")]
    assert gather([str(tmp_path / "out")], skip=tmp_path / "out") == [str(tmp_path / "out" / "a-read.jpg")]


def test_a_link_back_to_the_folder_does_not_walk_for_ever(tmp_path: Path) -> None:
    touch(tmp_path, "a.jpg")
    (tmp_path / "again").symlink_to(tmp_path)
    assert gather([str(tmp_path)]) == [str(tmp_path / "a.jpg")]


def test_a_folder_without_photos_stays_in_the_list_and_is_refused_in_words(tmp_path: Path) -> None:
    touch(tmp_path, "labels/a.txt")
    assert gather([str(tmp_path)]) == [str(tmp_path)]
    with pytest.raises(PhotoError, match=r"No photos in this folder.*\.jpg") as refused:
        check_no_folder(str(tmp_path))
    assert refused.value.code == "not-a-file"


def test_a_folder_named_like_a_photo_is_looked_into_or_named(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").mkdir()
    touch(tmp_path, "album.jpg/a.png")
    assert gather([str(tmp_path)]) == [str(tmp_path / "album.jpg" / "a.png"), str(tmp_path / "empty.jpg")]
