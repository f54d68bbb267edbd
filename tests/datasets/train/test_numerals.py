"""What the reader of numerals learns from."""

import json
from argparse import Namespace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate.drawn.dice import D12, NOTHING, OTHER
from datasets.labels import crop_files
from datasets.labels.crop_files import DRAWN, StoredCrop
from datasets.train import numerals
from datasets.train.numerals import Crops, varied
from vision.classify.dice import MARGIN
from vision.classify.numerals import SIZES

INPUT, AROUND = SIZES["d12"]

RECIPE = {
    "name": "d12",
    "classes": ["other", *map(str, range(1, 13))],
    "widths": [4, 4, 4, 4],
    "middle": 5,
    "steps": 20,
    "batch": 4,
    "rate": 0.001,
    "smoothing": 0.02,
    "other": 0.2,
    "rendered": 0.2,
}


def marked(side: float) -> np.ndarray:
    """A black crop with a white square of so many pixels in its middle."""
    pixels = np.zeros((DRAWN, DRAWN, 3), np.uint8)
    low, high = round((DRAWN - side) / 2), round((DRAWN + side) / 2)
    cv2.rectangle(pixels, (low, low), (high, high), (255, 255, 255), -1)
    return pixels


def some(times: int = 4) -> list[StoredCrop]:
    labels = [NOTHING, OTHER, *range(D12, D12 + 12)] * times
    return [StoredCrop.of(marked(40 + label), label) for label in labels]


def test_what_is_no_die_and_dice_with_pips_are_left_out():
    crops = Crops([*some(), StoredCrop.of(marked(9), D12 - 1)])
    assert crops.told == "50 crops to train on, 2 held apart"
    _, answers = crops.batch(200, 0.25, 0)
    assert set(answers.tolist()) == set(range(13))
    assert 30 < (answers == 0).sum() < 70


def test_of_rendered_dice_which_are_cut_twice_none_is_held_apart():
    crops = Crops(some(), some(3))
    assert crops.told == f"{50 + 39} crops to train on, 2 held apart"


def test_a_share_of_a_step_is_rendered_where_there_are_renders_of_the_value():
    crops = Crops(some(), [StoredCrop.of(marked(DRAWN), D12)])
    for rendered in (0.0, 1.0):
        pixels, answers = crops.batch(400, 0.0, 5, rendered=rendered)
        bright = (pixels > 128).any(-1).mean((1, 2))
        assert np.median(bright[answers == 2]) < 0.5
        assert bool(np.median(bright[answers == 1]) > 0.5) == (rendered == 1.0)


def test_a_step_has_the_same_crops_whenever_it_is_made():
    crops = Crops(some())
    (first, answers), (again, same) = crops.batch(8, 0.1, 3), crops.batch(8, 0.1, 3)
    assert np.array_equal(first, again)
    assert np.array_equal(answers, same)
    assert first.shape == (8, INPUT, INPUT, 3)


def test_a_value_without_a_crop_is_told():
    with pytest.raises(SystemExit, match=r"python -m datasets\.generate\.drawn"):
        Crops([crop for crop in some() if crop.label != D12 + 4])


def test_a_die_is_as_large_as_the_product_cuts_it():
    # A box of 80 of 112 pixels at a margin of 1.4 is the whole of the box: 64 of 80 at 1.25.
    areas = [(varied(marked(DRAWN / MARGIN), np.random.default_rng(k)) > 128).any(-1).mean() for k in range(40)]
    assert np.median(areas) == pytest.approx(1 / AROUND**2, rel=0.12)


def test_what_is_up_stays_up():
    # Of a die seen at a slant only that tells the top from the sides.
    pixels = np.zeros((DRAWN, DRAWN, 3), np.uint8)
    cv2.circle(pixels, (DRAWN // 2, DRAWN // 4), 8, (255, 255, 255), -1)
    for k in range(60):
        grey = varied(pixels, np.random.default_rng(k)).astype(float).mean(-1)
        odd = cv2.GaussianBlur(np.abs(grey - np.median(grey)), (0, 0), 4)  # the mark, in whatever colours
        x, y = np.unravel_index(odd.argmax(), odd.shape)[::-1]
        assert abs(x - INPUT / 2) < INPUT / 4 - 4
        assert y < INPUT / 2 - 8


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_twenty_steps_and_nothing_left_to_do_after_them(tmp_path: Path):
    torch = pytest.importorskip("torch", reason="needs the train extra")
    pytest.importorskip("onnx", reason="needs the train extra")
    crop_files.write(tmp_path / "a.npz", some())
    options = Namespace(start=None, drawn=[tmp_path], threads=1, workers=1, steps=None)
    file = numerals.train(RECIPE, [], tmp_path, options)
    assert file.exists()
    assert json.loads((tmp_path / "calibration.json").read_text())["others"] == RECIPE["other"]
    assert torch.load(tmp_path / "last.pt")["step"] == RECIPE["steps"]
    assert numerals.train(RECIPE, [], tmp_path, options) == file


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_the_larger_reader_learns_from_crops_of_its_own_size(tmp_path: Path):
    pytest.importorskip("torch", reason="needs the train extra")
    pytest.importorskip("onnx", reason="needs the train extra")
    pytest.importorskip("efficientnet_lite_pytorch", reason="needs the train extra")
    import onnxruntime

    crop_files.write(tmp_path / "a.npz", some())
    options = Namespace(start=None, drawn=[tmp_path], threads=1, workers=1, steps=1)
    file = numerals.train(RECIPE | {"name": "numerals", "body": "lite", "whole": True}, [], tmp_path, options)
    session = onnxruntime.InferenceSession(file)
    side = SIZES["numerals"][0]
    (said,) = session.run(None, {"crops": np.zeros((2, 3, side, side), np.float32)})
    assert said.shape == (2, 13)
