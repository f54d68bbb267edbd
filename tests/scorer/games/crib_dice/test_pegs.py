"""Fuchle, double fuchle, bumping, and the pegs of partners."""

import pytest


def lose(table, side: int, times: int) -> None:
    """So many wipeouts of one of two sides in a row; the other pegs 2 in between."""
    for _ in range(times):
        table.wipe_out()
        if table.state.to_act is not None and table.state.mover != side:
            table.turn(2)


def test_the_third_wipeout_in_a_row_fuchles(seat) -> None:
    table = seat().place(50, 10)
    lose(table, 0, 2)
    assert table.holes[0] == 50
    assert table.wipe_out() == ["thrown", "frozen", "wipeout", "fuchled", "turn"]
    assert (table.holes[0], table.state.sides[0].fuchled) == (0, True)


def test_in_pandemonium_the_fourth_wipeout_fuchles_and_the_sixth_is_out(seat) -> None:
    table = seat(pandemonium=True, double_fuchle=True).place(50, 10)
    lose(table, 0, 3)
    assert table.holes[0] == 50
    lose(table, 0, 1)
    assert table.holes[0] == 0
    lose(table, 0, 1)
    assert not table.state.sides[0].out
    assert "eliminated" in table.wipe_out()


def test_any_score_resets_the_streak(seat) -> None:
    table = seat().place(50, 10).change(0, streak=2)
    table.turn(1)
    assert (table.holes[0], table.state.sides[0].streak) == (51, 0)


@pytest.mark.parametrize("fuchles", [True, False])
def test_a_peg_at_the_start_is_fuchled_too(seat, fuchles: bool) -> None:
    table = seat(fuchle_at_start=fuchles, double_fuchle=True)
    lose(table, 0, 3)
    assert (table.state.sides[0].fuchled, table.state.sides[0].streak) == (fuchles, 3)
    lose(table, 0, 2)
    assert table.state.sides[0].out == fuchles


def test_a_fuchled_player_who_scores_is_on_the_board_again(seat) -> None:
    table = seat(double_fuchle=True).place(50, 10)
    lose(table, 0, 4)
    table.turn(5)
    assert (table.holes[0], table.state.sides[0].fuchled, table.state.sides[0].streak) == (5, False, 0)


def test_two_more_wipeouts_eliminate_and_the_one_left_has_won(seat) -> None:
    table = seat(double_fuchle=True).place(50, 10)
    lose(table, 0, 5)
    assert table.state.to_act is None
    assert table.state.result.winners == (1,)
    assert table.state.result.ranking == ((1,), (0,))


def test_without_double_fuchle_nobody_is_eliminated(seat) -> None:
    table = seat().place(50, 10)
    lose(table, 0, 7)
    assert (table.state.sides[0].streak, table.state.sides[0].out, table.state.to_act) == (7, False, 0)


def test_an_eliminated_player_is_skipped(seat) -> None:
    table = seat(3, double_fuchle=True).place(10, 0, 10).change(1, streak=4, fuchled=True)
    table.turn(2)
    table.wipe_out()
    assert table.refused("stop")
    order = []
    for _ in range(3):
        order.append(table.state.to_act)
        table.turn(2)
    assert order == [2, 0, 2]


def test_a_peg_that_comes_to_a_taken_hole_sends_the_other_5_back(seat) -> None:
    table = seat(bumping=True, lanes=(0, 0)).place(10, 15)
    assert table.turn(5)[-2:] == ["bumped", "turn"]
    assert table.holes == (15, 10)


def test_the_bumped_peg_bumps_in_turn(seat) -> None:
    table = seat(4, bumping=True, lanes=(0, 0, 0, 1)).place(10, 15, 10, 15)
    table.turn(5)
    assert table.holes == (15, 10, 5, 15)


def test_nobody_is_bumped_below_the_start_and_that_is_no_fuchle(seat) -> None:
    table = seat(bumping=True, lanes=(0, 0)).place(0, 3)
    table.turn(3)
    assert (table.holes, table.state.sides[1].fuchled) == ((3, 0), False)


@pytest.mark.parametrize("options", [{"bumping": True}, {"lanes": (0, 0)}, {"bumping": True, "lanes": (0, 1)}])
def test_pegs_collide_on_shared_tracks_and_with_the_rule_only(seat, options: dict[str, object]) -> None:
    table = seat(**options).place(10, 15)
    table.turn(5)
    assert table.holes == (15, 15)


def test_the_finish_never_collides(seat) -> None:
    table = seat(bumping=True, lanes=(0, 0)).place(119, 119)
    table.turn(2), table.turn(2)
    assert table.holes == (121, 121)


def test_partners_share_a_peg_and_a_streak_and_take_turns(seat) -> None:
    table = seat(4, partners=True).place(20, 10)
    order = []
    for _ in range(3):
        order.append(table.state.to_act)
        table.wipe_out()
        order.append(table.state.to_act)
        table.turn(3)
    assert order == [0, 1, 2, 3, 0, 1]
    assert (table.holes, table.state.sides[0].fuchled) == ((0, 19), True)


def test_a_board_shows_sides_lanes_and_who_is_out(seat) -> None:
    table = seat(6, partners=True, skunk=True, lanes=(0, 0, 1)).place(20, 10, 0).change(2, out=True)
    board = table.game.board(table.state)
    assert (board.finish, board.skunk_line, board.lanes) == (121, 61, 2)
    assert [(pegs.players, pegs.lane, pegs.back, pegs.out) for pegs in board.pegs] == [
        ((0, 3), 0, 20, False),
        ((1, 4), 0, 10, False),
        ((2, 5), 1, 0, True),
    ]
    assert seat(long_game=True).game.board(seat(long_game=True).state).finish == 242
