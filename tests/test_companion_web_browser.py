"""The tablet in a real browser against the real server: games by touch, two tablets, loss and return, every language."""

from __future__ import annotations

import importlib.resources
import itertools
import math
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from companion_web_evening import LONG, NAMES, Evening, finish, played

from companion.web import Door, Rule, Server, create_app
from companion.web.authority import open_authority
from companion.web.piles import takers
from companion.web.printing import marker_needed

CHROMIUM = shutil.which("chromium", path="/usr/bin") or shutil.which("chromium") or shutil.which("google-chrome")
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
AXE = Path(str(importlib.resources.files("axe_playwright_python") / "axe.min.js"))

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's chromium; without it the tests say why they did not run, or fail where they were promised."""
    if CHROMIUM is None:
        if os.environ.get("COMPANION_REQUIRE_BROWSER"):
            pytest.fail("COMPANION_REQUIRE_BROWSER is set, but there is no chromium: apt-get install chromium")
        pytest.skip("no chromium here (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield chromium
        chromium.close()


class Table:
    """One evening on a running server, and the tablets opened on it; faults in any page fail the test at its end."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.faults: list[str] = []
        self.door = Door()
        self.server: Server | None = None
        self.contexts: list[Any] = []

    def serve(self, evening: Evening, port: int | None = None) -> None:
        if port is None:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
        self.evening = evening
        self.server = Server(create_app(evening, self.door, stream_cap=6), "127.0.0.1", port).start()
        self.base = f"http://127.0.0.1:{self.server.port}"

    def tablet(self, locale: str = "en-GB", size: tuple[int, int] = (1280, 800), role: Rule = Rule.CONTROL, **more: Any) -> Any:
        context = self.browser.new_context(locale=locale, viewport={"width": size[0], "height": size[1]}, **more)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda m: self.faults.append(m.text) if "Content Security" in m.text else None)
        page.goto(f"{self.base}/in/{self.door.invite(role)}")
        page.wait_for_selector(".page")
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        if self.server is not None:
            self.server.stop()


@pytest.fixture
def table(browser: Any) -> Iterator[Table]:
    opened = Table(browser)
    yield opened
    opened.close()
    assert opened.faults == []


def quick(page: Any) -> None:
    """The page ignores a second tap of the same finger for a moment; a test has no such finger."""
    page.wait_for_selector(".page:not(.settling)")


def tap(page: Any, words: str) -> None:
    quick(page)
    page.click(f"button:has-text('{words}')")


def struck(page: Any, count: int, timeout_s: float = 8) -> None:
    """Wait until so many attempts are struck out."""
    for _ in range(round(timeout_s * 20)):
        if page.locator(".pips .past").count() == count:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{page.locator('.pips .past').count()} attempts struck out, not {count}")


COUNT = "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true)"


def test_set_up_of_five_known_people_takes_eight_taps(table: Table) -> None:
    """Five chips, one seat, Begin: the taps are counted, at most eight, and the evening is as set; a rematch is one."""
    table.serve(Evening(NAMES))
    page = table.tablet()
    page.evaluate(COUNT)
    for name in NAMES[:5]:
        page.click(f".chip:has-text('{name}')")
    page.click(".seat >> nth=2")
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".phase-secret")
    assert page.evaluate("window.taps") <= 8
    assert [p["name"] for p in table.evening.shown["players"]] == list(NAMES[:5])
    assert table.evening.shown["round"]["daydreamer"] == 2
    finish(table.evening)
    page.wait_for_selector(".phase-over")
    taps = page.evaluate("window.taps")
    tap(page, "Play again")
    page.wait_for_selector(".phase-secret")
    assert page.evaluate("window.taps") - taps == 1


def test_a_round_by_touch_takes_one_tap_more_than_its_guesses(table: Table) -> None:
    """Two wrong guesses and a right one: four taps from the deal to the next round, which comes by itself."""
    table.serve(played(phase="secret"))
    page = table.tablet(reduced_motion="reduce")
    page.clock.install()
    page.evaluate(COUNT)
    number = table.evening.shown["round"]["number"]
    for words, shown in (("The cards lie", ".phase-guessing"), ("Wrong", ".pips .past"), ("Wrong", ".pips .past + .past")):
        page.clock.run_for(700)
        tap(page, words)
        page.wait_for_selector(shown)
    page.clock.run_for(700)
    tap(page, "Right")
    page.wait_for_selector(".phase-result")
    page.clock.run_for(10_100)
    page.wait_for_selector(".phase-secret")
    assert table.evening.shown["round"]["number"] == number + 1
    assert page.evaluate("window.taps") == 3 + 1


def test_the_set_up_shows_the_cameras_verdict(table: Table) -> None:
    """With a camera the last row says in one line whether the table can be read, and what to change."""
    evening = live(Evening(NAMES))
    evening.report = {"verdict": "poor", "advice_key": "nearer", "params": {"cm": 12}}
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".camera-row:has-text('Many places cannot be read yet')")
    assert "12 cm" in page.inner_text(".camera-row")


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (1280, 800), (800, 1280)])
def test_seats_can_be_hit_on_every_screen(table: Table, size: tuple[int, int]) -> None:
    """With eight people no seat is under 48 px, on a phone either, and no two overlap."""
    table.serve(Evening(NAMES))
    page = table.tablet(size=size)
    for name in NAMES:
        page.click(f".chip:has-text('{name}')")
    page.wait_for_timeout(700)
    boxes = [seat.bounding_box() for seat in page.locator(".seat .touch").all()]
    assert len(boxes) == 8
    assert min(min(box["width"], box["height"]) for box in boxes) >= 48
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    assert min(math.dist(a, b) for a, b in itertools.combinations(middles, 2)) >= boxes[0]["width"]


def test_the_table_is_set_by_keyboard_alone(table: Table) -> None:
    """Names by Enter, a seat moved by an arrow, who looked at the sky by Enter, Begin by Enter; focus stays where it was."""
    table.serve(Evening(NAMES))
    page = table.tablet()
    for name in NAMES[:3]:
        page.focus(f".chip:has-text('{name}')")
        page.keyboard.press("Enter")
    page.focus(".seat >> nth=0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "Tomáš" in str(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    page.focus("button:has-text('Begin')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".phase-secret")
    assert [p["name"] for p in table.evening.shown["players"]] == ["Ben", "Tomáš", "Ida"]
    assert table.evening.shown["round"]["daydreamer"] == 1


def test_a_seat_is_dragged_to_another_place_and_out_of_the_ring(table: Table) -> None:
    """Dragging a token moves that person; dropped in the middle of the sky they leave the table."""
    table.serve(Evening(NAMES))
    page = table.tablet()
    for name in NAMES[:4]:
        page.click(f".chip:has-text('{name}')")

    def names() -> list[str]:
        labels = page.eval_on_selector_all(".seat", "seats => seats.map(seat => seat.getAttribute('aria-label'))")
        return [label.split(": ")[1] for label in labels]

    def drag(seat: int, x: float, y: float) -> None:
        box = page.locator(".seat .touch").nth(seat).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(x, y, steps=5)
        page.mouse.up()
        page.wait_for_timeout(600)

    page.wait_for_timeout(700)
    top = page.locator(".seat .touch").nth(2).bounding_box()
    drag(0, top["x"] + 5, top["y"] + 10)
    assert names().index("Tomáš") == 2
    drag(1, 390, 390)
    assert len(names()) == 3


def test_a_whole_game_is_kept_by_touch(table: Table) -> None:
    """Three people, 12 cards, three rounds, nothing but taps: laid, wrong or right; at the end the winners' names stand there."""
    evening = Evening(NAMES)
    begin = {"players": ["Ben", "Ida", "Mia"], "daydreamer": 0, "edition": "en", "deck_size": 12, "handling": "auto"}
    evening.command({"id": "elsewhere-0", "version": evening.version, "do": "begin", **begin})
    table.serve(evening)
    page = table.tablet(reduced_motion="reduce")
    for number in range(3):
        page.wait_for_selector(".phase-secret")
        tap(page, "The cards lie")
        page.wait_for_selector(".phase-guessing")
        if number % 2:
            tap(page, "Wrong")
            struck(page, 1)
        tap(page, "Right")
        page.wait_for_selector(".phase-result")
        tap(page, "Next round" if number < 2 else "To the end")
    page.wait_for_selector(".phase-over")
    winners = [evening.shown["players"][seat]["name"] for seat in evening.shown["winners"]]
    assert all(name in page.inner_text("h1") for name in winners)
    assert sum(p["cards"] for p in evening.shown["players"]) == 12
    assert page.locator(".cloud.won").count() == 12


def test_two_tablets_tapping_at_once_enter_one_guess(table: Table) -> None:
    """Both press "wrong" in the same moment: one counts, the other is told how it stands, both show the same."""
    table.serve(played(wrong=0))
    one, two = table.tablet(), table.tablet(size=(390, 844))
    for page in (one, two):
        page.wait_for_selector("button:has-text('Wrong')")
    meeting, enter = threading.Barrier(2), table.evening.command

    def command(asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        meeting.wait(8)  # neither tablet hears of the other's tap before its own is on the way
        return enter(asked)

    table.evening.command = command  # type: ignore[method-assign]
    both = "document.querySelectorAll('.hand-row button')[0].click()"
    one.evaluate(both)
    two.evaluate(both)
    struck(one, 1)
    struck(two, 1)
    assert len(table.evening.shown["round"]["guesses"]) == 1


def test_a_tap_meant_for_the_player_before_is_not_the_next_ones(table: Table) -> None:
    """Another tablet has just entered the guess: the finger on its way here does not strike the next player's out."""
    table.serve(played(wrong=0))
    one, two = table.tablet(), table.tablet(size=(390, 844))
    for page in (one, two):
        page.wait_for_selector("button:has-text('Wrong')")
    quick(one)
    one.click("button:has-text('Wrong')")
    struck(two, 1)
    two.evaluate("document.querySelectorAll('.hand-row button')[0].click()")
    two.wait_for_timeout(900)
    assert len(table.evening.shown["round"]["guesses"]) == 1
    tap(two, "Wrong")
    struck(one, 2)


def test_a_double_tap_enters_one_guess(table: Table) -> None:
    """A second tap of the same finger lands on the next player's button and is not meant."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.dblclick("button:has-text('Wrong')")
    page.wait_for_timeout(500)
    assert len(table.evening.shown["round"]["guesses"]) == 1


def test_undo_takes_back_and_says_what(table: Table) -> None:
    """The undo button names the person and the guess it will take back, and does it."""
    table.serve(played(wrong=2))
    page = table.tablet()
    page.click("button:has-text('Mia, wrong')")
    struck(page, 1)
    assert page.inner_text(".turn .who") == "Mia"


def test_the_table_is_lost_and_comes_back_without_a_reload(table: Table) -> None:
    """The server stops: said within three seconds. It starts again: the right state, and the tablet is still paired."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.evaluate("window.same = 1")
    assert table.server is not None
    port = table.server.port
    table.server.stop()
    page.wait_for_selector(".offline", timeout=4000)
    assert "can’t be reached" in page.inner_text(".note")
    table.serve(played(wrong=2), port)
    struck(page, 2, 8)
    page.wait_for_selector(".page:not(.offline)")
    assert page.evaluate("window.same") == 1


def test_a_tablet_that_slept_shows_the_right_state(table: Table) -> None:
    """A page frozen in the background asks anew when it is looked at again."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.context.set_offline(True)
    status, _ = table.evening.command({"id": "elsewhere-1", "version": table.evening.version, "do": "wrong"})
    assert status == 200
    page.context.set_offline(False)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    struck(page, 1, 3)


def test_a_guess_is_corrected_in_the_ledger_by_holding(table: Table) -> None:
    """Open a round, open a guess, choose, hold: the consequence is told before, and the round says "corrected"."""
    table.serve(played(rounds=3))
    page = table.tablet()
    page.click("button:has-text('Ledger')")
    page.click("button[aria-label^='Round 1']")
    page.click("button.verdict >> nth=1")
    page.click(".guess.picked .switch button:has-text('wrong')")
    page.click(".guess .switch >> nth=1 >> button:has-text('right')")
    assert "Ida +5 → 0" in page.inner_text(".moves")
    hold = page.locator("button.hold")
    box = hold.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.wait_for_timeout(400)
    page.mouse.up()
    page.wait_for_timeout(700)
    assert not table.evening.shown["rounds"][0]["corrected"]
    page.mouse.down()
    page.wait_for_selector("text=corrected")
    page.mouse.up()
    assert [g["right"] for g in table.evening.shown["rounds"][0]["guesses"]] == [False, False, True]


def test_a_question_is_answered_with_one_tap_or_left_for_later(table: Table) -> None:
    """Two stories as sentences; "later" brings the game back, the question can be taken up again, one tap answers it."""
    evening = asked()
    table.serve(evening)
    page = table.tablet()
    page.click("button:has-text('Later, play on')")
    page.click("button:has-text('A question waits')")
    assert page.locator(".question .answer .main").all_inner_texts() == [
        "Oskar was wrong, then Mia was right and took 5.",
        "Oskar and Mia were wrong, then Livia was right and took 4.",
    ]
    page.click("button:has-text('Livia was right')")
    page.wait_for_selector(".question", state="detached")
    assert (evening.commands[-1]["do"], evening.commands[-1]["option"]) == ("answer", 1)


def test_a_name_has_five_words_at_most(table: Table) -> None:
    """Six words are not sent; five are kept with the round."""
    evening = played(phase="secret")
    table.serve(evening)
    evening.command({"id": "elsewhere-2", "version": evening.version, "do": "laid"})
    page = table.tablet()
    page.click("button:has-text('Write down its name')")
    page.fill("#words", "one two three four five six")
    page.keyboard.press("Enter")
    assert evening.shown["round"]["name"] is None
    page.fill("#words", "<b>a whale</b> on a bicycle")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cloud-name")
    assert "<b>a whale</b>" in page.inner_text(".cloud-name")
    assert page.locator(".cloud-name b").count() == 0


def test_a_watching_screen_has_no_buttons(table: Table) -> None:
    """A spectator's screen shows the game and offers nothing to press."""
    table.serve(played())
    page = table.tablet(role=Rule.WATCH, size=(1920, 1080))
    assert page.inner_text(".turn .who") == "Livia"
    assert page.locator("button").count() == 0


@pytest.mark.parametrize(("locale", "words"), [("en-GB", "guesses"), ("de-DE", "rät"), ("cs-CZ", "hádá")])
def test_each_screen_speaks_its_own_language(table: Table, locale: str, words: str) -> None:
    """The browser's language is taken; another can be chosen without a reload, for this screen only."""
    table.serve(played())
    page = table.tablet(locale)
    assert page.inner_text(".verb") == words
    page.evaluate("location.hash = 'more'")
    page.click("button[lang=cs]")
    page.wait_for_selector("html[lang=cs]", state="attached")


NASTY = ("<script>alert(1)</script>", "نور الدين", "👩‍👩‍👧 Tři", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A", "=1+2", "x" * 40, "‮evil", "Jo")


def test_nasty_names_stay_names_on_every_page(table: Table) -> None:
    """Markup, right-to-left, emoji, stacked marks and 40 letters: shown as text, nothing leaves the page, no script runs."""
    evening = played(NASTY, 2, 1)
    table.serve(evening)
    page = table.tablet()
    for where in ("", "ledger", "more", "rules"):
        page.evaluate(f"location.hash = '{where}'")
        page.wait_for_timeout(250)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), where
    page.evaluate("location.hash = ''")
    finish(evening)
    page.wait_for_selector(".phase-over")
    assert page.locator("#app script").count() == 0


SIZES = {"tablet": (1280, 800), "upright": (800, 1280), "phone": (390, 844), "laptop": (1366, 768), "tv": (1920, 1080)}


def live(evening: Evening) -> Evening:
    evening.extra["camera"] = {"state": "live", "notices": [], "tokens": 4, "fps": 9.9, "name": "Webcam"}
    evening.refresh()
    return evening


STATES: dict[str, Callable[[], Evening]] = {
    "secret": lambda: live(played(phase="secret")),
    "guessing": lambda: live(played()),
    "by hand": played,
    "eight": lambda: live(played(LONG, 4, 3, edition="de")),
    "three": lambda: played(NAMES[:3], 9, 1),
    "result": lambda: played(phase="result"),
}


@pytest.mark.parametrize("state", list(STATES))
def test_nothing_is_cut_off_at_any_size(table: Table, state: str) -> None:
    """On tablet, phone, laptop and TV, in the longest language: nothing wider than the page, no target under 48 px."""
    table.serve(STATES[state]())
    page = table.tablet("de-DE")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.fonts.ready.then(() => 1)")
        page.wait_for_timeout(400)
        found = page.evaluate("""() => {
          const bad = [];
          if (document.documentElement.scrollWidth > innerWidth + 1) bad.push('page wider');
          const c = document.querySelector('.column');
          if (getComputedStyle(c).overflowY === 'auto' && c.scrollHeight > c.clientHeight + 2) bad.push('column overflows');
          document.querySelectorAll('button, select, a').forEach((e) => {
            const r = e.getBoundingClientRect();
            if (r.width && (r.height < 47 || r.width < 47)) bad.push('small: ' + e.textContent);
            if (r.right > innerWidth + 1) bad.push('off the page: ' + e.textContent);
          });
          return bad; }""")
        assert found == [], (size, found)


OPTIONS = [
    {"key": "aside_then_claimed", "seat": 4, "cards": 5, "aside": 1, "option": 0},
    {"key": "aside_then_claimed", "seat": 5, "cards": 4, "aside": 2, "option": 1},
]
QUESTION = {"id": "r5", "asks": "who_took", "card": 26, "at": None, "options": OPTIONS}


def asked() -> Evening:
    """A camera's question during play."""
    evening = live(played(wrong=1))
    evening.extra["question"] = QUESTION
    evening.refresh()
    return evening


def ended() -> Evening:
    """An evening at its end, with a camera that could count."""
    evening = live(played())
    finish(evening)
    return evening


def practising() -> Evening:
    """The practice table."""
    evening = live(played())
    evening.extra.update(practice=True, camera={"state": "practice", "notices": []})
    evening.refresh()
    return evening


def warned() -> Evening:
    """Something needs a word, and a wrong guess was just taken back."""
    evening = live(played())
    evening.command({"id": "elsewhere-9", "version": evening.version, "do": "undo"})
    evening.extra["notices"] = [{"key": "covered", "params": {"card": 7}}]
    evening.refresh()
    return evening


def unnamed() -> Evening:
    """The cards lie and nobody wrote a name down yet."""
    evening = played(phase="secret")
    evening.command({"id": "elsewhere-7", "version": evening.version, "do": "laid"})
    return evening


def resting() -> Evening:
    """A pause."""
    evening = live(played())
    evening.command({"id": "elsewhere-8", "version": evening.version, "do": "pause"})
    return evening


# Each state that axe looks at: the evening, the page, what is pressed there.
LOOKS: dict[str, tuple[Callable[[], Evening], str, tuple[str, ...]]] = {
    "set-up, empty": (lambda: Evening(NAMES), "", ()),
    "set-up, five": (lambda: Evening(NAMES), "", (*[".chip >> nth=0"] * 5, ".seat >> nth=1", ".chip:last-child")),
    "secret": (lambda: live(played(phase="secret")), "", ()),
    "guessing": (lambda: live(played()), "", ()),
    "naming": (unnamed, "", (".quiet .text-button >> nth=0",)),
    "by hand": (played, "", ()),
    "eight": (lambda: live(played(LONG, 4, 3, edition="de")), "", ()),
    "warned": (warned, "", ()),
    "question": (asked, "", ()),
    "question, later": (asked, "", (".question .text-button",)),
    "result": (lambda: played(phase="result"), "", ()),
    "over": (ended, "", ()),
    "over, one player's": (ended, "", (".seat >> nth=1",)),
    "paused": (resting, "", ()),
    "practice": (practising, "", ()),
    "ledger": (lambda: live(played()), "ledger", ()),
    "ledger, opened": (lambda: live(played()), "ledger", ("button[aria-label*=' 4:']", ".opened .verdict >> nth=0")),
    "ledger, seen again": (lambda: live(played()), "ledger", ("button[aria-label*=' 3:']", ".side .text-button")),
    "ledger, who wrote it": (lambda: live(played()), "ledger", ("button[aria-label*=' 2:']", ".side [aria-expanded=false]")),
    "ledger, a round": (lambda: live(played()), "ledger", (".mending .button >> nth=0",)),
    "ledger, a role": (lambda: live(played()), "ledger", (".mending .button >> nth=1",)),
    "ledger, a card": (lambda: live(played()), "ledger", (".mending .button >> nth=2",)),
    "more": (lambda: live(played()), "more", (".stepper .round >> nth=0",)),
    "rules": (lambda: live(played()), "rules", ()),
    "screens": (lambda: live(played()), "screens", (".pair .button >> nth=0",)),
    "camera": (lambda: live(played()), "camera", ()),
    "lens": (lambda: live(played()), "lens", ()),
    "print": (lambda: live(played()), "print", ()),
    "piles": (ended, "piles", (".audit-list button >> nth=0",)),
    "pictures": (ended, "pictures", ()),
    "deck": (ended, "deck", ()),
}


@pytest.mark.parametrize(("theme", "locale"), [("dark", "en-GB"), ("light", "de-DE"), ("dark", "cs-CZ")])
def test_axe_finds_nothing(table: Table, theme: str, locale: str) -> None:
    """axe-core (WCAG 2.0 to 2.2, A and AA) has no complaint about any page, state or language.  Contrast, its slowest rule, is
    looked at once by night and once by day: colours do not change with the language."""
    evening = Evening(NAMES)
    table.serve(evening)
    page = table.tablet(locale, color_scheme=theme, reduced_motion="reduce", bypass_csp=True)
    page.add_script_tag(path=str(AXE))
    for name, (make, where, taps) in LOOKS.items():
        shown = make()
        evening.__dict__.update({k: v for k, v in shown.__dict__.items() if k not in ("changed", "stamp", "screens", "version")})
        evening.version += 100
        page.evaluate("location.hash = 'rules'")
        evening.refresh()
        page.wait_for_selector(f".page.phase-{evening.shown['phase']}")
        page.evaluate(f"location.hash = '{where}'")
        for tapped in taps:
            quick(page)
            page.click(tapped)
        page.wait_for_timeout(170)
        assert complaints(page, contrast=locale != "cs-CZ") == [], name


@pytest.mark.parametrize("path", ["/", "/in/nonsense", "/trust"])
def test_axe_finds_nothing_at_the_door(table: Table, path: str, tmp_path: Path) -> None:
    """The pages a stranger sees, the trust page among them, have nothing for axe either."""
    authority = open_authority(tmp_path / "https", [])
    server = Server(create_app(Evening(), authority=authority), "127.0.0.1", 0, tls=authority.context).start()
    context = table.browser.new_context(bypass_csp=True, ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(f"https://127.0.0.1:{server.port}{path}")
        page.add_script_tag(path=str(AXE))
        assert complaints(page) == []
    finally:
        context.close()
        server.stop()


def complaints(page: Any, contrast: bool = True) -> Any:
    """What axe-core has to say about the page as it stands."""
    return page.evaluate(
        "(contrast) => axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],"
        " rules: {'color-contrast': {enabled: contrast}}}).then(r => r.violations.map(v => "
        "v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | ')))",
        contrast,
    )


@pytest.mark.parametrize(
    ("agent", "words"), [("iPad; CPU OS 15", "Auto-Lock"), ("Linux; Android 9", "Screen timeout"), ("X11; Linux", "sleep time")]
)
def test_a_page_that_is_not_secure_says_how_to_keep_the_screen_on(table: Table, agent: str, words: str) -> None:
    """Without TLS there is no wake lock; the page names this system's own setting, and the way to get one."""
    table.serve(Evening())
    page = table.tablet(user_agent=f"Mozilla/5.0 ({agent})")
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")  # this machine itself always is
    page.goto(table.base + "/#more")
    page.reload()
    page.wait_for_selector(".sheet")
    assert words in page.inner_text(".sheet")
    assert "--https" in page.inner_text(".sheet")


def test_a_secure_page_keeps_the_screen_on(table: Table) -> None:
    """Where the browser may, the screen is asked to stay on, again each time the page is looked at."""
    table.serve(Evening())
    page = table.tablet()
    page.add_init_script(
        "window.asked = 0; Object.defineProperty(navigator, 'wakeLock',"
        " { value: { request: () => { window.asked += 1; return Promise.resolve({}); } } })"
    )
    page.reload()
    page.wait_for_function("window.asked === 1")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("window.asked === 2")
    page.evaluate("location.hash = 'more'")
    assert "stays on by itself" in page.inner_text(".sheet")


def test_no_request_leaves_this_machine(table: Table) -> None:
    """Every byte of the page comes from the companion itself, and all of it (without pictures) is under 300 kB."""
    table.serve(played())
    page = table.tablet()
    asked: list[Any] = []
    page.on("response", lambda response: asked.append(response))
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.reload()
    page.wait_for_selector(".turn")
    page.wait_for_timeout(800)
    assert {response.url.split("/")[2] for response in asked} == {table.base.split("/")[2]}
    kept = [r for r in asked if not any(part in r.url for part in ("/art/", "/api/", ".webp")) and r.status == 200]
    assert len(kept) > 20
    assert sum(int(r.headers["content-length"]) for r in kept) < 300_000


def drawn(image: Any) -> None:
    """Wait until a picture has come, with all its dots."""
    for _ in range(200):
        if image.evaluate("node => node.naturalWidth") == 496:
            return
        time.sleep(0.05)
    raise AssertionError("the page's picture did not come")


def test_the_pages_are_seen_and_the_pdf_is_taken_home(table: Table) -> None:
    """Print: two cards are chosen, the pages appear as pictures, an odd marker is refused in German, the PDF is downloaded."""
    evening = played()
    evening.report = {"map": [{"px_per_module": 0.862, "blur_px": 0.8}]}
    table.serve(evening)
    page = table.tablet("de-DE")
    page.evaluate("location.hash = 'print'")
    page.fill("#print-cards", "7,12")
    page.fill("#print-symbol_mm", "90")
    page.wait_for_selector(".print-press .note:has-text('passt nicht auf die Karte')")
    needed = marker_needed(evening.report["map"])
    assert needed is not None
    tap(page, f"{needed['mm']:.0f} mm nehmen")
    drawn(page.wait_for_selector(".print-pages img"))
    assert page.input_value("#print-symbol_mm") == f"{needed['mm']:.0f}"
    tap(page, "PDF erstellen")
    with page.expect_download(timeout=20000) as taken:
        page.click("a:has-text('PDF holen')", timeout=20000)
    assert Path(taken.value.path()).read_bytes()[:5] == b"%PDF-"


def test_another_number_of_cards_is_accepted_with_one_tap(table: Table) -> None:
    """Six expected, five seen: the notice stands with one button, and the round is played with five."""
    evening = live(played(phase="secret"))
    evening.extra["notices"] = [{"key": "expected_seen", "params": {"expected": 6, "seen": 5}}]
    table.serve(evening)
    page = table.tablet()
    evening.refresh()
    assert "6 expected, 5 seen" in page.inner_text(".note")
    tap(page, "Play with 5")
    page.wait_for_selector(".phase-guessing")
    assert len(evening.shown["round"]["middle"]) == 5


def test_an_undo_can_be_undone_until_something_else_happens(table: Table) -> None:
    """Undo offers its opposite, and only until the next step."""
    table.serve(played(wrong=1))
    page = table.tablet()
    struck(page, 1)
    tap(page, "Undo")
    struck(page, 0)
    tap(page, "Do it again")
    struck(page, 1)
    page.wait_for_selector("button:has-text('Do it again')", state="detached")


def test_the_deck_is_counted_anew_during_play(table: Table) -> None:
    """More: one card fewer, kept; the rounds to come follow."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'more'")
    page.click("button[aria-label='One card fewer']")
    tap(page, "Keep")
    page.wait_for_selector("button:has-text('Keep')", state="detached")
    assert table.evening.shown["deck_size"] == 79


def test_a_pile_is_counted_under_the_camera(table: Table) -> None:
    """At the end each pile is counted; one that agrees is confirmed, one that does not names the cloud that is off."""
    evening = live(played())
    finish(evening)
    table.serve(evening)
    page = table.tablet()
    evening.in_view = [card for card, seats in takers(evening.shown).items() if seats == {0}]
    tap(page, "Count the piles")
    page.click(".audit-list li:nth-child(1) button")
    page.wait_for_selector(".audit-list li:nth-child(1) :text('as written')")
    lost = evening.in_view.pop()
    page.click(".audit-list li:nth-child(1) button")
    page.wait_for_selector(".audit-list li:nth-child(1) :text('Not here')")
    assert page.inner_text(".audit-list li:nth-child(1) .pile-card strong") == str(lost)


def test_the_practice_table_does_not_claim_a_closed_eye(table: Table) -> None:
    """Its secret part shows the picture and says so."""
    evening = live(played(phase="secret"))
    evening.extra["camera"] = {"state": "practice", "notices": []}
    evening.extra["practice"] = True
    evening.refresh()
    table.serve(evening)
    page = table.tablet()
    assert "its picture stays open" in page.inner_text(".column")
    assert page.locator(".lid-line").count() == 0


def hold(page: Any, selector: str) -> None:
    """A steady finger."""
    page.locator(selector).scroll_into_view_if_needed()
    page.hover(selector)
    page.mouse.down()
    page.wait_for_timeout(1100)
    page.mouse.up()


def test_another_cloud_and_other_cards_are_named_in_the_ledger(table: Table) -> None:
    """A guess gets another cloud of its round, the round gets other clouds; what cannot be read cannot be held."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 4:']")
    before = table.evening.shown["rounds"][3]
    page.click(".opened .verdict >> nth=0")
    page.select_option(".which", str(before["cards"][1]))
    page.fill(".round-cards input", "90, 90")
    page.wait_for_selector(".side .note")
    assert page.is_disabled(".side .hold")
    told = [90, *before["cards"][1:]]
    page.fill(".round-cards input", ", ".join(map(str, told)))
    hold(page, ".side .hold:not([disabled])")
    page.wait_for_selector(".line:has-text('corrected')")
    sent = table.evening.commands[-1]
    assert (sent["do"], sent["cards"], sent["guesses"][0]["card"]) == ("correct", told, before["cards"][1])


def test_a_missing_round_is_added_in_the_ledger(table: Table) -> None:
    """A round nobody entered is put where it was, with its ending, by a steady finger."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    rounds = len(table.evening.shown["rounds"])
    tap(page, "A round is missing")
    page.select_option("#mend-at", "2")
    page.select_option("#mend-how", "3")
    hold(page, ".insert-form .hold")
    page.wait_for_selector("button[aria-label^='Round 6:']")
    sent = table.evening.commands[-1]
    assert (sent["do"], sent["round"], [g["right"] for g in sent["guesses"]]) == ("insert", 2, [False, False, True])
    assert len(table.evening.shown["rounds"]) == rounds + 1


def test_a_steady_finger_is_needed_and_its_time_is_its_own(table: Table) -> None:
    """Holding: 800 ms do nothing, 950 do it; neither a finger that slides off nor a state that comes in between matters."""
    table.serve(played())
    page = table.tablet(reduced_motion="reduce")
    page.evaluate("location.hash = 'more'")
    page.wait_for_selector(".sheet")
    page.clock.install(time=0)
    page.clock.pause_at(60)
    button = page.locator("button.hold:has-text('end the evening')")
    button.scroll_into_view_if_needed()
    button.hover()
    page.mouse.down()
    page.clock.run_for(800)
    page.mouse.up()
    page.clock.run_for(2000)
    page.mouse.down()
    page.clock.run_for(500)
    page.mouse.move(5, 5)
    page.clock.run_for(2000)
    page.mouse.up()
    assert table.evening.flag is None
    button.hover()
    page.mouse.down()
    page.clock.run_for(500)
    table.evening.extra["notices"] = [{"key": "covered", "params": {"card": 7}}]
    table.evening.refresh()
    page.wait_for_timeout(400)
    assert table.evening.flag is None
    page.clock.run_for(450)
    page.wait_for_selector(".phase-over")
    page.mouse.up()


def test_a_corrected_rounds_result_is_seen_again(table: Table) -> None:
    """From the opened round back to the window: that round's winner and sky; one tap leads back to the game."""
    table.serve(live(played()))
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 2:']")
    tap(page, "See its result again")
    page.wait_for_selector(".phase-result h1.gain")
    line = table.evening.shown["rounds"][1]
    winner = line["claimer"] if line["claimer"] is not None else line["lookout"]
    assert table.evening.shown["players"][winner]["name"] in page.inner_text("h1")
    assert "Round 2 of" in page.inner_text(".where")
    tap(page, "Back to the game")
    page.wait_for_selector(".phase-guessing .turn")


def test_another_daydreamer_and_a_lost_card_are_told_in_the_ledger(table: Table) -> None:
    """Each by a field and a steady finger; what cannot be read cannot be held."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "Someone else daydreams")
    page.select_option("#mend-dreams", label="Mia")
    hold(page, ".insert-form .hold")
    page.wait_for_selector(".insert-form", state="detached")
    sent = table.evening.commands[-1]
    assert (sent["do"], sent["players"][sent["daydreamer"]]) == ("players", "Mia")
    tap(page, "A card is lost")
    page.fill("#lost", "17 seventeen")
    assert page.is_disabled(".insert-form .hold")
    page.fill("#lost", "17, ?")
    hold(page, ".insert-form .hold:not([disabled])")
    page.wait_for_selector(".insert-form", state="detached")
    assert (table.evening.commands[-1]["do"], table.evening.commands[-1]["cards"]) == ("missing", [17, None])


def test_a_refused_change_is_said_where_it_was_made(table: Table) -> None:
    """A correction the rules forbid: the sentence stands on the ledger's page, and is announced."""
    table.serve(played())
    table.evening._do_missing = lambda asked: "card_twice"  # type: ignore[method-assign,assignment]
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A card is lost")
    page.fill("#lost", "17")
    hold(page, ".insert-form .hold:not([disabled])")
    page.wait_for_selector(".whole > .toast:has-text('named twice')")
    assert "named twice" in page.inner_text("#alert")


def test_the_evening_in_pictures_shows_every_rounds_clouds(table: Table) -> None:
    """One small window a round, with all its clouds, its name and who won it."""
    evening = live(played())
    finish(evening)
    table.serve(evening)
    page = table.tablet()
    tap(page, "The evening in pictures")
    page.wait_for_selector(".postcard")
    counted = [r for r in evening.shown["rounds"] if r["ending"] in ("claimed", "lookout")]
    assert page.locator(".postcard").count() == len(counted)
    assert page.locator(".postcard .cloud").count() == sum(len(r["cards"]) for r in counted)


def test_the_phones_pace_follows_the_line(table: Table) -> None:
    """A slow line makes pictures smaller at once, a quick one larger after a while; the size does not swing."""
    table.serve(played())
    page = table.tablet()
    widths = page.evaluate("""import('/static/adapt.js').then((adapt) => {
      let pace = adapt.begun();
      const seen = [];
      const run = (ms, count) => { for (let i = 0; i < count; i += 1) pace = adapt.sent(pace, ms, 80); seen.push(pace.width); };
      run(100, 30); run(900, 12); run(90, 800); run(900, 12);
      const steps = [];
      for (let i = 0; i < 400; i += 1) { pace = adapt.sent(pace, i % 2 ? 100 : 330, 80); steps.push(pace.step); }
      return [seen, new Set(steps).size, adapt.paced(pace, 30), adapt.paced(pace, 300)];
    })""")
    assert widths == [[1920, 1280, 1920, 1280], 1, 50, 0]
