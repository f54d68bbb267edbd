import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from datasets.generate.parts.dice_models import DiceModelsError, themes_in

CORNERS = np.array(list(product((-1.0, 1.0), repeat=3)))
AXES = {1: (0, 1, 0), 6: (0, -1, 0), 2: (1, 0, 0), 5: (-1, 0, 0), 3: (0, 0, 1), 4: (0, 0, -1)}
"""Which way the sides of a die face, as Babylon has it: y is up."""


def cube() -> tuple[list[list[int]], dict[str, int]]:
    """The triangles of a cube, half of them wound the wrong way, and the value of each by its number."""
    triangles, values = [], {}
    for value, axis in AXES.items():
        a, b, c, d = (int(i) for i in np.flatnonzero(CORNERS @ axis > 0))
        for triangle in ([a, b, c], [c, b, d]):
            values[str(len(triangles))] = value
            triangles.append(triangle)
    return triangles, values


def mesh(name: str, triangles: list[list[int]]) -> dict[str, Any]:
    flat = CORNERS[:, [0, 2]].clip(0, 1)
    return {
        "name": name,
        "positions": CORNERS.ravel().tolist(),
        "indices": np.ravel(triangles).tolist(),
        "uvs": flat.ravel().tolist(),
    }


def theme(folder: Path, name: str, **changes: Any) -> Path:
    triangles, values = cube()
    place = folder / name
    place.mkdir(parents=True)
    told = {"meshes": [mesh("pip", triangles), mesh("pip_collider", triangles)], "colliderFaceMap": {"pip": values}}
    (place / "cube.json").write_text(json.dumps(told | changes))
    (place / "theme.config.json").write_text(
        json.dumps({"meshFile": "cube.json", "material": {"diffuseTexture": "wood.jpg", "bumpTexture": "../bumps.png"}})
    )
    return place


def test_sides_face_as_their_colliders_say_with_z_up(tmp_path: Path) -> None:
    theme(tmp_path, "wood")
    (found,) = themes_in(tmp_path)
    die = found.meshes["pip"]
    for value, (x, y, z) in AXES.items():
        assert die.sides[value] == pytest.approx((x, z, y))
        assert die.turned_up(value) == pytest.approx((x, z, y))
        assert die.face(value).sum() == 4
    assert die.reach == pytest.approx(3**0.5)
    assert found.picture("bumpTexture") == (tmp_path / "bumps.png").resolve()
    assert found.picture("specularTexture") is None
    assert found.inks is None


def test_triangles_face_outwards(tmp_path: Path) -> None:
    theme(tmp_path, "wood")
    die = themes_in(tmp_path)[0].meshes["pip"]
    a, b, c = die.vertices[die.triangles].transpose(1, 0, 2)
    assert ((np.cross(b - a, c - a) * (a + b + c)).sum(1) > 0).all()


def test_a_d4_rests_on_the_side_that_it_shows(tmp_path: Path) -> None:
    triangles, values = cube()
    dice = {"meshes": [mesh("d4", triangles), mesh("d4_collider", triangles)], "colliderFaceMap": {"d4": values}}
    theme(tmp_path, "wood", **dice)
    die = themes_in(tmp_path)[0].meshes["d4"]
    assert die.turned_up(1) == pytest.approx(-die.sides[1])


def test_dice_of_any_colour_have_light_and_dark_ink(tmp_path: Path) -> None:
    place = theme(tmp_path, "any")
    config = {"meshFile": "cube.json", "material": {"diffuseTexture": {"light": "l.png", "dark": "d.png"}}}
    (place / "theme.config.json").write_text(json.dumps(config))
    (found,) = themes_in(tmp_path)
    assert found.inks == {"light": place / "l.png", "dark": place / "d.png"}
    assert found.picture("diffuseTexture") is None


def test_a_theme_takes_the_mesh_of_another_by_its_name(tmp_path: Path) -> None:
    theme(tmp_path, "wood")
    (tmp_path / "stone").mkdir()
    (tmp_path / "stone" / "theme.config.json").write_text(json.dumps({"meshFile": "cube.json", "material": {}}))
    assert [found.folder.name for found in themes_in(tmp_path)] == ["stone", "wood"]


def test_dice_whose_sides_face_nowhere_are_left_out(tmp_path: Path) -> None:
    _, values = cube()
    values["2"] = 1  # a triangle of the opposite side
    theme(tmp_path, "crystal", colliderFaceMap={"pip": values})
    with pytest.raises(DiceModelsError, match="no dice in"):
        themes_in(tmp_path)


@pytest.mark.parametrize("content", ["{", "[]", '{"meshes": 3}', '{"meshes": [{}]}'])
def test_a_damaged_mesh_file_is_named(tmp_path: Path, content: str) -> None:
    (theme(tmp_path, "wood") / "cube.json").write_text(content)
    with pytest.raises(DiceModelsError, match=r"cube\.json"):
        themes_in(tmp_path)
