"""German pages on narrow phones: long words neither widen a page nor break in the middle."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.api.http.games.play import JOIN_TOKEN
from tests.e2e.phones import CHROMIUM, NO_CHROMIUM, Phones

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

WIDTHS = (320, 340, 360, 390)


def german(phones: Phones, page: str) -> Page:
    phone = phones.phone()
    phone.set_extra_http_headers({"accept-language": "de-DE,de;q=0.9"})
    phone.goto(f"{phones.server}/{page}")
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    return phone


@pytest.mark.parametrize("page", [f"#join={JOIN_TOKEN}", "teach", "verify", "history", "read"])
def test_no_german_page_is_wider_than_a_narrow_phone(phones: Phones, page: str) -> None:
    phone = german(phones, page)
    expect(phone.locator("h1")).to_be_visible()
    if JOIN_TOKEN in page:
        expect(phone.locator("#cards .card").first).to_be_visible()
    for width in WIDTHS:
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate("document.documentElement.scrollWidth") <= width
