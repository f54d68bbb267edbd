import json
import math
import os
from pathlib import Path

import pytest
from PIL import Image

from datasets.generate.blender import __main__ as command
from datasets.generate.blender import contact_sheet
from datasets.generate.blender.farm import Farm, in_processes
from datasets.generate.blender.recipe import RecipeError

PIECES = [
    {"kind": "d6", "value": 5, "quad": [[10, 10], [30, 10], [30, 30], [10, 30]]},
    {"kind": "d6", "value": None, "quad": [[40, 10], [60, 10], [60, 30], [40, 30]]},
    {"kind": "domino", "ends": [3, 12], "quad": [[10, 40], [50, 40], [50, 60], [10, 60]]},
    {"kind": "domino", "ends": [None, None], "quad": [[60, 40], [90, 40], [90, 60], [60, 60]]},
    {"kind": "other", "value": None, "quad": [[70, 5], [90, 5], [90, 25], [70, 25]]},
]


def labelled(folder: Path, count: int) -> Path:
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True)
    for k in range(count):
        Image.new("RGB", (100, 80), (90, 90, 90)).save(folder / "images" / f"1_{k:06d}.jpg")
        (folder / "labels" / f"1_{k:06d}.json").write_text(json.dumps({"width": 100, "height": 80, "pieces": PIECES}))
    return folder


def test_a_contact_sheet_outlines_each_kind_in_its_colour(tmp_path: Path):
    path = contact_sheet.contact_sheet(labelled(tmp_path / "renders", 5), most=3, columns=2, side=104)
    sheet = Image.open(path)
    assert sheet.size == (208, 208)
    colours = {pixel for _, pixel in sheet.getcolors(1 << 20)}
    assert {contact_sheet.COLOURS["d6"], contact_sheet.COLOURS["domino"], contact_sheet.COLOURS["other"]} <= colours
    assert contact_sheet.COLOURS["d12"] not in colours
    assert not list(path.parent.glob("*.part"))


def test_captions_say_what_a_piece_shows():
    assert [contact_sheet.caption(piece) for piece in PIECES] == ["5", "?", "3|12", "back", ""]


def test_only_scenes_without_a_label_are_missing(tmp_path: Path):
    farm = Farm(labelled(tmp_path / "renders", 2), 1, {})
    farm.label_file(0).unlink()
    assert farm.missing([0, 1, 2]) == [0, 2]
    assert Farm(farm.out, 2, {}).missing([1]) == [1]


def test_a_folder_keeps_to_one_recipe(tmp_path: Path):
    Farm(tmp_path, 1, {"tray": 0.1}).lay_out()
    Farm(tmp_path, 2, {"tray": 0.1}).lay_out()
    with pytest.raises(RecipeError, match="another recipe"):
        Farm(tmp_path, 1, {"tray": 0.2}).lay_out()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "none.yaml", "--count", "1"], "cannot read the recipe none.yaml"),
        (["--recipe", "datasets/recipes/tabletop.yaml", "--count", "1", "--set", "x=1"], "unknown key x"),
        (["--sheet"], "no labelled picture"),
        (
            ["--recipe", "datasets/recipes/modelled.yaml", "--count", "1", "--set", "models=none"],
            "no dice in none: unpack",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], message: str, tmp_path: Path):
    with pytest.raises(SystemExit, match=message):
        command.main([*arguments, "--out", str(tmp_path)])


def test_without_blender_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit, match=r"muggins\[render\]"):
        command.main(["--recipe", "datasets/recipes/tabletop.yaml", "--count", "1", "--out", str(tmp_path)])


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: True)
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit, match="file"):
        command.main(["--recipe", "datasets/recipes/tabletop.yaml", "--count", "1", "--out", str(tmp_path / "file")])


def test_shares_of_the_work_are_disjoint_and_whole():
    def scenes(share: str) -> list[int]:
        return command._scenes(command._options(["--recipe", "r", "--out", "o", "--count", "7", "--share", share]))

    assert sorted(scenes("1/3") + scenes("2/3") + scenes("3/3")) == list(range(7))
    for share in ("0/2", "3/2", "x", "1"):
        with pytest.raises(RecipeError, match="--share"):
            scenes(share)


def test_every_process_does_its_share_and_is_replaced() -> None:
    done = dict(in_processes(math.factorial, [3, 1, -1, 2], processes=1, many=1))
    assert sorted(done) == [-1, 1, 2, 3]
    assert done[-1].startswith("ValueError")
    assert not any(done[k] for k in (1, 2, 3))


def test_a_job_that_crashes_its_process_ends_with_a_word() -> None:
    with pytest.raises(RuntimeError, match="crashed 6 times; 1 are left"):
        list(in_processes(os._exit, [3], processes=1, many=1))
