"""The service against its own description: generated requests to a real server; for those of live games see live/."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks

from api.http.app import create_app
from tests.api.http.games.running import Running, running

load_all_checks()
whole = schemathesis.openapi.from_dict(create_app(data=Path("unused")).openapi())
schema = whole.exclude(tag="live games")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("served")) as started:
        yield started


@schema.parametrize()
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_a_documented_one(case: schemathesis.Case[Any], served: Running) -> None:
    # The description cannot say which bytes are a photo, nor which dice are a throw: much of what fits it is refused.
    refused = schemathesis.checks.CHECKS.get_one("positive_data_acceptance")
    case.call_and_validate(base_url=served.url, excluded_checks=[refused])  # type: ignore[list-item]


def test_every_operation_has_a_description_that_is_tested() -> None:
    tested = [operation.ok().definition.raw for operation in schema.get_all_operations()]
    live = [operation.ok().definition.raw for operation in whole.include(tag="live games").get_all_operations()]
    described = [each for path in create_app(data=Path("unused")).openapi()["paths"].values() for each in path.values()]
    assert len(tested) + len(live) == len(described)
    assert all(each["summary"] and each["description"] for each in described)
