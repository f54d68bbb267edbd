"""What every variant of the reader of dice is trained on, and how it takes the place of the installed one."""

from pathlib import Path

import numpy as np

from datasets.evaluate.ablate_dice import KindsFromDetector, in_place_of_dice, variants
from datasets.generate.drawn.dice import FIRST, NOTHING
from datasets.labels.crop_files import StoredCrop
from datasets.train.dice_crops import MISTAKEN
from models import load_manifest
from vision import photo
from vision.classify.low_view import LowView
from vision.classify.second import pooled
from vision.reader import TableReader

SAMPLE = Path(__file__).parents[3] / "docs" / "sample-throw.jpg"


def crop(label: int, source: str) -> StoredCrop:
    return StoredCrop.of(np.full((8, 8, 3), 90, np.uint8), label, source)


def test_variants_differ_in_one_thing() -> None:
    photos = [crop(FIRST["d6"], "mixed"), crop(NOTHING, "mixed"), crop(NOTHING, MISTAKEN)]
    backgrounds = [crop(NOTHING, "backgrounds"), crop(NOTHING, MISTAKEN)]
    drawn, plain = Path("drawn"), Path("plain")
    made = variants(photos, backgrounds, drawn, plain)
    full = made.pop("all crops")
    assert full.crops == [*photos, *backgrounds]
    assert full.drawn == [drawn]
    again = made.pop("all crops, in other batches")
    assert (again.crops, again.drawn) == (full.crops, full.drawn)
    assert again.seed != full.seed
    undrawn = made.pop("without drawn crops")
    assert undrawn.crops == full.crops
    assert undrawn.drawn == []
    unmined = made.pop("without mining")
    assert unmined.crops == photos[:1]
    assert unmined.drawn == [drawn]
    ungrounded = made.pop("without backgrounds")
    assert ungrounded.crops == photos
    assert ungrounded.drawn == [plain]
    assert not made


def test_only_the_reader_of_dice_is_replaced_and_no_second_opinion_counts(tmp_path: Path) -> None:
    file = tmp_path / "dice.onnx"
    file.write_bytes(b"another network")
    before = load_manifest()
    after = in_place_of_dice(before, file, {"temperature": 1.5})
    after["dice"].check()
    after["second"].check()
    assert after["dice"].path == file
    assert after["dice"].calibration == {**before["dice"].calibration, "temperature": 1.5}
    assert [model for model in after.models if model.name not in ("dice", "second")] == [
        model for model in before.models if model.name not in ("dice", "second")
    ]
    assert (
        LowView.load(after["dice"]).chances(np.ones((3, len(LowView.load(before["dice"]).weights)), np.float32)).max()
        < 1e-9
    )
    weights = after["second"].calibration
    mine, others = np.array([[0.2, 0.8]]), np.array([[0.9, 0.1]])
    assert np.allclose(pooled(mine, others, weights["first"], weights["own"]), mine)


def test_the_class_of_the_detector_decides_of_which_kind_a_die_may_be(monkeypatch) -> None:
    """Pip dice are read as before where its classes say so, and not at all where they all say twelve-sided."""
    table = photo.load(SAMPLE)
    plainly, reader = TableReader(load_manifest()), KindsFromDetector(load_manifest())
    seen = [(die.kind, die.value) for die in plainly.read(table).dice]
    assert seen
    assert {kind for kind, _ in seen} == {"d6"}
    assert [(die.kind, die.value) for die in reader.read(table).dice] == seen
    monkeypatch.setattr(KindsFromDetector, "_kinds_of", lambda self, photo, dice: ["d12"] * len(dice))
    assert all(die.kind == "d12" for die in reader.read(table).dice)
