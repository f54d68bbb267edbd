"""The languages of the pages: one file of strings each, and translations of the sentences that a game composes.

A page is an HTML file in which `{{key}}` stands for a string, and `{{{key}}}` for one with markup of its own, such as the
`head` that the pages share. Its scripts load the same strings from `/table/words/LANGUAGE.json`. A game's own sentences are
translated in its folder, in `LANGUAGE.json`: an English sentence with its varying parts in braces, and its translation. See
docs/decisions/0018-languages.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

import scorer

ENGLISH = "en"
"""The source language, from which the others are translated."""
COOKIE = "muggins-language"
"""The cookie that the switch on the pages sets."""
_WEB = Path(__file__).parents[1] / "web"
_FILES = _WEB / "languages"
_SHARED = {
    key: (_WEB / file).read_text("utf-8").strip()
    for key, file in (
        ("head", "head.html"),
        ("head.app", "head-app.html"),
        ("correct", "correct.html"),
        ("missing.top", "missing/top.html"),
    )
}
"""Fragments that pages share: the head of every page but the overlay and the API's documentation, which have their own
styles; what makes a page an app; the correction of a reading; and the head of pages for missing addresses, which includes
the first.
"""
_SLOT = re.compile(r"\{\{\{(?P<raw>[\w.-]+)\}\}\}|\{\{(?P<text>[\w.-]+)\}\}")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:-[a-z0-9-]+)?(?:;q=([01](?:\.\d{1,3})?))?")

Words = Mapping[str, str | Mapping[str, str]]
"""Strings by key; one that is counted has a form for each plural of its language ("one", "other")."""


@cache
def languages() -> tuple[str, ...]:
    """All languages, English first."""
    return tuple(sorted((file.stem for file in _FILES.glob("??.json")), key=lambda name: (name != ENGLISH, name)))


@cache
def words(language: str) -> Words:
    """The strings of the pages in one language."""
    told: Words = json.loads((_FILES / f"{language}.json").read_text(encoding="utf-8"))
    return told


@cache
def sentences(language: str) -> dict[str, str]:
    """The sentences that the server composes, by their English form; those of every game come from its folder."""
    shared = _FILES / f"sentences.{language}.json"
    files = [shared, *sorted(Path(scorer.__file__).parent.glob(f"games/*/{language}.json"))]
    told: dict[str, str] = {}
    for file in files:
        if file.exists():
            told |= json.loads(file.read_text(encoding="utf-8"))
    return told


def wanted(request: Request) -> str:
    """The language of a request: `?language=`, else the cookie of the switch, else the browser's preference."""
    asked = (request.query_params.get("language", ""), request.cookies.get(COOKIE, ""), *_preferred(request))
    return next((name for name in asked if name in languages()), ENGLISH)


def _preferred(request: Request) -> list[str]:
    """The languages that the browser accepts, most preferred first (RFC 9110, 12.5.4)."""
    parts = request.headers.get("accept-language", "").lower().replace(" ", "").split(",")[:20]
    found = [match for part in parts if (match := _LANGUAGE.fullmatch(part))]
    return [match[1] for match in sorted(found, key=lambda match: -float(match[2] or 1)) if float(match[2] or 1) > 0]


def page(name: str, request: Request, **more: str) -> HTMLResponse:
    """A page in the language of the request.

    Args:
        name: the file under `api/web`, like "table/start.html".
        request: the request for it.
        more: markup for further places of the page, by key.
    """
    language = wanted(request)
    headers = {"vary": "accept-language, cookie", "content-language": language}
    return HTMLResponse(_filled(name, language, tuple(more.items())), headers=headers)


@cache
def _filled(name: str, language: str, more: tuple[tuple[str, str], ...]) -> str:
    told = words(language)

    def filled(markup: str, parts: Mapping[str, str]) -> str:
        def text(slot: re.Match[str]) -> str:
            key = slot["raw"] or slot["text"]
            found: Any = parts.get(key) or told[key]
            return found if slot["raw"] else escape(found)

        return _SLOT.sub(text, markup)

    own = {"language": language, "language.switch": _switch(language)}
    parts = {**dict(more), **own}
    for key, markup in _SHARED.items():
        parts[key] = filled(markup, parts)
    return filled((_WEB / name).read_text(encoding="utf-8"), parts)


def _switch(current: str) -> str:
    """The languages as links, each by its own name."""

    def link(name: str) -> str:
        here = ' aria-current="true"' if name == current else ""
        title = escape(str(words(name)["language.name"]))
        return f'<a href="?language={name}" data-language="{name}" lang="{name}" hreflang="{name}"{here}>{title}</a>'

    return " ".join(map(link, languages()))
