"""Routes of live games: games, actions, and readings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from io import BytesIO
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Form, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.types import Receive, Scope, Send

from api.evidence.keys import ServerKey
from api.http.games import crops, export, schemas
from api.http.games.access import Denied, Failures, Needed, admit
from api.http.games.codes import Codes
from api.http.games.feed import Feed, Stream
from api.http.games.history import history
from api.http.games.join_gate import may_begin, may_list
from api.http.games.learning import Learning
from api.http.games.live_games import HandedOut, LiveGames, MoveOutcome, MoveRequest, check_own_hand
from api.http.games.past import MOST_GAMES, Past
from api.http.games.visibility import Visibility, hides_hands
from api.http.problems import documented
from api.http.readings import PICTURE, Upload, client_of, desk_of
from api.http.worker.desk import Desk, Sender
from api.store import Missing, StoredGame, StoredReading, StoredToken
from scorer.engine.expected import Expected
from scorer.games.registry import game_named
from vision.draw import annotate
from vision.photo import load

router = APIRouter(prefix="/v1", tags=["live games"])

_QUALITY = 85
_FOREVER = {"cache-control": "private, max-age=31536000, immutable"}


@dataclass
class GameServices:
    """Shared state of the routes: `app.state.live`."""

    table: LiveGames
    feed: Feed
    key: ServerKey
    failures: Failures
    codes: Codes
    past: Past
    learning: Learning


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: the game, and the token with its rights."""

    game: StoredGame
    token: StoredToken
    request: Request

    @property
    def visibility(self) -> Visibility:
        """What the token shows."""
        return Visibility.of(self.token)

    @property
    def sender(self) -> Sender:
        """The queue group for reading photos: all players of a game together, before viewers."""
        return Sender(self.request, self.game.id, self.visibility.plays)


# Access


def _live(request: Request) -> GameServices:
    live: GameServices = request.app.state.live
    return live


_bearer = HTTPBearer(auto_error=False, description="A token of the game.")
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
AtLive = Annotated[GameServices, Depends(_live)]
AtDesk = Annotated[Desk, Depends(desk_of)]
GameId = Annotated[str, Path(max_length=64, description="From `start_game`.")]
TokenId = Annotated[str, Path(max_length=64, description="From `list_tokens`.")]
ReadingId = Annotated[str, Path(max_length=64, description="From `post_photo`.")]
Piece = Annotated[int, Path(ge=0, le=1000, description="Index in `dice` of the reading, continued through `tiles`.")]


def _caller(request: Request, live: GameServices, game_id: str, bearer: Bearer, needed: Needed) -> Caller:
    if "token" in request.query_params:
        text = "A token does not belong in an address, which is logged. Send it as `Authorization: Bearer …`."
        raise Denied(401, "token-in-address", text, {"WWW-Authenticate": "Bearer"})
    if bearer is None and "authorization" in request.headers:
        text = "Send the token of the game as `Authorization: Bearer …`."
        raise Denied(401, "no-token", text, {"WWW-Authenticate": "Bearer"})
    game, token = live.table.game(game_id), bearer.credentials if bearer else None
    return Caller(game, admit(live.table.store, game.id, token, needed, client_of(request), live.failures), request)


def _allowed(needed: Needed) -> Callable[..., Caller]:
    def caller(request: Request, live: AtLive, game_id: GameId, bearer: Bearer) -> Caller:
        return _caller(request, live, game_id, bearer, needed)

    return caller


Viewer = Annotated[Caller, Depends(_allowed("watch"))]
Joiner = Annotated[Caller, Depends(_allowed("join"))]
Player = Annotated[Caller, Depends(_allowed("play"))]
Seated = Annotated[Caller, Depends(_allowed("sit"))]
Host = Annotated[Caller, Depends(_allowed("host"))]


def _open_viewer(caller: Viewer) -> Caller:
    """Refuse tokens for which another player's hand is hidden."""
    if not caller.visibility.all_hands(caller.game):
        raise Denied(403, "hands-hidden", "This reveals hidden hands. Everybody can see it once the game is over.")
    return caller


OpenViewer = Annotated[Caller, Depends(_open_viewer)]


@dataclass(frozen=True, slots=True)
class RequestedReading:
    """A requested reading."""

    reading: StoredReading
    caller: Caller


def _asked(needed: Needed) -> Callable[..., RequestedReading]:
    def asked(request: Request, live: AtLive, reading_id: ReadingId, bearer: Bearer) -> RequestedReading:
        kept = live.table.store.reading(reading_id)
        if kept.game_id is None:
            raise Missing("no-reading", "Unknown reading.")
        caller = _caller(request, live, kept.game_id, bearer, needed)
        if not caller.visibility.reading(caller.game, kept):
            text = "This photo may show a hidden hand. Everybody can see it once the game is over."
            raise Denied(403, "hands-hidden", text)
        return RequestedReading(kept, caller)

    return asked


ToSee = Annotated[RequestedReading, Depends(_asked("watch"))]
ToCorrect = Annotated[RequestedReading, Depends(_asked("play"))]

_LOOK = documented(401, 403, 404, 422, 429, 503)
_WRITE = documented(400, 401, 403, 404, 409, 413, 422, 429, 503)
_PHOTO = _WRITE | documented(415)


def _file(kind: str, what: str, **more: Any) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {kind: {"schema": {"type": "string", **more}}}, "description": what}}


# Games


@router.post(
    "/games",
    operation_id="start_game",
    status_code=201,
    response_model=schemas.Begun,
    responses=documented(400, 403, 413, 422, 429, 503),
    dependencies=[Depends(may_begin)],
)
def start_game(wanted: schemas.NewGame, live: AtLive, response: Response) -> Any:
    """Start a game. The response contains its tokens, which are shown only once."""
    response.headers["cache-control"] = "no-store"
    game, tokens = live.table.begin(
        wanted.game, wanted.players, wanted.rules, seats=wanted.seats, open_hands=wanted.open_hands
    )
    visibility = Visibility(True, None if wanted.seats is None else frozenset(wanted.seats))
    return {"id": game.id, **asdict(tokens), "snapshot": live.table.shown(game, visibility)}


@router.get(
    "/games",
    operation_id="list_games",
    response_model=schemas.ListedGames,
    responses=documented(403, 404, 422, 429, 503),
    dependencies=[Depends(may_list)],
)
def list_games(
    live: AtLive,
    most: Annotated[int, Query(ge=1, le=MOST_GAMES, description="How many.")] = 20,
    before: Annotated[
        str | None, Query(max_length=64, description="Only games begun before this one (its id).")
    ] = None,
) -> Any:
    """The games of this server, newest first. It needs the join token, as starting a game does."""
    return asdict(live.past.games(most, before))


@router.get(
    "/players",
    operation_id="list_players",
    response_model=schemas.PlayerTallies,
    responses=documented(403, 422, 429, 503),
    dependencies=[Depends(may_list)],
)
def list_players(live: AtLive) -> Any:
    """Who has played on this server, what they won, their best throws and their luck. It needs the join token."""
    return asdict(live.past.players())


@router.post(
    "/games/{game_id}/rematch",
    operation_id="start_rematch",
    status_code=201,
    response_model=schemas.Rematch,
    responses=_WRITE,
)
def start_rematch(caller: Player, live: AtLive, response: Response, _: schemas.WantedRematch) -> Any:
    """Start the next game with the same players, seats and rules, or join it if another phone has started it.

    The response contains a token with the rights of the one sent, shown only once.
    """
    response.headers["cache-control"] = "no-store"
    made = live.table.rematch(caller.game, caller.token)
    tokens = {"token": made.token, "invite": made.invite, "viewer": made.viewer}
    return {"id": made.game.id, **tokens, "snapshot": live.table.shown(made.game, caller.visibility)}


@router.get("/games/{game_id}", operation_id="get_game", response_model=schemas.Snapshot, responses=_LOOK)
def get_game(caller: Viewer, live: AtLive) -> Any:
    """The state of a game; for players, with the offers to the player to act and what their own seats hold."""
    return live.table.shown(caller.game, caller.visibility)


@router.get("/games/{game_id}/history", operation_id="get_history", response_model=schemas.History, responses=_LOOK)
def get_history(caller: Viewer, live: AtLive) -> Any:
    """Every line of the record as this token may see it, with the hash of each line of the record."""
    return history(caller.game, caller.visibility, live.table.store.readings_of(caller.game.id))


# Tokens and seats


@router.get("/games/{game_id}/token", operation_id="get_token", response_model=schemas.Token, responses=_LOOK)
def get_token(caller: Viewer) -> Any:
    """What the token of this request allows."""
    return _token_json(caller.token)


@router.get("/games/{game_id}/tokens", operation_id="list_tokens", response_model=schemas.Tokens, responses=_LOOK)
def list_tokens(caller: Player, live: AtLive) -> Any:
    """All tokens of the game, without their secrets: who plays for which seats, who watches, and what was revoked."""
    return {"tokens": [_token_json(token) for token in live.table.store.tokens.of(caller.game.id)]}


@router.post(
    "/games/{game_id}/join",
    operation_id="join_game",
    status_code=201,
    response_model=schemas.NewToken,
    responses=_WRITE,
)
def join_game(caller: Joiner, live: AtLive, response: Response, sits: schemas.Sits) -> Any:
    """Join with an invitation and say who plays on this phone. The response has its own token, shown only once."""
    return _handed_out(live.table.join(caller.game, sits.seats), response)


@router.put("/games/{game_id}/seats", operation_id="take_seats", response_model=schemas.Token, responses=_WRITE)
def take_seats(caller: Seated, live: AtLive, sits: schemas.Sits) -> Any:
    """Change who plays on this phone."""
    return _token_json(live.table.sit(caller.game, caller.token, sits.seats))


@router.post(
    "/games/{game_id}/tokens",
    operation_id="make_token",
    status_code=201,
    response_model=schemas.NewToken,
    responses=_WRITE,
)
def make_token(caller: Host, live: AtLive, response: Response, wanted: schemas.WantedToken) -> Any:
    """Make a new token to watch, to join, or for a camera; on request the earlier ones of that kind are revoked."""
    made = live.table.hand_out(caller.game, wanted.role, wanted.name, instead=wanted.instead)
    if wanted.role == "invite" and wanted.instead:
        live.codes.forget(caller.game.id)
    return _handed_out(made, response)


@router.delete(
    "/games/{game_id}/tokens/{token_id}",
    operation_id="revoke_token",
    status_code=204,
    responses=documented(401, 403, 404, 409, 422, 429, 503),
)
def revoke_token(caller: Seated, live: AtLive, token_id: TokenId) -> None:
    """Revoke a token for good: the host any, others their own."""
    if not caller.token.host and token_id != caller.token.id:
        raise Denied(403, "host-only", "Only the host of the game can do this.")
    live.table.revoke(caller.game, token_id)


@router.post(
    "/games/{game_id}/codes",
    operation_id="make_code",
    status_code=201,
    response_model=schemas.InviteCode,
    responses=_WRITE,
)
def make_code(caller: Seated, live: AtLive, response: Response, _: schemas.WantedCode) -> Any:
    """A short code that invites to this game: the current one if it is valid for a while, or a new one."""
    response.headers["cache-control"] = "no-store"
    code, seconds = live.codes.of(caller.game.id)
    return {"code": code.shown, "seconds": seconds}


@router.post(
    "/codes",
    operation_id="use_code",
    status_code=201,
    response_model=schemas.Invited,
    responses=documented(400, 404, 413, 422, 429, 503),
)
def use_code(request: Request, live: AtLive, response: Response, typed: schemas.TypedCode) -> Any:
    """The game that a short code invites to, with a new invitation."""
    response.headers["cache-control"] = "no-store"
    game = live.table.game(live.codes.game(typed.code, client_of(request)))
    made, header = live.table.hand_out(game, "invite", "", instead=False), game.record.header
    return {
        "id": game.id,
        "invite": made.plain,
        "title": game_named(header.game).title,
        "players": list(header.players),
    }


def _handed_out(made: HandedOut, response: Response) -> dict[str, Any]:
    response.headers["cache-control"] = "no-store"
    return {**_token_json(made.token), "token": made.plain}


def _token_json(token: StoredToken) -> dict[str, Any]:
    told = {name: getattr(token, name) for name in ("id", "role", "name", "host", "made")}
    return {**told, "seats": None if token.seats is None else list(token.seats), "revoked": token.revoked or None}


# Moves


@router.post("/games/{game_id}/photos", operation_id="post_photo", response_model=schemas.MoveOutcome, responses=_PHOTO)
async def post_photo(
    caller: Player, live: AtLive, desk: AtDesk, photo: Upload, lines: Annotated[schemas.Lines, Form()]
) -> Any:
    """Send a photo of the table. It is played if nothing is in doubt; a doubt can be confirmed."""
    game = await run_sync(live.table.expected, caller.game.id, lines)
    check_own_hand(game, caller.token)
    profiles = await live.learning.profiles(game, partial(desk.teach, caller.sender))
    taken = await desk.take(caller.sender, await photo.read(desk.max_bytes + 1), _on_table(game), profiles)
    done = await run_sync(live.table.see, game, taken, caller.token)
    return await run_sync(_told, live, done, caller.visibility)


@router.post("/games/{game_id}/moves", operation_id="play_move", response_model=schemas.MoveOutcome, responses=_WRITE)
def play_move(caller: Player, live: AtLive, move: schemas.MoveSaid) -> Any:
    """Play a move, answer a question, or confirm a doubt."""
    watched = move.watched.model_dump() if move.watched else None
    said = MoveRequest(move.move, move.reading, move.corrections, move.confirm, move.inferred, watched)
    return _told(live, live.table.play(caller.game.id, move.lines, said, caller.token), caller.visibility)


@router.post("/games/{game_id}/undo", operation_id="undo_move", response_model=schemas.Snapshot, responses=_WRITE)
def undo_move(caller: Player, live: AtLive, undo: schemas.Undo) -> Any:
    """Undo the last move; the record keeps both lines."""
    return live.table.shown(live.table.undo(caller.game.id, undo.lines, caller.token), caller.visibility)


def _told(live: GameServices, done: MoveOutcome, visibility: Visibility) -> dict[str, Any]:
    ruling = done.verdict.to_json(done.game.record.header.players)
    if not visibility.offers(done.game):
        # The question goes to the next player, and its offers would reveal that player's hand.
        ruling["question"] = None
    return {
        "reading": export.reading_json(done.reading) if done.reading else None,
        "ruling": ruling,
        "snapshot": live.table.shown(done.game, visibility),
    }


@router.get(
    "/games/{game_id}/events",
    operation_id="watch_game",
    response_class=StreamingResponse,
    responses=_LOOK
    | _file(
        "text/event-stream",
        "Events named `snapshot`: the id is the number of lines, the data a Snapshot as from `get_game`. "
        "The first is the game as it is now, also where `Last-Event-ID` was sent: `get_history` has the lines between. "
        "An event named `camera` when something else waits of the game's camera: ask `get_camera`. "
        "An event named `alive` after some seconds of silence.",
    ),
)
async def watch_game(caller: Viewer, live: AtLive) -> StreamingResponse:
    """Watch a game: the current snapshot, then one per new line."""
    return _Events(await live.feed.join(caller.game, caller.token, client_of(caller.request)))


class _Events(StreamingResponse):
    """A stream that is left however it ends, even before it has begun."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._stream.leave()


@router.get(
    "/games/{game_id}/record",
    operation_id="get_record",
    response_class=Response,
    responses=_LOOK | _file("application/jsonl", "The record, for `muggins replay`."),
)
def get_record(caller: OpenViewer) -> Response:
    """The record of the game: one JSON line per move."""
    return Response(caller.game.record.text, media_type="application/jsonl", headers=_as_file(caller.game, "jsonl"))


@router.get(
    "/games/{game_id}/evidence",
    operation_id="get_evidence",
    response_class=StreamingResponse,
    responses=_LOOK | _file("application/zip", "Evidence for `muggins verify`.", format="binary"),
)
async def get_evidence(caller: OpenViewer, live: AtLive, desk: AtDesk) -> StreamingResponse:
    """Record, photos, readings and a readable report in one zip."""
    file = await desk.export(lambda: export.evidence_of(live.table.store, live.key, caller.game))
    headers = _as_file(caller.game, "zip")
    return StreamingResponse(export.chunks(file), media_type="application/zip", headers=headers)


def _as_file(game: StoredGame, suffix: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{game.record.header.game}-{game.id}.{suffix}"'}


# Readings


@router.get("/games/{game_id}/readings", operation_id="list_readings", response_model=schemas.Readings, responses=_LOOK)
def list_readings(caller: Viewer, live: AtLive) -> Any:
    """All readings of the game that this token shows, in order."""
    if hides_hands(caller.game) and not caller.visibility.plays:
        raise Denied(403, "hands-hidden", "Photos may show hidden hands. Viewers can see them once the game is over.")
    readings = live.table.store.readings_of(caller.game.id)
    return {
        "readings": [export.reading_json(kept) for kept in readings if caller.visibility.reading(caller.game, kept)]
    }


@router.get("/readings/{reading_id}", operation_id="get_reading", response_model=schemas.KeptReading, responses=_LOOK)
def get_reading(asked: ToSee) -> Any:
    """A reading, as read and as corrected."""
    return export.reading_json(asked.reading)


@router.get(
    "/readings/{reading_id}/photo",
    operation_id="get_photo",
    response_class=Response,
    responses=_LOOK | _file("image/*", "The photo, without location metadata.", format="binary"),
)
def get_photo(asked: ToSee, live: AtLive) -> Response:
    """The photo of a reading."""
    data = live.table.store.photos.get(asked.reading.photo)
    return Response(data, media_type=export.media_type(data), headers=_FOREVER)


@router.get(
    "/readings/{reading_id}/annotated",
    operation_id="draw_reading",
    response_class=Response,
    responses=_LOOK | PICTURE,
)
async def draw_reading(asked: ToSee, live: AtLive, desk: AtDesk) -> Response:
    """The photo annotated with the corrected reading."""
    return Response(await desk.alone(asked.caller.sender, lambda: _drawn(asked.reading, live)), media_type="image/jpeg")


@router.get(
    "/readings/{reading_id}/crops/{piece}",
    operation_id="crop_piece",
    response_class=Response,
    responses=_LOOK | _file("image/jpeg", "The piece with some margin.", format="binary"),
)
async def crop_piece(asked: ToSee, live: AtLive, desk: AtDesk, piece: Piece) -> Response:
    """An enlarged crop of one piece of a reading."""
    data = await desk.alone(
        asked.caller.sender, lambda: crops.enlarged(asked.reading, piece, live.table.store.photos.get)
    )
    return Response(data, media_type="image/jpeg", headers=_FOREVER)


@router.post(
    "/readings/{reading_id}/look-again",
    operation_id="look_again",
    status_code=201,
    response_model=schemas.KeptReading,
    responses=documented(400, 401, 403, 404, 413, 422, 429, 503),
)
async def look_again(asked: ToCorrect, live: AtLive, desk: AtDesk, _: schemas.LookAgain) -> Any:
    """Read the photo again at higher magnification as a new reading. Nothing is played; `play_move` can refer to it."""
    photo = await run_sync(live.table.store.photos.get, asked.reading.photo)
    profiles = await live.learning.profiles(asked.caller.game, partial(desk.teach, asked.caller.sender))
    reading = await desk.look_again(asked.caller.sender, photo, _on_table(asked.caller.game), profiles)
    return export.reading_json(await run_sync(live.table.look_again, asked.reading, reading))


def _on_table(game: StoredGame) -> Expected:
    """What a photo of the table should show in the present state of the game."""
    return game.record.game.on_table(game.record.state)


def _drawn(kept: StoredReading, live: GameServices) -> bytes:
    picture = BytesIO()
    photo = load(live.table.store.photos.get(kept.photo))
    annotate(export.as_said(kept), photo.pixels).save(picture, "JPEG", quality=_QUALITY)
    return picture.getvalue()


@router.post(
    "/readings/{reading_id}/corrections",
    operation_id="correct_reading",
    response_model=schemas.KeptReading,
    responses=_WRITE,
)
def correct_reading(asked: ToCorrect, live: AtLive, said: schemas.CorrectionSaid) -> Any:
    """Correct a reading: change a value, add or remove a piece. Nothing is played; the reading itself stays."""
    return export.reading_json(live.table.correct(asked.reading.id, said.expected, said.plain))
