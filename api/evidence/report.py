"""The readable report in the evidence: the result, then a card for each turn with its lines: picture, score, rule, and head.

Lines are numbered as in the record, as everywhere else. Times are written as the server's clock and time zone had them, and
shown in the reader's own time zone.

The page runs one script, which does nothing but that: its hash is in the page's policy, so no other runs. It loads nothing but
pictures and the style sheet, which are files next to it. Names and texts come from untrusted records, so everything is escaped.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from itertools import groupby
from typing import Any

from api.console import printable
from api.evidence.keys import SignedHead, short
from api.evidence.provenance import Provenance, seats_named
from api.evidence.reuse import MOST_COMPARED, PHOTO_OLD, counted_again, elsewhere
from api.evidence.said_by_hand import corrected, in_words
from api.evidence.stored_readings import key_of, noted_corrections
from api.evidence.throws import Line, by_camera, lines_of, plain
from scorer.engine.game import Event
from scorer.engine.record import Record
from scorer.pieces.text import listed, points, sentence
from vision.reading import Die, Doubt, Reading, Tile

STYLE = """:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --soft: #f2f0ea; --line: #c9c4b8; --doubt: #8a4b00;
  --quiet: #555; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --paper: #161616; --soft: #242321; --line: #4a4741; --doubt: #ffb454; --quiet: #b0b0b0; }
}
body { margin: 0 auto; max-width: 50rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: inherit; }
article { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: 0 .75rem; }
section { padding: .25rem 0 .75rem; }
section + section { border-top: 1px solid var(--line); }
h1 { font-size: 1.4rem; }
h2 { font-size: 1.15rem; margin: .75rem 0 0; }
h3 { font-size: 1rem; margin: .5rem 0; overflow-wrap: anywhere; }
.verdict { font-size: 1.2rem; font-weight: 600; }
img { display: block; max-width: 100%; max-height: 32rem; border-radius: .3rem; margin: .5rem 0; }
table { border-collapse: collapse; margin: .5rem 0; max-width: 100%; }
th, td { border: 1px solid var(--line); padding: .15rem .4rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--soft); font-weight: 600; }
summary { cursor: pointer; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
ul { margin: .4rem 0; padding-left: 1.3rem; }
.doubt { color: var(--doubt); font-weight: 600; }
.rule, .head, .watched, .made, time, summary { color: var(--quiet); font-size: .9rem; }
.head { margin: .3rem 0; }
.gone h3 { text-decoration: line-through; }
.corrected, .inferred { background: var(--soft); border-left: .3rem solid var(--doubt); padding: .3rem .7rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #f2f0ea; --line: #999; --doubt: #000; --quiet: #333; }
  body { max-width: none; font-size: 10pt; padding: 0; }
  section, article { break-inside: avoid; }
  img { max-height: 8cm; }
}
"""
"""The style sheet, report.css."""
_SCRIPT = """
const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
  "December"];
const two = (number) => String(number).padStart(2, "0");
const zone = (at) => {
  const east = -at.getTimezoneOffset();
  const part = `${east < 0 ? "-" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  return east ? `UTC${part}` : "UTC";
};
const day = (at) => `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
const clock = (at) => [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
let begun = "";
for (const time of document.querySelectorAll("time[datetime]")) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) continue;
  time.title = `On the server: ${time.textContent}`;
  time.textContent = day(at) === begun ? clock(at) : `${day(at)}, ${clock(at)} (${zone(at)})`;
  begun ||= day(at);
}
"""
"""Shows the same text as `_day` and `_at`, in the reader's time zone."""
_RUNS = b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; script-src 'sha256-{_RUNS}'; img-src 'self' file:; style-src 'self' file:; base-uri 'none'; "
    "form-action 'none'"
)

_WORTH_SAYING = 0.01
"""Minimum probability of an alternative to be shown."""


@dataclass(frozen=True, slots=True)
class ReportContents:
    """The contents of the page.

    Attributes:
        record: the game.
        pictures: annotated pictures by line number.
        readings: stored with the game, with corrections.
        signed: the server's signature, if any.
    """

    record: Record
    pictures: Mapping[int, str] = field(default_factory=dict)
    readings: Sequence[Mapping[str, Any]] = ()
    signed: SignedHead | None = None


@dataclass(frozen=True, slots=True)
class _Beside:
    """What only all lines together tell of one, by its number: the line that counted its throw before, and `_later`."""

    again: Mapping[int, int]
    later: Mapping[int, Sequence[Any]]


def page(contents: ReportContents) -> str:
    """The page as HTML; deterministic."""
    header = contents.record.header
    title = f"{contents.record.game.title}: {listed([printable(name) for name in header.players])}"
    lines = lines_of(contents.record)
    again = {line.number: earlier.number for line, earlier in counted_again(lines, MOST_COMPARED)}
    beside = _Beside(again, _later(contents.readings, lines))
    cards = "".join(_card(contents, each, beside) for each in _turns(contents, lines))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{_text(title)}</title>\n<link rel="stylesheet" href="report.css">\n</head>\n<body>\n'
        f"<header>\n<h1>{_text(title)}</h1>\n{_top(contents, lines)}</header>\n<main>\n{cards}</main>\n{_legend(lines)}"
        f"<script>{_SCRIPT}</script>\n</body>\n</html>\n"
    )


def _text(value: object) -> str:
    """UntrustedRecord text, escaped, with control and direction characters written out."""
    return escape(printable(str(value)))


# The game


def _top(contents: ReportContents, lines: Sequence[Line]) -> str:
    header = contents.record.header
    changed = ", ".join(f"{name}={value}" for name, value in header.rules.changed().items())
    facts = {
        "Begun": _time(header.date, _day(header.date)),
        "Rules": _text(changed or "the default rules"),
    }
    folded = {
        "Written by": _text(plain(header.versions) or "nobody says"),
        "Read by": _text(_networks(lines) or "nobody: no photo was read"),
        "Head": _head(contents.record.head),
        "Signed by": _signed(contents.signed),
    }
    return (
        f'<p class="verdict">{_text(_verdict(contents.record, lines))}</p>\n{_facts(facts)}'
        f"<details>\n<summary>Record and signature</summary>\n{_facts(folded)}</details>\n<p>{_CHECK}</p>\n"
    )


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(f'<tr><th scope="row">{name}</th><td>{value}</td></tr>\n' for name, value in facts.items())
    return f"<table>\n{rows}</table>\n"


def _verdict(record: Record, lines: Sequence[Line]) -> str:
    """Who won and how, and how much of it there are photos of."""
    throws = [line for line in lines if not line.undone_by and is_shown(record, line)]
    photos = sum(line.reading is not None for line in throws)
    return f"{_standing(record)}; {photos} of {len(throws)} {_counted(len(throws))}."


def is_shown(record: Record, line: Line) -> bool:
    """Whether the line is a move that put something on the table, where a photo shows it."""
    return line.entry.move is not None and line.entry.move.verb in record.game.visible_verbs


def _counted(throws: int) -> str:
    return "throw has a photo" if throws == 1 else "throws have photos"


_CHECK = (
    "This page is for reading; the proof is in the files beside it. <code>muggins verify</code> with the whole zip computes "
    "every score again, reads every photo again, and says what does not fit. Compare the short head with the one that you "
    "saw on your own screen after that move: if they differ, this is not the record that was kept then."
)


def _networks(lines: Iterable[Line]) -> str:
    """The networks that read the photos, with short hashes."""
    every = (network for line in lines if line.reading for network in line.reading.models.items())
    return ", ".join(f"{name} {sha256[:12]}" for name, sha256 in dict.fromkeys(every))


def _standing(record: Record) -> str:
    """The result, such as "Ben won 44 to 31"; of a game that is not over the points so far."""
    names, result, sides = record.header.players, record.result, points_of(record)
    if result is None:
        return f"Not over: {listed([f'{side} {score}' for side, score in sides.items()])}"
    won = listed([names[player] for player in result.winners])
    others = [score for side, score in sides.items() if side != won]
    if won in sides and len(others) == 1:
        return f"{won} won {sides[won]} to {others[0]}"
    return f"{won} won: {listed([f'{side} {score}' for side, score in sides.items()])}"


def points_of(record: Record) -> dict[str, int]:
    """The points of each player, or of those who play together, by their names."""
    names = record.header.players
    return {
        listed([names[player] for player in pegs.players]): pegs.back for pegs in record.game.board(record.state).pegs
    }


def _signed(signed: SignedHead | None) -> str:
    if signed is None:
        return "nobody: the owner of this record could have rewritten it"
    return f"the server with the key <code>{short(signed.key.hex())}</code>, after line {signed.head.lines}"


def _head(digits: str) -> str:
    return f"<strong><code>{short(digits)}</code></strong> <code>{digits}</code>"


def _legend(lines: Sequence[Line]) -> str:
    """What the words mean that this page uses. It is not folded: paper shows it, too."""
    used = {line.provenance for line in lines}
    words = {_PROVENANCE[each]: _text(text) for each, text in _MEANING.items() if each in used}
    return f"<footer>\n<h2>Words on this page</h2>\n{_facts(words | {'Head': _HEAD_MEANS})}<p>{_GET}</p>\n</footer>\n"


_HEAD_MEANS = (
    "A code made from the whole record up to a line. "
    "If anything in or before that line is changed, it becomes another one."
)
_GET = (
    "To check this yourself, open <code>/verify</code> on a Muggins server that you trust, and choose the zip. Muggins is free "
    "software (AGPL-3.0-or-later). Every server, also the one that this game was played on, gives its source at "
    "<code>/source.zip</code>, without the networks that read photos; ask the person who runs it for the whole."
)


# A line


def _turns(contents: ReportContents, lines: Iterable[Line]) -> Iterator[tuple[str, list[Line]]]:
    """Lines of the same player that follow each other, with the player's name."""
    names = contents.record.header.players
    for player, of_turn in groupby(lines, key=lambda line: line.player):
        yield ("" if player is None else printable(names[player]), list(of_turn))


def _card(contents: ReportContents, turn: tuple[str, list[Line]], beside: _Beside) -> str:
    name, lines = turn
    sections = "".join(_section(contents, line, beside) for line in lines)
    return f"<article>\n<h2>{escape(name) or 'The table'}</h2>\n{sections}</article>\n"


def _section(contents: ReportContents, line: Line, beside: _Beside) -> str:
    gone = f"<p>Undone by <a href='#line-{line.undone_by}'>line {line.undone_by}</a>.</p>\n" if line.undone_by else ""
    body = (
        _made_how(contents, line)
        + _to_look_at(line, beside.again.get(line.number, 0))
        + _picture(contents, line)
        + _seen(line)
        + _by_camera(line)
        + _corrections(line, beside.later.get(line.number, ()))
        + _events(line, contents.record.header.players)
        + _after(line)
    )
    kind = ' class="gone"' if line.undone_by else ""
    heading = f"Line {line.number}: {_text(line.entry.move or 'the move before is taken back')}"
    return f'<section id="line-{line.number}"{kind}>\n<h3>{heading}</h3>\n{gone}{body}</section>\n'


def _to_look_at(line: Line, earlier: int) -> str:
    """Whether the throw was counted before, in line `earlier` or in another game, or its photo is an old one."""
    said = [f"The throw of line {earlier} was played again."] if earlier else []
    if day := elsewhere(line.entry):
        said.append(f"This throw was played already in another game, on {day}.")
    if (line.entry.corrected or {}).get("confirmed") == PHOTO_OLD:
        said.append("The photo says that it was taken before the line before.")
    return "".join(f'<p class="doubt">Please look: {_text(each)}</p>\n' for each in said)


def _at(contents: ReportContents, line: Line) -> str:
    """When: the time of day, with the date where it is another than when the game began."""
    at = line.entry.at
    if not at:
        return ""
    moment, begun = _moment(at), _moment(contents.record.header.date)
    return _time(at, f"{moment:%H:%M:%S}" if moment and begun and begun.date() == moment.date() else _day(at))


def _time(at: str, text: str) -> str:
    """A time with its text; of what is no time, itself. Without a time zone it stays as it is in every reader's."""
    moment = _moment(at)
    known = f' datetime="{_text(at)}"' if moment and moment.tzinfo else ""
    return f"<time{known}>{_text(text or at)}</time>"


def _day(at: str) -> str:
    """Such as "22 November 2026, 17:05:12 (UTC+01:00)"; empty if it is no time."""
    moment = _moment(at)
    zone = f" ({moment.tzname()})" if moment and moment.tzinfo else ""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment:%Y, %H:%M:%S}{zone}" if moment else ""


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""Not by `strftime`, which follows the computer's language: the same game gives the same page."""


def _moment(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        return None


def _made_how(contents: ReportContents, line: Line) -> str:
    """Where the move comes from, and who made it."""
    who = _maker(line.entry.by or {}, contents.record.header.players)
    at = f", {when}" if (when := _at(contents, line)) else ""
    return f'<p class="made"><strong>{_PROVENANCE[line.provenance]}</strong>{_text(who)}{at}</p>\n'


_PROVENANCE: dict[Provenance, str] = {
    "photo": "Photo",
    "corrected": "Corrected",
    "watched": "Watched",
    "inferred": "Inferred",
    "claimed": "Claimed",
    "typed": "Typed",
    "undo": "Undone",
}
_MEANING: dict[Provenance, str] = {
    "photo": "Played as it was read from a photo.",
    "corrected": "From a photo, and a person corrected or confirmed what was read.",
    "watched": "A camera of the game saw it.",
    "inferred": "A camera of the game concluded it from what followed.",
    "claimed": "Said to come from a camera, but by a sender that was no camera of the game: nothing proves it.",
    "typed": "Typed or chosen by a person, without a photo.",
    "undo": "A person took the move before back.",
}


def _maker(by: Mapping[str, Any], names: Sequence[str]) -> str:
    """Who made a move, as a phrase after its provenance; empty if nobody noted it."""
    if "camera" in by:
        return f", by the camera {by.get('name') or by['camera']}"
    if "device" not in by:
        return ""
    phone = f", by the phone of {listed(seats_named(by.get('seats'), names)) or 'nobody'}"
    return f"{phone}, for {listed(seats_named([by['for']], names))}" if "for" in by else phone


def _picture(contents: ReportContents, line: Line) -> str:
    if line.number in contents.pictures:
        name = _text(contents.pictures[line.number])
        return (
            f'<img src="{name}" alt="The photo of line {line.number} with what was read drawn on it" loading="lazy">\n'
        )
    return "<p>The photo is not here.</p>\n" if line.photo else ""


def _seen(line: Line) -> str:
    if line.reading:
        return _pieces(line.reading) + _about_the_photo(line.reading)
    return f"<p>Seen, as it was written: {_text(plain(line.entry.seen))}</p>\n" if line.entry.seen else ""


def _pieces(reading: Reading) -> str:
    doubts = reading.doubts
    dice = [
        _row(_die(die), die.confidence, [d for d in doubts if d.piece == at]) for at, die in enumerate(reading.dice)
    ]
    tiles = [_row(_tile(t), t.confidence, [d for d in doubts if d.tile == at]) for at, t in enumerate(reading.tiles)]
    head = "<tr><th>Piece</th><th>Seen</th><th>Sure</th><th>Or rather</th><th>Please look</th></tr>\n"
    return f"<table>\n{head}{''.join(dice + tiles)}</table>\n" if dice or tiles else "<p>Nothing was seen.</p>\n"


def _row(cells: tuple[str, object, str], confidence: float, doubts: Iterable[Doubt]) -> str:
    kind, value, other = map(_text, cells)
    said = _text(" ".join(doubt.message for doubt in doubts))
    return (
        f'<tr><td>{kind}</td><td>{value}</td><td class="number">{_percent(confidence)}</td><td>{other}</td>'
        f'<td class="doubt">{said}</td></tr>\n'
    )


def _die(die: Die) -> tuple[str, object, str]:
    other = next(
        (f"{value} ({_percent(p)})" for value, p in die.alternatives if value != die.value and p >= _WORTH_SAYING), ""
    )
    return f"{die.colour} {die.kind}{', starter' if die.starter else ''}", die.value, other


def _tile(tile: Tile) -> tuple[str, object, str]:
    rest = ((ends, p) for ends, p in tile.alternatives if ends != tile.ends and p >= _WORTH_SAYING)
    other = next((f"{first}-{second} ({_percent(p)})" for (first, second), p in rest), "")
    return "tile", tile.name, other


def _percent(part: float) -> str:
    return f"{int(100 * part)}%"


def _about_the_photo(reading: Reading) -> str:
    doubts = (doubt for doubt in reading.doubts if doubt.piece is None and doubt.tile is None)
    return "".join(f'<p class="doubt">Please look: {_text(doubt.message)}</p>\n' for doubt in doubts)


def _by_camera(line: Line) -> str:
    kind = "inferred" if line.inferred else "watched"
    return f'<p class="{kind}">{_text(sentence(how))}</p>\n' if (how := by_camera(line)) else ""


def _corrections(line: Line, later: Sequence[Any]) -> str:
    made = _listed("A person corrected or confirmed:", in_words(line.by_hand))
    return made + _listed("Corrected later; no line was played from that:", map(corrected, later))


def _listed(title: str, sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{_text(each)}</li>" for each in sentences)
    return f'<div class="corrected">{title}<ul>{items}</ul></div>\n' if items else ""


def _later(readings: Sequence[Mapping[str, Any]], lines: Sequence[Line]) -> dict[int, list[Any]]:
    """By the last line of each reading: its stored corrections that none of its lines notes."""
    of_reading: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if line.reading:
            of_reading[key_of(line.entry.seen)].append(line)
    later: dict[int, list[Any]] = defaultdict(list)
    for kept in readings:
        if own := of_reading.get(key_of(kept.get("reading"))):
            noted = [each for line in own for each in noted_corrections(line)]
            later[own[-1].number] += [each for each in kept.get("corrections", ()) if each not in noted]
    return later


# Events


def _events(line: Line, names: Sequence[str]) -> str:
    items = "".join(_event(event, names) for event in line.events)
    return f"<ul>\n{items}</ul>\n" if items else ""


def _event(event: Event, names: Sequence[str]) -> str:
    worth = f" <strong>{points(event.points)}</strong>" if event.points else ""
    rule = f' <span class="rule">({_text(event.rule)})</span>' if event.rule else ""
    return f"<li>{_text(sentence(event.said(names)))}{worth}{rule}{_items(event)}</li>\n"


def _items(event: Event) -> str:
    rows = "".join(
        f"<tr><td>{_text(meld.name)}</td><td>{_text(' '.join(map(str, meld.pieces)))}</td>"
        f'<td class="number">{meld.points}</td></tr>\n'
        for meld in event.items
    )
    return f"\n<table>\n<tr><th>For</th><th>With</th><th>Points</th></tr>\n{rows}</table>\n" if rows else ""


def _after(line: Line) -> str:
    """The head, and that of the closing line if there is one: the short form, with the digits folded away."""
    after = _folded_head(f"Head after line {line.number}:", line.head)
    return (
        after + _folded_head(f"Line {line.number + 1} closes the game. Head:", line.closing) if line.closing else after
    )


def _folded_head(text: str, digits: str) -> str:
    summary = f"<summary>{text} <strong><code>{short(digits)}</code></strong></summary>"
    return f'<details class="head">\n{summary}\n<code>{digits}</code>\n</details>\n'
