"""A tournament in real browsers: the host's tablet, a phone, and the board on a television."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.web.app import pairing_address
from companion.web.guards.access import Rule
from companion.web.server import Server
from tests.companion.hall.test_tournament import begun_with, done, drawn_names, host_of, play
from tests.support.hall.tables import hall_on, let_in

TV = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 800}


MEANT = ("409", "ERR_INTERNET_DISCONNECTED")
"""A name that is taken, and a phone without a network."""


def leave(phone: Any) -> None:
    """The person holds "I leave" until the phone says that they left."""
    phone.get_by_role("button", name="Podržet: odcházím").focus()
    phone.keyboard.down("Enter")
    expect(phone.locator("[role=status]")).to_have_text("Odešli jste z turnaje.")
    phone.keyboard.up("Enter")


def looked_at_again(phone: Any) -> None:
    """The person takes the phone up: it asks at once, not only after some seconds."""
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


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
                    wrong.append(m.text)
                    if m.type == "error" and not any(one in m.text for one in MEANT)
                    else None
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
            leave(phone)  # who never sat is forgotten, and still hears it
            phone.fill("#name", "Ada")
            phone.get_by_role("button", name="Přihlásit se").click()
            expect(phone.locator("main")).to_contain_text("Jste tu jako Ada")
            expect(phone.locator("[role=status]")).to_have_count(0)

            board = opened(f"{base}/in/{shared.door.invite(Rule.WATCH)}", TV, "de")
            board.goto(f"{base}/#tournament")
            expect(board.locator(".qr")).to_be_visible()
            expect(board.locator(".season-table tbody tr")).to_have_count(3)

            host.get_by_role("button", name="Draw the tables").click()
            expect(board.locator(".heat-tables > li ol li")).to_have_count(3)
            expect(board.locator("bdi b")).to_have_count(0)
            expect(phone.locator(".phone-seat")).to_have_text("Stůl 1", timeout=20_000)
            for offline, lines in (
                (True, ["Sál neodpovídá; takto to stálo naposledy."]),
                (False, []),
            ):
                phone.context.set_offline(offline)
                looked_at_again(phone)
                expect(phone.locator("[role=status]")).to_have_text(lines)
            told = host.evaluate("fetch('/api/host/tournament').then(r => r.json())")["tournament"]
            names = drawn_names(told)
            clouds = dict(zip(names, play(table, names).ledger.totals, strict=True))
            expect(board.locator(".heat-head")).to_contain_text("fertig", timeout=20_000)
            row = board.locator(".season-table tbody tr", has_text="Ada")
            expect(row.locator("td").nth(3)).to_have_text(str(clouds["Ada"]))

            line = host.locator(".device-list li", has_text="Ada").last
            line.get_by_role("button", name="Correct").click()
            for number in line.locator(".fix-number").all():
                assert number.bounding_box()["width"] >= 70  # two digits are seen
            line.locator("input").first.fill("42")
            line.get_by_role("button", name="Keep").click()
            expect(line).to_contain_text(f"table: {clouds['Ada']} → host: 42")
            expect(row.locator("td").nth(3)).to_have_text("42")
            leave(phone)
            phone.reload()
            expect(phone.locator("[role=status]")).to_have_text("Odešli jste z turnaje.")
            for page, size in ((board, TV), (phone, PHONE)):
                assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert not wrong
        finally:
            server.stop()


@pytest.mark.browser
def test_who_changes_a_name_is_told_the_seat_and_what_is_over_has_no_buttons(
    browser: Any, url: str
) -> None:
    """The check-in closes and the tables are drawn while the name is being changed; the places are written
    as the language writes numbers; once the tournament is over nobody is offered a correction."""
    with hall_on(url) as (shared, app):
        leads, table = host_of(app, shared), let_in(shared, app)
        server = Server(app, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{server.port}"
        begun_with(leads, "Ben", "Cleo", "Dora")
        address = f"{base}/check-in/" + done(leads, "open")["check_in"]["address"].split("/")[-1]
        phone = browser.new_context(viewport=PHONE, locale="en").new_page()
        board = browser.new_context(viewport=TV, locale="de").new_page()
        try:
            phone.goto(address)
            phone.fill("#name", "Ada")
            phone.get_by_role("button", name="Check in").click()
            phone.get_by_role("button", name="Change").click()
            done(leads, "draw", size=4)
            looked_at_again(phone)
            expect(phone.locator(".phone-seat")).to_have_text("Table 1")
            expect(phone.locator("#name")).to_have_value("Ada")
            told = done(leads, "shut")
            phone.fill("#name", "Adam")
            phone.get_by_role("button", name="Check in").click()
            expect(phone.locator("[role=alert]")).to_contain_text("Nobody can check in here")
            expect(phone.locator("#name")).to_have_count(0)
            expect(phone.locator(".phone-seat")).to_have_text("Table 1")
            expect(phone.get_by_role("button", name="Change")).to_have_count(0)

            play(table, drawn_names(told))
            told = done(leads, "close")
            thirds = sorted({line["points"] for line in told["lines"]} - {0, 50, 100})
            board.goto(f"{base}/in/{shared.door.invite(Rule.CONTROL)}")
            board.goto(f"{base}/#tournament")
            expect(board.locator(".season-table tbody tr")).to_have_count(4)
            points = board.locator(".season-table td:nth-child(3)").all_inner_texts()
            assert thirds
            assert {str(one).replace(".", ",") for one in thirds} <= set(points)
            board.goto(f"{base}/#lead")
            expect(board.get_by_role("button", name="Berichtigen")).to_have_count(4)
            done(leads, "end")
            expect(board.get_by_role("button", name="Berichtigen")).to_have_count(0)
            expect(board.locator(".device-list li")).to_have_count(4)
        finally:
            phone.context.close()
            board.context.close()
            server.stop()


LOST = "That was not done. Touch again when the hall answers."
SILENT = "The hall does not answer; this is how it stood."


@pytest.mark.browser
def test_what_is_not_decided_is_told_before_the_end_and_nobody_decides_after_it(
    browser: Any, url: str
) -> None:
    """Names by the keyboard's own key; one table plays with another person. The longest name of a
    tournament leaves the words beside it room to be read."""
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        server = Server(app, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{server.port}"
        host = browser.new_context(viewport={"width": 1180, "height": 820}, locale="en").new_page()

        def enter(name: str) -> None:
            host.fill("#typed", name)
            host.keyboard.press("Enter")
            expect(host.locator("#typed")).to_have_value("")

        def hold(words: str, until: Any) -> None:
            host.get_by_role("button", name=words).focus()
            host.keyboard.down("Enter")
            expect(until).to_be_visible()
            host.keyboard.up("Enter")

        try:
            host.goto(pairing_address(app, base))
            host.goto(f"{base}/#lead")
            enter("The Saturday sky over the long old bridge")
            for name in ("Ada", "Ben", "Cleo"):
                enter(name)
            assert host.locator(".sheet-head .soft").bounding_box()["width"] > 180
            host.get_by_role("button", name="Draw the tables").click()
            head = host.locator(".heat-head")
            expect(head).to_contain_text("has not begun")
            told = host.evaluate("fetch('/api/host/tournament').then(r => r.json())")["tournament"]
            play(table, [*drawn_names(told), "Somebody else"])
            expect(head).to_contain_text(
                "other people than drawn: the host decides", timeout=20_000
            )
            end = host.get_by_role("button", name="Hold: end the tournament")
            hold("Hold: close the heat", end)
            expect(host.locator(".lead .note")).to_contain_text("Not decided yet: Heat 1, Table 1.")
            host.fill("#typed", "Dora")
            hold("Hold: end the tournament", host.get_by_role("button", name="Begin it"))
            expect(head).to_contain_text("other people than drawn: nobody decided")
            expect(host.locator("#typed")).to_have_value("")
        finally:
            server.stop()


@pytest.mark.browser
def test_a_tap_that_did_not_reach_the_hall_says_so_and_what_was_typed_stays(
    browser: Any, url: str
) -> None:
    """On the host's page and on the tournament's: each tap without a hall is told, nothing stands as if
    it were kept or well, and done again when the hall is back it is done."""
    with hall_on(url) as (shared, app):
        table = let_in(shared, app).table.number
        server = Server(app, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{server.port}"
        context = browser.new_context(viewport={"width": 1180, "height": 820}, locale="en")
        host = context.new_page()
        lost, silent = host.locator("[role=alert]"), host.locator("[role=status]")

        def lost_once(tap: Any) -> None:
            """Tapped without a hall, and again when it is back."""
            context.set_offline(True)
            expect(silent).to_have_text(SILENT)
            expect(host.get_by_text("No table needs anybody.")).to_have_count(0)
            tap()
            expect(lost).to_have_text(LOST)
            context.set_offline(False)
            expect(silent).to_have_count(0)
            expect(lost).to_have_text(LOST)

        def hold_until(shown: Any) -> None:
            """The table is set aside with a steady finger, until the page has an answer."""
            host.get_by_role("button", name="Hold: set aside").focus()
            host.keyboard.down("Enter")
            expect(shown).to_be_visible()
            host.keyboard.up("Enter")

        def renamed() -> None:
            host.fill(".table-name", "Attic")
            host.keyboard.press("Enter")

        try:
            host.goto(pairing_address(app, base))
            host.goto(f"{base}/#host")
            expect(host.get_by_text("No table needs anybody.")).to_be_visible()
            lost_once(renamed)
            expect(host.locator(".table-name")).to_have_value("Attic")
            host.get_by_role("button", name="Keep").click()
            expect(lost).to_have_count(0)
            expect(host.get_by_role("button", name="Keep")).to_have_count(0)
            expect(host.locator(".table-name")).to_have_value("Attic")
            kept = shared.register.numbered(table)
            assert kept is not None
            assert kept.name == "Attic"
            expect(host.get_by_text("No table needs anybody.")).to_be_visible()
            for words in ("Show the code", "Draw them"):
                button = host.get_by_role("button", name=words)
                lost_once(button.click)
                button.click()
                expect(lost).to_have_count(0)
            lost_once(lambda: hold_until(lost))
            hold_until(host.get_by_role("button", name="Let it count"))
            expect(lost).to_have_count(0)

            host.get_by_role("button", name="Lead the tournament").click()
            host.fill("#typed", "Spring sky")
            begin = host.get_by_role("button", name="Begin it")
            lost_once(begin.click)
            expect(host.locator("#typed")).to_have_value("Spring sky")
            begin.click()
            expect(host.locator("h1")).to_have_text("Spring sky")
            expect(lost).to_have_count(0)
            context.set_offline(True)
            host.goto(f"{base}/#tournament")
            expect(silent).to_have_text(SILENT)
            host.goto(f"{base}/#season")
            expect(silent).to_have_text(SILENT)
            context.set_offline(False)
            expect(silent).to_have_count(0, timeout=20_000)
            expect(host.locator("h1")).to_have_text("Season")
        finally:
            context.close()
            server.stop()
