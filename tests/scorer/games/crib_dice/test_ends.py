"""Opening and ending: who goes first, final turns, ties, skunks, the alternate endings."""

import pytest


def test_highest_total_of_two_dice_goes_first(seat) -> None:
    table = seat(3, opening_roll=True)
    assert table.play("opening 2 3", "opening 5 6", "opening 1 1") == ["rolled", "rolled", "rolled", "leads"]
    assert (table.state.to_act, table.state.phase) == (1, "throw")
    order = []
    for _ in range(3):
        order.append(table.state.to_act)
        table.turn(2)
    assert order == [1, 2, 0]


def test_ties_roll_again_among_the_tied(seat) -> None:
    table = seat(3, opening_roll=True)
    assert table.play("opening 5 6", "opening 2 3", "opening 5 6")[-1] == "tied"
    assert table.state.to_act == 0
    table.play("opening 1 2")
    assert table.state.to_act == 2
    table.play("opening 2 2")
    assert (table.state.to_act, table.refused("opening 1 2").code) == (2, "already-opened")


def test_all_players_complete_the_round_and_the_furthest_wins(seat) -> None:
    table = seat(3).place(119, 118, 100)
    assert "finished" in table.turn(3)
    assert table.state.to_act == 1
    table.turn(6)
    table.turn(2)
    assert table.state.result.winners == (1,)
    assert table.state.result.ranking == ((1,), (0,), (2,))
    assert table.state.result.lost == (1, 0, 1)
    assert (table.choices, table.refused("throw 1 1 1 1 1 1 1").code) == ([], "game-over")
    assert table.game.prompt(table.state) == "the game is over"


def test_once_a_peg_is_off_every_turn_of_the_round_is_told_to_be_the_last(seat) -> None:
    table = seat(3).place(100, 119, 100)
    for points in (2, 2, 2):
        table.turn(points)
    turns = [(event.said(("Ann", "Ben", "Cem")), event.rule) for event in table.told if event.name == "turn"]
    assert turns == [("it is Ben's turn", "Crib Dice, Play"), ("it is Cem's last turn", "Crib Dice, Game End")]


def test_in_find_a_loser_no_turn_is_the_last(seat) -> None:
    table = seat(3, find_a_loser=True).place(119, 100, 100)
    table.turn(2)
    assert table.told[-1].text == "it is {1}'s turn"


def test_the_last_of_the_round_ends_it(seat) -> None:
    table = seat(3).place(10, 10, 119)
    table.turn(2), table.turn(2), table.turn(2)
    assert table.state.result.winners == (2,)


def test_the_round_begins_with_whoever_opened(seat) -> None:
    table = seat(3, opening_roll=True)
    table.play("opening 1 1", "opening 1 1", "opening 6 6")
    table.place(10, 119, 10)
    table.turn(2), table.turn(2), table.turn(2)
    assert table.state.result.winners == (1,)


def test_at_once_nobody_has_another_turn(seat) -> None:
    table = seat(final_turns="at_once").place(119, 120)
    table.turn(2)
    assert table.state.result.winners == (0,)


def test_120_is_still_on_the_board(seat) -> None:
    table = seat().place(118, 10)
    table.turn(2), table.turn(2)
    assert (table.holes[0], table.state.result) == (120, None)


def test_equal_totals_share_the_win(seat) -> None:
    table = seat(3).place(119, 119, 10)
    table.turn(2), table.turn(2), table.turn(2)
    assert table.state.result.winners == (0, 1)
    assert table.state.result.ranking == ((0, 1), (2,))
    assert table.state.result.lost == (0, 0, 1)


def test_or_the_tied_roll_off(seat) -> None:
    table = seat(3, tie="roll_off").place(119, 10, 119)
    table.turn(2), table.turn(2), table.turn(2)
    assert (table.state.phase, table.state.to_act) == ("roll-off", 0)
    assert table.play("roll-off 1 2", "roll-off 1 2")[-1] == "tied"
    table.play("roll-off 1 2")
    assert table.refused("roll-off 1 2 3").code == "wrong-count"
    table.play("roll-off 5 6")
    assert table.state.result.winners == (2,)
    assert table.state.result.ranking == ((2,), (0,), (1,))
    assert table.state.result.lost == (1, 1, 0)


@pytest.mark.parametrize(("skunk", "lost"), [(True, (0, 1, 2, 4, 2)), (False, (0, 1, 1, 1, 1))])
def test_skunk_and_double_skunk(seat, skunk: bool, lost: tuple[int, ...]) -> None:
    table = seat(5, skunk=skunk, final_turns="at_once").place(119, 61, 60, 0, 0).change(3, fuchled=True, moved=True)
    told = table.turn(2)
    assert table.state.result.lost == lost
    assert told.count("skunked") == (3 if skunk else 0)


def test_a_peg_that_never_left_the_start_may_be_double_skunked(seat) -> None:
    table = seat(3, skunk=True, double_skunk_unmoved=True, final_turns="at_once").place(119, 0, 0)
    table.change(2, moved=True)
    table.turn(2)
    assert table.state.result.lost == (0, 4, 2)


def test_a_peg_fuchled_at_the_start_is_double_skunked(seat) -> None:
    table = seat(skunk=True, final_turns="at_once").place(119, 0).change(1, fuchled=True)
    table.turn(2)
    assert table.state.result.lost == (0, 4)


def test_an_eliminated_player_loses_4_and_ranks_last(seat) -> None:
    table = seat(3, skunk=True, double_fuchle=True).place(70, 50, 0).change(2, streak=4, fuchled=True)
    table.turn(2), table.turn(2), table.wipe_out()
    table.place(119, 52, 0).change(2, out=True)
    table.turn(2), table.turn(2)
    assert table.state.result.lost == (0, 2, 4)
    assert table.state.result.ranking == ((0,), (1,), (2,))


def test_the_long_game(seat) -> None:
    table = seat(3, long_game=True, skunk=True).place(119, 121, 122)
    table.turn(2), table.turn(2), table.turn(2)
    assert table.state.result is None
    table.place(240, 118, 119)
    table.turn(3), table.turn(3), table.turn(3)
    assert table.state.result.winners == (0,)
    assert table.state.result.lost == (0, 2, 1)


def test_find_a_loser(seat) -> None:
    table = seat(4, find_a_loser=True, skunk=True).place(119, 100, 60, 119)
    table.turn(2), table.turn(2), table.turn(2)
    assert table.state.result is None
    table.turn(2)
    assert [pegs.out for pegs in table.game.board(table.state).pegs] == [True, False, False, True]
    assert table.state.to_act == 1
    table.change(1, hole=117)
    assert table.turn(4)[-2:] == ["loser", "won"]
    assert table.state.result.winners == (0, 1, 3)
    assert table.state.result.ranking == ((0,), (3,), (1,), (2,))
    assert table.state.result.lost == (0, 0, 1, 0)


def test_eliminated_players_rank_below_the_loser(seat) -> None:
    table = seat(3, find_a_loser=True, double_fuchle=True, skunk=True).place(119, 0, 30)
    table.change(1, streak=4, fuchled=True)
    table.turn(2)
    assert "loser" in table.wipe_out()
    assert table.state.result.winners == (0,)
    assert table.state.result.ranking == ((0,), (2,), (1,))
    assert table.state.result.lost == (0, 4, 2)


def test_whoever_is_left_alone_has_won_even_where_a_loser_is_sought(seat) -> None:
    table = seat(find_a_loser=True, double_fuchle=True).place(0, 30).change(0, streak=4, fuchled=True)
    table.wipe_out()
    assert table.state.result.winners == (1,)


def test_a_round_of_partners_is_one_turn_of_every_player(seat) -> None:
    table = seat(4, partners=True, skunk=True).place(119, 50)
    assert "finished" in table.turn(2)
    for player in (1, 2, 3):
        assert table.state.to_act == player
        assert "finished" not in table.turn(2)
    assert table.state.result.winners == (0, 2)
    assert table.state.result.ranking == ((0, 2), (1, 3))
    assert table.state.result.lost == (0, 2, 0, 2)
    assert table.state.holes == (123, 54)


@pytest.mark.parametrize(("players", "finisher", "then"), [(4, 1, [2, 3]), (4, 3, []), (6, 2, [3, 4, 5])])
def test_whoever_sits_after_the_finisher_has_a_turn_partners_included(seat, players, finisher, then) -> None:
    table = seat(players, partners=True).place(*(30 for _ in range(players // 2)))
    for _ in range(finisher):
        table.turn(2)
    table.change(finisher % (players // 2), hole=119)
    table.turn(2)
    order = []
    while table.state.result is None:
        order.append(table.state.to_act)
        table.turn(2)
    assert order == then


def test_a_partner_of_a_finished_peg_may_win_the_tie(seat) -> None:
    table = seat(4, partners=True).place(119, 119)
    table.turn(2), table.turn(2)
    table.turn(3)
    table.wipe_out()
    assert table.state.finished == (0, 1)
    assert table.state.result.winners == (0, 2)
