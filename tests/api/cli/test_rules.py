import json
from pathlib import Path

from api.cli.rules import markdown
from scorer.games.registry import GAMES
from scorer.games.scoring import rules_of, typed
from tests.api.conftest import Muggins

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"


def test_the_page_of_options_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == markdown(), "run: python -m api.cli.rules > docs/rules.md"


def test_every_option_is_listed_with_a_default_that_its_game_takes(muggins: Muggins) -> None:
    listed = json.loads(muggins("rules", "--json").stdout)
    assert set(listed) == set(typed()) >= set(GAMES)
    for name, options in listed.items():
        rules = rules_of(name)
        assert [option["name"] for option in options] == [option.name for option in rules.options()]
        assert rules.from_texts(f"{option['name']}={option['default']}" for option in options) == rules()


def test_one_game_as_a_table(muggins: Muggins) -> None:
    done = muggins("rules", "farkle-crib")
    assert done.returncode == 0
    assert "Farkle Cribbage" in done.stdout
    assert "three_pairs_4_2" in done.stdout
    assert "Crib Dice" not in done.stdout


def test_an_unknown_game_is_refused_and_the_others_named(muggins: Muggins) -> None:
    done = muggins("rules", "poker")
    assert done.returncode == 2
    assert "domino-cribbage" in done.stderr
