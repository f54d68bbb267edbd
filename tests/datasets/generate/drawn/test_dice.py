from dataclasses import replace

import numpy as np
import pytest

from datasets.generate.drawn import dice
from datasets.generate.drawn.camera import any_camera
from datasets.generate.drawn.dice import CLASSES, draw, many
from datasets.generate.drawn.die_faces import any_die, on_face
from datasets.generate.parts.canvas import SIDE
from datasets.generate.parts.lettering.fonts import DIGIT, fonts, typeface
from datasets.generate.parts.lettering.numerals import any_lettering, number
from datasets.generate.parts.solids import any_d12, lying, numbering, twelve


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
    mask = np.zeros((SIDE, SIDE), np.float32)
    mask[30:50, 36:44] = 1
    crop = np.full((SIDE, SIDE, 3), 200, np.uint8)
    assert dice.contrast(crop, mask) == 0
    crop[mask > 0] = (200, 140, 200)
    assert dice.contrast(crop, mask) == pytest.approx(60)


def test_draw_gives_every_class_about_evenly(typefaces):
    rng = np.random.default_rng(11)
    drawn = [draw(rng) for _ in range(400)]
    assert {(crop.shape, crop.dtype) for crop, _ in drawn} == {((SIDE, SIDE, 3), np.dtype(np.uint8))}
    counts = np.bincount([what for _, what in drawn], minlength=len(CLASSES))
    assert 35 < counts[0] < 90
    assert counts[1:].min() > 10
    assert np.mean([crop.std() > 3 for crop, _ in drawn]) > 0.97


def test_many_is_the_same_with_one_process_and_with_two(typefaces, monkeypatch):
    monkeypatch.setattr(dice, "_CHUNK", 4)
    drawn, classes = many(10, 3, 1)
    again, classes_again = many(10, 3, 2)
    assert drawn.shape == (10, SIDE, SIDE, 3)
    np.testing.assert_array_equal(drawn, again)
    np.testing.assert_array_equal(classes, classes_again)
    assert not np.array_equal(drawn, many(10, 4, 1)[0])
