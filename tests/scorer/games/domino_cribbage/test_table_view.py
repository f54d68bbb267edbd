"""What a photo means: RULINGS, "What a photo means in a game"."""

import pytest

from scorer.engine.game import Move, Seen, Unclear
from scorer.games.domino_cribbage.rules import Rules
from scorer.pieces.tiles import Tile

HAND_1, HAND_0 = "6-3 6-2 5-4 4-4 / 6-5 6-6", "5-3 2-0 1-0 5-2 / 5-5 6-4"


def seen(text="", dice=()):
    return Seen(tiles=tuple(map(Tile.parse, text.split())), dice=dice)


@pytest.fixture
def sees(game):
    return lambda state, text: " ".join(str(move) for move in game.recognise(state, seen(text)))


@pytest.fixture
def doubts(game):
    def doubt(state, text, dice=()):
        with pytest.raises(Unclear) as caught:
            game.recognise(state, seen(text, dice))
        return caught.value

    return doubt


@pytest.fixture
def at_play(dealt, run):
    """After 6-3 5-3 6-2 the count is 25, after 2-0 it is 27, player 1 says go; 1-0 makes 28 and resets."""
    state = run(dealt(HAND_1, HAND_0), "starter 4-1").state
    return lambda *falls: run(state, *(f"play {tile}" for tile in falls)).state


def test_opening_the_drawn_tile_alone_or_beside_the_others(game, run, sees, doubts):
    start = game.start(Rules(), 2)
    assert sees(start, "3-6") == "opening 6-3"
    second = run(start, "opening 6-3").state
    assert sees(second, "5-4") == sees(second, "5-4 6-3") == "opening 5-4"
    assert doubts(second, "6-3").code == "nothing-new"
    assert doubts(start, "6-3 5-4").code == "wrong-count"


def test_deal_is_six_tiles_of_the_hand_that_is_due(game, run, sees, doubts):
    start = game.start(Rules(opening_roll=False), 2)
    assert sees(start, "6-6 3-0 3-1 4-0 3-2 6-5") == "deal 1 3-0 3-1 3-2 4-0 6-5 6-6"
    second = run(start, "deal 1 3-0 3-1 3-2 4-0 6-5 6-6").state
    assert sees(second, "1-0 1-1 2-0 2-1 2-2 0-0").startswith("deal 0 0-0")
    assert doubts(second, "1-0 1-1 2-0 2-1 2-2").code == "wrong-count"
    twice = doubts(second, "1-0 1-1 2-0 2-1 2-2 6-6")
    assert (twice.code, twice.moves) == ("same-tile-twice", ())
    assert "Dealt to the other player already: 6-6." in twice.message
    assert doubts(second, "3-0 3-1 3-2 4-0 6-5 6-6").code == "nothing-new"
    assert "Seen twice: 1-0." in doubts(second, "1-0 1-0 2-0 2-1 2-2 0-0").message


def test_which_tiles_go_to_the_crib_is_asked_never_guessed(game, run, doubts):
    start = game.start(Rules(opening_roll=False), 2)
    state = run(start, "deal 1 3-0 3-1 3-2 4-0 6-5 6-6", "deal 0 0-0 1-0 1-1 5-5 6-2 6-4").state
    to_confirm = (Move.parse("discard 6-5 6-6"),)
    assert doubts(state, "6-6 6-5").moves == doubts(state, "3-0 3-1 3-2 4-0").moves == to_confirm
    for other in ("", "6-6", "6-6 0-0", "6-6 6-6", "3-0 3-1 3-2 4-0 6-5 6-6"):
        assert (doubts(state, other).code, doubts(state, other).moves) == ("choice-first", ())


def test_starter_is_one_tile_that_nobody_was_dealt(dealt, sees, doubts):
    state = dealt(HAND_1, HAND_0)
    assert sees(state, "1-4") == "starter 4-1"
    assert doubts(state, "4-1 4-2").code == "wrong-count"
    elsewhere = doubts(state, "1-0")
    assert (elsewhere.code, elsewhere.moves) == ("tile-elsewhere", ())
    assert "1-0 was dealt already" in elsewhere.message


@pytest.mark.parametrize("shown", ["2-0", "2-0 4-1", "6-3 2-0 5-3 6-2", "4-1 6-3 5-3 6-2 2-0"])
def test_the_tile_played_alone_or_all_with_or_without_the_starter(at_play, sees, shown):
    assert sees(at_play("6-3", "5-3", "6-2"), shown) == "play 2-0"


@pytest.mark.parametrize("shown", ["5-4", "4-1 5-4", "6-3 5-3 6-2 2-0 1-0 5-4", "4-1 6-3 5-3 6-2 2-0 1-0 5-4"])
def test_after_a_reset_all_tiles_are_those_since_then_or_since_the_deal(at_play, sees, shown):
    assert sees(at_play("6-3", "5-3", "6-2", "2-0", "1-0"), shown) == "play 5-4"


def test_since_the_reset_only(at_play, sees, doubts):
    state = at_play("6-3", "5-3", "6-2", "2-0", "1-0", "5-4")
    assert sees(state, "5-4 5-2") == sees(state, "6-3 5-3 6-2 2-0 1-0 5-4 5-2") == "play 5-2"
    assert doubts(state, "1-0 5-4 5-2").code == "some-missing"


@pytest.mark.parametrize(
    ("shown", "code", "says", "moves"),
    [
        ("", "nothing-seen", "No tile", ()),
        ("6-3 5-3 6-2 4-1", "nothing-new", "were on the table before", ()),
        ("2-0 1-0", "wrong-count", "There are two new tiles (1-0 and 2-0), but one is due.", ()),
        ("6-3 6-2 2-0", "some-missing", "others were: 5-3.", ("play 2-0",)),
        ("5-4", "not-in-hand", "5-4 is not in the hand", ()),
        ("6-1", "not-in-hand", "6-1 is not in the hand", ()),
        ("6-3 5-3 6-2 5-2", "beyond-31", "5-2 would bring the count from 25 to 32", ()),
        ("2-0 2-0", "same-tile-twice", "Seen twice: 2-0.", ()),
        ("4-2 6-3 5-3 6-2 2-0", "wrong-count", "2-0 and 4-2", ()),  # a starter that changed
    ],
)
def test_doubts_in_the_play_name_the_trouble_and_the_way_out(at_play, doubts, shown, code, says, moves):
    doubt = doubts(at_play("6-3", "5-3", "6-2"), shown)
    assert doubt.code == code
    assert says in doubt.message
    assert "Show the tile played alone, or all tiles played so far." in doubt.message
    assert tuple(map(str, doubt.moves)) == moves


def test_dice_beside_the_tiles_are_a_doubt_that_may_be_confirmed(at_play, doubts):
    doubt = doubts(at_play("6-3", "5-3", "6-2"), "2-0", dice=(3,))
    assert (doubt.code, tuple(map(str, doubt.moves))) == ("dice-there", ("play 2-0",))


def test_nothing_is_recognised_when_the_game_is_over(dealt, run, doubts):
    over = run(dealt(HAND_1, HAND_0, scores=(60, 0)), "starter 3-3").state
    assert doubts(over, "6-3").code == "game-over"
