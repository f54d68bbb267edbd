import json
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datasets.generate.blender.recipe import RecipeError
from datasets.generate.camera.webcam import MARGIN, Sensor
from datasets.generate.clips import __main__ as command
from datasets.generate.clips import recipe
from datasets.generate.clips.farm import Farm
from datasets.generate.clips.files import truth_file
from datasets.generate.clips.recording.boxes import Box, clusters
from datasets.generate.clips.recording.sound import clatter
from datasets.generate.clips.recording.truth import Truth
from datasets.generate.clips.stage import dice, hands
from datasets.generate.clips.stage.story import CALM, story
from datasets.generate.parts import shapes
from datasets.generate.parts.drawings import PIP_GRID

RECIPE = Path("datasets/recipes/clips.yaml")


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


# The story


@pytest.mark.parametrize("seed", range(40))
def test_only_dice_that_lie_are_touched_and_only_dice_in_the_hand_are_thrown(seed: int):
    lying: set[int] = set()
    throws = 0
    for step in story(rng(seed), 4, 3):
        whom = set(step.dice)
        if step.kind == "throw":
            assert whom
            assert not whom & lying
            lying, throws = lying | whom, throws + 1
            assert lying == {0, 1, 2, 3}
        else:
            assert whom <= lying
        if step.kind in ("pick-up", "clear"):
            lying -= whom
    assert throws == 3


@pytest.mark.parametrize("seed", range(20))
def test_every_throw_lies_untouched_for_a_while(seed: int):
    steps = story(rng(seed), 3, 4)
    after = [steps[at + 1] for at, step in enumerate(steps) if step.kind == "throw"]
    assert all(step.kind == "rest" and step.seconds >= CALM for step in after)


def test_stories_differ_and_a_seed_tells_the_same_again():
    assert story(rng(5), 5, 4) == story(rng(5), 5, 4)
    told = [story(rng(seed), 5, 4) for seed in range(60)]
    kinds = {step.kind for steps in told for step in steps}
    assert kinds == {"throw", "pick-up", "nudge", "set-aside", "wave", "light", "bump", "put-back", "clear", "rest"}
    assert any(step.kind == "throw" and len(step.dice) < 5 for steps in told for step in steps)


def test_a_single_die_is_always_thrown():
    assert all(step.dice == (0,) for step in story(rng(3), 1, 4) if step.kind == "throw")


# The truth


def piece(value: int, *, thrown: bool) -> dict[str, object]:
    return {"id": value, "value": value, "thrown": thrown}


def test_a_roll_lasts_until_a_die_is_touched():
    truth = Truth()
    truth.roll(10, 20, [piece(5, thrown=True), piece(2, thrown=False), piece(1, thrown=True)])
    truth.touched(41)
    truth.touched(60)
    truth.other("pick-up", 38, 70, dice=[0])
    truth.roll(80, 90, [piece(6, thrown=True)])
    told = truth.told("0007.mp4", 15, 100, (480, 360), 7)
    first, picked, last = told["events"]
    assert (first["values"], first["thrown"], first["still"]) == ([1, 2, 5], [1, 5], [2])
    assert (first["settled_from_frame"], first["settled_to_frame"]) == (20, 40)
    assert picked == {"kind": "pick-up", "from_frame": 38, "to_frame": 70, "dice": [0]}
    assert last["settled_to_frame"] == 99
    assert truth.rolls == 2
    assert json.loads(json.dumps(told)) == told


# The dice


def cube(value: int, *, mirrored: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[int]]:
    """A cube's six polygons as they are painted: the middle in the atlas, the normal, the area, and the values."""
    sides = shapes.faces_with_up(value, mirrored, 2)
    cells = np.array(sides) - 1
    columns, rows = PIP_GRID
    uv = np.stack([(cells % columns + 0.5) / columns, (rows - 0.5 - cells // columns) / rows], -1)
    return uv, shapes.AXES, np.ones(6), sides


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("mirrored", [False, True])
def test_what_is_painted_on_a_side_is_read_off_the_mesh(value: int, mirrored: bool):
    uv, normals, areas, sides = cube(value, mirrored=mirrored)
    values, outward = dice.faces(uv, normals, areas, PIP_GRID)
    assert values.tolist() == [1, 2, 3, 4, 5, 6]
    assert dice.upper(values, outward) == value
    for painted, normal in zip(sides, shapes.AXES, strict=True):
        assert outward[painted - 1] == pytest.approx(normal)


def test_a_die_that_leans_shows_nothing():
    values, outward = dice.faces(*cube(3, mirrored=False)[:3], PIP_GRID)
    lean = np.radians(4)
    turn = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    assert dice.upper(values, outward @ turn.T) is None


def test_a_face_has_the_vertices_that_lie_flat_on_it():
    shape = shapes.rounded_cube(0.2, 1.5)
    on_top = dice.on_face(shape.vertices, np.array([0.0, 0.0, 1.0]))
    assert 0 < on_top.sum() < len(on_top) / 4
    assert (shape.vertices[on_top][:, 2] > 0.97).all()


# Patches


def test_boxes_far_apart_are_rendered_apart_and_close_ones_together():
    near, far = Box(0, 0, 40, 40), Box(400, 300, 440, 340)
    assert sorted(clusters([near, far]), key=lambda box: box.left) == [near, far]
    assert clusters([near, Box(20, 10, 60, 50)]) == [Box(0, 0, 60, 50)]
    assert clusters([]) == []


def test_a_patch_fades_in_except_at_the_border_of_the_picture():
    seam = Box(0, 10, 30, 50).seam(100, 100, 6)
    assert seam.shape == (40, 30)
    assert seam[20, 0] == seam[20, 15] == 1
    assert 0 < seam[0, 15] < 0.2
    assert 0 < seam[20, 29] < 0.2


def test_a_box_is_cut_to_the_picture():
    box = Box.around([(-30.0, 5.0), (10.2, 20.0)], room=2).inside(100, 15)
    assert box == Box(0, 3, 13, 15)
    assert Box(50, 5, 40, 9).area == 0


# The camera


def test_the_camera_sees_the_middle_of_what_is_rendered_and_shakes_but_faintly():
    canvas = np.full((100 + 2 * MARGIN, 140 + 2 * MARGIN, 3), 90, np.uint8)
    canvas[MARGIN + 48 : MARGIN + 53, MARGIN + 68 : MARGIN + 73] = 255
    camera = Sensor(rng(), 15, canvas, grain=0.0)
    spots = [np.argwhere((frame := camera.frame(canvas))[..., 1] > frame.max() * 0.8).mean(0) for _ in range(20)]
    assert camera.frame(canvas).shape == (100, 140, 3)
    assert np.abs(np.array(spots) - (50, 70)).max() < 3


def test_a_bump_swings_and_dies_away():
    canvas = rng().integers(0, 255, (100, 140, 3)).astype(np.uint8)
    canvas = np.asarray(Image.fromarray(canvas).resize((140 * 2, 100 * 2)))
    camera = Sensor(rng(4), 20, canvas, grain=0.0)
    before = camera.frame(canvas).astype(int)
    calm = np.abs(camera.frame(canvas) - before).mean()
    camera.bump()
    swing = [camera.frame(canvas).astype(int) for _ in range(40)]
    steps = [np.abs(b - a).mean() for a, b in pairwise(swing)]
    assert max(steps[:6]) > 2 * max(calm, 1)
    assert max(steps[-6:]) < max(steps[:6]) / 2


def test_exposure_follows_the_light_but_not_at_once():
    light, dark = (np.full((80, 100, 3), value, np.uint8) for value in (160, 40))
    camera = Sensor(rng(2), 15, light, grain=0.0)
    bright = camera.frame(light).mean()
    first, *_, last = [camera.frame(dark).mean() for _ in range(60)]
    assert first < bright / 2
    assert last > 1.3 * first


# Hands


def sprite(folder: Path) -> Path:
    """An arm with a dot where the cup holds: 2 units wide, from the sleeve to the grip."""
    left, near, right, far = hands.FRAME
    size = round((right - left) * hands.UNIT), round((far - near) * hands.UNIT)
    image = Image.new("RGBA", size)
    x, y = hands.GRIPS["cup"]
    grip = round((x - left) * hands.UNIT), round((far - y) * hands.UNIT)
    image.paste((200, 150, 120, 255), (grip[0] - hands.UNIT, grip[1], grip[0] + hands.UNIT, size[1]))
    path = folder / "cup-0.png"
    image.save(path)
    return path


@pytest.mark.parametrize(("way", "arm"), [(0.0, (100, 30)), (np.pi / 2, (30, 150)), (np.pi, (100, 270))])
def test_the_arm_reaches_out_of_the_picture_behind_the_grip(way: float, arm: tuple[int, int], tmp_path: Path):
    canvas = np.full((200, 300, 3), 20, np.uint8)
    hand = hands.drawn(sprite(tmp_path), rng(), 10.0, way, light=0.6, reach=500, skin=0)
    seen = hand.over(canvas, (150, 100))
    ahead = round(100 + 30 * np.sin(way)), round(150 + 30 * np.cos(way))
    assert seen[arm][0] > 120
    assert seen[ahead].max() <= 20
    assert (canvas == 20).all()


def test_a_hand_out_of_the_picture_leaves_it_alone(tmp_path: Path):
    canvas = np.full((50, 60, 3), 77, np.uint8)
    hand = hands.drawn(sprite(tmp_path), rng(), 5.0, 0.0, light=0.5, reach=100, skin=1)
    assert (hand.over(canvas, (-400, 25)) == canvas).all()
    assert (hand.over(canvas, (30, 900)) == canvas).all()


# Sound, recipes, files


def test_dice_are_heard_when_they_hit():
    sound = clatter(rng(), [0.5], 1.0, 8000)
    loud = np.abs(sound).reshape(10, -1).max(1)
    assert sound.shape == (8000,)
    assert np.abs(sound).max() <= 1
    assert loud.argmax() == 5
    assert loud[5] > 3 * loud[:5].max()
    assert clatter(rng(), [0.99], 1.0, 8000).shape == (8000,)


def test_the_recipe_of_the_house_is_one():
    assert recipe.load(RECIPE)["table"]["cocked"] == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dice: [7, 2]", "dice must be"),
        ("rates: [500]", "rates must be"),
        ("fancy: 3", "fancy must be"),
        ("samples_moving: 0", "samples_moving must be"),
        ("glamour: 1", "just the keys"),
    ],
)
def test_a_wrong_recipe_says_what_to_change(line: str, message: str, tmp_path: Path):
    key = line.split(":", maxsplit=1)[0]
    kept = [old for old in RECIPE.read_text().splitlines() if not old.startswith(f"{key}:")]
    path = tmp_path / "clips.yaml"
    path.write_text("\n".join([*kept, line]))
    with pytest.raises(RecipeError, match=message):
        recipe.load(path)


def test_only_clips_without_truth_are_missing(tmp_path: Path):
    truth_file(tmp_path, 1001).write_text("{}")
    assert Farm(tmp_path, {}).missing(range(1000, 1003)) == [1000, 1002]
    assert truth_file(tmp_path, 7).name == "0007.json"


def test_the_command_refuses_what_makes_no_sense(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for arguments in (["--count", "0"], ["--seed", "-1"], ["--game", "chess"]):
        with pytest.raises(SystemExit) as left:
            command.main([*arguments, "--out", str(tmp_path)])
        assert left.value.code == 2
    with pytest.raises(SystemExit, match="cannot read the recipe"):
        command.main(["--recipe", str(tmp_path / "none.yaml"), "--out", str(tmp_path)])
    assert capsys.readouterr().err
    assert "bpy" not in sys.modules
