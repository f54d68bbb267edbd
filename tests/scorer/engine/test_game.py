from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine.game import Event, Legal, Move, Throws, throw
from scorer.errors import MoveError
from scorer.games.registry import GAMES
from scorer.pieces.tiles import FULL_SET, Tile

moves = st.builds(
    Move,
    st.from_regex(r"[a-z]+(-[a-z]+){0,2}", fullmatch=True),
    st.lists(st.integers(0, 300), max_size=7).map(tuple),
    st.lists(st.sampled_from(FULL_SET), max_size=6).map(tuple),
)


@given(moves)
def test_the_text_of_a_move_round_trips(move: Move) -> None:
    assert Move.parse(str(move)) == move


@given(st.text(max_size=20))
def test_any_other_text_is_a_move_or_a_clear_error(text: str) -> None:
    with suppress(MoveError):
        move = Move.parse(text)
        assert Move.parse(str(move)) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5 5",
        "throw five",
        "throw -1",
        "play 7-0",
        "play 3-0-1",
        "play 3-0 5",
        "Throw 5",
        "throw \uff15",
        "throw " + "9" * 5000,
    ],
)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(MoveError):
        Move.parse(text)


def test_throws_are_all_throws_and_nothing_else() -> None:
    throws = Throws(3, 6)
    every = list(throws)
    assert len(every) == len(set(every)) == len(throws) == 56
    assert all(move in throws for move in every)
    outside = [Move("throw", (1, 2)), Move("throw", (2, 1, 3)), Move("throw", (1, 2, 7)), Move("piddle", (1, 2, 3))]
    assert not any(move in throws for move in [*outside, Move("throw", (1, 2, 3), (Tile(1, 0),)), "throw 1 2 3"])


def test_samples_are_throws() -> None:
    random, throws = Random(1), Throws(5, 12)
    assert all(throws.sample(random) in throws for _ in range(100))


def test_legal_moves_are_the_choices_and_then_what_chance_brings() -> None:
    legal = Legal((Move("stop"),), Throws(1, 6))
    assert list(legal) == [Move("stop"), *(throw([value]) for value in range(1, 7))]
    assert len(legal) == 7
    assert Move("stop") in legal
    assert Move("throw", (6,)) in legal
    assert Move("throw", (7,)) not in legal


def test_events_name_the_players() -> None:
    assert Event("bumped", "{1} bumps {0} back").said(("Ann {1}", "Ben")) == "Ben bumps Ann {1} back"


def test_a_tile_is_the_same_whichever_end_comes_first() -> None:
    assert Tile.parse("0-3") == Tile(3, 0)
    assert str(Tile(0, 3)) == "3-0"
    assert (Tile(6, 4).pips, Tile(6, 4).double, Tile(4, 4).double) == (10, False, True)
    assert len(set(FULL_SET)) == 28


@pytest.mark.parametrize("number", [1.0, True, "1", None])
def test_a_move_has_whole_numbers_only(number: object) -> None:
    with pytest.raises(MoveError, match="throw takes whole numbers, got"):
        Move("throw", (1, number))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "thrown", "choice", "then"),
    [
        ("farkle-crib", "throw 1 2 3 4 4 6", "keep 1", ["stop"]),
        ("farkle", "throw 1 2 3 4 4 6", "keep 1", ["stop"]),
        ("crib-dice", "throw 1 2 3 4 5 5 6", "point 5", ["stop"]),
        ("cribbage-dice", "throw 5 5 10 10 11", "keep 5 10 10", []),  # thrown on, and nothing to choose
    ],
)
def test_what_ends_a_turn_is_offered_with_the_choice_before_it(
    game: str, thrown: str, choice: str, then: list[str]
) -> None:
    played = GAMES[game]
    rules = {"opening_roll": False} if hasattr(played.rules(), "opening_roll") else {}
    state = played.apply(played.start(played.rules(**rules), players=2), Move.parse(thrown)).state
    offered = played.offers_with(state, Move.parse(choice))
    assert [str(offer.move) for offer in offered] == then
    assert offered == played.offers(played.apply(state, Move.parse(choice)).state)
    for stop in offered:
        after = played.apply(played.apply(state, Move.parse(choice)).state, stop.move).state
        assert after.to_act != state.to_act


def test_tiles_that_lie_on_the_table_are_played_one_at_a_time() -> None:
    """A hand may leave one tile to go on with: playing it is seen, and not chosen in one go."""
    domino = GAMES["domino-cribbage"]
    rng, state = Random(3), domino.start(domino.rules(), players=2)
    for _ in range(60):
        legal = domino.legal_moves(state)
        assert not any(domino.offers_with(state, move) for move in legal.choices if domino.laid_by(move))
        chance = legal.chance is not None and not legal.choices
        move = legal.chance.sample(rng) if chance and legal.chance else rng.choice(legal.choices)
        state = domino.apply(state, move).state
