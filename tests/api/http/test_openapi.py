"""The committed description of the HTTP interface."""

from pathlib import Path

from api.http.openapi import description


def test_the_description_is_the_committed_one() -> None:
    committed = Path("docs/openapi.json").read_text(encoding="utf-8")
    assert description() == committed, "The interface has changed: python -m api.http.openapi > docs/openapi.json"
