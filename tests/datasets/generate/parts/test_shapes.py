import numpy as np
import pytest

from datasets.generate.parts.shapes import (
    AXES,
    Solid,
    faces_with_up,
    facets,
    numbering,
    polyhedron,
    rounded_cube,
    rounded_solid,
    skew_twelve,
)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_die_is_numbered_one_way_round_however_it_lies(mirrored: bool):
    for value in range(1, 7):
        for turn in range(4):
            sides = faces_with_up(value, mirrored, turn)
            assert sorted(sides) == [1, 2, 3, 4, 5, 6]
            assert sides[0] == value
            assert all(sides[i] + sides[i + 1] == 7 for i in (0, 2, 4))
            assert hand(sides) == hand(faces_with_up(1, mirrored, 0))


def test_the_two_ways_differ():
    assert hand(faces_with_up(1, True, 0)) == -hand(faces_with_up(1, False, 0))


def hand(sides: list[int]) -> int:
    """1 or -1: whether 1, 2 and 3 run one way round their corner or the other."""
    return round(np.linalg.det([AXES[sides.index(v)] for v in (1, 2, 3)]))


def test_a_rounded_cube_is_closed_and_turned_outwards():
    cube = rounded_cube(0.2, 1.5)
    edges = [tuple(sorted((q[i], q[(i + 1) % 4]))) for q in cube.quads for i in range(4)]
    assert all(edges.count(edge) == 2 for edge in edges[:50])
    a, b, c = (cube.vertices[cube.quads[:, i]] for i in range(3))
    outwards = (np.cross(b - a, c - b) * a).sum(1)
    assert (outwards > -1e-9).all()
    assert np.linalg.norm(cube.vertices, axis=1).max() <= 1.5 + 1e-9


@pytest.mark.parametrize(("faces", "corners"), [(4, 4), (8, 6), (10, 12), (12, 20), (20, 12)])
def test_polyhedra_have_their_corners(faces: int, corners: int):
    vertices = polyhedron(faces)
    assert len(np.unique(np.round(vertices, 6), axis=0)) == corners
    assert np.linalg.norm(vertices, axis=1).max() == pytest.approx(1)


def test_there_is_no_die_with_seven_faces():
    with pytest.raises(ValueError, match="4, 8, 10, 12 and 20"):
        polyhedron(7)


@pytest.mark.parametrize(("faces", "corners"), [(4, 3), (8, 3), (10, 4), (12, 5), (20, 3)])
def test_a_die_has_as_many_faces_as_its_name_says(faces: int, corners: int):
    hull = polyhedron(faces)
    assert [len(face) for face in facets(hull)] == [corners] * faces


@pytest.mark.parametrize("faces", [4, 8, 10, 12, 20])
def test_a_rounded_die_is_closed_and_turned_outwards(faces: int):
    die = rounded_solid(polyhedron(faces), 0.1)
    pairs = np.sort(die.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    assert (np.unique(pairs, axis=0, return_counts=True)[1] == 2).all()
    a, b, c = (die.vertices[die.triangles[:, i]] for i in range(3))
    assert (np.cross(b - a, c - b) * die.normals[die.side]).sum(1).min() > 0
    assert np.linalg.norm(die.vertices, axis=1).max() < 1


def test_the_flat_part_of_every_face_has_dozens_of_points_on_one_plane():
    die = rounded_solid(polyhedron(12), 0.1)
    assert (die.flat.sum(1) > 40).all()
    assert not (die.flat.sum(0) > 1).any()
    for face in range(12):
        heights = die.vertices[die.flat[face]] @ die.normals[face]
        assert np.ptp(heights) < 1e-6


@pytest.mark.parametrize("faces", [8, 12])
def test_what_is_drawn_on_a_face_is_not_mirrored_and_stands_towards_a_corner(faces: int):
    die = rounded_solid(polyhedron(faces), 0.01)
    for face in range(faces):
        right, up = axes_of(die, face)
        assert np.cross(right, up) @ die.normals[face] == pytest.approx(1, abs=1e-6)
        rim = die.vertices[die.flat[face]] @ up
        assert rim.max() > -rim.min()


@pytest.mark.parametrize("faces", [8, 10, 12, 20])
def test_numbers_on_opposite_faces_add_up(faces: int):
    die = rounded_solid(polyhedron(faces), 0.1)
    numbers = np.array(numbering(np.random.default_rng(3), die))
    assert sorted(numbers) == list(range(1, faces + 1))
    opposite = np.argmin(die.normals @ die.normals.T, axis=1)
    assert (numbers + numbers[opposite] == faces + 1).all()


@pytest.mark.parametrize("normal", [(0.5257311, 0.8506508, 0.0), (0.47, 0.85, 0.1), (0.58, 0.85, -0.12)])
def test_a_skew_die_has_twelve_faces_with_five_corners_that_touch_one_ball(normal: tuple[float, float, float]):
    corners = skew_twelve(normal)
    faces = facets(corners)
    assert len(corners) == 20
    assert [len(face) for face in faces] == [5] * 12
    die = rounded_solid(corners, 0.1)
    heights = (die.normals @ die.vertices.T).max(1)
    assert np.ptp(heights) < 1e-6
    opposite = np.argmin(die.normals @ die.normals.T, axis=1)
    assert (opposite[opposite] == np.arange(12)).all()


def axes_of(die: Solid, face: int) -> tuple[np.ndarray, np.ndarray]:
    """The directions in space in which the two texture axes of a face run, from its flat triangles."""
    inner = (die.side == face) & die.flat[face][die.triangles].all(1)
    uv, points = die.uv[inner].reshape(-1, 2), die.vertices[die.triangles[inner]].reshape(-1, 3)
    right, up = np.linalg.lstsq(np.c_[uv, np.ones(len(uv))], points, rcond=None)[0][:2]
    return right / np.linalg.norm(right), up / np.linalg.norm(up)
