import numpy as np
import pytest

from datasets.render.shapes import AXES, faces_with_up, polyhedron, rounded_cube


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
