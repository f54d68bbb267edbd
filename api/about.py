"""What this server is and runs: its health, its version, its networks."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

import models
from api.version import VERSION

router = APIRouter(tags=["about"])


class Health(BaseModel):
    """The server answers, so the networks are loaded: it starts only with them."""

    status: str = Field("ok", description="Always `ok`.")


class Version(BaseModel):
    """The installed version."""

    version: str


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
def health() -> Health:
    """Whether the server is ready to read photos."""
    return Health(status="ok")


@router.get("/version", operation_id="get_version")
def version() -> Version:
    """The version of muggins that answers."""
    return Version(version=VERSION)


@router.get("/v1/models", operation_id="list_models")
def list_models() -> Models:
    """The networks that read the photos; a reading names the same hashes."""
    return Models(models=[Model.model_validate(file, from_attributes=True) for file in models.load_manifest().models])
