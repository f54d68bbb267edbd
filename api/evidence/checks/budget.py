"""What a check of evidence may cost, and how much of what is in the zip it repeats."""

from __future__ import annotations

from dataclasses import dataclass

from api.evidence.reuse import MOST_COMPARED


@dataclass(frozen=True, slots=True)
class Budget:
    """What checking may cost; what is left undone for it is a finding.

    Attributes:
        lines: of the record; no game comes near.
        header: bytes of its first line: each player and each rule costs something with every move.
        line: bytes of any other.
        readings: kept beside it.
        corrections: of all of these together.
        compared: lines with a photo that are compared with each other.
        pixels: of all photos together.
        density: pixels that a byte of a photo may stand for; a camera's never stands for more than some tens.
        seconds: after which no further photo is looked at.
    """

    lines: int = 20_000
    header: int = 16_384
    line: int = 1_000_000
    readings: int = 10_000
    corrections: int = 20_000
    compared: int = MOST_COMPARED
    pixels: int = 10**10
    density: int = 1000
    seconds: float = 900.0


LONGEST_REASON = 200
"""Letters of a text in the zip that are repeated."""
MOST_TOLD = 20
"""Maximum number of files, lines or phones listed."""
