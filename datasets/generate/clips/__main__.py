"""`python -m datasets.generate.clips --recipe datasets/recipes/clips.yaml --count 44 --seed 1000 --processes 2 --out runs/clips`.

Clip k has seed `seed + k` and is written as `SEED.mp4` and then `SEED.json`: the same command gives the same clips, and
resumes an interrupted run. `datasets.generate.clips.recording.truth` documents the JSON.

`--game crib-dice --finish 21` films a whole game instead, with a single seed, and writes its record as `SEED.game.jsonl`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from datasets.generate.blender.recipe import RecipeError
from datasets.generate.clips import recipe
from datasets.generate.clips.farm import Farm


def main(arguments: list[str] | None = None) -> None:
    """Film the clips that are still missing."""
    options = _options(arguments)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        finish = options.finish if options.game else None
        _film(Farm(options.out, recipe.load(options.recipe), finish), options)
    except (RecipeError, RuntimeError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped; run the same command again to resume")


def _options(arguments: list[str] | None) -> Any:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.generate.clips",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--recipe", type=Path, default=Path("datasets/recipes/clips.yaml"))
    parser.add_argument("--count", type=int, default=1, help="how many clips")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first clip")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=1, help="clips made in parallel, each on one core")
    parser.add_argument("--game", choices=["crib-dice"], help="film whole games instead")
    parser.add_argument("--finish", type=int, default=31, help="holes to the finish of such a game")
    options = parser.parse_args(arguments)
    if options.count < 1 or options.processes < 1 or options.seed < 0:
        parser.error("--count and --processes must be at least 1, --seed at least 0")
    return options


def _film(farm: Farm, options: Any) -> None:
    from rich.progress import track

    todo = farm.missing(range(options.seed, options.seed + options.count))
    clips = track(farm.run(todo, options.processes), "clips", total=len(todo)) if todo else []
    failed = [f"{seed} ({trouble})" for seed, trouble in clips if trouble]
    if failed:
        raise RuntimeError(f"{len(failed)} of {len(todo)} clips failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
