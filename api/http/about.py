"""What this server is and runs: its health, its version, its source, its networks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

import models
from api.version import VERSION

router = APIRouter(tags=["about"])

_ROOMS = ("api", "models", "scorer", "vision")
_SOURCE = (".py", ".html", ".js", ".css", ".svg", ".json", ".md", ".webmanifest")
_HERE = Path(__file__).parents[2]


class Health(BaseModel):
    """The server answers."""

    status: str = Field("ok", description="Always `ok`.")


class Version(BaseModel):
    """What answers."""

    version: str
    code: str = Field(description="SHA-256 over the files of the program that runs, as in `source`.")
    models: dict[str, str] = Field(description="The SHA-256 of every network.")
    source: str = Field(description="Where this server hands out its own source.")
    licence: str


class Model(BaseModel):
    """One network of this server."""

    name: str
    file: str
    sha256: str
    size_bytes: int
    input: str = Field(description="What goes in.")
    classes: list[str] = Field(description="What it tells apart.")
    licence: str
    trained: str = Field(description="How and on what it was trained.")
    calibration: dict[str, float] = Field(description="Numbers measured on photos held apart from training.")


class Models(BaseModel):
    """All networks of this server."""

    models: list[Model]


@router.get("/healthz", operation_id="get_health")
async def health() -> Health:
    """Whether the server answers. It waits for nothing: no thread, no disk, no photo that is read."""
    return Health(status="ok")


@router.get("/version", operation_id="get_version")
def version() -> Version:
    """Which program with which networks answers."""
    hashes = models.load_manifest().hashes
    return Version(version=VERSION, code=_code_hash(), models=hashes, source="/source.zip", licence="AGPL-3.0-or-later")


@router.get(
    "/source.zip",
    operation_id="get_source",
    response_class=Response,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
)
def source() -> Response:
    """The program that runs here, without its networks: whoever uses it over a network may have it (AGPL, 13)."""
    return Response(_zipped(), media_type="application/zip")


@router.get("/v1/models", operation_id="list_models")
def list_models() -> Models:
    """The networks that read the photos; a reading names the same hashes."""
    return Models(models=[Model.model_validate(file, from_attributes=True) for file in models.load_manifest().models])


def _files() -> Iterator[Path]:
    for room in _ROOMS:
        yield from sorted(path for path in (_HERE / room).rglob("*") if path.suffix in _SOURCE)


@cache
def _code_hash() -> str:
    hashed = hashlib.sha256()
    for path in _files():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        hashed.update(f"{digest}  {path.relative_to(_HERE).as_posix()}\n".encode())
    return hashed.hexdigest()


@cache
def _zipped() -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as zipped:
        for path in _files():
            zipped.write(path, path.relative_to(_HERE).as_posix())
    return data.getvalue()
