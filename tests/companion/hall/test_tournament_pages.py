"""A tournament in real browsers: the host's tablet, a phone, and the board on a television."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.web.app import pairing_address
from companion.web.guards.access import Rule
from companion.web.server import Server
from tests.companion.hall.test_tournament import drawn_names, play
from tests.support.hall.tables import hall_on, let_in

TV = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 800}


@pytest.mark.browser
def test_a_heat_from_the_phone_to_the_places_on_the_television(browser: Any, url: str) -> None:
    """The host begins and opens the check-in; a phone checks in, twice is once; a name of markup is
    text; the draw is on the phone and on the board; results arrive; a correction is shown beside
    what the table said; nothing is wrong in any console."""
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        server = Server(app, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{server.port}"
        wrong: list[str] = []

        def opened(address: str, viewport: dict[str, int], language: str) -> Any:
            page = browser.new_context(viewport=viewport, locale=language).new_page()
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on(
                "console",
                lambda m: (
                    wrong.append(m.text) if m.type == "error" and "409" not in m.text else None
                ),
            )
            page.goto(address)
            return page

        try:
            host = opened(pairing_address(app, base), {"width": 1180, "height": 820}, "en")
            host.goto(f"{base}/#host")
            host.get_by_role("button", name="Lead the tournament").click()
            host.fill("#typed", "Spring sky")
            host.get_by_role("button", name="Begin it").click()
            for name in ("Ben", "<b>Cleo</b>"):
                host.fill("#typed", name)
                host.get_by_role("button", name="Write down").click()
                expect(host.locator(".device-list .who", has_text=name)).to_have_count(1)
            host.get_by_role("button", name="Let phones check in").click()
            expect(host.locator(".address")).to_have_text(re.compile(r"/check-in/[\w-]{16}$"))
            address = host.locator(".address").inner_text()

            phone = opened(address, PHONE, "cs")
            phone.fill("#name", "ben")
            phone.get_by_role("button", name="Přihlásit se").click()
            expect(phone.locator("[role=alert]")).to_contain_text("Tak už se někdo jmenuje")
            phone.fill("#name", "Ada")
            phone.get_by_role("button", name="Přihlásit se").click()
            expect(phone.locator("main")).to_contain_text("Jste tu jako Ada")
            phone.reload()
            expect(phone.locator("main")).to_contain_text("Jste tu jako Ada")

            board = opened(f"{base}/in/{shared.door.invite(Rule.WATCH)}", TV, "de")
            board.goto(f"{base}/#tournament")
            expect(board.locator(".qr")).to_be_visible()
            expect(board.locator(".season-table tbody tr")).to_have_count(3)

            host.get_by_role("button", name="Draw the tables").click()
            expect(board.locator(".heat-tables > li ol li")).to_have_count(3)
            expect(board.locator("bdi b")).to_have_count(0)
            expect(phone.locator(".phone-seat")).to_have_text("Stůl 1", timeout=20_000)
            told = host.evaluate("fetch('/api/host/tournament').then(r => r.json())")["tournament"]
            names = drawn_names(told)
            clouds = dict(zip(names, play(table, names).ledger.totals, strict=True))
            expect(board.locator(".heat-head")).to_contain_text("fertig")
            row = board.locator(".season-table tbody tr", has_text="Ada")
            expect(row.locator("td").nth(3)).to_have_text(str(clouds["Ada"]))

            line = host.locator(".device-list li", has_text="Ada").last
            line.get_by_role("button", name="Correct").click()
            line.locator("input").first.fill("42")
            line.get_by_role("button", name="Keep").click()
            expect(line).to_contain_text(f"table: {clouds['Ada']} → host: 42")
            expect(row.locator("td").nth(3)).to_have_text("42")
            for page, size in ((board, TV), (phone, PHONE)):
                assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert not wrong
        finally:
            server.stop()
