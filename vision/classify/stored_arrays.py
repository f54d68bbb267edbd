"""Arrays that ship beside the networks they belong to, as .npz files with the SHA-256 of those networks."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from models import ModelError, ModelFile


def load_arrays(file: Path, remake: str) -> dict[str, NDArray[Any]]:
    """All arrays of a file.

    Args:
        file: the .npz file.
        remake: a sentence that says how to get the file again, for error messages.

    Raises:
        ModelError: it is missing or damaged.
    """
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            return dict(arrays)
    except FileNotFoundError as error:
        raise ModelError("model-missing", f"{file.name} is missing. {remake}") from error
    except (OSError, ValueError, AttributeError, TypeError, EOFError, BadZipFile) as error:
        raise damaged(file, remake) from error


def damaged(file: Path, remake: str) -> ModelError:
    """The error for a file whose content is not what was written."""
    return ModelError("model-damaged", f"{file.name} is damaged. {remake}")


def check_owner(arrays: dict[str, NDArray[Any]], key: str, network: ModelFile, file: Path, remake: str) -> None:
    """Check that a file was made for the installed network, by the hash under `key`.

    Raises:
        ModelError: it was made for another, or has no hash.
    """
    if key not in arrays:
        raise damaged(file, remake)
    if str(arrays[key]) != network.sha256:
        raise ModelError("model-damaged", f"{file.name} belongs to another network than the one installed. {remake}")
