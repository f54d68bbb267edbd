"""Photos over HTTP: read and scored, or drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from io import BytesIO
from typing import Annotated, Any, Literal, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile

from api.evidence.place import without_place
from api.http.problems import documented
from api.interpret import schemas
from api.interpret.score_request import Question, answer
from scorer.games.scoring import dice_named
from vision.draw import annotate
from vision.photo import Limits, Photo, load
from vision.reader import TableReader, TiledReader
from vision.reading import Reading

router = APIRouter(prefix="/v1/readings", tags=["readings"])

Game = Literal["crib-dice", "farkle-crib", "cribbage-dice", "domino-cribbage", "domino-pips"]
_T = TypeVar("_T")
KEPT_AS = "photo"
"""What every photo of a game is called in its readings."""


class Desk:
    """Where photos are read, one at a time: a reading keeps all cores busy; two would only hold twice the memory."""

    def __init__(self, reader: TableReader, limits: Limits) -> None:
        self._reader = reader
        self._limits = limits
        self._one_at_a_time = CapacityLimiter(1)

    async def read(self, upload: UploadFile) -> Reading:
        """The reading of an uploaded photo.

        Raises:
            PhotoError: the photo cannot be read.
        """
        return await self.alone(lambda: self._reader.read(self._load(upload)))

    async def draw(self, upload: UploadFile) -> bytes:
        """The photo with its reading drawn on it, as a JPEG.

        Raises:
            PhotoError: the photo cannot be read.
        """
        return await self.alone(lambda: self._drawn(self._load(upload)))

    async def take(self, upload: UploadFile) -> tuple[bytes, Reading]:
        """The uploaded photo as it may be kept, without the place where it was taken, and its reading.

        Raises:
            PhotoError: the photo cannot be read.
        """
        return await self.alone(lambda: self._taken(upload))

    async def look_again(self, kept: Callable[[], bytes]) -> Reading:
        """The reading of a photo that was taken before, from nearer.

        Args:
            kept: gives the bytes of the photo.
        """
        return await self.alone(lambda: self._closer.read(load(kept(), name=KEPT_AS, limits=self._limits)))

    async def alone(self, work: Callable[[], _T]) -> _T:
        """Do some work that keeps all cores busy, when nothing else of that kind is done."""
        return await run_sync(work, limiter=self._one_at_a_time)

    @cached_property
    def _closer(self) -> TiledReader:
        """Most servers never need it."""
        return TiledReader()

    def _load(self, upload: UploadFile) -> Photo:
        return load(upload.file, name=_file_name(upload), limits=self._limits)

    def _taken(self, upload: UploadFile) -> tuple[bytes, Reading]:
        data = upload.file.read(self._limits.max_bytes + 1)
        # What is too large is refused before its parts are looked at.
        kept = without_place(data) if len(data) <= self._limits.max_bytes else data
        # People's file names are not for everybody who sees the game.
        return kept, self._reader.read(load(kept, name=KEPT_AS, limits=self._limits))

    def _drawn(self, loaded: Photo) -> bytes:
        picture = BytesIO()
        annotate(self._reader.read(loaded), loaded.pixels).save(picture, "JPEG", quality=85)
        return picture.getvalue()


def _file_name(upload: UploadFile) -> str:
    """The last part of what the browser called it; some send the whole path."""
    return re.split(r"[/\\]", upload.filename or "")[-1] or "photo"


def desk_of(request: Request) -> Desk:
    """Where this server reads its photos."""
    desk: Desk = request.app.state.desk
    return desk


def _question(
    game: Annotated[Game | None, Form(description="Score the throw under this game.")] = None,
    point: Annotated[int | None, Form(ge=1, le=6, description="Crib Dice: your point.")] = None,
    frozen: Annotated[int | None, Form(ge=2, le=7, description="Crib Dice: dice frozen on it.")] = None,
    rules: Annotated[
        list[str] | None,
        Form(description="Options of the game's rules, like piddle_points=true; repeated, or separated by spaces."),
    ] = None,
    set_aside: Annotated[
        str | None, Form(pattern="^[1-6](-[1-6])*$", description="Farkle Cribbage: dice set aside, like 1-5-5.")
    ] = None,
    starter: Annotated[
        str | None,
        Form(
            pattern="^([1-9]|1[0-2]|[0-6]-[0-6])$",
            description="Cribbage Dice: the starter's value, where its colour does not tell. Domino Cribbage: the starter, "
            "like 4-1, whether or not it is in the photo.",
        ),
    ] = None,
) -> Question:
    aside = dice_named(set_aside) if set_aside else None
    options = tuple(option for text in rules or () for option in text.split())
    return Question(game, point, frozen, options, aside, starter)


Upload = Annotated[UploadFile, File(description="JPEG, PNG, WebP, HEIC or GIF.")]
AtDesk = Annotated[Desk, Depends(desk_of)]
PROBLEMS = documented(400, 413, 415, 422)
PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/jpeg": {}}, "description": "The photo with its reading drawn on it."}
}


@router.post("", operation_id="read_photo", responses=PROBLEMS, response_model=schemas.Answer)
async def read_photo(photo: Upload, desk: AtDesk, question: Annotated[Question, Depends(_question)]) -> Any:
    """Read the dice and dominoes in a photo; with a game, say what they are worth."""
    return answer(await desk.read(photo), question).to_json()


@router.post(
    "/annotated",
    operation_id="draw_photo",
    response_class=Response,
    responses=PICTURE | PROBLEMS,
)
async def draw_photo(photo: Upload, desk: AtDesk) -> Response:
    """Read the dice and dominoes in a photo and draw them on it: for pictures that a browser cannot show, such as HEIC."""
    return Response(await desk.draw(photo), media_type="image/jpeg")
