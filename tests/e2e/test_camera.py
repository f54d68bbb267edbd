"""A phone over the table scores the game: nobody taps for a throw, and what is in doubt is settled on any phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, chooses, here, joins, links, opens, serving, types
from tests.e2e.test_start_and_end import WON
from tests.e2e.throws import Film, photo

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One of its own: other tests throw the same, and a throw of another game would be asked about."""
    with serving(tmp_path_factory.mktemp("data")) as address:
        yield address


def begins_filming(phone: Page, server: str) -> None:
    """A game of Ann and Ben, begun with the button for the camera."""
    phone.goto(f"{server}/#join={JOIN_TOKEN}")
    chooses(phone, "crib-dice")
    phone.get_by_label("Player 1").fill("Ann")
    phone.get_by_label("Player 2").fill("Ben")
    phone.get_by_role("button", name="Score with this phone").click()
    phone.wait_for_url("**/camera/*")
    expect(phone.locator("#state")).to_have_text("Watching. Throw when you like.")


def cleared(film: Film, over: Page) -> None:
    """The dice are taken away, and the camera has seen it: on a slow machine a frame takes seconds."""
    film.clear()
    expect(over.locator("#state")).to_have_attribute("data-table", "cleared")


def test_throws_are_scored_without_a_tap_and_a_doubt_is_settled_on_another_phone(
    filmed: Phones, film: Film, tmp_path: Path
) -> None:
    over, ann, ben = filmed.phone(), filmed.phone(), filmed.phone("dark")
    ben.add_init_script("setInterval = () => 0")  # the stream says what waits: nobody has to ask now and then
    begins_filming(over, filmed.server)
    expect(over.locator("#claimed")).to_be_hidden()
    game = over.url.rpartition("/")[2]
    host = over.context.new_page()
    host.goto(f"{filmed.server}/table/{game}")
    invitation, _ = links(host)
    host.close()
    joins(ann, invitation, "Ann")
    joins(ben, invitation, "Ben")

    film.show(photo((6, 1), seed=7))
    expect(ann.locator("#prompt")).to_contain_text("Ben")
    expect(over.locator("#score")).to_contain_text("Ann")
    cleared(film, over)
    film.show(photo((1, 2), seed=3))
    expect(ben.locator("#prompt")).to_contain_text("seven dice")
    over.screenshot(path=tmp_path / "over.png", full_page=True)

    cleared(film, over)
    film.show(photo((2, 2, 4), seed=8))
    for phone in (over, ann, ben):
        expect(phone.locator(".waiting-roll")).to_contain_text("Please check this roll")
    ben.screenshot(path=tmp_path / "doubt.png", full_page=True)
    ben.get_by_role("button", name="No throw: leave it out").click()
    for phone in (over, ann, ben):
        expect(phone.locator(".waiting-roll")).to_have_count(0)

    cleared(film, over)
    film.show(photo((1, 2, 3, 4, 5, 5, 6), seed=26))
    expect(ann.locator("[data-move='point 5']")).to_be_visible()
    opens(ann, "Moves")
    expect(ann.locator("#moves .thumbnail")).to_have_count(3)


KEEPS_CARDS = """
    window.cards = [];
    addEventListener("DOMContentLoaded", () => {
      const waiting = document.getElementById("waiting");
      const text = () => waiting.innerText.match(/^.* is no play/m)?.[0] ?? "";
      const note = () => text() === cards.at(-1) || cards.push(text());
      if (waiting) new MutationObserver(note).observe(waiting, { childList: true });
    });
"""
"""What each roll that waited was called, and the moments without any."""


def test_a_game_that_was_refused_with_the_camera_is_begun_without_it(filmed: Phones) -> None:
    phone = filmed.phone()
    phone.goto(f"{filmed.server}/#join={JOIN_TOKEN}")
    chooses(phone, "crib-dice")
    for number in "12":
        phone.get_by_label(f"Player {number}").fill("Ann")
    phone.get_by_role("button", name="Score with this phone").click()
    expect(phone.locator("#trouble")).to_contain_text("no two the same")
    phone.get_by_label("Player 2").fill("Ben")
    phone.get_by_role("button", name="Begin").click()
    phone.wait_for_url("**/table/*")
    expect(phone.locator("#dock")).to_be_visible()


def test_a_roll_that_was_settled_does_not_come_back_with_a_late_frame(filmed: Phones, film: Film) -> None:
    over = filmed.phone()
    over.add_init_script(KEEPS_CARDS)
    begins_filming(over, filmed.server)
    game = over.url.rpartition("/")[2]
    hand = over.context.new_page()
    hand.goto(f"{filmed.server}/table/{game}")
    types(hand, "1 6", "1 2")
    hand.close()
    late: list[tuple[Route, APIResponse]] = []

    def frame(route: Route) -> None:
        """The first answer that tells of the roll stays on its way."""
        answer = route.fetch()
        asked = (answer.json().get("ask") or {}).get("kind")  # meanwhile the next frame may be answered
        if asked == "check" and not late:
            late.append((route, answer))
        else:
            route.fulfill(response=answer)

    over.route("**/camera/frames", frame)
    film.show(photo((2, 2, 4), seed=8))
    over.get_by_role("button", name="No throw: leave it out").click()
    expect(over.locator(".waiting-roll")).to_have_count(0)
    [(held, answer)] = late
    held.fulfill(response=answer)
    cleared(film, over)
    film.show(photo((3, 5), seed=2))
    over.get_by_role("button", name="No throw: leave it out").click()
    expect(over.locator(".waiting-roll")).to_have_count(0)
    first, none, second, last = over.evaluate("cards")
    assert "" not in {first, second}
    assert first != second
    assert (none, last) == ("", "")


def test_frames_that_a_network_swallows_do_not_end_the_watching(filmed: Phones, film: Film) -> None:
    """Where no answer comes at all, two frames are given up after a while, and the next ones are sent."""
    over = filmed.phone()
    begins_filming(over, filmed.server)
    swallowed: list[Route] = []
    over.route("**/camera/frames", lambda route: swallowed.append(route) if len(swallowed) < 2 else route.continue_())
    while len(swallowed) < 2:
        over.wait_for_timeout(200)
    film.show(photo((6, 1), seed=9))
    expect(over.locator("#score")).to_contain_text("Ann")
    assert len(swallowed) == 2


def test_a_camera_link_opens_the_page_over_the_table_on_another_phone(filmed: Phones) -> None:
    host, over = filmed.phone(), filmed.phone()
    begins_filming(host, filmed.server)
    host.goto(host.url.replace("/camera/", "/table/"))
    links(host)
    host.get_by_role("button", name="Make a camera link").click()
    expect(host.locator("#camera-qr")).to_be_visible()
    over.goto(here(host, host.locator("#camera-link").input_value()))
    over.wait_for_url("**/camera/*")
    expect(over.locator("#state")).to_have_text("Watching. Throw when you like.")
    expect(over.locator("#claimed")).to_be_hidden()
    assert "#" not in over.url


AN_ABLE_CAMERA = """
    window.asked = [];
    const track = MediaStreamTrack.prototype;
    track.getCapabilities = () => ({ torch: true, zoom: { min: 1, max: 4, step: 0.5 } });
    track.applyConstraints = async ({ advanced }) => asked.push(...advanced);
    navigator.vibrate = (pattern) => asked.push({ vibrate: pattern.length });
    navigator.wakeLock.request = async (kind) => asked.push({ awake: kind }) && { released: false };
"""
"""What the camera of a browser without hardware lacks."""


def test_the_phone_over_the_table_lights_enlarges_stays_awake_and_tells_a_score(filmed: Phones, film: Film) -> None:
    over = filmed.phone()
    over.add_init_script(AN_ABLE_CAMERA)
    begins_filming(over, filmed.server)
    assert {"awake": "screen"} in over.evaluate("asked")
    over.get_by_role("button", name="Light").click()
    over.get_by_label("Zoom").fill("2.5")
    over.get_by_role("button", name="Light").click()
    assert [each for each in over.evaluate("asked") if "awake" not in each] == [
        {"torch": True},
        {"zoom": 2.5},
        {"torch": False},
    ]
    game = over.url.rpartition("/")[2]
    hand = over.context.new_page()
    hand.goto(f"{filmed.server}/table/{game}")
    types(hand, "1 6", "1 2", "1234556", "point 5")
    over.bring_to_front()
    expect(over.locator("#score")).to_contain_text("frozen")
    over.wait_for_function("asked.some((each) => each.vibrate)")
    over.get_by_role("button", name="Sound").click()
    before = len(over.evaluate("asked"))
    types(hand, "stop")
    expect(over.locator("#score")).to_contain_text("pegs")
    assert len([each for each in over.evaluate("asked")[before:] if "vibrate" in each]) == 0


TRACK = "document.getElementById('video').srcObject.getVideoTracks()[0]"


def test_a_camera_that_another_app_has_taken_is_told_and_goes_on_by_itself(filmed: Phones) -> None:
    over = filmed.phone()
    begins_filming(over, filmed.server)
    sent: list[str] = []
    # Only the system mutes a camera's track; its events are the same.
    over.evaluate(f"{TRACK}.dispatchEvent(new Event('mute'))")
    expect(over.locator("#trouble")).to_contain_text("another app uses it")
    over.wait_for_timeout(1000)  # a frame that was under way
    over.on("request", lambda request: sent.append(request.url))
    over.wait_for_timeout(4000)
    assert not [url for url in sent if "/frames" in url]
    expect(over.locator("#trouble")).to_be_visible()
    over.evaluate(f"{TRACK}.dispatchEvent(new Event('unmute'))")
    expect(over.locator("#state")).to_have_text("Watching. Throw when you like.")
    expect(over.locator("#trouble")).to_be_hidden()


def test_a_game_that_is_over_is_filmed_no_more_until_a_move_is_taken_back(filmed: Phones) -> None:
    phone = filmed.phone()
    phone.goto(f"{filmed.server}/#join={JOIN_TOKEN}")
    chooses(phone, "farkle-crib")
    for number, name in enumerate(("Ann", "Ben"), 1):
        phone.get_by_label(f"Player {number}").fill(name)
    phone.get_by_text("More rules").click()
    phone.get_by_label("Finish", exact=True).fill("31")
    phone.get_by_role("checkbox", name="Straight").check()
    phone.get_by_label("Opening roll").uncheck()
    phone.get_by_role("button", name="Begin").click()
    types(phone, *WON[:-1])
    films = phone.get_by_role("link", name="Score with this phone")
    expect(films).to_be_visible()
    types(phone, WON[-1])
    expect(phone.locator("#ended")).to_be_visible()
    expect(films).to_be_hidden()
    over = phone.context.new_page()
    over.goto(phone.url.replace("/table/", "/camera/"))
    expect(over.locator("#prompt")).to_have_text("Ann wins.")
    expect(over.locator("#state")).to_have_text("The game is over.")
    over.wait_for_timeout(1000)
    expect(over.locator("#state")).to_have_text("The game is over.")
    phone.get_by_role("button", name="Undo").click()
    expect(films).to_be_visible()
    expect(over.locator("#state")).to_have_text("Watching. Throw when you like.")


def test_the_phone_is_asked_to_move_back_while_a_die_is_cut_off(filmed: Phones, film: Film) -> None:
    over = filmed.phone()
    begins_filming(over, filmed.server)
    film.show(photo((6, 1), seed=7).crop((150, 0, 1280, 848)).resize((1280, 960)))
    expect(over.locator("#back")).to_be_visible()
    expect(over.locator("#back")).to_contain_text("Move the phone back")
    film.clear()
    expect(over.locator("#back")).to_be_hidden()
