"""The queue of a game's camera: from the rolls it has seen to moves in the record.

    queue.take(roll, photo)             a roll was seen: it is stored, and played if nothing is in doubt
    queue.answer(7, "yes", 0)           a player has answered about roll 7
    queue.advance()                     somebody has moved: perhaps the next roll can be played now

Rolls are played in order by the referee that rules on photos. A choice that nobody has announced is inferred when a
later roll shows it (`scorer.camera.follower`): a throw of four dice beside three 5s means "point 5". Where that does
not settle it, and where a reading is in doubt, the queue stops and the players are asked; the rolls behind it wait.

Nothing is played twice: a roll leaves the queue when it is in the record, and the queue is stored before and after
(`stored_queue`). Where several servers share a database, each reads the queue again before it changes it, and retries
if another server was faster.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Literal

from api.film.game_tracker import beside, is_shown_by, observation_of
from api.http.cameras.stored_queue import Ask, Queue, QueueMoved, StoredQueue, WaitingRoll
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
"""Rolls of one game that may wait; a table goes on throwing for some minutes before somebody looks at a phone."""
_MOST_TRIES = 20
"""Attempts at one change, where other servers change the same queue."""
_TAKEN_BACK, _PLAYED_SINCE, _UNSURE = "taken-back", "played-since", "unsure-reading"

Answer = Literal["yes", "no"]


class TooManyWaiting(Exception):  # noqa: N818 - named after the state
    """The queue is full. Nothing was taken; the camera waits and sends the roll again."""


class RollQueue:
    """The queue of one game. For one thread at a time."""

    def __init__(self, table: LiveGames, game_id: str, stored: StoredQueue) -> None:
        """Continue from the stored queue."""
        self._table, self._id, self._stored_queue = table, game_id, stored
        self._changed(self._begin)

    @property
    def queue(self) -> Queue:
        """The queue as stored, as far as this server knows."""
        return self._stored_queue.queue

    @property
    def ask(self) -> Ask | None:
        """Why the first roll waits."""
        return self.queue.ask

    @property
    def _record(self) -> Record:
        """The game's record, with every move that the queue has heard of: on PostgreSQL other servers' moves may arrive later."""
        record = self._table.game(self._id).record
        return record if len(record.entries) >= self.queue.heard else self._table.fetched(self._id).record

    def _begin(self) -> None:
        if not self._stored_queue.exists:
            self._put(replace(self.queue, heard=len(self._record.entries)))

    def film(self, camera: str) -> None:
        """Note which camera films from now on.

        Raises:
            StoreError: it could not be stored.
        """
        self._changed(lambda: self._put(replace(self.queue, camera=camera)))

    def take(self, roll: Roll, photo: bytes, token: StoredToken, source: str = "", *, late: bool = False) -> None:
        """Add a roll, and play what can be played.

        Args:
            roll: its reading is that of the photo; its number is that of the source, if it has one.
            photo: JPEG.
            token: of the sender.
            source: the camera, if it numbers its rolls itself: a number that it has sent before is ignored.
            late: others have played since it was seen, so a player has to say whether it is still the next.

        Raises:
            TooManyWaiting: nothing was taken.
            StoreError: it could not be stored.
        """
        self._stored_queue.refresh()
        if not self._is_new(roll, source):
            return
        kept = self._stored(roll.reading, photo)
        self._changed(lambda: self._add(roll, kept, token, source, late=late))
        self.advance()

    def _is_new(self, roll: Roll, source: str) -> bool:
        if source and roll.number <= self.queue.taken.get(source, 0):
            return False
        if len(self.queue.waiting) >= MOST_WAITING:
            raise TooManyWaiting
        return True

    def _add(self, roll: Roll, kept: StoredReading, token: StoredToken, source: str, *, late: bool) -> None:
        # Checked again: another server may have taken it, or filled the queue.
        if not self._is_new(roll, source):
            return
        queue = self.queue
        own = replace(roll, number=queue.next_number, reading=Reading.from_json(kept.reading))
        waits = WaitingRoll(Roll.from_json(own.to_json()), kept.id, token.id, late=late)
        taken = queue.with_taken(source, roll.number) if source else queue
        self._put(replace(taken, last=own, waiting=(*queue.waiting, waits)))

    def answer(self, number: int, answer: Answer, corrections: int) -> None:
        """Apply a player's answer about the first waiting roll.

        Args:
            number: of the roll.
            answer: "yes": it lies as it was read or corrected; "no": it was no throw.
            corrections: of its reading that the player has seen.

        Raises:
            Conflict: "settled": it does not wait any more, or not first; "corrected-since".
            StoreError: it could not be stored.
        """
        self._changed(lambda: self._answered(number, answer, corrections))
        self.advance()

    def _answered(self, number: int, answer: Answer, corrections: int) -> None:
        self._hear()
        waiting = self.queue.waiting
        if not waiting or waiting[0].roll.number != number:
            raise Conflict("settled", "This roll was settled on another phone.")
        if len(self._kept(waiting[0]).corrections) != corrections:
            raise Conflict("corrected-since", "Somebody else has corrected this reading. Look at it again.")
        if answer == "no":
            self._put(self.queue.without_first().saying(f"Roll {number} was left out."))
        else:
            codes = waiting[0].confirmed | {_UNSURE} | ({self.ask.code} if self.ask else set())
            self._put(self.queue.changed_first(held=False, late=False, confirmed=codes))

    def refresh(self) -> None:
        """Play what can be played now, if somebody has moved since the players were asked.

        Raises:
            StoreError: it could not be stored.
        """
        self._stored_queue.refresh()
        if self.ask is None or len(self._record.entries) != self.queue.heard:
            self.advance()

    def advance(self) -> None:
        """Play what can be played now.

        Raises:
            StoreError: it could not be stored.
        """
        self._changed(self._advance)

    def _advance(self) -> None:
        self._hear()
        while self.queue.waiting and self._step():
            self._hear()
        if not self.queue.waiting:
            self._put(replace(self.queue, ask=None))

    def _changed(self, change: Callable[[], None]) -> None:
        """Apply a change to the queue as stored, and retry where another server was faster."""
        for _ in range(_MOST_TRIES):
            self._stored_queue.refresh()
            try:
                return change()
            except QueueMoved:
                continue
        raise Conflict("camera-busy", "Other servers change what waits of this camera. Try again.")

    # Moves that others have made

    def _hear(self) -> None:
        record, queue = self._record, self.queue
        for entry in record.entries[queue.heard :]:
            queue = self._heard(queue, entry)
        self._put(replace(queue, heard=len(record.entries)))

    def _heard(self, queue: Queue, entry: Entry) -> Queue:
        """Process a line of the record, which may be the first waiting roll."""
        if entry.move is None:
            # No longer `asked`: the next throw that is played may be the one that was undone.
            held = tuple(replace(each, held=True, asked=False) for each in queue.waiting)
            return replace(queue, waiting=held, ask=None).with_another()
        laid = self._record.game.laid_by(entry.move)
        if not laid:
            return queue
        if not queue.waiting:
            return queue.with_another()
        first = queue.waiting[0]
        same = (entry.seen or {}).get("sha256") == first.roll.reading.sha256
        if not same and first.asked:
            queue = queue.saying(f"Roll {first.roll.number}: a phone played {entry.move}.")
        played = same or first.asked or self._shows(first, laid)
        return queue.without_first() if played else queue.with_another()

    def _shows(self, waiting: WaitingRoll, laid: Sequence[Laid]) -> bool:
        """Whether this roll shows these pieces, which a move put on the table."""
        try:
            return is_shown_by(self._observation(waiting), laid)
        except ValueError:
            return False

    # The next step

    def _step(self) -> bool:
        """Play one move if it is known; returns whether something has changed."""
        record, first = self._record, self.queue.waiting[0]
        if record.result is not None:
            text = f"Roll {first.roll.number} was not played: the game is over."
            self._put(self.queue.without_first().saying(text))
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
        """What a player has to check before this roll can be explained."""
        if first.held:
            text = "A move was taken back while this roll waited. Is it the next one?"
            return Ask("check", _TAKEN_BACK, text, may_confirm=True)
        if first.late:
            text = "Others played before this roll reached the server. Is it still the next one?"
            return Ask("check", _PLAYED_SINCE, text, may_confirm=True)
        reading = self._corrected(first)
        # A corrected reading is played when a player says so, not with the last correction.
        if _UNSURE in first.confirmed or (reading.sure and not self._kept(first).corrections):
            try:
                self._observation(first)
            except ValueError as error:
                text = f"A tile was read that is not in the set ({error}). Correct it."
                return Ask("check", "no-such-tile", text, may_confirm=False)
            return None
        doubts = " ".join(doubt.said for doubt in reading.doubts)
        return Ask("check", _UNSURE, f"Please check this roll. {doubts}".strip(), may_confirm=True)

    def _readable(self) -> Iterator[Observation]:
        """The observations of the rolls, up to the first that has to be checked."""
        for each in takewhile(lambda each: self._to_check(each) is None, self.queue.waiting):
            yield self._observation(each)

    def _play(self, first: WaitingRoll, planned: Followed, lines: int) -> bool:
        try:
            if self._record.game.laid_by(planned.move):
                return self._play_roll(first, lines)
            told_by = self.queue.waiting[planned.observation].roll
            self._table.play(self._id, lines, _said(planned, told_by), self._sender(first))
            self._put(self.queue.saying(f"{'Inferred' if planned.inferred else 'Seen'}: {planned.move}"))
        except (Stale, Conflict):
            return True
        except ScorerError as error:
            return self._asked(Ask("check", error.code, error.message, may_confirm=False))
        return True

    def _play_roll(self, first: WaitingRoll, lines: int) -> bool:
        """Play the roll by its reading, as a photo; a doubt that is not settled yet is put to the players."""
        said = MoveRequest(reading=first.reading, corrections=len(self._kept(first).corrections))
        sender = self._sender(first)
        doubt = self._table.play(self._id, lines, said, sender).verdict.doubt
        if doubt is not None and doubt.code in first.confirmed and doubt.moves:
            doubt = self._table.play(self._id, lines, replace(said, confirm=True), sender).verdict.doubt
        if doubt is None:
            return True
        return self._asked(Ask("check", doubt.code, doubt.message, may_confirm=bool(doubt.moves)))

    def _asked(self, ask: Ask) -> bool:
        """Put the question to the players, and wait."""
        queue, known = self.queue, self.ask
        first = queue.waiting[0]
        if ask.kind == "check" and ask.code not in (_TAKEN_BACK, _PLAYED_SINCE) and not first.asked:
            queue = queue.changed_first(asked=True)
        if ask != known:
            what = "please check on a phone" if ask.kind == "check" else "waits for a choice; answer on a phone"
            queue = queue.saying(f"Roll {first.roll.number}: {what}: {ask.text}")
        self._put(replace(queue, ask=ask))
        return False

    # What rolls show

    def _corrected(self, waiting: WaitingRoll) -> Reading:
        kept = self._kept(waiting)
        return corrected(Reading.from_json(kept.reading), kept.corrections)

    def _observation(self, waiting: WaitingRoll) -> Observation:
        """What the roll shows as corrected; a piece that a player added counts as thrown."""
        reading = self._corrected(waiting)
        was_thrown = {each.piece.box: each.thrown for each in waiting.roll.pieces}
        both: tuple[Die | Tile, ...] = (*reading.dice, *reading.tiles)
        pieces = tuple(Piece(at, piece, was_thrown.get(piece.box, True)) for at, piece in enumerate(both))
        return observation_of(replace(waiting.roll, reading=reading, pieces=pieces), self._record.header.game)

    def _sender(self, waiting: WaitingRoll) -> StoredToken:
        """The token that sent the roll, even if it was revoked since: the record says who has seen it."""
        return next(token for token in self._table.store.tokens.of(self._id) if token.id == waiting.token)

    def _kept(self, waiting: WaitingRoll) -> StoredReading:
        return self._table.store.reading(waiting.reading)

    def _stored(self, reading: Reading, photo: bytes) -> StoredReading:
        name = self._table.store.photos.put(photo)
        kept = StoredReading(secrets.token_hex(8), self._id, name, reading.to_json(), dict(reading.models), now())
        self._table.store.add_reading(kept)
        return kept

    def _put(self, queue: Queue) -> None:
        self._stored_queue.put(queue)

    def to_json(self) -> dict[str, Any]:
        """What phones are shown, ready for `json.dumps`."""
        waiting = self.queue.waiting
        ask = None
        if waiting and self.ask:
            ask = {"number": waiting[0].roll.number, "reading": waiting[0].reading, **self.ask.to_json()}
        rolls = self.queue.last.number if self.queue.last else 0
        said = [{"number": number, "text": text} for number, text in self.queue.said]
        told = {"rolls": rolls, "waiting": len(waiting), "ask": ask, "said": said}
        return {**told, "filmed": bool(self.queue.camera), "others": self.queue.others}


def _said(planned: Followed, told_by: Roll) -> MoveRequest:
    told = beside(planned, told_by)
    return MoveRequest(move=str(planned.move), inferred=planned.inferred, watched=told["watched"])


def _sure(moves: tuple[Followed, ...]) -> Iterator[Followed]:
    return takewhile(lambda each: each.chance >= SURE, moves)
