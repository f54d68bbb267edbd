"""Reads photos over HTTP: as values and score, or as an annotated picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError

from api.http.corrections import Correction
from api.http.problems import documented
from api.http.worker.desk import Desk, Sender
from api.interpret import schemas
from api.interpret.corrections import corrected
from api.interpret.derived import form_type, form_value
from api.interpret.game_names import PhotographedGame
from api.interpret.score_request import ScoreRequest, answer
from scorer.games.scoring import photographed, score_parameters

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


_OPTIONS = score_parameters(photographed())


def _request(
    game: Annotated[PhotographedGame | None, Form(description="Score the throw under this game.")] = None,
    rules: Annotated[
        list[str] | None,
        Form(description="Options of the game's rules, such as finish=61; repeated or separated by spaces."),
    ] = None,
    **told: Any,
) -> ScoreRequest:
    options = tuple(option for text in rules or () for option in text.split())
    return ScoreRequest(game, options, {each.name: form_value(each, told[each.name]) for each in _OPTIONS})


def _with_form(function: Callable[..., ScoreRequest]) -> Callable[..., ScoreRequest]:
    """The dependency with a form field for each of the options."""
    own = [
        each for each in signature(function, eval_str=True).parameters.values() if each.kind != Parameter.VAR_KEYWORD
    ]
    named = [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=None, annotation=form_type(each)) for each in _OPTIONS
    ]

    def dependency(**given: Any) -> ScoreRequest:
        return function(**given)

    dependency.__signature__ = Signature(  # type: ignore[attr-defined] # what FastAPI reads
        [*(each.replace(kind=Parameter.KEYWORD_ONLY) for each in own), *named]
    )
    return dependency


Upload = Annotated[UploadFile, File(description="JPEG, PNG, WebP, HEIC or GIF.")]
AtDesk = Annotated[Desk, Depends(desk_of)]
Anybody = Annotated[Sender, Depends(_sender)]
PROBLEMS = documented(400, 413, 415, 422, 503)
PICTURE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/jpeg": {}}, "description": "The annotated photo."}}


_CORRECTIONS = TypeAdapter(list[Correction])


def _corrections(
    corrections: Annotated[
        str,
        Form(
            max_length=20_000,
            json_schema_extra={"contentMediaType": "application/json"},
            description="What a person corrects in the reading, in order: a JSON list of what "
            "`/v1/readings/{reading_id}/corrections` takes, without `expected`. The corrected reading is returned and "
            "scored.",
        ),
    ] = "[]",
) -> list[dict[str, Any]]:
    """The corrections by a person, validated."""
    try:
        return [each.plain for each in _CORRECTIONS.validate_json(corrections)]
    except ValidationError as error:
        where = ("body", "corrections")
        told = [{**each, "loc": (*where, *each["loc"])} for each in error.errors(include_url=False)]
        raise RequestValidationError(told) from error


@router.post("", operation_id="read_photo", responses=PROBLEMS, response_model=schemas.Answer)
async def read_photo(
    photo: Upload,
    desk: AtDesk,
    sender: Anybody,
    request: Annotated[ScoreRequest, Depends(_with_form(_request))],
    corrections: Annotated[list[dict[str, Any]], Depends(_corrections)],
) -> Any:
    """Read the dice and dominoes in a photo; with a game, also score them."""
    data = await photo.read(desk.max_bytes + 1)
    reading = await desk.read(sender, _file_name(photo), data, request.expected)
    return answer(corrected(reading, corrections), request).to_json()


@router.post(
    "/annotated",
    operation_id="draw_photo",
    response_class=Response,
    responses=PICTURE | PROBLEMS,
)
async def draw_photo(
    photo: Upload, desk: AtDesk, sender: Anybody, request: Annotated[ScoreRequest, Depends(_with_form(_request))]
) -> Response:
    """Read a photo and return it annotated, for formats browsers cannot show, such as HEIC."""
    data = await photo.read(desk.max_bytes + 1)
    return Response(await desk.draw(sender, _file_name(photo), data, request.expected), media_type="image/jpeg")
