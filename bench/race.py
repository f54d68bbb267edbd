"""`python bench/race.py` measures how far the chances to win a race are from play without any restriction.

Every rule set's race is solved as `muggins advise --race` solves it, then played on through every turn of every pair of
holes until nothing changes (scorer.odds.race.measure_error). Farkle Cribbage takes seconds to minutes a rule set, Crib Dice
minutes and a gigabyte. The figures go to bench/race.json, rule set by rule set; those measured before stay.
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

from scorer.games.registry import game_named
from scorer.odds import race

RULES = {"farkle-crib": ("bonus=none", "bonus=all"), "crib-dice": ("piddle_points=false", "piddle_points=true")}
_SOLVE: dict[str, Any] = {"farkle-crib": race.farkle_crib_race, "crib-dice": race.crib_dice_race}


def main() -> None:
    """Measure and print; `--game` names one game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", choices=list(RULES), action="append")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    console = Console(highlight=False)
    for game in options.game or RULES:
        for text in RULES[game]:
            with console.status(f"{game} {text}"):
                measured = _measured(game, text)
            console.print(f"{game} {text}: at most {measured['largest']:.5f} wrong, {measured['mean']:.6f} on average")
            _keep(options.out, f"{game} {text}", measured)


def _measured(game: str, text: str) -> dict[str, float]:
    began = time.perf_counter()
    error = race.measure_error(_SOLVE[game](game_named(game).rules.from_texts([text])))
    return {"largest": error.largest, "mean": error.typical, "seconds": round(time.perf_counter() - began, 1)}


def _keep(path: Path, name: str, measured: dict[str, float]) -> None:
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**known, name: measured}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
