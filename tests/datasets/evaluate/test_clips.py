"""What is counted of a watched clip, and where its truth is read from."""

from __future__ import annotations

import json
from pathlib import Path

import av
import pytest

from datasets.evaluate.clips import Clip, Thrown, compared, found, load, measure, summary
from models import load_manifest
from tests.vision.watch.table_film import FPS, HEIGHT, WIDTH, Film, PlacedDie
from vision.reading import Die, Reading
from vision.watch.watcher import Piece, Roll

CLIP = Clip(Path("held/1001.mp4"), 20.0, (Thrown(12, 20, 60, (1, 4), (1, 4)), Thrown(70, 100, 140, (1, 6), (6,))))


def roll(frame: int, *values: int, thrown: tuple[bool, ...] = (True, True)) -> Roll:
    box = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    dice = tuple(Die(value, 0.9, ((value, 0.9),), box, "white") for value in values)
    reading = Reading("frame", "0", 320, 240, dice, (), {}, {})
    pieces = tuple(Piece(i, die, was) for i, (die, was) in enumerate(zip(dice, thrown, strict=True)))
    return Roll(1, frame - 6, (frame - 6) / 20, frame, frame / 20, reading, pieces)


def test_each_throw_is_found_once() -> None:
    rolls = [roll(26, 1, 4), roll(50, 1, 4), roll(80, 2, 4), roll(110, 1, 6, thrown=(False, True))]
    watched = compared(CLIP, rolls, 200, 20)
    assert {i: found.counted_frame for i, found in watched.found.items()} == {0: 26, 1: 110}
    assert [each.counted_frame for each in watched.doubled] == [50]
    assert [each.counted_frame for each in watched.phantom] == [80]


def test_the_figures_of_a_group() -> None:
    figures = summary([compared(CLIP, [roll(26, 1, 4), roll(110, 1, 5, thrown=(False, True))], 200, 20)])
    counts = {
        key: figures[key]
        for key in ("rolls", "found", "missed", "doubled", "phantom", "exact", "thrown_exact", "silent")
    }
    assert counts == {
        "rolls": 2,
        "found": 2,
        "missed": 0,
        "doubled": 0,
        "phantom": 0,
        "exact": 1,
        "thrown_exact": 1,
        "silent": 1,
    }
    assert (figures["delay_median"], figures["delay_most"]) == pytest.approx((0.4, 0.5))
    assert figures["networks_share"] == 0.1
    assert figures["found_wilson_95"][1] == 1.0


def test_a_throw_that_was_not_counted_while_it_lay_there_is_missed() -> None:
    watched = compared(CLIP, [roll(70, 1, 4)], 200, 20)
    assert (len(watched.found), len(watched.phantom), summary([watched])["missed"]) == (0, 1, 2)


def test_dice_that_creep_show_already_what_they_will_show() -> None:
    watched = compared(CLIP, [roll(15, 1, 4), roll(90, 1, 5), roll(97, 1, 6)], 200, 20)
    assert {i: found.counted_frame for i, found in watched.found.items()} == {0: 15, 1: 97}
    assert [each.counted_frame for each in watched.phantom] == [90]
    assert summary([watched])["early"] == 1  # the other is within the slack


def test_truth_beside_each_clip(tmp_path: Path) -> None:
    event = {
        "kind": "roll",
        "thrown_from_frame": 1,
        "settled_from_frame": 3,
        "settled_to_frame": 9,
        "values": [6, 1],
        "thrown": [6],
        "still": [1],
    }
    truth = {"video": "0001.mp4", "fps": 15, "events": [event, {"kind": "hand", "from_frame": 1, "to_frame": 2}]}
    (tmp_path / "0001.json").write_text(json.dumps(truth))
    (clip,) = load(tmp_path)
    assert clip == Clip(tmp_path / "0001.mp4", 15, (Thrown(1, 3, 9, (1, 6), (6,)),))


def test_truth_of_a_whole_folder(tmp_path: Path) -> None:
    event = {"video": "a.mp4", "fps": 30.0, "settled_from_frame": 0, "settled_to_frame": 23, "values": [4, 1]}
    (tmp_path / "events.json").write_text(json.dumps([event, {**event, "video": "b.mp4"}]))
    first, second = load(tmp_path)
    assert (first.path.name, second.path.name) == ("a.mp4", "b.mp4")
    assert first.rolls == (Thrown(0, 0, 23, (1, 4), None),)


def test_several_films_are_watched_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    films = {
        "one": Film().rest(0.5).throw(PlacedDie(5, 80, 60, 20), PlacedDie(3, 160, 100, 50)).rest(),
        "two": Film().rest(),
    }
    for name, film in films.items():
        with av.open(str(tmp_path / f"{name}.mp4"), "w") as out:
            stream = out.add_stream("libx264", rate=FPS, options={"crf": "12"})
            stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
            for pixels in film.frames:
                out.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
            out.mux(stream.encode(None))
        last = len(film.frames) - 1
        thrown = {
            "kind": "roll",
            "settled_from_frame": 24,
            "settled_to_frame": last,
            "values": [3, 5],
            "thrown": [3, 5],
        }
        events = [thrown] if film.dice else []
        (tmp_path / f"{name}.json").write_text(json.dumps({"video": f"{name}.mp4", "fps": FPS, "events": events}))
    measure(found([tmp_path]), load_manifest(), tmp_path / "figures.json", processes=2)
    figures = json.loads((tmp_path / "figures.json").read_text())
    (row,) = figures["rolls"]
    assert (row["clip"], row["verdict"], row["read"]) == ("one.mp4", "found", [3, 5])
    assert figures["groups"][tmp_path.name]["frames"] == sum(len(film.frames) for film in films.values())
    assert "written to" in capsys.readouterr().out
