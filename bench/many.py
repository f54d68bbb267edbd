"""`python bench/many.py` reads a folder of photos in several processes, and measures their share of time without reading.

    photos a second     of the command, from start to end
    alone               the same photos read one after the other by one warm process that does nothing else
    not reading         the share of the processes' time in which no photo was read: starting, opening the networks, waiting
                        for work, sending results, writing them

The photos are copies of `docs/sample-throw.jpg` under many names, each with different bytes. `--ways` lists numbers of
processes, and addresses of Dask clusters.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from api.cli.batch.run import Tally, run
from api.cli.batch.task import Task
from api.interpret.score_request import ScoreRequest
from vision.photo import load
from vision.reader import TableReader

ROOT = Path(__file__).parent.parent
OUT = Path(__file__).with_suffix(".json")
PHOTO = ROOT / "docs/sample-throw.jpg"
_ALONE = 50


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=10_000)
    parser.add_argument("--ways", default="1,2", help="numbers of processes, and addresses of clusters (default: 1,2)")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/many.json)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        photos = copies(Path(folder), options.photos)
        alone = reading_alone(photos[:_ALONE])
        ways = {
            way: measured(way, photos, Path(folder) / f"{at}.jsonl") for at, way in enumerate(options.ways.split(","))
        }
    told: dict[str, Any] = {
        "cores": os.cpu_count(),
        "photos": options.photos,
        "reading_alone_photos_per_second": round(alone, 2),
        "ways": ways,
    }
    options.out.write_text(json.dumps(told, indent=1) + "\n")
    _show(told)


def copies(folder: Path, count: int) -> list[str]:
    """Copies of the sample throw: trailing bytes after the picture make each file unique."""
    data = PHOTO.read_bytes()
    names = [str(folder / f"IMG_{number:06}.jpg") for number in range(count)]
    for number, name in enumerate(names):
        Path(name).write_bytes(data + f"{number}".encode())
    return names


def reading_alone(photos: list[str]) -> float:
    """Photos per second of one process that does nothing else, after the first."""
    reader = TableReader()
    reader.read(load(photos[0]))
    begun = time.perf_counter()
    for name in photos:
        reader.read(load(name))
    return len(photos) / (time.perf_counter() - begun)


def measured(way: str, photos: list[str], out: Path) -> dict[str, float]:
    """The figures of a run with several processes, or on a cluster."""
    tally: Tally = run(photos, Task(ScoreRequest()), int(way) if way.isdigit() else way, out, print)
    if tally.unread or tally.read != len(photos):
        raise SystemExit(f"{tally.read} of {len(photos)} photos were read by {way}.")
    told = {"seconds": round(tally.seconds, 2), "photos_per_second": round(tally.read / tally.seconds, 2)}
    if way.isdigit():
        told["share_not_reading"] = round(1 - tally.reading / (int(way) * tally.seconds), 4)
    return told


def _show(told: dict[str, Any]) -> None:
    table = Table("by", "seconds", "photos a second", "not reading", title=f"{told['photos']:,} photos")
    for way, row in told["ways"].items():
        share = f"{row['share_not_reading']:.1%}" if "share_not_reading" in row else ""
        table.add_row(way, f"{row['seconds']:.1f}", f"{row['photos_per_second']:.1f}", share)
    console = Console()
    console.print(table)
    console.print(f"One process that only reads: {told['reading_alone_photos_per_second']:.1f} photos a second.")


if __name__ == "__main__":
    main()
