"""Where a training stands, in a file from which it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def keep(file: Path, parts: Mapping[str, Any], done: int) -> None:
    """Write the state of networks, optimisers and the like, and how much is done; if interrupted, the earlier file stays."""
    import torch

    part = file.with_suffix(".part")
    torch.save({"done": done, **{name: each.state_dict() for name, each in parts.items()}}, part)
    part.replace(file)


def resume(file: Path, parts: Mapping[str, Any]) -> int:
    """Bring them to the state in a file, and tell how much is done; 0 if there is none."""
    import torch

    if not file.exists():
        return 0
    state = torch.load(file)
    for name, each in parts.items():
        each.load_state_dict(state[name])
    return int(state["done"])
