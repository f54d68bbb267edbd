"""Every ruling is an option with the default that it names, or has no option; and every option has a ruling or a reason."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.games.registry import GAMES

BOARD = {"finish": 121, "final_turns": "same_round", "tie": "shared"}
"""RULINGS, "All games on a cribbage board"."""
OPTIONS: dict[str, dict[str, Any]] = {
    "crib-dice": {
        **BOARD,
        "edition": "v2.1",
        "piddle_points": False,
        "bomb": False,
        "double_fuchle": False,
        "skunk": False,
        "bumping": False,
        "find_a_loser": False,
        "long_game": False,
        "partners": False,
        "pandemonium": False,
        "piddle_double_point": "auto",
        "freeze_all": True,
        "piddle_fail_counts": True,
        "bomb_fail_counts": True,
        "fuchle_at_start": True,
        "double_skunk_unmoved": False,
        "bomb_scores_points": False,
        "roll_at_five_or_six": False,
        "stop_after_piddle": False,
        "lanes": [],
    },
    "cribbage-dice": {
        "once_kept": False,
        "seven_dice": False,
        "seven_keep_starter": True,
        "target": 90,
        "finish_round": False,
        "round_limit": 0,
        "sub_runs": False,
        "tie": "shared",
    },
    "farkle-crib": {
        **BOARD,
        "two_triples": False,
        "bonus": [],
        "three_pairs_4_2": False,
        "bomb_exchange": "end_turn_forfeit",
        "lanes": [],
    },
    "domino-cribbage": {
        "target": 61,
        "blank_in_fifteens": True,
        "play_scope": "shared",
        "blank_rescore": True,
    },
}
"""The rulings that name an option, by the game, with the default that they name."""
NO_OPTION = {
    "all games": ["a round is one turn of every player", "who goes first", "the leader"],
    "crib-dice": [
        "the chart is literal",
        "point 1",
        "a turn is at most one wipeout",
        "fuchle and double fuchle",
        "the bomb is announced, and its exchange",
        "2 to 5 players, or partners",
    ],
    "cribbage-dice": ["the starter", "runs are maximal", "five of a kind", "stopping early", "two or more players"],
    "farkle-crib": ["any number of players", "the erratum", "at least one scoring die", "one peg per hole"],
    "domino-cribbage": ["hands", "who can play must", "the starter is not part of the play"],
    "photos": ["thrown or all dice", "an unchanged table", "what the rules do not allow", "choices are asked"],
}
"""The rulings that have none."""
OF_THE_TEXTS = {"opening_roll"}
"""Options that the texts' own words give, without a ruling."""


@pytest.mark.parametrize("name", OPTIONS)
def test_every_ruling_with_a_name_is_an_option_with_its_default(name: str) -> None:
    options = GAMES[name].rules().to_json()
    assert {option: options[option] for option in OPTIONS[name]} == OPTIONS[name]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_has_a_ruling_or_stands_in_the_text(name: str) -> None:
    assert set(GAMES[name].rules().to_json()) == set(OPTIONS[name]) | OF_THE_TEXTS


def test_every_game_of_the_rulings_is_there() -> None:
    assert set(OPTIONS) <= set(GAMES)
    assert set(NO_OPTION) - {"all games", "photos"} == set(OPTIONS)


@pytest.mark.parametrize("game", ["crib-dice", "farkle-crib", "farkle"])
def test_who_is_first_at_the_end_has_not_won_yet_and_players_are_told_so(game: str) -> None:
    assert GAMES[game].rules().final_turns != "at_once"
    assert "first" not in GAMES[game].summary
    assert GAMES[game].in_short[-1].startswith("Once ")
