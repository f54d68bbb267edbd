"""Rulings on photos and typed dice in a game: moves to play, or a doubt for a person to confirm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from api.interpret.observation import seen_from_reading
from api.interpret.selection import select
from scorer.camera.referee import Question, RulingDoubt, Shown, last_shown, question, rule
from scorer.engine.game import Event, Move, Seen
from scorer.engine.record import Record
from scorer.engine.snapshot import named
from vision.reading import Reading

Outcome = Literal["played", "question", "doubt"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling on a photo or on typed dice.

    Attributes:
        moves: to play, or played; empty if there is a doubt.
        doubt: why nothing is played; its moves are played if confirmed.
        notes: sentences for the player, such as what was left out.
        events: of the moves.
        question: the choice that follows.
    """

    moves: tuple[Move, ...]
    doubt: RulingDoubt | None = None
    notes: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    question: Question | None = None

    @property
    def outcome(self) -> Outcome:
        """The outcome in one word; a question follows played moves."""
        if self.doubt:
            return "doubt"
        return "question" if self.question else "played"

    def confirmed(self) -> Verdict:
        """The verdict after a confirmation: the doubt's moves are played, if it has any."""
        if self.doubt is None or not self.doubt.moves:
            return self
        return Verdict(self.doubt.moves, notes=self.notes)

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """A plain object, ready for `json.dumps`.

        Args:
            names: of the players.
        """
        return {
            "outcome": self.outcome,
            "moves": [str(move) for move in self.moves],
            "events": [event.said(names) for event in self.events],
            "question": _question(self.question, names) if self.question else None,
            "doubt": self.doubt.to_json() if self.doubt else None,
            "notes": list(self.notes),
        }


def _question(asked: Question, names: Sequence[str]) -> dict[str, Any]:
    data = asked.to_json()
    offers = [{**offer, "text": named(offer["text"], names)} for offer in data["offers"]]
    return {**data, "text": named(data["text"], names), "offers": offers}


def of_seen(record: Record, seen: Seen, last: Sequence[Shown] = ()) -> Verdict:
    """The referee's ruling on dice or tiles that a person named; for a photo, `last` is what was thrown last."""
    ruled = rule(record.game, record.state, seen, last)
    return Verdict(ruled.moves, ruled.doubt, question=ruled.question if ruled.doubt else None)


def of_reading(record: Record, reading: Reading) -> Verdict:
    """The referee's ruling on a reading; a doubtful reading is never played without confirmation."""
    try:
        seen = seen_from_reading(reading, record.header.game)
    except ValueError as error:
        text = f"A tile was read that is not in the set ({error}). Correct it, or take another photo."
        return Verdict((), RulingDoubt("no-such-tile", text), question=question(record.game, record.state))
    ruled = of_seen(record, seen, last_shown(record))
    notes = select(reading, record.header.game).notes
    if ruled.doubt is None and not reading.sure:
        ruled = Verdict((), _unsure(reading, ruled.moves), question=question(record.game, record.state))
    others = next((doubt for doubt in reading.doubts if doubt.reason == "other-pieces"), None)
    if ruled.doubt and others:
        ruled = replace(ruled, doubt=replace(ruled.doubt, message=others.message))
    return Verdict(ruled.moves, ruled.doubt, notes, question=ruled.question)


def _unsure(reading: Reading, moves: tuple[Move, ...]) -> RulingDoubt:
    said = " ".join(doubt.said for doubt in reading.doubts)
    return RulingDoubt("unsure-reading", f"Please check this, and confirm or correct it. {said}", moves)


def how(reading: Reading | None, corrections: Sequence[Mapping[str, Any]], doubt: RulingDoubt | None) -> dict[str, Any]:
    """A person's part in a move, for its record line; empty if there was none.

    Args:
        reading: behind the move; None if typed.
        corrections: of the reading.
        doubt: confirmed, if any.
    """
    changed = {"corrections": [dict(each) for each in corrections]} if reading and corrections else {}
    return changed | ({"confirmed": doubt.code} if doubt else {})
