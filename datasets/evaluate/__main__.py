"""`python -m datasets.evaluate PHOTOS` measures the shipped reader on photos whose pieces are known, and prints and writes it.

PHOTOS is the folder of all photos: every evaluation set in it is read (`datasets.evaluate.sets`), and the renders of
`--renders`. It may be a single set as well: dice-dev, domino-dev (or its board, mixed or crops alone), d12-crops, …
The figures are given by source and pooled; `measuring` defines each of them, and `matching` defines when a piece is right.

The readings of every photo go to FOLDER/SET.json with the FOLDER of `--out`, by default that of the networks. A set read only
in part (`--only SET/PART`, `--every N`), or for a game with some kinds of piece (`--kinds d12`), is written only if
`--out` is given. `--card models/CARD.md` writes the tables between the card's marks `<!-- results SET -->` and
`<!-- /results SET -->`.

`--clips FOLDER…` measures the watcher as well (`datasets.evaluate.clips`).

`--against RUN` compares with the JSON files of an earlier run, in a folder or in the `models/` of a commit. The exit code then is
0 if this run is better over all whole photos of new tables, 4 if it is worse, 3 if the difference may be chance
(`datasets.evaluate.against`). `--models FOLDER` measures the networks of another manifest than the shipped ones.

On d12-crops the dice classifier is also measured alone, on each whole crop, because a die that is cut out already needs no
detection (`reader_alone`). The other figures there are those of the whole pipeline, from file to reading.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from datasets.evaluate import against, clips, report, show
from datasets.evaluate.measuring import Result
from datasets.evaluate.report import Row
from datasets.evaluate.sets import PhotoSet, find
from datasets.evaluate.workers import Workers
from datasets.labels.truth import UnknownFolderError
from models import FOLDER, Manifest, ModelError, load_manifest
from scorer.engine.expected import pieces
from vision.detect.boxes import KINDS

T = TypeVar("T")
_READ_ALONE = "d12-crops"
_CONSOLE = Console(width=180, highlight=False)


def main() -> None:
    """Measure, write, print."""
    options = _options()
    try:
        sys.exit(_run(options))
    except (UnknownFolderError, against.UnknownRunError, ModelError) as error:
        raise SystemExit(str(error)) from error


def _options(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument(
        "--only", nargs="+", default=(), metavar="SET", help="only these sets, or SET/PART, of the folder"
    )
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="read only every Nth picture of the large sets of crops"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, help="read as in a game with any number of these pieces")
    parser.add_argument("--renders", type=Path, help="a folder of renders from a seed that was in no training")
    parser.add_argument("--clips", type=Path, nargs="+", default=(), help="folders of clips to watch as well")
    parser.add_argument("--against", metavar="RUN", help="a folder of results, or a commit, to compare with")
    parser.add_argument("--models", type=Path, default=FOLDER, help="the folder of the networks and their manifest")
    parser.add_argument("--out", type=Path, help="the folder for the figures (default: that of the networks)")
    parser.add_argument("--card", type=Path, help="a model card in which to rewrite the sections of these sets")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(words)
    if options.every < 1 or options.processes < 1:
        parser.error("--every and --processes must be at least 1.")
    return options


def _run(options: argparse.Namespace) -> int:
    """Do everything that the options ask for; returns the exit code."""
    found = find(options.photos, options.renders, options.only, options.every)
    if options.kinds:
        found = [dataclasses.replace(photos, whole=False) for photos in found]
    manifest = networks(options.models)
    # Loaded before anything is written: this run may write to the same place.
    before = against.earlier(options.against, [each.name for each in found]) if options.against else None
    films = clips.found(options.clips) if options.clips else []
    _check_card(options.card, found)
    measured, reports = _measured_all(found, manifest, options)
    if films:
        clips.measure(films, manifest, (options.out or options.models) / "clips.json", options.processes)
    if len(reports) > 1:
        _CONSOLE.print(show.table_of(report.overview(reports)))
    return against.show(_CONSOLE, against.compare(before, measured)).value if before is not None else 0


def _measured_all(
    found: Sequence[PhotoSet], manifest: Manifest, options: argparse.Namespace
) -> tuple[dict[str, list[Result]], dict[str, Row]]:
    """Read, write and print every set in turn: the results and the reports by name."""
    measured: dict[str, list[Result]] = {}
    reports: dict[str, Row] = {}
    expected = pieces(*options.kinds) if options.kinds else None
    with Workers(manifest, options.processes, expected) as workers:
        for photos in found:
            results, figures = _measured(photos, workers, manifest)
            measured[photos.name], reports[photos.name] = results, figures
            _keep(photos, figures, options)
            show.show(_CONSOLE, photos.name, figures, results)
    return measured, reports


def networks(folder: Path) -> Manifest:
    """The manifest in a folder, whose files lie beside it.

    Raises:
        models.ModelError: it is missing, or not a manifest.
    """
    manifest = load_manifest(folder / "manifest.json")
    return Manifest(
        tuple(dataclasses.replace(model, file=str(folder.resolve() / model.file)) for model in manifest.models)
    )


def _measured(photos: PhotoSet, workers: Workers, manifest: Manifest) -> tuple[list[Result], Row]:
    results = list(_shown(workers.read(photos.truths), len(photos.truths), photos.name))
    crops = [truth for truth in photos.truths if truth.part == _READ_ALONE]
    alone = list(_shown(workers.read_alone(crops), len(crops), f"{photos.name}, alone")) if crops else []
    return results, report.report_of(results, alone, manifest.hashes)


def _shown(items: Iterable[T], total: int, name: str) -> Iterator[T]:
    console = Console(stderr=True)
    return iter(track(items, f"{name:<18}", total, console=console, disable=not console.is_terminal))


# Written


def _check_card(card: Path | None, found: Iterable[PhotoSet]) -> None:
    """Check, before reading any photos, that the card has a place for each set and that each set is read as a whole."""
    for photos in found if card else ():
        assert card
        report.marks(card.read_text(), photos.name)
        if not photos.whole:
            raise SystemExit(
                f"--card needs all of {photos.name}, without a game: drop --every, --kinds and --only {photos.name}/…."
            )


def _keep(photos: PhotoSet, figures: Row, options: argparse.Namespace) -> None:
    if not photos.whole and not options.out:
        print(
            f"{photos.name}: read in part or in a game, not written. Name a folder with --out to write it.",
            file=sys.stderr,
        )
        return
    folder = options.out or options.models
    folder.mkdir(parents=True, exist_ok=True)
    report.write(figures, folder / f"{photos.name}.json")
    print(f"{photos.name}: {len(photos.truths)} photos, written to {folder / photos.name}.json", file=sys.stderr)
    if options.card:
        options.card.write_text(report.card_with(options.card.read_text(), photos.name, figures))


if __name__ == "__main__":
    main()
