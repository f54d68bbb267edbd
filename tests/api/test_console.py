"""What people read at the terminal."""

from __future__ import annotations

import pytest

from api.console import printable, terminal


def test_names_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    terminal().print("IMG :star: 12.jpg, 3 dice")
    assert capsys.readouterr().out == "IMG :star: 12.jpg, 3 dice\n"


def test_what_a_terminal_would_obey_is_written_out() -> None:
    assert printable("a\x1b[2Jb\u202ec") == "a\\x1b[2Jb\\u202ec"
