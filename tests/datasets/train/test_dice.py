"""Training the reader of dice: what batches hold, and three steps of it on forty crops."""

from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
import yaml

from datasets.generate.drawn.dice import D12, NOTHING, PIP
from datasets.labels import crop_files
from datasets.labels.crop_files import DRAWN, StoredCrop
from datasets.train import dice
from datasets.train.dice import Sampler
from datasets.train.dice_crops import MISTAKEN, STORE
from datasets.train.dice_views import _filmed, _half_shaded, _mirrored, harmed, moved, plain, tinted, varied
from datasets.train.learning import logits, tensor
from datasets.train.teachers import Opinions
from vision.classify.dice import CLASSES, SIDE

RECIPE = {
    "name": "dice", "batch": 8, "drawn": 0.5, "rate": 1e-3, "decay": 0.03, "warm_up": 0.1, "smoothing": 0.03,
    "steps": 3, "shares": {"mixed": 1.0, "nothing": 1.0, "mistaken": 2.0},
}  # fmt: skip


def crops(count: int, source: str, side: int, label: int | None = None, held_out: bool = False) -> list[StoredCrop]:
    rng = np.random.default_rng(1)
    noise = [rng.integers(0, 255, (side, side, 3), np.uint8) for _ in range(4)]
    return [
        StoredCrop.of(noise[k % 4], k % len(CLASSES) if label is None else label, source, held_out=held_out)
        for k in range(count)
    ]


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    (tmp_path / "drawn").mkdir()
    crop_files.write(tmp_path / "drawn" / "1-0.npz", crops(20, "drawn", DRAWN))
    return tmp_path / "drawn"


def test_the_recipe_names_the_classes_that_the_product_reads():
    for name in ("dice", "second"):
        recipe = yaml.safe_load(Path(f"datasets/recipes/{name}.yaml").read_text())
        assert tuple(recipe["classes"]) == CLASSES
        assert set(RECIPE) <= set(recipe)


@pytest.mark.parametrize("seed", range(12))
def test_views_are_pictures_of_the_input_size(seed: int):
    rng = np.random.default_rng(seed)
    for crop in (*crops(2, "drawn", DRAWN), *crops(2, "mixed", STORE)):
        for view in (varied(crop, rng), plain(crop), harmed(plain(crop), rng, 15.0), tinted(plain(crop), rng)):
            assert (view.shape, view.dtype) == ((SIDE, SIDE, 3), np.uint8)


def test_what_a_small_camera_films_is_coarse_and_keeps_its_place():
    pixels = np.full((SIDE, SIDE, 3), 40, np.uint8)
    pixels[:, SIDE // 2 :] = 220
    for seed in range(10):
        view = _filmed(pixels, np.random.default_rng(seed), 15.0).astype(int)
        assert view[:, 2 * SIDE // 3 :].mean() > view[:, : SIDE // 3].mean() + 30
        # One pixel of such a camera is two of the view at least: beside the edge nothing is as it was.
        assert 20 < view[:, SIDE // 2 - 1 : SIDE // 2 + 1].mean() - view[:, : SIDE // 3].mean() < 170


def test_half_a_die_may_lie_in_the_shade():
    image = np.full((SIDE, SIDE, 3), 200, np.float32)
    for seed in range(10):
        shaded = _half_shaded(image, np.random.default_rng(seed))
        assert shaded.max() > 190
        assert 40 < shaded.min() < 150
        assert image.min() == 200


def test_a_view_as_it_is_shows_the_crop_and_a_mirrored_one_its_mirror_image():
    pixels = np.zeros((SIDE, SIDE, 3), np.uint8)
    pixels[40:60, 10:30] = 200
    np.testing.assert_allclose(moved(pixels, 1.4), pixels, atol=2)
    np.testing.assert_allclose(moved(pixels, 1.4, mirrored=True), pixels[:, ::-1], atol=2)
    stored = np.zeros((STORE, STORE, 3), np.uint8)
    stored[80:120, 80:120] = 200
    ys, xs = np.nonzero(moved(stored, 2.4)[..., 0] > 100)
    wide = 40 / STORE * 2.4 / 1.4 * SIDE
    assert (np.ptp(xs) + 1, np.ptp(ys) + 1) == pytest.approx((wide, wide), abs=1.5)
    assert (xs.mean(), ys.mean()) == pytest.approx(((SIDE - 1) / 2,) * 2, abs=1)


def test_views_have_the_side_of_the_network_that_learns(drawn: Path):
    recipe = RECIPE | {"worse": 0.5}
    views, target = Sampler(crops(9, "mixed", STORE), [drawn], recipe, 128).batch(0, np.random.default_rng(4))
    assert (views.shape, views.dtype, target.shape) == ((8, 128, 128, 3), np.uint8, (8, len(CLASSES)))
    (crop,) = crops(1, "drawn", DRAWN)
    shown = plain(crop, 128).astype(int)
    assert np.abs(shown - moved(crop.pixels, 1.4, size=(128, 1.4))).max() == 0


def test_numerals_are_never_mirrored_and_pips_often():
    rng = np.random.default_rng(2)
    (numeral,), (pip,) = (crops(1, "drawn", 8, label) for label in (D12 + 5, PIP))
    assert not any(_mirrored(numeral, rng) for _ in range(50))
    assert 10 < sum(_mirrored(pip, rng) for _ in range(50)) < 40


def test_batches_have_their_shares_and_repeat_by_seed(drawn: Path):
    photos = [*crops(40, "mixed", STORE), *crops(5, MISTAKEN, STORE, NOTHING), *crops(5, "backgrounds", STORE, NOTHING)]
    first, again = (Sampler(photos, [drawn], RECIPE).batch(0, np.random.default_rng(3)) for _ in range(2))
    assert first[0].shape == (8, SIDE, SIDE, 3)
    np.testing.assert_array_equal(first[0], again[0])
    sampler = Sampler(photos, [drawn], RECIPE | {"drawn": 0.0})
    labels = np.concatenate([sampler.batch(k, np.random.default_rng(k))[1] for k in range(40)]).argmax(1)
    assert (labels == NOTHING).mean() == pytest.approx(0.75, abs=0.1)


def test_a_source_without_a_share_is_not_learned_from(drawn: Path):
    photos = [*crops(9, "unknown", STORE, PIP), *crops(9, "mixed", STORE, D12)]
    _, target = Sampler(photos, [], RECIPE).batch(0, np.random.default_rng(1))
    assert set(target.argmax(1).tolist()) == {D12}


def test_what_is_held_apart_is_not_learned_from():
    photos = [*crops(9, "mixed", STORE, PIP, held_out=True), *crops(9, "mixed", STORE, D12)]
    _, target = Sampler(photos, [], RECIPE).batch(0, np.random.default_rng(1))
    assert set(target.argmax(1).tolist()) == {D12}


def test_an_empty_folder_of_drawn_crops_says_what_makes_them(tmp_path: Path):
    sampler = Sampler([], [tmp_path], RECIPE)
    with pytest.raises(SystemExit, match="python -m datasets"):
        sampler.batch(0, np.random.default_rng(0))


def options(drawn: Path, cuts: Path, steps: int) -> Namespace:
    return Namespace(start="none", drawn=[drawn], cuts=cuts, threads=1, workers=0, steps=steps)


def small(_: object, side: int, classes: int):
    """A reader of dice of one layer, in the place of `dice_net.dice_net`."""
    import torch

    from datasets.train.dice_net import DiceNet

    body = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, stride=32, padding=1), torch.nn.BatchNorm2d(8))
    return DiceNet(body, side, classes, features=8)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_three_steps_on_forty_crops_and_on_from_the_checkpoint(drawn: Path, tmp_path: Path, monkeypatch):
    torch = pytest.importorskip("torch", reason="needs the train extra")
    pytest.importorskip("onnx", reason="needs the train extra")
    monkeypatch.setattr("datasets.train.dice_net.dice_net", small)
    cuts, out = tmp_path / "cuts.npz", tmp_path / "out"
    crop_files.write(cuts, [*crops(16, "mixed", STORE), *crops(4, "mixed", STORE, held_out=True)])
    out.mkdir()
    monkeypatch.setattr(dice, "_SAVED", 2)
    learning = dice.begin(RECIPE, "none", 3)
    sampler = Sampler(crops(16, "mixed", STORE), [drawn], RECIPE)
    before = learning.net.head[2].weight.clone()
    pixels, target = sampler.batch(0, np.random.default_rng(0))
    learning.learn(torch.nn.functional.cross_entropy(learning.answers(tensor(pixels)), torch.from_numpy(target)))
    assert not torch.equal(before, learning.net.head[2].weight)
    learning.keep(out / "last.pt")
    file = dice.train(RECIPE, [], out, options(drawn, cuts, 3))
    assert file.exists()
    assert not (out / "calibration.json").exists()
    monkeypatch.setattr(dice, "_FEWEST_APART", 4)
    dice.train(RECIPE, [], out, options(drawn, cuts, 3))
    assert (out / "calibration.json").exists()
    assert torch.load(out / "last.pt")["step"] == 3
    assert logits(learning.average, list(pixels[:3])).shape == (3, len(CLASSES))


def test_what_is_learned_of_a_crop_is_its_label_and_what_the_teachers_say_of_it(drawn: Path, tmp_path: Path):
    _, target = Sampler(crops(9, "mixed", STORE, PIP), [], RECIPE).batch(0, np.random.default_rng(1))
    assert target.sum(1) == pytest.approx(np.ones(8), abs=1e-5)
    assert target[:, PIP] == pytest.approx(np.full(8, 0.97 + 0.03 / len(CLASSES)))
    said = np.zeros((9, len(CLASSES)), np.float32)
    said[:, PIP], said[:, PIP + 1] = 0.6, 0.4
    recipe = RECIPE | {"taught": 0.5}
    _, target = Sampler(crops(9, "mixed", STORE, PIP), [], recipe, said=said).batch(0, np.random.default_rng(1))
    assert target[:, PIP + 1] == pytest.approx(np.full(8, 0.5 * 0.4 + 0.5 * 0.03 / len(CLASSES)))
    opinions = Opinions(tmp_path / "said")
    Sampler([], [drawn], recipe, opinions=opinions).batch(0, np.random.default_rng(1))
    assert np.load(tmp_path / "said" / "drawn-1-0.npy").shape == (20, len(CLASSES))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_a_network_that_is_taught_may_see_smaller_crops_than_its_teachers(drawn: Path, tmp_path: Path, monkeypatch):
    pytest.importorskip("torch", reason="needs the train extra")
    pytest.importorskip("onnx", reason="needs the train extra")
    import onnxruntime

    monkeypatch.setattr("datasets.train.dice_net.dice_net", small)
    file = dice.train(RECIPE | {"taught": 0.5, "side": 96}, [], tmp_path, options(drawn, tmp_path / "none.npz", 3))
    (given,) = onnxruntime.InferenceSession(file).get_inputs()
    assert given.shape[1:] == [3, 96, 96]
