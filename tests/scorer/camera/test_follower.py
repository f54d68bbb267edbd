"""What a camera shows of a game becomes its moves; what it does not show is inferred, and says so."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from scorer.camera.follower import Followed, Follower, Observation
from scorer.games.crib_dice.rules import Rules as CribDiceRules
from scorer.games.cribbage_dice.rules import Rules as CribbageDiceRules
from scorer.games.domino_cribbage.rules import Rules as DominoRules
from scorer.games.farkle_crib.rules import Rules as FarkleRules
from scorer.games.registry import GAMES
from scorer.pieces.tiles import Tile
from tests.examples import examples
from tests.scorer.filmed import TEMPERS, Film, filmed
from tests.scorer.randomly import random_move

CRIB = CribDiceRules(opening_roll=False)
FARKLE = FarkleRules(opening_roll=False)
CRIBBAGE = CribbageDiceRules(opening_roll=False)
RULES: dict[str, list[Any]] = {
    "crib-dice": [
        CribDiceRules(finish=61),
        CribDiceRules(finish=61, freeze_all=False),
        CribDiceRules(finish=61, bomb=True, bumping=True, lanes=(0, 0)),
        CribDiceRules(finish=61, final_turns="at_once", tie="roll_off"),
    ],
    "farkle-crib": [FarkleRules(), FarkleRules(bonus=frozenset({"six-of-a-kind"}), tie="roll_off", finish=61)],
    "cribbage-dice": [
        CribbageDiceRules(target=61),
        CribbageDiceRules(target=61, once_kept=True, finish_round=True),
        CribbageDiceRules(round_limit=3, tie="roll_off"),
    ],
}


def following(game: str, rules: Any, *observations: Observation) -> Follower:
    follower = Follower(GAMES[game], GAMES[game].start(rules, 2))
    for observation in observations:
        follower.observe(observation)
    return follower


def told(follower: Follower) -> list[str]:
    """The moves; with a question mark what is inferred."""
    return [f"{each.move}{'?' if each.inferred else ''}" for each in follower.moves]


def dice(text: str, *still: int, starter: int | None = None) -> Observation:
    return Observation(tuple(int(value) for value in text.split()), still, starter)


def tiles(text: str) -> Observation:
    return Observation(tiles=tuple(Tile.parse(name) for name in text.split()))


class TestCribDice:
    def test_what_lies_still_tells_the_point(self) -> None:
        follower = following("crib-dice", CRIB, dice("1 2 2 4 5 5 6"), dice("1 3 5 6 6", 5, 5))
        assert told(follower) == ["throw 1 2 2 4 5 5 6", "point 5", "throw 1 3 5 6 6"]
        assert follower.settled == 3

    def test_where_it_is_swept_away_the_count_may_tell(self) -> None:
        follower = following("crib-dice", CRIB, dice("1 2 2 2 5 5 6"), dice("1 3 5 6"))
        assert told(follower)[1] == "point 2"

    def test_where_the_count_does_not_tell_it_is_inferred(self) -> None:
        follower = following("crib-dice", CRIB, dice("1 2 2 3 5 5 6"), dice("1 3 4 6 6"))
        assert told(follower)[1] == "point 5?"

    def test_a_throw_of_all_seven_says_that_somebody_stopped(self) -> None:
        follower = following("crib-dice", CRIB, dice("1 2 2 4 5 5 6"), dice("1 3 5 6 6", 5, 5), dice("1 1 2 3 4 5 6"))
        assert told(follower)[3:] == ["stop", "throw 1 1 2 3 4 5 6"]
        assert follower.state.player == 1
        assert follower.state.holes == (5, 0)

    def test_what_he_stopped_with_at_once_is_inferred(self) -> None:
        follower = following("crib-dice", CRIB, dice("1 2 2 4 6 6 6"), dice("1 1 2 3 4 5 6"))
        assert told(follower)[1:3] == ["point 6?", "stop"]

    def test_after_seven_of_a_kind_it_is_not_known_whose_throw_it_is(self) -> None:
        follower = following("crib-dice", CRIB, dice("4 4 4 4 4 4 4"), dice("1 2 3 4 5 6 6"))
        assert follower.moves[2].inferred
        assert follower.settled == 2

    def test_a_piddle_shows_five_dice_or_six_beside_it(self) -> None:
        for still in ((), (3,) * 5, (3,) * 6):
            follower = following("crib-dice", CRIB, dice("3 3 3 3 3 3 6"), dice("1 2", *still))
            assert told(follower)[1:] == ["point 3", "piddle 1 2"]

    def test_other_dice_may_lie_about(self) -> None:
        rules = CribDiceRules()
        follower = following("crib-dice", rules, dice("3 4", 1, 2, 2, 5, 6))
        assert told(follower) == ["opening 3 4?"]

    def test_a_die_that_was_taken_for_one_that_lay_still(self) -> None:
        follower = following("crib-dice", CRIB, dice("1 2 2 4 5 5 6"), dice("1 3 5 6", 2, 5, 5))
        assert told(follower)[1:] == ["point 5?", "throw 1 2 3 5 6?"]

    def test_the_end_of_the_film_may_be_the_end_of_the_game(self) -> None:
        rules = CribDiceRules(opening_roll=False, finish=4, final_turns="at_once")
        follower = following("crib-dice", rules, dice("1 2 2 4 5 5 5"))
        assert follower.state.to_act == 0
        follower.finish()
        assert told(follower)[1:] == ["point 5?", "stop?"]
        result = follower.state.result
        assert result.winners == (0,)

    def test_the_end_of_the_film_is_no_end_of_the_game(self) -> None:
        follower = following("crib-dice", CRIB, dice("1 2 2 4 5 5 5"))
        follower.finish()
        assert told(follower) == ["throw 1 2 2 4 5 5 5"]


class TestFarkleCribbage:
    def test_what_lies_still_was_set_aside(self) -> None:
        follower = following("farkle-crib", FARKLE, dice("1 1 2 3 4 5"), dice("2 3 4 6", 1, 5))
        assert told(follower) == ["throw 1 1 2 3 4 5", "keep 1 5", "throw 2 3 4 6"]
        assert follower.settled == 3

    def test_it_grows_from_throw_to_throw(self) -> None:
        observations = dice("1 2 2 3 4 6"), dice("2 3 4 5 6", 1), dice("2 2 3 6", 5, 1)
        assert told(following("farkle-crib", FARKLE, *observations))[1::2] == ["keep 1", "keep 5"]

    def test_who_stops_takes_all_there_is(self) -> None:
        follower = following("farkle-crib", FARKLE, dice("1 2 2 3 4 5"), dice("2 2 3 4 6 6"))
        assert told(follower)[1:3] == ["keep 1 5?", "stop"]
        assert follower.moves[1].chance > 0.9

    def test_all_six_again_or_the_next_player(self) -> None:
        follower = following("farkle-crib", FARKLE, dice("1 1 1 5 5 5"), dice("2 2 3 4 6 6"))
        assert any(each.inferred for each in follower.moves[1:])


class TestCribbageDice:
    def test_what_lies_still_was_kept(self) -> None:
        observations = dice("5 4 10 10 11", starter=5), dice("7", 5, 10, 10, 11, starter=5)
        assert told(following("cribbage-dice", CRIBBAGE, *observations))[1:] == ["keep 10 10 11", "throw 7"]

    def test_all_five_again_say_that_somebody_stopped(self) -> None:
        observations = dice("5 4 10 10 11", starter=5), dice("1 2 3 4 6", starter=1)
        follower = following("cribbage-dice", CRIBBAGE, *observations)
        assert told(follower)[1:] == ["stop", "throw 1 2 3 4 6"]
        assert follower.settled == 3

    def test_what_lies_still_tells_the_starter(self) -> None:
        unknown = following("cribbage-dice", CRIBBAGE, dice("5 4 10 10 11"))
        assert unknown.moves[0].inferred
        unknown.observe(dice("7 8 9 12", 11))
        assert told(unknown) == ["throw 11 4 5 10 10", "keep", "throw 7 8 9 12"]

    def test_a_starter_that_is_thrown_begins_a_turn(self) -> None:
        observations = dice("5 4 10 10 11", starter=5), dice("7 8 9 12", starter=9)
        assert following("cribbage-dice", CRIBBAGE, *observations).unexplained


class TestDominoCribbage:
    RULES: ClassVar = DominoRules(opening_roll=False)
    DEALT = tiles("0-0 1-1 3-0 4-0 6-1 6-6"), tiles("1-0 2-0 2-1 2-2 5-5 6-5"), tiles("4-1")

    def test_hands_that_were_shown_tell_what_went_to_the_crib(self) -> None:
        played = ["3-0", "1-0", "4-0", "2-0", "6-1", "2-1", "1-1", "5-5"]
        follower = following("domino-cribbage", self.RULES, *self.DEALT, *map(tiles, played))
        assert not follower.unexplained
        assert [str(each.move) for each in follower.moves if each.move.verb == "discard"] == [
            "discard 0-0 6-6",
            "discard 2-2 6-5",
        ]
        assert follower.state.dealer == 1
        assert not any(each.inferred for each in follower.moves)

    SEEN: ClassVar = ["4-1", "3-0", "1-0", "4-0", "2-0", "6-1", "2-1", "1-1", "5-5"]
    """The starter of a hand that was dealt face down, and what was played."""

    def test_a_hand_that_nobody_saw_dealt_is_told_with_its_crib(self) -> None:
        open_hands = following("domino-cribbage", self.RULES, *self.DEALT, *map(tiles, self.SEEN[1:]))
        follower = following("domino-cribbage", self.RULES, *map(tiles, self.SEEN))
        assert (follower.moves, follower.unexplained, follower.kept_back) == ((), (), 9)
        follower.observe(tiles("0-0 6-6 2-2 6-5"))
        assert follower.kept_back == 0
        assert follower.state == open_hands.state
        plays = [(each.observation, str(each.move)) for each in follower.moves if each.move.verb == "play"]
        assert plays == [(at, f"play {name}") for at, name in enumerate(self.SEEN[1:], start=1)]
        assert all(each.inferred for each in follower.moves if each.move.verb in ("deal", "discard"))

    def test_a_crib_that_is_never_shown_leaves_a_trouble(self) -> None:
        follower = following("domino-cribbage", self.RULES, *map(tiles, self.SEEN))
        follower.finish()
        assert len(follower.unexplained) == 9
        assert "crib is turned over" in follower.unexplained[0].text

    def test_the_next_hand_says_that_no_crib_will_come(self) -> None:
        follower = following("domino-cribbage", self.RULES, *map(tiles, self.SEEN), tiles("6-4"))
        assert (len(follower.unexplained), follower.kept_back) == (9, 1)

    def test_a_crib_that_fits_no_play_is_a_trouble(self) -> None:
        follower = following("domino-cribbage", self.RULES, *map(tiles, self.SEEN), tiles("4-1 6-6 2-2 6-5"))
        assert len(follower.unexplained) == 10

    @pytest.mark.parametrize("seed", range(4))
    def test_the_hand_that_was_played_is_among_those_that_are_told(self, seed: int) -> None:
        game, random = GAMES["domino-cribbage"], Random(seed)
        state, hands = game.start(self.RULES, 2), 0
        while (over := played_hand(game, state, random)) is not None:
            follower = Follower(game, state)
            state, seen, crib = over
            for observation in (*seen, crib):
                follower.observe(observation)
            hands += 1
            assert state in {end.state for end in follower._ends}
            assert follower.moves[0].inferred
        assert hands > 1


def played_hand(game: Any, state: Any, random: Random) -> tuple[Any, list[Observation], Observation] | None:
    """The state after a hand of Domino Cribbage, and what is seen of it; None if somebody wins in it."""
    seen: list[Observation] = []
    crib: tuple[Tile, ...] = ()
    while state.to_act is not None and not (seen and state.phase == "deal"):
        move = random_move(game, state, random)
        seen += [Observation(tiles=move.tiles)] if move.verb in ("starter", "play") else []
        state = game.apply(state, move).state
        crib = state.crib or crib
    return (state, seen, Observation(tiles=crib)) if state.to_act is not None else None


class TestTroubles:
    def test_a_roll_that_nothing_explains_is_kept_and_said(self) -> None:
        observations = dice("1 2 2 4 5 5 6"), dice("1 3 3", 6, 6), dice("1 3 5 6 6", 5, 5)
        follower = following("crib-dice", CRIB, *observations)
        assert told(follower) == ["throw 1 2 2 4 5 5 6", "point 5", "throw 1 3 5 6 6"]
        (trouble,) = follower.unexplained
        assert (trouble.observation, trouble.seen) == (1, observations[1])
        assert "1-3-3 beside 6-6" in trouble.text
        assert follower.moves[-1].observation == 2

    def test_what_is_thrown_after_the_end_is_no_play(self) -> None:
        rules = CribDiceRules(opening_roll=False, finish=4, final_turns="at_once")
        follower = following("crib-dice", rules, dice("1 2 2 4 5 5 5"))
        follower.finish()
        assert not follower.observe(dice("1 2 3 4 5 6 6"))

    def test_a_film_that_shows_nothing(self) -> None:
        follower = following("crib-dice", CRIB)
        follower.finish()
        assert (follower.moves, follower.unexplained) == ((), ())


@pytest.mark.parametrize("on_table", [True, False], ids=["on-table", "swept"])
@pytest.mark.parametrize("temper", ["bold", "cautious"])
@pytest.mark.parametrize("game", RULES)
def test_sensible_games_are_followed_to_their_end(game: str, temper: str, on_table: bool) -> None:
    film = filmed(GAMES[game], RULES[game][0], 2, TEMPERS[temper], Random(f"{game} {temper}"), on_table=on_table)
    follower, moves = film.followed()
    assert not follower.unexplained
    if game == "cribbage-dice" and not on_table:
        assert follower.state.result == film.end.result
        return
    assert follower.state == film.end
    assert [each.move for each in moves] == list(film.moves)


@settings(examples(10), phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(
    game=st.sampled_from(sorted(RULES)),
    temper=st.sampled_from(sorted(TEMPERS)),
    seed=st.integers(0, 2**32),
    on_table=...,
)
def test_what_is_followed_wrongly_says_so(game: str, temper: str, seed: int, on_table: bool) -> None:
    random = Random(seed)
    film = filmed(GAMES[game], random.choice(RULES[game]), 2, TEMPERS[temper], random, on_table=on_table)
    begun = Film(film.game, film.begin, film.moves, film.end, film.observations[:40], film.at[:40])
    follower, moves = begun.followed()
    check_legal(begun, moves)
    wrong = first_wrong(begun, moves)
    assert wrong is None or wrong.inferred
    assert not follower.unexplained or wrong is not None


@settings(examples(10), phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(temper=st.sampled_from(sorted(TEMPERS)), seed=st.integers(0, 2**32))
def test_choices_that_the_table_shows_are_exact(temper: str, seed: int) -> None:
    """From any state of a turn that was followed rightly so far: what is set aside before the next throw."""
    random = Random(seed)
    name = random.choice(sorted(RULES))
    film = filmed(GAMES[name], random.choice(RULES[name]), 2, TEMPERS[temper], random)
    shown = [number for number, observation in enumerate(film.observations) if observation.still]
    for number in random.sample(shown, min(10, len(shown))):
        if len(film.observations[number].still) == 5 and film.moves[film.at[number]].verb == "piddle":
            continue  # with six frozen one of them is lent to the piddle: the table looks as with five
        before = film.at[number - 1]
        state = film.begin
        for move in film.moves[: before + 1]:
            state = film.game.follow(state, move).state
        follower = Follower(film.game, state)
        follower.observe(film.observations[number])
        assert [each.move for each in follower.moves] == list(film.moves[before + 1 : film.at[number] + 1])
        assert not any(each.inferred for each in follower.moves)


def check_legal(film: Film, moves: tuple[Followed, ...]) -> None:
    state = film.begin
    for each in moves:
        state = film.game.apply(state, each.move).state


def first_wrong(film: Film, moves: tuple[Followed, ...]) -> Followed | None:
    """The first move that is not as it was played."""
    return next((got for got, true in zip(moves, film.moves, strict=False) if got.move != true), None)
