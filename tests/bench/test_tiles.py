from pathlib import Path

from PIL import Image

from bench.tiles import Tally, _enlarged, _with, faces
from datasets.labels.truth import Piece, Truth
from vision.reading import Die, Quad, Reading, Tile

BOX: Quad = ((0, 0), (80, 0), (80, 40), (0, 40))


def known(*ends: tuple[int, int], dice: int = 0) -> Truth:
    pieces = (*(Piece("domino", each) for each in ends), *[Piece("d6", (1,))] * dice)
    return Truth(Path(f"{len(pieces)}.jpg"), "f", "board", "s", pieces)


def test_a_die_on_a_photo_of_dominoes_is_wrong_and_a_back_is_not():
    tiles = (Tile((5, 2), 0.9, (), BOX), Tile((None, None), 0.9, (), BOX, face_up=False))
    reading = Reading("p", "0", 9, 9, (Die(3, 0.9, (), BOX, "white"),), (), {}, {}, tiles)
    assert sorted(faces(reading)) == [(2, 5), (3,)]
    tally = Tally()
    tally.add(known((2, 5)), faces(reading), 0.1)
    assert (tally.exact, tally.to_json()["precision"]) == (0, 0.5)


def test_figures():
    tally = Tally()
    tally.add(known((1, 2), (3, 4)), [(3, 4), (1, 2)], 0.1)
    tally.add(known((1, 2), (3, 4)), [(1, 3)], 0.3)
    tally.add(known(), [(0, 0)], 0.2)
    told = tally.to_json()
    assert (told["exact"], told["tiles_right"], told["tiles_right_share"], told["precision"]) == (1, 2, 0.5, 0.5)
    assert told["median_ms"] == 200


def test_the_cost_is_measured_on_photos_of_one_kind():
    truths = [known(*[(1, 2)] * 12), known(*[(1, 2)] * 12, dice=1), known(*[(1, 2)] * 11)]
    assert _with(12, truths, "tiles") == [Path("12.jpg")]


def test_photos_are_enlarged_in_their_own_shape(tmp_path: Path):
    Image.new("RGB", (120, 160)).save(tmp_path / "small.png")
    with Image.open(_enlarged(tmp_path / "small.png", tmp_path)) as image:
        assert image.size == (3000, 4000)
