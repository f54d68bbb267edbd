"""Routes of profiles: people's own dice and dominoes, taught from photos, and used in games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import APIRouter, File, Form, Path, Response, UploadFile

from api.http.games import routes, schemas
from api.http.games.learning import THIS_GAME
from api.http.problems import documented
from api.http.readings import Anybody, AtDesk, Upload
from api.interpret import typed_moves
from api.store import Missing, StoredProfile
from vision.taught.labelling import Said
from vision.taught.pieces import InvalidProfile
from vision.taught.profile import MOST_BYTES, Profile

router = APIRouter(prefix="/v1", tags=["profiles"])

_LOOK = documented(401, 403, 404, 422, 429, 503)
_WRITE = documented(400, 401, 403, 404, 413, 422, 429, 503)
_TEACH = documented(400, 413, 415, 422, 503)
_MOST_SAID = 100
_MOST_USED, _MOST_USED_BYTES = 400, 16_000_000
"""The most pieces in all profiles that people use in one game, and the most bytes of their files. What the game learned
itself is not counted.

Before the first photo the worker learns them, some 20 ms a piece, within the time limit of a photo.
"""
Sha = Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="SHA-256 of the profile, from `list_profiles`.")]
File_ = Annotated[UploadFile, File(description="The file of a profile.")]
_JSON: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {"schema": {"type": "object"}}}, "description": "The file of the profile."}
}


@router.post("/pieces", operation_id="find_pieces", response_model=schemas.FoundPieces, responses=_TEACH)
async def find_pieces(photo: Upload, desk: AtDesk, sender: Anybody) -> Any:
    """Everything on a photo that may be a piece, for people to say what it shows. Nothing is stored."""
    return await desk.find(sender, await photo.read(desk.max_bytes + 1))


@router.post("/profiles", operation_id="teach", response_class=Response, responses=_TEACH | _JSON)
async def teach(
    photo: Upload,
    name: Annotated[str, Form(max_length=40, description="Of the profile.")],
    said: Annotated[str, Form(max_length=20_000, description="A JSON array of what lies where; see `SaidPiece`.")],
    desk: AtDesk,
    sender: Anybody,
    profile: Annotated[UploadFile | None, File(description="The profile so far.")] = None,
) -> Response:
    """Teach a profile the pieces of a photo. The answer is the whole profile; nothing is stored."""
    before = Profile.from_bytes(await _bytes(profile)) if profile else Profile(name)
    told = [Said(each.kind, tuple(each.shows), each.at, each.symbol, _box(each)) for each in _told(said)]
    pieces = await desk.teach(sender, await photo.read(desk.max_bytes + 1), told)
    if not pieces:
        raise InvalidProfile("Nothing was learned: say of at least one piece what it shows.")
    return Response(Profile(name, before.pieces).with_pieces(pieces).data, media_type="application/json")


def _told(text: str) -> list[schemas.SaidPiece]:
    try:
        listed = json.loads(text)
        if not isinstance(listed, list) or len(listed) > _MOST_SAID:
            raise ValueError(f"a list of up to {_MOST_SAID} pieces is expected")
        return [schemas.SaidPiece.model_validate(each) for each in listed]
    except (ValueError, RecursionError) as error:
        raise InvalidProfile("What was said of the pieces is not as `SaidPiece` has it.") from error


def _box(said: schemas.SaidPiece) -> Any:
    return tuple(said.box) if said.box else None


@router.get("/games/{game_id}/profiles", operation_id="list_profiles", response_model=schemas.Profiles, responses=_LOOK)
def list_profiles(caller: routes.Viewer, live: routes.AtLive) -> Any:
    """The profiles that the game's photos are read with; what they show is told once no hand is hidden from this token."""
    told = [_told_of(each) for each in live.table.store.profiles.of(caller.game.id, used=True)]
    if not caller.visibility.all_hands(caller.game):
        # The game learns from photos of hands.
        told = [{**each, "shows": []} for each in told]
    return {"profiles": told}


@router.put(
    "/games/{game_id}/profiles", operation_id="use_profile", response_model=schemas.UsedProfile, responses=_WRITE
)
async def use_profile(caller: routes.Player, live: routes.AtLive, desk: AtDesk, profile: File_) -> Any:
    """Read the photos of this game with a profile from now on, in place of the one of that name. Readings stay as they are."""
    taken = Profile.from_bytes(await _bytes(profile))
    store = live.table.store.profiles
    known = partial(store.knows, caller.game.id, THIS_GAME, taken.sha256)
    if taken.name == THIS_GAME and not await run_sync(known):
        # Otherwise the next correction would replace it by what this game learns.
        raise InvalidProfile(
            f"Each game learns under the name '{THIS_GAME}' by itself. Give this profile another name: under 'Share' of the "
            "game that learned it choose 'Keep on this phone', or change the name in the file."
        )
    await desk.check(caller.sender, taken.data)
    _check_total(taken, await run_sync(lambda: store.of(caller.game.id, used=True)))
    return _told_of(await run_sync(store.put, caller.game.id, taken.name, taken.data, typed_moves.now()))


def _check_total(taken: Profile, used: Sequence[StoredProfile]) -> None:
    """Refuse a profile that would be too large together with those that the game uses already.

    Raises:
        InvalidProfile: together they are too large.
    """
    files = [taken.data, *(each.data for each in used if each.name not in (taken.name, THIS_GAME))]
    pieces = sum(len(Profile.from_bytes(file).pieces) for file in files)
    if pieces > _MOST_USED or sum(map(len, files)) > _MOST_USED_BYTES:
        raise InvalidProfile(
            f"The profiles in use would have more than {_MOST_USED} pieces or {_MOST_USED_BYTES // 1_000_000} MB together. "
            "Under 'Share', choose 'Stop using' beside another one first."
        )


@router.delete(
    "/games/{game_id}/profiles/{sha256}",
    operation_id="leave_profile",
    status_code=204,
    responses=documented(401, 403, 404, 422, 429, 503),
)
def leave_profile(caller: routes.Player, live: routes.AtLive, sha256: Sha) -> None:
    """Read the photos to come without a profile. Readings stay as they are."""
    live.table.store.profiles.leave(caller.game.id, sha256)


@router.get(
    "/games/{game_id}/profiles/{sha256}",
    operation_id="get_profile",
    response_class=Response,
    responses=_LOOK | _JSON,
)
def get_profile(caller: routes.OpenViewer, live: routes.AtLive, sha256: Sha) -> Response:
    """The file of a profile, to keep or to share: also of what this game learned from corrections."""
    for each in live.table.store.profiles.of(caller.game.id, sha256=sha256):
        return Response(each.data, media_type="application/json")
    raise Missing("no-profile", "The game knows no such profile.")


def _told_of(stored: StoredProfile) -> dict[str, Any]:
    pieces = Profile.from_bytes(stored.data).pieces
    shown = sorted({piece.said for piece in pieces})
    told = {"name": stored.name, "sha256": stored.sha256, "pieces": len(pieces), "shows": shown, "at": stored.at}
    return {**told, "learned": stored.name == THIS_GAME}


async def _bytes(file: UploadFile) -> bytes:
    return await file.read(MOST_BYTES + 1)
