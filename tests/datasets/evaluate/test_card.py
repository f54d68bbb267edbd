import json
from pathlib import Path
from typing import Any

import pytest

from datasets.evaluate.measuring import groups, result_of, summary
from datasets.evaluate.report import card_with, write
from datasets.labels.truth import Piece, Truth
from vision.reading import Reading


@pytest.fixture
def report() -> dict[str, Any]:
    truth = Truth(Path("f"), "f", "dice-dev", "s", (Piece("d6", (1,)),))
    results = [result_of(truth, Reading("f", "0", 9, 9, (), (), {}, {}))]
    return {
        "models": {"locator": "abc"},
        "groups": {name: summary(group) for name, group in groups(results).items()},
        "reliability": [],
        "photos": [result.to_json() for result in results] * 2,
    }


def test_what_is_written_reads_back_with_a_photo_a_line(report: dict[str, Any], tmp_path: Path):
    write(report, tmp_path / "out.json")
    text = (tmp_path / "out.json").read_text()
    assert json.loads(text) == report
    assert sum('"file": "f"' in line for line in text.splitlines()) == 2


def test_only_the_folders_own_section_of_the_card_is_rewritten(report: dict[str, Any]):
    card = "a\n<!-- results x -->\nold\n<!-- /results x -->\nb\n<!-- results y -->\nold\n<!-- /results y -->\nc"
    new = card_with(card, "y", report)
    assert new.startswith(
        "a\n<!-- results x -->\nold\n<!-- /results x -->\nb\n<!-- results y -->\n| group | photos | exact |"
    )
    assert new.endswith("\n<!-- /results y -->\nc")
    assert "| pooled | 1 | 0 (0.0%) | 0.0% to 79.3% | 1 | 0 |" in new
    assert card_with(new, "y", report) == new


def test_a_card_without_the_section_is_an_error(report: dict[str, Any]):
    with pytest.raises(SystemExit, match="results z"):
        card_with("nothing", "z", report)
