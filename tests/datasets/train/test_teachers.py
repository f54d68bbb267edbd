"""What the shipped readers say of drawn dice, and what another one learns of it."""

from pathlib import Path

import numpy as np
import pytest

from datasets.generate.drawn.dice import NOTHING, PIP, draw_class
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.train.teachers import Opinions, Teachers, targets
from vision.classify.dice import CLASSES

LABELS = np.array([PIP, PIP + 2, PIP + 4, PIP + 5] * 3)
ROWS = np.arange(len(LABELS))


@pytest.fixture(scope="module")
def crops() -> list[StoredCrop]:
    drawn = [draw_class(np.random.default_rng(k), int(label))[0] for k, label in enumerate(LABELS)]
    return [StoredCrop.of(pixels, int(label)) for pixels, label in zip(drawn, LABELS, strict=True)]


@pytest.fixture(scope="module")
def said(crops: list[StoredCrop]) -> np.ndarray:
    return Teachers().chances(crops)


def test_teachers_know_most_drawn_dice(said: np.ndarray):
    assert said.shape == (len(LABELS), len(CLASSES))
    assert said.sum(1) == pytest.approx(np.ones(len(LABELS)), abs=1e-5)
    assert (said.argmax(1) == LABELS).mean() > 0.7


def test_of_what_they_know_a_share_is_learned_and_of_the_rest_the_label_alone(said: np.ndarray):
    share, smoothing = 0.5, 0.1
    known = said[ROWS, LABELS] > 0.3
    learned = targets(LABELS, said, share, smoothing)
    assert learned.sum(1) == pytest.approx(np.ones(len(LABELS)), abs=1e-5)
    hard = 1 - smoothing + smoothing / len(CLASSES)
    expected = np.where(known, share * said[ROWS, LABELS] + (1 - share) * hard, hard)
    assert learned[ROWS, LABELS] == pytest.approx(expected, abs=1e-5)
    assert known.any()


def test_a_label_that_they_deny_is_learned_all_the_same(said: np.ndarray):
    smoothing = 0.1
    denied = said[:, NOTHING] <= 0.3
    learned = targets(np.full(len(LABELS), NOTHING), said, 0.5, smoothing)
    assert denied.sum() > len(LABELS) / 2
    assert learned[denied, NOTHING] == pytest.approx(1 - smoothing + smoothing / len(CLASSES), abs=1e-6)


def test_they_are_asked_about_the_crops_of_a_file_once(crops: list[StoredCrop], said: np.ndarray, tmp_path: Path):
    file = tmp_path / "drawn" / "1-0.npz"
    file.parent.mkdir()
    crop_files.write(file, crops)
    opinions = Opinions(tmp_path / "said")
    first = opinions.of(file, crops)
    assert first == pytest.approx(said, abs=1e-5)
    np.save(tmp_path / "said" / "drawn-1-0.npy", first / 2)
    assert opinions.of(file, crops) == pytest.approx(first / 2)
    # Another file of the same name, and several processes.
    assert opinions.of(tmp_path / "cuts" / "1-0.npz", crops, 2) == pytest.approx(said, abs=1e-5)
