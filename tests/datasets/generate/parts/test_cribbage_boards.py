"""Cribbage boards: where their holes and pegs are."""

import numpy as np
import pytest

from datasets.generate.parts.cribbage_boards import SCALE, _holes, cribbage_board

BOARDS = [cribbage_board(np.random.default_rng(seed)) for seed in range(12)]


def test_a_board_differs_by_its_seed_alone():
    again = cribbage_board(np.random.default_rng(0))
    assert (again.top == BOARDS[0].top).all()
    assert again.pegs == BOARDS[0].pegs
    assert BOARDS[0].top.shape != BOARDS[1].top.shape or (BOARDS[0].top != BOARDS[1].top).any()


def test_its_print_is_as_large_as_the_board():
    for board in BOARDS:
        assert np.allclose(np.array(board.top.shape[1::-1]) / SCALE, board.size, atol=1 / SCALE)
        assert board.top.dtype == np.uint8


def test_holes_come_in_groups_of_five():
    line = np.linspace((0.0, 0.0), (20.0, 0.0), 300)
    holes = _holes(line, 0.4, 3)
    assert holes.shape[1:] == (3, 2)
    steps = np.diff(holes[:, 1, 0])
    assert np.allclose(np.delete(steps, slice(4, None, 5)), 0.4, atol=0.01)
    assert np.allclose(steps[4::5], 0.64, atol=0.01)
    assert np.allclose(np.diff(holes[:, :, 1], axis=1), 0.4, atol=0.01)


@pytest.mark.parametrize("board", [board for board in BOARDS if board.pegs])
def test_pegs_stand_on_the_board(board):
    for peg in board.pegs:
        assert 0 < peg.at[0] < board.size[0]
        assert 0 < peg.at[1] < board.size[1]
        assert 0.03 < peg.radius < 0.3


def test_some_boards_have_no_pegs_and_some_have():
    pegs = [len(cribbage_board(np.random.default_rng(seed)).pegs) for seed in range(30)]
    assert 0 in pegs
    assert max(pegs) >= 4
