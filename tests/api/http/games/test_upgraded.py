"""The data folder of a server of version 0.1.0, written by its own code, is served by this version, and its games go on."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from fastapi.testclient import TestClient

from api.evidence.verify import verify
from api.http.app import create_app
from scorer.engine.record import Record
from tests.api.http.games.play import bearer, code

FOLDER = Path("tests/earlier/v0.1.0/folder.zip")


@dataclass
class Upgraded:
    """This version's server on that folder.

    Attributes:
        told: what the phones of each game knew last: id, tokens, snapshot.
    """

    client: TestClient
    told: dict[str, dict[str, Any]]

    def get(self, game: str, path: str = "", role: str = "player") -> Any:
        known = self.told[game]
        return self.client.get(f"/v1/games/{known['id']}{path}", headers=bearer(known[role]))

    def plays(self, game: str, lines: int, move: str) -> Any:
        known = self.told[game]
        path = f"/v1/games/{known['id']}/moves"
        return self.client.post(path, json={"lines": lines, "move": move}, headers=bearer(known["player"]))


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    folder = tmp_path_factory.mktemp("earlier")
    with ZipFile(FOLDER) as packed:
        packed.extractall(folder)
    # As the server had it; a zip keeps no rights.
    (folder / "data/signing-key.pem").chmod(0o600)
    told = json.loads((folder / "told.json").read_text())
    with TestClient(create_app(data=folder / "data"), base_url="http://localhost") as client:
        yield Upgraded(client, told)


@pytest.mark.parametrize("game", ["photo", "hands"])
def test_a_game_stands_where_it_stood_and_both_links_are_good(upgraded: Upgraded, game: str) -> None:
    before = upgraded.told[game]["snapshot"]
    for role in ("player", "viewer"):
        now = upgraded.get(game, role=role).json()
        for name in ("lines", "game", "players", "moves", "to_act"):
            assert now[name] == before[name], name
        # The same key has signed the same head.
        assert now["head"] == before["head"]


def test_the_evidence_of_the_earlier_version_holds_and_names_what_was_corrected(upgraded: Upgraded) -> None:
    kept = upgraded.told["photo"]["snapshot"]["head"]
    evidence = upgraded.get("photo", "/evidence").content
    verdict = verify(io.BytesIO(evidence), None, heads=[kept["head"]], key=kept["key"])
    assert verdict.level != "wrong", verdict.findings
    codes = {finding.code for finding in verdict.findings if finding.level == "ok"}
    assert codes >= {"files", "record", "signature", "noted-head"}
    (corrected,) = (finding for finding in verdict.findings if finding.code == "corrected")
    # Nothing on the photo was in doubt, and a person changed it: the evidence of every version says so.
    assert (corrected.level, corrected.line) == ("warning", 4)
    assert "read as throw 1 1 2 3 5 6 without a doubt" in corrected.text


def test_it_is_played_on_and_the_record_is_one_chain(upgraded: Upgraded) -> None:
    before = upgraded.get("photo").json()
    now = upgraded.plays("photo", before["lines"], upgraded.get("photo").json()["offers"][0]["move"])
    assert now.status_code == 200, now.text
    record = Record.load(upgraded.get("photo", "/record").text, now.json()["snapshot"]["head"]["head"])
    assert record.entries[-1].by is not None, "this version notes who moved; the earlier one did not"
    assert record.entries[0].by is None
    evidence = upgraded.get("photo", "/evidence").content
    verdict = verify(io.BytesIO(evidence), None, heads=[before["head"]["head"]], key=before["head"]["key"])
    assert verdict.level != "wrong", verdict.findings


def test_hands_that_everybody_saw_are_hidden_from_who_watches(upgraded: Upgraded) -> None:
    assert "3-1" not in upgraded.get("hands", "/history", "viewer").text
    assert code(upgraded.get("hands", "/evidence", "viewer")) == (403, "hands-hidden")
    lines = upgraded.told["hands"]["snapshot"]["lines"]
    assert upgraded.plays("hands", lines, "discard 1-0 1-1").status_code == 200
