"""Hands of Muggins worked by hand: who scores what, move by move."""

import pytest

from scorer.engine.board import ScoreSheet
from scorer.engine.game import Move
from scorer.errors import IllegalMove, RulesError
from scorer.games.muggins.ending import rounded
from scorer.games.muggins.rules import Rules
from scorer.games.muggins.state import Phase, State
from tests.scorer.games.muggins.table import GAME, points, run, secret, tiles, told


def refused(state: State, move: str) -> str:
    with pytest.raises(IllegalMove) as trouble:
        GAME.apply(state, Move.parse(move))
    return trouble.value.code


def test_a_whole_hand_and_the_game() -> None:
    state = told("5-5 5-0 6-0", "6-5 4-0 3-1", target=25)
    # 5-5 counts 10. 6-5 on it: 10 and 6 are 16. 6-0 on that: 10 and 0. 4-0: 10 and 4. 5-0 takes the other side of 5-5,
    # which counts no more: 0 and 4. Ann is out, and Ben holds 3-1, 4 pips, which is 5 to the nearest five.
    step = run(state, "play 5-5", "play 6-5 5-5", "play 6-0 6-5", "play 4-0 6-0", "play 5-0 5-5")
    assert points(step) == [(0, 10), (0, 10), (0, 5)]
    result = step.state.result
    assert result is not None
    assert (step.state.scores, result.winners, result.ranking, result.lost) == ((25, 0), (0,), ((0,), (1,)), (0, 1))
    assert refused(step.state, "draw") == "game-over"


def test_who_cannot_play_draws_until_a_tile_fits_and_lays_it() -> None:
    state = run(told("6-6 6-1 2-2", "5-4 4-3 3-2"), "play 6-6").state
    assert not GAME.offers(state)
    assert "nothing fits, draw" in GAME.prompt(state)
    assert refused(state, "play 5-4 6-6") == "does-not-fit"
    assert refused(state, "pass") == "must-draw"
    assert refused(state, "draw 6-1") == "tile-elsewhere"
    drawn = run(state, "draw 5-3", "draw 6-3").state
    assert [str(offer.move) for offer in GAME.offers(drawn)] == ["play 6-3 6-6"]
    assert refused(drawn, "draw 6-4") == "must-play"
    # The double still counts: 12 and 3.
    assert points(run(drawn, "play 6-3 6-6")) == [(1, 15)]


def test_with_nothing_left_to_draw_a_pass_follows_by_itself_and_nobody_able_blocks_the_game() -> None:
    # The double six leads and only players 0 and 3 hold a six; all 28 tiles are dealt.
    hands = (
        "6-6 0-0 1-0 2-0 3-0 4-0 5-0",
        "1-1 2-1 3-1 4-1 5-1 2-2 3-2",
        "4-2 5-2 3-3 4-3 5-3 4-4 5-4",
        "6-0 6-1 6-2 6-3 6-4 6-5 5-5",
    )
    step = run(told(*hands, spinner="none"), "play 6-6")
    assert [event.player for event in step.events if event.name == "passed"] == [1, 2]
    assert step.state.turn == 3


def test_a_blocked_game_goes_to_the_lightest_hand() -> None:
    # Nine each of 28, two of the ten others are never drawn: Ben draws eight, then both pass.
    begun = run(secret(hand=9, kept_back=2), "play 5-0", *["draw"] * 8)
    assert points(begun) == [(0, 5)]
    assert refused(begun.state, "draw") == "nothing-to-draw"
    light = "0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1"
    heavy = "3-2 3-3 4-0 4-1 4-2 4-3 4-4 5-1 5-2 5-3 5-4 5-5 6-0 6-1 6-2 6-3 6-4"
    step = run(begun.state, "pass", "pass", f"left 0 {light}", f"left 1 {heavy}")
    # Ann holds 0+1+2+2+3+4+3+4 = 19. All tiles have 168 pips; without 5-0, Ann's, and 6-6 and 6-5 in the boneyard that
    # leaves Ben 168-5-19-23 = 121, to the nearest five 120.
    assert points(step) == [(0, 120)]
    assert sum(tile.pips for tile in tiles(heavy)) == 121


def test_a_blocked_game_may_score_the_difference() -> None:
    begun = run(secret(hand=9, kept_back=2, blocked="difference"), "play 5-0", *["draw"] * 8, "pass", "pass")
    light = "0-0 1-0 1-1 2-0 2-1 2-2 3-0 3-1"
    heavy = "3-2 3-3 4-0 4-1 4-2 4-3 4-4 5-1 5-2 5-3 5-4 5-5 6-0 6-1 6-2 6-3 6-4"
    # 121 less 19 are 102, to the nearest five 100: that wins.
    step = run(begun.state, f"left 0 {light}", f"left 1 {heavy}")
    assert points(step) == [(0, 100)]
    assert step.state.result is not None


def test_equal_lightest_hands_score_nothing_and_the_lead_is_drawn_again() -> None:
    # Of 28 tiles three are dealt to each of three, and the other 19 are drawn, all by the second player.
    opened = run(secret(3, hand=3, lead="drawn"), "opening 6-6", "opening 5-5", "opening 4-4")
    level = run(opened.state, "play 6-6", *["draw"] * 19, "pass", "pass", "pass").state
    assert [len(hand) for hand in level.hands] == [2, 22, 3]
    heavy = "2-2 3-0 3-1 3-2 3-3 4-0 4-1 4-2 4-3 4-4 5-0 5-1 5-2 5-3 5-4 5-5 6-0 6-1 6-2 6-3 6-4 6-5"
    # 1-0 and 2-1 are 4 pips, and so are 0-0, 2-0 and 1-1.
    end = run(level, "left 0 1-0 2-1", f"left 1 {heavy}", "left 2 0-0 1-1 2-0")
    assert points(end) == []
    assert "nobody scores" in "".join(event.text for event in end.events)
    assert end.state.phase is Phase.OPENING


@pytest.mark.parametrize(
    ("going_out", "hands", "pips"),
    [
        # Wikipedia: 27 pips score 25, and 28 score 30.
        ("together", [27], 25),
        ("together", [28], 30),
        ("together", [27, 28], 55),
        ("each", [27, 28], 25 + 30),
        ("each", [2, 2, 2], 0),
        ("together", [2, 2, 2], 5),
        ("down", [29], 25),
    ],
)
def test_hands_are_rounded_as_agreed(going_out: str, hands: list[int], pips: int) -> None:
    assert rounded(Rules(going_out=going_out), hands) == pips  # type: ignore[arg-type]


class TestOverlookedPoints:
    def begun(self) -> State:
        return run(secret(3, muggins=True), "play 5-5").state

    def test_they_wait_for_who_calls_them(self) -> None:
        state = self.begun()
        assert state.scores == (0, 0, 0)
        assert [str(offer.move) for offer in GAME.offers(state)] == ["call", "muggins 1", "muggins 2", "unclaimed"]

    @pytest.mark.parametrize(
        ("move", "scores"), [("call", (10, 0, 0)), ("muggins 2", (0, 0, 10)), ("unclaimed", (0, 0, 0))]
    )
    def test_they_go_to_who_called(self, move: str, scores: tuple[int, ...]) -> None:
        step = run(self.begun(), move)
        assert step.state.scores == scores
        assert (step.state.phase, step.state.turn) == (Phase.PLAY, 1)

    def test_nobody_says_muggins_to_themselves_or_a_partner(self) -> None:
        assert refused(self.begun(), "muggins 0") == "wrong-player"
        partners = run(secret(4, muggins=True, partners=True), "play 5-5").state
        assert refused(partners, "muggins 2") == "wrong-player"

    def test_ends_that_score_nothing_are_not_asked_about(self) -> None:
        assert run(secret(muggins=True), "play 6-6").state.phase is Phase.PLAY


class TestPartners:
    def test_they_share_a_score_and_only_opponents_hands_count(self) -> None:
        begun = run(secret(4, partners=True, hand=3), "play 5-5", "play 6-5 5-5", "play 5-4 5-5", "play 4-1 5-4")
        # 10; then 10 and 6; then 6 and 4, for the partner; then 6 and 1.
        assert begun.state.scores == (20, 0)
        out = run(begun.state, "play 6-2 6-5", "play 2-1 6-2", "play 3-1 2-1", "play 3-2 3-1")
        # 2 and 1; 1 and 1; 3 and 1; 2 and 1: nothing scores.
        assert out.state.scores == (20, 0)
        ended = run(out.state, "play 2-0 3-2", "left 1 6-6", "left 3 4-3")
        # 0 and 1 score nothing; the opponents hold 12 and 7, 19 pips, and the partner's tile does not count.
        assert points(ended) == [(0, 20)]
        assert ended.state.scores == (40, 0)

    def test_they_win_together(self) -> None:
        step = run(secret(4, partners=True, target=20), "play 5-5", "play 6-5 5-5", "play 5-4 5-5")
        result = step.state.result
        assert result is not None
        assert (result.winners, result.ranking, result.lost) == ((0, 2), ((0, 2), (1, 3)), (0, 1, 0, 1))

    def test_they_are_four(self) -> None:
        with pytest.raises(RulesError, match="four players"):
            secret(3, partners=True)


class TestTheLead:
    def test_the_highest_total_drawn_leads_and_equal_ones_draw_again(self) -> None:
        state = GAME.start(Rules(), 3)
        tied = run(state, "opening 6-0", "opening 5-1", "opening 1-0").state
        assert (tied.phase, tied.turn, tied.drawn) == (Phase.OPENING, 0, ())
        assert refused(run(tied, "opening 6-0").state, "opening 6-0") == "tile-elsewhere"
        led = run(tied, "opening 6-0", "opening 5-2").state
        assert (led.phase, led.turn, led.leader) == (Phase.PLAY, 1, 1)

    def test_the_highest_double_is_set_where_hands_are_told(self) -> None:
        state = told("6-5 2-2 0-0", "6-4 4-4 1-0", lead="double")
        assert state.turn == 1
        assert [str(offer.move) for offer in GAME.offers(state)] == ["play 4-4"]
        assert refused(state, "play 6-4") == "not-the-lead"

    def test_without_a_double_it_is_the_heaviest_tile(self) -> None:
        state = told("6-5 2-1 1-0", "6-4 4-3 2-0", lead="double")
        assert [str(offer.move) for offer in GAME.offers(state)] == ["play 6-5"]

    def test_where_hands_are_secret_the_table_says_who_leads(self) -> None:
        state = run(secret(3, lead="double"), "lead 2").state
        assert (state.phase, state.turn) == (Phase.PLAY, 2)

    def test_who_went_out_leads_the_next_hand(self) -> None:
        begun = run(secret(hand=3), "play 6-6", "play 6-1 6-6", "play 1-1 6-1", "play 6-2 6-6")
        step = run(begun.state, "play 2-2 6-2", "left 1 3-3")
        assert (step.state.turn, step.state.phase, step.state.layout.laid) == (0, Phase.PLAY, ())


@pytest.mark.parametrize(("players", "dealt"), [(2, 7), (3, 5), (4, 5)])
def test_hands_are_of_the_usual_size(players: int, dealt: int) -> None:
    assert [len(hand) for hand in secret(players).hands] == [dealt] * players


def test_one_point_for_each_five_on_a_cribbage_board() -> None:
    state = run(secret(per_five="1", target=61), "play 5-5").state
    assert state.scores == (2, 0)
    assert not isinstance(GAME.board(state), ScoreSheet)
    assert isinstance(GAME.board(secret()), ScoreSheet)


@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_play(players: int) -> None:
    with pytest.raises(RulesError, match="2 to 4 players"):
        secret(players)


def test_tiles_are_kept_back_only_where_some_are_left() -> None:
    with pytest.raises(RulesError, match="no effect"):
        Rules.from_texts(["partners=yes", "hand=7", "kept_back=2"])
    for options in (["partners=yes", "kept_back=2"], ["hand=7", "kept_back=2"], ["partners=yes", "hand=7"]):
        Rules.from_texts(options)


def test_more_tiles_than_there_are_cannot_be_dealt() -> None:
    with pytest.raises(RulesError, match="28 tiles"):
        secret(4, hand=8)
    with pytest.raises(RulesError, match="3 to 9"):
        Rules(hand=2)


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("play 5-3 6-6", "does-not-fit"),
        ("play 6-6", "tile-elsewhere"),
        ("play 6-5", "unknown-place"),
        ("play", "unreadable-play"),
        ("pass", "must-draw"),
        ("draw 5-5", "strange-words"),
        ("left 1 5-5", "not-now"),
        ("stop", "not-now"),
    ],
)
def test_what_is_refused_says_why(move: str, code: str) -> None:
    assert refused(run(secret(), "play 6-6").state, move) == code


def test_a_view_tells_nobody_what_another_holds() -> None:
    state = run(told("5-5 5-0 6-0", "6-5 4-0 3-1"), "play 5-5").state
    own, public = GAME.view(state, 1), GAME.view(state, None)
    assert "{1} holds 3-1, 4-0, and 6-5" in own
    assert "5-0" not in own
    assert "6-0" not in own
    assert "holds" not in public
    assert "5-5 (10)" in public
    assert "{0} 2, {1} 3" in public


def test_nothing_said_of_a_draw_names_the_tile() -> None:
    step = run(run(told("6-6 6-1 2-2", "5-4 4-3 3-2"), "play 6-6").state, "draw 5-3")
    assert not any("5-3" in event.text for event in step.events)
    assert "5-3" not in GAME.view(step.state, 0)
