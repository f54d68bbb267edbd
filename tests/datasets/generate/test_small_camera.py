"""Windows of photos as a small camera sees them: whole dice alone, and as many as the answers say."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate import small_camera
from datasets.generate.small_camera import SIZE, Window, windows
from datasets.labels import truth
from vision.photo import load
from vision.reader import TableReader
from vision.reading import Die

SAMPLE = Path(__file__).parents[3] / "docs" / "sample-throw.jpg"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The windows of our sample photo, and of it with a wrong answer."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "dice-dev" / "images").mkdir(parents=True)
    values = [die.value for die in TableReader().read(load(SAMPLE)).dice]
    about = {"ambiguous": 0, "hard": False, "source": "ours", "same_camera_as_train": False}
    entries = [{"file": f"images/{name}.jpg", "d6": shown} | about for name, shown in (("a", values), ("b", [1]))]
    for entry in entries:
        shutil.copy(SAMPLE, folder / "dice-dev" / str(entry["file"]))
    (folder / "dice-dev" / "dev.json").write_text(json.dumps(entries))
    small_camera.main([str(folder), "--each", "8", "--out", str(folder / "out")])
    return folder / "out"


def test_only_a_photo_that_is_read_right_has_windows(written: Path) -> None:
    files = sorted(file.name for file in (written / "images").iterdir())
    assert len(files) == 8
    assert all(name.startswith("dice-dev_a_") for name in files)


def test_they_measure_like_the_photos_they_are_of(written: Path) -> None:
    truths = truth.load(written)
    assert len(truths) == 8
    assert any(each.dice for each in truths)
    for each in truths:
        picture = cv2.imread(str(each.path), cv2.IMREAD_COLOR)
        assert picture.shape == (SIZE[1], SIZE[0], 3)
        assert np.ptp(picture.astype(int), axis=2).max() <= 2, "grey"


def test_a_window_holds_whole_dice_and_cuts_none() -> None:
    corners = [(200.0, 300.0), (270.0, 310.0), (900.0, 500.0)]
    dice = [
        Die(k + 1, 1.0, (), ((x, y), (x + 50, y), (x + 50, y + 50), (x, y + 50)), "white")
        for k, (x, y) in enumerate(corners)
    ]
    grey = np.zeros((900, 1200), np.uint8)
    held = set()
    for seed in range(30):
        for window, values in windows(np.random.default_rng(seed), grey, dice, 3):
            inside = [window.holds(np.array([*np.min(die.box, 0), *np.max(die.box, 0)])) for die in dice]
            assert None not in inside
            assert values == sorted(die.value for die, whole in zip(dice, inside, strict=True) if whole)
            held.add(len(values))
    assert {0, 1, 2} <= held


@pytest.mark.parametrize(
    ("box", "held"), [((20, 20, 40, 40), True), ((155, 20, 175, 40), None), ((200, 20, 220, 40), False)]
)
def test_what_a_window_holds(box: tuple[int, ...], held: bool | None) -> None:
    assert Window(0, 0, 1.0).holds(np.array(box, float)) is held
