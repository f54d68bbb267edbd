"""The page for reading: complete, harmless, and the same for people as the record for programs."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from api.cli.table.boards import names_of
from api.evidence.keys import Head, ServerKey, short
from api.evidence.report import STYLE, ReportContents, page
from api.evidence.reuse import PHOTO_AGAIN, PHOTO_ELSEWHERE, PHOTO_OLD
from api.evidence.said_by_hand import corrected, in_words
from api.evidence.throws import lines_of
from api.film.game_tracker import GameTracker
from scorer.engine.game import Move
from scorer.engine.record import Record
from scorer.pieces.text import sentence
from tests.api.evidence.conftest import RECORDS, begun, typed
from tests.api.film.rolls import roll


class _Seen(HTMLParser):
    """The tags with their attributes; every element must be closed in turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def words(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def records() -> list[Record]:
    return [Record.load(file.read_text()) for file in sorted(RECORDS.glob("*.jsonl"))]


def test_every_line_is_told_with_its_score_its_rule_and_its_head() -> None:
    for record in records():
        html, names = page(ReportContents(record)), names_of(record)
        text = words(html)
        for line in lines_of(record):
            assert f"Head after line {line.number}: {short(line.head)} {line.head}" in text
            assert not line.closing or line.closing in text
            for event in line.events:
                assert " ".join(sentence(event.said(names)).split()) in text
                assert event.rule in text
                for meld in event.items:
                    assert f"{meld.name} {' '.join(map(str, meld.pieces))} {meld.points}" in text


def test_its_words_are_explained_and_where_to_check_it_is_said() -> None:
    record = Record.load((RECORDS / "crib-dice-undone-after-the-end.jsonl").read_text())
    for each in (record, typed(begun("crib-dice"), "opening 1 6")):
        html = page(ReportContents(each))
        legend = html[html.index("<footer>") :]
        used = set(re.findall(r'<p class="made"><strong>(\w+)</strong>', html))
        assert {*used, "Head"} == set(re.findall(r'<th scope="row">(\w+)</th>', legend))
        assert "/verify" in legend
        assert "/source.zip" in legend


def test_what_was_seen_doubted_and_corrected_is_told(dice_game: Record) -> None:
    html = page(ReportContents(dice_game, {4: "annotated/4.jpg", 6: "annotated/4.jpg"}))
    section = html[html.index('id="line-6"') :]
    reading = lines_of(dice_game)[-1].reading
    assert reading
    for die in reading.dice:
        assert f'<td>{die.value}</td><td class="number">{int(100 * die.confidence)}%</td>' in section
    assert {doubt.message for doubt in reading.doubts}
    assert all(doubt.message in words(section) for doubt in reading.doubts)
    assert 'src="annotated/4.jpg"' in section
    assert "A person corrected or confirmed: Confirmed despite the doubt “by <Ben>”." in words(section)
    assert re.search(r'id="line-4" class="gone">.*?Undone by <a href=.#line-5.>', html, re.DOTALL)
    assert "Line 5: the move before is taken back" in words(html)


def test_what_a_camera_inferred_is_no_word_of_a_person() -> None:
    seen = [roll(1, [1, 2, 2, 4, 6, 6, 6]), roll(2, [1, 1, 2, 3, 4, 5, 6])]
    client = GameTracker("crib-dice", ["opening_roll=false"], ("Ann", "Ben"), "2026-11-21T20:15:00+00:00")
    for each in seen:
        client.saw(each)
    text = words(page(ReportContents(client.record())))
    assert "Claimed to be inferred from what followed (frame 20, 1.0 s). Ann" in text
    assert "Claimed to be seen by a watching camera (frame 10, 0.5 s)." in text
    assert "A person" not in text


def test_what_was_inferred_in_a_live_game_and_what_a_person_said_stand_apart() -> None:
    record = typed(begun("crib-dice", "opening_roll=false"), "throw 1 2 2 4 6 6 6")
    inferred = words(page(ReportContents(record.play(Move.parse("point 6"), corrected={"inferred": True}))))
    assert "Claimed to be inferred from what followed." in inferred
    assert "A person" not in inferred
    both = {"inferred": True, "watched": "<b>", "confirmed": "it"}
    told = words(page(ReportContents(record.play(Move.parse("point 6"), corrected=both))))
    assert (
        "Claimed to be inferred from what followed. A person corrected or confirmed: watched <b> "
        "Confirmed despite the doubt “it”." in told
    )


def test_corrections_after_the_last_line_of_a_reading_are_told_with_it(dice_game: Record) -> None:
    last = lines_of(dice_game)[-1]
    correction = {"change": {"die": 0, "value": 1}}
    kept = {"photo": last.photo, "reading": last.entry.seen, "corrections": [correction]}
    html = page(ReportContents(dice_game, readings=[kept]))
    assert words(html).count("Corrected later; no line was played from that: Die 1 shows 1.") == 1
    assert "Die 1 shows 1." in html[html.index(f'id="line-{last.number}"') :]
    for other in ({**kept, "reading": {**last.entry.seen, "width": 7}}, {**kept, "corrections": []}):
        assert "Corrected later" not in page(ReportContents(dice_game, readings=[other]))


def test_a_line_tells_its_own_corrections_and_none_of_other_lines(dice_game: Record) -> None:
    last = lines_of(dice_game)[-1]
    correction = {"change": {"die": 0, "value": 1}}
    record = dice_game.undo().play(last.entry.move, seen=last.entry.seen, corrected={"corrections": [correction]})
    kept = {"photo": last.photo, "reading": last.entry.seen, "corrections": [correction]}
    html = page(ReportContents(record, readings=[kept]))
    assert words(html).count("Die 1 shows 1.") == 1
    assert "Die 1 shows 1." in html[html.index(f'id="line-{lines_of(record)[-1].number}"') :]


@pytest.mark.parametrize(
    ("correction", "sentence"),
    [
        ({"change": {"die": 0, "value": 5, "starter": None}}, "Die 1 shows 5."),
        ({"change": {"die": 4, "value": 12, "starter": True}}, "Die 5 shows 12, and is the starter."),
        ({"change": {"tile": 1, "ends": [3, 4]}}, "Tile 2 shows 3-4."),
        ({"add": {"kind": "d6", "value": 6, "at": [1, 2]}}, "One die more shows 6."),
        ({"add": {"kind": "domino", "ends": [0, 4], "at": [1, 2]}}, "One tile more shows 0-4."),
        ({"remove": {"die": 2}}, "Die 3 is none, or does not count."),
        ({"remove": {"tile": 0}}, "Tile 1 is none, or does not count."),
        ({"piece": 0, "value": [{}]}, "piece 0, value "),
        ("rot", "rot"),
    ],
)
def test_corrections_are_sentences(correction: object, sentence: str) -> None:
    assert corrected(correction) == sentence


def test_what_was_confirmed_is_a_sentence_for_every_doubt_about_a_photo() -> None:
    for code in ("unsure-reading", "nothing-thrown", PHOTO_AGAIN, PHOTO_ELSEWHERE, PHOTO_OLD):
        (sentence,) = in_words({"confirmed": code})
        assert sentence.endswith(".")
        assert code not in sentence
    assert list(in_words({"confirmed": "wrong-count", "said": "throw 1"})) == [
        "Confirmed despite the doubt “wrong-count”.",
        "The move was said: throw 1.",
    ]


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        ({"dice": [1, 5, 5]}, "The first look read the dice 1, 5, and 5."),
        ({"dice": [12]}, "The first look read the die 12."),
        ({"tiles": ["3-5", "face down"]}, "The first look read the tiles 3-5 and face down."),
        ({"dice": [4], "tiles": ["3-5"]}, "The first look read the die 4 and the tile 3-5."),
        ({}, "The first look read nothing."),
        ({"dice": "six"}, "first dice six"),
        ({"dice": [{}]}, "first dice "),
        ([7], "first 7"),
    ],
)
def test_that_the_closer_look_was_used_is_told_with_what_the_first_had_read(first: object, sentence: str) -> None:
    notes = {"again_of": "1f0c9a55d8e7b642", "first": first}
    assert list(in_words(notes)) == ["The photo was looked at again, closer, and that reading was used.", sentence]


def test_when_a_photo_was_taken_and_who_had_played_its_throw_are_sentences() -> None:
    assert list(in_words({"taken": "2026-11-21T20:00:00", "elsewhere": "2026-11-20"})) == [
        "The photo says that it was taken at 2026-11-21T20:00:00.",
        "Another game had played this throw on 2026-11-20.",
    ]


def test_the_page_runs_its_own_script_only_and_fetches_nothing(dice_game: Record, key: ServerKey) -> None:
    for record in (*records(), dice_game):
        seen = _Seen(page(ReportContents(record, {4: "annotated/4.jpg"}, (), key.sign(Head.of(record)))))
        assert seen.open == []
        assert {tag for tag, _ in seen.tags}.isdisjoint({"style", "iframe", "object", "form", "base", "svg"})
        assert [each for tag, each in seen.tags if tag == "script"] == [{}], (
            "its text is what the policy has the hash of"
        )
        attributes = [(name, value or "") for _, each in seen.tags for name, value in each.items()]
        assert not [name for name, _ in attributes if name.startswith("on") or name == "style"]
        links = [value for name, value in attributes if name in ("src", "href")]
        assert all(re.fullmatch(r"#line-\d+|annotated/\d+\.jpg|report\.css", link) for link in links)
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_names_and_words_of_anybody_stay_words() -> None:
    name = "<script>alert(1)</script>\"'&\u202ex"
    record = typed(begun("crib-dice", names=(name, "{0}")), "opening 1 2", "opening 1 3")
    html = page(ReportContents(record))
    assert html.count("<script") == 1, "its own"
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html


def test_it_is_for_dark_rooms_and_for_paper_too() -> None:
    assert "prefers-color-scheme: dark" in STYLE
    assert "@media print" in STYLE


def test_who_signed_is_told(tile_game: Record, key: ServerKey) -> None:
    signed = key.sign(Head.of(tile_game))
    assert f"the server with the key {short(key.public.hex())} , after line 12" in words(
        page(ReportContents(tile_game, signed=signed))
    )
    assert "Signed by nobody" in words(page(ReportContents(tile_game)))


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        ({}, "Typed"),
        ({"by": {"device": "a1", "seats": [0]}}, "Typed, by the phone of Ann"),
        ({"by": {"device": "a1", "seats": [1], "for": 0}}, "Typed, by the phone of Ben, for Ann"),
        (
            {"corrected": {"inferred": True}, "by": {"device": "a1", "seats": [0, 1]}},
            "Claimed, by the phone of Ann and Ben",
        ),
        ({"corrected": {"inferred": True}, "by": {"camera": "c1", "name": "webcam"}}, "Inferred, by the camera webcam"),
        ({"by": {"device": "a1", "seats": [7, "x", -1], "for": True}}, "Typed, by the phone of nobody"),
    ],
)
def test_each_move_says_where_it_comes_from_and_who_made_it(beside: dict[str, Any], said: str) -> None:
    record = begun("crib-dice").play(Move.parse("opening 1 6"), **beside)
    assert said in words(page(ReportContents(record))).replace(" ,", ",")


def test_the_result_comes_first_with_how_much_of_it_was_photographed() -> None:
    record = Record.load((RECORDS / "crib-dice-undone-after-the-end.jsonl").read_text())
    html = page(ReportContents(record))
    assert html.index("Ben won 55 to 6; 0 of 15 throws have photos.") < html.index("<table")


def test_a_game_that_is_not_over_says_so() -> None:
    record = typed(begun("crib-dice"), "opening 1 6")
    assert "Not over: Ann 0 and Ben 0; 0 of 1 throw has a photo." in words(page(ReportContents(record)))


def test_a_card_has_the_lines_of_one_turn_and_the_name_of_the_player() -> None:
    for record in records():
        names, lines = names_of(record), lines_of(record)
        cards = re.findall(r"<article>\n<h2>(.*?)</h2>(.*?)</article>", page(ReportContents(record)), re.DOTALL)
        assert [int(number) for _, card in cards for number in re.findall(r'id="line-(\d+)"', card)] == [
            line.number for line in lines
        ]
        players = {line.number: line.player for line in lines}
        for name, card in cards:
            of_card = {players[int(number)] for number in re.findall(r'id="line-(\d+)"', card)}
            assert len(of_card) == 1
            player = of_card.pop()
            assert unescape(name) == ("The table" if player is None else names[player])


def test_times_are_those_of_the_server_with_the_date_where_it_changes() -> None:
    record = begun("crib-dice")
    date = record.header.date
    same, later = f"{date[:11]}23:59:01{date[19:]}", "2031-02-03T00:01:02+01:00"
    record = record.play(Move.parse("opening 1 6"), at=same).play(Move.parse("opening 2 5"), at=later)
    text = words(page(ReportContents(record)))
    assert "Typed , 23:59:01" in text
    assert "Typed , 3 February 2031, 00:01:02 (UTC+01:00)" in text
