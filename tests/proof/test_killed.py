"""The proofs of `tests.proof.kill`, `cut`, `two` and `several`, a few times each; by themselves they go on for longer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.store.cluster import programs
from tests.proof.cut import cut_off
from tests.proof.kill import killed
from tests.proof.postgres import Postgres, postgres
from tests.proof.proxies import program
from tests.proof.several import through_bad_times
from tests.proof.two import both_played


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    if programs() is None:
        pytest.skip("no PostgreSQL is installed here (initdb and pg_ctl)")
    with postgres() as running:
        yield running


def test_a_server_that_is_killed_has_lost_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    ledger = killed(3, tmp_path / "data")
    assert ledger.moves > 3
    assert ledger.unanswered > 0, "it was never killed in the middle of anything"


def test_the_same_on_postgresql(tmp_path: Path, database: Postgres) -> None:
    assert killed(2, tmp_path / "data", database.emptied(), seed=2).moves > 2


def test_a_server_whose_database_goes_away_has_lost_nothing_and_goes_on(tmp_path: Path, database: Postgres) -> None:
    ledger = cut_off(3, tmp_path / "data", database)
    assert ledger.moves > 3


def test_two_servers_with_one_database_lose_and_double_nothing_and_tell_all_viewers(
    tmp_path: Path, database: Postgres
) -> None:
    ledger = both_played(60, tmp_path / "data", database.emptied())
    assert ledger.moves >= 60
    assert ledger.refused > 0, "nobody was ever quicker than another"


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
def test_several_servers_behind_a_proxy_lose_nothing_when_one_is_killed_and_the_database_goes_away(
    tmp_path: Path, database: Postgres, proxy: str
) -> None:
    if program(proxy) is None:
        pytest.skip(f"{proxy} is not installed here")
    ledger = through_bad_times(proxy, 80, tmp_path, database)
    assert ledger.moves >= 80
    assert ledger.photos
