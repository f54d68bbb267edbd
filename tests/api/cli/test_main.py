import io
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import zlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.core import TyperGroup
from typer.main import get_command

import models
from api.cli import main
from api.cli.main import COMMANDS, application
from api.cli.report.photos import read_each
from api.interpret.schemas import Answer
from api.interpret.score_request import ScoreRequest
from tests.api.cli.batch.photos import tables
from tests.api.conftest import Muggins
from tests.api.pictures import drawn_throw, jpeg
from tests.api.served import interruptible
from vision.reader import TableReader


def objects(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_json_is_one_documented_object_a_line_and_nothing_else(muggins: Muggins, throw_file: Path) -> None:
    done = muggins("read", throw_file, throw_file, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = objects(done.stdout)
    Answer.model_validate(first)
    assert first["photo"] == str(throw_file)
    assert first["score"] is None
    assert (first["width"], first["height"]) == (960, 640)
    assert {**first, "timings_ms": 0} == {**second, "timings_ms": 0}


def test_photos_that_could_not_be_read_are_tried_again_by_the_next_run(muggins: Muggins, tmp_path: Path) -> None:
    names, out = tables(tmp_path / "photos", 3, damaged=[1]), tmp_path / "results.jsonl"
    command = ("read", tmp_path / "photos", "--out", out)
    for told in ("2 read, 1 could not be read", "0 read, 1 could not be read, 2 were done before"):
        done = muggins(*command)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    Image.new("RGB", (64, 48)).save(names[1])
    done = muggins(*command)
    assert (done.returncode, "1 read, 2 were done before" in done.stderr) == (0, True), done.stderr
    results = {result["photo"]: result for result in objects(out.read_text())}
    assert sorted(results) == names
    assert not any("error" in result for result in results.values())
    assert len(out.read_text().splitlines()) == 3


def test_the_first_photos_that_could_not_be_read_are_named_with_the_reason(muggins: Muggins, tmp_path: Path) -> None:
    names, out = tables(tmp_path / "photos", 8, damaged=range(1, 8)), tmp_path / "results.jsonl"
    done = muggins("read", tmp_path / "photos", "--out", out)
    told = [line for line in done.stderr.splitlines() if any(line.startswith(name) for name in names)]
    assert [line.split(": ")[0] for line in told] == names[1:6]
    assert all(line.split(": ")[1] for line in told)
    assert f"2 more could not be read: see `error` in {out}." in done.stderr


def test_the_score_is_that_of_the_dice_read(muggins: Muggins, throw_file: Path) -> None:
    (result,) = objects(muggins("read", throw_file, "--json", "--game", "farkle-crib", "--set-aside", "1-5").stdout)
    Answer.model_validate(result)
    score = result["score"]
    if "error" in score:
        assert score["error"]["code"] == "wrong-count"
    else:
        assert score["values"] == [die["value"] for die in result["dice"]]


def test_the_score_is_settled_under_the_rules_given(muggins: Muggins, throw_file: Path) -> None:
    rules = ("--rules", "bonus=three-pairs", "--rules", "three_pairs_4_2=true")
    (result,) = objects(muggins("read", throw_file, "--json", "--game", "farkle-crib", *rules).stdout)
    assert result["score"].get("bonuses", ["three-pairs"]) == ["three-pairs"]


def test_a_throw_the_game_does_not_know_keeps_the_reading_and_is_no_failure(muggins: Muggins, tmp_path: Path) -> None:
    bare_table = tmp_path / "bare.png"
    Image.new("RGB", (640, 480), "#2d6a4f").save(bare_table)
    done = muggins("read", bare_table, "--json", "--game", "crib-dice")
    (result,) = objects(done.stdout)
    assert done.returncode == 0
    assert (result["dice"], result["sure"]) == ([], False)
    assert result["score"]["error"]["code"] == "wrong-count"


def test_people_get_dice_verdict_worth_and_the_annotated_picture(
    muggins: Muggins, throw_file: Path, tmp_path: Path
) -> None:
    done = muggins("read", throw_file, "--game", "crib-dice", "--annotated", tmp_path / "out", env=wide())
    (result,) = objects(muggins("read", throw_file, "--json", "--game", "crib-dice").stdout)
    assert done.returncode == 0
    assert f"{throw_file}: {'sure' if result['sure'] else 'please look'}" in done.stdout
    for place, die in enumerate(result["dice"], 1):
        assert f"│ {place}   │ {die['value']}     │ {int(100 * die['confidence'])}%" in done.stdout
    assert result["score"].get("summary", result["score"].get("error", {}).get("message")) in done.stdout
    assert f"Drawn: {tmp_path / 'out' / 'throw-read.jpg'}" in done.stdout
    with Image.open(tmp_path / "out" / "throw-read.jpg") as drawn:
        assert drawn.format == "JPEG"


def wide() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "400"}


def test_annotated_copies_never_replace_a_photo_or_each_other(muggins: Muggins, tmp_path: Path) -> None:
    photos = [tmp_path / "a" / "x.jpg", tmp_path / "b" / "x.jpg", tmp_path / "b" / "x-read.jpg"]
    for photo, table in zip(photos, ("#2d6a4f", "#7f4f24", "#333355"), strict=True):
        photo.parent.mkdir(exist_ok=True)
        photo.write_bytes(jpeg(drawn_throw(table=table)))
    before = [photo.read_bytes() for photo in photos]
    done = muggins("read", *photos, "--annotated", tmp_path / "b", "--json")
    assert done.returncode == 0
    assert [photo.read_bytes() for photo in photos] == before
    copies = {"x-read-2.jpg", "x-read-3.jpg", "x-read-read.jpg"}
    assert {file.name for file in (tmp_path / "b").iterdir()} == copies | {"x.jpg", "x-read.jpg"}
    assert all(name in done.stderr for name in copies)


def test_a_folder_that_cannot_be_written_to_is_said_in_one_line(muggins: Muggins, throw_file: Path) -> None:
    done = muggins("read", throw_file, "--annotated", throw_file / "out")
    assert done.returncode == 1
    assert re.fullmatch(r"Cannot write a picture to .*out: Not a directory\.\n", done.stderr)


def test_a_photo_comes_from_standard_input(command: list[str], throw: bytes) -> None:
    done = subprocess.run([*command, "read", "-", "--json"], input=throw, capture_output=True, timeout=120)
    (result,) = objects(done.stdout.decode())
    assert (done.returncode, result["photo"], result["width"]) == (0, "-", 960)


def bomb() -> bytes:
    """A PNG of a few hundred bytes that promises 50,000 x 50,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(9999))) + chunk(b"IEND", b"")
    )


def long_gif(frames: int) -> bytes:
    pictures = [Image.new("P", (64, 48), frame % 256) for frame in range(frames)]
    data = io.BytesIO()
    pictures[0].save(data, "GIF", save_all=True, append_images=pictures[1:], optimize=False, duration=20)
    return data.getvalue()


def png(width: int, height: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(data, "PNG")
    return data.getvalue()


@pytest.fixture
def trouble(tmp_path: Path, throw: bytes) -> Path:
    """A folder of bad photos and two that can be read: a good one, and a GIF whose first frame is a bare table."""
    files = {"empty.jpg": b"", "text.jpg": b"seven dice\n", "one.png": png(1, 1), "strip.png": png(30_000, 10)}
    files |= {"bomb.png": bomb(), "scan.pdf": b"%PDF-1.7\n%...\n", "long.gif": long_gif(500), "good.jpg": throw}
    files |= {f"cut-{tenth}.jpg": throw[: len(throw) * tenth // 11] for tenth in range(1, 11)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "x.jpg").mkdir()
    (tmp_path / "closed.jpg").write_bytes(throw)
    (tmp_path / "closed.jpg").chmod(0)
    return tmp_path


@pytest.fixture(scope="module")
def as_a_user() -> tuple[str, ...]:
    """Root may open every file, so there the command runs without that right."""
    if os.geteuid() != 0:
        return ()
    if not shutil.which("setpriv"):
        pytest.skip("root opens files of any permission, and there is no setpriv here to take that right away")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


def test_a_folder_of_bad_files_gets_a_clear_line_each_and_the_good_photo_is_read(
    muggins: Muggins, trouble: Path, as_a_user: tuple[str, ...]
) -> None:
    done = muggins("read", trouble, "--json", before=as_a_user)
    results = {Path(result["photo"]).name: result for result in objects(done.stdout)}
    assert done.returncode == 2
    assert done.stderr == ""
    assert set(results) == {file.name for file in trouble.iterdir()}
    read = {name for name, result in results.items() if "error" not in result}
    assert read == {"good.jpg", "long.gif"}
    assert "first-frame" in {doubt["reason"] for doubt in results["long.gif"]["doubts"]}
    assert {name: results[name]["error"]["code"] for name in sorted(results.keys() - read)} == {
        **{f"cut-{tenth}.jpg": "truncated" for tenth in range(1, 11)},
        "bomb.png": "too-many-pixels",
        "closed.jpg": "no-permission",
        "empty.jpg": "empty-file",
        "one.png": "too-small",
        "scan.pdf": "unsupported-format",
        "strip.png": "too-small",
        "text.jpg": "not-a-photo",
        "x.jpg": "not-a-file",
    }


def test_people_read_one_plain_line_for_each_bad_file(
    muggins: Muggins, trouble: Path, as_a_user: tuple[str, ...]
) -> None:
    done = muggins("read", trouble, before=as_a_user)
    lines = done.stderr.splitlines()
    bad = {file.name for file in trouble.iterdir()} - {"good.jpg", "long.gif"}
    assert done.returncode == 2
    assert {Path(line.split(": ")[0]).name for line in lines} == bad
    assert len(lines) == len(bad)
    assert all(re.fullmatch(r"\S+: [A-Z].*\.", line) for line in lines)
    assert "Traceback" not in done.stdout + done.stderr


def test_names_cannot_command_the_terminal(muggins: Muggins, tmp_path: Path) -> None:
    (tmp_path / "[red]\x1b[31m\udcff.jpg").write_bytes(b"")
    done = muggins("read", tmp_path)
    assert "\x1b" not in done.stdout + done.stderr
    assert r"[red]\x1b[31m\udcff.jpg: The file is empty" in done.stderr


def test_photos_are_taken_up_one_at_a_time() -> None:
    selection = []

    def names() -> Iterator[str]:
        for name in ("no-a.jpg", "no-b.jpg"):
            selection.append(name)
            yield name

    results = read_each(TableReader(), names(), ScoreRequest())
    next(results)
    assert selection == ["no-a.jpg"]


@pytest.mark.parametrize(
    "arguments", [["rules", "--json"], ["rules", "crib-dice"], ["--help"], ["score", "crib-dice", *"1234566", "--json"]]
)
def test_a_full_disk_is_told_in_a_line(muggins: Muggins, arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = muggins(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, "Cannot write the output: No space left on device.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["read", "-"],
        ["score", "crib-dice", "--batch", "-"],
        ["play", "crib-dice", "--players", "A,B", "--seed", "1", "--record", "RECORD"],
        ["play", "crib-dice", "--players", "A,B", "--seed", "1", "--record", "RECORD", "--json"],
    ],
)
def test_a_closed_input_is_an_empty_one(muggins: Muggins, arguments: list[str], tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"

    def outcome(**options: Any) -> tuple[int, str, str]:
        done = muggins(*[word.replace("RECORD", str(record)) for word in arguments], **options)
        record.unlink(missing_ok=True)
        return done.returncode, re.sub(r"\d{4}-\d\d-\d\dT[^\"]*|[0-9a-f]{64}", "", done.stdout), done.stderr

    assert outcome(before=("sh", "-c", 'exec "$@" <&-', "sh")) == outcome(input="")


def test_ctrl_c_while_modules_are_loaded_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "application", interrupted)
    with pytest.raises(SystemExit, match="130"):
        main.main()


def test_ctrl_c_ends_it_quietly_and_what_was_read_is_out(command: list[str], throw_file: Path) -> None:
    running = subprocess.Popen(
        [*command, "read", "--json", *[str(throw_file)] * 500],
        preexec_fn=interruptible,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    first = running.stdout.readline()  # arrives while hundreds are still to be read: every line is flushed
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert json.loads(first)["photo"] == str(throw_file)
    assert (running.returncode, said) == (130, "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "whist"], "no game 'whist'"),
        (["--json", "--out", "x.parquet"], "Leave one of them out"),
        (["--out", "s3://throws/out.jsonl"], "on this computer"),
        (["--annotated", "s3://throws/out"], "on this computer"),
        (["--point", "5"], "Name the game too"),
        (["--game", "crib-dice", "--point", "5"], "name both"),
        (["--game", "farkle-crib", "--set-aside", "none"], "such as 1-5-5"),
        (["--game", "farkle-crib", "--rules", "bonus=flush"], "bonus cannot be"),
        (["--game", "domino-cribbage", "--starter", "9-3"], "No tile shows 9-3"),
        (["--game", "cribbage-dice", "--starter", "4-1"], "no value of a die"),
        (["--game", "domino-pips", "--rules", "double_blank=25"], "add count=hand"),
    ],
)
def test_a_wrong_question_is_refused_before_reading(muggins: Muggins, arguments: list[str], complaint: str) -> None:
    done = muggins("read", "no-such-photo.jpg", *arguments, env=wide())
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert "no-such-photo" not in done.stderr


def test_the_version_is_the_installed_one(muggins: Muggins) -> None:
    assert muggins("--version").stdout == f"muggins {version('muggins')}\n"


def test_the_networks_are_listed_and_whole(muggins: Muggins) -> None:
    done = muggins("models", env=wide())
    assert done.returncode == 0
    for file in models.load_manifest().models:
        assert re.search(rf"{re.escape(file.name)}.*yes.*{file.sha256[:12]}", done.stdout)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A folder from which the command finds the networks with one bit turned in the first."""
    shutil.copytree(models.FOLDER, tmp_path / "models")
    network = tmp_path / "models" / models.load_manifest().models[0].file
    data = bytearray(network.read_bytes())
    data[len(data) // 2] ^= 1
    network.write_bytes(data)
    return tmp_path


@pytest.mark.parametrize("arguments", [["models"], ["read", "a.jpg", "--json"], ["serve"]])
def test_a_damaged_network_is_named_and_nothing_is_read_with_it(
    muggins: Muggins, damaged: Path, arguments: list[str]
) -> None:
    done = muggins(*arguments, cwd=damaged)
    assert done.returncode == 1
    assert re.fullmatch(r"The network file \S+ is damaged or was changed\. .*\n", done.stderr)
    assert done.stdout == "" or arguments == ["models"]


def test_nothing_heavy_is_imported_before_it_is_needed(command: list[str]) -> None:
    heavy = {"cv2", "fastapi", "numpy", "onnxruntime", "PIL", "pydantic", "rich"}
    code = f"import sys, api.cli.main; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output([command[0], "-c", code], text=True).strip() == "[]"


def test_options_of_games_are_loaded_only_if_a_word_may_be_one() -> None:
    def options(*words: str) -> set[str]:
        alone = get_command(application(["read", *words]))
        assert isinstance(alone, TyperGroup)
        return {name for each in alone.commands["read"].params for name in each.opts}

    every, without_game = options("--help"), options("table.jpg", "--json", "--out=readings.jsonl")
    assert "--starter" in every
    assert "--starter" not in without_game
    assert {"--json", "--profile", "--workers", "--game"} <= without_game
    for word in ("--game", "-g", "--starter=5", "--strange", "--"):
        assert options("table.jpg", word) == every


def test_a_command_is_registered_by_the_module_of_its_name_and_alone_is_the_same(muggins: Muggins) -> None:
    every = muggins("--help").stdout
    for name in COMMANDS:
        assert f" {name} " in every
        alone = get_command(application([name]))
        assert isinstance(alone, TyperGroup)
        assert list(alone.commands) == [name]
    assert muggins("reed").returncode == 2


def test_who_asks_to_read_a_film_is_told_of_watch(muggins: Muggins) -> None:
    done = muggins("read", "api/demo/game.mp4")
    assert done.returncode == 2
    assert done.stderr.startswith("api/demo/game.mp4: This is a video, which is not read here.")
    assert done.stderr.endswith("To read the rolls in it: muggins watch FILM.\n")
