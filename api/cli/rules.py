"""The command `muggins rules`: every option of every game. `python -m api.cli.rules` writes docs/rules.md with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from scorer.engine.options import Option

_INTRODUCTION = """# The options of every game

The rule texts are the law; where one is silent or contradicts itself there is an option, and its default is how Muggins
plays. Give options as `--rules name=value` to `muggins score`, `read`, `odds`, `advise` and `play`; `muggins rules GAME`
prints this list. "What the text says" is one line in our words. Crib Dice and Farkle Cribbage were invented by Howard
Fosdick (BestFreeNewGames.com), who published their rules under CC BY-ND.

*Made by `python -m api.cli.rules > docs/rules.md`; a test says when it is out of date.*
"""


@dataclass(frozen=True)
class _Listed:
    name: str
    title: str
    options: Sequence[Option]


def register(app: typer.Typer) -> None:
    """Add this command to the command `muggins`."""
    app.command("rules")(rules)


def rules(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game; all of them if left away.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the options of a game: what each may be, its default, and what the text says."""
    games = _listed()
    if game and game not in games:
        raise typer.BadParameter(f"There is no game {game!r} here. Choose one of {', '.join(games)}.")
    chosen = [games[game]] if game else list(games.values())
    if as_json:
        typer.echo(json.dumps({each.name: [_to_json(option) for option in each.options] for each in chosen}))
        return
    for each in chosen:
        _print(each)


def markdown() -> str:
    """The page docs/rules.md."""
    return "\n".join([_INTRODUCTION, *(_section(game) for game in _listed().values())])


def _listed() -> dict[str, _Listed]:
    from scorer.games.registry import GAMES, SCORED

    # What is only counted comes last.
    ordered = sorted(SCORED.items(), key=lambda item: item[0] not in GAMES)
    return {name: _Listed(name, game.title, game.rules.options()) for name, game in ordered}


def _section(game: _Listed) -> str:
    rows = "\n".join(_row(option) for option in game.options)
    return f"## {game.title} (`{game.name}`)\n\n| option | default | may be | what the text says |\n|---|---|---|---|\n{rows}\n"


def _row(option: Option) -> str:
    return f"| `{option.name}` | `{option.written(option.default)}` | {option.values} | {option.says} |"


def _to_json(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "kind": option.kind,
        "default": option.written(option.default),
        "values": option.values,
        "says": option.says,
    }


def _print(game: _Listed) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("Option", "Default", "May be", "What the text says", title=f"{game.title} ({game.name})")
    for cells in _cells(game):
        table.add_row(*cells)
    Console(highlight=False).print(table)


def _cells(game: _Listed) -> Iterator[tuple[str, str, str, str]]:
    for option in game.options:
        yield option.name, option.written(option.default), option.values, option.says


if __name__ == "__main__":
    print(markdown(), end="")
