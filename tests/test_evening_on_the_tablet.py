"""From the practice table's camera to the tablet's ledger, in a real browser, beside the script's truth."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.practice.evening import PracticeEvening
from companion.practice.room import parlour
from companion.practice.script import write_script
from companion.session import Session
from companion.vision.eye import Eye
from companion.watching import Watching
from companion.web import Door, Rule, Server, create_app

CHROMIUM = shutil.which("chromium")
PLAYERS, SEED = 4, 5021


@pytest.mark.browser
@pytest.mark.slow
def test_the_tablet_shows_the_ledger_that_the_script_played(tmp_path: Path) -> None:
    """After a practice round that nobody tapped, names and cards on the page equal the script's truth."""
    if CHROMIUM is None:
        if os.environ.get("COMPANION_REQUIRE_BROWSER"):
            pytest.fail("COMPANION_REQUIRE_BROWSER is set, but there is no chromium: apt-get install chromium")
        pytest.skip("no chromium here (Debian: apt-get install chromium)")
    room = parlour(PLAYERS, SEED)
    script = write_script(PLAYERS, "en", 1, SEED, "calm", layout=room.layout, haste=2.0)
    table = PracticeEvening(script, room.camera, room.cloth, SEED, 6.0)
    session = Session(Journal(tmp_path))
    begun, truth = table.begun, script.truth
    order = {"players": list(begun.players), "daydreamer": begun.daydreamer, "edition": "en", "handling": begun.handling}
    status, _ = session.command({"id": "begin-01", "version": session.version, "do": "begin", "deck_size": 80, **order})
    assert status == 200
    watching = Watching(table, Eye(), practice=True)
    session.attach(watching)
    door = Door()
    server = Server(create_app(session, door), "127.0.0.1", 0).start()
    try:
        watching.start(session.take, session.glance, session.camera_changed)
        assert watching.wait(240.0)
        shown = _standings(f"http://127.0.0.1:{server.port}/in/{door.invite(Rule.CONTROL)}", tmp_path / "tablet.png")
    finally:
        server.stop()
        session.close()
    assert shown == dict(zip(truth.players, truth.totals, strict=True))


def _standings(address: str, picture: Path) -> dict[str, int]:
    """Names and cards as the page shows them."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.click("button:has-text('Ledger')")
        page.wait_for_selector(".line.sum")
        page.screenshot(path=str(picture))
        names = page.locator(".line.top [role=columnheader]").all_inner_texts()
        sums = page.locator(".line.sum [role=cell]").all_inner_texts()
        browser.close()
    return {name.split("\n")[-1]: int(total) for name, total in zip(names[-PLAYERS:], sums[-PLAYERS:], strict=True)}
