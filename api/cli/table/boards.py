"""Draws a game as text: pegs, pieces on the table, choices, events, and the move list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase

from rich.console import Console
from rich.table import Table
from rich.text import Text

from api.console import printable as printable
from scorer.engine.board import Board, Pegs
from scorer.engine.game import Event, Move, Offer, Result
from scorer.engine.record import Record
from scorer.engine.session import Session
from scorer.engine.snapshot import mark, named, worth_telling
from scorer.pieces.text import listed, sentence

WIDEST, NARROWEST = 60, 10
"""Width of the track to the finish, in characters."""
_TO_THE_MINUTE = len("2026-11-21T20:15")


def names_of(record: Record) -> tuple[str, ...]:
    """The players' names, safe for a terminal."""
    return tuple(map(printable, record.header.players))


def labels(count: int) -> list[str]:
    """Labels for this many choices: a to z, then aa, ab and so on."""
    pairs = (first + second for first in ascii_lowercase for second in ascii_lowercase)
    return [*ascii_lowercase, *pairs][:count]


# Pegs


def board_lines(board: Board, names: Sequence[str], to_act: int | None, console: Console) -> Iterator[Text]:
    """One line per side: names, track, hole, and the points of the current turn."""
    sides = [listed([names[player] for player in pegs.players]) for pegs in board.pegs]
    wide = max(map(len, sides))
    room = max(NARROWEST, min(WIDEST, console.width - wide - 30))
    plain = not console.encoding.lower().startswith("utf")
    for pegs, side in zip(board.pegs, sides, strict=True):
        acting = to_act in pegs.players
        mark = (">" if plain else "▶") if acting else " "
        yield Text.assemble(
            (f" {mark} {side:<{wide}}  ", "bold" if acting else ""), _way(board, pegs, room, plain), _count(board, pegs)
        )
    if board.skunk_line:
        yield Text(f"   {'':<{wide}}  short of {board.skunk_line} is skunked", "dim")


def _way(board: Board, pegs: Pegs, room: int, plain: bool) -> Text:
    banked, running, street, ahead = "#+|." if plain else "█▒┊·"
    end = _end(board)
    back, front = (min(hole, end) * room // end for hole in (pegs.back, pegs.front))
    ends = {last * room // end for _, last in board.streets[:-1]}
    rest = "".join(street if cell in ends else ahead for cell in range(room))[max(front, back) :]
    return Text.assemble((banked * back, "green"), (running * (front - back), "yellow"), (rest, "dim"))


def _end(board: Board) -> int:
    """The end of the track: the finish, or where no score ends the game, the highest score."""
    return board.finish or max(1, *(pegs.front for pegs in board.pegs))


def _count(board: Board, pegs: Pegs) -> Text:
    ahead = pegs.front - pegs.back
    running = (f" +{ahead} = {pegs.front}", "yellow") if ahead else ("", "")
    return Text.assemble(f"  {pegs.back:>3}", running, (_where(board, pegs), "dim"))


def _where(board: Board, pegs: Pegs) -> str:
    if board.streets and board.off(pegs.back):
        return "  off the board"
    if pegs.out:
        return "  out"
    return f"  of {board.finish}" if board.finish else ""


def pegs_in_brief(board: Board) -> str:
    """The pegs of all sides in short, such as "12+8 · 30"."""
    return " · ".join(
        f"{pegs.back}+{pegs.front - pegs.back}" if pegs.front > pegs.back else str(pegs.back) for pegs in board.pegs
    )


# On the table


def pieces_on_table(record: Record, names: Sequence[str]) -> str:
    """The pieces on the table and in the hand of the player to act; empty if there are none."""
    return named(record.game.view(record.state, record.state.to_act), names)


# Choices and events


def choices_lines(record: Record) -> Iterator[Text | Table]:
    """The prompt, the pieces on the table, and the choices."""
    names = names_of(record)
    yield Text(sentence(named(record.game.prompt(record.state), names)), "bold")
    if there := pieces_on_table(record, names):
        yield Text(f"  {there}", "dim")
    if offers := record.game.offers(record.state):
        yield _offers_table(offers, names)


def _offers_table(offers: Sequence[Offer], names: Sequence[str]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=True)
    table.add_column(style="bold cyan", justify="right")
    table.add_column(no_wrap=True)
    table.add_column(justify="right", style="bold")
    table.add_column()
    for label, offer in zip(labels(len(offers)), offers, strict=True):
        table.add_row(f" {label}", str(offer.move), str(offer.points), Text(named(offer.text, names)))
    return table


def event_text(event: Event, names: Sequence[str]) -> Text:
    """The event as a sentence."""
    return Text(sentence(event.said(names)), _STYLES.get(event.name, ""))


_STYLES = {
    "pegged": "green",
    "counted": "green",
    "won": "bold green",
    "wipeout": "yellow",
    "farkle": "yellow",
    "fuchle": "bold red",
    "turn": "dim",
}


def taken_back(record: Record, move: Move) -> str:
    """The undone move, without face-down tiles."""
    return move.verb if move.verb in record.game.hidden_verbs else str(move)


def result_text(result: Result, names: Sequence[str]) -> Text:
    """The winner, and by how much the others lost."""
    who = listed([names[player] for player in result.winners])
    share = "share the win" if len(result.winners) > 1 else "wins"
    skunked = [
        f"{names[player]} loses {lost} games"
        + (" (skunked)" if lost == 2 else " (double-skunked)" if lost == 4 else "")
        for player, lost in enumerate(result.lost)
        if lost > 1
    ]
    return Text(sentence("; ".join((f"{who} {share}", *skunked))), "bold green")


# The move list


def headline(record: Record) -> Text:
    """Game, players, date and rules."""
    header = record.header
    rules = ", ".join(f"{name}={value}" for name, value in header.rules.changed().items())
    return Text.assemble(
        (record.game.title, "bold"),
        f": {listed(names_of(record))}, {printable(header.date[:_TO_THE_MINUTE]).replace('T', ' ')}",
        (f"\nRules: {rules}" if rules else "", "dim"),
    )


def story(steps: Iterable[tuple[Record, Record]], names: Sequence[str]) -> Table:
    """The game as a table of moves.

    Args:
        steps: the record before and after each move.
        names: of the players.
    """
    table = Table("", "Who", "Move", "What happened", "Pegs", box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.columns[0].justify = "right"
    table.columns[4].no_wrap = True
    for before, after in steps:
        who = names[before.state.to_act]
        happened = Text("\n").join(event_text(event, names) for event in after.events if worth_telling(event))
        pegs = pegs_in_brief(after.game.board(after.state))
        table.add_row(str(len(after.moves)), Text(who), last_move(after), happened, pegs)
    return table


def last_move(record: Record) -> str:
    """The last move that is not an undo, and whether it is inferred."""
    return f"{record.moves[-1]}{mark(record.entries[-1])}"


def session_lines(session: Session, unfinished: int) -> Iterator[Text]:
    """Totals of several games, and the number that are unfinished."""
    names = tuple(map(printable, session.players))
    games = len(session.results)
    yield Text(f"A session of {games} {'game' if games == 1 else 'games'}", "bold")
    for name, won, lost in zip(names, session.won, session.lost, strict=True):
        yield Text(f"  {name}: won {won}, lost {lost}")
    if unfinished:
        yield Text(f"  Not finished, so not counted: {unfinished}")
    if session.winners:
        who = listed([names[player] for player in session.winners])
        share = "share" if len(session.winners) > 1 else "wins"
        yield Text(sentence(f"{who} {share} the session"), "bold green")
