"""Two phones in a game with hidden hands: each shows its own, and the host can revoke the other."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones, begun, joins, links, opens, types

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

ANNS, BENS = "3-1 3-2 3-3 4-0 4-1 4-2", "1-0 1-1 2-0 2-1 2-2 3-0"


def sits(phone: Page, name: str) -> None:
    """The host says who plays on this phone."""
    phone.locator("#who-names").get_by_text(name, exact=True).click()
    phone.locator("#who-join").click()
    expect(phone.locator("#who")).to_be_hidden()
    expect(phone.locator("#dock")).to_be_visible()  # the page opens anew


@pytest.fixture
def table(phones: Phones) -> tuple[Page, Page]:
    """Ann's phone, which began a game of Domino Cribbage and deals, and Ben's; both hands are dealt."""
    ann, ben = phones.phone(), phones.phone("dark")
    begun(ann, phones.server, game="domino-cribbage")
    sits(ann, "Ann")
    joins(ben, links(ann)[0], "Ben")
    types(ann, "opening 6-6")
    expect(ben.locator("#prompt")).to_contain_text("Ben")
    types(ben, "opening 0-0", f"deal 1 {BENS}")
    expect(ann.locator("#prompt")).to_contain_text("Ann")
    types(ann, f"deal 0 {ANNS}")
    return ann, ben


def test_each_phone_shows_its_own_hand_until_its_link_is_revoked(table: tuple[Page, Page]) -> None:
    ann, ben = table
    expect(ann.locator("#hands")).to_contain_text(f"Ann holds {ANNS}")
    expect(ben.locator("#hands")).to_contain_text(f"Ben holds {BENS}")
    expect(ben.locator("#offers button").first).to_be_visible()
    expect(ann.locator("#offers button")).to_have_count(0)
    for phone, other in ((ann, BENS), (ben, ANNS)):
        opens(phone, "Moves")
        expect(phone.locator("#moves")).to_contain_text("face down")
        expect(phone.locator("body")).not_to_contain_text(other)
        expect(phone.locator("#evidence-part")).to_be_hidden()

    opens(ann, "Share")
    expect(ann.locator("#phones li")).to_have_text(["Ann (this phone)", "BenRevoke"])
    ann.on("dialog", lambda asked: asked.accept())
    ann.get_by_role("button", name="Revoke the link of: Ben").click()
    expect(ann.locator("#phones li")).to_have_text(["Ann (this phone)"])
    expect(ben.locator("#trouble")).to_contain_text("link was revoked. Ask the host")
    expect(ben.locator("#dock")).to_be_hidden()


def test_the_host_can_play_for_the_whole_table_and_change_that_later(phones: Phones) -> None:
    phone = phones.phone()
    begun(phone, phones.server, game="domino-cribbage")
    phone.locator("#who-all").click()
    expect(phone.locator("#who")).to_be_hidden()
    phone.reload()
    expect(phone.locator("#dock")).to_be_visible()
    expect(phone.locator("#who")).to_be_hidden()
    links(phone)
    phone.locator("#who-change").click()
    sits(phone, "Ben")
    links(phone)
    expect(phone.locator("#phones li")).to_have_text(["Ben (this phone)"])


def test_revoking_the_links_asks_first_and_ends_only_what_they_opened(phones: Phones) -> None:
    ann, ben, late, watching = phones.phone(), phones.phone(), phones.phone(), phones.phone()
    begun(ann, phones.server)
    invitation, viewing = links(ann)
    joins(ben, invitation, "Ben")
    late.goto(invitation)
    watching.goto(viewing)
    expect(late.locator("#who")).to_be_visible()
    expect(watching.locator("#watching")).to_be_visible()
    answers, asked = iter([False, True]), []
    ann.on("dialog", lambda said: (asked.append(said.message), said.accept() if next(answers) else said.dismiss()))
    renew = ann.get_by_role("button", name="Revoke these links, make new ones")
    renew.click()
    late.reload()
    expect(late.locator("#who")).to_be_visible()
    assert len(asked) == 1
    renew.click()
    expect(late.locator("#trouble")).to_contain_text("link was revoked. Ask the host")
    expect(late.locator("#who")).to_be_hidden()
    expect(watching.locator("#trouble")).to_contain_text("link was revoked. Ask the host")
    assert len(asked) == 2
    assert asked[0].startswith("Revoke these links? Nobody can join")
    types(ben, "opening 1 2")
    expect(ann.locator("#prompt")).to_contain_text("Ben")
