"""Evidence is checked over HTTP as by the command: by the real process, on real records and a real photo."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import anyio
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.evidence.bundle import Evidence
from api.evidence.findings import Finding
from api.evidence.keys import Head, ServerKey, short
from api.evidence.verify import verify
from api.http import problems, verifications
from scorer.engine.record import Record
from tests.api.evidence.conftest import RECORDS, SAMPLES, played_from_a_photo, rezipped, zipped
from vision.photo import load
from vision.reader import TableReader

RECORD = Record.load((RECORDS / "crib-dice-undone-after-the-end.jsonl").read_text())


def an_app() -> FastAPI:
    app = FastAPI()
    problems.install(app)
    verifications.install(app)
    return app


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(an_app()) as running:
        yield running


@pytest.fixture(scope="module")
def with_photo() -> bytes:
    """The evidence of a game with a photo of four tiles."""
    data = (SAMPLES / "sample-hand.jpg").read_bytes()
    photo = load(data)
    return zipped(Evidence(played_from_a_photo(TableReader(), photo), {photo.sha256: data}))


def checked(client: TestClient, evidence: bytes, **asked: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The findings, and the last line."""
    response = client.post("/v1/verifications", content=evidence, params=asked)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/x-ndjson")
    *found, last = map(json.loads, response.text.splitlines())
    return found, last


def as_told(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    return [finding.to_json() for finding in findings]


def test_the_findings_are_those_of_the_command(client: TestClient) -> None:
    evidence = zipped(Evidence(RECORD, {}))
    found, last = checked(client, evidence)
    assert found == as_told(verify(BytesIO(evidence), None).findings)
    assert (last["verdict"], last["game"]) == ("warning", None), "nobody signed it"
    assert (len(last["heads"]), last["heads"][-1]) == (len(RECORD.lines), RECORD.head)


def test_who_signed_it_names_its_game(client: TestClient, tmp_path_factory: pytest.TempPathFactory) -> None:
    key = ServerKey.open(tmp_path_factory.mktemp("key"))
    evidence = zipped(Evidence(RECORD, {}, signed=key.sign(Head.of(RECORD, "g1"))))
    _, last = checked(client, evidence, key=short(key.public.hex()))
    assert (last["verdict"], last["game"], last["key"]) == ("ok", "g1", key.public.hex())
    found, last = checked(client, evidence, key="AAAA-AAAA-AAAA-AAAA")
    assert ("other-key" in {finding["code"] for finding in found}, last["verdict"]) == (True, "wrong")


def test_a_head_that_was_noted_is_looked_for(client: TestClient) -> None:
    evidence = zipped(Evidence(RECORD, {}))
    found, _ = checked(client, evidence, head=short(RECORD.head))
    assert {"level": "ok", "code": "noted-head"}.items() <= next(f for f in found if f["code"] == "noted-head").items()
    assert checked(client, evidence, head="AAAA-AAAA-AAAA-AAAA")[1]["verdict"] == "wrong"


@pytest.mark.parametrize("name", ["head", "key"])
def test_what_cannot_be_a_head_or_a_key_is_refused_before_anything_is_checked(client: TestClient, name: str) -> None:
    for noted, why in (("K7QD", "'K7QD' has 4."), ("K7QD-0000-AAAA-AAAA", "has 0, which none has.")):
        response = client.post("/v1/verifications", params={name: noted}, content=b"zip")
        assert (response.status_code, response.json()["code"]) == (422, "invalid-request")
        assert response.json()["detail"].endswith(why)
    long = client.post("/v1/verifications", params={name: "A" * 101}, content=b"zip")
    assert (long.status_code, name in long.json()["detail"]) == (422, True)


def test_what_was_changed_is_wrong(client: TestClient) -> None:
    forged = rezipped(zipped(Evidence(RECORD, {})), {"record.jsonl": RECORD.text.replace("Ann", "Zoe").encode()})
    found, last = checked(client, forged)
    assert (found[-1]["code"], found[-1]["line"], last) == (
        "record",
        1,
        {"verdict": "wrong", "game": None, "key": None, "heads": []},
    )


def test_a_zip_that_was_cut_off_is_wrong(client: TestClient) -> None:
    found, last = checked(client, zipped(Evidence(RECORD, {}))[:-30])
    assert ([finding["code"] for finding in found], last["verdict"]) == (["no-zip"], "wrong")


@pytest.mark.parametrize(
    ("data", "seems"),
    [
        (RECORD.text.encode(), "This is the record of a game alone"),
        ((SAMPLES / "sample-hand.jpg").read_bytes(), "This is a picture"),
        (b"\xff" * 5000, "This file is not a zip."),
    ],
)
def test_another_file_is_said_to_be_one_and_not_to_be_forged(client: TestClient, data: bytes, seems: str) -> None:
    refused = client.post("/v1/verifications", content=data)
    assert (refused.status_code, refused.json()["code"]) == (415, "unsupported-format")
    assert refused.json()["detail"].startswith(seems)


def test_without_a_file_it_says_what_to_send(client: TestClient) -> None:
    refused = client.post("/v1/verifications")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-request")
    assert "the zip of the evidence" in refused.json()["detail"]


def test_its_photos_are_read_again(client: TestClient, with_photo: bytes) -> None:
    found, _ = checked(client, with_photo)
    again = [finding for finding in found if finding["code"] == "read-again"]
    assert [(finding["level"], finding["text"]) for finding in again] == [
        ("ok", f"Line {again[0]['line']}: the photo is read as it was then.")
    ]


def test_what_takes_too_long_is_broken_off_and_never_fine(
    client: TestClient, with_photo: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifications, "_SECONDS", 1.0)
    monkeypatch.setattr(verifications, "_MEGABYTES", 100)  # which the networks alone take
    found, last = checked(client, with_photo)
    assert (found[-1]["code"], last["verdict"]) == ("over-budget", "warning")


@pytest.mark.parametrize("held", [{"testclient": 2}, {"10.0.0.1": 2, "10.0.0.2": 2, "10.0.0.3": 2}])
def test_too_many_at_once_are_asked_to_wait(client: TestClient, held: dict[str, int]) -> None:
    places = client.app.state.checking  # type: ignore[attr-defined]
    places.of.update(held)
    try:
        refused = client.post("/v1/verifications", content=b"")
    finally:
        places.of.clear()
    assert (refused.status_code, refused.json()["code"]) == (503, "busy")
    assert "checking other evidence" in refused.json()["detail"]


def test_a_body_that_comes_slowly_keeps_nobody_else_waiting() -> None:
    app, evidence = an_app(), zipped(Evidence(RECORD, {}))

    async def both() -> bytes:
        told: list[bytes] = []
        ended, bodies = anyio.Event(), iter([{"type": "http.request", "body": evidence, "more_body": False}])

        async def slowly() -> dict[str, Any]:
            await ended.wait()
            return {"type": "http.disconnect"}

        async def at_once() -> dict[str, Any]:
            if (message := next(bodies, None)) is not None:
                return message
            await anyio.sleep_forever()
            raise AssertionError

        async def heard(message: Any) -> None:
            told.append(message.get("body", b""))

        async def unheard(_: Any) -> None:
            return

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                group.start_soon(app, a_scope("10.0.0.1"), slowly, unheard)
                await anyio.sleep(0.1)
                await app(a_scope("10.0.0.3"), at_once, heard)  # type: ignore[arg-type]
                ended.set()
        return b"".join(told)

    assert json.loads(anyio.run(both).splitlines()[-1])["verdict"] == "warning"
    assert not app.state.checking.of


def a_scope(client: str) -> dict[str, Any]:
    """A request of a client."""
    return {
        "type": "http",
        "method": "POST",
        "path": "/v1/verifications",
        "headers": [],
        "query_string": b"",
        "http_version": "1.1",
        "scheme": "http",
        "client": (client, 1),
        "server": ("10.0.0.2", 80),
    }


def test_it_ends_when_its_sender_leaves(with_photo: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    begun_here: list[asyncio.subprocess.Process] = []
    start = verifications._started

    async def started(*told: Any) -> asyncio.subprocess.Process:
        begun_here.append(await start(*told))
        return begun_here[-1]

    monkeypatch.setattr(verifications, "_started", started)
    app = an_app()

    async def leave() -> None:
        gone, sent = anyio.Event(), iter([{"type": "http.request", "body": with_photo, "more_body": False}])

        async def receive() -> dict[str, Any]:
            if (message := next(sent, None)) is not None:
                return message
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            gone.set()  # with the first that comes back

        await app(a_scope("10.0.0.1"), receive, send)  # type: ignore[arg-type]

    anyio.run(leave)
    assert [process.returncode for process in begun_here] == [-9]
