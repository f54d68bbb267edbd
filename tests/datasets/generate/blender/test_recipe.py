from pathlib import Path

import pytest

from datasets.generate.blender.recipe import RecipeError, load

RECIPES = Path("datasets/recipes")
TABLETOP = RECIPES / "tabletop.yaml"


@pytest.mark.parametrize("name", ["tabletop", "sample", "webcam", "low", "modelled"])
def test_the_recipes_for_tables_can_be_used(name: str):
    assert load(RECIPES / f"{name}.yaml")["samples"] >= 1


def test_a_change_replaces_one_line_and_is_read_as_yaml():
    plain, changed = load(TABLETOP), load(TABLETOP, ["look_alikes=0", "degraded=false", "kinds={d12: 1}"])
    assert plain["degraded"] is True
    assert plain["look_alikes"] > 0
    assert {key for key in plain if plain[key] != changed[key]} == {"look_alikes", "degraded", "kinds"}
    assert (changed["look_alikes"], changed["degraded"], changed["kinds"]) == (0, False, {"d12": 1})


def test_an_unknown_key_is_answered_with_those_there_are():
    with pytest.raises(RecipeError, match=r"unknown key lookalikes; a recipe has .*look_alikes.*tray"):
        load(TABLETOP, ["lookalikes=0"])


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ("tray=2", "tray must be a share from 0 to 1"),
        ("tray=yes", "tray must be a share from 0 to 1"),
        ("materials=gold", "materials must be all or plain"),
        ("degraded=0", "degraded must be true or false"),
        ("samples=0", "samples must be a whole number"),
        ("kinds={d20: 1}", "kinds must be weights"),
        ("kinds={d6: 0}", "kinds must be weights"),
        ("die_width=[0.5, 0.1]", "die_width must be two shares"),
        ("sizes=[[512, 0]]", "sizes must be a list"),
        ("sizes=512", "sizes must be a list"),
        ("lowest_view_degrees=120", "lowest_view_degrees must be degrees"),
        ("tray", "write --set key=value"),
        ("tray=[", "is no YAML"),
    ],
)
def test_a_value_out_of_range_says_what_is_wanted(change: str, wanted: str):
    with pytest.raises(RecipeError, match=wanted):
        load(TABLETOP, [change])


def test_a_missing_file_and_a_missing_key_are_named(tmp_path: Path):
    with pytest.raises(RecipeError, match=r"cannot read the recipe .*none\.yaml"):
        load(tmp_path / "none.yaml")
    short = tmp_path / "short.yaml"
    short.write_text("samples: 5\n")
    with pytest.raises(RecipeError, match=r"lacks .*die_width"):
        load(short)
    short.write_text("just words\n")
    with pytest.raises(RecipeError, match="holds no recipe"):
        load(short)
