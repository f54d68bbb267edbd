"""What the chances of the reader of dice say, and how crops are cut."""

import numpy as np
import pytest

from vision.classify.dice import CLASSES, MARGIN, SIDE, crop, face_of, softmax
from vision.detect.boxes import Detection


def chances(**given: float) -> np.ndarray:
    """Chances of `CLASSES` by name, `_` for a blank; what is not given is shared out evenly."""
    named = {name.replace("_", " "): chance for name, chance in given.items()}
    rest = (1 - sum(named.values())) / (len(CLASSES) - len(named))
    return np.array([named.get(name, rest) for name in CLASSES])


def test_a_die_with_pips_is_read_and_the_chance_that_it_is_none_is_what_is_left():
    face = face_of(chances(pip_5=0.8, pip_6=0.1, nothing=0.05, other=0.03))
    assert (face.kind, face.ranked[0][0], face.ranked[1][0]) == ("d6", 5, 6)
    assert sum(face.values) == pytest.approx(1)
    assert face.other == pytest.approx(0.1, abs=0.02)


def test_a_twelve_sided_die_has_twelve_values():
    face = face_of(chances(d12_11=0.9))
    assert (face.kind, face.ranked[0][0], len(face.values)) == ("d12", 11, 12)


def test_in_a_game_of_pip_dice_a_twelve_sided_die_is_another_die():
    face = face_of(chances(d12_11=0.9, pip_1=0.02), ("d6",))
    assert face.kind == "d6"
    assert face.other > 0.9


def test_chances_add_up_however_large_the_logits_are():
    assert softmax(np.array([[1000.0, 999.0], [-5.0, 5.0]], np.float32)).sum(1) == pytest.approx([1, 1])


def test_a_crop_shows_the_box_with_its_margin_in_the_middle():
    picture = np.zeros((400, 400, 3), np.uint8)
    picture[150:250, 150:250] = 255
    cut = crop(picture, Detection(150, 150, 250, 250, 0.9), (1.0, 0.0))
    assert cut.shape == (SIDE, SIDE, 3)
    across = (cut[SIDE // 2, :, 0] > 128).sum()
    assert across == pytest.approx(SIDE / MARGIN, abs=2)


def test_what_lies_outside_the_picture_is_grey():
    cut = crop(np.zeros((100, 100, 3), np.uint8), Detection(0, 0, 50, 50, 0.9), (1.0, 0.0))
    assert cut[0, 0].tolist() == [114, 114, 114]
    assert cut[-1, -1].tolist() == [0, 0, 0]
