"""More than one screen, sleep, loss and return in a real browser, and what a page may ask of the
network."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import JournalTrouble
from companion.web import Rule
from tests.support.kept_evening import NAMES, KeptEvening, played
from tests.support.tablet_in_chromium import Table, quick, still, struck, tap
from tests.support.tablet_states import asked_before

pytestmark = pytest.mark.browser


def test_two_tablets_tapping_at_once_enter_one_guess(table: Table) -> None:
    """Both press "wrong" in the same moment: one counts, the other is told how it stands, both show
    the same."""
    table.serve(played(wrong=0))
    one, two = table.tablet(), table.tablet(size=(390, 844))
    for page in (one, two):
        page.wait_for_selector("button:has-text('Wrong')")
    meeting, enter = threading.Barrier(2), table.evening.session.command

    def command(asked: dict[str, Any], *more: Any) -> tuple[int, dict[str, Any]]:
        meeting.wait(8)  # neither tablet hears of the other's tap before its own is on the way
        return enter(asked, *more)

    table.evening.session.command = command
    both = "document.querySelectorAll('.hand-row button')[0].click()"
    one.evaluate(both)
    two.evaluate(both)
    struck(one, 1)
    struck(two, 1)
    assert len(table.evening.board["round"]["guesses"]) == 1


def test_who_is_signed_off_can_be_read_on_a_phone(table: Table) -> None:
    """In German, too, the device's name stands whole above the button that signs it off."""
    table.serve(KeptEvening().watched())
    page = table.tablet("de-DE", size=(320, 640))
    table.tablet("de-DE")
    page.evaluate("location.hash = 'screens'")
    page.wait_for_selector(".device-list .hold")
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 640})
        cut = "names => names.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
        assert page.eval_on_selector_all(".device-list .who", cut) == 0


def test_the_screens_page_follows_who_comes_and_goes_and_its_code(table: Table) -> None:
    """Another device enters by the code that is shown: it stands in the list, and the code is said to
    be used, with a new one a tap away; one sent away elsewhere leaves the list; a code that is too
    old says so."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'screens'")
    page.wait_for_selector(".device-list li")
    page.click("button:has-text('To keep score too')")
    page.wait_for_selector(".qr")
    code = page.inner_text(".invited .address").rsplit("/", 1)[1]
    assert table.door.enter(code, "Kitchen phone")
    page.wait_for_selector(".device-list li:has-text('Kitchen phone')")
    page.wait_for_selector(".invited:has-text('has been used')")
    assert page.locator(".qr").count() == 0
    tap(page, "Show a new one")
    page.wait_for_selector(".qr")
    assert page.inner_text(".invited .address").rsplit("/", 1)[1] != code
    came = next(one for one in table.door.devices if one.name == "Kitchen phone")
    table.door.revoke(came.key)
    page.wait_for_selector(".device-list li:has-text('Kitchen phone')", state="detached")
    table.door._now = lambda: time.monotonic() + 31 * 60
    page.wait_for_selector(".invited:has-text('too old')")


def test_a_tap_meant_for_the_player_before_is_not_the_next_ones(table: Table) -> None:
    """Another tablet has just entered the guess: the finger on its way here does not strike the
    next player's out."""
    table.serve(played(wrong=0))
    one, two = table.tablet(), table.tablet(size=(390, 844))
    for page in (one, two):
        page.wait_for_selector("button:has-text('Wrong')")
    quick(one)
    one.click("button:has-text('Wrong')")
    struck(two, 1)
    two.evaluate("document.querySelectorAll('.hand-row button')[0].click()")
    two.wait_for_timeout(900)
    assert len(table.evening.board["round"]["guesses"]) == 1
    tap(two, "Wrong")
    struck(one, 2)


def test_what_cannot_be_touched_now_looks_so_and_a_tap_that_still_means_the_same_counts(
    table: Table,
) -> None:
    """The guess is entered elsewhere while this screen shows an earlier round's question: for a
    moment its buttons look inactive, the answer tapped in that moment is sent after it, and a tap at
    the guess is not."""
    evening = asked_before(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    page.click(".waits button")
    page.wait_for_selector(".question .answer")
    page.evaluate(
        """() => new Promise(done => new MutationObserver(() => {
             if (document.querySelector('.settling') && !window.looked) {
               const answer = document.querySelector('.question .answer');
               window.looked = answer.getAttribute('aria-disabled');
               answer.click();
             }
           }).observe(document.getElementById('app'), {attributes: true, subtree: true}) || done())"""
    )
    evening.do("set_aside", card=evening.lying[0])
    page.wait_for_selector(".question", state="detached")
    assert page.evaluate("window.looked") == "true"
    assert evening.board["question"] is None
    assert len(evening.board["round"]["guesses"]) == 1


def test_buttons_look_inactive_while_the_table_is_out_of_reach(table: Table) -> None:
    """The server stops: wrong and right are half as strong and said to be disabled, the ledger is
    not; a tap at one is answered."""
    table.serve(played(wrong=0))
    page = table.tablet()
    assert table.server is not None
    table.server.stop()
    page.wait_for_selector(".offline")
    page.wait_for_selector(".hand-row .button[aria-disabled=true] + .button[aria-disabled=true]")
    still(page)
    opacity = "node => getComputedStyle(node).opacity"
    assert page.locator(".hand-row .button").first.evaluate(opacity) == "0.5"
    assert page.locator("button:has-text('Ledger')").evaluate(opacity) == "1"
    page.evaluate("document.querySelectorAll('.hand-row button')[0].click()")
    page.wait_for_selector(".toast")
    table.serve(table.evening)


def test_away_from_the_table_nothing_that_needs_it_looks_alive(table: Table) -> None:
    """The server stops while the evening's settings are open, and in a pause: that is said there, and
    every switch, choice and steady button is dim; what is this screen's own is not."""
    table.serve(played(wrong=0).do("pause"))
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.wait_for_selector("button.hold")
    assert table.server is not None
    table.server.stop()
    page.wait_for_selector("main .note:has-text('can’t be reached')")
    still(page)
    opacity = "nodes => nodes.map((node) => getComputedStyle(node).opacity)"
    sends = ".settings-list .chooser, .settings-list .stepper, .settings-list .button"
    assert set(page.locator(sends).evaluate_all(opacity)) == {"0.5"}
    page.evaluate("location.hash = 'more'")
    page.wait_for_selector(".settings-list .switch")
    assert set(page.locator(".settings-list .switch").evaluate_all(opacity)) == {"1"}
    page.evaluate("location.hash = ''")
    page.wait_for_selector("button.primary[aria-disabled=true]:has-text('Play on')")
    table.serve(table.evening)


def test_pages_beside_the_table_say_that_it_is_away_and_answer_every_tap(table: Table) -> None:
    """The server stops while pages are open: each says that the table is away, a tap that did not reach
    it is answered, the book says nothing of evenings that it has not heard of, and shows them when the
    line is back."""
    table.serve(KeptEvening().play(NAMES[:3], phase="over").begin(NAMES[:3]).play_round(1))
    page = table.tablet()
    for name in ("screens", "evenings", "ledger"):  # their code is there before the line is lost
        page.evaluate(f"location.hash = '{name}'")
        page.wait_for_selector(f"main.{name}")
    page.click("button[aria-label*=' 1:']")
    page.wait_for_selector("button:has-text('Who wrote it')")
    assert table.server is not None
    port = table.server.port
    table.server.stop()
    page.wait_for_selector("main .note:has-text('can’t be reached')")
    page.click("button:has-text('Who wrote it')")
    page.wait_for_selector(".toast:has-text('did not reach')")
    page.evaluate("location.hash = 'screens'")
    page.wait_for_selector("main.screens .note:has-text('can’t be reached')")
    page.click("button:has-text('To watch')")
    page.wait_for_selector(".toast:has-text('did not reach')")
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector("main.evenings .note:has-text('can’t be reached')")
    still(page)
    assert "still to be finished" not in page.inner_text("main")
    table.serve(table.evening, port)
    page.wait_for_selector(".book .book-evening")
    page.wait_for_selector("main .note:has-text('can’t be reached')", state="detached")


def test_the_list_of_screens_says_which_looks_now(table: Table) -> None:
    """One that was closed stands there as not here, and its line is the others' again when it comes
    back; the screen that asks is here."""
    table.serve(played(wrong=0))
    page, other = table.tablet(), table.tablet(size=(390, 844))
    page.evaluate("location.hash = 'screens'")
    page.wait_for_selector(".device-list li >> nth=1")
    page.wait_for_selector(".device-list:not(:has-text('not here'))")
    address = other.url
    other.goto("about:blank")
    page.wait_for_selector(".device-list li:has-text('not here')")
    assert page.locator(".device-list li:has-text('not here')").count() == 1
    assert "not here" not in page.inner_text(".device-list li:has(.mine)")
    other.goto(address)
    page.wait_for_selector(".device-list:not(:has-text('not here'))")


def test_a_choice_that_the_table_did_not_take_does_not_stand(table: Table) -> None:
    """Other rules chosen while the server is away, or while another screen is quicker: that is said,
    and the choice shows what is played by; chosen again it is taken."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.wait_for_selector("#edition")
    quick(page)
    assert table.server is not None
    port = table.server.port
    table.server.stop()
    page.select_option("#edition", "de")
    page.wait_for_selector(".toast:has-text('did not reach')")
    assert page.input_value("#edition") == "en"
    table.serve(table.evening, port)
    page.wait_for_selector(".page:not(.offline)")
    quick(page)
    page.route("**/api/command", lambda route: (table.evening.do("set_aside"), route.continue_()))
    page.select_option("#edition", "cs")
    page.wait_for_selector(".toast")
    assert page.input_value("#edition") == table.evening.board["edition"] == "en"
    page.unroute("**/api/command")
    quick(page)
    page.select_option("#edition", "cs")
    page.wait_for_selector("#edition option[value=cs]:checked", state="attached")
    assert table.evening.board["edition"] == "cs"


def test_the_table_is_lost_and_comes_back_without_a_reload(table: Table) -> None:
    """The server stops: that is said. It starts again: the right state, and the tablet
    is still paired."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.evaluate("window.same = 1")
    assert table.server is not None
    port = table.server.port
    table.server.stop()
    page.wait_for_selector(".offline")
    assert "can’t be reached" in page.inner_text(".note")
    table.serve(played(wrong=2), port)
    struck(page, 2)
    page.wait_for_selector(".page:not(.offline)")
    assert page.inner_text("#alert") == ""
    assert "reached" not in page.inner_text("#app")
    assert page.evaluate("window.same") == 1


def test_a_tablet_that_slept_shows_the_right_state(table: Table) -> None:
    """A page frozen in the background asks anew when it is looked at again, and is right."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.context.set_offline(True)
    table.evening.do("set_aside")
    page.context.set_offline(False)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    struck(page, 1)


def test_a_watching_screen_has_no_buttons(table: Table) -> None:
    """A spectator's screen shows the game and offers nothing to press."""
    table.serve(played())
    page = table.tablet(role=Rule.WATCH, size=(1920, 1080))
    assert page.inner_text(".turn .who") == "Livia"
    assert page.locator("button").count() == 0


def test_a_screen_is_called_by_its_kind_in_each_language(table: Table) -> None:
    """The door names a device by its kind, in English; the page says it in the screen's own language."""
    table.serve(played())
    page = table.tablet("cs-CZ")
    page.evaluate("location.hash = 'screens'")
    page.wait_for_selector(".device-list .who:has-text('Počítač')")
    table.tablet("cs-CZ")
    page.wait_for_selector(".device-list .who:has-text('Počítač 2')")


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("iPad; CPU OS 15", "Auto-Lock"),
        ("Linux; Android 9", "Screen timeout"),
        ("X11; Linux", "sleep time"),
    ],
)
def test_a_page_that_is_not_secure_says_how_to_keep_the_screen_on(
    table: Table, agent: str, words: str
) -> None:
    """Without TLS there is no wake lock; the page names this system's own setting, and no flag of
    the command line."""
    table.serve(KeptEvening())
    page = table.tablet(user_agent=f"Mozilla/5.0 ({agent})")
    page.add_init_script(
        "Object.defineProperty(window, 'isSecureContext', { value: false })"
    )  # this machine itself always is
    page.goto(table.base + "/#more")
    page.reload()
    page.wait_for_selector(".sheet")
    assert words in page.inner_text(".sheet")
    assert "--" not in page.inner_text(".sheet")


def test_a_secure_page_keeps_the_screen_on(table: Table) -> None:
    """Where the browser may, the screen is asked to stay on, again each time the page is looked at."""
    table.serve(KeptEvening())
    page = table.tablet()
    page.add_init_script(
        "window.asked = 0; Object.defineProperty(navigator, 'wakeLock',"
        " { value: { request: () => { window.asked += 1; document.documentElement.dataset.asked ="
        " window.asked; return Promise.resolve({}); } } })"
    )
    page.reload()
    page.wait_for_selector("[data-asked='1']")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector("[data-asked='2']")
    page.evaluate("location.hash = 'more'")
    assert "stays on by itself" in page.inner_text(".sheet")


def test_no_request_leaves_this_machine(table: Table) -> None:
    """Every byte of the page comes from the companion itself, and all of it (without pictures) is
    under 300 kB."""
    table.serve(played())
    page = table.tablet("cs-CZ")  # the heaviest: letters of its own
    asked: list[Any] = []
    page.on("response", lambda response: asked.append(response))
    tools = page.context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.reload()
    page.wait_for_selector(".turn")
    page.wait_for_timeout(800)
    assert {response.url.split("/")[2] for response in asked} == {table.base.split("/")[2]}
    weighed = [
        r
        for r in asked
        if not any(part in r.url for part in ("/art/", "/api/", ".webp")) and r.status == 200
    ]
    weights = {
        r.url: int(r.headers["content-length"]) for r in weighed
    }  # late answers to the page before come twice
    assert len(weights) > 20
    assert sum(weights.values()) < 300_000, sum(weights.values())


def test_a_page_that_few_open_comes_when_it_is_opened(table: Table) -> None:
    """The book's scripts are not fetched for the table; opened, it is there; where the line does not
    hold that is said, and the page comes when it is opened again."""
    table.serve(played())
    page = table.tablet()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector(".turn")
    assert not [url for url in asked if "/years/" in url and url.endswith(".js")]
    late = "**/static/years/book_page.js"
    page.route(late, lambda route: route.abort())
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector("h1:has-text('The table does not answer.')")
    page.unroute(late)
    page.evaluate("location.hash = ''")
    page.wait_for_selector(".turn")
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector("h1:has-text('The book of evenings')")
    assert [url for url in asked if url.endswith("/years/film.js")]
    for _ in range(2):  # opened again it is asked for again, and not waited for in vain
        page.evaluate("location.hash = ''")
        page.wait_for_selector(".turn")
        page.evaluate("location.hash = 'evenings'")
        page.wait_for_selector(
            ".evenings li:has-text('The first evening is still to be finished.')"
        )


def test_who_comes_back_to_the_book_finds_it(table: Table) -> None:
    """The book, which comes late, is left and opened again on a table where nothing happens: it asks
    anew, and its answer counts."""
    table.serve(KeptEvening(NAMES).play(phase="over"))
    page = table.tablet()
    for where in ("evenings", "rules", "evenings", "findings", "evenings"):
        page.evaluate(f"location.hash = '{where}'")
        page.wait_for_selector(f".sheet.{where}")
        if where == "evenings":
            page.wait_for_selector(".book-evening")


def test_the_phones_pace_follows_the_line(table: Table) -> None:
    """A slow line makes pictures smaller at once, a quick one larger after a while; the size does
    not swing."""
    table.serve(played())
    page = table.tablet()
    widths = page.evaluate("""import('/static/camera/pace.js').then((line) => {
      let pace = line.firstPace();
      const seen = [];
      const run = (ms, count) => { for (let i = 0; i < count; i += 1) pace = line.paceAfter(pace, ms, 80); seen.push(pace.width); };
      run(100, 30); run(900, 12); run(90, 800); run(900, 12);
      const steps = [];
      for (let i = 0; i < 400; i += 1) { pace = line.paceAfter(pace, i % 2 ? 100 : 330, 80); steps.push(pace.step); }
      return [seen, new Set(steps).size, line.waitFor(pace, 30), line.waitFor(pace, 300)];
    })""")
    assert widths == [[1920, 1280, 1920, 1280], 1, 50, 0]


def test_a_tap_that_the_disk_did_not_take_is_said_to_be_so(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told that it does not fit the game. Once there is room the same tap does what it did not."""
    evening = played(wrong=0)
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".phase-guessing")

    def full(*_: object, **__: object) -> None:
        raise JournalTrouble("The disk is full: free some space.")

    monkeypatch.setattr(evening.journal, "append", full)
    tap(page, "Wrong")
    page.wait_for_selector(".toast:has-text('cannot be written to disk')")
    monkeypatch.undo()
    tap(page, "Wrong")
    page.wait_for_selector("text=Attempt 2")


def test_whether_to_record_is_asked_on_the_table_and_shown_to_everybody(table: Table) -> None:
    """The one who may tap is asked, in a corner while a round is played; after a yes every screen says that
    it is recorded, and the page about it stops it."""
    table.serve(played(wrong=0).watched())
    tablet, watcher = table.tablet(), table.tablet(role=Rule.WATCH)
    table.evening.session.recording.ask_people()
    tablet.click(".recording-mark:has-text('May this evening be recorded?')")
    assert watcher.locator(".recording-mark").count() == 0
    tablet.click("button:has-text('Yes, record')")
    tablet.click("button:has-text('Back to the table')")
    for page in (tablet, watcher):
        page.wait_for_selector(".recording-mark:has-text('recorded')")
    tablet.click(".recording-mark")
    with tablet.expect_download() as saved:
        tablet.click("a:has-text('Save the report')")
    assert saved.value.suggested_filename.endswith(".zip")
    tablet.click("button:has-text('Stop recording')")
    watcher.wait_for_selector(".recording-mark", state="detached")


def test_a_screen_that_watches_is_sent_to_no_page_it_has_not(table: Table) -> None:
    """Where there is no camera, the page says what lies in its view; where that is printed, to those alone
    who can print."""
    table.serve(played(wrong=0))
    for role, said in ((Rule.CONTROL, True), (Rule.WATCH, False)):
        page = table.tablet(role=role)
        page.evaluate("location.hash = 'camera'")
        page.wait_for_selector("text=corner tokens")
        assert ("More, Print" in page.inner_text("#app")) == said


def answer_with(told: dict[str, Any]) -> Callable[[Any], None]:
    """What answers a request in the server's place."""
    return lambda route: route.fulfill(json=told)


def test_what_is_recorded_is_counted_whenever_the_page_is_opened(table: Table) -> None:
    """Opened at once, left, opened again later: what lies there then is said, and while the page stays
    open, too. It went on saying nothing for the whole evening."""
    table.serve(played(wrong=0).watched())
    recording = table.evening.session.recording
    recording.ask_people()
    recording.switch(on=True)
    page = table.tablet()
    for shown in (1, 2):
        lies = {"recordings": 1, "pictures": shown, "size_mb": 1, "evening": True, "trouble": False}
        page.unroute_all()
        page.route("**/api/recording", answer_with(lies))
        page.evaluate("location.hash = 'recording'")
        page.wait_for_selector(f"text={shown} picture")
        page.evaluate("location.hash = ''")
        page.wait_for_selector(".recording-mark")
    page.evaluate("location.hash = 'recording'")
    page.wait_for_selector("text=2 pictures")
    page.unroute_all()
    page.route("**/api/recording", answer_with(lies | {"pictures": 3}))
    page.wait_for_selector("text=3 pictures")


def test_without_a_camera_nothing_is_said_to_be_recorded(table: Table) -> None:
    """By touch there is nothing to record: the page says so and offers no yes, and no mark is shown."""
    table.serve(played(wrong=0))
    table.evening.session.recording.switch(on=True)
    page = table.tablet()
    page.evaluate("location.hash = 'recording'")
    page.wait_for_selector("text=nothing to record")
    assert page.locator("button:has-text('Yes, record')").count() == 0
    assert page.locator(".recording-mark").count() == 0


LOWEST = "nodes => Math.max(...nodes.map((node) => node.getBoundingClientRect().bottom))"
RIBBON_TOP = "() => document.querySelector('.ribbon').getBoundingClientRect().top"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_what_a_page_is_opened_for_stands_above_the_ribbon(table: Table, locale: str) -> None:
    """On a lying tablet, without a push of the finger: every way under More, the six pictures of the
    rules with their words and the table of sizes, all eighty clouds of the deck."""
    evening = played(phase="over").watched()
    table.serve(evening)
    page = table.tablet(locale, reduced_motion="reduce")
    for where, selector, count in (
        ("more", ".way", 13),
        ("rules", ".pictured li, .rules-sizes table, .role-card", 10),
        ("deck", ".ticks li", 80),
    ):
        page.evaluate(f"location.hash = '{where}'")
        page.wait_for_selector(f":nth-match({selector}, {count})")
        still(page)
        assert page.eval_on_selector_all(selector, LOWEST) <= page.evaluate(RIBBON_TOP), where


def test_escape_is_the_way_back(table: Table) -> None:
    """From a page to the table, from an opened evening to the book; in a field it is the field's."""
    evening = KeptEvening(past=()).begin(NAMES[:4]).play_round(0).do("next").do("end")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'more'")
    page.wait_for_selector("main.more")
    page.keyboard.press("Escape")
    page.wait_for_selector("main.more", state="detached")
    page.evaluate("location.hash = 'evenings'")
    page.click(".book-evening")
    page.wait_for_selector(".gallery")
    tap(page, "Where was it?")
    page.focus("#place")
    page.keyboard.press("Escape")
    page.wait_for_selector(".gallery")
    page.focus("button.back")
    page.keyboard.press("Escape")
    page.wait_for_selector(".book-evening")
    page.keyboard.press("Escape")
    page.wait_for_selector("main.evenings", state="detached")
    page.keyboard.press("Escape")
    page.wait_for_selector("h1")


def test_a_page_is_told_apart_by_its_title(table: Table) -> None:
    """In a list of windows, of pages gone back to, and to who listens; the table names whose turn it is."""
    evening = played(phase="guessing")
    table.serve(evening)
    page = table.tablet()
    turn = evening.board["round"]["turn"]
    assert page.title() == f"{evening.board['players'][turn]['name']} – Cloud Mine Companion"
    for at, called in (("more", "More"), ("ledger", "Ledger"), ("rules", "Rules")):
        page.evaluate(f"location.hash = '{at}'")
        page.wait_for_function(f"document.title === '{called} – Cloud Mine Companion'")
