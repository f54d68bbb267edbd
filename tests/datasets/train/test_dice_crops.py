"""What the reader of dice learns from photos and scenes; detector and reader are made up."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate.drawn.dice import D12, NOTHING, OTHER, PIP
from datasets.labels import crop_files
from datasets.labels.crop_files import DRAWN
from datasets.labels.photos import Box, Labelled
from datasets.train.dice_crops import LOOK_ALIKE, MISTAKEN, STORE, class_of, cut, cut_scene, scene_crops, window
from vision.classify.dice import CLASSES
from vision.detect.boxes import Detection, Outline


class Finder:
    """Finds what it is told to."""

    def __init__(self, *boxes: tuple[float, float, float, float]) -> None:
        self.boxes = boxes

    def detect(self, picture):
        return [Detection(*box, 0.5) for box in self.boxes]


class Judge:
    """Takes everything for a die with this probability."""

    def __init__(self, die: float = 0.1) -> None:
        self.die = die

    def chances(self, crops):
        row = np.zeros(len(CLASSES))
        row[NOTHING], row[PIP] = 1 - self.die, self.die
        return np.tile(row, (len(crops), 1))


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "a.png"
    pixels = np.zeros((200, 300, 3), np.uint8)
    pixels[50:90, 100:140] = 255
    cv2.imwrite(str(path), pixels)
    return path


DIE = Box(100, 50, 140, 90, 4)


@pytest.mark.parametrize(
    ("box", "label"),
    [
        (DIE, PIP + 3),
        (Box(0, 0, 9, 9, 12, kind="d12"), D12 + 11),
        (Box(0, 0, 9, 9, None, kind="other die"), OTHER),
        (Box(0, 0, 9, 9, None, kind="domino"), NOTHING),
        (Box(0, 0, 9, 9, 0, kind="other"), NOTHING),
        (Box(0, 0, 9, 9, None), None),
    ],
)
def test_every_box_has_the_class_of_what_it_holds(box: Box, label: int | None):
    assert class_of(box) == label


def test_a_die_is_cut_in_its_own_box_and_in_the_detectors(photo: Path):
    found = list(cut(Labelled(photo, "mixed", (DIE,)), Finder((102, 52, 144, 94)), Judge()))
    assert [(crop.label, crop.source) for crop in found] == [(PIP + 3, "mixed")] * 2
    assert all(crop.pixels.shape == (STORE, STORE, 3) for crop in found)


@pytest.mark.parametrize(("die", "source"), [(0.1, "mixed"), (0.9, MISTAKEN)])
def test_what_is_found_in_vain_is_nothing_and_worse_where_the_reader_is_mistaken(photo: Path, die: float, source: str):
    found = list(cut(Labelled(photo, "mixed", (DIE,)), Finder((200, 100, 240, 140)), Judge(die)))
    assert [(crop.label, crop.source) for crop in found] == [(PIP + 3, "mixed"), (NOTHING, source)]


def test_what_was_drawn_to_pass_for_a_die_has_a_source_of_its_own(photo: Path):
    plug, tile = Box(100, 50, 140, 90, 0, kind="other"), Box(20, 20, 60, 40, None, kind="domino")
    (one, other) = cut(Labelled(photo, "renders", (plug, tile)), Finder(), Judge())
    assert [(crop.label, crop.source) for crop in (one, other)] == [(NOTHING, LOOK_ALIKE), (NOTHING, "renders")]


def test_where_dice_have_no_label_nothing_is_called_nothing(photo: Path):
    picture = Labelled(photo, "n3_fisheye_grey", (DIE,))
    assert [crop.label for crop in cut(picture, Finder((200, 100, 240, 140)), Judge())] == [PIP + 3]


def test_of_a_photo_of_another_die_the_find_is_that_die(photo: Path):
    picture = Labelled(photo, "negatives", (), shows="other die")
    assert [crop.label for crop in cut(picture, Finder((100, 50, 140, 90), (200, 0, 210, 10)), Judge())] == [OTHER]


def test_a_crop_is_a_die_without_looking_for_it(photo: Path):
    picture = Labelled(photo, "tomitomi3", (Box(0, 0, 300, 200, 2, True),), shows="crop")
    assert [crop.label for crop in cut(picture, Finder((0, 0, 20, 20)), Judge())] == [PIP + 1]


def test_crops_of_a_photo_held_apart_say_so(photo: Path):
    picture = Labelled(photo, "mixed", (DIE,), held_out=True)
    assert all(crop.held_out for crop in cut(picture, Finder((100, 50, 140, 90), (200, 0, 240, 40)), Judge(0.9)))


def test_a_window_has_the_box_in_its_middle_and_grey_outside_the_picture():
    pixels = np.zeros((100, 100, 3), np.uint8)
    pixels[0:20, 0:20] = 255
    view = window(pixels, Outline(0, 0, 20, 20), 2.0, 80)
    assert view.shape == (80, 80, 3)
    assert (view[25:55, 25:55] > 240).all()
    assert (view[:15, :15] == 114).all()
    assert (view[65:, 65:] == 0).all()


def scene(photo: Path, held_out: bool = False) -> Labelled:
    quad = ((150.0, 100.0), (230.0, 100.0), (230.0, 140.0), (150.0, 140.0))
    tile = Box(150, 100, 230, 140, None, kind="domino", ends=(1, 2), quad=quad)
    return Labelled(photo, "renders", (DIE, Box(10, 10, 50, 50, 7, kind="d12"), tile), held_out)


def test_of_a_scene_dice_are_dice_and_ends_of_tiles_are_none(photo: Path):
    found = [crop for seed in range(8) for crop in cut_scene(scene(photo), np.random.default_rng(seed))]
    assert {crop.pixels.shape for crop in found} == {(DRAWN, DRAWN, 3)}
    labels = [crop.label for crop in found]
    assert (labels.count(PIP + 3), labels.count(D12 + 6)) == (8, 16)
    assert 3 < labels.count(NOTHING) < 16


def test_scenes_are_cut_once_and_those_held_apart_never(photo: Path, tmp_path: Path):
    scene_crops([scene(photo), scene(photo, held_out=True)], tmp_path / "out")
    first = [crop.label for file in (tmp_path / "out").glob("*.npz") for crop in crop_files.read(file)]
    assert first.count(PIP + 3) == 1
    scene_crops([], tmp_path / "out")
    assert [crop.label for file in (tmp_path / "out").glob("*.npz") for crop in crop_files.read(file)] == first


@pytest.mark.parametrize(("source", "found"), [("renders", [PIP + 3]), ("mixed", [PIP + 3, PIP + 3])])
def test_dice_of_scenes_that_nobody_could_read_are_left_out(photo: Path, source: str, found: list[int]):
    picture = Labelled(photo, source, (DIE, Box(200, 50, 208, 58, 4)), False)
    assert [crop.label for crop in cut(picture, Finder(), Judge())] == found
