"""The evaluation sets: a single folder, or all sets in the folder of photos."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from datasets.labels.truth import Truth, UnknownFolderError, load

SETS = ("dice-dev", "dice-dev-2", "domino-dev", "d12-crops", "d12-dev", "backgrounds")
"""The evaluation sets in the folder of photos, in the order of the report."""
RENDERS = "renders"
CROPS = ("crops", "d12-crops")
"""Parts with hundreds of crops of one piece each: `--every` subsamples them, and no pooled figure includes them."""


@dataclass(frozen=True, slots=True)
class PhotoSet:
    """Photos that are measured and reported as one set. `whole`: no photo is left out, and no game is named."""

    name: str
    truths: tuple[Truth, ...]
    whole: bool = True


def find(folder: Path, renders: Path | None = None, only: Sequence[str] = (), every: int = 1) -> list[PhotoSet]:
    """The sets in a folder: each of `SETS` that it holds, or the folder itself; and the renders.

    `only` names sets (`dice-dev`) or parts of them (`domino-dev/board`); of the parts in `CROPS` every Nth picture is kept.

    Raises:
        UnknownFolderError: a folder holds nothing to measure on, or no set has a name in `only`.
    """
    folders = _folders(folder.resolve()) | ({RENDERS: renders} if renders else {})
    wanted = {name: [each for each in only if each.split("/")[0] == name] for name in folders}
    unknown = sorted(set(only) - {name for names in wanted.values() for name in names})
    if unknown:
        raise UnknownFolderError(f"No set is called {', '.join(unknown)}. There are: {', '.join(folders)}.")
    chosen = [name for name in folders if wanted[name] or not only]
    return [_thinned(_chosen(name, load(folders[name]), wanted[name]), every) for name in chosen]


def _folders(folder: Path) -> dict[str, Path]:
    found = {name: folder / name for name in SETS if (folder / name).is_dir()}
    if not found:
        return {folder.name: folder}
    missing = [name for name in SETS if name not in found]
    if missing:
        print(f"{folder} has no {', '.join(missing)}: left out.", file=sys.stderr)
    return found


def _chosen(name: str, truths: Sequence[Truth], wanted: Sequence[str]) -> PhotoSet:
    """The whole set, or its parts in `wanted`."""
    if not wanted or name in wanted:
        return PhotoSet(name, tuple(truths))
    parts = {truth.part for truth in truths}
    unknown = sorted(each for each in wanted if each.removeprefix(f"{name}/") not in parts)
    if unknown:
        raise UnknownFolderError(f"{name} has no part {', '.join(unknown)}. It has: {', '.join(sorted(parts))}.")
    kept = tuple(truth for truth in truths if f"{name}/{truth.part}" in wanted)
    return PhotoSet(name, kept, whole=len(kept) == len(truths))


def _thinned(photos: PhotoSet, every: int) -> PhotoSet:
    crops = [truth for truth in photos.truths if truth.part in CROPS]
    dropped = {truth.path for i, truth in enumerate(crops) if i % every}
    kept = tuple(truth for truth in photos.truths if truth.path not in dropped)
    return replace(photos, truths=kept, whole=photos.whole and not dropped)
