"""The trained networks that Muggins ships, and the manifest that describes them.

`manifest.json` lists every ONNX file with its SHA-256, input, classes, licence and training; CARD.md has their accuracy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent
_AGAIN = "Install Muggins again."


class ModelError(Exception):
    """A network file is missing or is not the one the manifest names.

    Attributes:
        code: `model-missing` or `model-damaged`, stable; the manifest itself counts as a model file.
        message: what is wrong and what to do, in a sentence or two.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message

    def __reduce__(self) -> tuple[type[ModelError], tuple[str, str]]:
        """Pickles with both arguments: errors cross process borders when many photos are read."""
        return type(self), (self.code, self.message)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One network: its file, input, classes, licence and training.

    `calibration` holds numbers measured on photos held out from training, by name (see CARD.md).
    """

    name: str
    file: str
    sha256: str
    size_bytes: int
    input: str
    classes: tuple[str, ...]
    licence: str
    trained: str
    calibration: Mapping[str, float] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The path of the ONNX file."""
        return FOLDER / self.file

    def find(self) -> None:
        """Check that the file exists.

        Raises:
            ModelError: it is missing.
        """
        if not self.path.is_file():
            raise ModelError("model-missing", f"The network file {self.file} is missing. {_AGAIN}")

    def check(self) -> None:
        """Compare the file with its hash.

        Raises:
            ModelError: it is missing, or its content differs.
        """
        self.find()
        if hashlib.sha256(self.path.read_bytes()).hexdigest() != self.sha256:
            raise ModelError("model-damaged", f"The network file {self.file} is damaged or was changed. {_AGAIN}")


@dataclass(frozen=True, slots=True)
class Manifest:
    """All networks of this version."""

    models: tuple[ModelFile, ...]

    def __getitem__(self, name: str) -> ModelFile:
        """The network of that name.

        Raises:
            ModelError: the manifest does not list it.
        """
        for model in self.models:
            if model.name == name:
                return model
        raise ModelError("model-missing", f"The list of networks names no '{name}'. {_AGAIN}")

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 by name, as in every reading."""
        return {model.name: model.sha256 for model in self.models}

    def check(self) -> None:
        """Compare all files with their hashes, so that a long job does not fail halfway on a damaged one.

        Raises:
            ModelError: one is missing, or its content differs.
        """
        for model in self.models:
            model.check()


def load_manifest(path: Path = FOLDER / "manifest.json") -> Manifest:
    """The manifest of the installed networks.

    Raises:
        ModelError: it is missing, or not a manifest.
    """
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["models"]
        return Manifest(tuple(ModelFile(**{**entry, "classes": tuple(entry["classes"])}) for entry in entries))
    except FileNotFoundError as error:
        raise ModelError("model-missing", f"The list of networks, {path.name}, is missing. {_AGAIN}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError("model-damaged", f"The list of networks, {path.name}, is damaged. {_AGAIN}") from error


def verify() -> list[tuple[ModelFile, bool, str]]:
    """Check every network: the model, whether it is intact, and the error message if it is not."""
    return [(model, *_verdict(model)) for model in load_manifest().models]


def _verdict(model: ModelFile) -> tuple[bool, str]:
    try:
        model.check()
    except ModelError as error:
        return False, error.message
    return True, ""
