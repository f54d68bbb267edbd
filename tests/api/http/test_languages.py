"""The languages of the pages: every string in a file, every file complete, and the right one for who asks."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.evidence import archive, keys
from api.http import languages, pages, problems
from api.http.games import profiles
from api.http.worker import tasks
from scorer.engine import record
from scorer.games.registry import GAMES
from vision import photo
from vision.classify.colour import COLOURS, UNKNOWN
from vision.taught import labelling, pieces, profile

WEB = Path("api/web")
PAGES = sorted(WEB.rglob("*.html"))
SCRIPTS = sorted(WEB.rglob("*.js"))
TOLD = ("title", "alt", "aria-label", "placeholder", "content", "label")
"""Attributes that a browser shows or reads aloud."""
NAMES = {"Muggins", "Android"}
SLOT = re.compile(r"\{\{\{?[\w.-]+\}?\}\}")


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI(docs_url=None)
    problems.install(app)
    pages.install(app)
    return TestClient(app)


@pytest.mark.parametrize("language", languages.languages())
def test_every_language_has_the_same_strings_with_the_same_places(language: str) -> None:
    english, other = languages.words(languages.ENGLISH), languages.words(language)
    assert set(other) == set(english)
    for key, text in english.items():
        assert slots(other[key]) == slots(text), key
        assert isinstance(other[key], str) == isinstance(text, str), key
        assert tags(other[key]) == tags(text), key


def slots(text: object) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", json.dumps(text)))


def tags(text: object) -> list[str]:
    return sorted(re.findall(r"<[^>]+>", str(text)))


@pytest.mark.parametrize("language", languages.languages()[1:])
def test_a_translated_sentence_has_the_parts_of_the_english_one(language: str) -> None:
    told = languages.sentences(language)
    assert len(told) > 300
    for english, other in told.items():
        assert slots(other) == slots(english), english


def test_what_is_said_of_any_number_of_players_is_not_said_of_two() -> None:
    told = languages.sentences("de").items()
    assert [english for english, german in told if "{names}" in english and re.search(r"\bbeide\b", german)] == []


def test_all_files_of_a_language_say_the_same_of_the_same_sentence() -> None:
    for language in languages.languages()[1:]:
        files = [WEB / f"languages/sentences.{language}.json", *Path("scorer/games").glob(f"*/{language}.json")]
        assert len(files) > 1
        told: dict[str, str] = {}
        for file in files:
            for english, other in json.loads(file.read_text(encoding="utf-8")).items():
                assert told.setdefault(english, other) == other, (file, english)


def test_every_key_that_a_page_or_script_names_is_a_string_and_every_string_is_named() -> None:
    known = set(languages.words(languages.ENGLISH))
    in_pages = {key for page in PAGES for key in re.findall(r"\{\{\{?([\w.-]+)\}?\}\}", page.read_text("utf-8"))}
    literals = {text for script in SCRIPTS for text in strings_of(script.read_text("utf-8"))}
    built = {text.partition("${")[0] for text in literals if "${" in text}
    built_of_known = tuple(start for start in built if re.fullmatch(r"[\w-]+\.[\w-]*", start))
    assert in_pages - {"head", "head.app", "correct", "missing.top", "language", "language.switch", "games"} <= known
    unnamed = known - in_pages - literals - {"language.name"}
    assert {key for key in unnamed if not key.startswith(built_of_known)} == set()
    called = {key for script in SCRIPTS for key in re.findall(r'\bt\("([\w.-]+)"', script.read_text("utf-8"))}
    assert len(called) > 100
    assert called <= known


@pytest.mark.parametrize("game", GAMES)
def test_every_move_that_a_photo_shows_has_a_word(game: str) -> None:
    known = languages.words(languages.ENGLISH)
    assert {verb for verb in GAMES[game].visible_verbs if known.get(f"move.{verb}") != verb} == set()


def test_every_colour_of_a_die_is_a_string() -> None:
    """Also that of a die that a person adds: without it the page stood still."""
    known = languages.words(languages.ENGLISH)
    assert {key.removeprefix("colour.") for key in known if key.startswith("colour.")} == {*COLOURS, UNKNOWN}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_says_anything_by_itself(page: Path) -> None:
    parser = Said()
    parser.feed(page.read_text(encoding="utf-8"))
    bare = [SLOT.sub("", text).strip() for text in parser.said]
    assert [text for text in bare if re.search(r"[^\W\d_]{2}", text) and text not in NAMES and text[0] != "/"] == []
    assert len(parser.said) > 2


class Said(HTMLParser):
    """Collects what a reader sees or hears of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "meta" and dict(attrs).get("name") != "description":
            return
        self.said += [value or "" for name, value in attrs if name in TOLD]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_script_says_anything_by_itself(script: Path) -> None:
    """A literal with a capital or a space between words would be read by somebody, except where a program reads it."""
    source = script.read_text(encoding="utf-8")
    assert [text for text in strings_of(source) if text not in NAMES and sounds_said(text)] == []


def test_a_script_that_speaks_is_found() -> None:
    said = ["Undo the last move", "Nothing yet.", "${count} more dice", "over there"]
    assert all(map(sounds_said, said))
    code = [
        "table.undo",
        "application/json",
        "piece look",
        "M",
        "aria-label",
        ".piece",
        "[data-move='stop']",
        "Bearer ${x}",
    ]
    assert not any(map(sounds_said, code))


FOR_PROGRAMS = re.compile(
    r"(Bearer|no string|input:|max-width:|samesite=|translate\(|scale\(|\([\w-]+: [\w/ -]+\)|count=|muggins-|muggins watch )"
    r"|([A-Z]+|Enter|Escape|EventSource|The pages are not kept:)$"
    r"|[./#\[:*]"
)
"""How literals begin that no person reads: headers, selectors, styles, keys, commands, and words for the console."""


def sounds_said(text: str) -> bool:
    plain = re.sub(r"\$\{[^}]*\}", "", text).strip()
    if FOR_PROGRAMS.match(plain) or is_classes(text):
        return False
    words = re.findall(r"[^\W\d_]{2,}", plain)
    named = plain.isalpha() and plain.istitle()
    return named or (len(words) > 1 and " " in plain) or bool(re.search(r"[a-z][.!?…]$", text))


def is_classes(text: str) -> bool:
    """Whether these are names of CSS classes, all of which a style sheet or another script names."""
    words = re.sub(r"\$\{[^}]*\}", " ", text).split()
    return all(word.strip("-") in STYLED for word in words)


STYLED = {
    name
    for sheet in WEB.rglob("*.css")
    for name in re.findall(r"\.([a-z][\w-]*)", re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.S))
} | {"side", "streak"}


def strings_of(source: str) -> Iterator[str]:
    """Every string and template literal of a script; what a template has in `${}` is looked into as well."""
    at = 0
    while found := re.compile(
        r"//[^\n]*|/\*.*?\*/|/(?![/*\s])(?:[^/\n\\\[]|\\.|\[[^\]]*\])+/[a-z]*(?=[.,;)\s])|[\"'`]", re.S
    ).search(source, at):
        quote = found[0]
        if len(quote) > 1:
            at = found.end()
            continue
        text, at = literal(source, found.end(), quote)
        yield text
        if quote == "`":
            for inner in re.findall(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}", text):
                yield from strings_of(inner)


def literal(source: str, at: int, quote: str) -> tuple[str, int]:
    """A literal up to its quote, from the place after the first one; and the place behind it."""
    start, depth = at, 0
    while source[at] != quote or depth:
        if source[at] == "\\":
            at += 1
        elif quote == "`" and source.startswith("${", at):
            depth += 1
        elif depth and source[at] == "}":
            depth -= 1
        at += 1
    return source[start:at], at + 1


# Which language


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("en-GB,en;q=0.9,de;q=0.5", "en"),
        ("fr, de;q=0.3", "de"),
        ("de;q=0, fr", "en"),
        ("*", "en"),
        ("", "en"),
        (";;=,q=9,\x00", "en"),
    ],
)
def test_the_browser_chooses_the_language(client: TestClient, accept: str, language: str) -> None:
    response = client.get("/", headers={"accept-language": accept})
    assert f'<html lang="{language}">' in response.text
    assert response.headers["content-language"] == language
    assert "accept-language" in response.headers["vary"]


def test_the_switch_outweighs_the_browser_and_the_address_both(client: TestClient) -> None:
    german = {"accept-language": "de"}
    assert 'lang="en">' in client.get("/", headers={**german, "cookie": "muggins-language=en"}).text
    assert 'lang="de">' in client.get("/?language=de", headers={"cookie": "muggins-language=en"}).text
    assert 'lang="de">' in client.get("/?language=xx", headers=german).text


@pytest.mark.parametrize("page", ["/", "/read", "/docs", "/table/x", "/overlay/x", "/overlay/x/setup", "/scoreboard/x"])
def test_a_page_is_filled_in_every_language(client: TestClient, page: str) -> None:
    told = {
        language: client.get(page, headers={"accept-language": language}).text for language in languages.languages()
    }
    assert all("{{" not in text for text in told.values())
    assert len(set(told.values())) == len(told)


def test_the_scripts_get_the_strings_and_the_sentences_of_all_games(client: TestClient) -> None:
    told = client.get("/table/words/de.json").json()
    assert told["words"] == languages.words("de")
    assert told["sentences"]["throw all seven dice"] == "wirf alle sieben Würfel"
    assert client.get("/table/words/xx.json").status_code == 404
    assert client.get("/table/words/en.json").json()["sentences"] == {}


@pytest.mark.parametrize(
    "game", [game for game in GAMES if Path(f"scorer/games/{game.replace('-', '_')}/de.json").exists()]
)
def test_the_rules_of_a_game_that_is_translated_are_all_translated(game: str) -> None:
    told = languages.sentences("de")
    rules = GAMES[game].rules().options()
    assert [option.name for option in rules if option.says and option.says not in told] == []
    assert [text for text in (GAMES[game].summary, *GAMES[game].in_short) if text not in told] == []
    for option in rules:
        for word in (option.name, *option.words):
            assert re.sub("[_-]", " ", word) in told, word


@pytest.mark.parametrize("game", GAMES)
def test_every_reason_why_an_option_has_no_effect_is_translated(game: str) -> None:
    known = {re.sub(r"\{\w+\}", "{}", english) for english in languages.sentences("de")}
    tree = ast.parse(Path(inspect.getfile(GAMES[game].rules)).read_text("utf-8"))
    reasons = [
        _written(node.value, {})
        for method in ast.walk(tree)
        if isinstance(method, ast.FunctionDef) and method.name.endswith("without_effect")
        for node in ast.walk(method)
        if isinstance(node, ast.Return | ast.Yield) and isinstance(node.value, ast.JoinedStr | ast.Constant)
        if getattr(node.value, "value", "") is not None
    ]
    assert [reason for reason in reasons if reason not in known] == []


def test_every_photo_error_is_translated() -> None:
    """What `PhotoError` says of a photo that was sent; of files and folders only the command line speaks."""
    told = languages.sentences("de")
    known = {re.sub(r"\{\w+\}", "{}", english) for english in told}
    errors = list(_photo_errors(ast.parse(Path(inspect.getfile(photo)).read_text("utf-8"))))
    assert len(errors) > 12
    assert {code for code, text in errors if text not in known} == {
        "not-found",
        "no-permission",
        "unreadable",
        "not-a-file",
    }
    assert [called for kind, called, _ in photo._FORMATS if kind is None and called not in told] == []


def _photo_errors(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Code and text of every `PhotoError`, with {} for what is only known when it happens."""
    message = ""
    said = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.Call)]
    for node in sorted(said, key=lambda node: node.lineno):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "message":
            message = _written(node.value, {})
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "PhotoError":
            code, text = node.args
            yield ast.literal_eval(code), message if ast.unparse(text) == "message" else _written(text, {})


def test_the_list_of_games_on_the_page_for_one_photo_is_translated(client: TestClient) -> None:
    german = client.get("/read", headers={"accept-language": "de"}).text
    assert "Summen von Dominos" in german
    assert "Totals of dominoes" not in german


_REFUSALS = (labelling, pieces, profile, profiles, tasks)
"""Modules whose refusals a page shows as they are."""


def test_every_refusal_of_a_profile_is_translated() -> None:
    known = {re.sub(r"\{\w+\}", "{}", english) for english in languages.sentences("de")}
    told = [text for module in _REFUSALS for text in _refusals(module)]
    assert len(told) > 12
    assert [text for text in told if text not in known] == []


def test_why_a_record_or_zip_cannot_be_trusted_is_translated() -> None:
    """A phrase of a record stands behind the number of its line."""
    known = {re.sub(r"\{\w+\}", "{}", english) for english in languages.sentences("de")}
    told = {text for module in (record, archive, keys) for text in _distrusted(module)}
    assert len(told) > 30
    assert sorted(told - known) == []


def _distrusted(module: ModuleType) -> Iterator[str]:
    """What a module raises these errors with, where it says it on the spot."""
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in ("RecordError", "InvalidArchive", "BadSignature"):
            texts = [each for each in node.args[:2] if isinstance(each, ast.Constant | ast.JoinedStr)]
            if texts and len(texts) == len(node.args[:2]):
                yield _written(texts[-1], {})


def _refusals(module: ModuleType) -> Iterator[str]:
    """What a module raises `InvalidProfile` and `Missing` with, with {} for what is only known when it happens."""
    for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text("utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("InvalidProfile", "Missing")
        ):
            yield _written(node.args[-1], vars(module))


def _written(text: ast.expr, known: Mapping[str, object]) -> str:
    if isinstance(text, ast.JoinedStr):
        return "".join(_written(part, known) for part in text.values)
    if isinstance(text, ast.Constant):
        return str(text.value)
    assert isinstance(text, ast.FormattedValue)
    try:
        return str(eval(compile(ast.Expression(text.value), "refusal", "eval"), dict(known)))
    except NameError:
        return "{}"
