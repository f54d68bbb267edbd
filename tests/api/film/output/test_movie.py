from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.video.frame import VideoFrame
from PIL import Image

from api.film.input.open_source import open_source
from api.film.input.source import SourceError
from api.film.input.timecode import Span
from api.film.output.layer import Layer
from api.film.output.movie import Chapter, Recorded, annotated, is_muted, overlay
from api.film.output.panel import Panel, Side
from api.film.output.scenes import Scene, Showing, scenes
from tests.api.film.films import RATE, film, frames_of, grey, roll, shown_at, tracks, with_alpha
from tests.api.film.input.test_source import turn
from vision.watch.events import Change

PANEL = Panel("Roll 1", "1 2", (), False, ("Ann counts two.",), (Side("Ann", 2, 2, True), Side("Ben", 7)))
LOW = ((10.0, 460.0), (20.0, 460.0), (20.0, 470.0), (10.0, 470.0))
SCENES = [Scene(0.0), Scene(0.5, None, PANEL), Scene(1.0)]
EVERYTHING = Span()


def recorded(path: Path) -> Recorded:
    source = open_source(str(path), fps=RATE, say=print)
    assert isinstance(source, Recorded)
    return source


def made(moments: Iterable[float]) -> list[float]:
    return list(moments)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film(tmp_path_factory.mktemp("video") / "a.mp4", [grey(12)] * 15, sound="aac")


def test_the_annotated_video_is_h264_with_its_sound_as_long_and_as_large(video: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.mp4"
    reached = made(annotated(recorded(video), EVERYTHING, SCENES, target))
    assert tracks(target) == {"video": "h264", "audio": "aac"}
    assert shown_at(target) == pytest.approx(shown_at(video))
    assert reached == pytest.approx(shown_at(video))
    assert sound_of(target) == sound_of(video)
    with av.open(target) as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (160, 120)


def sound_of(path: Path) -> list[bytes]:
    """Packets of the track, as they are."""
    with av.open(path) as container:
        return [bytes(packet) for packet in container.demux(audio=0) if packet.size]


def test_what_is_drawn_is_there_while_it_is_shown_and_all_else_stays_as_filmed(video: Path, tmp_path: Path) -> None:
    made(annotated(recorded(video), EVERYTHING, SCENES, tmp_path / "b.mp4"))
    for number, frame in enumerate(frames_of(tmp_path / "b.mp4")):
        assert frame[:40].astype(float) == pytest.approx(120, abs=6)
        assert (frame[100, 20].mean() < 60) == (5 <= number < 10), f"the panel in frame {number}"


@pytest.mark.parametrize(
    ("codec", "hertz", "suffix", "kept"),
    [
        ("mp3", 48000, ".mkv", "mp3"),
        ("libopus", 48000, ".mkv", "opus"),
        ("flac", 48000, ".mkv", "aac"),
        ("pcm_s16le", 48000, ".mkv", "aac"),
        ("pcm_s16le", 44100, ".avi", "aac"),
        ("pcm_u8", 11024, ".mov", "aac"),
    ],
)
def test_sound_that_mp4_does_not_take_becomes_aac(
    tmp_path: Path, codec: str, hertz: int, suffix: str, kept: str
) -> None:
    video = film(tmp_path / f"a{suffix}", [grey(9)] * 10, sound=codec, hertz=hertz)
    made(annotated(recorded(video), EVERYTHING, SCENES, tmp_path / "b.mp4"))
    with av.open(tmp_path / "b.mp4") as container:
        (track,) = container.streams.audio
        assert track.codec_context.codec.canonical_name == kept
        heard = np.concatenate([frame.to_ndarray().reshape(-1) for frame in container.decode(track)])
    assert len(heard) / track.sample_rate == pytest.approx(1.0, abs=0.11)
    assert np.abs(heard.astype(float)).max() > 0.1 * np.iinfo(np.int16).max / 32767


def test_sound_that_is_not_known_here_is_left_out(tmp_path: Path) -> None:
    """As the second track of films from phones that record sound in space."""
    video = film(tmp_path / "a.mov", [grey(9)] * 10, sound="aac")
    video.write_bytes(video.read_bytes().replace(b"mp4a", b"apac").replace(b"esds", b"dapa"))
    source = recorded(video)
    made(annotated(source, EVERYTHING, SCENES, tmp_path / "b.mp4"))
    assert tracks(tmp_path / "b.mp4") == {"video": "h264"}
    assert is_muted(source)


@pytest.mark.parametrize("sound", [None, "aac"])
def test_a_film_is_muted_only_where_its_sound_cannot_be_carried_along(tmp_path: Path, sound: str | None) -> None:
    assert not is_muted(recorded(film(tmp_path / "a.mov", [grey(9)] * 3, sound=sound)))


def test_a_variable_frame_rate_is_kept(tmp_path: Path) -> None:
    ticks = [0, 10, 15, 60, 61, 200, 210]
    video = film(tmp_path / "a.mp4", [grey(9)] * 7, ticks=ticks)
    made(annotated(recorded(video), EVERYTHING, SCENES, tmp_path / "b.mp4"))
    assert shown_at(tmp_path / "b.mp4") == pytest.approx([tick / 100 for tick in ticks], abs=1e-3)


def test_the_last_frame_of_a_variable_rate_is_shown_as_long_as_in_the_source(tmp_path: Path) -> None:
    ticks = [0, 10, 15, 60, 61, 200, 203]
    source = recorded(film(tmp_path / "a.mp4", [grey(9)] * 7, ticks=ticks, codec="mpeg4"))
    for span in (EVERYTHING, Span(0.1)):
        made(annotated(source, span, SCENES, tmp_path / "b.mp4"))
        made(overlay(source, span, SCENES, tmp_path / "b.webm"))
        assert source.facts.seconds is not None
        for made_of_it in ("b.mp4", "b.webm"):
            assert length(tmp_path / made_of_it) == pytest.approx(source.facts.seconds - span.start, abs=2e-3)


def test_a_film_whose_clock_does_not_begin_at_nought_is_as_long_as_its_frames(tmp_path: Path) -> None:
    """As cut from a longer recording."""
    source = recorded(film(tmp_path / "a.mkv", [grey(9)] * 10, ticks=[90000 + 10 * number for number in range(10)]))
    assert source.facts.seconds == pytest.approx(1.0, abs=0.11)
    made(overlay(source, EVERYTHING, SCENES, tmp_path / "b.webm"))
    assert length(tmp_path / "b.webm") == pytest.approx(1.0, abs=0.11)


def length(path: Path) -> float:
    """As players show it, in seconds."""
    with av.open(path) as container:
        assert container.duration
        return container.duration / av.time_base


def test_the_overlay_of_a_part_ends_with_it(tmp_path: Path) -> None:
    ticks = [0, 10, 60, 100, 160, 200]
    source = recorded(film(tmp_path / "a.mp4", [grey(9)] * 6, ticks=ticks, codec="mpeg4"))
    made(overlay(source, Span(0.1, 1.5), SCENES, tmp_path / "b.webm"))
    assert length(tmp_path / "b.webm") == pytest.approx(1.4, abs=1e-3)


def test_a_part_begins_at_nought_with_the_sound_of_that_part(video: Path, tmp_path: Path) -> None:
    made(annotated(recorded(video), Span(0.4, 1.2), SCENES, tmp_path / "b.mp4"))
    assert shown_at(tmp_path / "b.mp4") == pytest.approx([n / RATE for n in range(8)])
    with av.open(tmp_path / "b.mp4") as container:
        seconds = container.streams.audio[0].duration * container.streams.audio[0].time_base
    assert seconds == pytest.approx(0.8, abs=0.07)


def test_a_film_that_lies_on_its_side_is_drawn_on_upright(tmp_path: Path) -> None:
    source = recorded(turn(film(tmp_path / "a.mp4", [grey(12)] * 12)))
    made(annotated(source, EVERYTHING, SCENES, tmp_path / "b.mp4"))
    frame = frames_of(tmp_path / "b.mp4")[7]
    assert frame.shape == (160, 120, 3)
    assert frame[132, 30].mean() < 60, "the panel is below"
    assert frame[15, 15].mean() > 100


def test_an_odd_size_gets_its_last_row_and_column_twice(tmp_path: Path) -> None:
    for number in range(3):
        Image.fromarray(grey(9, (161, 121))).save(tmp_path / f"{number}.png")
    made(annotated(recorded(tmp_path), EVERYTHING, [Scene(0.0)], tmp_path / "b.mp4"))
    frames = frames_of(tmp_path / "b.mp4")
    assert [frame.shape for frame in frames] == [(122, 162, 3)] * 3
    assert frames[0].astype(float) == pytest.approx(90, abs=5)


@pytest.mark.parametrize(
    ("codec", "pixels"),
    [
        ("libx264", "yuv420p10le"),
        ("libx264", "yuv444p"),
        ("mjpeg", "yuvj420p"),
        ("libx264", "yuvj420p"),
        ("libx265", "yuv420p10le"),
        ("ffv1", "yuv422p"),
    ],
)
def test_colours_stay_however_they_are_coded(tmp_path: Path, codec: str, pixels: str) -> None:
    colours = np.zeros((120, 160, 3), np.uint8)
    colours[:, :40], colours[:, 40:80], colours[:, 80:120] = (200, 40, 30), (20, 160, 60), (250, 250, 250)
    video = film(tmp_path / "a.mkv", [colours] * 8, codec=codec, pixels=pixels)
    made(annotated(recorded(video), EVERYTHING, SCENES, tmp_path / "b.mp4"))
    before, after = (frames_of(path)[6].astype(float) for path in (video, tmp_path / "b.mp4"))
    for column in (20, 60, 100, 140):
        assert after[20:40, column].mean(axis=0) == pytest.approx(before[20:40, column].mean(axis=0), abs=6)
    assert after[100, 20] == pytest.approx([0x24, 0x21, 0x1A], abs=24), "the panel's own colour"


@pytest.mark.parametrize("space", [1, 2, 5, 9], ids=["BT.709", "unsaid", "BT.601", "BT.2020"])
@pytest.mark.parametrize("colour", [(200, 40, 30), (20, 160, 60), (30, 40, 220)])
def test_what_is_drawn_has_its_own_colour_in_every_colour_space(space: int, colour: tuple[int, int, int]) -> None:
    frame = VideoFrame(160, 120, "yuv420p")
    frame.colorspace, frame.color_range = space, 1
    Layer(Image.new("RGBA", (160, 120), (*colour, 255)), frame).lay_over(frame)
    assert frame.to_ndarray(format="rgb24")[60, 80] == pytest.approx(colour, abs=4)


def test_pixels_that_are_not_square_stay_so(tmp_path: Path) -> None:
    video = film(tmp_path / "a.mp4", [grey(9)] * 3, shape=Fraction(10, 11))
    made(annotated(recorded(video), EVERYTHING, SCENES, tmp_path / "b.mp4"))
    with av.open(tmp_path / "b.mp4") as container:
        assert container.streams.video[0].sample_aspect_ratio == Fraction(10, 11)


@pytest.mark.parametrize(("shape", "width"), [(Fraction(3, 2), 240), (Fraction(1), 160)])
def test_an_overlay_has_square_pixels_and_is_as_wide_as_the_source_is_shown(
    tmp_path: Path, shape: Fraction, width: int
) -> None:
    video = film(tmp_path / "a.mp4", [grey(9)] * 3, shape=shape)
    made(overlay(recorded(video), EVERYTHING, [Scene(0.0, None, PANEL)], tmp_path / "o.webm"))
    with av.open(tmp_path / "o.webm") as container:
        assert (container.streams.video[0].width, container.streams.video[0].height) == (width, 120)


@pytest.mark.parametrize("sound", ["aac", "mp2", None])
def test_films_that_were_joined_go_on_with_picture_and_sound(tmp_path: Path, sound: str | None) -> None:
    """A stream that a recorder has begun anew, and two files that were written one after the other into one."""
    part = film(tmp_path / "a.ts", [grey(n) for n in range(12)], sound=sound).read_bytes()
    (tmp_path / "b.ts").write_bytes(part * 2)
    source = recorded(tmp_path / "b.ts")
    made(annotated(source, EVERYTHING, SCENES, tmp_path / "o.mp4"))
    made(overlay(source, EVERYTHING, SCENES, tmp_path / "o.webm"))
    times = [time for _, time, _ in source.part(EVERYTHING)]  # type: ignore[union-attr]
    assert len(times) == 24
    assert source.moments(EVERYTHING) == times
    assert times[-1] - times[12] == pytest.approx(1.1, abs=0.02)
    assert len(shown_at(tmp_path / "o.mp4")) == 24
    assert shown_at(tmp_path / "o.webm")[-1] == pytest.approx(times[-1] - times[0], abs=0.002)
    assert [number for number, time, _ in source.part(Span(times[15]))] == list(range(15, 24))  # type: ignore[union-attr]
    if sound:
        with av.open(tmp_path / "o.mp4") as container:
            heard = [packet.pts * packet.time_base for packet in container.demux(audio=0) if packet.pts is not None]
        assert heard == sorted(heard)
        assert heard[-1] == pytest.approx(2.4, abs=0.15)


def test_chapters_go_into_the_video(video: Path, tmp_path: Path) -> None:
    made(
        annotated(
            recorded(video), EVERYTHING, SCENES, tmp_path / "b.mp4", [Chapter(0, 0.7, "Ann"), Chapter(0.7, 1.5, "Ben")]
        )
    )
    with av.open(tmp_path / "b.mp4") as container:
        found = [(each["metadata"]["title"], float(each["start"] * each["time_base"])) for each in container.chapters()]
    assert found == [("Ann", 0.0), ("Ben", 0.7)]


def test_the_overlay_is_vp9_with_alpha_and_as_long(video: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.webm"
    moments = made(overlay(recorded(video), EVERYTHING, SCENES, target))
    assert tracks(target) == {"video": "vp9"}
    with av.open(target) as container:
        assert container.format.name == "matroska,webm"
        assert container.streams.video[0].metadata["alpha_mode"] == "1"
        assert container.duration == pytest.approx(1.5e6, abs=1e5)
    frames = dict(zip(moments, with_alpha(target), strict=True))
    assert all(frame.shape == (120, 160, 4) for frame in frames.values())
    assert {time: bool(frame[..., 3].max() > 8) for time, frame in frames.items()} == {
        0.0: False,
        0.5: True,
        1.0: False,
        1.4: False,
    }
    assert frames[0.5][100, 20, 3] > 200, "the panel"
    assert frames[0.5][:60, :, 3].max() < 8, "nothing above it"


def test_the_overlay_changes_with_the_very_frame(tmp_path: Path) -> None:
    video = film(tmp_path / "a.mp4", [grey(9)] * 6, ticks=[0, 13, 47, 53, 88, 140])
    moments = made(overlay(recorded(video), EVERYTHING, SCENES, tmp_path / "b.webm"))
    assert moments == pytest.approx([0, 0.53, 1.4])
    assert shown_at(tmp_path / "b.webm") == pytest.approx(moments, abs=1e-3)


@pytest.mark.parametrize("exact", [True, False])
def test_a_scene_begins_with_its_very_frame_whether_its_time_was_rounded_or_not(exact: bool) -> None:
    """Thirds of a second: an event log has them in milliseconds, an event just found in full."""
    times = [number / 3 for number in range(9)]
    for first in range(1, 9):
        at = times[first] if exact else round(times[first], 3)
        showing = Showing([Scene(0.0), Scene(at, None, PANEL)])
        assert [showing.at(time).panel is PANEL for time in times] == [number >= first for number in range(9)]


def test_beyond_the_end_there_is_nothing_to_make(video: Path, tmp_path: Path) -> None:
    for make in (annotated, overlay):
        with pytest.raises(SourceError, match="past the end"):
            made(make(recorded(video), Span(1.45, 9), SCENES, tmp_path / "b"))


def test_pieces_are_boxed_from_their_count_until_they_move() -> None:
    one, two = roll(1, 3, (1, 2)), roll(2, 12, (5,))
    events = [
        Change("settled", 3, 0.3),
        one,
        Change("counted", 4, 0.4),
        Change("rolling", 8, 0.8),
        Change("cleared", 9, 0.9),
        two,
    ]
    shown = scenes(events, [PANEL, Panel("Roll 2")])
    assert [(scene.start, scene.boxes, scene.panel) for scene in shown] == [
        (0.0, None, None),
        (0.4, one.reading, PANEL),
        (0.8, None, PANEL),
        (1.3, two.reading, Panel("Roll 2")),
    ]


def test_no_box_is_drawn_on_a_hand() -> None:
    one = roll(1, 3, (1, 2))
    shown = scenes([one, Change("counted", 4, 0.4), Change("touched", 8, 0.8), Change("counted", 12, 1.2)], [PANEL])
    assert [(scene.start, scene.boxes) for scene in shown] == [(0.0, None), (0.4, one.reading), (0.8, None)]


def test_a_panel_that_went_up_stays_there_until_the_next_roll() -> None:
    one, two = roll(1, 3, (1, 2)), roll(2, 12, (5,))
    low = replace(one.reading, dice=tuple(replace(die, box=LOW) for die in one.reading.dice))
    events = [replace(one, reading=low), Change("rolling", 8, 0.8), two]
    assert [scene.above for scene in scenes(events, [PANEL, PANEL])] == [False, True, True, False]
