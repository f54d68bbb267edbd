"""The Bomb: direct, announced, in Pandemonium, and what is exchanged."""

import pytest

FIVE = ("throw 1 1 1 1 1 2 3", "point 1")
SIX = ("throw 1 1 1 1 1 1 3", "point 1")
SEVEN = ("throw 1 1 1 1 1 1 1", "point 1")


@pytest.mark.parametrize(("start", "points"), [(SIX, 4), (SEVEN, 5)])
def test_six_or_seven_direct_1s_exchange_with_the_leader(seat, start: tuple[str, ...], points: int) -> None:
    table = seat(3, bomb=True).place(10, 40, 30)
    table.play(*start)
    assert table.worths == {"stop": points, "bomb": 30}
    assert table.play("bomb") == ["bombed", "exchanged", "turn"]
    assert (table.holes, table.state.to_act) == ((40, 10, 30), 1)


def test_the_bomb_need_not_be_taken(seat) -> None:
    table = seat(bomb=True).place(10, 40)
    table.play(*SIX, "stop")
    assert table.holes == (14, 40)


def test_without_the_rule_there_is_no_bomb(seat) -> None:
    table = seat().place(10, 40)
    table.play(*SIX)
    assert (table.choices, table.refused("bomb").code) == (["stop"], "no-bomb")


@pytest.mark.parametrize("edition", ["v2.1", "other"])
@pytest.mark.parametrize("dice", ["1 4", "1 1"])
def test_an_announced_bomb_succeeds_with_any_1(seat, edition: str, dice: str) -> None:
    table = seat(edition=edition, bomb=True).place(10, 40)
    table.play(*FIVE)
    assert table.choices == ["stop", "bomb"]
    table.play("bomb")
    assert (table.choices, table.refused("stop").code) == ([], "bomb-announced")
    assert table.play(f"piddle {dice}") == ["bombed", "exchanged", "turn"]
    assert table.holes == (40, 10)


@pytest.mark.parametrize("dice", ["2 3", "4 4"])
@pytest.mark.parametrize("counts", [True, False])
def test_a_failed_bomb_ends_the_turn_without_score(seat, dice: str, counts: bool) -> None:
    table = seat(bomb=True, bomb_fail_counts=counts).place(10, 40).change(0, streak=1)
    assert table.play(*FIVE, "bomb", f"piddle {dice}")[-2:] == ["bomb-failed", "turn"]
    assert (table.holes, table.state.sides[0].streak) == ((10, 40), 2 if counts else 1)


@pytest.mark.parametrize("dice", ["1 4", "1 1"])
def test_a_piddle_without_the_announcement_is_never_a_bomb(seat, dice: str) -> None:
    table = seat(bomb=True, piddle_points=True).place(10, 40)
    table.play(*FIVE, f"piddle {dice}")
    assert "bomb" not in table.choices
    assert table.refused("bomb").code in ("bomb-not-announced", "not-now")
    assert table.state.turn.total == (4 if dice == "1 4" else 5)


def test_the_bomb_takes_at_least_five_1s(seat) -> None:
    table = seat(bomb=True).place(10, 40)
    table.play("throw 1 1 1 1 2 3 4", "point 1")
    assert table.refused("bomb").code == "too-few-to-bomb"
    other = seat(bomb=True).place(10, 40)
    other.play("throw 1 2 2 2 2 2 2", "point 2")
    assert (other.choices, other.refused("bomb").code) == (["stop"], "not-1s")


def test_pandemonium_needs_five_1s_and_no_piddle(seat) -> None:
    table = seat(bomb=True, pandemonium=True).place(10, 40)
    table.play(*FIVE)
    assert table.play("bomb") == ["bombed", "exchanged", "turn"]
    assert table.holes == (40, 10)


@pytest.mark.parametrize("holes", [(40, 10), (20, 20)])
@pytest.mark.parametrize("start", [FIVE, SIX, SEVEN])
def test_a_bomber_who_leads_has_nothing_to_exchange(seat, start, holes: tuple[int, int]) -> None:
    table = seat(bomb=True).place(*holes)
    table.play(*start)
    assert (table.choices, table.refused("bomb").code) == (["stop"], "nothing-to-exchange")


@pytest.mark.parametrize(("start", "then"), [(SIX, ()), (FIVE, ("piddle 1 6",))])
def test_among_equal_leaders_the_bomber_chooses(seat, start, then) -> None:
    table = seat(4, bomb=True).place(10, 40, 30, 40)
    table.play(*start)
    assert "exchange pegs with one of {1} and {3}, 30 holes ahead" in table.game.offers(table.state)[1].text
    table.play("bomb", *then)
    assert table.worths == {"exchange 1": 30, "exchange 3": 30}
    refused = table.refused("exchange 2")
    assert refused.code == "not-a-leader"
    assert refused.message.endswith(": exchange with player 1 or 3.")
    table.play("exchange 3")
    assert table.holes == (40, 40, 30, 10)


def test_finished_and_eliminated_pegs_do_not_lead(seat) -> None:
    table = seat(4, bomb=True).place(10, 125, 30, 0).change(3, out=True)
    table.play(*SIX, "bomb")
    assert table.holes == (30, 125, 10, 0)


@pytest.mark.parametrize("scores", [False, True])
def test_the_exchange_replaces_the_points_of_the_whole_turn(seat, scores: bool) -> None:
    table = seat(bomb=True, bomb_scores_points=scores).place(10, 40)
    table.play("throw 5 5 5 5 5 5 5", "point 5", *SIX, "bomb")
    assert table.holes == (40 + 25 + 4 if scores else 40, 10)


def test_the_exchange_resets_the_bombers_streak_and_leaves_the_other_alone(seat) -> None:
    table = seat(bomb=True).place(0, 40).change(0, streak=4, fuchled=True).change(1, streak=2)
    table.play(*SIX, "bomb")
    bomber, rival = table.state.sides
    assert (bomber.hole, bomber.streak, bomber.fuchled) == (40, 0, False)
    assert (rival.hole, rival.streak, rival.fuchled) == (0, 2, False)


def test_an_exchange_bumps_nobody(seat) -> None:
    table = seat(3, bomb=True, bumping=True, lanes=(0, 0, 0)).place(10, 40, 10)
    table.play(*SIX, "bomb")
    assert table.holes == (40, 10, 10)


def test_partners_exchange_the_one_peg_of_their_side(seat) -> None:
    table = seat(6, bomb=True, partners=True).place(10, 40, 40)
    table.play(*SIX, "bomb")
    assert table.choices == ["exchange 1", "exchange 2"]
    table.play("exchange 2")
    assert table.holes == (40, 40, 10)
