"""A cribbage board with its pegs, beside the pieces."""

from __future__ import annotations

import math

import bmesh
import numpy as np
from mathutils import Matrix

from datasets.generate.blender.materials import Stuff
from datasets.generate.blender.pieces.look_alikes import make_box, make_solid, print_on
from datasets.generate.blender.table import Rng, Scene, under_pixel
from datasets.generate.parts.cribbage_boards import CribbageBoard, Peg, cribbage_board

_TRIES = 60
_LEAST_IN_SIGHT = 0.2
"""Least share of the picture that shows the board."""


def lay(scene: Scene) -> None:
    """Lay a board on the table where it covers no piece and is partly in the picture; if there is such a place."""
    rng = scene.rng
    board = cribbage_board(rng)
    for _ in range(_TRIES):
        spot = under_pixel(scene, rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6))
        turn = rng.uniform(0, 2 * math.pi)
        if spot and _is_free(scene, board, spot, turn) and _in_sight(scene, board, spot, turn) >= _LEAST_IN_SIGHT:
            _put(scene, board, Matrix.Translation((*spot, 0)) @ Matrix.Rotation(turn, 4, "Z"))
            return


def _is_free(scene: Scene, board: CribbageBoard, spot: tuple[float, float], turn: float) -> bool:
    return all(_beside(board, spot, turn, (x, y)) >= 1.2 * r for x, y, r in scene.taken)


def _in_sight(scene: Scene, board: CribbageBoard, spot: tuple[float, float], turn: float) -> float:
    """The share of the picture, sampled on a grid, that shows the board."""
    steps = np.linspace(-0.48, 0.48, 9)
    places = [place for u in steps for v in steps if (place := under_pixel(scene, u, v))]
    return sum(_beside(board, spot, turn, place) == 0 for place in places) / max(1, len(places))


def _beside(board: CribbageBoard, spot: tuple[float, float], turn: float, place: tuple[float, float]) -> float:
    """The distance of a place on the table from a board centred at `spot`; 0 under it."""
    dx, dy = place[0] - spot[0], place[1] - spot[1]
    cos, sin = math.cos(turn), math.sin(turn)
    along, aside = abs(cos * dx + sin * dy), abs(cos * dy - sin * dx)
    return math.hypot(max(0.0, along - board.size[0] / 2), max(0.0, aside - board.size[1] / 2))


def _put(scene: Scene, board: CribbageBoard, place: Matrix) -> None:
    """Add the slab with its print, and the pegs in it."""
    rng = scene.rng
    stuff, thick = Stuff((1, 1, 1), rng.uniform(0.15, 0.7)), rng.uniform(0.4, 1.3)
    pixels = np.ones((*board.top.shape[:2], 4), np.float32)
    pixels[..., :3] = board.top / np.float32(255)
    print_on(stuff, pixels)
    slab = make_box((*board.size, thick), rng.uniform(0.03, 0.2), stuff)
    slab.matrix_world = place @ Matrix.Translation((0, 0, thick / 2))
    scene.others.append(slab)
    for peg in board.pegs:
        _stick(board, peg, place @ Matrix.Translation((0, 0, thick)), rng)


def _stick(board: CribbageBoard, peg: Peg, top: Matrix, rng: Rng) -> None:
    """Add a peg in its hole: wider at its head, and leaning."""
    stuff = Stuff(peg.colour, rng.uniform(0.1, 0.4))
    if peg.metal:
        stuff.set(Metallic=1.0)
    shape = bmesh.new()
    bmesh.ops.create_cone(
        shape, cap_ends=True, segments=16, radius1=peg.radius * 0.8, radius2=peg.radius, depth=peg.tall,
        matrix=Matrix.Translation((0, 0, peg.tall / 2)),
    )  # fmt: skip
    head = Matrix.Translation((0, 0, peg.tall)) @ Matrix.Diagonal((1, 1, rng.uniform(0.3, 1), 1))
    bmesh.ops.create_uvsphere(shape, u_segments=16, v_segments=8, radius=peg.radius, matrix=head)
    lean = Matrix.Rotation(rng.normal(0, 0.05), 4, "X") @ Matrix.Rotation(rng.normal(0, 0.05), 4, "Y")
    x, y = peg.at[0] - board.size[0] / 2, board.size[1] / 2 - peg.at[1]  # the print's first row is at the far side
    make_solid("peg", shape, stuff).matrix_world = top @ Matrix.Translation((x, y, 0)) @ lean
