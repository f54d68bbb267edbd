"""`python -m datasets.evaluate.taught PHOTOS --house HOUSE --out bench/taught.json` measures the gain and the cost of profiles.

For every source of the sets in PHOTOS, and for every set of HOUSE (`datasets.generate.composite.house_sets`): some of its photos
are shown with their pieces labelled, as a person would, and the others are read: exact photos by number of photos shown. The
shown photos are drawn `--draws` times, at random; and as by people who follow what `muggins teach` asks for:
the first at random, each next one the photo with the most sides not shown yet. In addition: wrong teaching (two values
swapped; photos of another set), and all ordinary photos with twenty profiles loaded, which must change nothing.

Photos get the same passes as in normal reading; the closer looks are chosen without the profiles. The networks' outputs are
cached in `--cache`, so that another run with the same networks and code takes seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import vision
from datasets.evaluate.curves import pooled, svg
from datasets.evaluate.measuring import Result, result_of
from datasets.evaluate.sets import find
from datasets.evaluate.statistics import wilson
from datasets.labels.truth import Piece, Truth, load
from models import load_manifest
from vision.candidate import Candidate
from vision.classify.crop_network import Seen
from vision.classify.dice import DIE_KINDS, DiceReader, Face
from vision.classify.marks import MarkReader
from vision.classify.tiles import TileFace, TileReader
from vision.detect.detector import WEAK
from vision.levels import levelled
from vision.photo import Photo
from vision.photo import load as load_photo
from vision.reader import TableReader
from vision.reading import Point, Reading, middle_of
from vision.taught.labelling import Said, taught_from
from vision.taught.negatives import load_negatives
from vision.taught.pieces import TaughtKind, TaughtPiece
from vision.taught.profile import MOST_PIECES, Profile, missing
from vision.taught.taught import Taught

SHOWN = (0, 1, 3, 5, 10)
"""Numbers of photos shown."""
_FEWEST = 3
"""With fewer photos left to read, nothing is measured."""
_LOADED = 20
_CONSOLE = Console(width=160, highlight=False)


@dataclass
class Observation:
    """The networks' output on a photo, and the pieces that a person would show of it.

    Attributes:
        truth: the ground truth.
        photo: the photo without its pixels.
        candidates: the reader's candidates without any profile.
        dice: the dice network's output for the candidates that are dice; `ends`: that of the end network for the tiles.
        ends: see `dice`.
        shown: the pieces that a person would show.
    """

    truth: Truth
    photo: Photo
    candidates: list[Candidate]
    dice: Seen
    ends: Seen
    shown: list[TaughtPiece]


@dataclass
class Source:
    """Photos of the same pieces."""

    name: str
    seen: list[Observation] = field(default_factory=list)


class _Everything(TableReader):
    """A reader that keeps low-score candidates, too: profiles may know them."""

    @property
    def _min_score(self) -> float:
        return WEAK

    def _kept(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        return [*candidates]


class Measuring:
    """The networks, and readings made from their cached outputs."""

    def __init__(self, *, search: bool = True) -> None:
        """Open the networks. `search`: also search for pieces that the detector misses, which takes seconds per photo."""
        manifest = load_manifest()
        self.search = search
        self.reader = TableReader(manifest)
        self._everything = _Everything(manifest)
        marks = MarkReader(manifest["marks"])
        self.dice = DiceReader(manifest, marks)
        self.tiles = TileReader(manifest["ends"], marks)
        self.negatives = load_negatives(manifest)

    def observe(self, truth: Truth) -> Observation:
        """Run the networks on a photo."""
        photo = levelled(load_photo(truth.path))
        candidates = [*self._everything.closer(photo, self._everything.candidates(photo)).candidates]
        looked = self.reader.seen(photo, candidates)
        bare = replace(photo, pixels=np.zeros_like(photo.pixels))
        found = self.reader._kept(candidates)
        reading = self.reader.reading(photo, found)
        shown = taught_from(photo, found, _said(truth, result_of(truth, reading)), self.reader.faces)
        return Observation(truth, bare, candidates, *looked, shown)

    def taught(self, profiles: Sequence[Profile]) -> Taught:
        """The taught pieces of these profiles."""
        return Taught(profiles, self.dice, self.tiles, self.negatives)

    def reading(self, seen: Observation, taught: Taught | None) -> Reading:
        """Read the photo with the taught pieces."""
        found = self.reader._kept(seen.candidates if taught is None else known(seen, taught))
        if self.search and taught is not None and taught.templates.pieces:
            found += self.reader.with_taught(taught).searched(levelled(load_photo(seen.truth.path)), found)
        return self.reader.reading(seen.photo, found)

    def read(self, seen: Observation, taught: Taught | None) -> Result:
        """Read the photo and compare the reading with the ground truth."""
        return result_of(seen.truth, self.reading(seen, taught))


def known(seen: Observation, taught: Taught) -> list[Candidate]:
    """The candidates, with faces from profiles where these know better."""
    dice = [(each, each.face) for each in seen.candidates if isinstance(each.face, Face)]
    tiles = [(each, each.face) for each in seen.candidates if isinstance(each.face, TileFace)]
    scores = [each.detection.score for each, _ in dice]
    as_dice = taught.dice([face for _, face in dice], scores, seen.dice, DIE_KINDS)
    as_tiles = taught.tiles([face for _, face in tiles], seen.ends)
    return [
        *(replace(each, face=face) for (each, _), face in zip(dice, as_dice, strict=True)),
        *(replace(each, face=face) for (each, _), face in zip(tiles, as_tiles, strict=True)),
    ]


# What a person would show


def _said(truth: Truth, result: Result) -> list[Said]:
    """Every piece whose position is known or follows from the reading, and the extra readings."""
    pairs = [(piece, seen) for piece, seen in result.match.pairs if piece.face == seen.face]
    wrong = [(piece, seen) for piece, seen in result.match.pairs if piece.face != seen.face]
    placed = [piece for piece in truth.pieces if piece.placed]
    if placed:
        said = [Said(_kind(piece), piece.face, _middle(piece)) for piece in placed]
    else:
        # If several were misread, it is unknown which is which.
        said = [
            Said(_kind(piece), piece.face, seen.centre) for piece, seen in [*pairs, *(wrong if len(wrong) == 1 else ())]
        ]
    return said + [Said("other", (), seen.centre) for seen in result.match.extra]


def _kind(piece: Piece) -> TaughtKind:
    return piece.kind


def _middle(piece: Piece) -> Point:
    return middle_of(piece.outline) if piece.outline else piece.centre or (0.0, 0.0)


# Curves


Order = Callable[[Source, Sequence[int]], list[int]]
"""Chooses the order in which shuffled photos are shown."""


def by_chance(_source: Source, shuffled: Sequence[int]) -> list[int]:
    """In shuffled order."""
    return [*shuffled]


def as_asked(source: Source, shuffled: Sequence[int]) -> list[int]:
    """The first at random, then always the photo with the most sides and ends not shown yet."""
    left, order = [*shuffled], list[int]()
    profile = Profile("shown")
    while left:
        wanted = {(each.kind, side) for each in missing(profile) for side in each.sides}
        # `max` keeps the first of several, so where nothing is missing the shuffled order stays.
        best = max(left, key=lambda i: len(wanted & {(p.kind, v) for p in source.seen[i].shown for v in p.shows}))
        left.remove(best)
        order.append(best)
        profile = profile.with_pieces(source.seen[best].shown) if len(order) <= max(SHOWN) else profile
    return order


def can_be_asked(source: Source) -> bool:
    """Whether there are sides of dice or ends of tiles to ask for."""
    return any(piece.shows for seen in source.seen for piece in seen.shown)


def curve(measuring: Measuring, source: Source, draws: int, order: Order) -> list[dict[str, Any]]:
    """For each number of photos shown: how many of the others are exact, right, silently wrong, over all draws."""
    base = [measuring.read(seen, None) for seen in source.seen]
    rows = []
    for count in SHOWN:
        if len(source.seen) - count < _FEWEST:
            break
        rounds = [_round(measuring, source, base, count, draw, order) for draw in range(draws if count else 1)]
        rows.append(_row(count, rounds))
    return rows


def _round(
    measuring: Measuring, source: Source, base: Sequence[Result], count: int, draw: int, by: Order
) -> list[tuple[Result, Result]]:
    """The results before and after teaching, for every photo that was not shown."""
    order = by(source, np.random.default_rng((18, draw)).permutation(len(source.seen)).tolist())
    shown, rest = order[:count], sorted(order[count:])
    pieces = [piece for i in shown for piece in source.seen[i].shown]
    taught = measuring.taught([Profile("shown", tuple(pieces[:MOST_PIECES]))]) if pieces else None
    return [(base[i], measuring.read(source.seen[i], taught)) for i in rest]


def _row(count: int, rounds: Sequence[Sequence[tuple[Result, Result]]]) -> dict[str, Any]:
    pairs = [pair for each in rounds for pair in each]
    of = len(rounds[0])
    exact = sum(after.exact for _, after in pairs) / len(pairs)
    # The draws share their photos: the interval is that of a single draw.
    low, high = wilson(round(exact * of), of)
    return {
        "shown": count,
        "photos": of,
        "draws": len(rounds),
        "exact": round(exact, 4),
        "exact_before": round(sum(before.exact for before, _ in pairs) / len(pairs), 4),
        "wilson_95": [round(low, 4), round(high, 4)],
        "silent": round(sum(after.silent for _, after in pairs) / len(pairs), 4),
        "worse": sum(before.exact and not after.exact for before, after in pairs),
        "newly_silent": sum(after.silent and not before.silent for before, after in pairs),
    }


# Wrong teaching


def swapped(measuring: Measuring, source: Source) -> dict[str, Any]:
    """The effect of two swapped values: photos of the same source read with them, and how many become wrong without a doubt."""
    shown, rest = _to_show(source)
    pieces = [piece for seen in shown for piece in seen.shown]
    values = sorted({piece.shows[0] for piece in pieces if piece.kind in ("d6", "d12")})[:2]
    turned = dict(zip(values, values[::-1], strict=True)) if len(values) == 2 else {}
    wrong = [
        replace(piece, shows=(turned.get(piece.shows[0], piece.shows[0]),)) if piece.kind in ("d6", "d12") else piece
        for piece in pieces
    ]
    return _with_wrong(measuring, wrong, rest)


def something_else(measuring: Measuring, source: Source, other: Source) -> dict[str, Any]:
    """The effect of showing photos of another set by mistake, labelled with the pieces of the right ones."""
    shown, rest = _to_show(source)
    said = [piece for seen in shown for piece in seen.shown]
    pictured = [piece for seen in other.seen for piece in seen.shown if piece.kind == said[0].kind] if said else []
    pairs = zip((piece for piece in said if piece.kind == said[0].kind), pictured, strict=False)
    return _with_wrong(measuring, [replace(picture, shows=piece.shows) for piece, picture in pairs], rest)


_SHOWN_WRONGLY = 3
"""Number of photos shown."""


def _to_show(source: Source) -> tuple[list[Observation], list[Observation]]:
    """The photos to show, and the others."""
    order = np.random.default_rng((18, 0)).permutation(len(source.seen)).tolist()
    drawn = [source.seen[i] for i in order]
    return drawn[:_SHOWN_WRONGLY], drawn[_SHOWN_WRONGLY:]


def _with_wrong(measuring: Measuring, pieces: Sequence[TaughtPiece], rest: Sequence[Observation]) -> dict[str, Any]:
    """Photos read with and without a wrong profile, and how many of its pieces the networks contradict."""
    taught = measuring.taught([Profile("wrong", tuple(pieces[:MOST_PIECES]))]) if pieces else None
    pairs = [(measuring.read(seen, None), measuring.read(seen, taught)) for seen in rest]
    return {
        "photos": len(pairs),
        "noticed": len(taught.contradicted()) if taught else 0,
        "exact_before": sum(before.exact for before, _ in pairs),
        "exact": sum(after.exact for _, after in pairs),
        "silent_before": sum(before.silent for before, _ in pairs),
        "silent": sum(after.silent for _, after in pairs),
    }


# Ordinary photos with many profiles loaded


def loaded(measuring: Measuring, ordinary: Sequence[Source], house: Sequence[Source]) -> dict[str, Any]:
    """Ordinary photos with twenty profiles of other people's sets: pieces read differently, and the cost."""
    profiles = [
        Profile(source.name, tuple([p for seen in source.seen[:3] for p in seen.shown][:MOST_PIECES]))
        for source in house[:_LOADED]
    ]
    tracemalloc.start()
    begun = time.perf_counter()
    taught = measuring.taught(profiles)
    prepared, (kept, most) = time.perf_counter() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    changed, photos, spent = [], 0, 0.0
    for source in ordinary:
        for seen in source.seen:
            begun = time.perf_counter()
            after = measuring.reading(seen, taught)
            spent += time.perf_counter() - begun
            photos += 1
            before = measuring.reading(seen, None)
            if _shown(before) != _shown(after):
                changed.append(
                    {"file": seen.truth.file, "source": source.name, "before": _shown(before), "after": _shown(after)}
                )
    return {
        "profiles": len(profiles),
        "pieces": sum(len(profile.pieces) for profile in profiles),
        "bytes": sum(len(profile.data) for profile in profiles),
        "photos": photos,
        "changed": changed,
        "seconds_to_prepare": round(prepared, 2),
        "ms_a_photo": round(1000 * spent / max(1, photos), 2),
        "megabytes_kept": round(kept / 1e6, 1),
        "megabytes_at_most": round(most / 1e6, 1),
    }


def _shown(reading: Reading) -> list[str]:
    return [*(f"{die.kind} {die.value}" for die in reading.dice), *(tile.name for tile in reading.tiles)]


# Command


def sources_of(measuring: Measuring, name: str, truths: Sequence[Truth], cache: Path | None) -> list[Source]:
    """The photos of a set by source, with the networks' outputs."""
    key = f"{name.replace('/', '_').replace(' ', '_')}-{_digest(truths, measuring.search)}"
    file = cache / f"{key}.seen" if cache else None
    if file and file.exists():
        seen: list[Observation] = pickle.loads(file.read_bytes())
    else:
        seen = [measuring.observe(truth) for truth in track(truths, name, console=_CONSOLE)]
        if file:
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_suffix(".part")
            part.write_bytes(pickle.dumps(seen))
            part.replace(file)
    by_source: dict[str, list[Observation]] = defaultdict(list)
    for each in seen:
        by_source[each.truth.source].append(each)
    return [Source(f"{name}: {source}" if len(by_source) > 1 else name, each) for source, each in by_source.items()]


def _digest(truths: Sequence[Truth], search: bool) -> str:
    """A hash of everything that an observation depends on: the photos, their ground truth, the networks and the code."""
    code = (file.read_bytes() for file in sorted(Path(vision.__file__).parent.rglob("*.py")))
    told = repr((list(truths), search, load_manifest().hashes)).encode()
    return hashlib.sha256(b"".join((told, *code))).hexdigest()[:16]


def _with_something(truths: Sequence[Truth]) -> list[Truth]:
    """Photos with something readable, or without any piece: where all pieces are unreadable, any reading is right."""
    return [truth for truth in truths if truth.pieces or not truth.unclear]


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Everything that the options ask for, ready for JSON."""
    measuring = Measuring(search=options.search)
    ordinary = [
        source
        for photos in (find(options.photos, None, options.only, options.every) if options.photos else ())
        for source in sources_of(measuring, photos.name, photos.truths, options.cache)
    ]
    house = [
        source
        for folder in sorted(options.house.iterdir() if options.house else ())
        for source in sources_of(measuring, folder.name, _with_something(load(folder)), options.cache)
    ]
    every = [*ordinary, *house]
    return {
        "networks": load_manifest().hashes,
        "searched": options.search,
        "curves": {source.name: curve(measuring, source, options.draws, by_chance) for source in every},
        "curves_as_asked": {
            source.name: curve(measuring, source, options.draws, as_asked) for source in every if can_be_asked(source)
        },
        "swapped": {source.name: swapped(measuring, source) for source in house},
        # Taught with the set before it; the first with the last.
        "something_else": {
            source.name: something_else(measuring, source, house[i - 1]) for i, source in enumerate(house)
        },
        "loaded": loaded(measuring, ordinary, house) if ordinary and house else None,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, write, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="?")
    parser.add_argument("--house", type=Path, help="a folder of sets that were in no training")
    parser.add_argument("--only", nargs="+", default=("dice-dev", "dice-dev-2", "domino-dev/board", "domino-dev/mixed"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--cache", type=Path)
    parser.add_argument(
        "--no-search", dest="search", action="store_false", help="do not search for pieces that the detector misses"
    )
    parser.add_argument("--out", type=Path, required=True, help="JSON file; the curves are written beside it as SVG")
    options = parser.parse_args(arguments)
    results = measure(options)
    options.out.write_text(json.dumps(results, indent=1) + "\n")
    options.out.with_suffix(".svg").write_text(svg(pooled(results["curves"]), pooled(results["curves_as_asked"])))
    _CONSOLE.print(_table(results["curves"], "photos exact, with 95 % intervals"))
    _CONSOLE.print(_table(results["curves_as_asked"], "the same, for photos chosen as `muggins teach` asks"))
    _CONSOLE.print_json(json.dumps(results["swapped"]))
    _CONSOLE.print_json(json.dumps(results["something_else"]))
    _CONSOLE.print_json(json.dumps(results["loaded"]))


def _table(curves: dict[str, list[dict[str, Any]]], title: str) -> Table:
    table = Table("source", *(f"{count} shown" for count in SHOWN), "worse", title=title)
    for name, rows in curves.items():
        cells = [f"{row['exact']:.3f} ({row['wilson_95'][0]:.2f}-{row['wilson_95'][1]:.2f})" for row in rows]
        table.add_row(name[:50], *cells, *([""] * (len(SHOWN) - len(cells))), str(sum(row["worse"] for row in rows)))
    return table


if __name__ == "__main__":
    main()
