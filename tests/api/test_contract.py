"""The service against its own description: generated requests, in process."""

from __future__ import annotations

from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks

from api.app import create_app

load_all_checks()
# In process it is called so.
schema = schemathesis.openapi.from_asgi("/openapi.json", create_app(names=["testserver"]))


@schema.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_a_documented_one(case: schemathesis.Case[Any]) -> None:
    # The description cannot say which bytes are a photo, so most of what fits it is refused, and rightly.
    refused_photos = schemathesis.checks.CHECKS.get_one("positive_data_acceptance")
    case.call_and_validate(excluded_checks=[refused_photos])  # type: ignore[list-item]
