import json
import os
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from datasets.evaluate.sets import SETS, find
from datasets.labels.truth import UnknownFolderError

SHARED = Path(os.environ.get("MUGGINS_PHOTOS", Path(__file__).parents[4] / "shared" / "photos"))


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder of photos with one of dice, and single tiles, ten of each of two values."""
    folder = tmp_path / "photos"
    (folder / "dice-dev").mkdir(parents=True)
    entry = {"file": "a.jpg", "d6": [1], "ambiguous": 0, "hard": False, "source": "s", "same_camera_as_train": False}
    (folder / "dice-dev" / "dev.json").write_text(json.dumps([entry]))
    (folder / "domino-dev").mkdir()
    (folder / "domino-dev" / "board.json").write_text("[]")
    for name in ("0x0", "6x3"):
        (folder / "domino-dev" / "crops" / name).mkdir(parents=True)
        for i in range(10):
            Image.new("RGB", (10, 10)).save(folder / "domino-dev" / "crops" / name / f"{i}.png")
    return folder


def rendered(folder: Path) -> Path:
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True)
    Image.new("RGB", (10, 10)).save(folder / "images" / "1.jpg")
    (folder / "labels" / "1.json").write_text(json.dumps({"pieces": []}))
    return folder


def test_the_sets_that_the_folder_of_photos_holds(photos: Path, capsys: pytest.CaptureFixture[str]):
    assert [(each.name, len(each.truths), each.whole) for each in find(photos)] == [
        ("dice-dev", 1, True),
        ("domino-dev", 20, True),
    ]
    assert "has no dice-dev-2, d12-crops, d12-dev, backgrounds: left out" in capsys.readouterr().err


def test_a_single_set(photos: Path, capsys: pytest.CaptureFixture[str]):
    assert [each.name for each in find(photos / "domino-dev" / "crops")] == ["crops"]
    assert not capsys.readouterr().err


def test_renders_are_a_set_of_their_own_name(photos: Path, tmp_path: Path):
    assert [each.name for each in find(photos, rendered(tmp_path / "seed99"))] == ["dice-dev", "domino-dev", "renders"]


def test_only_some(photos: Path):
    assert [each.name for each in find(photos, only=["dice-dev"])] == ["dice-dev"]
    (part,) = find(photos, only=["domino-dev/crops"])
    assert (part.name, len(part.truths), part.whole) == ("domino-dev", 20, True)


@pytest.mark.parametrize(
    ("only", "message"), [("dice", "No set is called dice"), ("domino-dev/x", "no part domino-dev/x")]
)
def test_what_is_not_there(photos: Path, only: str, message: str):
    with pytest.raises(UnknownFolderError, match=message):
        find(photos, only=[only])


def test_only_the_large_sets_of_crops_are_thinned(photos: Path):
    dice, tiles = find(photos, every=5)
    assert (len(dice.truths), dice.whole) == (1, True)
    assert not tiles.whole
    assert Counter(truth.pieces[0].face for truth in tiles.truths) == {(0, 0): 2, (3, 6): 2}


def test_every_set_of_the_shared_photos_is_known():
    if not (SHARED / "dice-dev-2").is_dir():
        pytest.skip(f"the measuring photos are not here: {SHARED} (set MUGGINS_PHOTOS)")
    found = {each.name: each.truths for each in find(SHARED)}
    assert tuple(found) == SETS
    assert Counter(truth.part for truth in found["d12-dev"]) == {
        "plain": 12,
        "plain, cut out": 12,
        "ornamental": 18,
        "other dice": 75,
    }
    assert sum(not truth.same_camera_as_train for truth in found["dice-dev-2"]) == 54
    assert 150 < len(found["backgrounds"]) < 300
    assert all(truth.path.is_file() for truths in found.values() for truth in truths)
