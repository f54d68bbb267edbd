"""A second look at a photo, and its pieces enlarged."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from api.evidence.throws import reading_of
from api.evidence.verify import verify
from api.http.worker.process import WorkerProcess
from api.http.worker.tasks import Worker
from scorer.engine.expected import Expected
from tests.api.http.games.play import Player, begun, code
from tests.api.http.games.test_photos import settled
from vision.photo import Photo
from vision.reader import TableReader, TiledReader
from vision.reading import Reading


@pytest.fixture(scope="module")
def shown(client: TestClient, sample: bytes) -> tuple[Player, dict[str, Any]]:
    """A game with a reading that was not played, for it shows no opening."""
    crib = begun(client, "crib-dice")
    kept: dict[str, Any] = crib.shows(sample)["reading"]
    return crib, kept


@pytest.fixture(scope="module")
def again(shown: tuple[Player, dict[str, Any]]) -> dict[str, Any]:
    crib, first = shown
    response = crib.post(f"/v1/readings/{first['id']}/look-again", {})
    assert response.status_code == 201, response.text
    kept: dict[str, Any] = response.json()
    return kept


def test_a_second_look_is_a_new_reading_of_the_same_photo(
    shown: tuple[Player, dict[str, Any]], again: dict[str, Any]
) -> None:
    crib, first = shown
    assert (first["again_of"], again["again_of"], again["game"]) == (None, first["id"], crib.id)
    assert again["id"] != first["id"]
    assert again["reading"]["sha256"] == first["reading"]["sha256"]
    assert _values(again) == _values(first)
    assert [kept["id"] for kept in crib.get("/readings").json()["readings"]] == [first["id"], again["id"]]
    assert crib.get(f"/v1/readings/{again['id']}").json() == again


def test_a_second_look_plays_nothing_and_changes_nothing(
    shown: tuple[Player, dict[str, Any]], again: dict[str, Any]
) -> None:
    crib, first = shown
    assert crib.get().json()["lines"] == 1
    assert crib.get(f"/v1/readings/{first['id']}").json() == first


def test_a_third_look_names_the_first(shown: tuple[Player, dict[str, Any]], again: dict[str, Any]) -> None:
    crib, first = shown
    assert crib.post(f"/v1/readings/{again['id']}/look-again", {}).json()["again_of"] == first["id"]


def test_only_players_may_look_again(shown: tuple[Player, dict[str, Any]]) -> None:
    crib, first = shown
    url = f"/v1/readings/{first['id']}/look-again"
    assert code(crib.post(url, {}, crib.viewer)) == (403, "viewer-only")
    assert code(crib.client.post(url, json={})) == (401, "no-token")
    assert code(crib.post(url, {"closer": 2})) == (422, "invalid-request")
    assert code(crib.post("/v1/readings/nowhere/look-again", {})) == (404, "no-reading")


def test_what_is_played_from_a_second_look_keeps_both_and_verifies(
    six_due: Player, sample: bytes, tmp_path: Path
) -> None:
    first = six_due.shows(sample)["reading"]
    if six_due.lines > 1:
        six_due.snapshot = six_due.post("/undo", {"lines": six_due.lines}).json()
    second = six_due.post(f"/v1/readings/{first['id']}/look-again", {}).json()
    settled(six_due, six_due.took(six_due.says(reading=second["id"])))
    entry = six_due.record().entries[-1]
    assert entry.corrected is not None
    assert entry.seen == second["reading"]
    assert (entry.corrected["again_of"], entry.corrected["first"]) == (first["id"], {"dice": _values(first)})
    assert reading_of(entry.seen) is not None
    zipped = tmp_path / "evidence.zip"
    zipped.write_bytes(six_due.get("/evidence").content)
    verdict = verify(zipped, TableReader())
    assert verdict.level == "ok", [finding for finding in verdict.findings if finding.level != "ok"]


def _asked_here(
    _: WorkerProcess, what: str, name: str, data: bytes, expected: Expected, *also: Any
) -> tuple[dict[str, Any], bytes]:
    """Done in this process, where the reader can be replaced."""
    limits = {"max_bytes": 10**8, "max_pixels": 10**8}
    return Worker().do({"do": what, "name": name, "expected": expected.to_json(), **limits}, data)


def test_a_second_look_that_saw_otherwise_is_read_again_as_it_was(
    six_due: Player, sample: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look from nearer is compared with a look from nearer: that the two differ is no sign of a forged reading."""
    first = six_due.shows(sample)["reading"]
    if six_due.lines > 1:
        six_due.snapshot = six_due.post("/undo", {"lines": six_due.lines}).json()
    nearer = TiledReader.read

    def otherwise(reader: TiledReader, photo: Photo, expected: Expected) -> Reading:
        read = nearer(reader, photo, expected)
        die = replace(read.dice[0], value=read.dice[0].value % 6 + 1)
        return replace(read, dice=(die, *read.dice[1:]), doubts=())

    monkeypatch.setattr(TiledReader, "read", otherwise)
    monkeypatch.setattr(WorkerProcess, "ask", _asked_here)
    second = six_due.post(f"/v1/readings/{first['id']}/look-again", {}).json()
    assert _values(second) != _values(first)
    settled(six_due, six_due.took(six_due.says(reading=second["id"])))
    zipped = tmp_path / "evidence.zip"
    zipped.write_bytes(six_due.get("/evidence").content)
    assert verify(zipped, TableReader()).level == "ok"
    monkeypatch.setattr(TiledReader, "read", nearer)
    assert verify(zipped, TableReader()).level == "wrong"


def test_a_crop_shows_its_piece_enlarged(shown: tuple[Player, dict[str, Any]], sample: bytes) -> None:
    crib, first = shown
    photo = Image.open(io.BytesIO(sample)).convert("RGB")
    for piece, die in enumerate(first["reading"]["dice"]):
        served = crib.get(f"/v1/readings/{first['id']}/crops/{piece}")
        assert served.headers["content-type"] == "image/jpeg"
        assert "immutable" in served.headers["cache-control"]
        crop = Image.open(io.BytesIO(served.content))
        assert crop.size == (480, 480)
        assert _apart(crop, _around(photo, die["box"])) < 6


def test_a_crop_is_for_those_who_may_see_the_reading(
    client: TestClient, shown: tuple[Player, dict[str, Any]], sample: bytes
) -> None:
    crib, first = shown
    url = f"/v1/readings/{first['id']}/crops"
    assert code(crib.get(f"{url}/{len(first['reading']['dice'])}")) == (404, "no-piece")
    assert code(crib.get(f"{url}/-1")) == (422, "invalid-request")
    assert code(client.get(f"{url}/0")) == (401, "no-token")
    assert crib.get(f"{url}/0").status_code == 200
    hidden = begun(client, "domino-cribbage")
    kept = hidden.shows(sample)["reading"]["id"]
    assert code(hidden.get(f"/v1/readings/{kept}/crops/0")) == (403, "hands-hidden")


def _values(kept: dict[str, Any]) -> list[int]:
    return [die["value"] for die in kept["reading"]["dice"]]


def _around(photo: Image.Image, box: list[list[float]]) -> Image.Image:
    """The same part of the photo by Pillow alone."""
    xs, ys = zip(*box, strict=True)
    half = 0.65 * max(max(xs) - min(xs), max(ys) - min(ys))
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return photo.crop(tuple(map(round, (x - half, y - half, x + half, y + half)))).resize((480, 480))  # type: ignore[arg-type]


def _apart(one: Image.Image, other: Image.Image) -> float:
    return float(np.abs(np.asarray(one, float) - np.asarray(other, float)).mean())
