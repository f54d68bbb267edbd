import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from datasets.labels.photos import held_out
from datasets.labels.truth import Piece, UnknownFolderError, label, load, tile

SHARED = Path(os.environ.get("MUGGINS_PHOTOS", Path(__file__).parents[4] / "shared" / "photos"))


def photos(name: str) -> Path:
    if not (SHARED / name).is_dir():
        pytest.skip(f"the measuring photos are not here: {SHARED / name} (set MUGGINS_PHOTOS)")
    return SHARED / name


def picture(path: Path, width: int = 200, height: int = 100) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (width, height)).save(path)
    return path


def written(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def test_a_tile_is_the_same_either_way_round():
    assert tile(6, 1) == tile(1, 6) == (1, 6)
    assert [label(face) for face in ((4,), (1, 6), ())] == ["4", "1-6", "face-down"]


@pytest.mark.parametrize("name", ["", "anything", "board"])
def test_an_unknown_folder_is_said_to_be_one(tmp_path: Path, name: str):
    (tmp_path / name).mkdir(exist_ok=True)
    with pytest.raises(UnknownFolderError, match="holds nothing to measure on"):
        load(tmp_path / name)


def test_dice(tmp_path: Path):
    entry = {"file": "a.jpg", "d6": [1, 6], "ambiguous": 1, "hard": True, "source": "s", "same_camera_as_train": True}
    written(tmp_path / "dev.json", [entry])
    (truth,) = load(tmp_path)
    assert truth.dice == (Piece("d6", (1,)), Piece("d6", (6,)))
    assert (truth.path, truth.ambiguous, truth.hard, truth.same_camera_as_train) == (tmp_path / "a.jpg", 1, True, True)


def mixed(tmp_path: Path, **changed: Any) -> None:
    picture(tmp_path / "mixed" / "a.png")
    entry = {
        "file": "mixed/a.png",
        "source": "s",
        "tiles": ["1-6", "2-2"],
        "face_down": 3,
        "ambiguous": 1,
        "hard": False,
    }
    centres = {"tile_centres": [[0.25, 0.5, "2-2"], [0.5, 0.1, "1-6"]]}
    written(tmp_path / "mixed.json", [entry | centres | changed])


@pytest.mark.parametrize("inside", ["", "mixed"])
def test_centres_are_fractions_of_the_picture(tmp_path: Path, inside: str):
    mixed(tmp_path)
    (truth,) = load(tmp_path / inside)
    assert truth.tiles == (Piece("domino", (2, 2), (50, 50)), Piece("domino", (1, 6), (100, 10)))
    assert (truth.face_down, truth.ambiguous) == (3, 1)


def test_centres_that_are_not_those_of_the_tiles_are_no_places(tmp_path: Path):
    mixed(tmp_path, tile_centres=[[0.25, 0.5, "2-2"]])
    assert [(piece.face, piece.placed) for piece in load(tmp_path)[0].tiles] == [((1, 6), False), ((2, 2), False)]


def test_a_board_has_outlines(tmp_path: Path):
    quad = [[0, 0], [20, 0], [20, 10], [0, 10]]
    picture(tmp_path / "board" / "a.png")
    written(
        tmp_path / "board.json", [{"file": "board/a.png", "source": "s", "tiles": [{"ends": [6, 1], "quad": quad}]}]
    )
    (truth,) = load(tmp_path / "board")
    assert truth.tiles == (Piece("domino", (1, 6), outline=((0, 0), (20, 0), (20, 10), (0, 10))),)


@pytest.mark.parametrize("inside", ["", "crops"])
def test_tiles_in_pictures_of_their_own(tmp_path: Path, inside: str):
    for name in ("0x0", "6x3"):
        picture(tmp_path / "crops" / name / "a.jpg", 100, 100)
    written(tmp_path / "mixed.json", [])
    found = load(tmp_path / inside)
    assert [truth.pieces[0].face for truth in found] == [(0, 0), (3, 6)]
    assert found[0].file == "crops/0x0/a.jpg"


def test_twelve_sided_dice(tmp_path: Path):
    for value in range(1, 13):
        picture(tmp_path / str(value) / "160101x.png", 72, 72)
    found = load(tmp_path)
    assert [truth.pieces[0].face for truth in found] == [(value,) for value in range(1, 13)]
    assert {(truth.pieces[0].kind, truth.source) for truth in found} == {("d12", "run 160101")}


def test_values_and_other_bodies_of_d12_dev(tmp_path: Path):
    ornate, machine = "BartekBanachowicz+dice-value-recognition", "burksbuilds+dicetower-dev"
    rows = {
        f"{machine}/D12_A_01.jpg": "d12=1",
        f"{machine}/crop_D12_A_01.jpg": "d12=1",
        f"{ornate}/sets_3.jpg": "d12=11",
        f"{ornate}/sets_7.jpg": "d12=9",
        f"{machine}/D20_A_01.jpg": "D20 (other die)",
        f"{machine}/D6_A_01.jpg": "numeral d6=1",
    }
    folder = tmp_path / "d12-dev"
    for name in rows:
        picture(folder / name)
    (folder / "index.csv").write_text("file,label\n" + "".join(f"{name},{text}\n" for name, text in rows.items()))
    found = load(folder)
    assert [(truth.part, truth.source, [piece.face for piece in truth.pieces]) for truth in found] == [
        ("plain", machine, [(1,)]),
        ("plain, cut out", machine, [(1,)]),
        ("ornamental", ornate, [(11,)]),
        ("ornamental", ornate, [(9,), (4,)]),  # with a die with pips that the label leaves out
        ("other dice", "D20", []),
        ("other dice", "numeral d6", []),
    ]
    assert [bool(truth.pieces) and truth.pieces[0].placed for truth in found] == [False, True, *[False] * 4]


def test_backgrounds_apart_from_training(tmp_path: Path):
    names = [f"source/{i}.jpg" for i in range(50)]
    (tmp_path / "backgrounds").mkdir()
    (tmp_path / "backgrounds" / "index.csv").write_text("file,label\n" + "".join(f"{name},\n" for name in names))
    found = load(tmp_path / "backgrounds")
    assert [truth.file for truth in found] == [name for name in names if held_out(name.removeprefix("source/"), 5)]
    assert {(truth.part, truth.source, truth.pieces) for truth in found} == {("backgrounds", "source", ())}


def test_other_folders_with_an_index_are_not_for_measuring(tmp_path: Path):
    (tmp_path / "index.csv").write_text("file,label\na.jpg,d12=1\n")
    with pytest.raises(UnknownFolderError):
        load(tmp_path)


QUAD = [[0, 0], [60, 0], [60, 30], [0, 30]]
RENDERED = {"box": [0, 0, 60, 30], "quad": QUAD, "hidden": 0.0, "top_seen": 1.0, "view": 80, "cocked": False}


def rendered(tmp_path: Path, **piece: Any) -> Any:
    picture(tmp_path / "images" / "1_0.jpg")
    written(tmp_path / "labels" / "1_0.json", {"width": 200, "height": 100, "pieces": [RENDERED | piece]})
    (truth,) = load(tmp_path)
    return truth


@pytest.mark.parametrize(
    ("piece", "face"),
    [
        ({"kind": "d6", "value": 3}, (3,)),
        ({"kind": "d12", "value": 11}, (11,)),
        ({"kind": "domino", "ends": [9, 2], "face_up": True}, (2, 9)),
    ],
)
def test_renders(tmp_path: Path, piece: dict[str, Any], face: tuple[int, ...]):
    truth = rendered(tmp_path, **piece)
    assert [(each.kind, each.face) for each in truth.pieces] == [(piece["kind"], face)]
    assert truth.path == tmp_path / "images" / "1_0.jpg"
    assert (truth.unclear, truth.face_down) == ((), 0)


_FLAWS: list[dict[str, Any]] = [
    *({"cocked": True}, {"value": None}, {"top_seen": 0.5}, {"box": [0, 0, 60, 12]}),
    *({"contrast": 3.0, "noise": 0.0}, {"contrast": 12.0, "noise": 17.0}),
]


@pytest.mark.parametrize("flaw", _FLAWS)
def test_rendered_dice_that_nobody_can_read(tmp_path: Path, flaw: dict[str, Any]):
    truth = rendered(tmp_path, **{"kind": "d6", "value": 3} | flaw)
    assert (truth.pieces, len(truth.unclear)) == ((), 1)


@pytest.mark.parametrize(
    ("corners", "counts"),
    [
        ([(150, 20), (198, 20), (198, 44), (150, 44)], True),
        ([(150, 20), (201, 20), (201, 44), (150, 44)], True),  # by less than a tenth of its width
        ([(150, 20), (204, 20), (204, 44), (150, 44)], False),
        ([(-4, 20), (50, 20), (50, 44), (-4, 44)], False),
        ([(20, 60), (20, 104), (44, 104), (44, 60)], False),
    ],
)
def test_rendered_tiles_that_leave_the_picture_need_not_be_counted(
    tmp_path: Path, corners: list[tuple[int, int]], counts: bool
) -> None:
    truth = rendered(tmp_path, kind="domino", ends=[9, 2], face_up=True, quad=corners)
    assert (len(truth.pieces), len(truth.unclear)) == ((1, 0) if counts else (0, 1))


def test_rendered_look_alikes_and_backs_are_no_pieces(tmp_path: Path):
    assert rendered(tmp_path, kind="other", value=None).pieces == ()
    down = rendered(tmp_path, kind="domino", ends=[None, None], face_up=False)
    assert (down.pieces, down.unclear, down.face_down) == ((), (), 1)


def test_the_shared_dice():
    found = load(photos("dice-dev"))
    assert (len(found), sum(len(truth.dice) for truth in found)) == (193, 739)
    assert sum(not truth.same_camera_as_train for truth in found) == 153


def test_the_shared_dominoes():
    found = load(photos("domino-dev"))
    tiles = Counter({part: sum(len(t.tiles) for t in found if t.part == part) for part in ("board", "mixed", "crops")})
    assert tiles == {"board": 638, "mixed": 210, "crops": 840}
    assert Counter(truth.part for truth in found) == {"board": 62, "mixed": 39, "crops": 840}
    assert all(piece.placed for truth in found for piece in truth.tiles)
    assert all(truth.path.is_file() for truth in found)


def test_the_shared_twelve_sided_dice():
    found = load(photos("d12-crops"))
    assert Counter(truth.pieces[0].face for truth in found) == {(value,): 100 for value in range(1, 13)}
