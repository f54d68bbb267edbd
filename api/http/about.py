"""Health, version, source and networks of this server."""

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
    """The server is up."""

    status: str = Field("ok", description="Always `ok`.")


class Version(BaseModel):
    """Program and networks of this server."""

    version: str
    code: str = Field(description="SHA-256 over the files of the running program, as in `source`.")
    models: dict[str, str] = Field(description="The SHA-256 of every network.")
    source: str = Field(description="Where to download the source of this server.")
    licence: str


class Model(BaseModel):
    """One network of this server."""

    name: str
    file: str
    sha256: str
    size_bytes: int
    input: str = Field(description="Input of the network.")
    classes: list[str] = Field(description="Classes it distinguishes.")
    licence: str
    trained: str = Field(description="How and on what it was trained.")
    calibration: dict[str, float] = Field(description="Measured on photos held out of training.")


class Models(BaseModel):
    """All networks of this server."""

    models: list[Model]


@router.get("/healthz", operation_id="get_health")
async def health() -> Health:
    """Whether the server is up. Never blocks on threads, disk or photos."""
    return Health(status="ok")


@router.get("/version", operation_id="get_version")
def version() -> Version:
    """Version of the program and hashes of its networks."""
    hashes = models.load_manifest().hashes
    return Version(version=VERSION, code=_code_hash(), models=hashes, source="/source.zip", licence="AGPL-3.0-or-later")


@router.get(
    "/source.zip",
    operation_id="get_source",
    response_class=Response,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
)
def source() -> Response:
    """The source of the running program, without networks, for its network users (AGPL, section 13)."""
    return Response(_zipped(), media_type="application/zip")


@router.get("/v1/models", operation_id="list_models")
def list_models() -> Models:
    """The networks that read photos; readings refer to the same hashes."""
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
