"""The tiers of the suite: `slow`, and with it `e2e` and `proof`, by file and folder; and how long slow tests may take.

Fast tests come first. Where the environment says `TEST_MINUTES`, slow tests that would begin later than so many minutes
after the start are skipped, and fast ones after twice as many, saying so: CI on a machine that stands still half of the time
tells what it has, in time.
See docs/decisions/0023-a-suite-that-ends.md.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import BrowserType, sync_playwright

from tests import examples

_TESTS = Path(__file__).parent
_BEGUN, _MINUTES = time.monotonic(), float(os.environ.get("TEST_MINUTES", "inf"))
_FAST = "not slow"
"""What `-m` says for the fast tier."""
_ALWAYS_SLOW = ("e2e", "proof")
"""Folders that give their tests a mark of the same name, too."""
_SLOW = (
    "api/cli/test_demo.py",
    "api/cli/test_evidence.py",
    "api/cli/test_main.py",
    "api/cli/test_odds.py",
    "api/cli/test_play.py",
    "api/cli/test_rules.py",
    "api/cli/test_score.py",
    "api/cli/test_watch.py",
    "api/film/input/test_camera.py",
    "api/film/output/test_movie.py",
    "api/film/remote",
    "api/film/test_pipeline.py",
    "api/http/cameras/test_routes.py",
    "api/http/games/test_again.py",
    "api/http/games/test_feed.py",
    "api/http/games/test_photos.py",
    "api/http/games/test_together.py",
    "api/http/games/test_upgraded.py",
    "api/http/serve/test_server.py",
    "api/http/test_app.py",
    "api/http/test_contract.py",
    "api/http/test_costs.py",
    "api/http/test_verifications.py",
    "api/http/worker/test_process.py",
    "api/store/test_changes.py",
    "api/store/test_conflict.py",
    "api/store/test_database.py",
    "api/store/test_folder.py",
    "api/store/test_killed.py",
    "bench",
    "datasets",
    "fuzz",
    "scorer/games/crib_dice/test_odds.py",
    "scorer/games/cribbage_dice/test_odds.py",
    "scorer/games/farkle/test_odds.py",
    "scorer/games/farkle_crib/test_odds.py",
    "scorer/odds",
    "vision/detect",
    "vision/test_reader.py",
    "vision/watch",
)
"""Files and folders whose tests start processes, run networks, encode films, play whole games or solve races."""


# A limit on the seconds of an example would judge the machine. What has to be quick is measured in bench/.
settings.register_profile("muggins", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(examples.FAST, settings.get_profile("muggins"), max_examples=25)


def pytest_configure(config: pytest.Config) -> None:
    """The fast tier tries fewer examples. Files keep their order when they are dealt out to processes."""
    settings.load_profile(examples.FAST if config.option.markexpr == _FAST else "muggins")
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The fast tier does not import the files of the others: making up requests from the API's description takes a minute."""
    if config.option.markexpr == _FAST and collection_path.is_relative_to(_TESTS):
        place = collection_path.relative_to(_TESTS).as_posix()
        return place.startswith(_ALWAYS_SLOW) or _is_slow(place) or None
    return None


def _is_slow(place: str) -> bool:
    return any(place == slow or place.startswith(f"{slow}/") for slow in _SLOW)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test by the file it is in, and put the slow ones last."""
    for item in items:
        place = item.path.relative_to(_TESTS).as_posix()
        for tier in _ALWAYS_SLOW:
            if place.startswith(f"{tier}/"):
                item.add_marker(tier)
                item.add_marker("slow")
        if _is_slow(place):
            item.add_marker("slow")
    items.sort(key=lambda item: sum(item.get_closest_marker(tier) is not None for tier in ("slow", *_ALWAYS_SLOW)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what is slow once the time is used up, and all the rest when it is used up twice."""
    minutes = _MINUTES if item.get_closest_marker("slow") else 2 * _MINUTES
    if time.monotonic() - _BEGUN > minutes * 60:
        pytest.skip(f"not run: the {minutes:g} minutes that TEST_MINUTES={_MINUTES:g} allows are used up")


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    """Browsers to start. There can be one Playwright only in a process, whichever folders its tests are from."""
    with sync_playwright() as playwright:
        yield playwright.chromium
