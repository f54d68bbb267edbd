"""The rolls of a game's camera on their way into its record.

    queue.take(roll, photo)             a roll was seen: it is stored, and played if nothing is in doubt
    queue.answer(7, "yes", 0)           a player has looked at roll 7
    queue.advance()                     somebody has moved: perhaps the next roll can be played now

The rolls are played in their order by the referee that rules on photos. A choice that nobody has announced is answered when a
later roll shows it (`scorer.camera.follower`): a throw of four dice beside three 5s means "point 5". Where that does
not settle it, and where a reading is in doubt, the queue stops and the players are asked; the rolls behind it wait.

Nothing is played twice: a roll leaves the queue when it is in the record, and the queue is stored before and
after (`queue_file`).
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Literal

from api.film.game_tracker import beside, is_shown_by, observation_of
from api.http.cameras.queue_file import Queue, QueueFile, WaitingRoll
from api.http.games.live_games import LiveGames, MoveRequest, Stale
from api.interpret.corrections import corrected
from api.interpret.typed_moves import now
from api.store import Conflict, StoredReading, StoredToken
from scorer.camera.follower import Followed, Follower
from scorer.camera.observation import Observation
from scorer.engine.record import Entry, Record
from scorer.engine.snapshot import named
from scorer.engine.worth import Piece as Laid
from scorer.errors import ScorerError
from vision.reading import Die, Reading, Tile
from vision.watch.events import Piece, Roll

SURE = 0.95
"""Minimum probability for answering a choice on behalf of a player."""
MOST_WAITING = 50
"""Rolls of one game; a table goes on throwing for some minutes before somebody looks at a phone."""
_KEPT_SENTENCES = 50
_TAKEN_BACK, _UNSURE = "taken-back", "unsure-reading"

Answer = Literal["yes", "no"]
Kind = Literal["check", "choice"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Why the first roll waits.

    Attributes:
        kind: "check": look at the picture; "choice": the choice open in the game comes first.
        code: stable kebab-case name of the reason.
        text: a sentence for the players.
        may_confirm: "yes" plays it.
    """

    kind: Kind
    code: str
    text: str
    may_confirm: bool


class TooManyWaiting(Exception):  # noqa: N818 - named after the state
    """The queue is full. Nothing was taken; the camera waits and sends the roll again."""


class RollQueue:
    """The queue of one game. For one thread at a time."""

    def __init__(self, table: LiveGames, game_id: str, file: QueueFile) -> None:
        """Go on where the file ends."""
        self._table, self._id, self._file = table, game_id, file
        self.ask: Ask | None = None
        self.said: deque[tuple[int, str]] = deque(maxlen=_KEPT_SENTENCES)
        self._sentences = 0
        if not file.exists:
            self._put(Queue(heard=len(self._record.entries)))

    @property
    def queue(self) -> Queue:
        """As it is stored."""
        return self._file.queue

    @property
    def _record(self) -> Record:
        return self._table.game(self._id).record

    def take(self, roll: Roll, photo: bytes, token: StoredToken, source: str = "") -> None:
        """Add a roll, and play what can be played.

        Args:
            roll: its reading is that of the photo; its number is `queue.next_number`, or of the source.
            photo: JPEG.
            token: of who sent it.
            source: the camera that counts by itself, if it does: a number that it has sent before is not taken again.

        Raises:
            TooManyWaiting: nothing was taken.
            StoreError, OSError: it could not be stored.
        """
        queue = self.queue
        if roll.number <= queue.taken.get(source, 0):
            return
        if len(queue.waiting) >= MOST_WAITING:
            raise TooManyWaiting
        kept = self._stored(roll.reading, photo)
        own = replace(roll, number=queue.next_number, reading=Reading.from_json(kept.reading))
        waiting = (*queue.waiting, WaitingRoll(Roll.from_json(own.to_json()), kept.id, token.id))
        self._put(replace(queue.with_taken(source, roll.number), last=own, waiting=waiting))
        self.advance()

    def answer(self, number: int, answer: Answer, corrections: int) -> None:
        """A player's word on the roll that waits first.

        Args:
            number: of the roll.
            answer: "yes": it lies as it was read or corrected; "no": it was no throw.
            corrections: of its reading that the player has seen.

        Raises:
            Conflict: "settled": it does not wait any more, or not first; "corrected-since".
        """
        self._hear()
        waiting = self.queue.waiting
        if not waiting or waiting[0].roll.number != number:
            raise Conflict("settled", "This roll was settled on another phone.")
        if len(self._kept(waiting[0]).corrections) != corrections:
            raise Conflict("corrected-since", "Somebody else has corrected this reading. Look at it again.")
        if answer == "no":
            self._put(self.queue.without_first())
            self._say(f"Roll {number} was left out.")
        else:
            codes = waiting[0].confirmed | {_UNSURE} | ({self.ask.code} if self.ask else set())
            self._put(self.queue.changed_first(held=False, confirmed=codes))
        self.advance()

    def refresh(self) -> None:
        """Play what can be played now, if somebody has moved since the players were asked."""
        if self.ask is None or len(self._record.entries) != self.queue.heard:
            self.advance()

    def advance(self) -> None:
        """Play what can be played now."""
        self._hear()
        while self.queue.waiting and self._step():
            self._hear()
        if not self.queue.waiting:
            self.ask = None

    # Moves that others have made

    def _hear(self) -> None:
        record, queue = self._record, self.queue
        for entry in record.entries[queue.heard :]:
            queue = self._heard(queue, entry)
        self._put(replace(queue, heard=len(record.entries)))

    def _heard(self, queue: Queue, entry: Entry) -> Queue:
        """A line of the record, which may be the roll that waits first."""
        if entry.move is None:
            # Not asked: the throw that is played next may be the one that was taken back.
            return replace(queue, waiting=tuple(replace(each, held=True, asked=False) for each in queue.waiting))
        laid = self._record.game.laid_by(entry.move)
        if not queue.waiting or not laid:
            return queue
        first = queue.waiting[0]
        same = (entry.seen or {}).get("sha256") == first.roll.reading.sha256
        if not same and first.asked:
            self._say(f"Roll {first.roll.number}: a phone played {entry.move}.")
        return queue.without_first() if same or first.asked or self._shows(first, laid) else queue

    def _shows(self, waiting: WaitingRoll, laid: Sequence[Laid]) -> bool:
        """Whether these pieces, which a move put on the table, are what this roll shows."""
        try:
            return is_shown_by(self._observation(waiting), laid)
        except ValueError:
            return False

    # The next step

    def _step(self) -> bool:
        """Play one move if it is known which; whether something has changed."""
        record, first = self._record, self.queue.waiting[0]
        if record.result is not None:
            self._say(f"Roll {first.roll.number} was not played: the game is over.")
            self._put(self.queue.without_first())
            return True
        if (asked := self._to_check(first)) is not None:
            return self._asked(asked)
        follower = Follower(record.game, record.state)
        for observation in self._readable():
            follower.observe(observation)
        if any(trouble.observation == 0 for trouble in follower.unexplained):
            text = named(follower.unexplained[0].text, record.header.players)
            return self._asked(Ask("check", "no-play", text, may_confirm=False))
        planned = next(_sure(follower.moves), None)
        if planned is None:
            text = named(record.game.prompt(record.state), record.header.players)
            return self._asked(Ask("choice", "choice", text, may_confirm=False))
        return self._play(first, planned, len(record.lines))

    def _to_check(self, first: WaitingRoll) -> Ask | None:
        """What a player has to look at before this roll can be explained."""
        if first.held:
            text = "A move was taken back while this roll waited. Is it the next one?"
            return Ask("check", _TAKEN_BACK, text, may_confirm=True)
        reading = self._corrected(first)
        # What was corrected is played when a player says so, not with the last of the corrections.
        if _UNSURE in first.confirmed or (reading.sure and not self._kept(first).corrections):
            try:
                self._observation(first)
            except ValueError as error:
                return Ask("check", "no-such-tile", f"{error}. Correct it.", may_confirm=False)
            return None
        doubts = " ".join(doubt.said for doubt in reading.doubts)
        return Ask("check", _UNSURE, f"Please check this roll. {doubts}".strip(), may_confirm=True)

    def _readable(self) -> Iterator[Observation]:
        """What the rolls show, up to the first that has to be looked at."""
        for each in takewhile(lambda each: self._to_check(each) is None, self.queue.waiting):
            yield self._observation(each)

    def _play(self, first: WaitingRoll, planned: Followed, lines: int) -> bool:
        try:
            if self._record.game.laid_by(planned.move):
                return self._play_roll(first, lines)
            told_by = self.queue.waiting[planned.observation].roll
            self._table.play(self._id, lines, _said(planned, told_by), self._sender(first))
            self._say(f"{'Inferred' if planned.inferred else 'Seen'}: {planned.move}")
        except (Stale, Conflict):
            return True
        except ScorerError as error:
            return self._asked(Ask("check", error.code, error.message, may_confirm=False))
        return True

    def _play_roll(self, first: WaitingRoll, lines: int) -> bool:
        """Play the roll by its reading, as a photo; a doubt that was not settled yet is put to the players."""
        said = MoveRequest(reading=first.reading, corrections=len(self._kept(first).corrections))
        sender = self._sender(first)
        doubt = self._table.play(self._id, lines, said, sender).verdict.doubt
        if doubt is not None and doubt.code in first.confirmed and doubt.moves:
            doubt = self._table.play(self._id, lines, replace(said, confirm=True), sender).verdict.doubt
        if doubt is None:
            return True
        return self._asked(Ask("check", doubt.code, doubt.message, may_confirm=bool(doubt.moves)))

    def _asked(self, ask: Ask) -> bool:
        """Put it to the players, and wait."""
        first = self.queue.waiting[0]
        if ask.kind == "check" and ask.code != _TAKEN_BACK and not first.asked:
            self._put(self.queue.changed_first(asked=True))
        if ask != self.ask:
            what = "please check on a phone" if ask.kind == "check" else "waits for a choice; answer on a phone"
            self._say(f"Roll {first.roll.number}: {what}: {ask.text}")
        self.ask = ask
        return False

    # What rolls show

    def _corrected(self, waiting: WaitingRoll) -> Reading:
        kept = self._kept(waiting)
        return corrected(Reading.from_json(kept.reading), kept.corrections)

    def _observation(self, waiting: WaitingRoll) -> Observation:
        """What the roll shows as corrected; a piece that a player has added counts as thrown."""
        reading = self._corrected(waiting)
        was_thrown = {each.piece.box: each.thrown for each in waiting.roll.pieces}
        both: tuple[Die | Tile, ...] = (*reading.dice, *reading.tiles)
        pieces = tuple(Piece(at, piece, was_thrown.get(piece.box, True)) for at, piece in enumerate(both))
        return observation_of(replace(waiting.roll, reading=reading, pieces=pieces), self._record.header.game)

    def _sender(self, waiting: WaitingRoll) -> StoredToken:
        """The token that brought the roll, even if it was revoked since: the record says who has seen it."""
        return next(token for token in self._table.store.tokens.of(self._id) if token.id == waiting.token)

    def _kept(self, waiting: WaitingRoll) -> StoredReading:
        return self._table.store.reading(waiting.reading)

    def _stored(self, reading: Reading, photo: bytes) -> StoredReading:
        name = self._table.store.photos.put(photo)
        kept = StoredReading(secrets.token_hex(8), self._id, name, reading.to_json(), dict(reading.models), now())
        self._table.store.add_reading(kept)
        return kept

    def _put(self, queue: Queue) -> None:
        self._file.put(queue)

    def _say(self, text: str) -> None:
        self._sentences += 1
        self.said.append((self._sentences, text))

    def to_json(self) -> dict[str, Any]:
        """What phones are told, ready for `json.dumps`."""
        waiting = self.queue.waiting
        ask = None
        if waiting and self.ask:
            about = {"kind": self.ask.kind, "code": self.ask.code, "text": self.ask.text}
            shown = {"number": waiting[0].roll.number, "reading": waiting[0].reading}
            ask = {**shown, **about, "may_confirm": self.ask.may_confirm}
        return {"rolls": self.queue.last.number if self.queue.last else 0, "waiting": len(waiting), "ask": ask}


def _said(planned: Followed, told_by: Roll) -> MoveRequest:
    told = beside(planned, told_by)
    return MoveRequest(move=str(planned.move), inferred=planned.inferred, watched=told["watched"])


def _sure(moves: tuple[Followed, ...]) -> Iterator[Followed]:
    return takewhile(lambda each: each.chance >= SURE, moves)
