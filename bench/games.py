"""`python bench/games.py` plays 10,000 random full games per game, under random rules, and checks every one.

Each game must end; every listed choice is offered exactly once, and is accepted; each move is written to a record; the
text of the record loads back to the same moves and the same states, hashes included; and every player has a place in the
result. Over all its games, every value of every option must have been played. The figures go to `bench/games.json`:

    games, moves   games played, and moves made in them
    seconds        wall time of all that, checks and records included
    longest        moves of the longest game
    choices        listed choices that were tried by playing them
    failures       games with a failed check: their seed, and the error; `--seed` replays such a game
    unplayed       values of options that no game had

Players are random: they usually stop where they may, and sometimes all dice of a throw come up alike, so that rare
rules are played too. Numbers such as the finish are drawn from a few that such players can reach.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent))

from scorer.engine.record import Header, Record
from scorer.games.registry import GAMES, AnyGame
from tests.scorer.randomly import LONGEST, Setting, option_values, random_move, random_setting, values_of

OUT = Path(__file__).parent / "games.json"
TRIED = 0.1
"""Share of the states in which every listed choice is played, to check that it is accepted."""


class BrokenPromiseError(AssertionError):
    """A game violates its contract."""


@dataclass
class Tally:
    """The results for one game."""

    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    longest: int = 0
    choices: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    played: set[tuple[str, Any]] = field(default_factory=set)

    def to_json(self, game: AnyGame) -> dict[str, Any]:
        """The figures, and the values of options that were not played."""
        return {
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 4),
            "longest": self.longest,
            "choices": self.choices,
            "failures": self.failures,
            "unplayed": sorted(f"{name}={value}" for name, value in option_values(game) - self.played),
        }


def main() -> None:
    """Play, print and write; exits with 1 if a check failed."""
    options = _options()
    seeds = range(options.seed, options.seed + options.games)
    told = {name: soak(GAMES[name], seeds).to_json(GAMES[name]) for name in options.game or GAMES}
    # Read only now: another run may have written its own games meanwhile.
    report = (json.loads(options.out.read_text()) if options.out.exists() else {}) | told
    options.out.write_text(json.dumps({name: report[name] for name in GAMES if name in report}, indent=2) + "\n")
    _show(told)
    sys.exit(any(each["failures"] for each in told.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000, help="number for each game (default: %(default)s)")
    parser.add_argument("--game", action="append", choices=list(GAMES), help="only this game; can be repeated")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game, then counting up (default: 0)")
    parser.add_argument("--out", type=Path, default=OUT, help="file for the figures (default: bench/games.json)")
    return parser.parse_args()


def soak(game: AnyGame, seeds: range) -> Tally:
    """Play and check the games of these seeds."""
    tally, began = Tally(), time.perf_counter()
    for seed in track(seeds, game.name, console=Console(stderr=True)):
        random = Random(f"{game.name} {seed}")
        setting = random_setting(game, random)
        tally.played |= values_of(setting.rules)
        tally.games += 1
        try:
            _play(setting, random, tally)
        except Exception as trouble:
            # Any error is recorded, and the next game is played.
            told = {"seed": seed, "players": setting.players, "rules": setting.rules.changed()}
            tally.failures.append({**told, "trouble": repr(trouble)})
    tally.seconds = time.perf_counter() - began
    return tally


def _play(setting: Setting, random: Random, tally: Tally) -> None:
    header = Header(setting.game.name, setting.rules, setting.names, "2026-11-21T20:15:00+00:00", {"bench": "games"})
    record, undone = Record.begin(header), random.randrange(100)
    while record.state.to_act is not None:
        _check(setting.game, record.state, random, tally)
        record = record.play(random_move(setting.game, record.state, random))
        if len(record.moves) == undone:
            record, undone = record.undo(), 0
        if len(record.moves) > LONGEST:
            raise BrokenPromiseError(f"no end after {LONGEST} moves")
    tally.moves += len(record.moves)
    tally.longest = max(tally.longest, len(record.moves))
    _check_end(record)


def _check(game: AnyGame, state: Any, random: Random, tally: Tally) -> None:
    """Check that every listed choice is offered exactly once, and accepted."""
    choices = game.legal_moves(state).choices
    if len(set(choices)) < len(choices):
        raise BrokenPromiseError("a choice is listed twice")
    if tuple(offer.move for offer in game.offers(state)) != choices:
        raise BrokenPromiseError("the offers differ from the legal choices")
    if random.random() < TRIED:
        tally.choices += len(choices)
        for move in choices:
            if game.apply(state, move).state == state:
                raise BrokenPromiseError(f"{move} changes nothing")


def _check_end(record: Record) -> None:
    result, again = record.result, Record.load(record.text, record.head)
    if result is None or sorted(_placed(result.ranking)) != list(range(record.state.players)):
        raise BrokenPromiseError("not every player has a place in the result")
    if (again.lines, again.moves, again.history) != (record.lines, record.moves, record.history):
        raise BrokenPromiseError("the record loads as another game")
    if hash(again.state) != hash(record.state):
        raise BrokenPromiseError("equal states have different hashes")


def _placed(ranking: tuple[tuple[int, ...], ...]) -> Iterator[int]:
    return (player for equals in ranking for player in equals)


def _show(report: dict[str, Any]) -> None:
    columns = ("games", "moves", "seconds", "longest", "choices")
    table = Table("game", *columns, "failures", "unplayed")
    for name, told in report.items():
        lists = (str(len(told[each])) for each in ("failures", "unplayed"))
        table.add_row(name, *(f"{told[each]:,}" for each in columns), *lists)
    Console().print(table)


if __name__ == "__main__":
    main()
