"""Live games and the actions in them; every step is stored before it is announced.

Every action contains the length of the record that its player knew. If the record has grown since, the action is refused as
stale and the player reloads. So a request sent twice is played once.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from api.evidence.keys import Head, ServerKey
from api.evidence.provenance import provenance
from api.evidence.reuse import ELSEWHERE, PHOTO_AGAIN, PHOTO_ELSEWHERE, PHOTO_OLD, is_older, same_throw
from api.evidence.throws import reading_of, standing
from api.http.games import export, makers
from api.http.games.access import Denied, digest, new_token
from api.http.games.game_cache import GameCache
from api.http.games.places import places
from api.http.games.visibility import Visibility, has_hidden_hands, has_open_hands, hidden_now, hides_hands
from api.http.worker.desk import TakenPhoto
from api.interpret import rulings, typed_moves
from api.interpret.corrections import corrected
from api.interpret.on_table import on_table
from api.interpret.rulings import Verdict
from api.store import Conflict, Missing, Role, Store, StoredGame, StoredReading, StoredThrow, StoredToken, StoreError
from api.version import VERSION
from scorer.camera.referee import RulingDoubt, question
from scorer.engine.record import Header, Record
from scorer.engine.snapshot import snapshot
from scorer.games.registry import game_named
from vision.reading import Reading

log = logging.getLogger(__name__)

_ID = 16
"""Length of a game's id in hexadecimal digits."""


class Stale(Exception):  # noqa: N818 - named after the outcome
    """The game has advanced since the player's last snapshot; nothing was changed."""

    def __init__(self, known: int, lines: int) -> None:
        has = "1 line" if lines == 1 else f"{lines} lines"
        super().__init__(f"The game has advanced: its record has {has}, not {known}. Reload and try again.")


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """The outcome of a request.

    Attributes:
        game: its new state.
        verdict: on the photo or move.
        reading: of the photo, if any.
    """

    game: StoredGame
    verdict: Verdict
    reading: StoredReading | None = None


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A move sent by a player or a watching camera; at least one field is set.

    Attributes:
        move: as text, or as bare dice or tiles.
        reading: id of a reading to play.
        corrections: number of its corrections the player has seen.
        confirm: play it despite the doubt.
        inferred: the move was inferred by a camera, not chosen by a person.
        watched: frame and time of the roll behind a camera's move.
    """

    move: str | None = None
    reading: str | None = None
    corrections: int = 0
    confirm: bool = False
    inferred: bool = False
    watched: Mapping[str, Any] | None = None

    @property
    def by_camera(self) -> dict[str, Any]:
        """The record's note about the camera; empty for a person's move."""
        told = {"watched": dict(self.watched or {}), "inferred": self.inferred}
        return {name: each for name, each in told.items() if each}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a new game in plain text; shown once and never stored.

    Attributes:
        viewer: permits watching.
        invite: permits joining with another phone.
        player: permits playing for the seats of the phone that starts the game, as its host.
    """

    viewer: str
    invite: str
    player: str


@dataclass(frozen=True, slots=True)
class HandedOut:
    """A new token in plain text, and its rights."""

    token: StoredToken
    plain: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """A new game after one that is over, and the tokens in it of the phone that asked, in plain text.

    Attributes:
        game: the new one.
        token: of the phone, with the rights it had.
        invite, viewer: for others; None unless the phone is the host's.
    """

    game: StoredGame
    token: str
    invite: str | None
    viewer: str | None


class LiveGames:
    """All live games of this server. Methods block while writing; thread-safe."""

    def __init__(self, store: Store, key: ServerKey) -> None:
        self.store = store
        self._key = key
        self._cache = GameCache(store)

    def begin(
        self,
        game: str,
        players: Sequence[str],
        rules: Sequence[str],
        *,
        seats: Sequence[int] | None = None,
        open_hands: bool = False,
    ) -> tuple[StoredGame, Tokens]:
        """Start a game.

        Args:
            game: its name.
            players: their names in table order.
            rules: options such as "piddle_points=true".
            seats: of the phone that starts it; None: the whole table.
            open_hands: whether everyone sees every hand.

        Raises:
            ScorerError: the game cannot be played with these players or rules.
            Denied: 422: no such seat.
            StoreError: it could not be stored.
        """
        names = tuple(name.strip() for name in players)
        typed_moves.check_shown(names)
        begun_by = game_named(game).rules.from_texts(rules).for_players(len(names))
        header = Header(game, begun_by, names, typed_moves.now(), {"muggins": VERSION})
        record, made = Record.begin(header), header.date
        tokens = Tokens(new_token(), new_token(), new_token())
        stored = (
            StoredToken.new("viewer", digest(tokens.viewer), made=made),
            StoredToken.new("invite", digest(tokens.invite), made=made),
            StoredToken.new("player", digest(tokens.player), seats=_seats(names, seats), host=True, made=made),
        )
        return self.store.begin(record, stored, open_hands=open_hands), tokens

    def rematch(self, game: StoredGame, token: StoredToken) -> Rematch:
        """The game after this one: the same players, seats and rules. The first phone that asks begins it; the others join it.

        Args:
            game: which is over.
            token: of a phone or camera in it; in the new game it gets one of the same rights.

        Raises:
            Conflict: "not-over"; "seat-taken": the phone is there already, in a game with hidden hands.
            Denied: 403 "invited-only": somebody's phone or camera was revoked there.
            StoreError: it could not be stored.
        """
        if game.record.result is None:
            raise Conflict("not-over", "This game is not over yet. Finish it first.")
        following = self._following(game)
        self._check_let_in(following, token)
        alone = token.role == "player" and has_hidden_hands(following)
        own = self._handed_out(following, token.role, alone=alone, seats=token.seats, host=token.host, name=token.name)
        invite = self._handed_out(following, "invite").plain if token.host else None
        viewer = self._handed_out(following, "viewer").plain if token.host else None
        return Rematch(following, own.plain, invite, viewer)

    def _check_let_in(self, following: StoredGame, token: StoredToken) -> None:
        """Refuse other players' tokens once one was revoked in the rematch: its holder could come back by the game before."""
        there = self.store.tokens.of(following.id)
        if not token.host and any(each.revoked and each.role == token.role for each in there):
            text = "Somebody was removed from this rematch, so it is open by invitation only. Ask the host for one."
            raise Denied(403, "invited-only", text)

    def _following(self, game: StoredGame) -> StoredGame:
        """The rematch of a game. Its id is derived from that of the game, so there is only one, whichever phone starts it."""
        game_id = hashlib.sha256(f"rematch of {game.id}".encode()).hexdigest()[:_ID]
        with contextlib.suppress(Missing):
            return self.game(game_id)
        header = replace(game.record.header, date=typed_moves.now(), versions={"muggins": VERSION})
        try:
            return self.store.begin(Record.begin(header), open_hands=game.open_hands, game_id=game_id)
        except StoreError as error:
            # Another phone may have been faster.
            try:
                return self.game(game_id)
            except Missing:
                raise error from None

    # Tokens and seats

    def join(self, game: StoredGame, seats: Sequence[int] | None) -> HandedOut:
        """A token for another phone, which plays for these seats (None: the whole table).

        Raises:
            Denied: 422: no such seat.
            Conflict: "seat-taken": another phone holds one of them, in a game with hidden hands.
        """
        wanted = _seats(game.record.header.players, seats)
        return self._handed_out(game, "player", alone=has_hidden_hands(game), seats=wanted)

    def sit(self, game: StoredGame, token: StoredToken, seats: Sequence[int] | None) -> StoredToken:
        """Change the seats of a phone.

        Raises:
            Denied, Conflict: as in `join`.
        """
        wanted = _seats(game.record.header.players, seats)
        return self.store.tokens.sit(game.id, token, wanted, alone=has_hidden_hands(game))

    def hand_out(self, game: StoredGame, role: Role, name: str, *, instead: bool) -> HandedOut:
        """A new link to watch, to join, or for a camera.

        Args:
            game: it is for.
            role: not "player": players join.
            name: of a camera.
            instead: revoke the earlier ones of this role.

        Raises:
            Denied: 403: a camera in a game with hidden hands would see them all.
        """
        if role == "camera":
            check_camera(game)
        old = [t for t in self.store.tokens.of(game.id) if t.role == role and not t.revoked] if instead else []
        made = self._handed_out(game, role, name=name.strip())
        for each in old:
            self.revoke(game, each.id)
        return made

    def revoke(self, game: StoredGame, token_id: str) -> None:
        """Make a token invalid for good. Streams opened with it end.

        Raises:
            Missing: "no-token".
            Conflict: "last-host".
        """
        self.store.tokens.revoke(game.id, token_id, typed_moves.now())

    def _handed_out(self, game: StoredGame, role: Role, *, alone: bool = False, **more: Any) -> HandedOut:
        plain = new_token()
        stored = StoredToken.new(role, digest(plain), made=typed_moves.now(), **more)
        return HandedOut(self.store.tokens.add(game.id, stored, alone=alone), plain)

    # Games

    def game(self, game_id: str) -> StoredGame:
        """The current game.

        Raises:
            Missing: "no-game".
        """
        return self._cache.game(game_id)

    def fetched(self, game_id: str) -> StoredGame:
        """The current game, with moves of other servers that were not announced here yet.

        Raises:
            Missing: "no-game".
        """
        return self._cache.fetched(game_id)

    def expected(self, game_id: str, lines: int) -> StoredGame:
        """The game, if its record has exactly this many lines.

        Raises:
            Missing: "no-game".
            Stale: it has more or fewer.
        """
        game = self._cache.game(game_id)
        if len(game.record.lines) != lines:
            # Another server may have written a move that is not yet announced here.
            game = self.fetched(game_id)
        if len(game.record.lines) != lines:
            raise Stale(lines, len(game.record.lines))
        return game

    def see(self, game: StoredGame, photo: TakenPhoto, token: StoredToken) -> MoveOutcome:
        """Store a photo and its reading, and play it if nothing is in doubt.

        Args:
            game: as the player knew it: whose hand the photo may show does not change if others move while it is read.
            photo: without metadata, and its reading.
            token: of the phone or camera that sent it.

        Raises:
            Denied: 403: it is another player's hidden hand.
            Stale, Conflict: the game has advanced; the reading is stored anyway.
            StoreError: something could not be stored.
        """
        check_own_hand(game, token)
        beside = {export.TAKEN: photo.at} if photo.at else {}
        kept = self._add(game.id, self.store.photos.put(photo.data), photo.reading, beside, hidden_now(game))
        return self._from_reading(self.expected(game.id, len(game.record.lines)), kept, token, confirm=False)

    def play(self, game_id: str, lines: int, said: MoveRequest, token: StoredToken) -> MoveOutcome:
        """Play a typed or chosen move, or a corrected or confirmed reading.

        Raises:
            Denied: 403: it is another player's hidden hand.
            Stale, Conflict: the game or reading has changed since the player saw it.
            Missing: no such game, or no such reading in it.
            ScorerError: not a legal move.
            StoreError: it could not be stored.
        """
        game = self.expected(game_id, lines)
        check_own_hand(game, token)
        if said.reading is None:
            return self._typed(game, said, token)
        kept = self.reading_of(game, said.reading, token)
        if len(kept.corrections) != said.corrections:
            raise Conflict("corrected-since", "Somebody else has corrected this reading. Reload it.")
        if said.move is None:
            return self._from_reading(game, kept, token, confirm=said.confirm)
        return self._instead(game, kept, said.move, token, confirm=said.confirm)

    def undo(self, game_id: str, lines: int, token: StoredToken) -> StoredGame:
        """Undo the last move.

        Raises:
            Stale, Conflict: the game has advanced.
            RecordError: "nothing-to-undo".
        """
        game = self.expected(game_id, lines)
        record = game.record.undo(at=typed_moves.now(), by=makers.maker(game.record, token, hides=False))
        return self._keep(game, record)

    def reading_of(self, game: StoredGame, reading_id: str, token: StoredToken) -> StoredReading:
        """A reading of this game that this token shows.

        Raises:
            Missing: "no-reading": unknown, of another game, or of another player's hidden hand.
        """
        kept = self.store.reading(reading_id)
        if kept.game_id != game.id or not Visibility.of(token).reading(game, kept):
            raise Missing("no-reading", "Unknown reading.")
        return kept

    def look_again(self, first: StoredReading, reading: Reading) -> StoredReading:
        """Store a second reading of a photo. Nothing is played, and the first reading stays.

        Raises:
            StoreError: it could not be stored.
        """
        of = {export.AGAIN_OF: export.again_of(first) or first.id}
        taken = {export.TAKEN: at} if (at := export.taken(first)) else {}
        return self._add(first.game_id, first.photo, reading, of | taken, first.seat)

    def correct(self, reading_id: str, expected: int, correction: Mapping[str, Any]) -> StoredReading:
        """Store a correction of a reading. A move played from it stays; undo it and play the reading again.

        Raises:
            InvalidCorrection: it does not fit the reading.
            Conflict: somebody else has corrected the reading since.
            Missing: "no-reading".
        """
        kept = self.store.reading(reading_id)
        if len(kept.corrections) == expected:
            corrected(Reading.from_json(kept.reading), [*kept.corrections, correction])
        return self.store.correct(reading_id, expected, correction)

    def shown(self, game: StoredGame, visibility: Visibility) -> dict[str, Any]:
        """The game as JSON, as far as this visibility allows."""
        told, record = snapshot(game.record), game.record
        last = record.entries[-1] if record.entries else None
        return {
            **told,
            "id": game.id,
            "lines": len(record.lines),
            "head": self._key.sign(Head.of(record, game.id)).to_json(),
            "on_table": on_table(record),
            "places": places(record) if visibility.all_hands(game) else None,
            "offers": told["offers"] if visibility.offers(game) else None,
            "hands": visibility.hands(game),
            "hands_hidden": hides_hands(game),
            "hands_open": has_open_hands(game),
            "how": provenance(last) if last else None,
            "by": makers.shown(last.by) if last else None,
        }

    # Storing readings and moves

    def _add(
        self, game_id: str | None, photo: str, reading: Reading, beside: Mapping[str, Any], seat: int | None
    ) -> StoredReading:
        kept = StoredReading(
            id=secrets.token_hex(8),
            game_id=game_id,
            photo=photo,
            reading={**reading.to_json(), **beside},
            models=dict(reading.models),
            at=typed_moves.now(),
            seat=seat,
        )
        self.store.add_reading(kept)
        return kept

    def _typed(self, game: StoredGame, said: MoveRequest, token: StoredToken) -> MoveOutcome:
        text = " ".join((said.move or "").lower().split())
        seen = typed_moves.seen_in(game.record, text)
        if seen is None:
            return self._played(game, Verdict((typed_moves.written(game.record, text),)), said.by_camera, token)
        verdict = rulings.of_seen(game.record, seen)
        if not said.confirm:
            return self._played(game, verdict, said.by_camera, token)
        return self._played(game, verdict.confirmed(), rulings.how(None, (), verdict.doubt), token)

    def _from_reading(self, game: StoredGame, kept: StoredReading, token: StoredToken, *, confirm: bool) -> MoveOutcome:
        reading = Reading.from_json(kept.reading)
        verdict = rulings.of_reading(game.record, corrected(reading, kept.corrections))
        return self._of_photo(game, kept, verdict, {}, token, confirm=confirm)

    def _instead(
        self, game: StoredGame, kept: StoredReading, text: str, token: StoredToken, *, confirm: bool
    ) -> MoveOutcome:
        """A person's move instead of the reading of the photo, stored with the photo."""
        move = typed_moves.written(game.record, " ".join(text.lower().split()))
        return self._of_photo(game, kept, Verdict((move,)), {"said": str(move)}, token, confirm=confirm)

    def _of_photo(
        self,
        game: StoredGame,
        kept: StoredReading,
        verdict: Verdict,
        said: Mapping[str, Any],
        token: StoredToken,
        *,
        confirm: bool,
    ) -> MoveOutcome:
        """Play the verdict on a photo, unless the photo is old or was played already: then a person has to confirm it."""
        reading = Reading.from_json(kept.reading)
        day = self._elsewhere(game, reading)
        verdict = _in_one_game(day, _once(game.record, reading, verdict))
        verdict = _lately(game.record, export.taken(kept), verdict)
        doubt = verdict.doubt if confirm else None
        how = {**rulings.how(reading, kept.corrections, doubt), **self._first_of(kept), **_noted(day), **said}
        if doubt and doubt.code == PHOTO_OLD:
            how |= {export.TAKEN: export.taken(kept)}
        return self._played(game, verdict.confirmed() if confirm else verdict, how, token, kept)

    def _elsewhere(self, game: StoredGame, reading: Reading) -> str:
        """The last day on which another game played this throw; empty if none did.

        A hand that is still hidden there is not compared: the question would reveal it.
        """
        days = (self._day(each) for each in self.store.throws.like(reading, game.id))
        return max(days, default="")

    def _day(self, thrown: StoredThrow) -> str:
        """The day of a throw; empty if it may not be revealed, or its game cannot be read."""
        try:
            game = self.game(thrown.game_id)
        except StoreError as error:
            log.error("%s: %s", error.code, error.message)
            return ""
        return "" if hides_hands(game) else (thrown.at or game.begun)[:_DAY]

    def _first_of(self, kept: StoredReading) -> dict[str, Any]:
        """If a second reading is played, its line also contains a summary of the first."""
        of = export.again_of(kept)
        if of is None:
            return {}
        first = Reading.from_json(self.store.reading(of).reading)
        seen = {"dice": list(first.values), "tiles": [tile.name for tile in first.tiles]}
        return {export.AGAIN_OF: of, "first": {name: pieces for name, pieces in seen.items() if pieces}}

    def _played(
        self,
        game: StoredGame,
        verdict: Verdict,
        how: Mapping[str, Any],
        token: StoredToken,
        kept: StoredReading | None = None,
    ) -> MoveOutcome:
        if verdict.doubt:
            return MoveOutcome(game, verdict, kept)
        record = typed_moves.after(
            game.record,
            verdict.moves,
            seen=export.as_read(kept) if kept else None,
            corrected=how or None,
            by=lambda record: makers.maker(record, token, hides=has_hidden_hands(game)),
        )
        now = self._keep(game, record)
        asked = question(record.game, record.state)
        return MoveOutcome(now, replace(verdict, events=record.events, question=asked), kept)

    def _keep(self, game: StoredGame, record: Record) -> StoredGame:
        kept = self.store.append(game, record)
        return self._cache.put(replace(kept, record=_as_loaded(record)))


def _noted(day: str) -> dict[str, str]:
    """The note in the record about a throw that another game played."""
    return {ELSEWHERE: day} if day else {}


_DAY = len("2026-11-21")
_MAY_BE_AGAIN = ("unsure-reading", "nothing-thrown")
"""Doubts that also arise for a throw played twice; the doubt about the repetition replaces them."""


def _once(record: Record, reading: Reading, verdict: Verdict) -> Verdict:
    """The verdict, with a doubt if the throw was played already in this game: a photo counts once."""
    if verdict.doubt is not None and verdict.doubt.code not in _MAY_BE_AGAIN:
        return verdict
    number = next((number for number, played in _read(record) if same_throw(played, reading)), None)
    if number is None:
        return verdict
    text = f"This throw was played already, in line {number}. Confirm it only if it fell the same way again."
    return _doubted(verdict, PHOTO_AGAIN, text)


def _in_one_game(day: str, verdict: Verdict) -> Verdict:
    """The verdict, with a doubt if another game played the throw; of that game only the day is revealed."""
    if not day or (verdict.doubt is not None and verdict.doubt.code not in _MAY_BE_AGAIN):
        return verdict
    text = f"This throw was played already in another game, on {day}. Confirm it only if it fell the same way again."
    return _doubted(verdict, PHOTO_ELSEWHERE, text)


def _doubted(verdict: Verdict, code: str, text: str) -> Verdict:
    """The verdict with this doubt, which may be confirmed."""
    moves = verdict.doubt.moves if verdict.doubt else verdict.moves
    return replace(verdict, moves=(), doubt=RulingDoubt(code, text, moves))


def _lately(record: Record, taken: str, verdict: Verdict) -> Verdict:
    """The verdict, with a doubt if the photo says that it was taken before the last move, or before the game."""
    before = next((entry.at for entry in reversed(record.entries)), record.header.date)
    # Another doubt has its own sentence; a person who confirms it looks at the photo.
    if not is_older(taken, before) or (verdict.doubt is not None and verdict.doubt.code not in _MAY_BE_AGAIN):
        return verdict
    what = "last move" if record.entries else "game began"
    text = (
        f"This photo was taken at {taken[:19].replace('T', ' ')}, before the {what}. Take a new one, "
        "or confirm it if the clock of its phone is wrong."
    )
    return _doubted(verdict, PHOTO_OLD, text)


def _read(record: Record) -> Iterator[tuple[int, Reading]]:
    """The readings of the moves that were not undone, with the numbers of their lines, the last first."""
    for number, entry in reversed(standing(record)):
        if played := reading_of(entry.seen):
            yield number, played


def _as_loaded(record: Record) -> Record:
    """The game with the events of its last line only, as others see it."""
    if record.entries[-1].move is None:
        return record
    return replace(record, events=record.game.apply(record.history[-2], record.moves[-1]).events)


def check_camera(game: StoredGame) -> None:
    """Refuse a camera in a game with hidden hands, since it would see all of them.

    Raises:
        Denied: 403 "hands-hidden".
    """
    if has_hidden_hands(game):
        text = "A camera would see every hand. Start the game with open hands to use one."
        raise Denied(403, "hands-hidden", text)


def check_own_hand(game: StoredGame, token: StoredToken) -> None:
    """Refuse a move for another player's hidden hand: even an error message would reveal what that player holds.

    Raises:
        Denied: 403 "other-hand".
    """
    seat = game.record.state.to_act
    if seat is not None and hides_hands(game) and not token.holds(seat):
        name = game.record.header.players[seat]
        raise Denied(403, "other-hand", f"It is the turn of {name}, whose hand is hidden: only their phone can move.")


def _seats(players: Sequence[str], seats: Sequence[int] | None) -> tuple[int, ...] | None:
    """The seats in order, each once; None for the whole table."""
    if seats is None:
        return None
    if not all(0 <= seat < len(players) for seat in seats):
        raise Denied(422, "no-seat", f"Seats are numbered from 0 to {len(players) - 1}.")
    return tuple(sorted(set(seats)))
