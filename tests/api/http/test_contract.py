"""The service against its own description: requests that schemathesis makes up, to a real server, by anybody and by a player.

schemathesis runs as a program of its own. As a plugin of pytest it makes its requests up while tests are collected: in every
process of the suite, whichever of them runs the tests.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.http.app import create_app
from api.http.links import LINKS
from tests.api.http.games.play import bearer
from tests.api.http.games.running import PATIENCE, Running, running

LIVE = "live games"
# The description cannot say which bytes are a photo, which moves are legal, which corrections fit, or who may know what.
UNSAYABLE = "positive_data_acceptance"
UNSAYABLE_OF_GAMES = "positive_data_acceptance,ignored_auth"
# The hooks put real moves and photos in the place of made-up ones, which schemathesis then takes for wrong.
UNSAYABLE_OF_REAL_MOVES = f"{UNSAYABLE_OF_GAMES},negative_data_rejection"
_STEPS = 20
"""Requests that may follow each other."""
_SECONDS = 120
"""Scenarios are made up for so long: schemathesis ends a round of them early, where an answer is another the second time."""
_FOLLOWED = 15
"""Links that are followed even where the machine does other things; each leads somewhere by `games/test_links.py`."""
_ENDS_WITHIN = 3600


@dataclass
class Described:
    """A server that runs, and what it says of itself.

    Attributes:
        running: the server.
        operations: of its description, each with its summary, description and tags.
        file: the description.
    """

    running: Running
    operations: list[Mapping[str, Any]]
    file: Path

    def live(self, *without: str) -> int:
        """How many operations are about live games."""
        return sum(LIVE in each["tags"] and each["operationId"] not in without for each in self.operations)

    def asked(self, *options: str, parameters: Mapping[str, str] | None = None, examples: int) -> int:
        """Ask it what schemathesis makes up: every answer must be one that is described. How many operations were tried."""
        said = self._ran("media_types", "examples,coverage,fuzzing", options, parameters, examples)
        tried = re.search(r"Tested: (\d+)", said)
        assert tried, said
        return int(tried[1])

    def followed(self, *options: str, examples: int) -> tuple[int, int]:
        """Follow the links from answer to answer, likewise: how many were followed, and how many there are."""
        said = self._ran("player_hooks", "stateful", (*options, "--max-time", str(_SECONDS)), None, examples)
        links = re.search(r"(\d+) covered / (\d+) selected", said)
        # A scenario that breaks, in the hooks for example, is no finding to schemathesis.
        assert links, said
        assert "errored" not in said, said
        print(said)  # shown where a test fails
        return int(links[1]), int(links[2])

    def _ran(
        self, hooks: str, phases: str, options: Sequence[str], parameters: Mapping[str, str] | None, examples: int
    ) -> str:
        settings = self.file.with_name("schemathesis.toml")
        known = "".join(f'{name} = "{told}"\n' for name, told in (parameters or {}).items())
        settings.write_text(
            f'hooks = "tests.api.http.{hooks}"\n[phases.stateful]\nmax-steps = {_STEPS}\n[parameters]\n{known}'
        )
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings), "run", str(self.file)]
        command += ["--url", self.running.url, "--request-timeout", str(PATIENCE), "--no-color"]
        command += ["--phases", phases, "--max-examples", str(examples)]
        command += ["--generation-deterministic", "--suppress-health-check", "all", "--warnings", "off", *options]
        # It writes beside it what it has found; the hooks are found from the root of the project.
        folder, path = self.file.parent, {**os.environ, "PYTHONPATH": str(Path.cwd())}
        done = subprocess.run(command, capture_output=True, text=True, timeout=_ENDS_WITHIN, cwd=folder, env=path)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    description = create_app(data=Path("unused")).openapi()
    file = tmp_path_factory.mktemp("description") / "openapi.json"
    file.write_text(json.dumps(description))
    operations = [each for path in description["paths"].values() for each in path.values()]
    with running(tmp_path_factory.mktemp("served")) as started:
        yield Described(started, operations, file)


@pytest.fixture(scope="module")
def game(described: Described) -> dict[str, Any]:
    games = f"{described.running.url}/v1/games"
    told: dict[str, Any] = httpx2.post(games, json={"game": "crib-dice", "players": ["Ann", "Ben"]}).json()
    with open("docs/sample-throw.jpg", "rb") as photo:
        shown = httpx2.post(
            f"{games}/{told['id']}/photos",
            files={"photo": photo},
            data={"lines": 1},
            headers=bearer(told["player"]),
            timeout=PATIENCE,
        )
    return {**told, "reading": shown.json()["reading"]["id"]}


@pytest.fixture(scope="module")
def links(described: Described) -> list[tuple[Mapping[str, Any], str, Mapping[str, Any]]]:
    """Each with the operation that it starts from and its name."""
    return [
        (each, name, link)
        for each in described.operations
        for response in each["responses"].values()
        for name, link in response.get("links", {}).items()
    ]


def test_every_operation_has_a_description(described: Described) -> None:
    assert all(each["summary"] and each["description"] for each in described.operations)


def test_every_answer_is_a_documented_one(described: Described) -> None:
    tried = described.asked("--exclude-tag", LIVE, "--exclude-checks", UNSAYABLE, examples=8)
    assert tried == len(described.operations) - described.live()


def test_what_anybody_is_answered_about_games_is_documented(described: Described) -> None:
    tried = described.asked("--include-tag", LIVE, "--exclude-checks", UNSAYABLE_OF_GAMES, examples=5)
    assert tried == described.live()


def test_what_a_player_is_answered_is_documented(described: Described, game: dict[str, Any]) -> None:
    tried = described.asked(
        *("--include-tag", LIVE, "--exclude-operation-id", "watch_game"),  # a stream that is let in does not end
        *("--header", f"authorization: {bearer(game['player'])['authorization']}"),
        # The ids below stand in place of made-up ones, of invalid ones too, which then are not refused.
        *("--exclude-checks", f"{UNSAYABLE_OF_GAMES},negative_data_rejection"),
        parameters={"game_id": game["id"], "reading_id": game["reading"]},
        examples=5,
    )
    assert tried == described.live("watch_game")


# Links


def test_every_link_leads_to_an_operation_with_what_is_in_its_path(
    described: Described, links: list[tuple[Mapping[str, Any], str, Mapping[str, Any]]]
) -> None:
    operations = {each["operationId"]: each for each in described.operations}
    assert {each["operationId"] for each, _, _ in links} == set(LINKS), "an operation of LINKS is no more"
    for source, name, link in links:
        target = operations[link["operationId"]]
        needed = {each["name"] for each in target.get("parameters", ()) if each["in"] == "path"}
        assert set(link["parameters"]) == needed, f"{source['operationId']} -> {name}"


def test_links_are_followed_in_real_games_and_every_answer_is_documented(described: Described) -> None:
    followed, there = described.followed(
        *("--exclude-operation-id", "watch_game"),  # a stream that is let in does not end
        *("--mode", "positive", "--exclude-checks", UNSAYABLE_OF_REAL_MOVES),
        examples=60,
    )
    assert there > 40
    assert followed >= _FOLLOWED
