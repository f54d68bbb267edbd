"""Routes of live games: games, actions, and readings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Form, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.types import Receive, Scope, Send

from api.evidence.keys import ServerKey
from api.http.games import crops, export, schemas
from api.http.games.access import Denied, Failures, Role, admit
from api.http.games.feed import Feed, Stream
from api.http.games.join_gate import may_begin
from api.http.games.live_games import Done, LiveGames, Said, hides_hands
from api.http.problems import documented
from api.http.readings import PICTURE, Upload, client_of, desk_of
from api.http.worker.desk import Desk, Sender
from api.store import Missing, StoredGame, StoredReading
from scorer.engine.expected import Expected
from vision.draw import annotate
from vision.photo import load

router = APIRouter(prefix="/v1", tags=["live games"])

_QUALITY = 85
_FOREVER = {"cache-control": "private, max-age=31536000, immutable"}


@dataclass
class Live:
    """Shared state of the routes: `app.state.live`."""

    table: LiveGames
    feed: Feed
    key: ServerKey
    failures: Failures


@dataclass(frozen=True, slots=True)
class Seat:
    """A request's game and role."""

    game: StoredGame
    role: Role
    request: Request

    @property
    def sender(self) -> Sender:
        """The queue group for reading photos: all players of a game together, before viewers."""
        return Sender(self.request, self.game.id, self.role == "player")


# Access


def _live(request: Request) -> Live:
    live: Live = request.app.state.live
    return live


_bearer = HTTPBearer(auto_error=False, description="A token of the game.")
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]
AtLive = Annotated[Live, Depends(_live)]
AtDesk = Annotated[Desk, Depends(desk_of)]
GameId = Annotated[str, Path(max_length=64, description="From `start_game`.")]
ReadingId = Annotated[str, Path(max_length=64, description="From `post_photo`.")]
Piece = Annotated[int, Path(ge=0, le=1000, description="Index in `dice` of the reading, continued through `tiles`.")]
LinkToken = Annotated[
    str | None,
    Query(max_length=200, description="The token, for requests without headers: streams, pictures, downloads."),
]


def _seat(request: Request, live: Live, game_id: str, token: str | None, needed: Role) -> Seat:
    game = live.table.game(game_id)
    return Seat(game, admit(game, token, needed, client_of(request), live.failures), request)


def _by_header(needed: Role) -> Callable[..., Seat]:
    def seat(request: Request, live: AtLive, game_id: GameId, bearer: Bearer) -> Seat:
        return _seat(request, live, game_id, bearer.credentials if bearer else None, needed)

    return seat


def _by_link(request: Request, live: AtLive, game_id: GameId, bearer: Bearer, token: LinkToken = None) -> Seat:
    return _seat(request, live, game_id, bearer.credentials if bearer else token, "viewer")


def _openly(seat: Seat) -> None:
    """Refuse viewers anything that would reveal a hand."""
    if seat.role != "player" and hides_hands(seat.game):
        text = "This reveals the players' hands. Viewers can see it once the game is over."
        raise Denied(403, "hands-hidden", text)


def _open_seat(seat: Annotated[Seat, Depends(_by_link)]) -> Seat:
    _openly(seat)
    return seat


Viewer = Annotated[Seat, Depends(_by_header("viewer"))]
Player = Annotated[Seat, Depends(_by_header("player"))]
LinkViewer = Annotated[Seat, Depends(_by_link)]
OpenViewer = Annotated[Seat, Depends(_open_seat)]


@dataclass(frozen=True, slots=True)
class Asked:
    """A requested reading."""

    reading: StoredReading
    seat: Seat


def _reading(request: Request, live: Live, reading_id: str, token: str | None, needed: Role) -> Asked:
    kept = live.table.store.reading(reading_id)
    if kept.game_id is None:
        raise Missing("no-reading", "Unknown reading.")
    asked = Asked(kept, _seat(request, live, kept.game_id, token, needed))
    _openly(asked.seat)
    return asked


def _to_see(request: Request, live: AtLive, reading_id: ReadingId, bearer: Bearer, token: LinkToken = None) -> Asked:
    return _reading(request, live, reading_id, bearer.credentials if bearer else token, "viewer")


def _to_correct(request: Request, live: AtLive, reading_id: ReadingId, bearer: Bearer) -> Asked:
    return _reading(request, live, reading_id, bearer.credentials if bearer else None, "player")


ToSee = Annotated[Asked, Depends(_to_see)]
ToCorrect = Annotated[Asked, Depends(_to_correct)]

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
    """Start a game. The response contains its two tokens, which are shown only once."""
    response.headers["cache-control"] = "no-store"
    game, tokens = live.table.begin(wanted.game, wanted.players, wanted.rules)
    snapshot = live.table.shown(game, "player")
    return {"id": game.id, "viewer": tokens.viewer, "player": tokens.player, "snapshot": snapshot}


@router.get("/games/{game_id}", operation_id="get_game", response_model=schemas.Snapshot, responses=_LOOK)
def get_game(seat: Viewer, live: AtLive) -> Any:
    """The state of a game; with the player's token, including the offers to the player to act."""
    return live.table.shown(seat.game, seat.role)


@router.post("/games/{game_id}/photos", operation_id="post_photo", response_model=schemas.Done, responses=_PHOTO)
async def post_photo(
    seat: Player, live: AtLive, desk: AtDesk, photo: Upload, lines: Annotated[schemas.Lines, Form()]
) -> Any:
    """Send a photo of the table. It is played if nothing is in doubt; a doubt can be confirmed."""
    game = await run_sync(live.table.expected, seat.game.id, lines)
    data, reading = await desk.take(seat.sender, await photo.read(desk.max_bytes + 1), _on_table(game))
    done = await run_sync(live.table.see, seat.game.id, lines, reading, data)
    return await run_sync(_told, live, done)


@router.post("/games/{game_id}/moves", operation_id="play_move", response_model=schemas.Done, responses=_WRITE)
def play_move(seat: Player, live: AtLive, move: schemas.MoveSaid) -> Any:
    """Play a move, answer a question, or confirm a doubt."""
    watched = move.watched.model_dump() if move.watched else None
    said = Said(move.move, move.reading, move.corrections, move.confirm, move.inferred, watched)
    return _told(live, live.table.play(seat.game.id, move.lines, said))


@router.post("/games/{game_id}/undo", operation_id="undo_move", response_model=schemas.Snapshot, responses=_WRITE)
def undo_move(seat: Player, live: AtLive, undo: schemas.Undo) -> Any:
    """Undo the last move; the record keeps both lines."""
    return live.table.shown(live.table.undo(seat.game.id, undo.lines), seat.role)


def _told(live: Live, done: Done) -> dict[str, Any]:
    return {
        "reading": export.reading_json(done.reading) if done.reading else None,
        "ruling": done.verdict.to_json(done.game.record.header.players),
        "snapshot": live.table.shown(done.game, "player"),
    }


@router.get(
    "/games/{game_id}/events",
    operation_id="watch_game",
    response_class=StreamingResponse,
    responses=_LOOK
    | _file(
        "text/event-stream",
        "Events named `snapshot`: the id is the number of lines, the data a Snapshot as from `get_game`. "
        "An event named `alive` after some seconds of silence.",
    ),
)
async def watch_game(seat: LinkViewer, live: AtLive) -> StreamingResponse:
    """Watch a game: the current snapshot, then one per new line."""
    return _Events(await live.feed.join(seat.game, seat.role, client_of(seat.request)))


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
def get_record(seat: OpenViewer) -> Response:
    """The record of the game: one JSON line per move."""
    return Response(seat.game.record.text, media_type="application/jsonl", headers=_as_file(seat.game, "jsonl"))


@router.get(
    "/games/{game_id}/evidence",
    operation_id="get_evidence",
    response_class=StreamingResponse,
    responses=_LOOK | _file("application/zip", "Evidence for `muggins verify`.", format="binary"),
)
async def get_evidence(seat: OpenViewer, live: AtLive, desk: AtDesk) -> StreamingResponse:
    """Record, photos, readings and a readable report in one zip."""
    file = await desk.export(lambda: export.evidence_of(live.table.store, live.key, seat.game))
    headers = _as_file(seat.game, "zip")
    return StreamingResponse(export.chunks(file), media_type="application/zip", headers=headers)


def _as_file(game: StoredGame, suffix: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{game.record.header.game}-{game.id}.{suffix}"'}


# Readings


@router.get("/games/{game_id}/readings", operation_id="list_readings", response_model=schemas.Readings, responses=_LOOK)
def list_readings(seat: OpenViewer, live: AtLive) -> Any:
    """All readings of the game, in order."""
    return {"readings": [export.reading_json(kept) for kept in live.table.store.readings_of(seat.game.id)]}


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
    return Response(await desk.alone(asked.seat.sender, lambda: _drawn(asked.reading, live)), media_type="image/jpeg")


@router.get(
    "/readings/{reading_id}/crops/{piece}",
    operation_id="crop_piece",
    response_class=Response,
    responses=_LOOK | _file("image/jpeg", "The piece with some margin.", format="binary"),
)
async def crop_piece(asked: ToSee, live: AtLive, desk: AtDesk, piece: Piece) -> Response:
    """An enlarged crop of one piece of a reading."""
    data = await desk.alone(
        asked.seat.sender, lambda: crops.enlarged(asked.reading, piece, live.table.store.photos.get)
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
    reading = await desk.look_again(asked.seat.sender, photo, _on_table(asked.seat.game))
    return export.reading_json(await run_sync(live.table.look_again, asked.reading, reading))


def _on_table(game: StoredGame) -> Expected:
    """What a photo of the table should show as the game stands."""
    return game.record.game.on_table(game.record.state)


def _drawn(kept: StoredReading, live: Live) -> bytes:
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
