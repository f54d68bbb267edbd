import json
import pickle
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import models


def test_every_network_is_sound():
    assert [(model.name, ok, reason) for model, ok, reason in models.verify()] == [
        (name, True, "")
        for name in ("d12", "detector", "dice", "ends", "marks", "numerals", "outlines", "pairs", "second", "witness")
    ]


def test_together_they_stay_below_25_mb():
    assert sum(model.path.stat().st_size for model in models.load_manifest().models) < 25_000_000


def test_size_in_manifest_is_the_file_s():
    for model in models.load_manifest().models:
        assert model.size_bytes == model.path.stat().st_size


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    dice = models.load_manifest()["dice"]
    shutil.copy(dice.path, tmp_path / dice.file)
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    dice.check()
    damaged = bytearray(dice.path.read_bytes())
    damaged[1000] ^= 1
    dice.path.write_bytes(damaged)
    with pytest.raises(models.ModelError, match="Install Muggins again") as caught:
        dice.check()
    assert caught.value.code == "model-damaged"


def test_a_missing_file_is_named():
    with pytest.raises(models.ModelError, match=r"nowhere\.onnx") as caught:
        replace(models.load_manifest()["dice"], file="nowhere.onnx").check()
    assert caught.value.code == "model-missing"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.message, str(again)) == ("model-missing", caught.value.message, caught.value.message)


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "model-missing"), ("{", "model-damaged"), ("{}", "model-damaged"), ('{"models": [{}]}', "model-damaged")],
)
def test_a_bad_manifest_is_a_model_error(tmp_path: Path, content: str | None, code: str):
    path = tmp_path / "manifest.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(models.ModelError) as caught:
        models.load_manifest(path)
    assert caught.value.code == code


def test_an_unknown_name_is_a_model_error(tmp_path: Path):
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"models": []}))
    with pytest.raises(models.ModelError, match="'dice'"):
        models.load_manifest(path)["dice"]
