"""The pages in German: every sentence of every translated game, and nothing English left on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from api.http import languages
from scorer.camera.referee import rule
from scorer.engine.game import Move, Seen
from scorer.errors import RulesError, ScorerError
from scorer.games.registry import GAMES, SCORED, AnyGame
from scorer.games.scoring import photographed, rules_named, worth
from scorer.pieces.tiles import FULL_SET
from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, chooses
from tests.scorer.randomly import random_move

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
    assert untranslated(german, texts) == []


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_refused_move_is_translated(german: Page, name: str) -> None:
    texts = sorted(set(refusals(GAMES[name])))
    assert len(texts) > 50
    assert untranslated(german, texts) == []


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_question_about_what_was_seen_is_translated(german: Page, name: str) -> None:
    texts = sorted(set(questions(GAMES[name])))
    assert len(texts) > 50
    assert untranslated(german, texts) == []


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_advice_is_translated(german: Page, name: str) -> None:
    texts = sorted(set(advised(GAMES[name])))
    assert len(texts) > 20
    assert untranslated(german, texts) == []


def test_numbers_of_advice_are_written_as_people_write_them(german: Page) -> None:
    english = (
        "Throwing three dice scores 72% of the time and makes the turn worth 5.02 points on average, against the 5 you have: "
        "throw three dice."
    )
    assert german.evaluate("async (text) => (await import('/web/words.js')).translation(text)", english) == (
        "Mit drei Würfeln zählen 72 % der Würfe etwas, und der Zug wird im Schnitt 5,02 Punkte wert statt der 5, die du hast: "
        "wirf drei Würfel."
    )


@pytest.mark.parametrize("name", photographed())
def test_every_score_of_a_photo_is_translated(german: Page, name: str) -> None:
    texts = sorted(set(scores(name)))
    assert len(texts) > 20
    assert untranslated(german, texts) == []


@pytest.mark.parametrize(
    ("english", "told"),
    [
        ("This throw was played already in another game, on 2026-11-28. Confirm it only if it fell the same way again.",
         "Dieser Wurf ist schon in einem anderen Spiel gespielt, am 28.11.2026."),
        ("This photo was taken at 2026-11-28 20:15:03, before the game began. "
         "Take a new one, or confirm it if the clock of its phone is wrong.",
         "Dieses Foto ist vom 28.11.2026, 20:15:03, älter als das Spiel."),
        ("Line 3: its photo says that it was taken at 2026-11-28T12:15:03+00:00, before the line before it: is it an old one?",
         "Angaben am 28.11.2026, "),
        ("Line 3: its time, 2026-99-28, is before that of the line before it.", "ihre Zeit, 2026-99-28, liegt vor"),
    ],
)  # fmt: skip
def test_days_and_times_are_written_as_people_write_them(german: Page, english: str, told: str) -> None:
    assert told in german.evaluate("async (text) => (await import('/web/words.js')).translation(text)", english)


def test_what_is_said_of_typed_pieces_and_of_other_pieces_is_translated(german: Page) -> None:
    assert untranslated(german, SAID_BESIDE) == []


@pytest.mark.parametrize(
    ("name", "options", "players"),
    [
        ("crib-dice", "", 6),
        ("crib-dice", "", 7),
        ("crib-dice", "partners=on", 3),
        ("crib-dice", "edition=other piddle_points=on skunk=on", 2),
        ("crib-dice", "piddle_double_point=seven_then_reroll", 2),
        ("crib-dice", "bumping=on lanes=0,0", 3),
        ("crib-dice", "lanes=0,0", 2),
        ("cribbage-dice", "target=0", 2),
        ("cribbage-dice", "", 1),
        ("cribbage-dice", "tie=roll_off", 2),
        ("farkle-crib", "lanes=0,0", 3),
        ("farkle-crib", "lanes=0,1", 2),
        ("farkle", "target=501", 2),
        ("farkle", "", 1),
        ("domino-cribbage", "target=70", 2),
        ("domino-cribbage", "", 3),
        ("muggins", "", 5),
        ("muggins", "partners=on", 3),
        ("muggins", "hand=2", 2),
        ("muggins", "hand=9", 4),
    ],
)
def test_why_rules_cannot_be_played_is_translated(german: Page, name: str, options: str, players: int) -> None:
    with pytest.raises(RulesError) as refused:
        GAMES[name].start(GAMES[name].rules.from_texts(options.split()), players)
    assert untranslated(german, [refused.value.message]) == []


@pytest.mark.parametrize(
    ("english", "told"),
    [
        ("Please check this roll.", "Bitte schau dir diesen Wurf an."),
        ("Please check this roll. Die 5: This may be 6 (85%) or 3 (14%). Die 6: This die is very small in the photo; it was "
         "read as 4. Go nearer.",
         "Bitte schau dir diesen Wurf an. Würfel 5: Das ist vielleicht 6 (85 %) oder 3 (14 %). "
         "Würfel 6: Dieser Würfel ist sehr klein im Foto; gelesen als 4. Geh näher ran."),
        ("Please check this, and confirm or correct it. Tile 2: This tile may lie face down (30%).",
         "Bitte schau nach, und bestätige oder korrigiere es. Stein 2: Dieser Stein liegt vielleicht verdeckt (30 %)."),
        ("Please check this roll. Die 5: This may be 6 (85%) or 3 (14%). Die 6: This is a sonnet.", None),
        ("Please dance. Ann: throw all six dice", None),
        ("2-2-4-2-6-1-2 is no play of the game: Ann: throw all six dice.",
         "Mit 2-2-4-2-6-1-2 geht es hier nicht weiter. Jetzt dran: Ann: wirf alle sechs Würfel."),
        ("1-2 and 5-5 beside 3-3 is no play of the game: Ann: throw all six dice.",
         "Mit 1-2 und 5-5 neben 3-3 geht es hier nicht weiter. Jetzt dran: Ann: wirf alle sechs Würfel."),
        ("3-5 is no play of the game: Ann: dance all six dice.", None),
        ("A move was taken back while this roll waited. Is it the next one?",
         "Während dieser Wurf wartete, wurde ein Zug zurückgenommen. Ist es der nächste Wurf?"),
        ("Something at the left may be a domino; it was not counted.",
         "Links liegt vielleicht noch ein Domino; nicht mitgezählt."),
        ("Two tiles are not named: throw all six dice", None),
        ("Dr. J. Ost: throw all six dice", "Dr. J. Ost: wirf alle sechs Würfel"),
    ],
)  # fmt: skip
def test_what_a_camera_asks_is_translated_whole_or_not_at_all(german: Page, english: str, told: str | None) -> None:
    """Sentences were taken for names of players: "Please check this roll. Die 5: Das ist vielleicht 6"."""
    translated = german.evaluate("async (text) => (await import('/web/words.js')).translation(text)", english)
    assert (translated and translated.replace("\u00a0", " ")) == told


SAID_BESIDE = [
    "Every player needs a name, and no two the same.",
    "set aside three 2s and two 1s and stop with 400 points",
    "set aside a 1 and throw 5 dice",
    "stop with 400 points",
    "'5-' is not a move: start with a word like throw, keep or stop.",
    "'throw x y' is not a move: expected whole numbers or tiles like 3-0 after throw.",
    "This throw is 5 dice, but 4 dice were typed. Type just the dice that were thrown.",
    "This throw is 1 die, but 2 dice were typed. Type just the dice that were thrown.",
    "There are four new tiles (0-0, 4-1, 5-2, and 6-6), but six are due. Show the six tiles of this hand alone.",
    "There are two new tiles (0-0 and 1-1), but one is due. Show the starter alone.",
    "There is one new tile (0-0), but six are due. Show the six tiles of this hand alone.",
    "5-4 is not in the hand of the player to act: name a tile that the player holds. "
    "Show the tile played alone, or all tiles played so far.",
    "No dice or dominoes were found. Take the photo from nearer, with all of them in the picture.",
    "Not counted: two six-sided dice (3, 4), one twelve-sided die (7), and two tiles (3-5, 3-6).",
    "No twelve-sided dice were read, so the six-sided dice are counted.",
    "Two tiles face down: not counted.",
    "There is more than one 3-5 and 3-6. Check the reading, unless you mix sets.",
    "The tiles form two separate layouts; the open ends of all are counted.",
    "The ends of tile 1 (3-5) and tile 2 (3-6) touch but do not match. Check that both were read right.",
    "Moves read from photos: 2, typed or chosen: 1.",
    "Moves read from photos: 2, typed or chosen: 0, inferred: 1, claimed to come from a camera: 1.",
    "Moves read from photos: 2, typed or chosen: 0, revealed by the next roll: 3, inferred: 1, claimed to come from a camera: 1.",
    "1 move was read from a film or camera, whose pictures are not in the zip. Compare with the film, or watch it again "
    "with muggins watch.",
    "15 moves were read from a film or camera, whose pictures are not in the zip. Compare with the film, or watch it again "
    "with muggins watch.",
]


SAID_OF_EVIDENCE = [
    "The record is not valid. Line 20: the line was changed after it was written: its hash does not fit.",
    "The record is not valid. This record is empty.",
    "The record is not valid. It has more than 20000 lines, as no game has.",
    "The record is not valid. Line 4: First set aside at least one scoring die; then stop or throw on. (Farkle, Setting aside)",
    "The record is not valid. Line 1: the header lacks something or says it wrongly: 'players', 'rules'.",
    "The photo 741fd33d326e… of line 4: the photo is read as it was then.",
    "The photo 741fd33d326e… of line 4: the photo is read as it was then, but 2 of the pieces lie elsewhere on it.",
    "The photo 741fd33d326e… of no line: the photo is read as it was then.",
    "The photo 741fd33d326e… of lines 4 and 6: read again by the same networks: then a 3, now three 5s on twelve sides "
    "and an 8 as the starter.",
    "The photo 741fd33d326e… of lines 4, 6, and 11 is not in the zip.",
    "The record is an unbroken chain of 1 line, and every move and score follows from the rules.",
    "The game has advanced: its record has 1 line, not 3. Reload and try again.",
    "Line 4: read again by other networks: then nothing more, now a 2, an 8 as the starter, and 3-5.",
    "Line 4: read again by other networks: then 3-5 and face down, now nothing there.",
    "Line 4: read again by other networks: then 2 times 3-5 and 2 times face down, now nothing there.",
    "The photo 741fd33d326e… of no line is not in the zip, which gives the reason: The photo is damaged. Copy or send it again, "
    "or take a new one..",
    "The photo 741fd33d326e… of line 4 is not in the zip, which gives the reason: it was not stored.",
    "The profile 562b75934ffb… that photos were read with is missing or damaged; they are read without it.",
    "profiles/x.json belongs to no reading.",
    "By the record the winner is Ben: Ann 6 and Ben 55.",
    "By the record the winner is Ann and Cy: Ann and Cy 6 and Ben and Di 55.",
    "By the record the game is not over: Ann 6, Ben 55, and Cy 0.",
    "manifest.json says something else than the record, or more: game.",
    "manifest.json says something else than the record, or more: game, signed.short.",
    "The report differs from the one generated from this game. The zip says that other versions made it, which draw otherwise; "
    "so it may be as it was made, or changed. Believe what is said here, not what it shows.",
    "annotated/4.jpg differs from the picture drawn from this photo and reading. The zip says that other versions made it, which "
    "draw otherwise; so it may be as it was made, or changed. Believe what is said here, not what it shows.",
    "Line 3: its time is none: at dinner.",
    "Line 2: its time, 2026-11-21T20:14:59+00:00, is before that at which the game began.",
    "The zip contains an unexpected file: 'a b'.",
    "Line 4: keep 1 5 does not match the reading of the photo, but inferred from what followed (frame 12).",
    "Line 4: stop was claimed to be inferred from what followed.",
    "Invalid tiles: no tile shows 6-7: the ends of a double-six set go from 0 to 6.",
    "No tile shows 6-7: the ends of a double-six set go from 0 to 6.",
    "A tile was read that is not in the set (no tile shows 6-7: the ends of a double-six set go from 0 to 6). "
    "Correct it, or take another photo.",
]


def test_what_is_said_of_evidence_is_translated(german: Page) -> None:
    assert untranslated(german, SAID_OF_EVIDENCE) == []


def test_what_is_said_of_a_photo_of_the_evidence_is_translated_whole(german: Page) -> None:
    english = "The photo 741fd33d326e… of line 4: the photo is read as it was then."
    told = german.evaluate("async (text) => (await import('/web/words.js')).translation(text)", english)
    assert told == "Das Foto 741fd33d326e… von Zeile 4: das Foto wird gelesen wie damals."
    several = english.replace("line 4", "lines 4 and 6")
    told = german.evaluate("async (text) => (await import('/web/words.js')).translation(text)", several)
    assert told == "Das Foto 741fd33d326e… von den Zeilen 4 und 6: das Foto wird gelesen wie damals."


def test_the_button_that_confirms_moves_names_them_in_german(german: Page) -> None:
    told = german.evaluate(
        """async (moves) => {
            const { doubtLines } = await import("/web/table/offers.js");
            return doubtLines({ doubt: { message: "", moves }, notes: [] }, () => {}).at(-1).textContent;
        }""",
        ["keep 1 2", "throw 3 4 5", "play 5-3 5-5", "somersault 1"],
    )
    assert told == "Ja, stimmt so: behalten 1 2, dann Wurf 3 4 5, dann anlegen 5-3 5-5, dann somersault 1"


def test_the_list_of_moves_names_them_in_german(german: Page) -> None:
    told = german.evaluate(
        """async (moves) => {
            const { History } = await import("/web/table/history.js");
            const history = new History({ players: ["Ann", "Ben"] });
            const line = { line: 2, at: "2026-11-21T20:15:00Z", player: 0, how: "typed" };
            return moves.map((move) => history.row({ ...line, move }).querySelector("span").textContent);
        }""",
        ["throw 3 4 5", "stop"],
    )
    assert told == ["Ann: Wurf 3 4 5", "Ann: aufhören"]


def test_what_to_choose_from_is_joined_with_or_in_both_languages(german: Page) -> None:
    english = "The bomb takes one of the leading pegs: exchange with player {}."
    told = german.evaluate(
        """async (texts) => {
            const { translation } = await import("/web/words.js");
            return texts.map(translation);
        }""",
        [english.format(players) for players in ("1", "1 or 2", "1, 2, or 3")],
    )
    start = "Die Bombe nimmt einen der führenden Pins: Tausch mit Spieler"
    assert told == [f"{start} {players}." for players in ("1", "1 oder 2", "1, 2 oder 3")]


def test_only_what_is_certain_or_impossible_is_said_to_be(german: Page) -> None:
    told = german.evaluate(
        """async (chances) => {
            const { chance } = await import("/web/words.js");
            return chances.map((each) => chance(each).replace("\u00a0", " "));
        }""",
        [0, 0.0003, 0.3, 0.996, 1],
    )
    assert told == ["0 %", "unter 1 %", "30 %", "über 99 %", "100 %"]


def untranslated(german: Page, texts: list[str]) -> list[str]:
    told: list[str] = german.evaluate(
        """async (texts) => {
            const { translation } = await import("/web/words.js");
            return texts.filter((text) => translation(text) === null);
        }""",
        texts,
    )
    return told


def refusals(game: AnyGame) -> Iterator[str]:
    """Why moves of all kinds are refused in games by several rules, as a page is told."""
    for state in states(game):
        legal = game.legal_moves(state)
        for move in map(Move.parse, TYPED):
            if move not in legal:
                refused = game.why_not(state, move)
                yield said(f"{refused.message} ({refused.rule})")


def questions(game: AnyGame) -> Iterator[str]:
    """What is asked of random pieces, seen or typed, in games by several rules."""
    random = Random(3)
    sides = {"d6": 6, "d12": 12}.get(game.kind, 6)
    for state in states(game):
        for _ in range(10):
            count = random.choice((1, 2, 3, 4, 5, 6, 7, 8))
            dice = tuple(random.randint(1, sides if random.random() < 0.9 else 12) for _ in range(count))
            tiles = tuple(random.sample(FULL_SET, random.choice((1, 1, 2, 3, 6))))
            both = (dice, tiles) if random.random() < 0.1 else ((), tiles) if game.kind == "domino" else (dice, ())
            for typed, starter in ((False, None), (False, both[0][0] if both[0] else None), (True, None)):
                doubt = rule(game, state, Seen(both[0], starter, both[1], typed=typed)).doubt
                if doubt:
                    yield said(doubt.message)


TYPED = (
    *("hello", "stop", "stop 1", "bomb", "roll", "go", "draw", "pass 1", "call 1", "unclaimed", "point 5", "point 1 1"),
    *(
        "throw",
        "throw 1",
        "throw 6 5 4 3 2 1 1",
        "throw 0 1 9 9 9 99 99",
        "throw 1 2 3 4 3-3",
        "keep",
        "keep 1",
        "keep 6 5",
    ),
    *("freeze 9", "piddle 1 2", "piddle 3", "exchange 7", "opening 1", "opening 2 1", "opening 9 9", "opening 5-3 4-4"),
    *("roll-off 3", "discard 1", "discard 1 2", "discard 6-6 3-0", "starter", "starter 6-6", "lead 9", "muggins 9"),
    *("deal 0 1-0", "deal 1 1-0 2-0 3-0 4-0 5-0 6-0", "deal 0 1-0 2-0 3-0 4-0 5-0", "deal 0 1-0 1-0 3-0 4-0 5-0 6-0"),
    *("play 1", "play 0-0", "play 6-5", "play 5-3 5-5", "play 6-6 6-6 6-6", "draw 5-3", "left 0 1-1", "left 1 5-3 6-6"),
)


def scores(name: str) -> Iterator[str]:
    """What the page for one photo shows of random throws and hands, scored by several rules; or why it cannot."""
    random = Random(1)
    yield SCORED[name].title
    sides = {"d6": 6, "d12": 12}.get(SCORED[name].kind, 0)
    for texts in ((), *MORE_RULES.get(name, ())):
        for _ in range(120):
            count = random.choice((1, 2, 3, 4, 5, 6, 7, 7))
            dice = [random.randint(1, sides) for _ in range(count)] if sides else []
            pieces = dice or [str(tile) for tile in random.sample(FULL_SET, count)]
            for options in ({}, MORE.get(name, {})):
                yield from scored(name, pieces, texts, options)


MORE: dict[str, dict[str, Any]] = {
    "crib-dice": {"point": 5, "frozen": 5},
    "cribbage-dice": {"starter": 5},
    "domino-cribbage": {"starter": "4-1"},
    "farkle": {"set_aside": (1, 5)},
    "farkle-crib": {"set_aside": (1, 5)},
}
MORE_RULES: dict[str, tuple[tuple[str, ...], ...]] = {
    "crib-dice": (
        ("piddle_points=true", "bomb=true"),
        ("freeze_all=false",),
        ("roll_at_five_or_six=true", "stop_after_piddle=true"),
    ),
    "farkle-crib": (("bonus=all",),),
    "domino-pips": (("count=hand",), ("count=ends",)),
}


def scored(name: str, pieces: list[Any], texts: tuple[str, ...], options: dict[str, Any]) -> Iterator[str]:
    try:
        found = worth(name, pieces, rules=rules_named(name, texts), **options)
    except ScorerError as error:
        yield error.message
        return
    yield found.summary
    yield from (item.name for item in found.items)
    for choice in found.choices:
        yield choice.name
        yield from (item.text for item in choice.items)


def advised(game: AnyGame) -> Iterator[str]:
    """What is best, and why, in states of games by several rules."""
    for state in states(game):
        if advice := game.advise(state, hands=True):
            yield advice.why
            yield from (alternative.text for alternative in advice.alternatives)


def sentences(game: AnyGame) -> Iterator[str]:
    """What whole and broken-off games by several rules ask, offer and say."""
    for seed, (rules, players, state) in starts(game):
        hidden = game.holds_secrets(rules)
        yield from played(game, state, Random(seed), seats=range(players) if hidden else ())


def starts(game: AnyGame) -> Iterator[tuple[int, tuple[Any, int, Any]]]:
    """Seeds, and games by several rules."""
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
            yield seed, (rules, players, state)


def states(game: AnyGame) -> Iterator[Any]:
    """Some states of games by several rules."""
    for seed, (_, _, start) in starts(game):
        state, random = start, Random(seed)
        for _ in range(LONGEST):
            if random.random() < 0.2 or state.to_act is None:
                yield state
            if state.to_act is None:
                break
            state = game.apply(state, random_move(game, state, random)).state


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
        "Stop: würfle mit zwei Würfeln aus, wer beginnt",
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
