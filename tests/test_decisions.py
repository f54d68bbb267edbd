"""The list of decisions."""

import re
from pathlib import Path

DECISIONS = Path(__file__).parents[1] / "docs" / "decisions"


def test_every_decision_is_listed_by_its_number_and_title():
    listed = re.findall(r"\[(\d+)\]\(([^)]+)\) (.+)", (DECISIONS / "README.md").read_text("utf-8"))
    titles = {f.name: f.read_text("utf-8").splitlines()[0] for f in DECISIONS.glob("[0-9]*.md")}
    assert {name for _, name, _ in listed} == set(titles)
    for number, name, title in listed:
        assert titles[name] == f"# {number}. {title}"
