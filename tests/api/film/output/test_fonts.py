"""Names in other scripts are drawn with an installed font."""

from __future__ import annotations

import pytest
from PIL import ImageFont

from api.film.output import fonts
from api.film.output.fonts import font_for

LACKS = "\U0010fffe"


def drawn(font: fonts.Font, text: str) -> bytes:
    return bytes(font.getmask(text))


def test_plain_names_are_drawn_with_the_same_font_everywhere() -> None:
    assert font_for("Ann and Ben", 20).getname() == ImageFont.load_default(20).getname()  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["Jürgen", "Łukasz", "Анна", "Ελένη", "محمد", "דוד", "अनन्या", "花子", "민준"])
def test_no_letter_of_a_name_is_a_box(name: str) -> None:
    font = font_for(name, 20)
    if font.getname() == ImageFont.load_default(20).getname():  # type: ignore[union-attr]
        pytest.skip(
            f"no font with the letters of {name} is installed (on Debian: apt install fonts-noto fonts-noto-cjk)"
        )
    assert all(drawn(font, letter) != drawn(font, LACKS) for letter in name)


def test_where_no_font_has_the_letters_the_name_is_drawn_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "INSTALLED", ("no-such-font.ttf",))
    assert drawn(font_for("花子", 20), "花子")


def test_a_letter_that_no_font_has_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first font that is tried lacks the accent, the second has it, and none has the emoji."""
    has = {None: "Zo", "one.ttf": "Z", "two.ttf": "Zoë"}
    monkeypatch.setattr(fonts, "INSTALLED", ("one.ttf", "two.ttf"))
    monkeypatch.setattr(fonts, "_has", lambda name, letter: letter in has[name])
    monkeypatch.setattr(fonts, "_opened", lambda name, _: name)
    assert font_for("Zoë 🎲", 20) == "two.ttf"
