"""`python -m datasets.evaluate.clips CLIPS…` measures the shipped watcher on clips with ground truth.

CLIPS are folders of clips: `NNNN.mp4` with `NNNN.json` beside it, as `python -m datasets.generate.clips` writes them, or with one
`events.json`, as in ../shared/photos/clips. Give clips of seeds that were not used for tuning. The figures go to `--out`,
models/clips.json by default, with every roll.

What is counted
    rolls                throws that came to rest, by the ground truth
    found                throws counted while the dice lay still, each at most once
    early                found throws counted less than a second before everything was still, by the ground truth, with
                         the final values: simulated dice creep by less than a pixel for a while
    missed               throws not counted while the dice lay still
    doubled              throws counted again while the dice lay still
    phantom              everything else that was counted
    exact                found, and all values on the table read right; `thrown exact`: and the thrown dice identified
    silent               found, not exact, and without any doubt
    delay                from the frame in which everything is still to that in which the roll is counted, in seconds
    networks             share of the frames on which the networks ran
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from datasets.evaluate.measuring import interval
from datasets.evaluate.report import write
from datasets.evaluate.workers import Workers
from models import FOLDER, Manifest, ModelError, load_manifest
from scorer.engine.expected import pieces
from vision.detect.boxes import Kind
from vision.reader import TableReader
from vision.watch.watcher import Frame, Roll, Watcher

_SLACK = 0.2
"""Seconds by which ground truth given in frames may be late: the real clip's is accurate to five frames."""
_SUBSTITUTES: Mapping[Kind, tuple[Kind, ...]] = {"d12": ("d6",)}
"""Kinds that a game with these pieces accepts as substitutes."""
_CREEPING = 1.0
"""Seconds for which dice that seem still may creep."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """The ground truth of a throw.

    `begun` is the frame in which the first die flew, `first` and `last` are the first and last frame in which all lay still;
    `values` are those of all dice on the table, `thrown` those of the thrown dice.
    """

    begun: int
    first: int
    last: int
    values: tuple[int, ...]
    thrown: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Clip:
    """A clip, its throws, and the kind of its dice (d6 unless stated)."""

    path: Path
    fps: float
    rolls: tuple[Thrown, ...]
    kind: Kind = "d6"


@dataclass(frozen=True, slots=True)
class Watched:
    """The watcher's result on a clip: the roll counted for each throw, and the rolls that match none."""

    clip: Clip
    found: Mapping[int, Roll]
    """By the throw's index in the clip."""
    doubled: tuple[Roll, ...]
    phantom: tuple[Roll, ...]
    frames: int
    read: int


def main() -> None:
    """Measure, write, print."""
    options = _options()
    try:
        measure(found(options.clips), load_manifest(), options.out, options.processes)
    except ModelError as error:
        raise SystemExit(str(error)) from error


def found(folders: Iterable[Path]) -> list[Clip]:
    """The clips of all the folders.

    Raises:
        SystemExit: there are none.
    """
    clips = [clip for folder in folders for clip in load(folder)]
    if not clips:
        raise SystemExit(
            "There are no clips with their truth beside them. Make some with `python -m datasets.generate.clips`."
        )
    return clips


def measure(clips: Sequence[Clip], manifest: Manifest, out: Path, processes: int = 1) -> None:
    """Watch the clips in parallel processes, write and print the figures.

    Raises:
        models.ModelError: a network file is missing or damaged.
    """
    with Workers(manifest, processes) as workers:
        watched = list(_shown(workers.each(watch, clips), len(clips)))
    figures = {name: summary(group) for name, group in _groups(watched).items()}
    rolls = [row for each in watched for row in _rows(each)]
    write({"models": manifest.hashes, "groups": figures, "rolls": rolls}, out)
    _show(figures, watched)
    print(f"written to {out}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=FOLDER / "clips.json", help="file for the figures")
    parser.add_argument("--processes", type=int, default=2, help="films watched in parallel, each by one thread")
    options = parser.parse_args()
    if options.processes < 1:
        parser.error("--processes must be at least 1.")
    return options


def _shown(watched: Iterator[Watched], count: int) -> Iterable[Watched]:
    console = Console(stderr=True)
    return track(watched, "watching", total=count, console=console, disable=not sys.stderr.isatty())


# Truth


def load(folder: Path) -> Iterator[Clip]:
    """The clips of a folder with their throws, by name."""
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        if isinstance(truth, list):
            for video in sorted({event["video"] for event in truth}):
                events = [event for event in truth if event["video"] == video]
                yield _clip(folder / video, events[0]["fps"], events)
        elif "events" in truth:
            yield _clip(folder / truth["video"], truth["fps"], truth["events"])


def _clip(path: Path, fps: float, events: Sequence[Mapping[str, Any]]) -> Clip:
    rolls = [each for each in events if each.get("kind", "roll") == "roll"]
    kinds = [piece["kind"] for roll in rolls for piece in roll.get("pieces", ())]
    return Clip(path, fps, tuple(_thrown(roll) for roll in rolls), "d12" if "d12" in kinds else "d6")


def _thrown(event: Mapping[str, Any]) -> Thrown:
    thrown = tuple(sorted(event["thrown"])) if "thrown" in event else None
    settled = event["settled_from_frame"]
    return Thrown(
        event.get("thrown_from_frame", settled),
        settled,
        event["settled_to_frame"],
        tuple(sorted(event["values"])),
        thrown,
    )


# Watching


def watch(clip: Clip, manifest: Manifest) -> Watched:
    """Watch a clip with its game's pieces known, as `muggins watch --game` does, and compare.

    Raises:
        models.ModelError: a network file is missing or damaged.
    """
    watcher = Watcher(TableReader(manifest, pieces(clip.kind, substitutes=_SUBSTITUTES.get(clip.kind, ()))))
    events = [event for frame in frames(clip.path) for event in watcher.see(frame)]
    rolls = [event for event in (*events, *watcher.finish()) if isinstance(event, Roll)]
    return compared(clip, rolls, watcher.seen, watcher.read)


def frames(path: Path) -> Iterator[Frame]:
    """The frames of a video."""
    with av.open(path) as video:
        for number, frame in enumerate(video.decode(video=0)):
            yield Frame(np.asarray(frame.to_ndarray(format="rgb24"), np.uint8), number, float(frame.time or 0.0))


def compared(clip: Clip, rolls: Sequence[Roll], seen: int, read: int) -> Watched:
    """Match the counted rolls to the throws."""
    found: dict[int, Roll] = {}
    doubled, phantom = [], []
    for roll in rolls:
        at = max((i for i, true in enumerate(clip.rolls) if _is(roll, true, clip.fps)), default=None)
        if at is None:
            phantom.append(roll)
        elif at in found:
            doubled.append(roll)
        else:
            found[at] = roll
    return Watched(clip, found, tuple(doubled), tuple(phantom), seen, read)


def _is(roll: Roll, true: Thrown, fps: float) -> bool:
    slack = round(_SLACK * fps)
    return true.first - slack <= roll.counted_frame <= true.last + slack or _early(roll, true, fps)


def _early(roll: Roll, true: Thrown, fps: float) -> bool:
    begun = max(true.begun, true.first - round(_CREEPING * fps))
    return begun < roll.counted_frame < true.first - round(_SLACK * fps) and _exact(true, roll)


# Figures


def _groups(watched: Sequence[Watched]) -> dict[str, list[Watched]]:
    groups: dict[str, list[Watched]] = {}
    for each in watched:
        groups.setdefault(each.clip.path.parent.name, []).append(each)
    return {**groups, "pooled": list(watched)} if len(groups) > 1 else groups


def summary(watched: Sequence[Watched]) -> dict[str, Any]:
    """The figures of a group of clips."""
    rolls = sum(len(each.clip.rolls) for each in watched)
    pairs = [(each.clip, each.clip.rolls[i], roll) for each in watched for i, roll in each.found.items()]
    exact = sum(_exact(true, roll) for _, true, roll in pairs)
    apart = [_apart(true, roll) for _, true, roll in pairs if true.thrown is not None]
    delays = sorted(roll.counted_time - true.first / clip.fps for clip, true, roll in pairs)
    seen, read = sum(each.frames for each in watched), sum(each.read for each in watched)
    return {
        "clips": len(watched),
        "seconds": round(sum(each.frames / each.clip.fps for each in watched), 1),
        "rolls": rolls,
        "found": len(pairs),
        "found_wilson_95": interval(len(pairs), rolls),
        "early": sum(_early(roll, true, clip.fps) for clip, true, roll in pairs),
        "missed": rolls - len(pairs),
        "doubled": sum(len(each.doubled) for each in watched),
        "doubled_wilson_95": interval(sum(bool(each.doubled) for each in watched), len(watched)),
        "phantom": sum(len(each.phantom) for each in watched),
        "phantom_wilson_95": interval(sum(bool(each.phantom) for each in watched), len(watched)),
        "exact": exact,
        "exact_wilson_95": interval(exact, len(pairs)),
        "thrown_told": len(apart),
        "thrown_exact": sum(apart),
        "thrown_exact_wilson_95": interval(sum(apart), len(apart)),
        "silent": sum(roll.reading.sure and not _exact(true, roll) for _, true, roll in pairs),
        "delay_median": round(statistics.median(delays), 3) if delays else None,
        "delay_90": round(delays[int(0.9 * (len(delays) - 1))], 3) if delays else None,
        "delay_most": round(delays[-1], 3) if delays else None,
        "frames": seen,
        "networks_share": round(read / max(1, seen), 4),
    }


def _exact(true: Thrown, roll: Roll) -> bool:
    return tuple(sorted(roll.reading.values)) == true.values


def _apart(true: Thrown, roll: Roll) -> bool:
    return _exact(true, roll) and tuple(sorted(roll.thrown)) == true.thrown


def _rows(watched: Watched) -> Iterator[dict[str, Any]]:
    clip = watched.clip
    for i, true in enumerate(clip.rolls):
        roll = watched.found.get(i)
        row = {"clip": clip.path.name, "settled_frame": true.first, "values": true.values, "thrown": true.thrown}
        yield {**row, **(_roll_json(roll) if roll else {"verdict": "missed"})}
    for verdict, rolls in (("doubled", watched.doubled), ("phantom", watched.phantom)):
        yield from ({"clip": clip.path.name, **_roll_json(roll), "verdict": verdict} for roll in rolls)


def _roll_json(roll: Roll) -> dict[str, Any]:
    return {
        "verdict": "found",
        "counted_frame": roll.counted_frame,
        "read": sorted(roll.reading.values),
        "read_thrown": sorted(roll.thrown),
        "confidence": round(roll.confidence, 4),
        "doubts": [doubt.reason for doubt in roll.reading.doubts],
    }


# Printed


def _show(groups: Mapping[str, Mapping[str, Any]], watched: Sequence[Watched]) -> None:
    console = Console(width=150, highlight=False)
    table = Table("", *groups, title="the watcher, from frames to rolls")
    for key in next(iter(groups.values())):
        table.add_row(key.replace("_", " "), *(str(group[key]) for group in groups.values()))
    console.print(table)
    for each in watched:
        for row in _rows(each):
            if row["verdict"] != "found" or row["read"] != list(row["values"]):
                console.print(" ".join(f"{key}={value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
