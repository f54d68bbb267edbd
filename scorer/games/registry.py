"""The one list of games: every folder beside this file registers its game on the last line of its `game.py`.

    register(CribDice())                   in scorer/games/crib_dice/game.py
    GAMES["crib-dice"]                     played: records, the referee, live games and cameras find them here
    SCORED["cards"]                        scored: the games, and what is only counted

Folders are discovered; no list names them. A folder that cannot be loaded is left out, and the log says where the error is:
the other games still work. A game from elsewhere, like one in a test, registers itself before it is used, or temporarily:
`with registered(game): ...`.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeGuard, TypeVar

import scorer.games as folders
from scorer.engine.game import Game
from scorer.engine.scored import Scored
from scorer.errors import RulesError
from scorer.pieces.text import did_you_mean

AnyGame = Game[Any, Any]
AnyScored = Scored[Any]
T = TypeVar("T", bound=AnyScored)
_registered: dict[str, AnyScored] = {}
_NOT_REGISTERED = "its game.py registers no game; call register(...) with your game on its last line"


def register(game: AnyScored) -> None:
    """Make the game known by its name.

    Raises:
        ValueError: another one has that name.
    """
    known = _registered.setdefault(game.name, game)
    if type(known) is not type(game):
        raise ValueError(f"{game.name} is registered already, by {type(known).__module__}")


@contextmanager
def registered(game: AnyScored) -> Iterator[None]:
    """Register the game temporarily; one that was registered before stays.

    Raises:
        ValueError: another one has that name.
    """
    _discover()
    known_before = game.name in _registered
    register(game)
    try:
        yield
    finally:
        if not known_before:
            del _registered[game.name]


class _Registered(Mapping[str, T]):
    """The registered games of one kind, sorted by name. The folders are searched on the first access."""

    def __init__(self, kind: Callable[[AnyScored], TypeGuard[T]]) -> None:
        self._is_one = kind

    def __getitem__(self, name: str) -> T:
        # Called at every move of a game, so nothing is sorted here.
        _discover()
        game = _registered[name]
        if not self._is_one(game):
            raise KeyError(name)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def _known(self) -> dict[str, T]:
        _discover()
        return {name: game for name, game in sorted(_registered.items()) if self._is_one(game)}


@cache
def _discover() -> None:
    for folder in iter_modules(folders.__path__):
        if folder.ispkg:
            package, known_before = f"{folders.__name__}.{folder.name}", len(_registered)
            try:
                import_module(f"{package}.game")
            except Exception as error:  # any error: people write games of their own
                _leave_out(folder.name, _told(error))
            else:
                # A module that was imported earlier has registered its game then.
                if len(_registered) == known_before and not _has_a_game_of(package):
                    _leave_out(folder.name, _NOT_REGISTERED)


def _has_a_game_of(package: str) -> bool:
    return any(type(game).__module__.startswith(f"{package}.") for game in _registered.values())


def _leave_out(folder: str, why: str) -> None:
    import logging  # imported only when needed: a command starts faster

    log = logging.getLogger(__name__)
    log.error("The game in the folder %s cannot be loaded, and is left out: %s", folder, why)


def _told(error: Exception) -> str:
    """The error, and the file and line it comes from."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({error.filename}, line {error.lineno})"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename}, line {last.lineno})"


def _is_game(game: AnyScored) -> TypeGuard[AnyGame]:
    return isinstance(game, Game)


def _is_scored(_: AnyScored) -> TypeGuard[AnyScored]:
    return True


GAMES: Mapping[str, AnyGame] = _Registered(_is_game)
"""Every game that is played, by its name."""
SCORED: Mapping[str, AnyScored] = _Registered(_is_scored)
"""Everything that can be scored, by its name: the games, and what is only counted."""


def game_named(name: str) -> AnyGame:
    """The game of that name.

    Raises:
        RulesError: "unknown-game".
    """
    if name not in GAMES:
        meant = did_you_mean(name, GAMES)
        raise RulesError("unknown-game", f"There is no game {name!r} here.{meant} Choose one of {', '.join(GAMES)}.")
    return GAMES[name]
