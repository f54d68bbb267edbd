"""Records and evidence that earlier versions wrote are read, with every score as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.evidence.verify import verify
from scorer.engine.record import Record

EARLIER = Path("tests/earlier")
ENDS = {
    "crib-dice": (73, (0,)),
    "cribbage-dice": (118, (0,)),
    "domino-cribbage": (92, (0,)),
    "farkle-crib": (120, (0,)),
}
"""Moves that count and winners, as version 0.1.0 had them when it wrote the records."""


@pytest.mark.parametrize("game", ENDS)
def test_a_record_of_the_first_version_loads_to_the_same_end(game: str) -> None:
    text = (EARLIER / "v0.1.0" / f"{game}.jsonl").read_text(encoding="utf-8")
    record = Record.load(text)
    assert record.result is not None
    assert (record.header.game, len(record.moves), record.result.winners) == (game, *ENDS[game])
    assert record.text == text
    assert len(record.lines) > len(record.moves) + 1, "something was taken back"


@pytest.mark.parametrize(
    ("name", "warned"),
    [
        # The report has looked different since format 2. The times of the first game were typed, and once go back.
        ("dice", {"report", "time-backwards"}),
        ("tiles", {"report"}),
    ],
)
def test_evidence_of_the_first_version_holds(name: str, warned: set[str]) -> None:
    verdict = verify(EARLIER / "v0.1.0" / f"{name}.zip", None)
    told = {finding.code: finding.level for finding in verdict.findings}
    # No reader is at hand in this test.
    expected = dict.fromkeys(("not-read-again", *warned), "warning")
    assert {code: level for code, level in told.items() if level != "ok"} == expected
    assert told.keys() >= {"files", "record", "head", "signature", "moves"}
