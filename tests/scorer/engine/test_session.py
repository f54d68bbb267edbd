"""A session: games won, and games lost with skunks counted as the Crib Dice text has them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Move, Result
from scorer.engine.session import session_of
from scorer.errors import ScorerError
from scorer.games.registry import GAMES
from tests.examples import examples
from tests.scorer.randomly import random_setting, steps

ANN_WINS, BEN_WINS = Result((0,), ((0,), (1,)), (0, 1)), Result((1,), ((1,), (0,)), (1, 0))
SHARED = Result((0, 1), ((0, 1),), (0, 0))
TABLE = ("Ann", "Ben")


def test_before_the_first_game_nobody_has_won() -> None:
    assert session_of([]).to_json() == {"players": [], "games": 0, "won": [], "lost": [], "winners": []}


def test_the_most_games_won_win_the_sitting() -> None:
    session = session_of([(TABLE, ANN_WINS), (TABLE, BEN_WINS), (TABLE, BEN_WINS)])
    assert (session.won, session.lost) == ((1, 2), (2, 1))
    assert session.to_json()["winners"] == ["Ben"]


def test_a_shared_win_is_one_for_each_and_equals_win_together() -> None:
    session = session_of([(TABLE, SHARED), (TABLE, ANN_WINS), (TABLE, BEN_WINS)])
    assert (session.won, session.winners) == ((2, 2), (0, 1))


def test_a_skunk_loses_two_games_and_a_double_skunk_four() -> None:
    skunk, double = Result((0,), ((0,), (1,)), (0, 2)), Result((1,), ((1,), (0,)), (4, 0))
    session = session_of([(TABLE, skunk), (TABLE, double), (TABLE, ANN_WINS)])
    assert (session.won, session.lost) == ((2, 1), (4, 3))


def test_a_real_game_of_crib_dice_skunks_into_the_sitting() -> None:
    game = GAMES["crib-dice"]
    state = game.start(game.rules(opening_roll=False, skunk=True, finish=21, final_turns="at_once"), 2)
    for move in ("throw 5 5 5 5 5 5 5", "point 5", "stop"):
        state = game.apply(state, Move.parse(move)).state
    assert state.result.lost == (0, 2)
    session = session_of([(("Ben", "Ann"), state.result), (TABLE, ANN_WINS)])
    assert session.to_json()["lost"] == [1, 2]


def test_other_people_are_another_sitting() -> None:
    for others in (("Ann", "Cy"), ("Ann", "Ben", "Cy"), ("Ann",)):
        with pytest.raises(ScorerError, match="not in all of them") as refused:
            session_of([(TABLE, ANN_WINS), (others, Result((0,), ((0,),), (0,) * len(others)))])
        assert refused.value.code == "other-players"


@examples(30)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))
def test_whoever_sits_where_the_same_people_have_won_and_lost(name: str, seed: int) -> None:
    random = Random(seed)
    setting = random_setting(GAMES[name], random)
    *_, (_, _, last) = steps(setting, random)
    result, games = last.state.result, []
    for _ in range(random.randint(1, 4)):
        seats = random.sample(range(setting.players), setting.players)
        moved = Result(
            tuple(seats.index(player) for player in result.winners),
            tuple(tuple(seats.index(player) for player in equals) for equals in result.ranking),
            tuple(result.lost[player] for player in seats),
        )
        games.append(([setting.names[player] for player in seats], moved))
    session = session_of(games)
    by_name = dict(zip(session.players, zip(session.won, session.lost, strict=True), strict=True))
    for player, name_ in enumerate(setting.names):
        assert by_name[name_] == (len(games) * (player in result.winners), len(games) * result.lost[player])
    assert {session.players[player] for player in session.winners} == {setting.names[one] for one in result.winners}
    assert all(len(each.ranking) == len(result.ranking) for each in session.results)
