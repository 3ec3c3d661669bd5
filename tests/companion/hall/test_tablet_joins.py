"""A tablet joins a hall in a real browser, and its people say what the hall may show of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.evening.session import Session
from companion.journal import Journal
from companion.outbox.link import LinkFile
from companion.outbox.sender import Sender
from companion.web import Door, Server, create_app
from companion.web.app import pairing_address
from tests.support.hall.tables import hall_on

PATIENT_MS = 30_000


@pytest.mark.browser
def test_a_tablet_joins_by_the_address_and_its_people_decide_about_their_names_once(
    browser: Any, url: str, tmp_path: Path
) -> None:
    """What leaves the home is said before; pseudonyms stand on the board until somebody says
    otherwise; the question opens by itself while nobody has answered it, and then no more."""
    journal = Journal(tmp_path)
    links = LinkFile(tmp_path)
    sender = Sender(links, journal)
    session = Session(journal, on_entry=lambda entry, keeper: sender.notice_news())
    begin = {"do": "begin", "players": ["Ada", "Ben", "Cleo"], "daydreamer": 0, "edition": "en"}
    asked = {**begin, "id": "begin-0001", "version": session.version}
    assert session.command(asked)[0] == 200
    tablets = Server(create_app(session, door := Door(), hall_sender=sender), "127.0.0.1", 0)
    tablets.start()
    home = f"http://127.0.0.1:{tablets.port}"
    with hall_on(url) as (shared, app):
        boards = Server(app, "127.0.0.1", 0).start()
        port = boards.port
        try:
            context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
            tablet, board = context.new_page(), browser.new_page(locale="en-GB")
            tablet.set_default_timeout(PATIENT_MS)
            tablet.goto(f"{home}/in/{door.invite()}")
            tablet.wait_for_selector(".page")
            tablet.goto(f"{home}/#hall")
            expect(tablet.locator("#address")).to_be_visible(timeout=PATIENT_MS)
            expect(tablet.get_by_text("each person under a pseudonym")).to_be_visible(
                timeout=PATIENT_MS
            )
            code = shared.register.invite(1, 60)
            tablet.fill("#address", f"http://127.0.0.1:{port}/table/{code}")
            tablet.get_by_role("button", name="Join").click()
            expect(tablet.get_by_text("May the hall show your names?")).to_be_visible(
                timeout=PATIENT_MS
            )
            expect(tablet.get_by_text("The hall has everything.")).to_be_visible(timeout=PATIENT_MS)

            board.goto(pairing_address(app, f"http://127.0.0.1:{port}"))
            window = board.locator(".table-window svg")
            expect(window).to_have_attribute(
                "aria-label", re.compile("Table 1"), timeout=PATIENT_MS
            )
            expect(window.locator(".token")).to_have_count(3)
            assert not {"Ada", "Ben", "Cleo"} & shown_names(shared)

            tablet.goto(f"{home}/")
            tablet.reload()
            expect(tablet.get_by_text("May the hall show your names?")).to_be_visible(
                timeout=PATIENT_MS
            )
            tablet.get_by_role("button", name="Our names").click()
            said = tablet.locator("[aria-pressed='true']")
            expect(said).to_have_text("Our names", timeout=PATIENT_MS)
            wait_for_names(board, shared, {"Ada", "Ben", "Cleo"})
            fresh = context.new_page()
            with fresh.expect_response("**/api/hall-link", timeout=PATIENT_MS) as asked_again:
                fresh.goto(f"{home}/")
            assert asked_again.value.json()["names"] is True
            fresh.wait_for_selector(".page")
            assert "#hall" not in fresh.url
            context.close()
            board.close()
        finally:
            boards.stop()
            sender.stop()
            tablets.stop()
            session.close()


def shown_names(shared: Any) -> set[str]:
    """The names on the first page of the board."""
    windows = shared.floor.page(1).windows.values()
    return {player["name"] for window in windows for player in window["players"]}


def wait_for_names(board: Any, shared: Any, names: set[str]) -> None:
    """Wait until the board shows these names."""
    for _ in range(PATIENT_MS // 50):
        if shown_names(shared) == names:
            return
        board.wait_for_timeout(50)
    assert shown_names(shared) == names
