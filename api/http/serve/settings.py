"""Settings of `muggins serve`: from the command line, the environment, a file, or defaults, in this order."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
from api.http.games.join_gate import TOKEN
from scorer.pieces.text import did_you_mean

PREFIX = "MUGGINS_"
_NO_OPTIONS = frozenset({"MUGGINS_CONFIG", "MUGGINS_PHOTOS"})
"""Variables with our prefix that are not settings: path of the file; photos for measurements."""


class InvalidSettings(Exception):  # noqa: N818 - named after what is wrong
    """A setting is invalid; the message names it and where it was set."""


def _listed(given: Any) -> Any:
    """Names in a variable are separated by commas."""
    return [part.strip() for part in given.split(",") if part.strip()] if isinstance(given, str) else given


def _a_name(name: str) -> str:
    if not is_name(name):
        raise ValueError(f"{name!r} is not a host name, such as kitchen.example")
    return name.lower()


def _a_token(token: SecretStr) -> SecretStr:
    if not TOKEN.fullmatch(token.get_secret_value()):
        raise ValueError("a token consists of 8 to 100 English letters, digits, - or _")
    return token


Port = Annotated[int, Field(ge=0, le=65535)]


class Settings(BaseSettings):
    """The settings of a server; create them with `load`.

    Attributes:
        host: address to listen on; 0.0.0.0 means all.
        port: to listen on; 0 picks a free one.
        data: the folder for games, photos and keys; None: `data_folder()`.
        database: URL of the database; None: SQLite in `data`.
        token: the join token; None: random, and kept in the data folder.
        name: further host names for this computer, besides localhost, its own name and addresses.
        https: serve over HTTPS with our own certificate.
        http_port: with `https`, port of the plain page that explains trust; None: `port` + 1.
        access_log: log every request.
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
    """A source of settings: how it names each, and which it sets."""

    call: str
    keys: frozenset[str]

    def called(self, key: str) -> str:
        return self.call.format(option=key.replace("_", "-"), key=key, variable=PREFIX + key.upper())


def load(told: Mapping[str, Any], file: Path | None = None) -> Settings:
    """Load all settings.

    Args:
        told: from the command line; None: not given.
        file: TOML file; None: the file in MUGGINS_CONFIG, else `config_file()` if it exists.

    Raises:
        InvalidSettings: the file cannot be read, an option is unknown, or a value is invalid.
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
        raise InvalidSettings("\n".join(_in_words(dict(one), places) for one in error.errors())) from None


def _file(named: Path | None) -> Path | None:
    """The file to read; a named file must exist."""
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
        raise InvalidSettings(f"Cannot read the options in {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise InvalidSettings(f"{path} is not valid TOML: {error}.") from error


def _variables() -> Iterator[str]:
    """The settings in the environment.

    Raises:
        InvalidSettings: a variable is not a setting.
    """
    for name in os.environ:
        if not name.upper().startswith(PREFIX) or name.upper() in _NO_OPTIONS:
            continue
        key = name[len(PREFIX) :].lower()
        if key not in Settings.model_fields:
            raise InvalidSettings(f"The environment variable {name} is not an option. {_meant(key)}")
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
    """Describe an error without the value, which may be a token or password."""
    key = str(error["loc"][0])
    place = next((place for place in places if key in place.keys), places[0])
    if error["type"] == "extra_forbidden":
        return f"{place.called(key)} is no option. {_meant(key)}"
    return f"{place.called(key)}: {error['msg'].removeprefix('Value error, ')}."


def _meant(key: str) -> str:
    options = list(Settings.model_fields)
    meant = did_you_mean(key.replace("-", "_"), options).strip()
    return meant or f"There are: {', '.join(options)}."
