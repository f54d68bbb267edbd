"""What `muggins serve` can be told: on the command line, else by the environment, else in a file, else as it is here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from api.files.data_folder import config_file
from api.http.addresses import is_name

PREFIX = "MUGGINS_"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,100}")
"""What a join token may be: what needs no escaping in a link, and not so short that it is guessed."""
_NO_OPTIONS = frozenset({"MUGGINS_CONFIG", "MUGGINS_PHOTOS"})
"""Variables with our prefix that mean something else: where the file is; where photos to measure with are."""


class BadSettings(Exception):  # noqa: N818 - it says what they are
    """Something was told that cannot be; the text names it, and where it was told."""


def _listed(given: Any) -> Any:
    """Names in one variable stand between commas."""
    return [part.strip() for part in given.split(",") if part.strip()] if isinstance(given, str) else given


def _a_name(name: str) -> str:
    if not is_name(name):
        raise ValueError(f"{name!r} is no name of a computer, like kitchen.example")
    return name.lower()


def _a_token(token: SecretStr) -> SecretStr:
    if not _TOKEN.fullmatch(token.get_secret_value()):
        raise ValueError("a token has 8 to 100 letters of the English alphabet, digits, - or _")
    return token


Port = Annotated[int, Field(ge=0, le=65535)]


class Settings(BaseSettings):
    """The options of a server; `load` puts them together.

    Attributes:
        host: the address to listen on; 0.0.0.0 is every address of this computer.
        port: the port to listen on; 0 takes a free one.
        data: the folder for games, photos and keys; None: `data_folder()`.
        database: where games are kept, as a URL; None: SQLite in `data`.
        token: the join token; None: a random one at each start.
        name: by which browsers may call this computer, beside localhost, its own name and its addresses.
        https: serve over HTTPS, with a certificate of our own.
        http_port: with `https`, the port of the plain page that helps phones to trust it; None: the port after `port`.
        access_log: write a line for every request.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid")

    host: Annotated[str, Field(min_length=1, max_length=253)] = "0.0.0.0"  # noqa: S104 - docs/decisions/0012
    port: Port = 8000
    data: Annotated[Path, AfterValidator(Path.expanduser)] | None = None
    database: SecretStr | None = None
    token: Annotated[SecretStr, AfterValidator(_a_token)] | None = None
    name: Annotated[list[Annotated[str, AfterValidator(_a_name)]], NoDecode, BeforeValidator(_listed)] = []
    https: bool = False
    http_port: Port | None = None
    access_log: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where options were told: what it calls each, and which ones it has."""

    call: str
    keys: frozenset[str]

    def called(self, key: str) -> str:
        return self.call.format(option=key.replace("_", "-"), key=key, variable=PREFIX + key.upper())


def load(told: Mapping[str, Any], file: Path | None = None) -> Settings:
    """All options.

    Args:
        told: on the command line; what is None there was not told.
        file: with options in TOML; None: the one that MUGGINS_CONFIG names, or else `config_file()`, if it is there.

    Raises:
        BadSettings: the file cannot be read; somewhere there is an option that is none, or a value that cannot be.
    """
    said = {key: value for key, value in told.items() if value is not None and value != []}
    path = _file(file)
    in_file = _read(path)
    places = [
        _Place("--{option}", frozenset(said)),
        _Place("{variable}", frozenset(_variables())),
        _Place(f"{path}: {{key}}", frozenset(in_file.toml_data)),
    ]
    try:
        return _sourced(in_file)(**said)
    except ValidationError as error:
        raise BadSettings("\n".join(_in_words(dict(one), places) for one in error.errors())) from None


def _file(named: Path | None) -> Path | None:
    """The file to read; one that was named has to be there."""
    if named or os.environ.get("MUGGINS_CONFIG"):
        return (named or Path(os.environ["MUGGINS_CONFIG"])).expanduser()
    usual = config_file()
    return usual if usual.exists() else None


def _read(path: Path | None) -> TomlConfigSettingsSource:
    try:
        if path is not None:
            path.open("rb").close()
        return TomlConfigSettingsSource(Settings, path)
    except OSError as error:
        raise BadSettings(f"Cannot read the options in {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise BadSettings(f"{path} is no TOML: {error}.") from error


def _variables() -> Iterator[str]:
    """The options that the environment names.

    Raises:
        BadSettings: one that is none.
    """
    for name in os.environ:
        if not name.upper().startswith(PREFIX) or name.upper() in _NO_OPTIONS:
            continue
        key = name[len(PREFIX) :].lower()
        if key not in Settings.model_fields:
            raise BadSettings(f"The variable {name} in the environment is no option. {_meant(key)}")
        if os.environ[name]:
            yield key


def _sourced(in_file: TomlConfigSettingsSource) -> type[Settings]:
    class Sourced(Settings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],  # noqa: ARG003 - pydantic-settings passes all of these
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
            file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, in_file

    return Sourced


def _in_words(error: Mapping[str, Any], places: list[_Place]) -> str:
    """Never with the value itself, which may be a token or a password."""
    key = str(error["loc"][0])
    place = next((place for place in places if key in place.keys), places[0])
    if error["type"] == "extra_forbidden":
        return f"{place.called(key)} is no option. {_meant(key)}"
    return f"{place.called(key)}: {error['msg'].removeprefix('Value error, ')}."


def _meant(key: str) -> str:
    options = list(Settings.model_fields)
    close = get_close_matches(key.lower().replace("-", "_"), options, n=1)
    return f"Is {close[0]} meant?" if close else f"There are: {', '.join(options)}."
