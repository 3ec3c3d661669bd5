"""Whole games on the real session, in a real browser: one watched from the practice table, one kept
by touch alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.capture.watching import Watching
from companion.evening.session import Session
from companion.journal import Journal
from companion.practice.evening import IDLE_FRAMES_A_SECOND, PracticeEvening
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.vision.eye import Eye
from companion.web import Door, Rule, Server, create_app
from tests.support.tablet_in_chromium import CHROMIUM, need_chromium

PLAYERS, ROUNDS, SEED = 3, 3, 5021


@pytest.mark.browser
@pytest.mark.slow
def test_a_whole_practice_game_is_watched_on_the_tablet_to_its_winner(tmp_path: Path) -> None:
    """A game of three rounds that nobody taps: the page, open from the first card on, shows every
    guess as it comes, and at the deck's end the winner, the names and the cards of the script's
    truth."""
    need_chromium()
    from playwright.sync_api import sync_playwright

    room = random_room(SEED, PLAYERS, size_px=(1280, 720))
    script = write_script(PLAYERS, "en", ROUNDS, SEED, "calm", layout=room.layout, haste=3.0)
    table = PracticeEvening(script, room.camera, room.cloth, SEED, 6.0, IDLE_FRAMES_A_SECOND)
    session = Session(Journal(tmp_path))
    begun, truth = table.begun, script.truth
    order = {
        "players": list(begun.players),
        "daydreamer": begun.daydreamer,
        "edition": "en",
        "handling": begun.handling,
    }
    order["deck_size"] = ROUNDS * 4
    assert (
        session.command({"id": "begin-01", "version": session.version, "do": "begin", **order})[0]
        == 200
    )
    watching = Watching(table, Eye(), practice=True)
    session.attach(watching)
    door = Door()
    server = Server(create_app(session, door), "127.0.0.1", 0).start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(
                viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
            )
            page.goto(f"http://127.0.0.1:{server.port}/in/{door.invite(Rule.CONTROL)}")
            page.wait_for_selector(".phase-secret")
            page.evaluate(NOTING)
            watching.start(session)
            page.wait_for_selector(".phase-over", timeout=240_000)
            winners, taken, seen = (
                page.inner_text("h1"),
                page.evaluate("taps"),
                page.evaluate("seen"),
            )
            shown = _standings(page, tmp_path / "tablet.png")
            browser.close()
    finally:
        server.stop()
        session.close()
    assert shown == dict(zip(truth.players, truth.totals, strict=True))
    assert all(name in winners for name, total in shown.items() if total == max(shown.values()))
    guesses = {
        (r.number, truth.players[g.seat], i + 1)
        for r in session.keeper.ledger.rounds
        for i, g in enumerate(r.guesses)
    }
    assert {number for number, _, _ in guesses} == {1, 2, 3}
    assert guesses <= {tuple(guess) for guess in seen}
    assert taken == 0


NOTING = """() => {
  window.taps = 0; window.seen = [];
  addEventListener('pointerdown', () => { taps += 1; }, true);
  setInterval(() => {
    const who = document.querySelector('.turn .who');
    if (!who) return;
    const number = Number(document.querySelector('.round-line strong').textContent.match(/\\d+/)[0]);
    const guess = [number, who.textContent, document.querySelectorAll('.pips .past').length + 1];
    if (JSON.stringify(guess) !== JSON.stringify(seen[seen.length - 1])) seen.push(guess);
  }, 20); }"""
"""Round, player and attempt, each time the page shows other ones; and how often the page was
touched."""


def _standings(page: Any, picture: Path) -> dict[str, int]:
    """Names and cards, as the ledger's page shows them."""
    page.click("button[aria-label='Ledger']")
    page.wait_for_selector(".line.sum")
    page.screenshot(path=str(picture))
    names = page.locator(".line.top [role=columnheader]").all_inner_texts()
    sums = page.locator(".line.sum [role=cell]").all_inner_texts()
    return {
        name.split("\n")[-1]: int(total)
        for name, total in zip(names[-PLAYERS:], sums[-PLAYERS:], strict=True)
    }


PEOPLE = ("نور الدين", "👩‍👧 Tři", "Anne-Sophie-Charlotte")


@pytest.mark.browser
def test_a_whole_game_by_touch_with_undo_correction_and_a_second_tablet(tmp_path: Path) -> None:
    """Twelve cards, three people with an Arabic, an emoji and a long name: every round tapped on
    one tablet and followed on another in Czech; a guess taken back, a finished round corrected;
    both tablets end with the ledger's winners."""
    need_chromium()
    from playwright.sync_api import sync_playwright

    session, door = Session(Journal(tmp_path)), Door()
    order = {
        "players": list(PEOPLE),
        "daydreamer": 0,
        "edition": "en",
        "handling": "auto",
        "deck_size": 12,
    }
    assert (
        session.command({"id": "begin-01", "version": session.version, "do": "begin", **order})[0]
        == 200
    )
    server = Server(create_app(session, door), "127.0.0.1", 0).start()
    base = f"http://127.0.0.1:{server.port}/in/"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            one = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
            two = browser.new_context(locale="cs-CZ", reduced_motion="reduce").new_page()
            one.goto(base + door.invite())
            two.goto(base + door.invite(Rule.WATCH))
            _tapped_game(one, two)
            headlines = [page.inner_text("h1") for page in (one, two)]
            browser.close()
    finally:
        server.stop()
    ledger = session.keeper.ledger
    session.close()
    assert ledger.winners is not None
    assert sum(player.cards for player in ledger.players) == 12
    assert ledger.rounds[0].corrected
    assert all(PEOPLE[seat] in headline for seat in ledger.winners for headline in headlines)


def _tapped_game(one: Any, two: Any) -> None:
    """Three rounds on tablet `one`, each step seen on `two`."""

    def tap(words: str, phase: str) -> None:
        one.wait_for_selector(".page:not(.settling)")
        one.click(f"button:has-text('{words}')")
        for page in (one, two):
            page.wait_for_selector(f".phase-{phase}")

    for number in range(3):
        tap("All cards lie open", "guessing")
        tap("Wrong", "guessing")
        two.wait_for_selector(".pips .past")
        if number == 0:
            tap("Undo", "guessing")
            two.wait_for_selector(".pips:not(:has(.past))")
        tap("Right", "result" if number < 2 else "over")
        if number == 0:
            _correct_first_round(one)
        if number < 2:
            tap("Next round", "secret")


def _correct_first_round(page: Any) -> None:
    """The first guess was wrong after all, the second right: opened, chosen, held."""
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 1:']")
    page.click(".opened .guess >> nth=0")
    page.click(".guess.picked .switch button:has-text('wrong')")
    page.click(".guess >> nth=1 >> .switch button:has-text('right')")
    page.hover(".side .hold")
    page.mouse.down()
    page.wait_for_selector(".line:has-text('corrected')")
    page.mouse.up()
    page.evaluate("location.hash = ''")
