"""How the server logs: every entry begins with its time, by which it is compared with other logs, and with a game."""

from __future__ import annotations

import copy
import logging
from typing import Any

_TIME = "%Y-%m-%dT%H:%M:%S%z"


def server() -> dict[str, Any]:
    """The logging of uvicorn (for `logging.config.dictConfig`), with times, and for the project's own modules too."""
    from uvicorn.config import LOGGING_CONFIG  # a worker has no use for it

    config = copy.deepcopy(LOGGING_CONFIG)
    for formatter in config["formatters"].values():
        formatter.update(fmt=f"%(asctime)s {formatter['fmt']}", datefmt=_TIME)
    config["loggers"]["api"] = {"handlers": ["default"]}
    return config


def worker() -> None:
    """Log likewise in this process, which no uvicorn runs."""
    logging.basicConfig(format="%(asctime)s %(levelname)s: %(message)s", datefmt=_TIME)
