"""`python bench/house.py [FOLDER]` prints the structure of a checkout: packages, import cycles, layer violations, game names.

Only the text of the files is read, so that checkouts of any age can be compared (`git worktree add`):
imports inside functions count, those for types alone (`if TYPE_CHECKING:`) do not.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOMS = ("models", "vision", "scorer", "api", "datasets")
ALLOWED = {
    "models": (),
    "vision": ("models",),
    "scorer": (),
    "api": ("models", "vision", "scorer"),
    "datasets": ("models", "vision", "scorer", "api"),
}
"""The packages that each top-level package may import besides itself."""
NAMES = re.compile(
    r"crib[_-]dice|cribbage[_-]dice|farkle(?:[_-]crib)?|domino[_-]cribbage|crib dice|cribbage dice|domino cribbage",
    re.IGNORECASE,
)
Graph = dict[str, set[str]]


def sources(root: Path) -> dict[str, Path]:
    """Every module of the top-level packages, by its dotted name."""
    files = (file for room in ROOMS for file in sorted((root / room).rglob("*.py")))
    return {".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imports(modules: dict[str, Path]) -> Graph:
    """For each module, the modules that it imports."""
    return {
        name: {_known(each, modules) for each in _named(ast.parse(file.read_text("utf-8")))} & modules.keys() - {name}
        for name, file in modules.items()
    }


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        else:
            yield from _named(node)


def _known(name: str, modules: dict[str, Path]) -> str:
    """The imported module: the name itself, or the module that defines it."""
    return name if name in modules else name.rpartition(".")[0]


def circles(graph: Graph) -> list[list[str]]:
    """Import cycles, each as a list of modules (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in graph[name]:
            if other not in order:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == order[name]:
            circle = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(circle) > 1:
                found.append(sorted(circle))

    for name in graph:
        if name not in order:
            visit(name)
    return found


def upwards(graph: Graph) -> list[tuple[str, str]]:
    """Imports from a package that the importing package may not use."""
    return [
        (name, other)
        for name, others in graph.items()
        for other in sorted(others)
        if _room(other) != _room(name) and _room(other) not in ALLOWED[_room(name)]
    ]


def _room(name: str) -> str:
    return name.partition(".")[0]


def sizes(modules: dict[str, Path]) -> Counter[str]:
    """The number of modules per package, without `__init__`."""
    return Counter(name.rpartition(".")[0] for name, file in modules.items() if file.stem != "__init__")


def naming_games(root: Path, modules: dict[str, Path]) -> Counter[str]:
    """By module, the lines that name a game, outside the folders of the games, which are named after them."""
    return Counter(
        {
            name: lines
            for name, file in modules.items()
            if not any(map(NAMES.fullmatch, file.relative_to(root).parts))
            if not name.startswith("scorer.games.") or file.parent == root / "scorer" / "games"
            if (lines := sum(map(bool, map(NAMES.search, file.read_text("utf-8").splitlines()))))
        }
    )


def code_naming_games(root: Path, modules: dict[str, Path]) -> list[str]:
    """Modules outside the folders of the games whose code names a game, not only in a comment or a docstring."""
    return [name for name in naming_games(root, modules) if NAMES.search(_code(modules[name]))]


def _code(file: Path) -> str:
    """The source without comments and docstrings."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_text(each)] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(tree)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def main() -> None:
    """Print the structure."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    modules = sources(root)
    graph = imports(modules)
    naming = naming_games(root, modules)
    print(
        f"modules: {len(modules)}; lines: {sum(len(file.read_text('utf-8').splitlines()) for file in modules.values()):,}"
    )
    print("largest packages:", ", ".join(f"{name} {size}" for name, size in sizes(modules).most_common(8)))
    print(f"import cycles: {len(circles(graph))}", *map(" <> ".join, circles(graph)), sep="\n  ")
    print(f"forbidden imports: {len(upwards(graph))}", *map(" -> ".join, upwards(graph)), sep="\n  ")
    print(f"lines that name a game outside its folder: {sum(naming.values())} in {len(naming)} modules")
    print("of them in code:", *code_naming_games(root, modules), sep="\n  ")


if __name__ == "__main__":
    main()
