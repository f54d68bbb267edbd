import json

from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.board import Board, Pegs, bump, empty_hole_short_of, lanes_of, leaders

FINISH = 121


def test_streets_of_a_board_of_120_holes() -> None:
    board = Board(FINISH, ())
    assert board.streets == ((1, 30), (31, 60), (61, 90), (91, 120))
    assert not board.off(120)
    assert board.off(121)


def test_a_street_may_be_short() -> None:
    assert Board(61, ()).streets == ((1, 30), (31, 60))
    assert Board(75, ()).streets[-1] == (61, 74)


def test_a_board_turns_into_json() -> None:
    board = Board(FINISH, (Pegs(0, (0, 2), 0, 10, 15), Pegs(1, (1,), 0, 3, 3)), skunk_line=61)
    told = json.loads(json.dumps(board.to_json()))
    assert told["lanes"] == 1
    assert told["pegs"][0] == {"side": 0, "players": [0, 2], "lane": 0, "back": 10, "front": 15, "out": False}


def test_lanes_are_one_a_side_unless_shared() -> None:
    assert lanes_of(3, ()) == (0, 1, 2)
    assert lanes_of(3, (0, 0, 1)) == (0, 0, 1)


def test_whoever_stood_in_the_hole_goes_back_five() -> None:
    assert bump((20, 20), (0, 0), 0, FINISH) == (20, 15)


def test_bumping_bumps_in_turn() -> None:
    assert bump((20, 20, 15), (0, 0, 0), 0, FINISH) == (20, 15, 10)


def test_nobody_is_bumped_behind_the_start() -> None:
    assert bump((3, 3), (0, 0), 0, FINISH) == (3, 0)


def test_other_lanes_start_and_finish_never_collide() -> None:
    assert bump((20, 20), (0, 1), 0, FINISH) == (20, 20)
    assert bump((0, 0), (0, 0), 0, FINISH) == (0, 0)
    assert bump((121, 121), (0, 0), 0, FINISH) == (121, 121)


positions = st.lists(st.integers(0, 130), min_size=2, max_size=6)


@given(positions, st.data())
def test_after_a_bump_no_peg_shares_the_movers_hole(at: list[int], data: st.DataObject) -> None:
    lanes = data.draw(st.lists(st.integers(0, 1), min_size=len(at), max_size=len(at)))
    after = bump(at, lanes, 0, FINISH)
    assert after[0] == at[0]
    assert all(0 <= now <= before for now, before in zip(after, at, strict=True))
    sharing = [side for side in range(1, len(at)) if lanes[side] == lanes[0] and after[side] == at[0]]
    assert not sharing or at[0] == 0 or at[0] >= FINISH


def test_the_next_empty_hole_short_of_the_target() -> None:
    assert empty_hole_short_of(20, (10, 20, 19), (0, 0, 0), 0, FINISH) == 18
    assert empty_hole_short_of(20, (10, 20, 19), (0, 0, 1), 0, FINISH) == 19
    assert empty_hole_short_of(125, (10, 125), (0, 0), 0, FINISH) == 125


def test_never_behind_the_old_hole() -> None:
    assert empty_hole_short_of(12, (10, 12, 11), (0, 0, 0), 0, FINISH) == 10


def test_the_leader_is_the_furthest_other_on_the_board() -> None:
    nobody_out = (False,) * 4
    assert leaders((10, 40, 60, 121), 0, FINISH, nobody_out) == (2,)
    assert leaders((10, 60, 60, 5), 0, FINISH, nobody_out) == (1, 2)
    assert leaders((10, 60, 40, 5), 0, FINISH, (False, True, False, False)) == (2,)


def test_who_leads_has_nothing_to_exchange() -> None:
    assert leaders((60, 40, 60, 121), 0, FINISH, (False,) * 4) == ()
    assert leaders((0, 0), 0, FINISH, (False, False)) == ()
