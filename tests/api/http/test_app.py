import hashlib
import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from fastapi.testclient import TestClient
from PIL import Image

import models
from api.http.app import UPLOADS, create_app
from api.interpret.score_request import ScoreRequest, answer
from scorer.games.scoring import photographed
from vision.photo import Limits, load
from vision.reader import TableReader

JPEG = "image/jpeg"


def post(client: TestClient, photo: bytes, name: str = "throw.jpg", path: str = "/v1/readings", **form: str) -> Any:
    return client.post(path, files={"photo": (name, photo, "application/octet-stream")}, data=form)


def problem(response: Any) -> tuple[int, str]:
    """The status and the code, once the rest is found to be a proper problem."""
    told = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert set(told) == {"type", "title", "status", "detail", "code"}
    assert told["status"] == response.status_code
    assert told["detail"]
    return told["status"], told["code"]


def test_a_photo_gets_the_same_json_as_on_the_command_line(client: TestClient, throw: bytes) -> None:
    told = post(client, throw, game="farkle-crib", set_aside="5").json()
    request = ScoreRequest("farkle-crib", options={"set_aside": (5,)})
    reading = TableReader().read(load(throw, name="throw.jpg"), request.expected)
    expected = answer(reading, request).to_json()
    assert {**told, "timings_ms": 0} == {**expected, "timings_ms": 0}


def test_only_the_pieces_of_the_game_are_read(client: TestClient) -> None:
    throw, hand = (Path(f"docs/sample-{name}.jpg").read_bytes() for name in ("throw", "hand"))
    assert post(client, throw, game="domino-cribbage").json()["dice"] == []
    assert post(client, hand, game="crib-dice").json()["tiles"] == []
    assert len(post(client, hand, game="domino-cribbage").json()["tiles"]) == 4


def test_what_a_person_corrects_is_scored(client: TestClient) -> None:
    six = Path("docs/sample-throw.jpg").read_bytes()
    as_read = post(client, six, game="farkle-crib").json()
    assert [die["value"] for die in as_read["dice"]] == [2, 6, 5, 1, 1, 3]
    said = [
        {"change": {"die": 0, "value": 6}},
        {"remove": {"die": 5}},
        {"add": {"kind": "d6", "value": 6, "at": [100, 100]}},
    ]
    told = post(client, six, game="farkle-crib", corrections=json.dumps(said)).json()
    assert [die["value"] for die in told["dice"]] == [6, 6, 5, 1, 1, 6]
    typed = client.post("/v1/score", json={"game": "farkle-crib", "pieces": [6, 6, 5, 1, 1, 6]}).json()
    assert told["score"]["choices"] == typed["choices"]
    assert told["score"]["choices"] != as_read["score"]["choices"]
    assert post(client, six, game="farkle-crib", corrections="[]").json()["dice"] == as_read["dice"]


def test_a_domino_is_corrected_without_a_game(client: TestClient) -> None:
    hand = Path("docs/sample-hand.jpg").read_bytes()
    said = [{"change": {"tile": 1, "ends": [6, 2]}}, {"remove": {"tile": 0}}]
    told = post(client, hand, corrections=json.dumps(said)).json()
    assert [tile["ends"] for tile in told["tiles"]] == [[6, 2], [5, 2], [6, 0]]


@pytest.mark.parametrize(
    ("corrections", "code"),
    [
        ('[{"change": {"die": 6, "value": 1}}]', "bad-correction"),
        ('[{"change": {"die": 0, "value": 7}}]', "bad-correction"),
        ('[{"change": {"die": 0, "value": 1}, "remove": {"die": 0}}]', "invalid-request"),
        ('{"change": {"die": 0, "value": 1}}', "invalid-request"),
        ("[{", "invalid-request"),
    ],
)
def test_a_correction_that_does_not_fit_is_refused(client: TestClient, corrections: str, code: str) -> None:
    six = Path("docs/sample-throw.jpg").read_bytes()
    assert problem(post(client, six, corrections=corrections)) == (422, code)


def test_six_dice_where_seven_were_thrown_say_so(client: TestClient) -> None:
    six = Path("docs/sample-throw.jpg").read_bytes()
    first = post(client, six, game="crib-dice").json()
    assert "6 dice were read, but there should be 7." in [doubt["message"] for doubt in first["doubts"]]
    later = post(client, six, game="crib-dice", point="5", frozen="2").json()
    assert "6 dice were read, but there should be 5 or 7." in [doubt["message"] for doubt in later["doubts"]]
    assert "number" not in [doubt["reason"] for doubt in post(client, six, game="farkle-crib").json()["doubts"]]


def test_without_a_game_there_is_no_score(client: TestClient, throw: bytes) -> None:
    response = post(client, throw)
    assert response.status_code == 200
    assert response.json()["score"] is None


@pytest.mark.parametrize(
    "rules", [["bonus=three-pairs", "three_pairs_4_2=yes"], ["bonus=three-pairs three_pairs_4_2=yes"]]
)
def test_rules_are_repeated_or_separated_by_spaces(client: TestClient, throw: bytes, rules: list[str]) -> None:
    form = {"game": "farkle-crib", "set_aside": "5", "rules": rules}
    told = client.post("/v1/readings", files={"photo": ("throw.jpg", throw, JPEG)}, data=form).json()
    request = ScoreRequest("farkle-crib", ("bonus=three-pairs", "three_pairs_4_2=yes"), {"set_aside": (5,)})
    expected = answer(TableReader().read(load(throw, name="throw.jpg"), request.expected), request).to_json()
    assert told["score"] == expected["score"]


@pytest.mark.parametrize(
    "form",
    [{"game": game} for game in photographed()]
    + [
        {"game": "crib-dice", "point": "5", "frozen": "2"},
        {"game": "cribbage-dice", "starter": "5"},
        {"game": "domino-cribbage", "starter": "4-1"},
        {"game": "domino-pips", "rules": "count=hand double_blank=25"},
        {"game": "domino-pips", "rules": "count=ends"},
    ],
)
def test_every_answer_fits_the_documented_shape(client: TestClient, throw: bytes, form: dict[str, str]) -> None:
    response = post(client, throw, **form)  # a shape that differs would be a 500
    assert response.status_code == 200
    assert response.json()["score"].get("game", form["game"]) == form["game"]


def test_a_throw_the_game_does_not_know_is_no_failure(client: TestClient) -> None:
    bare_table = io.BytesIO()
    Image.new("RGB", (640, 480), "#2d6a4f").save(bare_table, "PNG")
    response = post(client, bare_table.getvalue(), game="crib-dice")
    assert response.status_code == 200
    assert response.json()["score"]["error"]["code"] == "wrong-count"
    assert not response.json()["sure"]


def test_only_the_files_own_name_is_told(client: TestClient, throw: bytes) -> None:
    assert post(client, throw, name=r"C:\Users\me\throw.jpg").json()["photo"] == "throw.jpg"


@pytest.mark.parametrize(
    ("photo", "form", "expected"),
    [
        (b"", {}, (422, "empty-file")),
        (b"seven dice", {}, (415, "not-a-photo")),
        (b"%PDF-1.7\n", {}, (415, "unsupported-format")),
        (b"\xff\xd8\xff\xe0", {}, (422, "truncated")),
        (b"", {"game": "whist"}, (422, "invalid-request")),
        (b"", {"game": "crib-dice", "point": "seven"}, (422, "invalid-request")),
        (b"", {"game": "crib-dice", "point": "5"}, (422, "point-and-frozen-together")),
        (b"", {"game": "cribbage-dice", "point": "5", "frozen": "2"}, (422, "option-of-another-game")),
        (b"", {"starter": "5"}, (422, "no-game")),
        (b"", {"game": "cribbage-dice", "starter": "13"}, (422, "value-out-of-range")),
        (b"", {"game": "cribbage-dice", "starter": "4-1"}, (422, "no-die")),
        (b"", {"game": "domino-cribbage", "starter": "7-1"}, (422, "no-tile")),
        (b"", {"game": "domino-cribbage", "starter": "4"}, (422, "no-tile")),
        (b"", {"game": "domino-pips", "rules": "double_blank=25"}, (422, "bad-option")),
        (b"", {"rules": "bonus=all"}, (422, "no-game")),
        (b"", {"game": "crib-dice", "rules": "bonus=all"}, (422, "unknown-option")),
        (b"", {"game": "farkle-crib", "rules": "bonus=all bonus"}, (422, "bad-option")),
    ],
)
@pytest.mark.parametrize("path", ["/v1/readings"])
def test_what_is_wrong_is_told_as_a_problem(
    client: TestClient, photo: bytes, form: dict[str, str], expected: tuple[int, str], path: str
) -> None:
    assert problem(post(client, photo, path=path, **form)) == expected


def test_no_photo_no_such_path_and_no_such_method_are_problems_too(client: TestClient) -> None:
    assert problem(client.post("/v1/readings")) == (422, "invalid-request")
    assert problem(client.post("/v1/readings", data={"photo": "text"})) == (422, "invalid-request")
    assert problem(client.get("/v1/nothing")) == (404, "not-found")
    refused = client.get("/v1/readings")
    assert problem(refused) == (405, "method-not-allowed")
    assert refused.headers["allow"] == "POST"
    assert "GET" in client.put("/healthz").headers["allow"]


def test_a_broken_form_is_a_problem(client: TestClient) -> None:
    broken = client.post(
        "/v1/readings", content=b"--x\r\nnonsense", headers={"content-type": "multipart/form-data; boundary=x"}
    )
    assert problem(broken) in {(400, "bad-request"), (422, "invalid-request")}


@pytest.fixture
def small() -> Iterator[TestClient]:
    """A server that takes 100 kB a photo."""
    with TestClient(create_app(Limits(max_bytes=100_000)), base_url="http://localhost") as running:
        yield running


def test_a_body_that_is_too_large_is_a_problem(small: TestClient) -> None:
    chunks = (bytes(10_000) for _ in range(50))
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert problem(small.post("/v1/readings", content=chunks, headers=headers)) == (413, "too-large-file")
    announced = small.post("/v1/readings", content=bytes(500_000), headers=headers)
    assert problem(announced) == (413, "too-large-file")
    assert "connection" not in announced.headers, "all of it came, so the connection can be used again"


def test_a_photo_over_the_limit_of_one_photo_is_refused(small: TestClient) -> None:
    assert problem(post(small, bytes(120_000))) == (413, "too-large-file")


@pytest.mark.parametrize("size", [UPLOADS.max_bytes + 1, UPLOADS.max_bytes + 100_000])
def test_a_photo_that_is_too_large_is_told_the_same_limit_wherever_it_is_refused(client: TestClient, size: int) -> None:
    """By the reader of photos, or before that, with the form around it."""
    refused = post(client, bytes(size))
    assert problem(refused) == (413, "too-large-file")
    assert "25 MB" in refused.json()["detail"]


def test_photos_sent_at_once_are_all_read_alike(client: TestClient, throw: bytes) -> None:
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: post(client, throw).json(), range(4)))
    assert all({**one, "timings_ms": 0} == {**told[0], "timings_ms": 0} for one in told)


def test_the_annotated_picture_is_a_jpeg_of_the_photo(client: TestClient, throw: bytes) -> None:
    response = post(client, throw, path="/v1/readings/annotated")
    assert response.headers["content-type"] == JPEG
    with Image.open(io.BytesIO(response.content)) as drawn:
        assert (drawn.format, drawn.width) == ("JPEG", 960)


def test_the_annotated_picture_of_nothing_is_a_problem(client: TestClient) -> None:
    assert problem(post(client, b"", path="/v1/readings/annotated")) == (422, "empty-file")


def test_the_server_says_what_it_is(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    about = client.get("/version").json()
    assert (about["version"], about["models"]) == (version("muggins"), models.load_manifest().hashes)
    told = client.get("/v1/models").json()["models"]
    assert {model["name"]: model["sha256"] for model in told} == models.load_manifest().hashes


def test_the_server_hands_out_the_source_that_runs(client: TestClient) -> None:
    about = client.get("/version").json()
    with ZipFile(io.BytesIO(client.get(about["source"]).content)) as source:
        hashes = {name: hashlib.sha256(source.read(name)).hexdigest() for name in source.namelist()}
    assert hashes["api/http/app.py"] == hashlib.sha256(Path("api/http/app.py").read_bytes()).hexdigest()
    listed = "".join(f"{sha256}  {name}\n" for name, sha256 in hashes.items())
    assert about["code"] == hashlib.sha256(listed.encode()).hexdigest()


def test_requests_are_counted_by_route_and_never_by_path(client: TestClient) -> None:
    client.get("/v1/nothing/secret")
    client.get("/v1/models")
    told = client.get("/metrics").text
    assert 'muggins_request_seconds_count{method="GET",route="/v1/models",status="200"}' in told
    assert "secret" not in told


def test_the_operations_have_stable_names(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    names = {operation["operationId"] for path in paths.values() for operation in path.values()}
    assert names == {
        "read_photo",
        "draw_photo",
        "get_health",
        "get_version",
        "get_source",
        "get_metrics",
        "list_models",
        "score_throw",
        "get_advice",
        "verify_evidence",
    }


def test_the_games_are_the_scorers(client: TestClient) -> None:
    page = client.get("/read").text
    assert all(f'value="{game}"' in page for game in photographed())


@pytest.mark.parametrize("path", ["/", "/read", "/docs", "/v1/models", "/v1/nothing", "/web/muggins.js"])
def test_every_response_keeps_browsers_to_this_server(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/read", "/docs", "/web/muggins.js", "/web/muggins.css", "/web/docs.js"])
def test_pages_need_nothing_from_elsewhere(client: TestClient, path: str) -> None:
    response = client.get(path)
    assert response.status_code == client.head(path).status_code == 200
    assert "//" not in response.text.replace("http://www.w3.org/2000/svg", "").replace("// ", "")
