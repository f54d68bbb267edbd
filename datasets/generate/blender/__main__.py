"""`python -m datasets.generate.blender --recipe datasets/recipes/tabletop.yaml --count 100 --seed 1 --out runs/tables`.

Scene k has seed `seed * 1_000_000 + k`: the same command gives the same pictures. A scene is written as `images/K.jpg` and
then `labels/K.json`; those with a label are skipped, so that an interrupted run resumes. At the end, or
with `--sheet` alone, the first pictures with their labels are drawn into `contact_sheet.png`.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from datasets.generate.blender import contact_sheet, recipe
from datasets.generate.blender.farm import Farm
from datasets.generate.parts.dice_models import DiceModelsError, themes_in


def main(arguments: list[str] | None = None) -> None:
    """Render the scenes that are still missing."""
    options = _options(arguments)
    try:
        if not options.sheet:
            _render(options)
        print(contact_sheet.contact_sheet(options.out))
    except (recipe.RecipeError, DiceModelsError, RuntimeError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped; run the same command again to resume")


def _options(arguments: list[str] | None) -> Any:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.generate.blender",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--recipe", type=Path, help="a file from datasets/recipes")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a line of the recipe")
    parser.add_argument("--count", type=int, default=0, help="render scenes 0 to COUNT - 1")
    parser.add_argument("--only", type=int, nargs="*", default=[], metavar="K", help="render just these scenes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=1, help="scenes rendered in parallel, each on one core")
    parser.add_argument(
        "--share", default="1/1", metavar="K/N", help="every Nth scene from the Kth, for several machines"
    )
    parser.add_argument(
        "--raw", action="store_true", help="also keep the pictures without lens and sensor effects, in OUT/raw"
    )
    parser.add_argument("--sheet", action="store_true", help="draw only the contact sheet; render nothing")
    options = parser.parse_args(arguments)
    if not options.sheet and options.recipe is None:
        parser.error("--recipe is missing")
    if not options.sheet and options.count < 1 and not options.only:
        parser.error("say how many scenes with --count, or which with --only")
    if options.processes < 1:
        parser.error("--processes must be at least 1")
    return options


def _render(options: Any) -> None:
    wanted = recipe.load(options.recipe, options.set)
    if wanted["kinds"].get("modelled"):
        themes_in(Path(wanted["models"]))
    farm = Farm(options.out, options.seed, wanted, options.raw)
    if importlib.util.find_spec("bpy") is None:
        raise RuntimeError(
            "Blender's module bpy is not installed: pip install 'muggins[render]' (it needs Python 3.11)"
        )
    farm.lay_out()
    todo = farm.missing(_scenes(options))
    failed = []
    for k, trouble in _progress(farm.run(todo, options.processes), len(todo)):
        if trouble:
            failed.append(k)
            print(f"scene {k}: {trouble}", file=sys.stderr)
    if failed:
        raise RuntimeError(f"{len(failed)} of {len(todo)} scenes failed: {', '.join(map(str, failed))}")


def _scenes(options: Any) -> list[int]:
    mine, _, of = options.share.partition("/")
    if not (mine.isdigit() and of.isdigit() and 1 <= int(mine) <= int(of)):
        raise recipe.RecipeError(f"--share {options.share} must be K/N with K from 1 to N")
    return sorted({*range(int(mine) - 1, options.count, int(of)), *options.only})


def _progress(scenes: Iterable[tuple[int, str]], total: int) -> Iterator[tuple[int, str]]:
    """Show progress: a bar on a terminal, otherwise a line for every twentieth."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console, start = Console(stderr=True), time.monotonic()
    columns = [BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn()]
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("scenes", total=total, rate="")
        for done, scene in enumerate(scenes, 1):
            each = (time.monotonic() - start) / done
            bar.update(task, advance=1, rate=f"{each:.2f} s each")
            if not console.is_terminal and (done == total or done % max(1, total // 20) == 0):
                left = each * (total - done) / 60
                print(f"{done}/{total} scenes, {each:.2f} s each, {left:.0f} min left", file=sys.stderr, flush=True)
            yield scene


if __name__ == "__main__":
    main()
