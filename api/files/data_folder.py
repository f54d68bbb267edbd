"""Where a person keeps what Muggins keeps: games, photos, keys, certificates, options."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

AUTHORITY = Path("https/authority.pem")
"""Where in that folder the certificate of our own authority is, for `muggins serve --https` and who connects to it."""


def data_folder(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> Path:
    """Where this person's games and photos are kept, as each system has it; not yet made.

    Source: XDG Base Directory Specification; Apple's File System Programming Guide; Windows' known folders.
    """
    set_to = os.environ if environment is None else environment
    if platform == "win32":
        return Path(set_to.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Muggins"
    if platform == "darwin":
        return Path.home() / "Library/Application Support/Muggins"
    return _xdg(set_to, "XDG_DATA_HOME", ".local/share")


def config_file(platform: str = sys.platform, environment: Mapping[str, str] | None = None) -> Path:
    """Where the file with this person's options is looked for, if no other is named; it need not be there."""
    set_to = os.environ if environment is None else environment
    if platform == "linux":
        return _xdg(set_to, "XDG_CONFIG_HOME", ".config") / "config.toml"
    return data_folder(platform, set_to) / "config.toml"


def _xdg(set_to: Mapping[str, str], name: str, usual: str) -> Path:
    base = set_to.get(name, "")
    # The specification: a path that is not absolute is to be ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / usual) / "muggins"
