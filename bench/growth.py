"""`python -m bench growth` measures how time grows with the size of the work, fits the exponent, and plots it.

    dice      1 to 60 dice in a picture: reading it
    photos    up to 10,000 photos in a folder: `muggins read FOLDER --workers 1 --out FILE`, and the peak of memory so far
    play      up to 10,000 moves in a game: making all of them
    load      up to 10,000 moves in a game: loading its record, every line checked
    store     up to 10,000 moves in a game: storing one more move
    list      up to 100,000 games in a store: the first page of the list, and one from its middle
    viewers   up to 500 viewers of one game's stream: twenty moves, each seen by all
    cameras   up to 8 cameras on one server, each over its own game: ten seconds of the demo film

The exponent is the slope of a least-squares line through the logarithms of size and time: 1 is linear, 2 quadratic, 0 no
growth. A fixed cost hides growth at small sizes, so it is fitted both for the larger half of the sizes and for all of them.
`store` is the cost of one move, so a whole game is linear if that does not grow. Times are CPU times, the minimum of
several rounds, which other programs disturb least. That of `photos` covers the command and its reader process, measured once;
those of `viewers` and `cameras` cover a real server and its reader process, measured once, without the clients.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from PIL import Image
from rich.console import Console
from rich.table import Table

from api.cli.batch.run import run
from api.cli.batch.task import Task
from api.interpret.score_request import ScoreRequest
from api.store.store import Store
from bench.growing_server import cameras, viewers
from bench.machine import machine
from bench.page import new_plot, page, svg
from bench.page import table as html_table
from bench.point import Point
from scorer.engine.record import Header, Record
from scorer.games.registry import GAMES
from tests.scorer.randomly import random_move
from vision.photo import of_frame
from vision.reader import TableReader

OUT = Path(__file__).with_suffix(".json")
_GAME = "farkle"
_ROUNDS = 5
_PAGE = 50
_STEEP = 1.15
"""Exponents above are reported as worse than linear; below, noise alone may explain them."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth of one kind of work.

    Attributes:
        name: name of the work.
        what: the unit of size.
        points: the measurements, by rising size.
        each: whether the time is that of one more unit, not of all.
    """

    name: str
    what: str
    points: tuple[Point, ...]
    each: bool = False

    @property
    def exponent(self) -> float:
        """The exponent for the larger half of the sizes."""
        half = max(2, (len(self.points) + 1) // 2)
        return exponent(self.points[-half:])

    @property
    def linear(self) -> bool:
        """Whether the total time grows at most linearly."""
        return self.exponent + self.each <= _STEEP

    def to_json(self) -> dict[str, Any]:
        """The points and both exponents."""
        both = {"exponent": round(self.exponent, 3), "exponent_of_all": round(exponent(self.points), 3)}
        return {"what": self.what, **both, "points": [asdict(point) for point in self.points]}


def exponent(points: Sequence[Point]) -> float:
    """The slope of the least-squares line through the logarithms."""
    sizes, seconds = (np.log([getattr(point, name) for point in points]) for name in ("size", "seconds"))
    return float(np.polyfit(sizes, seconds, 1)[0])


def main(arguments: Sequence[str]) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(
        prog="python -m bench growth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", type=lambda text: text.split(","), default=list(WORK), help=f"some of {', '.join(WORK)}"
    )
    parser.add_argument("--most", type=int, help="largest size, for a short run")
    parser.add_argument(
        "--out",
        type=Path,
        default=OUT,
        help="file for the figures, with the page beside it (default: bench/growth.json)",
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.only) - WORK.keys():
        parser.error(f"unknown work: {', '.join(sorted(unknown))}; choose from {', '.join(WORK)}")
    console = Console(highlight=False)
    found = []
    for name in options.only:
        what, sizes, measure = WORK[name]
        chosen = [size for size in sizes if size <= (options.most or sizes[-1])]
        if len(chosen) < 2:
            parser.error(f"--most leaves fewer than two sizes of {name}; they begin with {sizes[0]} and {sizes[1]}")
        with console.status(f"{name}, to {chosen[-1]:,} {what}"):
            points = tuple(_told(measure(chosen), f"{name}, {what}", console))
        found.append(Growth(name, what, points, each=name == "store"))
    told = {"machine": machine(), "growth": {each.name: each.to_json() for each in found}}
    options.out.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    options.out.with_suffix(".html").write_text(_page(found), "utf-8")
    _show(found, console)
    return 0


def _told(points: Iterable[Point], what: str, console: Console) -> Iterator[Point]:
    """The points, each printed once it is measured: the largest sizes take minutes."""
    for point in points:
        console.print(f"{what}: {point.size:,} in {point.seconds:.3g} s. {point.note}".rstrip(), style="dim")
        yield point


# Measurements


def dice(sizes: Sequence[int]) -> Iterator[Point]:
    """Reading dice in a picture of 1920 x 1440."""
    reader = TableReader()
    for size in sizes:
        photo = of_frame(_dice_picture(size), "dice")
        reading = reader.read(photo)
        yield Point(size, _least(partial(reader.read, photo)), f"{len(reading.dice)} read")


@cache
def _die() -> Image.Image:
    """A die of the sample throw, with the table around it."""
    with Image.open(Path(__file__).parent.parent / "docs/sample-throw.jpg") as photo:
        pixels = np.asarray(photo.convert("RGB"))
    first = TableReader().read(of_frame(pixels, "sample")).dice[0]
    across, down = zip(*first.box, strict=True)
    middle, side = (sum(across) / 4, sum(down) / 4), 0.75 * max(max(across) - min(across), max(down) - min(down))
    left, top = (round(each - side) for each in middle)
    cut = Image.fromarray(pixels).crop((left, top, left + round(2 * side), top + round(2 * side)))
    return cut.resize((190, 190), Image.Resampling.LANCZOS)


def _dice_picture(count: int) -> Any:
    die = _die()
    picture = Image.new("RGB", (1920, 1440), die.getpixel((2, 2)))
    for at in range(count):
        picture.paste(die, (at % 10 * 192, at // 10 * 240))
    return np.asarray(picture)


def photos(sizes: Sequence[int]) -> Iterator[Point]:
    """Reading small photos in a folder."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            names = [f"{folder}/IMG_{number:06}.png" for number in range(size)]
            for number, name in enumerate(names):
                Image.new("RGB", (64, 48), (number % 256, number // 256, 99)).save(name)
            begun = _with_children()
            run(names, Task(ScoreRequest()), 1, Path(folder) / "out.jsonl", print)
            taken = _with_children() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield Point(size, taken, f"{peak:.0f} MB at most")


def _with_children() -> float:
    """CPU seconds of this process and its finished child processes."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def play(sizes: Sequence[int]) -> Iterator[Point]:
    """Making all moves of a game."""
    record = _game(sizes[-1])
    for size in sizes:
        yield Point(size, _least(partial(_replayed, record, size), rounds=3))


def _replayed(record: Record, moves: int) -> Record:
    again = Record.begin(record.header)
    for move in record.moves[:moves]:
        again = again.play(move)
    return again


def load(sizes: Sequence[int]) -> Iterator[Point]:
    """Loading a record from its text."""
    record = _game(sizes[-1])
    for size in sizes:
        text = "".join(f"{line}\n" for line in record.lines[: size + 1])
        yield Point(size, _least(partial(Record.load, text), rounds=3))


def store(sizes: Sequence[int]) -> Iterator[Point]:
    """Storing one more move in a game of each size: the minimum of twenty."""
    record = _game(sizes[-1] + 20)
    with tempfile.TemporaryDirectory() as folder:
        kept = Store.open(None, Path(folder))
        for size in sizes:
            part = _replayed(record, size)
            game = kept.begin(part)
            taken = []
            for move in record.moves[size : size + 20]:
                begun = time.process_time()
                game = kept.append(game, game.record.play(move))
                taken.append(time.process_time() - begun)
            yield Point(size, min(taken))
        kept.close()


def listed(sizes: Sequence[int]) -> Iterator[Point]:
    """Loading two pages of the list of games."""
    record = _game(1)
    ids: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        kept = Store.open(None, Path(folder))
        for size in sizes:
            while len(ids) < size:
                ids.append(kept.begin(record).id)
            middle = ids[len(ids) // 2]
            yield Point(size, _least(partial(_two_pages, kept, middle)))
        kept.close()


def _two_pages(kept: Store, middle: str) -> None:
    kept.games(_PAGE)
    kept.games(_PAGE, middle)


@cache
def _game(moves: int) -> Record:
    """A game with this many moves: many players, a far target, and random throws."""
    game, random = GAMES[_GAME], Random(1)
    names = tuple(f"Player {number}" for number in range(1, 13))
    rules = game.rules.from_texts(("target=100000",))
    record = Record.begin(Header(_GAME, rules, names, "2026-11-21T20:15:00+00:00"))
    while len(record.moves) < moves:
        if record.result is not None:
            raise SystemExit(f"The game of {_GAME} was over after {len(record.moves)} moves, but {moves} are needed.")
        record = record.play(random_move(game, record.state, random))
    return record


def _least(work: Callable[[], object], rounds: int = _ROUNDS) -> float:
    work()
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


WORK: dict[str, tuple[str, tuple[int, ...], Callable[[Sequence[int]], Iterator[Point]]]] = {
    "dice": ("dice in the picture", (1, 2, 4, 8, 15, 30, 60), dice),
    "photos": ("photos in a folder", (30, 100, 300, 1000, 3000, 10_000), photos),
    "play": ("moves in a game", (100, 300, 1000, 3000, 10_000), play),
    "load": ("moves in a game", (100, 300, 1000, 3000, 10_000), load),
    "store": ("moves in a game", (100, 300, 1000, 3000, 10_000), store),
    "list": ("games in a store", (100, 300, 1000, 3000, 10_000, 30_000, 100_000), listed),
    "viewers": ("viewers of a stream", (1, 10, 30, 100, 200, 350, 500), viewers),
    "cameras": ("cameras on a server", (1, 2, 4, 8), cameras),
}
"""By name: the unit of the size, the sizes, and the measuring function."""


# Output


def _show(found: Sequence[Growth], console: Console) -> None:
    table = Table("work", "sizes", "seconds", "exponent", "of all sizes", "", "seen")
    for each in found:
        table.add_row(*_row(each))
    console.print(table)


def _row(each: Growth) -> tuple[str, ...]:
    first, last = each.points[0], each.points[-1]
    verdict = "linear or better" if each.linear else "worse than linear"
    sizes = f"{first.size:,} to {last.size:,} {each.what}"
    seconds = f"{first.seconds:.3g} to {last.seconds:.3g}"
    return each.name, sizes, seconds, f"{each.exponent:.2f}", f"{exponent(each.points):.2f}", verdict, last.note


def _page(found: Sequence[Growth]) -> str:
    head = ("work", "sizes", "seconds", "exponent", "of all sizes", "", "seen at the largest")
    return page("Muggins: growth", [html_table(head, map(_row, found)), *map(_plot, found)])


def _plot(each: Growth) -> str:
    figure, axes = new_plot(7, 4)
    sizes, seconds = [point.size for point in each.points], [point.seconds for point in each.points]
    linear = [seconds[-1] * size / sizes[-1] for size in sizes]
    axes.loglog(sizes, linear, ":", color="#999999", label="linear")
    axes.loglog(sizes, seconds, "o-", color="#2d6a4f", label=f"measured, exponent {each.exponent:.2f}")
    axes.set_xlabel(each.what)
    axes.set_ylabel("seconds")
    axes.set_title(each.name)
    axes.legend()
    return svg(figure)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
