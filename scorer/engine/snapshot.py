"""A game at this moment as one plain object: all that a page, or another program in the game, needs to show it.

Texts have the players' names in them; players themselves are numbers into `players`. What is offered to a player, and so
the whole object, may reveal that player's hand: leave the offers out when others see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import Any

from scorer.engine.game import Event, Offer, Result
from scorer.engine.record import Entry, Record
from scorer.pieces.melds import Meld


def snapshot(record: Record) -> dict[str, Any]:
    """The state that a record has come to, ready for `json.dumps`.

    Returns:
        "game", "title", "kind" (of its pieces), "players" (names), "rules" (those that differ from the default, as on a
        command line), "moves" (how many stand), "to_act" (a player's number; None once it is over), "prompt", "events" of the
        last line, "inferred" (a camera inferred that line: nobody said it), "offers" (move, text, points, items, and "then":
        what may be chosen in one go with it), "chance" (may dice or tiles come next?), "board" (`Board.to_json`), and "result"
        (winners and ranking by name, games lost by each; None while it is played).
    """
    game, state, names = record.game, record.state, record.header.players
    return {
        "game": game.name,
        "title": game.title,
        "kind": game.kind,
        "players": list(names),
        "rules": record.header.rules.changed(),
        "moves": len(record.moves),
        "to_act": state.to_act,
        "prompt": named(game.prompt(state), names),
        "events": [_event(event, text) for event, text in zip(record.events, said(record), strict=True)],
        "inferred": bool(mark(_last(record))),
        "offers": [
            {**_offer(offer, names), "items": _items(offer.items), "then": _then(record, offer)}
            for offer in game.offers(state)
        ],
        "chance": game.legal_moves(state).chance is not None,
        "board": game.board(state).to_json(),
        "result": _result(record.result, names) if record.result else None,
    }


def named(text: str, names: Sequence[str]) -> str:
    """The text with names for "{0}", "{1}" and so on; braces without a matching player stay as they are."""
    return re.sub(r"\{(\d+)\}", lambda found: names[int(found[1])] if int(found[1]) < len(names) else found[0], text)


def said(record: Record) -> tuple[str, ...]:
    """The events of the last line, one phrase each; where the line is inferred, the first phrase says so."""
    marks = chain([mark(_last(record))], repeat(""))
    return tuple(
        f"{event.said(record.header.players)}{more}" for event, more in zip(record.events, marks, strict=False)
    )


_BARE_TURN = ("'s turn", " is next")
"""Endings of an event that announces the next turn and nothing else, not the last turn or who goes first."""


def worth_telling(event: Event) -> bool:
    """Whether an event is announced: all but a plain change of turn, for the next move names its player."""
    return event.name != "turn" or not event.text.endswith(_BARE_TURN)


def mark(entry: Entry | None) -> str:
    """The remark after a move that only a camera inferred; empty after all others."""
    return " (inferred)" if entry and entry.inferred else ""


def _last(record: Record) -> Entry | None:
    return record.entries[-1] if record.entries else None


def _event(event: Event, text: str) -> dict[str, Any]:
    return {
        "name": event.name,
        "text": text,
        "player": event.player,
        "points": event.points,
        "items": _items(event.items),
        "rule": event.rule,
    }


def _offer(offer: Offer, names: Sequence[str]) -> dict[str, Any]:
    return {"move": str(offer.move), "text": named(offer.text, names), "points": offer.points}


def _then(record: Record, offer: Offer) -> list[dict[str, Any]]:
    following = record.game.offers_with(record.state, offer.move)
    return [_offer(each, record.header.players) for each in following]


def _items(melds: Iterable[Meld[Any]]) -> list[dict[str, Any]]:
    return [{"name": meld.name, "pieces": list(meld.pieces), "points": meld.points} for meld in melds]


def _result(result: Result, names: Sequence[str]) -> dict[str, Any]:
    return {
        "winners": [names[player] for player in result.winners],
        "ranking": [[names[player] for player in equals] for equals in result.ranking],
        "lost": dict(zip(names, result.lost, strict=True)),
    }
