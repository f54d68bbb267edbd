"""`python bench/race.py` measures how far the chances to win a race are from those of unrestricted play.

Every rule set's race is solved as in `muggins advise --race`, and then iterated over every turn of every pair of
holes until nothing changes (scorer.odds.race.measure_error). That takes seconds to minutes per rule set, and up to a gigabyte.
The rule sets are those of `Course.error`, in which a game states its error. The figures go to bench/race.json, rule
set by rule set; earlier ones are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent))

from scorer.games.registry import GAMES
from scorer.odds.race import Race, measure_error
from scorer.odds.race_moment import RaceMoment
from scorer.odds.race_solver import Course

RACES = {name: game.moment for name, game in GAMES.items() if game.moment and issubclass(game.moment, RaceMoment)}
"""The moment class, which gives advice, of each game that two can race in."""


def main() -> None:
    """Measure and print; `--game` names one game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", choices=list(RACES), action="append")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    console = Console(highlight=False)
    for game in options.game or RACES:
        for text in _course(game).error.measured:
            with console.status(f"{game} {text}"):
                measured = _measured(game, text)
            console.print(f"{game} {text}: at most {measured['largest']:.5f} wrong, {measured['mean']:.6f} on average")
            _keep(options.out, f"{game} {text}", measured)


def _measured(game: str, text: str) -> dict[str, float]:
    began = time.perf_counter()
    error = measure_error(Race(_course(game, text)))
    return {"largest": error.largest, "mean": error.typical, "seconds": round(time.perf_counter() - began, 1)}


def _course(game: str, *options: str) -> Course[Any]:
    return RACES[game]().course(GAMES[game].rules.from_texts(options))


def _keep(path: Path, name: str, measured: dict[str, float]) -> None:
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**known, name: measured}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
