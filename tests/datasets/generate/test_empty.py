"""Drawn pictures without a piece."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.generate.empty import __main__ as empty
from datasets.generate.empty.boards import boards
from datasets.generate.empty.cards import cards
from datasets.generate.empty.circuits import circuits
from datasets.generate.empty.cutouts import cutouts
from datasets.generate.empty.phones import phones
from datasets.generate.empty.rows import rows
from datasets.generate.empty.specks import specks
from datasets.labels import photos

GREY = np.full((300, 400, 3), 120, np.uint8)
KINDS = {
    "boards": lambda rng: boards(rng, GREY),
    "cards": lambda rng: cards(rng, GREY),
    "circuits": lambda rng: circuits(rng, 300),
    "phones": lambda rng: phones(rng, GREY),
    "rows": lambda rng: rows(rng, GREY),
    "specks": lambda rng: specks(rng, 300),
}


@pytest.fixture
def grounds(tmp_path: Path) -> Path:
    folder = tmp_path / "photos" / "ours"
    folder.mkdir(parents=True)
    for i in range(20):
        cv2.imwrite(str(folder / f"{i}.jpg"), np.full((300, 400, 3), 10 * i, np.uint8))
    return tmp_path / "photos"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_differs_by_its_seed_alone(kind: str):
    first, again, other = (KINDS[kind](np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.dtype == np.uint8
    assert first.shape[2] == 3
    assert (first == again).all()
    assert (first != other).any()


def test_a_card_shows_its_signs_in_red_or_black_on_white():
    seen = np.concatenate([cards(np.random.default_rng(seed), GREY).reshape(-1, 3) for seed in range(12)]).astype(int)
    assert (seen.min(1) > 215).mean() > 0.02
    assert ((seen[:, 0] > 150) & (seen[:, 1:].max(1) < 90)).any()
    assert (seen.max(1) < 40).any()


def test_a_tray_is_dark_but_for_few_specks():
    for seed in range(8):
        light = specks(np.random.default_rng(seed), 300).max(2)
        assert np.median(light) < 130
        assert (light > np.median(light) + 35).any()


def test_pictures_are_labelled_as_empty_and_an_interrupted_run_goes_on(grounds: Path, tmp_path: Path):
    out = tmp_path / "out"
    empty.main(["--backgrounds", str(grounds), "--count", "5", "--seed", "7", "--out", str(out)])
    pictures = photos.load(None, [out])
    assert [len(picture.boxes) for picture in pictures] == [0] * 5
    label = out / "labels" / "7_000003.json"
    told = json.loads(label.read_text())
    image = out / "images" / "7_000003.jpg"
    height, width = cv2.imread(str(image)).shape[:2]
    assert told == {"width": width, "height": height, "pieces": []}
    before, kept = image.read_bytes(), (out / "images" / "7_000001.jpg").stat().st_mtime_ns
    label.unlink()
    empty.main(["--backgrounds", str(grounds), "--count", "5", "--seed", "7", "--out", str(out)])
    assert image.read_bytes() == before
    assert (out / "images" / "7_000001.jpg").stat().st_mtime_ns == kept


@pytest.fixture
def things(tmp_path: Path) -> Path:
    """Forty pictures of a red disc on nothing."""
    folder = tmp_path / "things"
    folder.mkdir()
    disc = np.zeros((80, 80, 4), np.uint8)
    cv2.circle(disc, (40, 40), 38, (0, 0, 255, 255), -1)
    for i in range(40):
        cv2.imwrite(str(folder / f"{i}.png"), disc)
    return folder


def test_cutouts_are_strewn_over_the_picture_and_keep_their_colours(things: Path):
    first, again, other = (cutouts(np.random.default_rng(seed), GREY, sorted(things.iterdir())) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    red = (first[..., 0] > 140) & (first[..., 1:].max(2) < 20)
    assert 0.005 < red.mean() < 0.9


def test_a_cutout_without_transparency_is_passed_over(tmp_path: Path):
    opaque = tmp_path / "opaque.png"
    cv2.imwrite(str(opaque), np.zeros((80, 80, 3), np.uint8))
    assert (cutouts(np.random.default_rng(1), GREY, [opaque]) == GREY).all()


def test_only_the_kinds_that_are_named_are_drawn(grounds: Path, things: Path, tmp_path: Path):
    out = tmp_path / "out"
    where = ["--backgrounds", str(grounds), "--cutouts", str(things), "--out", str(out)]
    empty.main([*where, "--kinds", "cutouts", "--count", "4"])
    pictures = [cv2.imread(str(path)).astype(int) for path in sorted((out / "images").iterdir())]
    assert len(pictures) == 4
    # The photos are grey.
    assert all((np.ptp(picture, axis=2) > 60).any() for picture in pictures)


def test_what_is_kept_for_measuring_is_used_only_apart(grounds: Path, things: Path):
    parser = empty._options
    common = [
        "--backgrounds",
        str(grounds),
        "--cutouts",
        str(things),
        "--kinds",
        "cutouts",
        "--count",
        "1",
        "--out",
        "x",
    ]
    learned, measured = (set(empty._things(parser([*common, *more]))) for more in ([], ["--apart"]))
    assert learned | measured == set(things.iterdir())
    assert not learned & measured
    assert 3 < len(measured) < len(learned)
    photos_learned, photos_measured = (set(photos.backgrounds(grounds, apart=apart)) for apart in (False, True))
    assert photos_learned | photos_measured == set(grounds.rglob("*.jpg"))
    assert photos_measured
    assert not photos_learned & photos_measured


def test_cutouts_without_a_folder_of_them_are_refused(grounds: Path, tmp_path: Path):
    with pytest.raises(SystemExit, match="needs --cutouts"):
        empty.main(
            ["--backgrounds", str(grounds), "--kinds", "cutouts", "--count", "1", "--out", str(tmp_path / "out")]
        )


def test_without_photos_to_lie_on_it_says_so(tmp_path: Path):
    with pytest.raises(SystemExit, match="no photos for things"):
        empty.main(["--backgrounds", str(tmp_path), "--count", "1", "--out", str(tmp_path / "out")])
