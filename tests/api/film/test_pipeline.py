"""The whole of `muggins watch` but for the networks: a watcher that knows what it will find looks at real files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import av
import pytest
from PIL import Image

from api.files.record_file import RecordFile
from api.film.commentary import Commentary
from api.film.event_log import EventLog, EventLogError, WrongEventLog, versions_of
from api.film.game_tracker import GameTracker
from api.film.input.source import Facts, SourceError
from api.film.input.timecode import Span
from api.film.output.outputs import InvalidOutput, Outputs
from api.film.pipeline import WatchOptions, beside, run
from api.film.record_writer import RecordWriter
from api.film.reporter import Screen
from tests.api.film.cameras import Camera
from tests.api.film.films import RATE, Scripted, film, grey, roll, shown_at, tracks
from tests.api.film.input.test_camera import camera  # noqa: F401 - a fixture
from vision.watch.events import Change, Roll

Event = Change | Roll
# Farkle Cribbage by two players: Ann throws, sets the two 5s aside and throws four; she stops, and Ben throws.
SCRIPT: Mapping[int, Sequence[Event]] = {
    4: (
        Change("rolling", 1, 0.1),
        Change("settled", 3, 0.3),
        roll(1, 3, (1, 5, 5, 2, 3, 4)),
        Change("counted", 4, 0.4),
    ),
    9: (Change("rolling", 7, 0.7), roll(2, 8, (1, 2, 3, 6), (5, 5)), Change("counted", 9, 0.9)),
    12: (Change("rolling", 11, 1.1), Change("cleared", 12, 1.2)),
    16: (roll(3, 15, (2, 2, 3, 4, 6, 6)), Change("counted", 16, 1.6)),
}


class RollLog:
    """What was told."""

    def __init__(self) -> None:
        self.rolls: list[int] = []
        self.said: list[str] = []

    def tell(self, event: Event, said: Sequence[str]) -> None:
        if isinstance(event, Roll):
            self.rolls.append(event.number)
            self.said += said


class Interrupted(Scripted):
    """Is interrupted by Ctrl-C with this frame."""

    stops = 10

    def see(self, frame):  # type: ignore[no-untyped-def]
        if frame.number == self.stops:
            raise KeyboardInterrupt
        return super().see(frame)


def options(source: Path | str, events: Path | None = None, **outputs: object) -> WatchOptions:
    return WatchOptions(str(source), events, Outputs(**outputs), Span(), 1, RATE)  # type: ignore[arg-type]


def watch(
    what: WatchOptions,
    watcher: Callable[..., Scripted] = Scripted,
    *,
    game: bool = True,
    profile: str = "",
) -> tuple[RollLog, list[Scripted]]:
    """Watch with the script; what was told, and the watchers that were made."""
    told, made = RollLog(), []

    def playing(begun: str) -> Commentary:
        path = what.outputs.record
        record = RecordWriter(path, begun, force=what.outputs.force) if path else None
        return Commentary(
            GameTracker("farkle-crib", ["opening_roll=false"], ["Ann", "Ben"], begun) if game else None, record
        )

    def make(known: Sequence[Roll]) -> Scripted:
        made.append(watcher(SCRIPT, known))
        return made[-1]

    run(what, playing, make, versions_of("0", {}, {"dragons": profile} if profile else {}), Screen(told))
    return told, made


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("film") / "game.mp4", [grey(n) for n in range(20)], sound="aac")


@pytest.fixture
def here(video: Path, tmp_path: Path) -> Path:
    """The film in a folder of its own."""
    copy = tmp_path / "game.mp4"
    copy.write_bytes(video.read_bytes())
    return copy


def test_everything_that_is_asked_for_is_made(here: Path, tmp_path: Path) -> None:
    files = {name: tmp_path / f"made{suffix}" for name, suffix in _SUFFIXES.items()}
    told, (watcher,) = watch(options(here, chapters=True, **files))
    assert told.rolls == [1, 2, 3]
    assert watcher.numbers == list(range(20))
    assert tracks(files["out"]) == {"video": "h264", "audio": "aac"}
    assert tracks(files["overlay"]) == {"video": "vp9"}
    assert {path.name for path in tmp_path.iterdir()} == {
        "game.mp4", "game.mp4.rolls.jsonl", *(path.name for path in files.values())
    }  # fmt: skip
    with av.open(files["out"]) as container:
        assert [chapter["metadata"]["title"] for chapter in container.chapters()] == ["Ann", "Ben"]


_SUFFIXES = {"record": ".jsonl", "out": ".mp4", "overlay": ".webm", "subtitles": ".srt"}


def test_a_raw_stream_is_watched_in_part_and_whole_and_everything_is_made_of_it(tmp_path: Path) -> None:
    raw = film(tmp_path / "game.h264", [grey(n) for n in range(20)])
    files = {"out": tmp_path / "o.mp4", "overlay": tmp_path / "o.webm", "subtitles": tmp_path / "s.srt"}
    _, (watcher,) = watch(replace(options(raw), span=Span(0.2)), game=False)
    assert watcher.numbers == list(range(5, 20))
    told, (watcher,) = watch(options(raw, force=True, **files), game=False)
    assert (told.rolls, watcher.numbers) == ([1, 2, 3], list(range(20)))
    assert len(shown_at(files["out"])) == 20
    assert tracks(files["overlay"]) == {"video": "vp9"}
    assert files["subtitles"].read_text("utf-8").startswith("1\n00:00:00,")


def test_what_was_written_is_named(here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where nobody chose the name of the event log."""
    watch(options(here, record=tmp_path / "r.jsonl", subtitles=tmp_path / "s.srt"))
    assert capsys.readouterr().err.splitlines()[-3:] == [
        f"Record: {tmp_path / 'r.jsonl'}",
        f"Event log: {here}.rolls.jsonl",
        f"Subtitles: {tmp_path / 's.srt'}",
    ]
    watch(options(here), game=False)
    assert "Record:" not in capsys.readouterr().err


def test_the_record_is_the_game_with_what_nobody_saw_inferred(here: Path, tmp_path: Path) -> None:
    watch(options(here, record=tmp_path / "r.jsonl"))
    record = RecordFile.open(tmp_path / "r.jsonl").record
    assert [str(move) for move in record.moves][:4] == [
        "throw 1 2 3 4 5 5", "keep 5 5", "throw 1 2 3 6", str(record.moves[3])
    ]  # fmt: skip
    header = EventLog.open(tmp_path / "game.mp4.rolls.jsonl")
    header.close()
    assert record.header.date == header.header.begun


def test_subtitles_tell_each_roll_what_it_did_and_the_score(here: Path, tmp_path: Path) -> None:
    watch(options(here, subtitles=tmp_path / "s.srt"))
    blocks = (tmp_path / "s.srt").read_text("utf-8").strip().split("\n\n")
    assert [block.splitlines()[1] for block in blocks] == [
        "00:00:00,400 --> 00:00:00,900",
        "00:00:00,900 --> 00:00:01,600",
        "00:00:01,600 --> 00:00:02,000",
    ]
    assert blocks[1].splitlines()[2] == "1 2 3 6, beside 5 5"
    assert "Ann" in blocks[0]
    assert "Ben" in blocks[0]


def test_chapters_without_a_video_are_a_list_that_begins_at_nought(here: Path, tmp_path: Path) -> None:
    watch(options(here, chapters=True))
    assert (tmp_path / "game.mp4.rolls.chapters.txt").read_text() == "00:00 Ann\n00:01 Ben\n"


def test_an_interrupted_run_goes_on_and_comes_to_the_same(here: Path, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    watch(options(here, whole))
    with pytest.raises(KeyboardInterrupt):
        watch(options(here, parts), Interrupted)
    told, (watcher,) = watch(options(here, parts, record=tmp_path / "r.jsonl"))
    assert [each.number for each in watcher.known] == [1, 2]
    assert watcher.numbers == list(range(10, 20))
    assert told.rolls == [3]
    assert events_in(parts) == events_in(whole)
    assert len(RecordFile.open(tmp_path / "r.jsonl").record.moves) >= 5


def events_in(path: Path) -> list[str]:
    """Without the first line, which says when it began, and the last, which count the frames and name what was made."""
    return [line for line in path.read_text("utf-8").splitlines() if json.loads(line)["type"] in ("state", "roll")]


def test_what_was_watched_before_is_not_watched_again(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch(options(here))
    told, made = watch(options(here, out=tmp_path / "o.mp4"))
    assert (told.rolls, made) == ([], [])
    assert "Already watched: 3 rolls" in capsys.readouterr().err
    assert (tmp_path / "o.mp4").exists()


def test_what_was_watched_without_a_profile_is_not_passed_off_as_watched_with_it(here: Path) -> None:
    watch(options(here), game=False)
    with pytest.raises(EventLogError, match=r"of other profiles, not of what .* --events, or overwrite .* --force"):
        watch(options(here), game=False, profile="ab")
    assert len(watch(options(here, force=True), game=False, profile="ab")[1]) == 1
    assert watch(options(here), game=False, profile="ab")[1] == []


def test_a_film_without_a_roll_is_not_passed_over_in_silence(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = replace(options(here, subtitles=tmp_path / "s.srt", chapters=True), span=Span(0.7, 1.3), every=2)
    watch(part, game=False)
    said = capsys.readouterr().err
    assert "No rolls were found. Check that the pieces" in said
    assert f"there are no subtitles: {tmp_path / 's.srt'} was not written." in said
    assert {path.name for path in tmp_path.iterdir()} == {"game.mp4", "game.mp4.rolls.jsonl"}, "no empty files"
    watch(options(here, force=True), game=False)
    assert "No rolls" not in capsys.readouterr().err


def test_one_roll_is_not_called_rolls(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = replace(options(here), span=Span(0, 0.6))
    watch(first, game=False)
    watch(first, game=False)
    assert "Already watched: 1 roll in" in capsys.readouterr().err


def test_without_a_game_the_rolls_alone_are_told_and_drawn(here: Path, tmp_path: Path) -> None:
    told, _ = watch(options(here, out=tmp_path / "o.mp4", subtitles=tmp_path / "s.srt"), game=False)
    assert (told.rolls, told.said) == ([1, 2, 3], [])
    assert "Ann" not in (tmp_path / "s.srt").read_text("utf-8")


def test_only_a_part_is_watched_and_made(here: Path, tmp_path: Path) -> None:
    part = replace(options(here), span=Span(0.7, 1.3), every=2)
    _, (watcher,) = watch(part, game=False)
    assert watcher.numbers == [8, 10, 12]
    with pytest.raises(EventLogError, match="of another part and another --every, not of what"):
        watch(options(here))
    assert len(watch(options(here, force=True))[1]) == 1


def test_subtitles_of_a_part_count_from_its_first_frame_as_its_videos_do(here: Path, tmp_path: Path) -> None:
    part = replace(options(here, subtitles=tmp_path / "s.srt", out=tmp_path / "o.mp4"), span=Span(0.65))
    watch(part, game=False)
    assert "00:00:00,200 --> 00:00:00,900" in (tmp_path / "s.srt").read_text("utf-8")
    assert len(shown_at(tmp_path / "o.mp4")) == 13


def test_files_that_are_there_stay_without_force(here: Path, tmp_path: Path) -> None:
    (out := tmp_path / "o.mp4").write_text("mine")
    (record := tmp_path / "r.jsonl").write_text("mine")
    for outputs in ({"out": out}, {"record": record}):
        with pytest.raises(InvalidOutput, match="--force"):
            watch(options(here, **outputs))
    assert out.read_text() == record.read_text() == "mine"
    watch(options(here, out=out, record=record, force=True))
    assert tracks(out)
    watch(options(here, record=record))  # of these very events, so it is ours


def test_what_was_made_before_is_made_again_unless_somebody_changed_it(here: Path, tmp_path: Path) -> None:
    what = options(here, subtitles=tmp_path / "s.srt", chapters=True)
    watch(what)
    watch(what)
    (tmp_path / "s.srt").write_text("corrected by hand")
    with pytest.raises(InvalidOutput, match=r"s\.srt already exists"):
        watch(what)
    assert (tmp_path / "s.srt").read_text() == "corrected by hand"


@pytest.mark.parametrize(
    ("outputs", "complaint"),
    [
        ({"out": "game.mp4", "force": True}, "would overwrite the source"),
        ({"out": "a.mov"}, r"must end in \.mp4"),
        ({"overlay": "a.mp4"}, r"must end in \.webm"),
        ({"subtitles": "no/such/a.srt"}, "does not exist"),
        ({"record": "game.mp4.rolls.jsonl"}, "would overwrite --events"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_anything_is_watched(
    here: Path, tmp_path: Path, outputs: dict[str, object], complaint: str
) -> None:
    named = {name: tmp_path / value if isinstance(value, str) else value for name, value in outputs.items()}
    with pytest.raises(InvalidOutput, match=complaint):
        watch(options(here, **named))
    assert [path.name for path in tmp_path.iterdir()] == ["game.mp4"]


def test_a_video_without_the_sound_of_its_source_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = film(tmp_path / "game.mov", [grey(n) for n in range(20)], sound="aac")
    here.write_bytes(here.read_bytes().replace(b"mp4a", b"apac").replace(b"esds", b"dapa"))
    watch(options(here, out=tmp_path / "o.mp4"), game=False)
    said = f"It has no sound: that of {here} has a codec that is not supported here."
    assert capsys.readouterr().err.splitlines()[-2:] == [f"Wrote {tmp_path / 'o.mp4'}", said]


def test_two_commands_do_not_write_one_log(here: Path, tmp_path: Path) -> None:
    class Second(Scripted):
        def finish(self) -> tuple[Event, ...]:
            with pytest.raises(EventLogError, match="Another command is writing"):
                watch(options(here, force=True))
            return super().finish()

    watch(options(here), Second)
    with closing(EventLog.open(tmp_path / "game.mp4.rolls.jsonl")) as events:
        assert events.done
    assert {path.name for path in tmp_path.iterdir()} == {"game.mp4", "game.mp4.rolls.jsonl"}


def test_two_commands_do_not_write_one_video(here: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.mp4"

    class Second(Scripted):
        def finish(self) -> tuple[Event, ...]:
            with pytest.raises(InvalidOutput, match=r"Another command is going to write .*o\.mp4"):
                watch(options(here, tmp_path / "other.jsonl", out=out))
            return super().finish()

    watch(options(here, out=out), Second)
    assert tracks(out) == {"video": "h264", "audio": "aac"}
    watch(options(here, tmp_path / "other.jsonl", out=out, force=True))
    names = {"game.mp4", "game.mp4.rolls.jsonl", "other.jsonl", "o.mp4"}
    assert {path.name for path in tmp_path.iterdir()} == names


def test_nothing_half_made_is_left_when_the_source_is_gone(here: Path, tmp_path: Path) -> None:
    class ServerGone(Scripted):
        def finish(self) -> tuple[Event, ...]:
            here.write_bytes(b"")
            return ()

    with pytest.raises(Exception, match="no readable video"):
        watch(options(here, out=tmp_path / "o.mp4"), ServerGone)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.mp4", "game.mp4.rolls.jsonl"]


def test_a_source_that_cannot_be_read_leaves_no_log(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    Image.new("RGB", (64, 48)).save(pictures / "1.jpg")
    (pictures / "2.jpg").write_bytes(b"no picture")
    log = tmp_path / "log.jsonl"
    with pytest.raises(SourceError):
        watch(options(pictures, log))
    assert list(tmp_path.iterdir()) == [pictures]
    log.write_text("kept")
    with pytest.raises(WrongEventLog):
        watch(options(pictures, log))
    assert log.read_text() == "kept"


def test_a_live_source_is_kept_as_it_goes_and_gives_no_videos(camera: Camera, tmp_path: Path) -> None:  # noqa: F811
    events, record = tmp_path / "e.jsonl", tmp_path / "r.jsonl"
    with pytest.raises(InvalidOutput, match=r"--out and --chapters need a recording.*Record it"):
        watch(options(camera.url, events, out=tmp_path / "o.mp4", chapters=True))
    with pytest.raises(InvalidOutput, match="--from needs a recording"):
        watch(replace(options(camera.url, events), span=Span(3.0)))

    class Looking(Scripted):
        """Tells the next of the script with every frame that comes."""

        def see(self, frame):  # type: ignore[no-untyped-def]
            self.numbers.append(frame.number)
            if len(self.numbers) == 2:
                assert "roll" in kept_in(events), "the first roll is on the disk"
                assert RecordFile.open(record).record.moves, "and so is its move"
            if len(self.numbers) == 3:
                raise KeyboardInterrupt
            return SCRIPT[4] if len(self.numbers) == 1 else ()

    told, _ = watch(options(camera.url, events, record=record), Looking)
    assert told.rolls == [1]
    _, (again,) = watch(options(camera.url, events, record=record), Looking)
    assert [each.number for each in again.known] == [1]
    assert again.numbers[0] > 4


def test_a_camera_that_was_to_be_watched_until_a_time_is_not_watched_beyond_it(
    camera: Camera,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    events = tmp_path / "e.jsonl"
    part = replace(options(camera.url, events), span=Span(0.0, 60.0))
    _, (watcher,) = watch(part, _AtOnce, game=False)
    assert watcher.numbers
    header, *lines = events.read_text("utf-8").splitlines()
    earlier = json.loads(header) | {"begun": "2020-01-01T12:00:00+00:00"}
    events.write_text("\n".join([json.dumps(earlier), *lines, ""]), "utf-8")
    assert watch(part, _AtOnce, game=False)[1] == []
    assert "--to 01:00 is reached: nothing is left to watch." in capsys.readouterr().err


def test_a_roll_at_the_very_end_of_a_part_ends_it_though_its_time_is_rounded(here: Path) -> None:
    part = replace(options(here), span=Span(0.0, 0.5))
    with pytest.raises(KeyboardInterrupt):
        watch(part, _AtOnce, game=False)
    log = Path(f"{here}.rolls.jsonl")
    late = replace(roll(1, 3, (1, 2)), counted_time=0.4999)
    log.write_text(log.read_text("utf-8") + json.dumps(late.to_json()) + "\n", "utf-8")
    assert watch(part, Scripted, game=False)[1] == []
    assert "end" in kept_in(log)


class _AtOnce(Scripted):
    """Is interrupted by Ctrl-C with the second frame."""

    def see(self, frame):  # type: ignore[no-untyped-def]
        if self.numbers:
            raise KeyboardInterrupt
        self.numbers.append(frame.number)
        return ()


def kept_in(path: Path) -> set[str]:
    return {json.loads(line)["type"] for line in path.read_text("utf-8").splitlines()}


class Fed:
    """Takes rolls elsewhere; notes which of them the event log had then."""

    def __init__(self) -> None:
        self.known: list[int] = []
        self.taken: list[int] = []
        self.ended = 0

    def resume(self, events: Path, rolls: Sequence[Roll]) -> None:
        self.events, self.known = events, [roll.number for roll in rolls]

    def on_disk(self, found: Sequence[Event]) -> None:
        logged = [json.loads(line).get("number") for line in self.events.read_text("utf-8").splitlines()]
        self.taken += [event.number for event in found if isinstance(event, Roll) and event.number in logged]

    def finish(self) -> None:
        self.ended += 1


def test_what_is_fed_with_rolls_gets_each_once_the_event_log_has_it_and_what_is_known_before(here: Path) -> None:
    def fed(watcher: Callable[..., Scripted], took: Fed) -> Fed:
        run(options(here), lambda _: Commentary(), lambda known: watcher(SCRIPT, known), {}, Screen(RollLog()), took)
        return took

    first = Fed()
    with pytest.raises(KeyboardInterrupt):
        fed(Interrupted, first)
    assert (first.known, first.taken, first.ended) == ([], [1, 2], 0)
    again = [fed(Scripted, Fed()) for _ in range(2)]
    assert [(took.known, took.taken, took.ended) for took in again] == [([1, 2], [3], 1), ([1, 2, 3], [], 1)]


def test_the_source_is_never_overwritten_by_the_event_log(here: Path) -> None:
    before = here.read_bytes()
    with pytest.raises(InvalidOutput, match="is the source"):
        watch(options(here, events=here, force=True))
    assert here.read_bytes() == before


def test_the_event_log_of_a_url_is_named_without_its_query() -> None:
    facts = Facts("http://cam/film.mp4", (160, 120), 2.0, live=False, mark="")
    assert beside("http://ann:secret@cam/film.mp4?token=secret", facts) == Path("film.mp4.rolls.jsonl")


def test_subtitles_of_films_that_were_joined_end_after_they_begin(here: Path, tmp_path: Path) -> None:
    part = film(tmp_path / "a.ts", [grey(n) for n in range(12)]).read_bytes()
    (tmp_path / "b.ts").write_bytes(part * 2)
    watch(options(tmp_path / "b.ts", subtitles=tmp_path / "s.srt"))
    for block in (tmp_path / "s.srt").read_text("utf-8").strip().split("\n\n"):
        start, end = block.splitlines()[1].split(" --> ")
        assert start < end
