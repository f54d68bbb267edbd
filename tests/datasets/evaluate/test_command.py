import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from datasets.evaluate import __main__ as command
from datasets.evaluate.report import card_with, overview, tables
from models import FOLDER, ModelError

DOCS = Path(__file__).parents[3] / "docs"
CARD = "a\n<!-- results dice-dev -->\n<!-- /results dice-dev -->\nb"


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of photos: two renders of the documentation, as a set with dice and as one that is said to hold nothing."""
    folder = tmp_path_factory.mktemp("photos")
    dice, empty = folder / "dice-dev", folder / "backgrounds"
    dice.mkdir()
    shutil.copy(DOCS / "sample-throw.jpg", dice / "a.jpg")
    entry = {"d6": [1, 1, 1], "ambiguous": 0, "hard": False, "source": "s", "same_camera_as_train": False}
    (dice / "dev.json").write_text(json.dumps([{**entry, "file": "a.jpg"}]))
    (empty / "source").mkdir(parents=True)
    # A name that the hash keeps from training.
    shutil.copy(DOCS / "sample-hand.jpg", empty / "source" / "apart-0.jpg")
    (empty / "index.csv").write_text("file,label\nsource/apart-0.jpg,\nsource/for-training.jpg,\n")
    return folder


@pytest.fixture(scope="module")
def measured(photos: Path) -> dict[str, dict[str, Any]]:
    out = photos.parent / "measured"
    assert run(photos, "--out", out) == 0
    return {path.stem: json.loads(path.read_text()) for path in sorted(out.glob("*.json"))}


def run(*words: object) -> int:
    return command._run(command._options([*map(str, words), "--processes", "1"]))


def test_every_set_is_written_photo_by_photo(measured: dict[str, dict[str, Any]]):
    assert list(measured) == ["backgrounds", "dice-dev"]
    assert [row["file"] for row in measured["dice-dev"]["photos"]] == ["a.jpg"]
    assert [row["file"] for row in measured["backgrounds"]["photos"]] == ["source/apart-0.jpg"]


def test_what_is_read_where_nothing_lies_is_told_apart(measured: dict[str, dict[str, Any]]):
    (table,) = tables(measured["backgrounds"])
    assert (table.title, table.rows["pooled"]["given"], table.rows["pooled"]["pieces"]) == (
        "photos without a piece",
        1,
        0,
    )
    (with_pieces,) = tables(measured["dice-dev"])
    assert with_pieces.title == "from file to reading"
    assert list(overview(measured).rows) == ["backgrounds", "dice-dev"]


def test_a_run_is_compared_with_itself(photos: Path, measured: dict[str, Any], capsys: pytest.CaptureFixture[str]):
    before = photos.parent / "measured"
    code = run(photos, "--only", "dice-dev", "--out", photos.parent / "again", "--against", before)
    assert code == 3
    assert "pooled: whole photos of new tables: indistinguishable (p = 1.000)" in capsys.readouterr().out


def test_crops_are_read_alone_too(tmp_path: Path):
    for value in range(1, 13):
        (tmp_path / "d12-crops" / str(value)).mkdir(parents=True)
        Image.new("RGB", (72, 72), "grey").save(tmp_path / "d12-crops" / str(value) / "160101.png")
    assert run(tmp_path / "d12-crops", "--every", "6", "--out", tmp_path) == 0
    figures = json.loads((tmp_path / "d12-crops.json").read_text())
    assert (
        [row[0] for row in figures["crops_read_alone"]]
        == [row["file"] for row in figures["photos"]]
        == ["1/160101.png", "7/160101.png"]
    )
    assert [table.title for table in tables(figures)] == [
        "the reader of dice alone: each crop as it is",
        "from file to reading",
    ]


def test_the_card_is_checked_before_the_photos_are_read(photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "Workers", None)
    card = tmp_path / "CARD.md"
    card.write_text(CARD)
    with pytest.raises(SystemExit, match="results backgrounds"):
        run(photos, "--card", card)
    monkeypatch.setattr(command, "find", lambda *_: [command.PhotoSet("dice-dev", (), whole=False)])
    with pytest.raises(SystemExit, match="needs all of dice-dev"):
        run(photos, "--card", card)


def test_a_part_of_a_set_is_written_only_where_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    part = command.PhotoSet("dice-dev", (), whole=False)
    command._keep(part, {"photos": []}, command._options(["x", "--models", str(tmp_path)]))
    assert not list(tmp_path.iterdir())
    assert "read in part or in a game, not written" in capsys.readouterr().err
    command._keep(part, {"photos": []}, command._options(["x", "--out", str(tmp_path / "out")]))
    assert (tmp_path / "out" / "dice-dev.json").is_file()


def test_in_a_game_of_twelve_sided_dice_the_others_do_not_count(
    photos: Path, measured: dict[str, dict[str, Any]], tmp_path: Path
):
    assert measured["dice-dev"]["photos"][0]["read"]
    assert run(photos, "--only", "dice-dev", "--kinds", "d12", "--out", tmp_path) == 0
    (row,) = json.loads((tmp_path / "dice-dev.json").read_text())["photos"]
    assert row["read"] == []


def test_what_is_read_in_a_game_is_not_taken_for_the_figures_of_the_networks(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    networks = shutil.copytree(FOLDER, tmp_path / "models")
    before = (networks / "dice-dev.json").read_bytes()
    assert run(photos, "--only", "dice-dev", "--kinds", "d6", "--models", networks) == 0
    assert (networks / "dice-dev.json").read_bytes() == before
    assert "in a game, not written" in capsys.readouterr().err


def test_a_whole_set_goes_into_the_card(tmp_path: Path, measured: dict[str, dict[str, Any]]):
    card = tmp_path / "CARD.md"
    card.write_text(CARD)
    options = command._options(["x", "--out", str(tmp_path), "--card", str(card)])
    command._keep(command.PhotoSet("dice-dev", ()), measured["dice-dev"], options)
    assert card.read_text() == card_with(CARD, "dice-dev", measured["dice-dev"])


def test_the_networks_of_another_folder(tmp_path: Path):
    shutil.copy(FOLDER / "manifest.json", tmp_path / "manifest.json")
    assert {model.path.parent for model in command.networks(tmp_path).models} == {tmp_path}
    with pytest.raises(ModelError):
        command.networks(tmp_path / "nowhere")


def test_clips_are_looked_for_before_the_photos_are_read(photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "Workers", None)
    with pytest.raises(SystemExit, match="no clips with their truth"):
        run(photos, "--clips", tmp_path)


@pytest.mark.parametrize("words", [["x", "--every", "0"], ["x", "--processes", "0"]])
def test_options_that_make_no_sense(words: list[str]):
    with pytest.raises(SystemExit):
        command._options(words)


def test_a_folder_without_photos_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "argv", ["evaluate", str(tmp_path)])
    with pytest.raises(SystemExit, match="holds nothing to measure on"):
        command.main()
