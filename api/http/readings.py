"""Reads photos over HTTP: as values and score, or as an annotated picture."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile

from api.http.problems import documented
from api.http.worker.desk import Desk, Sender
from api.interpret import schemas
from api.interpret.game_names import PhotographedGame
from api.interpret.score_request import ScoreRequest, answer
from scorer.games.scoring import dice_named

router = APIRouter(prefix="/v1/readings", tags=["readings"])


def _file_name(upload: UploadFile) -> str:
    """The file name without its path, which some browsers send."""
    return re.split(r"[/\\]", upload.filename or "")[-1] or "photo"


def desk_of(request: Request) -> Desk:
    """The desk that reads photos for this server."""
    desk: Desk = request.app.state.desk
    return desk


def client_of(request: Request) -> str:
    """The client's address; empty if unknown."""
    return request.client.host if request.client else ""


def _sender(request: Request) -> Sender:
    return Sender(request, client_of(request))


def _question(
    game: Annotated[PhotographedGame | None, Form(description="Score the throw under this game.")] = None,
    point: Annotated[int | None, Form(ge=1, le=6, description="Crib Dice: your point.")] = None,
    frozen: Annotated[int | None, Form(ge=2, le=7, description="Crib Dice: dice frozen on it.")] = None,
    rules: Annotated[
        list[str] | None,
        Form(description="Options of the game's rules, such as piddle_points=true; repeated or separated by spaces."),
    ] = None,
    set_aside: Annotated[
        str | None, Form(pattern="^[1-6](-[1-6])*$", description="Farkle Cribbage: dice set aside, such as 1-5-5.")
    ] = None,
    starter: Annotated[
        str | None,
        Form(
            pattern="^([1-9]|1[0-2]|[0-6]-[0-6])$",
            description="Cribbage Dice: value of the starter, if its colour does not show it. Domino Cribbage: the starter, "
            "such as 4-1, in the photo or not.",
        ),
    ] = None,
) -> ScoreRequest:
    aside = dice_named(set_aside) if set_aside else None
    options = tuple(option for text in rules or () for option in text.split())
    return ScoreRequest(game, point, frozen, options, aside, starter)


Upload = Annotated[UploadFile, File(description="JPEG, PNG, WebP, HEIC or GIF.")]
AtDesk = Annotated[Desk, Depends(desk_of)]
Anybody = Annotated[Sender, Depends(_sender)]
PROBLEMS = documented(400, 413, 415, 422, 503)
PICTURE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/jpeg": {}}, "description": "The annotated photo."}}


@router.post("", operation_id="read_photo", responses=PROBLEMS, response_model=schemas.Answer)
async def read_photo(
    photo: Upload, desk: AtDesk, sender: Anybody, request: Annotated[ScoreRequest, Depends(_question)]
) -> Any:
    """Read the dice and dominoes in a photo; with a game, also score them."""
    data = await photo.read(desk.max_bytes + 1)
    return answer(await desk.read(sender, _file_name(photo), data, request.expected), request).to_json()


@router.post(
    "/annotated",
    operation_id="draw_photo",
    response_class=Response,
    responses=PICTURE | PROBLEMS,
)
async def draw_photo(
    photo: Upload, desk: AtDesk, sender: Anybody, request: Annotated[ScoreRequest, Depends(_question)]
) -> Response:
    """Read a photo and return it annotated, for formats browsers cannot show, such as HEIC."""
    data = await photo.read(desk.max_bytes + 1)
    return Response(await desk.draw(sender, _file_name(photo), data, request.expected), media_type="image/jpeg")
