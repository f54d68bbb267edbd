"""`python bench/read.py ../shared/photos/dice-dev` reads the same photos in several ways in one run, side by side.

    muggins        file to Reading, end to end
    limit          JPEG decode (OpenCV, all pixels) plus one run of the bare detector (ONNX Runtime, and its boxes)
    exported       the same with the network as ultralytics exports it, with boxes for all places; `--exported` names the file,
                   such as models/detector.onnx of commit a95125c
    ultralytics    `YOLO(detector.pt).predict(file)`: the same network in torch (boxes only, no values); `--pt` names the weights
    blobs          threshold, blobs and clustering in OpenCV (bench/blob.py)

Times are medians over photos, each photo read by all ways in turn, after a warm-up; "of the limit" is the median of each photo's
time over the limit's time for the same photo, likewise "of the exported". Memory is measured in a separate process per way. The
12-megapixel JPEG is a photo of the folder enlarged to 4000 x 3000. Ways not installed or named are left out, with a note.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import blob
from datasets.evaluate.matching import compare
from datasets.evaluate.statistics import wilson
from vision.detect.detector import View

OUT = Path(__file__).with_suffix(".json")
_REST = 0.05
"""Pause in seconds before each way: the threads of the one before, above all ONNX Runtime's, otherwise keep spinning."""

Read = Callable[[Path], Sequence[int] | None]
"""A photo's values; None from a way that reads none."""


def muggins() -> Read:
    """The product."""
    from vision.photo import load
    from vision.reader import TableReader

    reader = TableReader()
    return lambda path: reader.read(load(path)).values


def limit() -> Read:
    """The lower bound for any reader with this network: decoding, and the network alone."""
    from models import load_manifest
    from vision.detect.detector import Detector

    return _bare(Detector(load_manifest()["detector"]).rows)


def exported(file: Path) -> Read:
    """Decoding and the network as ultralytics exports it, run in the usual way."""
    import onnxruntime

    from vision.threads import threads

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    session = onnxruntime.InferenceSession(file, options)
    return _bare(lambda view: session.run(None, {session.get_inputs()[0].name: view.tensor()}))


def _bare(run: Callable[[View], object]) -> Read:
    def read(path: Path) -> None:
        # The fastest decoder with unmodified pixels: Pillow takes half a millisecond longer or more.
        pixels = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION)
        run(View.of(np.asarray(pixels, np.uint8)))

    return read


def ultralytics(weights: Path) -> Read:
    """The same network, run by ultralytics."""
    os.environ["YOLO_OFFLINE"] = "true"
    from ultralytics import YOLO

    network = YOLO(weights)

    def read(path: Path) -> None:
        network.predict(str(path), imgsz=640, device="cpu", verbose=False)

    return read


def blobs() -> Read:
    """The method of most dice readers on the web."""

    def read(path: Path) -> Sequence[int]:
        with Image.open(path) as image:
            return blob.read_values(np.asarray(image.convert("RGB")))

    return read


def main() -> None:
    """Measure and print; `--out` also writes JSON."""
    options = _options()
    if options.memory_of:
        _print_memory(options)
        return
    entries = json.loads((options.folder / "dev.json").read_text())
    entries = [entry for entry in entries if not entry["same_camera_as_train"]][:: options.every]
    makers = _ways(options)
    with tempfile.TemporaryDirectory() as folder:
        big = Path(folder) / "12-megapixels.jpg"
        _enlarge(options.folder / entries[0]["file"], big)
        report: dict[str, Any] = {"photos": len(entries), "ways": _measure(makers, entries, options, big)}
        for name in makers:
            report["ways"][name]["peak_mb"] = _peak(name, options, big)
    _show(report)
    options.out.write_text(json.dumps(report, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pt", type=Path, help="the detector's torch weights, for ultralytics")
    parser.add_argument("--exported", type=Path, help="the detector as ultralytics exports it")
    parser.add_argument("--every", type=int, default=1, help="read only every Nth photo")
    parser.add_argument("--rounds", type=int, default=15, help="number of readings of the 12-megapixel photo")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/read.json)")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    parser.add_argument("--big", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _ways(options: argparse.Namespace) -> dict[str, Callable[[], Read]]:
    ways: dict[str, Callable[[], Read]] = {"muggins": muggins, "limit": limit, "blobs": blobs}
    if options.exported:
        ways["exported"] = lambda: exported(options.exported)
    if options.pt:
        ways["ultralytics"] = lambda: ultralytics(options.pt)
    return ways


def _measure(
    makers: dict[str, Callable[[], Read]], entries: list[dict[str, Any]], options: argparse.Namespace, big: Path
) -> dict[str, Any]:
    ways = {name: make() for name, make in makers.items()}
    for read in ways.values():
        read(options.folder / entries[0]["file"])
    times: dict[str, list[float]] = {name: [] for name in ways}
    exact: dict[str, list[bool]] = {name: [] for name in ways}
    console = Console(stderr=True)
    for entry in track(entries, "photos", console=console, disable=not sys.stderr.isatty()):
        for name, read in ways.items():
            seconds, values = _timed(read, options.folder / entry["file"])
            times[name].append(seconds)
            if values is not None:
                exact[name].append(bool(compare(entry["d6"], entry["ambiguous"], values)["exact"]))
    large: dict[str, list[float]] = {name: [] for name in ways}
    for _ in track(range(options.rounds), "12 megapixels", console=console, disable=not sys.stderr.isatty()):
        for name, read in ways.items():
            large[name].append(_timed(read, big)[0])
    bounds = [way for way in ("limit", "exported") if way in times]
    return {
        name: {
            "median_ms": round(1000 * statistics.median(times[name]), 1),
            **{f"median_of_{way}": round(_ratio(times[name], times[way]), 2) for way in bounds},
            "median_12mp_ms": round(1000 * statistics.median(large[name]), 1),
            "exact": sum(exact[name]) if exact[name] else None,
        }
        for name in ways
    }


def _ratio(seconds: Sequence[float], other: Sequence[float]) -> float:
    """The median over photos of this way's time over the other way's for the same photo."""
    return statistics.median(mine / its for mine, its in zip(seconds, other, strict=True))


def _timed(read: Read, path: Path) -> tuple[float, Sequence[int] | None]:
    time.sleep(_REST)
    start = time.perf_counter()
    values = read(path)
    return time.perf_counter() - start, values


def _enlarge(source: Path, target: Path) -> None:
    with Image.open(source) as image:
        wide = (
            image.convert("RGB")
            if image.width >= image.height
            else image.convert("RGB").transpose(Image.Transpose.ROTATE_90)
        )
        wide.resize((4000, 3000), Image.Resampling.LANCZOS).save(target, quality=90)


def _peak(name: str, options: argparse.Namespace, big: Path) -> float:
    """Peak memory in MB of a separate process that reads the 12-megapixel photo three times."""
    command = [sys.executable, __file__, str(options.folder), "--memory-of", name, "--big", str(big)]
    for given in ("pt", "exported"):
        command += [f"--{given}", str(file)] if (file := getattr(options, given)) else []
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def _print_memory(options: argparse.Namespace) -> None:
    read = _ways(options)[options.memory_of]()
    for _ in range(3):
        read(options.big)
    # Not `resource.getrusage`: its peak includes the parent's memory at the moment of the fork.
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(round(int(peak.split()[1]) / 1024, 1))


def _show(report: dict[str, Any]) -> None:
    table = Table(
        "way",
        "ms a photo",
        "of the limit",
        "of the exported",
        "ms at 12 MP",
        "of the limit at 12 MP",
        "peak MB",
        "photos exact",
        "Wilson 95 %",
        title=f"{report['photos']} photos",
    )
    bound = report["ways"]["limit"]["median_12mp_ms"]
    for name, row in report["ways"].items():
        low, high = wilson(row["exact"] or 0, report["photos"])
        exact = (
            ("-", "-")
            if row["exact"] is None
            else (f"{row['exact']} ({row['exact'] / report['photos']:.1%})", f"{low:.1%} to {high:.1%}")
        )
        table.add_row(
            name,
            str(row["median_ms"]),
            str(row["median_of_limit"]),
            str(row.get("median_of_exported", "-")),
            str(row["median_12mp_ms"]),
            f"{row['median_12mp_ms'] / bound:.2f}",
            str(row["peak_mb"]),
            *exact,
        )
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
