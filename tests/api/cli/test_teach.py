"""`muggins teach`, `muggins profiles` and `muggins read --profile`, as people type them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.api.conftest import Muggins
from tests.vision.taught.drawn import EMBLEM, Thrown, thrown

Done = subprocess.CompletedProcess[str]


class Table:
    """Somebody's data folder, and their photos."""

    def __init__(self, muggins: Muggins, command: list[str], folder: Path) -> None:
        self._muggins, self._command, self._folder = muggins, command, folder
        self._environment = {**os.environ, "XDG_DATA_HOME": str(folder), "COLUMNS": "200"}

    def does(self, *arguments: str | Path, **options: object) -> Done:
        return self._muggins(*arguments, env=self._environment, **options)

    def starts(self, *arguments: str | Path) -> subprocess.Popen[str]:
        command = [*self._command, *map(str, arguments)]
        return subprocess.Popen(
            command, env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def photo(self, throw: Thrown, name: str) -> Path:
        path = self._folder / f"{name}.jpg"
        path.write_bytes(throw.jpeg)
        return path


@pytest.fixture
def table(muggins: Muggins, command: list[str], tmp_path: Path) -> Table:
    return Table(muggins, command, tmp_path)


FIRST, SECOND = thrown(EMBLEM, [6, 6, 3], 3, 6), thrown(EMBLEM, [6, 2, 5, 6], 5, 6)


def in_reading_order(throw: Thrown) -> str:
    """Values for `--values`: all these dice lie in one row but for some pixels, or from the top."""
    order = sorted(range(len(throw.values)), key=lambda at: throw.places[at][0])
    return " ".join("dragon=6" if throw.values[at] == 6 else str(throw.values[at]) for at in order)


def test_dice_are_taught_read_shown_shared_and_deleted(table: Table, tmp_path: Path) -> None:
    photo, other = table.photo(FIRST, "first"), table.photo(SECOND, "second")
    done = table.does(
        "teach", "dragons", photo, "--values", in_reading_order(FIRST), "--picture", tmp_path / "found.png"
    )
    assert done.returncode == 0, done.stderr
    assert "dragons knows 3 pieces: 3, dragon = 6 (2)." in done.stdout
    assert "Not shown yet: 1, 2, 4, 5. Turn your dice to them: 2 more photos are enough." in done.stdout
    assert (tmp_path / "found.png").stat().st_size > 1000
    read = json.loads(table.does("read", other, "--json", "--profile", "dragons").stdout)
    assert sorted(die["value"] for die in read["dice"]) == [2, 5, 6, 6]
    assert list(read["profiles"]) == ["dragons"]
    assert "Read by your profiles" in table.does("read", other, "--profile", "dragons").stdout
    listed = table.does("profiles", "list").stdout
    assert "dragon = 6" in listed
    assert "1, 2, 4, 5" in listed
    assert table.does("profiles", "show", "dragons", "--picture", tmp_path / "sheet.png").returncode == 0
    file = tmp_path / "shared.json"
    assert table.does("profiles", "export", "dragons", file).stdout == f"Saved in {file}.\n"
    assert table.does("profiles", "export", "dragons", "-").stdout == file.read_text()
    again = table.does("profiles", "export", "dragons", file)
    assert (again.returncode, again.stderr) == (1, f"{file} already exists. Name another file, or delete that one.\n")
    taken = table.does("profiles", "import", file)
    assert taken.returncode == 2
    assert taken.stderr == "A profile dragons already exists. Delete it first: muggins profiles delete 'dragons'\n"
    assert table.does("profiles", "delete", "dragons").stdout == "Deleted: dragons\n"
    assert "No profiles yet" in table.does("profiles", "list").stdout
    assert table.does("profiles", "import", file).returncode == 0
    forgot = table.does("profiles", "forget", "dragons", "1").stdout
    assert forgot == "Removed piece 1: dragon = 6. dragons knows 2 pieces now.\n"
    *pieces, left = table.does("profiles", "show", "dragons").stdout.splitlines()
    assert len(pieces) == 2
    assert left.startswith("Not shown yet: 1, 2,")


def test_values_are_asked_for_where_none_are_given(table: Table) -> None:
    answers = "\n".join(["seven", *in_reading_order(FIRST).split()]) + "\n"
    done = table.does("teach", "dragons", table.photo(FIRST, "first"), input=answers)
    assert done.returncode == 0, done.stderr
    assert "'seven' is no value" in done.stderr
    assert "dragon = 6 (2)" in done.stdout


def test_what_another_command_taught_meanwhile_is_kept(table: Table) -> None:
    photo, other = table.photo(FIRST, "first"), table.photo(SECOND, "second")
    with table.starts("teach", "dragons", photo) as asking:
        assert asking.stdin
        assert asking.stdout
        assert asking.stdout.read(1)  # it asks, so it has read the profile
        assert table.does("teach", "dragons", other, "--values", in_reading_order(SECOND)).returncode == 0
        told, _ = asking.communicate("\n".join(in_reading_order(FIRST).split()) + "\n")
    assert asking.returncode == 0
    assert "dragons knows 7 pieces" in told


def test_a_piece_that_is_not_found_is_pointed_at(table: Table) -> None:
    photo = table.photo(FIRST, "first")
    done = table.does("teach", "odd", photo, "--values", "? ? ?", "--at", "50,50=dragon=6")
    assert done.returncode == 0, done.stderr
    assert "odd knows one piece: dragon = 6." in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--values", "6"], "3 pieces were found, but 1 value was given"),
        (["--values", "6 6 13"], "A die shows 1 to 12, got 13"),
        (["--values", "6 6 3-5"], "Piece 3 looks like a die, but 3-5 are the two ends of a tile. Write one value"),
        (["--values", "a=6 a=5 3"], "a was 6 before, and is 5 now"),
        (
            ["--values", "5=6 5 3"],
            "5 says something by itself, so no symbol can be called that. Name it, as in dragon=6.",
        ),
        (["--values", "X=6 5 3"], "X says something by itself"),
        (["--values", "? ? ?"], "taught nothing"),
        (["--values", "? ? ?", "--at", "120,5=6"], "percent from the left"),
        (["--values", "6 6 3", "--values", "1"], "--values was given 2 times"),
    ],
)
def test_what_cannot_be_learned_is_refused_with_the_way_out(table: Table, options: list[str], said: str) -> None:
    done = table.does("teach", "dragons", table.photo(FIRST, "first"), *options)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "No profiles yet" in table.does("profiles", "list").stdout


def test_a_profile_that_is_not_there_is_named_with_those_that_are(table: Table) -> None:
    done = table.does("read", table.photo(FIRST, "first"), "--profile", "runes")
    assert done.returncode == 2
    assert "There is no profile runes" in " ".join(done.stderr.replace("│", " ").split())


def test_a_value_that_contradicts_the_networks_is_pointed_out(table: Table) -> None:
    throw = thrown(EMBLEM, [2, 5], 21, 6)
    # In reading order these are a 2 and a 5.
    done = table.does("teach", "mine", table.photo(throw, "slip"), "--values", "5 2")
    assert done.returncode == 0, done.stderr
    assert "the network is sure shows 2 was said to show 5" in done.stderr


def test_a_kind_that_contradicts_the_networks_is_pointed_out(table: Table) -> None:
    throw = thrown(EMBLEM, [2, 5], 21, 6)
    done = table.does("teach", "mine", table.photo(throw, "slip"), "--values", "2 5", "--d12")
    assert done.returncode == 0, done.stderr
    assert "sure shows 2 (a die with pips) was said to show 2 (a twelve-sided die)" in " ".join(done.stderr.split())


def test_a_picture_that_cannot_be_written_is_told_before_and_loses_no_lesson(table: Table, tmp_path: Path) -> None:
    photo = table.photo(FIRST, "first")
    lesson = ("teach", "dragons", photo, "--values", in_reading_order(FIRST), "--picture")
    for name, why in (("none/x.png", f"folder {tmp_path / 'none'} does not exist"), ("x.abc", "as in .png")):
        done = table.does(*lesson, tmp_path / name)
        assert (done.returncode, done.stdout) == (1, "")
        assert why in done.stderr
    full = tmp_path / "full.png"
    full.symlink_to("/dev/full")
    done = table.does(*lesson, full)
    assert done.returncode == 1
    assert "dragons knows 3 pieces" in done.stdout
    assert done.stderr == f"Cannot draw the pieces in {full}: No space left on device.\n"
    assert "dragon = 6" in table.does("profiles", "list").stdout


def test_a_damaged_profile_is_named_and_hides_no_other(table: Table, tmp_path: Path) -> None:
    photo = table.photo(FIRST, "first")
    assert table.does("teach", "dragons", photo, "--values", in_reading_order(FIRST)).returncode == 0
    broken = tmp_path / "muggins" / "profiles" / "broken.json"
    broken.write_text("{")
    listed = table.does("profiles", "list")
    assert listed.returncode == 2
    assert "dragon = 6" in listed.stdout
    said = f"{broken}: This file is not a profile: it is no JSON."
    assert listed.stderr == f"{said} To delete it: muggins profiles delete 'broken'\n"
    assert table.does("profiles", "show", "broken").stderr == f"{said}\n"
    assert table.does("profiles", "import", broken).stderr == f"{said}\n"
    assert said in " ".join(table.does("read", photo, "--profile", "broken").stderr.replace("│", " ").split())
    assert table.does("profiles", "delete", "broken").returncode == 0
    assert table.does("profiles", "list").returncode == 0


def test_a_foreign_profile_commands_no_terminal(table: Table, tmp_path: Path) -> None:
    assert table.does("teach", "d", table.photo(FIRST, "first"), "--values", in_reading_order(FIRST)).returncode == 0
    file = tmp_path / "muggins" / "profiles" / "d.json"
    file.write_text(file.read_text().replace('"dragon"', json.dumps("\x1b[31m[/red]")))
    listed = table.does("profiles", "list")
    assert listed.returncode == 0, listed.stderr
    assert "\\x1b[31m[/red] = 6" in listed.stdout
    assert "\x1b" not in listed.stdout


def test_a_sheet_that_cannot_be_drawn_is_told(table: Table, tmp_path: Path) -> None:
    assert table.does("teach", "d", table.photo(FIRST, "first"), "--values", in_reading_order(FIRST)).returncode == 0
    done = table.does("profiles", "show", "d", "--picture", tmp_path / "sheet.abc")
    assert done.returncode == 1
    assert done.stderr == f"--picture {tmp_path / 'sheet.abc'}: the name must end as a picture's, as in .png.\n"


def test_the_photo_that_cannot_be_read_is_named(table: Table, tmp_path: Path) -> None:
    good, bad = table.photo(FIRST, "first"), tmp_path / "bad.jpg"
    bad.write_text("no photo")
    done = table.does("teach", "d", good, bad, "--values", in_reading_order(FIRST), "--values", "1")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{bad}: This file is not a picture")


def test_answers_that_stop_short_are_said_to_be_lost(table: Table) -> None:
    done = table.does("teach", "dragons", table.photo(FIRST, "first"), input="3\n")
    assert done.returncode == 1
    assert done.stderr.endswith("Stopped: nothing was saved.\n"), "and not also Aborted."
    assert "No profiles yet" in table.does("profiles", "list").stdout


def test_nobody_is_asked_before_every_photo_was_read(table: Table, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jpg"
    damaged.write_bytes(FIRST.jpeg[:200])
    done = table.does("teach", "dragons", table.photo(FIRST, "first"), damaged, input="3\n" * 9)
    assert (done.returncode, "what does it show?" in done.stdout) == (2, False)
    assert str(damaged) in done.stderr


def test_nobody_is_asked_before_it_is_known_where_at_points(table: Table) -> None:
    done = table.does("teach", "dragons", table.photo(FIRST, "first"), "--at", "50,50=", input="3\n" * 9)
    assert (done.returncode, "what does it show?" in done.stdout) == (2, False)
    assert "--at 50,50=: write it as 40,65=6" in done.stderr


def test_a_piece_of_a_file_elsewhere_is_not_forgotten_in_the_profile_of_that_name(table: Table, tmp_path: Path) -> None:
    table.does("teach", "dragons", table.photo(FIRST, "first"), "--values", in_reading_order(FIRST))
    file = tmp_path / "shared.json"
    table.does("profiles", "export", "dragons", file)
    before, shared = table.does("profiles", "export", "dragons", "-").stdout, file.read_text()
    done = table.does("profiles", "forget", file, "1")
    assert done.returncode == 2
    assert "cannot be the name of a profile" in done.stderr
    assert (table.does("profiles", "export", "dragons", "-").stdout, file.read_text()) == (before, shared)
