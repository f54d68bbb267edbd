"""What came of checking evidence: findings, and the verdict that they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Level = Literal["ok", "warning", "wrong"]
_RANK: tuple[Level, ...] = ("ok", "warning", "wrong")


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one look.

    Attributes:
        level: "ok"; "warning": a person should look; "wrong": it is not what it says it is.
        code: stable kebab-case name.
        text: a sentence.
        line: of the record, counted from 1; 0 when it is about no single one.
    """

    level: Level
    code: str
    text: str
    line: int = 0

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {"level": self.level, "code": self.code, "text": self.text, "line": self.line or None}


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings, in the order of looking."""

    findings: tuple[Finding, ...]

    @property
    def level(self) -> Level:
        """The worst of them."""
        return max((finding.level for finding in self.findings), key=_RANK.index)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {"level": self.level, "findings": [finding.to_json() for finding in self.findings]}
