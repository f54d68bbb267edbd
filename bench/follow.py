"""`python bench/follow.py` hides the players' choices in whole games, shows the follower the rolls alone, and measures accuracy.

Players of three tempers play each game by its default rules, two at a table: `bold` makes the move with the most points,
`cautious` stops as soon as possible, `random` plays at random. Dice set aside stay beside the next throw, or are swept
away. The figures go to `bench/follow.json`, for each game, temper and table:

    games, rolls        games played, and rolls seen in them
    choices, right      times that choices were made between two rolls, and how often all of them were inferred
    shown, shown_right  those of them that are visible on the table: dice lay still beside the next throw
    pegs                share of the rolls after which all pegs, and the player to act, are right
    records             games in which every move is right
    results             games in which the result is right
    silent              games in which the first wrong move is not marked as inferred: there must be none
    unexplained         rolls that nothing explained
    ms                  mean CPU milliseconds per roll

`bold` uses the same valuation as the follower, so its figures are an upper bound; nobody plays like `random`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from scorer.camera.follower import Followed
from scorer.engine.game import Move
from scorer.games.registry import GAMES
from tests.scorer.filmed import TEMPERS, Film, filmed

OUT = Path(__file__).parent / "follow.json"
DICE_GAMES = ("crib-dice", "cribbage-dice", "farkle-crib")
"""The dice games. Domino Cribbage is left out: its deals are not visible, unless the players show their hands."""


@dataclass
class Tally:
    """The results for one game, temper and table."""

    games: int = 0
    rolls: int = 0
    choices: int = 0
    right: int = 0
    shown: int = 0
    shown_right: int = 0
    pegs: float = 0.0
    records: int = 0
    results: int = 0
    silent: int = 0
    unexplained: int = 0
    ms: float = 0.0


def main() -> None:
    """Play, follow, print and write; exits with 1 if anything is wrong and not marked."""
    options = _options()
    told: dict[str, dict[str, Any]] = {}
    for name in options.game or DICE_GAMES:
        told[name] = {}
        for temper in TEMPERS:
            for table in ("kept", "swept"):
                seeds = range(options.seed, options.seed + options.games)
                told[name][f"{temper}, {table}"] = asdict(follow(name, temper, seeds, on_table=table == "kept"))
                # Written each time, for some take long.
                options.out.write_text(json.dumps(told, indent=2) + "\n")
    _show(told)
    sys.exit(any(each["silent"] for tables in told.values() for each in tables.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="for each game, temper and table (default: %(default)s)")
    parser.add_argument("--game", action="append", choices=DICE_GAMES, help="only this game; can be repeated")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game, then counting up (default: 0)")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/follow.json)")
    return parser.parse_args()


def follow(name: str, temper: str, seeds: range, *, on_table: bool) -> Tally:
    """Film the games of these seeds, and follow them."""
    tally, game = Tally(), GAMES[name]
    for seed in track(seeds, f"{name}, {temper}, {'kept' if on_table else 'swept'}", console=Console(stderr=True)):
        film = filmed(game, game.rules(), 2, TEMPERS[temper], Random(f"{name} {temper} {seed}"), on_table=on_table)
        _add(tally, film)
    tally.ms = round(tally.ms / max(tally.rolls, 1), 2)
    tally.pegs = round(tally.pegs / max(tally.rolls, 1), 4)
    return tally


def _add(tally: Tally, film: Film) -> None:
    began = time.process_time()
    follower, followed = film.followed()
    tally.ms += 1000 * (time.process_time() - began)
    moves = [each.move for each in followed]
    tally.games += 1
    tally.rolls += len(film.observations)
    tally.unexplained += len(follower.unexplained)
    tally.records += moves == list(film.moves)
    tally.results += follower.state.result == film.end.result
    tally.silent += _is_silent(film, followed)
    states = zip(_after_rolls(film, film.moves), _after_rolls(film, moves), strict=False)
    tally.pegs += sum(_same(film, *each) for each in states)
    _count_choices(tally, film, moves)


def _is_silent(film: Film, followed: Sequence[Followed]) -> bool:
    wrong = next((got for got, true in zip(followed, film.moves, strict=False) if got.move != true), None)
    return wrong is not None and not wrong.inferred


def _count_choices(tally: Tally, film: Film, moves: Sequence[Move]) -> None:
    for number, (true, got) in enumerate(zip(_said(film, film.moves), _said(film, moves), strict=False)):
        if true:
            shown = number < len(film.observations) and bool(film.observations[number].still)
            tally.choices += 1
            tally.right += true == got
            tally.shown += shown
            tally.shown_right += shown and true == got


def _said(film: Film, moves: Sequence[Move]) -> Iterator[list[Move]]:
    """The choices before each roll, and after the last."""
    said: list[Move] = []
    for move in moves:
        if film.game.laid_by(move):
            yield said
            said = []
        else:
            said.append(move)
    yield said


def _after_rolls(film: Film, moves: Sequence[Move]) -> Iterator[Any]:
    """The state after each roll."""
    state = film.begin
    for move in moves:
        state = film.game.follow(state, move).state
        if film.game.laid_by(move):
            yield state


def _same(film: Film, true: Any, got: Any) -> bool:
    """Whether the pegs and the player to act are right."""
    holes = [[pegs.back for pegs in film.game.board(state).pegs] for state in (true, got)]
    return holes[0] == holes[1] and bool(true.to_act == got.to_act)


def _show(told: dict[str, dict[str, Any]]) -> None:
    table = Table(
        "game", "players, table", "games", "rolls", "choices right", "shown right", "pegs", "records", "silent", "ms"
    )
    for name, tables in told.items():
        for which, each in tables.items():
            shares = (f"{each['right']:,} of {each['choices']:,}", f"{each['shown_right']:,} of {each['shown']:,}")
            counts = (f"{each['games']:,}", f"{each['rolls']:,}")
            rest = (f"{each['pegs']:.1%}", str(each["records"]), str(each["silent"]), str(each["ms"]))
            table.add_row(name, which, *counts, *shares, *rest)
    Console().print(table)


if __name__ == "__main__":
    main()
