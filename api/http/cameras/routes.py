"""Routes of a game's camera: frames, rolls, what waits, and players' answers."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from api.http.cameras import schemas
from api.http.cameras.cameras import CameraFrame, Cameras
from api.http.cameras.reread import rolled
from api.http.games.live_games import check_camera
from api.http.games.routes import AtDesk, AtLive, Caller, Player
from api.http.problems import documented
from api.http.readings import Upload
from vision.photo import PhotoError

router = APIRouter(prefix="/v1/games/{game_id}/camera", tags=["cameras"])

MOST_FRAME_BYTES = 1024**2
"""A frame of 1280 pixels has about 300 kB."""
_TAKEN = documented(400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
_ASKED = documented(401, 403, 404, 409, 422, 429, 503)


def _cameras(request: Request) -> Cameras:
    cameras: Cameras = request.app.state.cameras
    return cameras


def _filming(caller: Player) -> Caller:
    """Refuse a camera where it would see hands that are hidden from others."""
    check_camera(caller.game)
    return caller


AtCameras = Annotated[Cameras, Depends(_cameras)]
Filming = Annotated[Caller, Depends(_filming)]


@router.post("/frames", operation_id="post_frame", response_model=schemas.CameraStatus, responses=_TAKEN)
async def post_frame(
    caller: Filming,
    cameras: AtCameras,
    live: AtLive,
    desk: AtDesk,
    photo: Upload,
    camera: Annotated[schemas.CameraName, Form()],
    number: Annotated[int, Form(ge=0, le=10**9, description="Of the frame, counted from 0.")],
    time: Annotated[float, Form(ge=0, le=10**9, description="In seconds; only differences count.")],
) -> Any:
    """Send a frame of a camera over the table. A roll that has come to rest is played, or waits for a player."""
    data = await photo.read(MOST_FRAME_BYTES + 1)
    if len(data) > MOST_FRAME_BYTES:
        raise PhotoError("too-large-file", "A frame has at most 1 MB. Send smaller ones.")
    profiles = partial(live.learning.profiles, caller.game, partial(desk.teach, caller.sender))
    return await cameras.see(caller.game, CameraFrame(caller.token, camera, number, time, data), profiles)


@router.post("/rolls", operation_id="post_roll", response_model=schemas.CameraStatus, responses=_TAKEN)
async def post_roll(
    caller: Filming,
    cameras: AtCameras,
    live: AtLive,
    desk: AtDesk,
    photo: Upload,
    camera: Annotated[schemas.CameraName, Form()],
    roll: Annotated[str, Form(max_length=20_000, description="A `SeenRoll` as JSON.")],
) -> Any:
    """Send a roll that another program has seen, with its picture. It is played, or waits for a player."""
    try:
        seen = schemas.SeenRoll.model_validate_json(roll)
    except ValidationError as error:
        told = [{**each, "loc": ("body", "roll", *each["loc"])} for each in error.errors(include_url=False)]
        raise RequestValidationError(told) from error
    profiles = await live.learning.profiles(caller.game, partial(desk.teach, caller.sender))
    picture, pieces = await photo.read(desk.max_bytes + 1), caller.game.record.game.pieces
    taken = await desk.take(caller.sender, picture, pieces, profiles)
    return await cameras.take(
        caller.game, camera, rolled(seen, taken.reading), taken.data, caller.token, late=seen.late
    )


@router.get("", operation_id="get_camera", response_model=schemas.CameraStatus, responses=_ASKED)
async def get_camera(caller: Player, cameras: AtCameras) -> Any:
    """What the camera of the game sees, and which roll waits for an answer."""
    return await cameras.status(caller.game)


@router.post("/answers", operation_id="answer_roll", response_model=schemas.CameraStatus, responses=_ASKED)
async def answer_roll(caller: Player, cameras: AtCameras, said: schemas.RollAnswer) -> Any:
    """Settle the roll that waits first. A choice is made as always, with `play_move`; the queue goes on by itself."""
    return await cameras.answer(caller.game, said.number, said.answer, said.corrections)
