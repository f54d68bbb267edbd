"""The files of clips, written atomically."""

from __future__ import annotations

import os
from pathlib import Path


def truth_file(out: Path, seed: int) -> Path:
    """The ground truth file of a seed's clip, whether it exists or not."""
    return out / f"{seed:04d}.json"


def write(target: Path, text: str) -> None:
    """Write atomically: under another name first."""
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    unfinished.write_text(text)
    unfinished.replace(target)
