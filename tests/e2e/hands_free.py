"""`python -m tests.e2e.hands_free --game farkle-crib --finish 121` films a whole game before a real browser's camera.

The players throw what chance gives them, set aside what they keep, and say nothing: the page over the table shows what
the camera sees to the real server, which reads, counts and plays. Every tap that is needed is counted. The film is composed
while it runs: the next throw comes when the camera has counted the one before, as players wait for each other.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
from playwright.sync_api import expect, sync_playwright

from scorer.engine.game import Move
from scorer.engine.record import Record
from scorer.games.registry import GAMES, AnyGame
from tests.api.http.games.play import JOIN_TOKEN, bearer
from tests.e2e.phones import CAMERA, PATIENCE, Phones, chooses, counts_taps, opened, serving, taps
from tests.e2e.throws import CELLS, Film, Lying, cast, picture_of

_STEP = 100
"""Milliseconds between two looks at what the camera has counted."""
_CALM = """() => {
    const state = document.getElementById("state");
    let busy = false;
    window.calm = 0;
    new MutationObserver(() => {
        if (busy && !state.classList.contains("busy")) window.calm += 1;
        busy = state.classList.contains("busy");
    }).observe(state, { attributes: true });
}"""
"""Counts how often the camera has come to an end with what it saw: to know that it saw the dice being picked up."""
_ENOUGH = {"farkle-crib": 5, "crib-dice": 3}
"""Points of a turn with which these players stop."""


@dataclass
class Played:
    """A game that was filmed.

    Attributes:
        record: of the server.
        throws: how many.
        taps_to_begin: from the start page to the camera that watches.
        taps: on all phones while it was played.
        why: the same taps by their reason: "check" (the reading was in doubt), "choice" (no throw showed what was chosen).
        seconds: from the moment the dice lay still until the game had the throw, of each that needed no tap.
    """

    record: Record
    throws: int
    taps_to_begin: int
    taps: int
    why: Counter[str]
    seconds: list[float]


def moves_of(game: AnyGame, rules: Any, seed: int) -> Iterator[tuple[Any, Move]]:
    """A whole game of two players who take the best of what is on the table: each move, and the state before it."""
    rng, state = Random(seed), game.start(rules, players=2)
    while state.result is None:
        legal, offers = game.legal_moves(state), game.offers(state)
        stop = next((offer for offer in offers if str(offer.move) == "stop"), None)
        if legal.chance is not None and (stop is None or stop.points < _ENOUGH[game.name]):
            move = legal.chance.sample(rng)
        else:
            move = (stop or max(offers, key=lambda offer: offer.points)).move
        yield state, move
        state = game.apply(state, move).state


def laid_out(
    game: AnyGame, state: Any, throw: Move, table: list[Lying], rng: Random
) -> tuple[list[Lying], list[Lying]]:
    """The dice that stay on the table when these are picked up, and those that are thrown."""
    aside, stay = Counter(map(int, game.lay_before(state, throw))), []
    for die in table:
        if aside[die.value] > 0:
            aside[die.value] -= 1
            stay.append(die)
    free = [cell for cell in range(CELLS) if cell not in {die.cell for die in stay}]
    rng.shuffle(free)
    return stay, cast(map(int, game.laid_by(throw)), rng, free)


def throw_text(thrown: list[Lying]) -> str:
    """What was thrown, for the log."""
    return " ".join(str(die.value) for die in thrown)


class Journey:
    """A phone over the table, one in a player's hand, and the film."""

    def __init__(self, phones: Phones, film: Film, game: str, rules: dict[str, str], seed: int) -> None:
        """Begin the game on the start page of the phone that then films."""
        self.game = GAMES[game]
        self.rules = self.game.rules(**{name: json.loads(value) for name, value in rules.items()})
        self._film, self._seed, self._why = film, seed, Counter[str]()
        self.over, self.hand = phones.phone(), phones.phone("dark")
        for phone in (self.over, self.hand):
            counts_taps(phone)
        self._begin(phones.server, rules)
        self.id = self.over.url.rpartition("/")[2]
        kept = json.loads(self.over.evaluate("localStorage.getItem('muggins.games')"))[self.id]
        self._path, self._token = f"{phones.server}/v1/games/{self.id}", kept["player"]
        self.hand.goto(f"{phones.server}/table/{self.id}#{kept['player']}")
        expect(self.hand.locator("#dock")).to_be_visible()

    def _begin(self, server: str, rules: dict[str, str]) -> None:
        """Names and rules are typed; what is tapped is counted."""
        self.over.goto(f"{server}/#join={JOIN_TOKEN}")
        chooses(self.over, self.game.name)
        for number, name in enumerate(("Ann", "Ben"), 1):
            self.over.get_by_label(f"Player {number}").fill(name)
        self.over.get_by_text("More rules").click()
        for name, value in rules.items():
            option = self.over.locator(f"#rules [data-rule='{name}']")
            if value in ("true", "false"):
                option.set_checked(value == "true")
            else:
                option.fill(value)
        self.over.get_by_role("button", name="Score with this phone").click()
        self.over.wait_for_url("**/camera/*")
        expect(self.over.locator("#state")).to_have_text("Watching. Throw when you like.")
        self.over.evaluate(_CALM)
        self._taps_to_begin = taps(self.over)

    def play(self) -> Played:
        """Film the whole game."""
        rng, table, wanted, seconds = Random(self._seed + 1), list[Lying](), list[Move](), list[float]()
        throws = 0
        for state, move in moves_of(self.game, self.rules, self._seed):
            wanted.append(move)
            if not self.game.laid_by(move):
                continue
            stay, thrown = laid_out(self.game, state, move, table, rng)
            self._pick_up(stay, table)
            table, throws = [*stay, *thrown], throws + 1
            before, took = self._why.total(), self._throw(table, throws, wanted)
            seconds += [took] if self._why.total() == before else []
            print(f"throw {throws}: {throw_text(thrown)}, {took:.1f} s", flush=True)
        self._settle(wanted)
        expect(self.over.locator("#prompt")).to_contain_text("win")
        tapped = taps(self.over) + taps(self.hand) - self._taps_to_begin
        return Played(self._record(), throws, self._taps_to_begin, tapped, self._why, seconds)

    # The table

    def _pick_up(self, stay: list[Lying], table: list[Lying]) -> None:
        """The hand takes what is thrown next; the camera sees what stays."""
        if len(stay) < len(table):
            expect(self.over.locator("#state")).not_to_contain_class("busy")
            before = self.over.evaluate("calm")
            self._film.show(picture_of(stay))
            for _ in range(PATIENCE // _STEP):
                if self.over.evaluate("calm") > before:
                    return
                self.over.wait_for_timeout(_STEP)
            raise AssertionError(f"not seen: {self._status()}: {self.over.locator('main').inner_text()}")

    def _throw(self, table: list[Lying], throws: int, wanted: list[Move]) -> float:
        """Show the throw until it is in the record; what is asked on the way is tapped. Gives seconds."""
        self._film.show(picture_of(table))
        begun = time.monotonic()
        self._until(lambda told: told["rolls"] >= throws)
        self._settle(wanted, told_by_throw=True)
        return time.monotonic() - begun

    def _settle(self, wanted: list[Move], *, told_by_throw: bool = False) -> None:
        """Tap what the game waits for. A throw that waits for nobody has said itself what was chosen."""
        for _ in range(PATIENCE // _STEP):
            ask, played = self._status()["ask"], self._record().moves
            if len(played) >= len(wanted):
                assert played == tuple(wanted[: len(played)])
                return
            if ask and ask["kind"] == "check":
                self._tap("check", self.hand.locator(".waiting-roll .main"))
            elif ask or not told_by_throw:
                self._choose(str(wanted[len(played)]))
            self.hand.wait_for_timeout(_STEP)
        raise AssertionError(f"{wanted[-1]} was never played: {self.hand.locator('main').inner_text()}")

    def _choose(self, move: str) -> None:
        offer, more = self.hand.locator(f"[data-move='{move}']"), self.hand.locator("#offers .more")
        if not offer.count() and more.count():
            self._tap("choice", more)
        if not offer.count():
            return  # the phone in the hand has yet to hear of it
        self._tap("choice", offer)
        expect(offer).to_have_count(0)

    def _tap(self, why: str, what: Any) -> None:
        what.click()
        self._why[why] += 1

    # What the server knows

    def _until(self, known: Any) -> None:
        told: dict[str, Any] = {}
        for _ in range(PATIENCE // _STEP):
            told = self._status()
            if known(told):
                return
            self.over.wait_for_timeout(_STEP)
        raise AssertionError(f"{told}: {self.over.locator('main').inner_text()}")

    def _status(self) -> dict[str, Any]:
        told: dict[str, Any] = self._get("/camera").json()
        return told

    def _record(self) -> Record:
        return Record.load(self._get("/record").text)

    def _get(self, what: str) -> httpx2.Response:
        return httpx2.get(f"{self._path}{what}", headers=bearer(self._token), timeout=60).raise_for_status()


def main() -> None:
    """Film a game and say what it needed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=sorted(_ENOUGH), default="farkle-crib")
    parser.add_argument("--finish", default="121", help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, another game (default: %(default)s)")
    options = parser.parse_args()
    with TemporaryDirectory() as folder, sync_playwright() as playwright, serving(Path(folder) / "data") as server:
        film = Film(Path(folder) / "table.y4m")
        with opened(playwright.chromium, *CAMERA, f"--use-file-for-fake-video-capture={film.file}") as browser:
            phones = Phones(browser, server)
            rules = {"finish": options.finish}
            played = Journey(phones, film, options.game, rules, options.seed).play()
            phones.close()
    moves = len(played.record.moves)
    print(
        f"{played.throws} throws, {moves} moves, {played.taps} taps: {dict(played.why)}; {played.taps_to_begin} to begin"
    )
    print(
        f"from rest to score: {statistics.median(played.seconds):.1f} s in the middle, {max(played.seconds):.1f} s at most"
    )


if __name__ == "__main__":
    main()
