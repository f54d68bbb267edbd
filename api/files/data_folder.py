"""The user's data folder, for games, photos, keys, certificates and options."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

AUTHORITY = Path("https/authority.pem")
"""Path in that folder of our own certificate authority, used by `muggins serve --https` and its clients."""


def data_folder(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> Path:
    """The default data folder of this user on this system; it may not exist yet.

    Source: XDG Base Directory Specification; Apple's File System Programming Guide; Windows' known folders.
    """
    set_to = os.environ if environment is None else environment
    if platform == "win32":
        return Path(set_to.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Muggins"
    if platform == "darwin":
        return Path.home() / "Library/Application Support/Muggins"
    return _xdg(set_to, "XDG_DATA_HOME", ".local/share")


def config_file(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> Path:
    """The default options file of this user; it may not exist."""
    set_to = os.environ if environment is None else environment
    if platform == "linux":
        return _xdg(set_to, "XDG_CONFIG_HOME", ".config") / "config.toml"
    return data_folder(platform, set_to) / "config.toml"


def _xdg(set_to: Mapping[str, str], name: str, usual: str) -> Path:
    base = set_to.get(name, "")
    # By the specification, relative paths are ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / usual) / "muggins"
