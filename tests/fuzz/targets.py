"""What is fuzzed: five places where bytes of strangers come in, each with samples to begin from.

A target takes any bytes. Only the documented errors of the place may come of them; everything else is a find. None needs
atheris, so the suite runs them too (`test_targets.py`).
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

from fastapi.exceptions import RequestValidationError
from PIL import ExifTags, Image
from pydantic import TypeAdapter, ValidationError

from api.evidence.place import without_place
from api.http import problems, scoring
from api.http.games import schemas
from api.interpret import rulings, typed_moves
from api.interpret.corrections import InvalidCorrection, corrected
from scorer.engine.game import Move
from scorer.engine.record import Header, Record, RecordError, _sealed
from scorer.errors import ScorerError, ThrowError
from scorer.games.registry import GAMES, game_named
from tests.proof.hostile import photo
from tests.scorer.randomly import random_move
from vision.photo import Limits, PhotoError, load
from vision.reading import Reading
from vision.taught.pieces import InvalidProfile, TaughtKind, TaughtPiece
from vision.taught.profile import Profile

ROOT = Path(__file__).resolve().parents[2]
PIXELS = 2_000_000
"""Of a photo that is decoded here; larger ones are refused by their header, so that the fuzzer tries many an hour."""
_MOST = 200
"""Lines of a record that are replayed: mutations repeat them, and each is a move by the rules."""


@dataclass(frozen=True)
class Target:
    """A place that is fuzzed.

    Attributes:
        take: gives it the bytes.
        seeds: what it is meant for.
        seconds: of processor time that one input may take, on a machine at rest.
        megabytes: of memory that one input may take beyond all before it.
        longest: bytes of an input.
        words: tokens of the format, for the fuzzer to put in.
    """

    take: Callable[[bytes], object]
    seeds: Callable[[], Iterator[bytes]]
    seconds: float
    megabytes: int
    longest: int
    words: tuple[bytes, ...] = ()


# Photos


def load_photo(data: bytes) -> None:
    """Into pixels, the small ones and the full ones."""
    with suppress(PhotoError):
        load(data, limits=Limits(max_pixels=PIXELS)).full()


def strip_place(data: bytes) -> None:
    """Without its place; once is enough, and what could be read can still be read."""
    try:
        bare = without_place(data)
    except PhotoError:
        return
    assert without_place(bare) == bare, "stripping again changes it again"


def _photos() -> Iterator[bytes]:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (47.0, 22.0, 11.0)
    for side, options in (
        (96, {}),
        (64, {"progressive": True}),
        (64, {"exif": exif.tobytes(), "icc_profile": bytes(300)}),
    ):
        yield photo("JPEG", side, **options)
    yield photo("PNG", 64)
    yield photo("PNG", 48, exif=exif.tobytes())
    yield photo("WEBP", 96)
    yield photo("WEBP", 48, lossless=True, exif=exif.tobytes())
    yield photo("GIF", 64)
    yield from map(_in_mode, (("JPEG", "L"), ("JPEG", "CMYK"), ("PNG", "P"), ("PNG", "LA"), ("PNG", "I;16")))
    for kind in ("GIF", "WEBP", "PNG"):
        file, frames = io.BytesIO(), [Image.new("RGB", (32, 24), (shade, 90, 0)) for shade in (0, 80, 160)]
        frames[0].save(file, kind, save_all=True, append_images=frames[1:], duration=10)
        yield file.getvalue()
    for file_name in sorted((ROOT / "tests/vision/fixtures").glob("*.heic")):
        yield file_name.read_bytes()


def _in_mode(kind_and_mode: tuple[str, str]) -> bytes:
    kind, mode = kind_and_mode
    file = io.BytesIO()
    with Image.open(ROOT / "docs/sample-throw.jpg") as whole:
        small = whole.resize((48, 36))
        (small.convert("L").convert("I").convert(mode) if mode == "I;16" else small.convert(mode)).save(file, kind)
    return file.getvalue()


# Profiles


def load_profile(data: bytes) -> None:
    """As its owner, or a game, takes it: what was read is written as it was read, and pictures are pictures."""
    with suppress(InvalidProfile):
        profile = Profile.from_bytes(data)
        assert Profile.from_bytes(profile.data).data == profile.data
        for piece in profile.pieces:
            piece.pixels()


def _profiles() -> Iterator[bytes]:
    box = ((8.0, 8.0), (24.0, 8.0), (24.0, 24.0), (8.0, 24.0))
    shown: list[tuple[TaughtKind, tuple[int, ...]]] = [("d6", (3,)), ("d12", (11,)), ("domino", (0, 6)), ("other", ())]
    for side in (24, 32, 48):
        pieces = [
            TaughtPiece(kind, shows, box, photo("JPEG", side), "a" * 64, (9.5, side), unseen=0.25, either=True)
            for kind, shows in shown
        ]
        yield from (Profile("mine", (piece,)).data for piece in pieces)
        yield Profile("mine", tuple(replace(piece, photo="", symbol="dragon", unseen=0.0) for piece in pieces)).data


# Records

RAW, SEALED = b"=", b"#"
"""How the text that follows is read: as it is, or every line sealed anew, for else the hashes refuse whatever is changed."""


def load_record(data: bytes) -> None:
    """Of a record, what `muggins verify` and every server read first."""
    text = data[1:].decode("utf-8", "replace" if data[:1] == SEALED else "surrogateescape")
    text = "".join(f"{line}\n" for line in text.split("\n", _MOST)[:_MOST] if line)
    with suppress(RecordError):
        record = Record.load(_sealed_anew(text) if data[:1] == SEALED else text)
        assert Record.load(record.text).text == record.text


def _sealed_anew(text: str) -> str:
    """The lines in a chain of hashes that fits, as far as they are JSON."""
    lines: list[str] = []
    for line in text.splitlines():
        with suppress(ValueError, RecursionError):
            values = json.loads(line)
            if isinstance(values, dict):
                own = {name: value for name, value in values.items() if name not in ("hash", "prev")}
                lines.append(_sealed(own, json.loads(lines[-1])["hash"] if lines else None))
    return "".join(f"{line}\n" for line in lines)


def _records() -> Iterator[bytes]:
    texts = [file.read_bytes() for file in sorted((ROOT / "tests/earlier/v0.1.0").glob("*.jsonl"))]
    texts += [record.text.encode() for record in played().values()]
    for text in texts:
        head = b"".join(line + b"\n" for line in text.splitlines()[:30])
        yield RAW + head
        yield SEALED + _unsealed(head)


def _unsealed(text: bytes) -> bytes:
    """The same without hashes, which would be three quarters of it."""
    values = ({**json.loads(line), "hash": None, "prev": None} for line in text.splitlines())
    short = ({name: part for name, part in each.items() if part is not None} for each in values)
    return b"".join(json.dumps(each, separators=(",", ":")).encode() + b"\n" for each in short)


@cache
def played() -> Mapping[str, Record]:
    """A game of each kind, some moves old."""
    return {name: _played(name, 12) for name in GAMES}


def _played(name: str, moves: int) -> Record:
    game, random = game_named(name), Random(3)
    record = Record.begin(Header(name, game.rules.from_texts([]), ("Ann", "Ben"), "2026-11-21T20:15:00+00:00"))
    for _ in range(moves):
        record = record.play(random_move(game, record.state, random), at="2026-11-21T20:16:00+00:00")
    return record


# Requests

MODELS: Mapping[bytes, Any] = {
    b"g": schemas.NewGame,
    b"s": schemas.Sits,
    b"t": schemas.WantedToken,
    b"m": schemas.MoveSaid,
    b"u": schemas.Undo,
    b"l": schemas.LookAgain,
    b"c": schemas.CorrectionSaid,
    b"w": scoring.Throw,
    b"a": scoring.Moment,
}
"""The bodies of all requests that are JSON, by the first byte of an input."""
_TYPES = {key: TypeAdapter(model) for key, model in MODELS.items()}


def ask(data: bytes) -> None:
    """A request with this body: checked as FastAPI does it, told what is wrong, or done as far as it needs no store."""
    adapter = _TYPES.get(data[:1])
    try:
        body = json.loads(data[1:])
    except (ValueError, RecursionError):
        return
    if adapter is None:
        return
    try:
        asked = adapter.validate_python(body)
    except ValidationError as error:
        problems._invalid(None, RequestValidationError(error.errors()))  # type: ignore[arg-type]
        return
    with suppress(ScorerError, ThrowError, InvalidCorrection):
        _DONE.get(data[:1], repr)(asked)


def _begin(asked: schemas.NewGame) -> None:
    names = tuple(name.strip() for name in asked.players)
    typed_moves.check_shown(names)
    rules = game_named(asked.game).rules.from_texts(asked.rules)
    begun = Record.begin(Header(asked.game, rules, names, "2026-11-21T20:15:00+00:00"))
    assert Record.load(begun.text).text == begun.text


def _move(asked: schemas.MoveSaid) -> None:
    """In every game, for any may be played."""
    text = " ".join((asked.move or "").lower().split())
    for record in played().values():
        with suppress(ScorerError):
            seen = typed_moves.seen_in(record, text)
            moves: tuple[Move, ...] = (typed_moves.written(record, text),)
            if seen is not None:
                moves = rulings.of_seen(record, seen).confirmed().moves
            now = typed_moves.after(record, moves)
            assert Record.load(now.text).text == now.text


def _correct(asked: schemas.CorrectionSaid) -> None:
    for reading in _readings():
        with suppress(InvalidCorrection):
            kept = json.loads(json.dumps(corrected(reading, [asked.plain]).to_json()))
            assert json.loads(json.dumps(Reading.from_json(kept).to_json())) == kept


_DONE: Mapping[bytes, Callable[[Any], object]] = {
    b"g": _begin,
    b"m": _move,
    b"c": _correct,
    b"w": scoring.score_throw,
}


@cache
def _readings() -> tuple[Reading, ...]:
    """Of dice and of dominoes."""
    found = []
    for name in ("dice.zip", "tiles.zip"):
        with ZipFile(ROOT / "tests/earlier/v0.1.0" / name) as evidence:
            lines = map(json.loads, evidence.read("record.jsonl").splitlines())
            found.append(next(Reading.from_json(line["seen"]) for line in lines if line.get("seen")))
    return tuple(found)


def _requests() -> Iterator[bytes]:
    def said(key: bytes, **body: Any) -> bytes:
        return key + json.dumps(body).encode()

    for name in GAMES:
        yield said(b"g", game=name, players=["Ann", "Ben"], rules=[], seats=[0], open_hands=True)
        for move in played()[name].moves:
            yield said(b"m", lines=2, move=str(move), confirm=True)
    yield said(b"g", game="crib-dice", players=["Ann", "Ben"], rules=["finish=21", "piddle_points=true"])
    yield said(b"m", lines=2, move="1 2 2 4 5 5 6", inferred=True, watched={"frame": 4, "time": 1.5})
    yield said(b"m", lines=2, reading="0a1b", corrections=2, move="3-5 6-6")
    yield said(b"s", seats=[0, 1])
    yield said(b"t", role="camera", name="webcam", instead=True)
    yield said(b"u", lines=3)
    yield said(b"l")
    yield said(b"c", expected=0, change={"die": 0, "value": 3, "starter": True})
    yield said(b"c", expected=1, change={"tile": 0, "ends": [3, 4]})
    yield said(b"c", expected=0, add={"kind": "d6", "value": 6, "at": [9, 9.5], "starter": False})
    yield said(b"c", expected=0, add={"kind": "domino", "ends": [0, 6], "at": [90, 95]})
    yield said(b"c", expected=0, remove={"die": 1})
    yield said(b"w", game="farkle", pieces=[1, 1, 5, 2, 3, 4], rules=[])
    yield said(b"w", game="crib-dice", pieces=[1, 2, 2, 4, 5, 5, 6], rules=["finish=61"])
    yield said(b"w", game="cribbage-hand", pieces=["5H", "5S", "JC", "4D"], starter="5C")
    yield said(b"w", game="domino-cribbage", pieces=["3-0", "4-1", "2-2", "5-6"], starter="6-6")
    for name in scoring.MOMENTS:
        yield said(b"a", game=name, rules=[])


TARGETS: Mapping[str, Target] = {
    "photo": Target(load_photo, _photos, 3.0, 300, 60_000, (b"\xff\xda", b"\xff\xc2", b"\xff\xe1", b"IDAT", b"acTL")),
    "place": Target(strip_place, _photos, 1.0, 100, 60_000, (b"Exif\0\0", b"iloc", b"iinf", b"infe", b"meta", b"VP8X")),
    "profile": Target(
        load_profile,
        _profiles,
        1.0,
        100,
        30_000,
        (b'"pieces":[{', b'"quad":[[', b'"unseen":', b"NaN", b"1e400", b"null"),
    ),
    "record": Target(
        load_record, _records, 2.0, 100, 20_000, (b'"undo":true', b'"move":"', b'"seen":{', b'"rules":{', b"\\ud800")
    ),
    "requests": Target(
        ask, _requests, 2.0, 100, 6_000, (b'"rules":["', b'"finish=', b'"seats":[', b"null", b"1e400", b"\\ud800")
    ),
}
