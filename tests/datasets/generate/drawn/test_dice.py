from dataclasses import replace

import numpy as np
import pytest

from datasets.generate.drawn import dice
from datasets.generate.drawn.__main__ import main
from datasets.generate.drawn.camera import any_camera
from datasets.generate.drawn.dice import D12, NOTHING, PIP, draw, draw_class
from datasets.generate.drawn.dice_scenes import other_die, pip_die
from datasets.generate.drawn.die_faces import any_die, on_face
from datasets.generate.drawn.look_alikes import nothing_scene
from datasets.generate.drawn.materials import any_light
from datasets.generate.drawn.render_die import Rounding, any_rounding, put
from datasets.generate.parts.canvas import CANVAS
from datasets.generate.parts.lettering import numerals
from datasets.generate.parts.lettering.fonts import DIGIT, fonts, typeface
from datasets.generate.parts.lettering.numerals import any_lettering, number
from datasets.generate.parts.solids import any_d12, bag, lying, numbering, twelve
from datasets.labels import crop_files
from datasets.labels.crop_files import DRAWN
from vision.classify.dice import CLASSES


@pytest.fixture(scope="module")
def typefaces():
    try:
        return fonts()
    except FileNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture
def lettering(typefaces):
    return any_lettering(np.random.default_rng(1))


def bodies():
    rng = np.random.default_rng(3)
    return [any_d12(rng) for _ in range(40)]


def test_no_font_says_what_to_install(tmp_path):
    with pytest.raises(FileNotFoundError, match="apt-get install fonts-"):
        fonts([tmp_path])


def test_a_file_that_is_no_font_is_passed_over(tmp_path, typefaces):
    (tmp_path / "broken.ttf").write_bytes(b"not a font")
    (tmp_path / "good.ttf").write_bytes(typefaces[0].read_bytes())
    (tmp_path / "twin.ttf").write_bytes(typefaces[0].read_bytes())
    assert len(fonts([tmp_path])) == 1


def test_typefaces_draw_ten_different_digits_of_one_height(typefaces):
    for file in typefaces[::40]:
        digits = typeface(file)
        assert {mask.shape[0] for mask in digits} == {DIGIT}
        assert len({mask.tobytes() for mask in digits}) == 10


def test_some_dice_have_a_one_with_a_long_flag_and_nothing_else_is_drawn_otherwise(typefaces, monkeypatch):
    def letterings() -> list:
        rngs = [np.random.default_rng(k) for k in range(200)]
        return [(any_lettering(rng), rng.random()) for rng in rngs]

    found = letterings()
    monkeypatch.setattr(numerals, "_FLAGGED", 0)
    plain = letterings()
    flagged = [
        one[0].digits[1].tobytes() != other[0].digits[1].tobytes() for one, other in zip(found, plain, strict=True)
    ]
    assert 0.1 < np.mean(flagged) < 0.26
    for (one, after), (other, same) in zip(found, plain, strict=True):
        assert after == same
        assert (one.size, one.mark, one.tilt) == (other.size, other.mark, other.tilt)
        assert [a.tobytes() for a in one.digits[2:]] == [b.tobytes() for b in other.digits[2:]]


@pytest.mark.parametrize("body", bodies())
def test_every_d12_is_a_closed_convex_solid_of_twelve_faces(body):
    assert len(body.faces) == 12
    edges = [(face[i - 1], face[i]) for face in body.faces for i in range(len(face))]
    assert len(set(edges)) == len(edges)
    assert {(b, a) for a, b in edges} == set(edges)  # each edge once in each direction: closed, all wound alike
    for face, normal in zip(body.faces, body.normals, strict=True):
        reach = body.vertices @ normal
        assert reach.max() == pytest.approx(reach[list(face)].min(), abs=1e-3)
        a, b, c = body.vertices[list(face[:3])]
        assert np.cross(b - a, c - b) @ normal > 0


@pytest.mark.parametrize("value", range(1, 13))
def test_numbers_are_all_there_and_opposite_ones_add_up_to_thirteen(value):
    rng = np.random.default_rng(value)
    for body in bodies():
        turned, top = lying(rng, body)
        values = numbering(rng, turned, top, value)
        opposite = np.argmin(turned.normals @ turned.normals.T, axis=1)
        assert values[top] == value
        assert sorted(values) == list(range(1, 13))
        assert [values[k] for k in opposite] == [13 - v for v in values]


def test_the_die_rests_on_a_face_and_the_top_is_the_highest():
    rng = np.random.default_rng(5)
    for body in bodies():
        turned, top = lying(rng, body)
        assert turned.normals[:, 2].min() == pytest.approx(-1)
        heights = [turned.vertices[list(face), 2].mean() for face in turned.faces]
        assert heights[top] == pytest.approx(max(heights), abs=1e-6)


def test_the_top_number_is_seen_and_upper_in_oblique_pictures():
    rng = np.random.default_rng(7)
    for _ in range(60):
        body, top = lying(rng, twelve(0, 162))
        camera = any_camera(rng, body)
        middle = camera.see(body.vertices[list(body.faces[top])].mean(axis=0)[None])[0]
        seen = camera.see(body.vertices)
        assert (seen.min(axis=0) < middle).all()
        assert (middle < seen.max(axis=0)).all()
        if camera.towards[2] < np.sin(np.radians(60)):
            assert middle[1] < seen[:, 1].mean()


def test_numbers_are_drawn_the_right_way_round(lettering):
    """Counter-clockwise from outside: a mirrored numeral would turn the sign of the matrix that puts it on the picture."""
    rng = np.random.default_rng(9)
    for _ in range(40):
        body, top = lying(rng, any_d12(rng))
        die = any_die(rng, body, numbering(rng, body, top, 7), lettering)
        place = any_camera(rng, body).matrix @ on_face(die, top, number(7, lettering))
        corners = np.array([[0, 0, 1], [20, 0, 1], [0, 20, 1]]) @ place.T
        a, b, c = corners[:, :2] / corners[:, 2:]
        assert np.linalg.det([b - a, c - a]) > 0


@pytest.mark.parametrize("mark", ["dot", "bar"])
def test_only_six_and_nine_are_marked(lettering, mark):
    marked = replace(lettering, mark=mark, outline=False)
    plain = replace(marked, mark="")
    for value in range(1, 13):
        same = np.array_equal(number(value, marked), number(value, plain))
        assert same == (value not in (6, 9))


def test_contrast_tells_a_number_from_a_bare_face():
    mask = np.zeros((DRAWN, DRAWN), np.float32)
    mask[30:50, 36:44] = 1
    crop = np.full((DRAWN, DRAWN, 3), 200, np.uint8)
    assert dice.contrast(crop, mask) == 0
    crop[mask > 0] = (200, 140, 200)
    assert dice.contrast(crop, mask) == pytest.approx(60)


@pytest.mark.parametrize("faces", [4, 6, 8, 10, 20])
def test_every_body_of_the_bag_is_convex_and_has_its_faces(faces):
    body = bag(faces)
    assert len(body.faces) == faces
    for face, normal in zip(body.faces, body.normals, strict=True):
        reach = body.vertices @ normal
        assert reach[list(face)] == pytest.approx(reach.max(), abs=1e-3)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_pip_die_shows_its_value_on_top_and_opposite_faces_add_up_to_seven(value, typefaces):
    for seed in range(8):
        standing = pip_die(np.random.default_rng(seed), value)
        body, values = standing.die.body, standing.die.values
        top = int(np.argmax(body.normals[:, 2]))
        opposite = int(np.argmin(body.normals @ body.normals[top]))
        assert (standing.value, values[top], values[opposite]) == (value, value, 7 - value)


def test_the_tops_marks_lie_where_the_camera_sees_the_top(typefaces):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        standing = pip_die(rng, 5)
        body, camera = standing.die.body, any_camera(rng, standing.die.body)
        ground = np.full((CANVAS, CANVAS, 3), 0.5, np.float32)
        shown, marks = put(
            rng, ground, standing.die, standing.marks, any_rounding(rng, cube=True), camera, any_light(rng)
        )
        assert (ground == 0.5).all()
        assert shown.shape == ground.shape
        rows, columns = np.nonzero(marks > 0.5)
        low, high = (f(camera.see(body.corners(int(np.argmax(body.normals[:, 2])))), axis=0) for f in (np.min, np.max))
        assert (low - 2 < (columns.min(), rows.min())).all()
        assert ((columns.max(), rows.max()) < high + 2).all()


def test_rounding_leaves_less_of_a_die(typefaces):
    """The outline of a rounded cube lies inside that of the sharp one."""
    rng = np.random.default_rng(2)
    standing, light = pip_die(rng, 1), any_light(rng)
    camera = any_camera(rng, standing.die.body, 60)
    ground = np.zeros((CANVAS, CANVAS, 3), np.float32)
    areas = [
        (put(np.random.default_rng(3), ground, standing.die, standing.marks, rounding, camera, light)[0] > 0.01).mean()
        for rounding in (Rounding(), Rounding(0.4), Rounding(0.4, 1.2))
    ]
    assert areas[0] > areas[1] > areas[2] > 0


def test_other_dice_have_no_value_that_counts(typefaces):
    standing = [other_die(np.random.default_rng(seed)) for seed in range(40)]
    assert {one.value for one in standing} == {0}
    assert {len(one.die.body.faces) for one in standing} == {4, 6, 8, 10, 20}


def test_nothing_is_drawn_outside_of_what_a_canvas_holds(typefaces):
    for seed in range(30):
        scene = nothing_scene(np.random.default_rng(seed))
        assert scene.shape == (CANVAS, CANVAS, 3)
        assert np.isfinite(scene).all()


@pytest.mark.parametrize("label", range(len(CLASSES)))
def test_each_class_can_be_drawn_and_repeats_by_seed(label, typefaces):
    first, again, other = (draw_class(np.random.default_rng((label, seed)), label) for seed in (1, 1, 2))
    assert (first[0].shape, first[0].dtype, first[1]) == ((DRAWN, DRAWN, 3), np.uint8, label)
    np.testing.assert_array_equal(first[0], again[0])
    assert not np.array_equal(first[0], other[0])


def test_draw_gives_every_class(typefaces, monkeypatch):
    """Dice with pips as often as not; nothing and others about as often as each other."""
    monkeypatch.setattr(dice, "draw_class", lambda _, label: (np.zeros((DRAWN, DRAWN, 3), np.uint8), label))
    rng = np.random.default_rng(11)
    counts = np.bincount([draw(rng)[1] for _ in range(4000)], minlength=len(CLASSES))
    assert counts.min() > 50
    assert counts[PIP:D12].sum() == pytest.approx(1600, abs=150)
    assert counts[NOTHING] == pytest.approx(640, abs=100)


def test_the_command_draws_the_same_with_any_number_of_processes_and_goes_on_where_it_stopped(
    typefaces, tmp_path, monkeypatch
):
    monkeypatch.setattr(dice, "CHUNK", 3)
    out = tmp_path / "drawn"
    command = ["--seed", "3", "--out", str(out), "--processes", "1", "--count"]
    drawn = dice.Chunk(tmp_path, 3, 3)
    drawn.write()
    monkeypatch.setattr(dice, "write_all", None)
    monkeypatch.setattr("datasets.generate.drawn.__main__.write_all", lambda todo, *_: (one.write() for one in todo))
    main([*command, "3"])
    first = out / "3-0000000.npz"
    kept = first.stat().st_mtime_ns
    main([*command, "6"])
    assert first.stat().st_mtime_ns == kept
    ours, theirs = crop_files.read(out / "3-0000003.npz"), crop_files.read(drawn.file)
    assert [crop.label for crop in ours] == [crop.label for crop in theirs]
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one.pixels, other.pixels)
