"""Logging of the server: every entry begins with its time, for comparison with other logs and with a game."""

from __future__ import annotations

import copy
import logging
from typing import Any

_TIME = "%Y-%m-%dT%H:%M:%S%z"


def server() -> dict[str, Any]:
    """The logging configuration of uvicorn (for `logging.config.dictConfig`), with times, and with the project's own modules."""
    from uvicorn.config import LOGGING_CONFIG  # not needed in a worker

    config = copy.deepcopy(LOGGING_CONFIG)
    for formatter in config["formatters"].values():
        formatter.update(fmt=f"%(asctime)s {formatter['fmt']}", datefmt=_TIME)
    config["loggers"]["api"] = {"handlers": ["default"]}
    return config


def worker() -> None:
    """Configure the same logging in this process, which runs without uvicorn."""
    logging.basicConfig(format="%(asctime)s %(levelname)s: %(message)s", datefmt=_TIME)
