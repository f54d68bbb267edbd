"""Findings of a verification, and their verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Level = Literal["ok", "warning", "wrong"]
_RANK: tuple[Level, ...] = ("ok", "warning", "wrong")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        level: "ok"; "warning": a person should check; "wrong": it is false.
        code: stable kebab-case name.
        text: a sentence.
        line: of the record, from 1; 0 if it is not about a single line.
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
    """All findings, in the order of the checks."""

    findings: tuple[Finding, ...]

    @property
    def level(self) -> Level:
        """The worst level."""
        return max((finding.level for finding in self.findings), key=_RANK.index)

    def to_json(self) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`."""
        return {"level": self.level, "findings": [finding.to_json() for finding in self.findings]}
