"""What tells marks apart learns from."""

from argparse import Namespace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate.drawn.marked_sets import SIDES, VIEWS, MarkedPiece
from datasets.labels import crop_files
from datasets.labels.crop_files import StoredCrop
from datasets.train import marks
from datasets.train.marks import Sets
from vision.classify.marks import SIDE

RECIPE = {
    "name": "marks",
    "widths": [4, 4, 8, 8],
    "middle": 5,
    "size": 8,
    "steps": 40,
    "sets": 3,
    "rate": 0.01,
    "temperature": 0.2,
}


def crop(piece: MarkedPiece, side: int, view: int) -> StoredCrop:
    """A crop with as many stripes as its side has, a little brighter in each view."""
    pixels = np.full((112, 112, 3), 20 + 3 * view, np.uint8)
    for i in range(side + 1):
        cv2.rectangle(pixels, (36 + 7 * i, 36), (38 + 7 * i, 76), (250, 250, 250), -1)
    return StoredCrop.of(pixels, side, piece)


def some(piece: MarkedPiece, sets: int) -> list[StoredCrop]:
    return [crop(piece, side, view) for _ in range(sets) for side in range(SIDES[piece]) for view in range(VIEWS)]


def write(folder: Path, dice: int, tiles: int) -> None:
    crop_files.write(folder / "1-00000.npz", some("die", dice))
    crop_files.write(folder / "1-00001.npz", some("tile", tiles))


def test_a_batch_has_two_crops_of_each_side_of_whole_sets(tmp_path: Path) -> None:
    write(tmp_path, 7, 7)
    sets = Sets.read([tmp_path])
    assert (len(sets.train), len(sets.apart)) == (12, 2)
    batch, of = sets.batch(12, 7)
    assert batch.shape == (2 * (6 * SIDES["die"] + 6 * SIDES["tile"]), SIDE, SIDE, 3)
    assert sorted(np.unique(of, return_counts=True)[1]) == [2 * SIDES["die"]] * 6 + [2 * SIDES["tile"]] * 6
    assert np.array_equal(batch, sets.batch(12, 7)[0])


def test_too_few_sets_are_told(tmp_path: Path) -> None:
    crop_files.write(tmp_path / "1-00000.npz", some("die", 1))
    with pytest.raises(SystemExit, match="marked_sets"):
        Sets.read([tmp_path])


def test_the_loss_is_least_where_both_crops_of_a_side_lie_together() -> None:
    torch = pytest.importorskip("torch")
    points, of = torch.eye(12).repeat_interleave(2, 0), torch.arange(24) // 12
    together, apart = (marks.loss(each, of, 0.1) for each in (points, points.roll(1, 0)))
    assert float(together) < 0.1 < float(apart)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_training_learns_and_exports(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    import onnxruntime

    write(tmp_path, 8, 6)
    options = Namespace(drawn=[tmp_path], start=None, steps=None, threads=1, workers=1)
    file = marks.train(RECIPE, [], tmp_path, options)
    (points,) = onnxruntime.InferenceSession(file).run(None, {"crops": np.zeros((2, 3, SIDE, SIDE), np.float32)})
    assert points.shape == (2, 8)
