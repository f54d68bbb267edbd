import stat
from pathlib import Path

import pytest
from PIL import Image

from api.files.new_picture import PictureFileError, keep

PICTURE = Image.new("RGB", (8, 8), "red")


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    (tmp_path / "throw-read.jpg").write_bytes(b"mine")
    assert keep(PICTURE, tmp_path, "a/throw.jpg") == tmp_path / "throw-read-2.jpg"
    assert keep(PICTURE, tmp_path, "b/throw.png") == tmp_path / "throw-read-3.jpg"
    assert (tmp_path / "throw-read.jpg").read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("photo", "kept"), [("-", "photo-read.jpg"), ("x/.jpg", "jpg-read.jpg"), ("ü ö.heic", "ü ö-read.jpg")]
)
def test_every_photo_gets_a_sensible_name(tmp_path: Path, photo: str, kept: str) -> None:
    assert keep(PICTURE, tmp_path / "new" / "folder", photo).name == kept


def test_the_picture_is_whole_and_readable_like_any_new_file(tmp_path: Path) -> None:
    kept = keep(PICTURE, tmp_path, "throw.jpg")
    (tmp_path / "other").touch()
    assert stat.S_IMODE(kept.stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)
    with Image.open(kept) as picture:
        assert picture.size == (8, 8)


def test_nothing_is_left_behind_when_writing_fails(tmp_path: Path) -> None:
    with pytest.raises(PictureFileError, match="Cannot write"):
        keep(Image.new("RGBA", (8, 8)), tmp_path, "throw.jpg")  # a JPEG holds no alpha: Pillow raises OSError
    assert list(tmp_path.iterdir()) == []


def test_a_file_where_the_folder_should_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(PictureFileError, match=r"Cannot write a picture to .*out: it is no folder"):
        keep(PICTURE, tmp_path / "out", "throw.jpg")
