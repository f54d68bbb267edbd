"""Photos that people corrected at a table, as training labels: served, posted, corrected, relabelled, loaded."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from api.http.app import create_app
from api.interpret.corrections import corrected
from datasets.labels import relabel
from datasets.labels.photos import Box, load
from tests.api.http.games.play import Player, begun
from tests.api.table import d6, face_down, reading, tile
from vision.reading import Die, Doubt, Tile

P = TypeVar("P", Die, Tile)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def game(data: Path) -> Iterator[Player]:
    with TestClient(create_app(data=data), base_url="http://localhost") as client:
        yield begun(client, "crib-dice")


@pytest.fixture(scope="module")
def sample() -> bytes:
    return Path("docs/sample-throw.jpg").read_bytes()


def corrects(game: Player, kept: dict[str, Any], **what: Any) -> dict[str, Any]:
    said = {"expected": len(kept["corrections"]), **what}
    response = game.post(f"/v1/readings/{kept['id']}/corrections", said)
    assert response.status_code == 200, response.text
    now: dict[str, Any] = response.json()
    return now


def middle(box: list[list[float]]) -> list[float]:
    xs, ys = zip(*box, strict=True)
    return [sum(xs) / 4, sum(ys) / 4]


def overlap(box: Box, quad: list[list[float]]) -> float:
    (left, top), _, (right, bottom), _ = quad
    wide = max(0.0, min(box.right, right) - max(box.left, left))
    high = max(0.0, min(box.bottom, bottom) - max(box.top, top))
    return wide * high / max((right - left) * (bottom - top), (box.right - box.left) * (box.bottom - box.top))


def test_from_the_table_to_the_training_label(game: Player, data: Path, sample: bytes, tmp_path: Path) -> None:
    kept = game.shows(sample)["reading"]
    read = kept["reading"]["dice"]
    game.shows(_turned(sample))  # nobody corrects this one, so it is no training label
    changed, gone = read[0]["value"] % 6 + 1, read[-1]
    kept = corrects(game, kept, change={"die": 0, "value": changed})
    kept = corrects(game, kept, remove={"die": len(read) - 1})
    corrects(game, kept, add={"kind": "d6", "value": 6, "at": middle(gone["box"])})
    relabel.main([str(data), "--out", str(tmp_path)])
    (picture,) = load(None, [tmp_path])
    assert [box.value for box in picture.boxes] == [changed, *(die["value"] for die in read[1:-1]), 6]
    assert {box.kind for box in picture.boxes} == {"d6"}
    assert all(overlap(box, die["box"]) > 0.8 for box, die in zip(picture.boxes, read, strict=True))
    assert picture.path.read_bytes() == game.get(f"/v1/readings/{kept['id']}/photo").content


def test_the_picture_is_upright_where_the_photo_was_not(
    game: Player, data: Path, sample: bytes, tmp_path: Path
) -> None:
    kept = game.shows(_turned(sample, orientation=6))["reading"]
    corrects(game, kept, change={"die": 0, "value": kept["reading"]["dice"][0]["value"] % 6 + 1})
    relabel.main([str(data), "--out", str(tmp_path)])
    name = kept["reading"]["sha256"][:24]
    (picture,) = (each for each in load(None, [tmp_path]) if each.path.stem == name)
    seen = cv2.imread(str(picture.path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    assert seen is not None
    assert seen.shape[:2] == (kept["reading"]["height"], kept["reading"]["width"])
    upright = cv2.cvtColor(cv2.imread("docs/sample-throw.jpg"), cv2.COLOR_BGR2GRAY).astype(float)
    assert np.abs(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY) - cv2.resize(upright, seen.shape[1::-1])).mean() < 5


def test_a_photo_with_a_piece_that_nobody_can_outline_is_left_out(
    game: Player, data: Path, sample: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = game.shows(_turned(sample, quality=70))["reading"]
    corrects(game, kept, add={"kind": "d12", "value": 6, "at": [3, 3]})
    relabel.main([str(data), "--out", str(tmp_path)])
    assert kept["reading"]["sha256"][:24] not in {path.stem for path in (tmp_path / "labels").iterdir()}
    said = capsys.readouterr().out.split()
    assert int(said[0]) < int(said[2])


def test_a_folder_without_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        relabel.main([str(tmp_path / "nothing"), "--out", str(tmp_path / "out")])
    assert not (tmp_path / "nothing").exists()


def test_what_was_removed_is_a_look_alike_unless_it_lies_on_a_piece() -> None:
    read = reading(lying(d6(1), 0), lying(d6(2), 100), lying(tile("3-5"), 200))
    twice = replace(read, dice=(*read.dice, replace(read.dice[0], value=4)))
    said = corrected(twice, [{"remove": {"die": 2}}, {"remove": {"die": 1}}])
    kinds = [each["kind"] for each in relabel.pieces(twice, said)]
    assert kinds.count("d6") == 1
    assert kinds.count("other") == 1


def test_a_piece_still_in_doubt_has_no_value_and_a_tile_face_down_has_no_ends(tmp_path: Path) -> None:
    read = reading(
        lying(d6(1), 0), lying(d6(2), 100), lying(face_down(), 200), doubts=(Doubt("uncertain-value", "?", piece=1),)
    )
    labels = {"width": read.width, "height": read.height, "pieces": relabel.pieces(read, read)}
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "1.json").write_text(json.dumps(labels))
    ((first, second, hidden),) = (picture.boxes for picture in load(None, [tmp_path]))
    assert (first.value, second.value) == (1, None)
    assert (hidden.kind, hidden.ends) == ("domino", (None, None))
    assert not first.turnable


def lying(piece: P, left: float) -> P:
    return replace(piece, box=((left, 0.0), (left + 40, 0.0), (left + 40, 40.0), (left, 40.0)))


def _turned(photo: bytes, orientation: int = 1, quality: int = 90) -> bytes:
    """The photo once more, as a camera held otherwise writes it."""
    exif, data = Image.Exif(), io.BytesIO()
    exif[0x0112] = orientation
    with Image.open(io.BytesIO(photo)) as picture:
        turned = picture.transpose(Image.Transpose.ROTATE_90) if orientation == 6 else picture
        turned.save(data, "JPEG", quality=quality, exif=exif)
    return data.getvalue()
