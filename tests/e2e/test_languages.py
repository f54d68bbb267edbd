"""The pages in German: every sentence of every translated game, and nothing English left on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

from api.http import languages
from scorer.errors import ScorerError
from scorer.games.registry import GAMES, AnyGame
from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, chooses

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

NAMES = ("Ann", "Ben", "Cyd", "Dot")
TRANSLATED = [name for name in GAMES if Path(f"scorer/games/{name.replace('-', '_')}/de.json").exists()]
LONGEST = 120


@pytest.fixture
def german(phones: Phones) -> Page:
    phone = phones.phone()
    phone.set_extra_http_headers({"accept-language": "de-DE,de;q=0.9"})
    phone.goto(phones.server)
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    return phone


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_sentence_of_a_game_is_translated(german: Page, name: str) -> None:
    texts = sorted(set(sentences(GAMES[name])))
    assert len(texts) > 100
    told = german.evaluate(
        """async (texts) => {
            const { translation } = await import("/web/words.js");
            return texts.filter((text) => translation(text) === null);
        }""",
        texts,
    )
    assert told == []


def sentences(game: AnyGame) -> Iterator[str]:
    """What whole and broken-off games by several rules ask, offer and say."""
    usual = game.rules()
    switches = [option for option in usual.options() if option.kind == "switch"]
    changed = [f"{option.name}={'false' if option.default else 'true'}" for option in switches]
    texts: list[tuple[str, ...]] = [(), *(preset.options for preset in game.presets), *((each,) for each in changed)]
    for seed, options in enumerate(texts):
        for players in (2, 3):
            try:
                rules = game.rules.from_texts(options)
                state = game.start(rules, players)
            except ScorerError:  # these rules are not for so many
                continue
            hidden = game.holds_secrets(rules)
            yield from played(game, state, Random(seed), seats=range(players) if hidden else ())


def played(game: AnyGame, state: object, random: Random, seats: Iterable[int]) -> Iterator[str]:
    for _ in range(LONGEST):
        yield said(game.prompt(state))
        yield from (said(offer.text) for offer in game.offers(state)[:6])
        yield from (text for _, text in game.streaks(state) if text)
        yield from (said(text) for seat in seats if (text := game.view(state, seat)))
        legal = game.legal_moves(state)
        if not legal:
            return
        chooses = legal.choices and (legal.chance is None or random.random() < 0.5)
        move = random.choice(legal.choices) if chooses or legal.chance is None else legal.chance.sample(random)
        step = game.apply(state, move)
        state = step.state
        yield from (said(event.text) for event in step.events)
        yield from (item.name for event in step.events for item in event.items)


def said(text: str) -> str:
    return re.sub(r"\{(\d+)\}", lambda found: NAMES[int(found[1])], text)


def test_a_sentence_is_translated_whole_or_not_at_all(german: Page) -> None:
    told = german.evaluate(
        """async () => {
            const { told } = await import("/web/words.js");
            return ["Ann: throw all six dice", "Ann: dance all six dice", "Stop: roll two dice for who goes first"].map(told);
        }"""
    )
    assert told == [
        "Ann: wirf alle sechs Würfel",
        "Ann: dance all six dice",
        "Stop: würfle mit zwei Würfeln, wer beginnt",
    ]


def test_nothing_english_is_left_on_a_german_page(german: Page, phones: Phones) -> None:
    german.goto(f"{phones.server}/#join={JOIN_TOKEN}")
    chooses(german, "farkle")
    german.locator("#rule-options summary").click()
    pages = [shown(german)]
    german.locator("#begin").click()
    expect(german.locator("#prompt")).to_contain_text("würfle")
    for tab in german.get_by_role("tab").all():
        tab.click()
    pages.append(shown(german))
    german.goto(f"{phones.server}/read")
    pages.append(shown(german))
    english, other = languages.words("en"), languages.words("de")
    # Each language is offered in its own words.
    foreign = {str(text) for key, text in english.items() if text != other[key] and key != "language.name"}
    for texts in pages:
        assert len(texts) > 10
        assert set(texts) & foreign == set()


def shown(page: Page) -> list[str]:
    """Every text on the page, and what is read aloud."""
    texts: list[str] = page.evaluate(
        """() => {
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const texts = [];
            while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
            const labels = [...document.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"));
            return [...texts, ...labels].filter(Boolean);
        }"""
    )
    return texts


def test_the_switch_changes_the_language_and_keeps_the_page(phones: Phones) -> None:
    phone = phones.phone()
    phone.goto(phones.server)
    phone.get_by_role("link", name="Deutsch").click()
    expect(phone.locator("#begin")).to_have_text(re.compile("^Los geht"))
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("lang", "de")
