"""What a photo of the layout means, and a hand followed by a camera that sees nothing but tiles laid."""

from random import Random

import pytest

from scorer.camera.follower import Follower, Observation
from scorer.camera.referee import rule
from scorer.engine.game import Seen, Unclear
from scorer.games.muggins.state import Phase, State
from tests.scorer.games.muggins.table import GAME, run, secret, tiles, told

LINE = ("play 6-4", "play 6-5 6-4", "play 5-4 6-5", "play 4-4 5-4")
"""A plain 4 is open at 6-4, and the double 4-4 at the other end."""


def seen(text: str, *touching: str) -> Seen:
    pairs = [tiles(pair) for pair in touching]
    return Seen(tiles=tiles(text), touching=tuple((one, other) for one, other in pairs))


def told_by(state: State, shown: Seen) -> list[str]:
    return [str(move) for move in GAME.recognise(state, shown)]


def doubt(state: State, shown: Seen) -> str:
    with pytest.raises(Unclear) as trouble:
        GAME.recognise(state, shown)
    return trouble.value.code


@pytest.fixture
def line() -> State:
    return run(secret(spinner="none"), *LINE).state


def test_a_new_tile_in_the_layout_is_a_play(line: State) -> None:
    assert told_by(line, seen("4-4 6-4 5-4 3-4 6-5", "3-4 6-4", "6-4 6-5")) == ["play 4-3 6-4"]


def test_where_it_lies_is_told_by_what_it_touches(line: State) -> None:
    for place in ("6-4", "4-4"):
        assert told_by(line, seen("4-4 6-4 5-4 6-5 4-1", f"{place} 4-1")) == [f"play 4-1 {place}"]


def test_a_close_view_shows_it_beside_its_neighbour(line: State) -> None:
    assert told_by(line, seen("4-1 4-4")) == ["play 4-1 4-4"]


def test_where_nothing_tells_the_end_it_is_asked(line: State) -> None:
    # 1 and 8 are 9, but 4 and 1 are 5.
    assert doubt(line, seen("4-1")) == "which-end"
    assert GAME.recognise(line, GAME.seen_as_typed(line, ("4-1", "4-4")))[0].tiles == tiles("4-1 4-4")
    with pytest.raises(Unclear, match="Say which: play 4-1 4-4 or play 4-1 6-4"):
        GAME.recognise(line, seen("4-1"))


def test_ends_that_are_alike_need_no_question() -> None:
    alike = run(secret(spinner="none"), *LINE[:3]).state
    assert told_by(alike, seen("4-1")) in (["play 4-1 6-4"], ["play 4-1 5-4"])


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        (seen("6-4 6-5 5-4 4-4"), "nothing-new"),
        (seen("3-3 6-4 6-5 5-4 4-4"), "does-not-fit"),
        (seen("4-1 4-2 6-4 6-5 5-4 4-4"), "wrong-count"),
        (seen("4-1 4-1"), "same-tile-twice"),
        (seen("4-1 5-4 4-4", "4-1 4-4"), "some-missing"),
        (Seen(), "nothing-seen"),
        (Seen((3,), tiles=tiles("4-1 4-4")), "dice-there"),
        # It cannot lie against a tile that is covered.
        (seen("4-1 6-5"), "unknown-place"),
    ],
)
def test_what_cannot_be_a_play_is_a_doubt(line: State, shown: Seen, code: str) -> None:
    assert doubt(line, shown) == code
    ruling = rule(GAME, line, shown)
    assert (ruling.state, ruling.doubt is not None) == (line, True)


def test_a_choice_is_asked_before_the_next_photo() -> None:
    assert doubt(run(secret(muggins=True), "play 5-5").state, seen("5-4 5-5")) == "choice-first"


def test_hands_are_photographed_and_a_drawn_tile_with_its_play() -> None:
    state = told("6-6 6-1 2-2", "5-4 4-3 3-2")
    led = run(state, *told_by(state, seen("6-6"))).state
    assert told_by(led, seen("5-3")) == ["draw 5-3"]
    assert told_by(led, seen("6-6 6-3")) == ["draw 6-3", "play 6-3 6-6"]


def test_a_photo_shows_so_many_tiles(line: State) -> None:
    assert GAME.on_table(line).counts == {1, 2, 5}
    assert GAME.on_table(secret()).count == 1
    left = run(secret(hand=3), "play 6-6", "play 6-1 6-6", "play 1-1 6-1", "play 6-2 6-6", "play 2-2 6-2").state
    assert GAME.on_table(left).count == 1


def laid(text: str) -> Observation:
    return Observation(tiles=tuple(sorted(tiles(text))))


def told_of(follower: Follower) -> list[str]:
    return [str(each.move) for each in follower.moves]


class TestFollower:
    HAND = ("6-6", "6-1", "1-1", "6-2", "2-2")

    def test_tiles_laid_by_turns_are_followed_to_the_end_of_the_hand(self) -> None:
        follower = Follower(GAME, secret(hand=3))
        for tile in self.HAND:
            assert follower.observe(laid(tile))
        assert follower.observe(laid("3-3"))
        # 6-6 12, 6-1 13, 1-1 14, 6-2 4, 2-2 6: no five among them; Ann is out, and 3-3 are 6 pips, to the nearest five 5.
        assert told_of(follower)[-1] == "left 1 3-3"
        assert follower.state.scores == (5, 0)
        assert follower.state.phase is Phase.PLAY

    def test_a_draw_that_nobody_saw_is_inferred_when_the_hand_goes_on(self) -> None:
        follower = Follower(GAME, secret(hand=3))
        assert all(follower.observe(laid(tile)) for tile in (*self.HAND, "2-1"))
        # Ann would be out with 2-2, and 2-1 what Ben holds; but somebody may have drawn, so that is not settled.
        assert told_of(follower)[-1] == "left 1 2-1"
        assert follower.settled < len(follower.moves)
        # 6-5 might be led in the next hand. 1-0 does not fit it, and fits this one: somebody has drawn.
        assert all(follower.observe(laid(tile)) for tile in ("6-5", "1-0"))
        assert "draw" in told_of(follower)

    def test_a_tile_that_fits_nowhere_is_a_trouble(self) -> None:
        follower = Follower(GAME, secret(hand=3))
        follower.observe(laid("6-6"))
        assert not follower.observe(laid("5-4"))


@pytest.mark.parametrize("seed", range(4))
def test_every_tile_of_a_random_game_is_recognised_by_what_it_touches(seed: int) -> None:
    random, state, plays = Random(seed), secret(target=20), 0
    while state.to_act is not None:
        legal = GAME.legal_moves(state)
        move = legal.chance.sample(random) if legal.chance is not None else random.choice(legal.choices)
        if move.verb == "play":
            everything = [*state.layout.tiles, move.tiles[0]]
            random.shuffle(everything)
            touching = (move.tiles,) if len(move.tiles) > 1 else ()
            assert GAME.recognise(state, Seen(tiles=tuple(everything), touching=touching)) == (move,)
            plays += 1
        state = GAME.apply(state, move).state
    assert plays > 5
