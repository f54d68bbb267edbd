"""`python bench/watch.py CLIP` measures how long `muggins watch` takes over a long film, and how much memory.

    python bench/watch.py api/demo/game.mp4               ten minutes in 1920x1080, 30 frames per second, the film repeated
    python bench/watch.py api/demo/game.mp4 --loop 1      an hour of it, for the memory

The clip is scaled once and its packets are repeated, so that the film is as costly to decode as one from a camera. The results
are the time, the share of frames on which the networks ran, the memory every ten seconds of the film, its growth per
minute (a linear fit over the second half of the film), and with --draw the cost of rendering the events' videos.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from av.packet import Packet
from av.video.frame import VideoFrame
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from api.film.analysis import look
from api.film.commentary import Commentary
from api.film.event_log import EventLog, LogHeader
from api.film.input.timecode import Span
from api.film.input.video import VideoFile
from api.film.output.movie import annotated, overlay
from api.film.output.scenes import scenes
from vision.photo import Pixels
from vision.reader import TableReader
from vision.watch.watcher import Watcher

OUT = Path(__file__).with_suffix(".json")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_MB = 1024 * 1024
_RATE = 30
_EVERY, _FEW = 10, 4
"""Seconds of the film between memory samples, and the least number of samples for a linear fit."""


def main() -> None:
    """Make the film, watch it, print, and write bench/watch.json, or with --loop bench/watch-loop.json."""
    options = _options()
    minutes = 60 * options.loop if options.loop else options.minutes
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        film = repeated(
            scaled(options.clip, Path(folder) / "scaled.mp4", options.height), Path(folder) / "film.mp4", minutes
        )
        measured = _measured(film, Path(folder), draw=options.draw)
    measured = {"cores": os.cpu_count(), "clip": options.clip.name, **measured}
    target = options.out or (OUT.with_stem("watch-loop") if options.loop else OUT)
    target.write_text(json.dumps(measured, indent=1) + "\n")
    _show(measured)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0, help="length of the film")
    parser.add_argument(
        "--loop", type=float, metavar="HOURS", help="loop the film for HOURS instead, to measure memory"
    )
    parser.add_argument("--height", type=int, default=1080, help="height of the film in pixels")
    parser.add_argument("--draw", action="store_true", help="also make --out and --overlay")
    parser.add_argument("--scratch", type=Path, help="folder for the film during the run")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


# The film


def scaled(clip: Path, target: Path, height: int) -> Path:
    """The clip's frames padded to 16:9, scaled to a height, at 30 per second (by repetition), encoded as by a camera."""
    with av.open(clip) as source, av.open(target, "w") as out:
        video = source.streams.video[0]
        times = max(1, round(_RATE / float(video.average_rate or _RATE)))
        made = out.add_stream("libx264", rate=_RATE, options={"preset": "veryfast"})
        made.width, made.height, made.pix_fmt = round(height * 16 / 18) * 2, height, "yuv420p"
        for frame in source.decode(video):
            wide = VideoFrame.from_ndarray(_widened(frame, made.width, height), format="rgb24")
            for _ in range(times):
                wide.pts = None
                out.mux(made.encode(wide))
        out.mux(made.encode(None))
    return target


def _widened(frame: VideoFrame, width: int, height: int) -> Pixels:
    """The frame centred in a wider one, with its edges extended."""
    inner = round(frame.width * height / frame.height)
    pixels = cv2.resize(frame.to_ndarray(format="rgb24"), (inner, height), interpolation=cv2.INTER_CUBIC)
    left = max(0, (width - inner) // 2)
    wide = cv2.copyMakeBorder(pixels, 0, 0, left, max(0, width - inner - left), cv2.BORDER_REPLICATE)
    return np.asarray(wide[:, :width], np.uint8)


def repeated(clip: Path, target: Path, minutes: float) -> Path:
    """The clip repeated without re-encoding, for at least this many minutes."""
    with av.open(clip) as source, av.open(target, "w") as out:
        video = source.streams.video[0]
        made = out.add_stream_from_template(video)
        length, base = video.duration, video.time_base
        assert length, "an MP4 tells its length"
        assert base, "and what it is counted in"
        for packet in _again(source, length, int(60 * minutes / (length * base)) + 1):
            packet.stream = made
            out.mux(packet)
    return target


def _again(source: av.container.InputContainer, length: int, times: int) -> Iterator[Packet[Any]]:
    for shift in range(0, times * length, length):
        source.seek(0)
        for packet in source.demux(source.streams.video[0]):
            if packet.pts is not None and packet.dts is not None:
                packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
                yield packet


# Measurements


def _measured(film: Path, folder: Path, *, draw: bool) -> dict[str, Any]:
    source = VideoFile.open(str(film), film)
    facts = source.facts
    header = LogHeader(facts.name, facts.mark, facts.size, facts.seconds, 0.0, None, 1, "", {})
    with closing(EventLog.create(folder / "events.jsonl", header)) as events:
        clock = Clock()
        watcher = Watcher(TableReader())
        memory = _sampled(reached.time for reached in look(source, events, watcher, Span()))
        watched = {
            "rolls": len(events.rolls),
            "frames": watcher.seen,
            "read": watcher.read,
            **clock.told(facts.seconds),
        }
        watched["processor_ms_a_frame"] = round(1000 * watched["processor_seconds"] / watcher.seen, 2)
        made = _drawn(source, events, folder) if draw else {}
    film_is = {"seconds": facts.seconds, "size": facts.size, "megabytes": round(film.stat().st_size / _MB, 1)}
    told = {"film": film_is, "watch": watched, "share_read": watcher.read / watcher.seen, **made}
    return {**told, "memory_mb_a_minute": growth(memory), "memory": memory}


class Clock:
    """Wall and CPU time since its creation."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def told(self, seconds: float | None) -> dict[str, float]:
        """The elapsed seconds, and the ratio to real time."""
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return {
            "seconds": round(wall, 1),
            "processor_seconds": round(cpu, 1),
            "times_real_time": (seconds or 0.0) / wall,
        }


def _sampled(moments: Iterable[float]) -> list[dict[str, float]]:
    """Memory at the start, every ten seconds of the film, and at its end."""
    told, at = [_memory(0.0)], 0.0
    for at in track(moments, "Watching", total=None, console=Console(stderr=True)):
        if at >= _EVERY * len(told):
            told.append(_memory(at))
    return [*told, _memory(at)]


def growth(memory: Sequence[Mapping[str, float]]) -> float | None:
    """The growth of memory in megabytes per minute of the film, over its second half; None if that is too short."""
    second_half = [each for each in memory if each["minute"] >= memory[-1]["minute"] / 2]
    if len(second_half) < _FEW:
        return None
    minutes, taken = ([each[key] for each in second_half] for key in ("minute", "now_mb"))
    return round(float(np.polyfit(minutes, taken, 1)[0]), 2)


def _memory(second: float) -> dict[str, float]:
    """The current and the peak memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"minute": round(second / 60, 3), "now_mb": round(pages * _PAGE / _MB, 1), "most_mb": round(peak, 1)}


def _drawn(source: VideoFile, events: EventLog, folder: Path) -> dict[str, Any]:
    playing = Commentary()
    for roll in events.rolls:
        playing.saw(roll)
    shown = scenes(events.events, [panel for _, panel in playing.rolls])
    told = {}
    for name, make, target in (("out", annotated, "out.mp4"), ("overlay", overlay, "overlay.webm")):
        clock = Clock()
        for _ in track(make(source, Span(), shown, folder / target), name, total=None, console=Console(stderr=True)):
            pass
        told[name] = clock.told(source.facts.seconds)
    return told


def _show(measured: dict[str, Any]) -> None:
    table = Table("", "seconds", "CPU seconds", "times real time", title=f"{measured['film']['seconds']:.0f} s of film")
    for name in ("watch", "out", "overlay"):
        if took := measured.get(name):
            times = (took["seconds"], took["processor_seconds"], took["times_real_time"])
            table.add_row(name, *(f"{each:.1f}" for each in times))
    console = Console()
    console.print(table)
    watched, first, last = measured["watch"], measured["memory"][0], measured["memory"][-1]
    console.print(f"{watched['rolls']} rolls; networks on {measured['share_read']:.1%} of the frames; ", end="")
    console.print(f"{watched['processor_ms_a_frame']} CPU ms per frame")
    console.print(
        f"Memory: {first['now_mb']:.0f} MB at first, {last['now_mb']:.0f} at the end, {last['most_mb']:.0f} at most; "
        f"growth in the second half {measured['memory_mb_a_minute']} MB per minute"
    )


if __name__ == "__main__":
    main()
