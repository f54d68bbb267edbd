"""Arrays that ship beside the networks they were made for, as .npz files with the SHA-256 of those networks."""

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
        remake: how to get it again, a sentence.

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
    """Of a file whose content cannot be what was written."""
    return ModelError("model-damaged", f"{file.name} is damaged. {remake}")


def check_owner(arrays: dict[str, NDArray[Any]], key: str, network: ModelFile, file: Path, remake: str) -> None:
    """Compare the network that a file was made for, by its hash under `key`, with the one that is installed.

    Raises:
        ModelError: it is another, or the file does not say.
    """
    if key not in arrays:
        raise damaged(file, remake)
    if str(arrays[key]) != network.sha256:
        raise ModelError("model-damaged", f"{file.name} belongs to another network than the one installed. {remake}")
