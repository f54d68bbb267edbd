from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from api.files.data_folder import config_file, data_folder
from api.http.serve.settings import InvalidSettings, Settings, load

Write = Callable[[str], Path]


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.upper().startswith("MUGGINS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Puts options into a file."""

    def written(toml: str) -> Path:
        path = tmp_path / "options.toml"
        path.write_text(toml, encoding="utf-8")
        return path

    return written


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {}, Path.home() / ".local/share/muggins"),
        ("linux", {"XDG_DATA_HOME": "/var/data"}, Path("/var/data/muggins")),
        ("linux", {"XDG_DATA_HOME": "data"}, Path.home() / ".local/share/muggins"),
        ("darwin", {"XDG_DATA_HOME": "/var/data"}, Path.home() / "Library/Application Support/Muggins"),
        ("win32", {"LOCALAPPDATA": "/appdata"}, Path("/appdata/Muggins")),
    ],
)
def test_each_system_has_its_folder(platform: str, environment: dict[str, str], expected: Path) -> None:
    assert data_folder(platform, environment) == expected


def test_nothing_has_to_be_told() -> None:
    settings = load({})
    assert (settings.host, settings.port, settings.https, settings.token) == ("0.0.0.0", 8000, False, None)
    assert (settings.data, settings.database, settings.http_port) == (None, None, None)


def test_the_command_line_wins_then_the_environment_then_the_file(
    monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    file = write('port = 1\nhost = "10.0.0.1"\nhttp_port = 11\ntoken = "from-the-file"')
    assert (load({}, file).port, load({}, file).host) == (1, "10.0.0.1")
    monkeypatch.setenv("MUGGINS_PORT", "2")
    monkeypatch.setenv("MUGGINS_HOST", "10.0.0.2")
    assert (load({}, file).port, load({}, file).host) == (2, "10.0.0.2")
    settings = load({"port": 3, "host": None}, file)
    assert (settings.port, settings.host, settings.http_port, settings.https) == (3, "10.0.0.2", 11, False)
    assert settings.token is not None
    assert settings.token.get_secret_value() == "from-the-file"


def test_every_option_can_be_told_in_each_place(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    told = {
        "host": "10.0.0.1",
        "port": 1,
        "data": "/d",
        "database": "postgresql+psycopg://a/b",
        "token": "12345678",
        "name": ["a.example", "b.example"],
        "https": True,
        "http_port": 2,
        "access_log": True,
    }
    assert set(told) == set(Settings.model_fields)
    toml = "\n".join(f"{key} = {str(value).lower() if value is True else repr(value)}" for key, value in told.items())
    in_file, said = load({}, write(toml)), load(told)
    assert all(getattr(said, key) not in (None, field.default) for key, field in Settings.model_fields.items())
    for key, value in told.items():
        monkeypatch.setenv(f"MUGGINS_{key.upper()}", ", ".join(value) if isinstance(value, list) else str(value))
    assert load({}).model_dump() == said.model_dump() == in_file.model_dump()
    assert (said.data, said.name, said.access_log) == (Path("/d"), ["a.example", "b.example"], True)


def test_an_empty_variable_tells_nothing(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    monkeypatch.setenv("MUGGINS_PORT", "")
    assert load({}, write("port = 1")).port == 1


def test_the_file_is_looked_for_where_people_keep_such_things(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    usual = config_file()
    usual.parent.mkdir(parents=True)
    usual.write_text("port = 5")
    assert load({}).port == 5
    monkeypatch.setenv("MUGGINS_CONFIG", str(write("port = 6")))
    assert load({}).port == 6


def refused(told: dict[str, object], file: Path | None = None) -> str:
    with pytest.raises(InvalidSettings) as caught:
        load(told, file)
    return str(caught.value)


def test_an_unknown_key_is_refused_by_its_name_and_file(write: Write) -> None:
    file = write("prot = 8000")
    assert refused({}, file) == f"{file}: prot is no option. Did you mean 'port'?"
    assert "zzz is no option. There are: host, port, data" in refused({}, write("zzz = 1"))
    assert "http-port is no option. Did you mean 'http_port'?" in refused({}, write("http-port = 1"))
    assert "serve is no option" in refused({}, write("[serve]\nport = 1"))


def test_an_unknown_variable_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUGGINS_PHOTOS", "/photos")
    load({})
    monkeypatch.setenv("MUGGINS_PROT", "8000")
    assert refused({}) == "The environment variable MUGGINS_PROT is not an option. Did you mean 'port'?"


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("port = 65536", "port: Input should be less than or equal to 65535"),
        ('port = "eight"', "port: Input should be a valid integer"),
        ('https = "perhaps"', "https: Input should be a valid boolean"),
        ('name = ["a b"]', "name: 'a b' is not a host name"),
        ('host = ""', "host: String should have at least 1 character"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_place(write: Write, toml: str, expected: str) -> None:
    file = write(toml)
    assert refused({}, file).startswith(f"{file}: {expected}")


def test_the_place_that_is_named_is_the_one_that_counts(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    monkeypatch.setenv("MUGGINS_HTTP_PORT", "eight")
    assert refused({}, write("http_port = 9")).startswith("MUGGINS_HTTP_PORT: ")
    assert refused({"http_port": "ten"}).startswith("--http-port: ")


@pytest.mark.parametrize("token", ["short", "with space", "p#ssword-long", "x" * 101, "übergroß-token"])
def test_a_token_that_cannot_stand_in_a_link_is_refused_and_not_told(token: str) -> None:
    text = refused({"token": token})
    assert text.startswith("--token: a token consists of 8 to 100")
    assert token not in text


def test_secrets_are_not_shown() -> None:
    settings = load({"token": "secret-token", "database": "postgresql+psycopg://ann:secret@db/games"})
    assert "secret" not in repr(settings)


def test_a_file_that_cannot_be_read_is_named(write: Write, tmp_path: Path) -> None:
    assert refused({}, tmp_path / "none.toml") == (
        f"Cannot read the options in {tmp_path / 'none.toml'}: No such file or directory."
    )
    assert "Is a directory" in refused({}, tmp_path)
    assert f"{tmp_path / 'options.toml'} is not valid TOML: " in refused({}, write("port: 8000"))
    (tmp_path / "options.toml").write_bytes(b"\xff\xfe")
    assert "is not valid TOML" in refused({}, tmp_path / "options.toml")
