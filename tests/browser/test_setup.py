"""The set-up in a real browser: known people in eight taps, seats by touch, drag and keyboard,
names that are equal."""

from __future__ import annotations

import itertools
import math
import re
import threading

import cv2
import numpy as np
import pytest

from calibration.check.report import report_of
from calibration.check.sentences import catalogue, sentences_in
from calibration.check.survey import Survey
from card_printables.token import TOKEN_NAMES
from companion.journal.acts import Act
from companion.web import Rule
from companion.web.views.page_files import page_words
from tests.support.kept_evening import LONG, NAMES, KeptEvening, played
from tests.support.tablet_in_chromium import COUNT, Table, still, tap

pytestmark = pytest.mark.browser


def test_set_up_of_five_known_people_takes_eight_taps(table: Table) -> None:
    """Five chips, one seat, Begin: the taps are counted, at most eight, and the evening is as set;
    a rematch is one, and undo leads back from it."""
    table.serve(KeptEvening(NAMES))
    page = table.tablet()
    page.evaluate(COUNT)
    for name in NAMES[:5]:
        page.click(f".chip:has-text('{name}')")
    page.click(".seat >> nth=2")
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".phase-secret")
    assert page.evaluate("window.taps") <= 8
    assert [p["name"] for p in table.evening.board["players"]] == list(NAMES[:5])
    assert table.evening.board["round"]["daydreamer"] == 2
    table.evening.finish()
    page.wait_for_selector(".phase-over")
    taps = page.evaluate("window.taps")
    tap(page, "Same people again")
    page.wait_for_selector(".phase-secret")
    assert page.evaluate("window.taps") - taps == 1
    tap(page, "new game")
    page.wait_for_selector(".phase-over")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_the_hint_at_set_up_is_there_whole_or_not_at_all(table: Table, locale: str) -> None:
    """How seats are moved is never half behind the settings, however many people are known."""
    table.serve(KeptEvening(past=("Zoe", "Xaver", *NAMES[:6])))
    page = table.tablet(locale, reduced_motion="reduce")
    for _ in range(6):
        page.click(".chip >> nth=0")
        for width, height in ((1280, 800), (1024, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(
                """() => [...document.querySelectorAll('.spare')].every((node) => node.hidden ||
                  node.getBoundingClientRect().bottom <= node.parentElement.getBoundingClientRect().bottom + 1)"""
            )
        assert page.locator(".spare:visible").count() == 1  # on a phone there is room


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_on_a_low_screen_begin_is_in_view_and_no_list_stands_in_a_slit(
    table: Table, locale: str
) -> None:
    """However many people are known: "Begin" is there without scrolling, and it is the column that
    scrolls; nobody to touch is cut off by a list of its own."""
    table.serve(KeptEvening(past=("Zoe", "Xaver", *NAMES[:6])))
    page = table.tablet(locale, (800, 600), reduced_motion="reduce")
    for taps in range(2):
        for width, height in ((800, 600), (1024, 600), (1180, 700), (844, 390)):
            page.set_viewport_size({"width": width, "height": height})
            still(page)
            begin = page.locator(".buttons .wide").bounding_box()
            assert begin["y"] + begin["height"] <= height, (taps, width)
            cut = page.eval_on_selector(
                ".who-else", "list => list.scrollHeight - list.clientHeight"
            )
            assert cut <= 1, (taps, width)
        page.click(".chip >> nth=0")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_the_deck_s_row_keeps_its_parts_apart(table: Table, locale: str) -> None:
    """Between its lines and the round buttons, and from them to "Count the deck", some room is left."""
    table.serve(KeptEvening())
    page = table.tablet(locale, size=(1024, 768))
    for size in ((1024, 768), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        still(page)
        row, plus, words = page.evaluate("""() => {
          const box = (node) => { const { left, right, top, bottom } = node.getBoundingClientRect(); return { left, right, top, bottom }; };
          const row = document.querySelector('.settings .stepper').parentElement;
          const range = document.createRange();
          range.selectNodeContents(row.querySelector('.text-button'));
          return [box(row), box(row.querySelector('.round:last-child')), box(range)];
        }""")
        assert plus["top"] - row["top"] >= 3, size
        assert row["bottom"] - plus["bottom"] >= 3, size
        beside = words["left"] - plus["right"] >= 10
        assert beside or words["top"] - plus["bottom"] >= 10, size
        assert abs(words["right"] - row["right"]) < 4, size


def test_begin_is_in_view_with_all_that_stands_above_it(table: Table) -> None:
    """A camera, long names, who has begun least, and many who could come: what "Begin" waits for stands in
    view, and no line of it alone in a narrow button; on phones, tablets and a TV."""
    evening = KeptEvening(past=("Zoe", "Xaver", *NAMES[:6]))
    for first in range(4):  # the fifth has begun least
        evening.begin(LONG[:5], daydreamer=first).play_round(1).do("next").do("end")
    table.serve(evening.watched())
    page = table.tablet("de-DE", (1024, 768), reduced_motion="reduce")
    tap(page, "Neuer Tisch")
    page.click(".chip:has-text('Ein Gast')")
    page.wait_for_selector(".fair-start")
    for size in ((1024, 768), (1280, 800), (1920, 1080), (390, 844), (320, 640)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        still(page)
        begin = page.locator(".buttons .waits").bounding_box()
        assert begin["y"] >= 0, size
        assert begin["y"] + begin["height"] <= size[1], size
        assert begin["height"] < 100, size


def test_last_times_table_is_set_in_three_taps(table: Table) -> None:
    """Everybody from last time, who looked at the sky last, Begin; each has the sign they had."""
    evening = KeptEvening(past=("Anna", *NAMES[:5]))
    table.serve(evening)
    page = table.tablet()
    page.evaluate(COUNT)
    tap(page, "As last time")
    assert page.inner_text(".buttons .waits") == "Begin: who looked up last?"
    page.click(".seat >> nth=1")
    tap(page, "Begin")
    page.wait_for_selector(".phase-secret")
    assert page.evaluate("window.taps") == 3
    assert [p["name"] for p in evening.board["players"]] == ["Anna", *NAMES[:5]]
    assert [p["sign"] for p in evening.board["players"]] == [0, 1, 2, 3, 4, 5]


def test_five_new_people_take_three_taps_and_keep_the_signs_they_were_shown(table: Table) -> None:
    """The field, five names with Enter, a seat, Begin; the button says how many are missing; a page
    loaded anew has the same ring; moving a seat changes nobody's sign."""
    evening = KeptEvening(past=())
    table.serve(evening)
    page = table.tablet()
    page.evaluate(COUNT)
    page.click(".player-input")
    signs = (
        "seats => seats.map((seat) => seat.querySelector('.token').getAttribute('class')).sort()"
    )
    for missing, name in zip(
        ("2 more people", "one more person", "who", "who", "who"), NAMES, strict=False
    ):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".buttons .waits:has-text('{missing}')")
    shown = page.eval_on_selector_all(".seat", signs)
    page.reload()
    page.wait_for_selector(".seat >> nth=4")
    assert page.eval_on_selector_all(".seat", signs) == shown
    page.focus(".seat >> nth=0")
    page.keyboard.press("ArrowRight")
    page.evaluate(COUNT)
    page.click(".seat >> nth=1")
    tap(page, "Begin")
    page.wait_for_selector(".phase-secret")
    assert page.evaluate("window.taps") == 2
    assert page.eval_on_selector_all(".seat", signs) == shown
    assert [(p["name"], p["sign"]) for p in evening.board["players"]] == list(
        zip(("Ben", "Tomáš", "Ida", "Oskar", "Mia"), (1, 0, 2, 3, 4), strict=True)
    )


def test_the_focus_ring_of_the_name_field_is_whole(table: Table) -> None:
    """Nothing cuts the ring of six pixels round the first thing a newcomer touches."""
    table.serve(KeptEvening(past=()))
    page = table.tablet()
    for width, height in ((1280, 800), (800, 1280), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        field, box = (page.locator(one).bounding_box() for one in (".player-input", ".who-else"))
        assert field["x"] - box["x"] >= 6
        assert field["y"] - box["y"] >= 6


def test_the_set_up_shows_the_cameras_verdict(table: Table) -> None:
    """With a camera the last row says in one line whether the table can be read, and what to
    change."""
    evening = KeptEvening(NAMES).watched()
    report = {"verdict": "poor", "advice_key": "nearer", "params": {"cm": 12}}
    evening.session.camera.calibration = lambda *_: report
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".camera-row:has-text('Many places cannot be read yet')")
    assert "12 cm closer, or print" in page.inner_text(".camera-row")


def test_nobody_is_told_to_print_codes_for_cards_without(table: Table) -> None:
    """Where a deck is read by its pictures, nearer is all that helps a camera that is too far away."""
    evening = KeptEvening(NAMES)
    evening.session.learnt_deck = "Our box"
    evening.watched()
    report = {"verdict": "poor", "advice_key": "nearer", "params": {"cm": 12, "symbol_mm": 22}}
    evening.session.camera.calibration = lambda *_: report
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".camera-row:has-text('Move the camera 12 cm closer.')")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_the_camera_s_page_counts_the_places_as_the_headline_does(
    table: Table, locale: str
) -> None:
    """The report's own number stands beside its headline; none where nothing can be told of places."""
    evening = KeptEvening(NAMES).watched()
    report = {"verdict": "patient", "advice_key": "dim", "params": {}, "tokens": []}
    report["read_at_once"] = {"n": 5, "all": 45}
    evening.session.camera.calibration = lambda *_: report
    table.serve(evening)
    page = table.tablet(locale)
    page.evaluate("location.hash = 'camera'")
    words = catalogue(locale[:2])
    page.wait_for_selector(f".camera-words h1:has-text('{words['calibration.patient']}')")
    page.wait_for_selector(".set-up-steps li:has-text('45')")
    counted = page.inner_text(".set-up-steps li:has-text('45')")
    assert [int(number) for number in re.findall(r"\d+", counted)] == [5, 45]
    report.update(verdict="poor", advice_key="swapped", read_at_once=None)
    page.wait_for_selector(f".camera-words h1:has-text('{words['calibration.poor']}')")
    assert page.locator(".set-up-steps li").count() == 2


def test_the_camera_s_page_says_that_the_table_is_not_in_view(table: Table) -> None:
    """The real report of a picture without tokens, also after one of a table that could be read."""
    evening = KeptEvening(NAMES).watched()
    empty = Survey()
    empty.add_picture(np.full((720, 1280, 3), 120, np.uint8))
    jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))[1]
    blind = report_of(empty)
    report = {"verdict": "ready", "advice_key": "good", "params": {}, "tokens": []}
    report["picture"] = jpeg.tobytes()
    evening.session.camera.calibration = lambda *_: dict(report)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'camera'")
    words = catalogue("en")
    page.wait_for_selector(f".camera-words h1:has-text('{words['calibration.ready']}')")
    report.update(blind)
    page.wait_for_selector(f".camera-words h1:has-text('{words['calibration.blind']}')")
    _, advice = sentences_in("en").of_report(blind).split("The table is not found. ")
    assert advice in page.inner_text(".camera-words")
    assert page.locator("img.live.large").count() == 1


PICTURE_AT_NEW_WORDS = """(words) => {
  const shown = document.createElement("canvas").getContext("2d");
  window.greyAtWords = new Promise((done) => {
    new MutationObserver((_changes, watcher) => {
      if (!document.querySelector(".camera-words h1").innerText.includes(words)) return;
      watcher.disconnect();
      shown.drawImage(document.querySelector("img.live.large"), 0, 0, 1, 1);
      done(shown.getImageData(0, 0, 1, 1).data[0]);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}"""
"""How light the picture is at the moment at which these words are first said beside it, 0 to 255."""


def test_new_words_stand_beside_the_picture_that_they_are_said_of(table: Table) -> None:
    """Not beside the picture of before, for as long as the browser loads the new one."""
    evening = KeptEvening(NAMES).watched()

    def report_of_grey(verdict: str, grey: int) -> dict[str, object]:
        jpeg = cv2.imencode(".jpg", np.full((720, 1280, 3), grey, np.uint8))[1].tobytes()
        return {"verdict": verdict, "advice_key": "ready", "params": {}, "picture": jpeg}

    report = report_of_grey("ready", 40)
    evening.session.camera.calibration = lambda *_: dict(report)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'camera'")
    page.wait_for_function("document.querySelector('img.live.large')?.naturalWidth > 0")
    page.evaluate(PICTURE_AT_NEW_WORDS, catalogue("en")["calibration.blind"])
    report = report_of_grey("blind", 200)
    assert page.evaluate("window.greyAtWords") == pytest.approx(200, abs=4)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_the_camera_s_page_says_what_the_command_line_says(table: Table, locale: str) -> None:
    """How many tokens are not seen, and which: one, two or all; in each language."""
    evening = KeptEvening(NAMES).watched()
    report = {"verdict": "ready", "advice_key": "token-hidden", "tokens": []}
    evening.session.camera.calibration = lambda *_: report
    table.serve(evening)
    page = table.tablet(locale)
    page.evaluate("location.hash = 'camera'")
    for n in (1, 2, 4):
        report["params"] = {"n": n, "pieces": list(TOKEN_NAMES[:n])}
        told = sentences_in(locale[:2]).of_report(report)
        advice = told.split(". ", 1)[1]
        page.wait_for_function(
            "(told) => document.querySelector('.camera-words').innerText.replace(/\\s+/g, ' ').includes(told)",
            arg=advice.split(". ", 1)[1],
        )


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_the_camera_s_page_says_how_old_a_late_report_is(table: Table, locale: str) -> None:
    """Nothing of a picture of just now; of one that is old how old, and it grows older while the next
    answer is waited for."""
    evening = KeptEvening(NAMES).watched()
    report = {"verdict": "ready", "advice_key": "ready", "params": {}, "tokens": [], "age_s": 0.4}
    answering = threading.Event()
    answering.set()

    def answer(*_: object) -> dict[str, object]:
        answering.wait(20)
        return dict(report)

    evening.session.camera.calibration = answer
    table.serve(evening)
    page = table.tablet(locale)
    page.evaluate("location.hash = 'camera'")
    page.wait_for_selector(".set-up-steps")
    assert page.locator(".late").count() == 0
    answering.clear()
    page.wait_for_selector(".late")
    assert int(re.findall(r"\d+", page.inner_text(".late"))[0]) >= 5
    report["age_s"] = 31.0
    answering.set()
    page.wait_for_selector(".late:has-text('3')")
    assert 31 <= int(re.findall(r"\d+", page.inner_text(".late"))[0]) < 40


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_nothing_is_said_of_the_camera_while_the_table_is_out_of_reach(
    table: Table, locale: str
) -> None:
    """Neither on its own page nor in the set-up's row: nobody knows then whether it sees the table."""
    evening = KeptEvening(NAMES).watched()
    jpeg = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))[1].tobytes()
    report = {"verdict": "ready", "advice_key": "ready", "params": {}, "picture": jpeg}
    evening.session.camera.calibration = lambda *_: dict(report)
    table.serve(evening)
    page, words = table.tablet(locale), page_words(locale[:2])
    page.wait_for_selector(".camera-row.judged img")
    assert table.server is not None
    table.server.stop()
    page.wait_for_selector(f".camera-row strong:has-text('{words['camera.unknown']}')")
    assert words["lost.unplayed"] in page.inner_text(".camera-row")
    page.evaluate("location.hash = 'camera'")
    page.wait_for_selector(f".camera-words h1:has-text('{words['camera.unknown']}')")
    assert page.locator("img.live").count() == 0


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_the_camera_s_page_sends_nobody_to_itself(table: Table, locale: str) -> None:
    """While no phone is the camera yet: what to touch on that page."""
    evening = KeptEvening(NAMES).watched().camera_is("waiting")
    table.serve(evening)
    page = table.tablet(locale)
    page.evaluate("location.hash = 'camera'")
    words = page_words(locale[:2])
    page.wait_for_selector(f"h1:has-text('{words['camera.waiting']}')")
    told = page.inner_text(".camera-words .second")
    assert words["phone_camera.title"] in told
    assert told != words["notice.camera_waiting"]


def test_anyway_is_said_only_where_the_camera_has_said_otherwise(table: Table) -> None:
    """The way from the camera's page to the table: "Play anyway" beside a verdict that is not good;
    while clouds are looked at in secret there is none, and nothing to disregard."""
    evening = KeptEvening(NAMES).watched()
    report = {"verdict": "poor", "advice_key": "nearer", "params": {"cm": 12}}
    evening.session.camera.calibration = lambda *_: report
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'camera'")
    page.wait_for_selector(".camera-words button:has-text('Play anyway')")
    evening.unwatched().play(phase="secret").watched()
    page.wait_for_selector("h1:has-text('The camera’s eye is closed.')")
    assert page.inner_text(".camera-words .buttons .main >> nth=0") == "Play"


def test_seats_can_be_hit_on_every_screen(table: Table) -> None:
    """With eight people no seat is under 48 px, on a phone either, and no two overlap."""
    table.serve(KeptEvening(NAMES))
    page = table.tablet(size=(390, 844))
    for name in NAMES:
        page.click(f".chip:has-text('{name}')")
    for size in ((390, 844), (360, 640), (1280, 800), (800, 1280)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        still(page)
        boxes = [seat.bounding_box() for seat in page.locator(".seat .touch").all()]
        assert len(boxes) == 8, size
        assert min(min(box["width"], box["height"]) for box in boxes) >= 48, size
        middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
        nearest = min(math.dist(a, b) for a, b in itertools.combinations(middles, 2))
        assert nearest >= boxes[0]["width"], size


def test_the_table_is_set_by_keyboard_alone(table: Table) -> None:
    """Names by Enter, a seat moved by an arrow, who looked at the sky by Enter, Begin by Enter;
    focus stays where it was."""
    table.serve(KeptEvening(NAMES))
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
    assert [p["name"] for p in table.evening.board["players"]] == ["Ben", "Tomáš", "Ida"]
    assert table.evening.board["round"]["daydreamer"] == 1


def test_a_seat_is_dragged_to_another_place_and_out_of_the_ring(table: Table) -> None:
    """Dragging a token moves that person; dropped in the middle of the sky they leave the table."""
    table.serve(KeptEvening(NAMES))
    page = table.tablet()
    for name in NAMES[:4]:
        page.click(f".chip:has-text('{name}')")

    def names() -> list[str]:
        labels = page.eval_on_selector_all(
            ".seat", "seats => seats.map(seat => seat.getAttribute('aria-label'))"
        )
        return [label.split(": ")[1] for label in labels]

    def drag(seat: int, x: float, y: float) -> None:
        box = page.locator(".seat .touch").nth(seat).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(x, y, steps=5)
        page.mouse.up()
        still(page)

    still(page)
    top = page.locator(".seat .touch").nth(2).bounding_box()
    drag(0, top["x"] + 5, top["y"] + 10)
    assert names().index("Tomáš") == 2
    drag(1, 390, 390)
    assert len(names()) == 3


def test_the_deck_is_counted_anew_during_play(table: Table) -> None:
    """More: one card fewer, kept; the rounds to come follow."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.click("button[aria-label='One card fewer']")
    tap(page, "Keep")
    page.wait_for_selector("button:has-text('Keep')", state="detached")
    assert table.evening.board["deck_size"] == 79


def test_a_size_of_the_deck_that_was_not_entered_is_forgotten(table: Table) -> None:
    """Who leaves the page without Keep, and who plays the next evening, finds the deck as it is."""
    evening = played()
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.wait_for_selector("text=80 clouds")
    page.click("button[aria-label='One card fewer']")
    page.wait_for_selector("text=79 clouds")
    page.evaluate("location.hash = ''")
    page.wait_for_selector(".phase-guessing")
    page.evaluate("location.hash = 'evening'")
    page.wait_for_selector("text=80 clouds")


def test_a_round_is_spoiled_only_once_its_cards_lie(table: Table) -> None:
    """In the secret part the page of this evening offers no round that does not count."""
    evening = played(phase="secret")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.wait_for_selector("button:has-text('Pause')")
    assert page.locator(".hold").count() == 1
    evening.do("laid")
    page.wait_for_selector(".hold >> nth=2")


def test_changed_seats_that_were_not_entered_are_found_again(table: Table) -> None:
    """The page is loaded anew: who leaves, and the name in the field, stand there as before; not where others
    sit there meanwhile."""
    evening = played(NAMES[:5])
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'seats'")
    page.click("button[aria-label*='Ida leaves']")
    page.fill(".player-input", "Zoe")
    told = page.inner_text(".what-follows")
    page.reload()
    page.wait_for_selector(".what-follows")
    assert page.inner_text(".what-follows") == told
    assert page.input_value(".player-input") == "Zoe"
    evening.do("players", players=list(NAMES[:4]))
    page.reload()
    page.wait_for_selector(".seat-list li >> nth=3")
    assert page.input_value(".player-input") == ""


def test_nobody_looks_where_no_camera_is(table: Table) -> None:
    """The page that counts the deck asks for photos, and says of no camera that it looks."""
    table.serve(KeptEvening())
    page = table.tablet()
    page.route("**/api/deck", lambda route: route.abort())
    page.evaluate("location.hash = 'deck'")
    page.wait_for_selector(".deck-view:has-text('No camera is watching')")
    assert page.inner_text(".deck-list") == ""


def test_cards_that_are_missing_are_not_in_the_deck_tonight(table: Table) -> None:
    """Two were said to be missing: More shows 78 of 80, and one fewer is 77, not 75; so it is at the
    next set-up, too."""
    table.serve(played().do("missing", cards=[60, None]))
    left = table.evening.board["deck_left"]
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.wait_for_selector(".stepper:has-text('78')")
    page.click("button[aria-label='One card fewer']")
    tap(page, "Keep")
    page.wait_for_selector("button:has-text('Keep')", state="detached")
    assert "77" in page.inner_text(".stepper")
    assert table.evening.board["deck_size"] == 77
    assert table.evening.board["deck_left"] == left - 1
    table.evening.do("end").do("rematch")
    assert table.evening.board["deck_size"] == 77


def test_new_names_are_typed_one_after_another_and_none_twice(table: Table) -> None:
    """Enter takes a name and leaves the focus in the empty field; a name that sits there already,
    however it is written, is said at once and leaves the field empty; the eighth closes it."""
    table.serve(KeptEvening(("Ada", "Yan", "Zoe")))
    page = table.tablet()
    page.click(".chip:has-text('Ada')")
    page.click(".player-input")
    page.keyboard.type("  ada ")
    page.keyboard.press("Enter")
    page.wait_for_selector(".note:has-text('ada already sits at the table')")
    assert page.input_value(".player-input") == ""
    page.fill(".player-input", "Straße")
    page.wait_for_selector(".twice", state="detached")
    page.keyboard.press("Enter")
    page.keyboard.type("STRASSE")
    page.keyboard.press("Enter")
    page.wait_for_selector(".note:has-text('STRASSE already sits')")
    page.fill(".player-input", "")
    for name in ("Bo", "Cy", "Di", "Ed", "Flo", "Gil"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    assert page.locator(".seat").count() == 8
    assert page.locator(".player-input").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('role')") == "button"


def test_begin_is_taken_back_until_the_first_cards_lie(table: Table) -> None:
    """The wrong one began: undo opens the ring as it was, another player begins, and the evening
    starts anew; once the cards lie it is offered no more."""
    evening = KeptEvening().begin(NAMES[:4], daydreamer=0)
    table.serve(evening)
    page = table.tablet()
    page.click("button:has-text('Undo')")
    page.wait_for_selector(".phase-setup")
    assert page.locator(".seat").count() == 4
    page.click(".seat >> nth=2")
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".phase-secret")
    assert evening.board["round"]["daydreamer"] == 2
    assert [player["name"] for player in evening.board["players"]] == list(NAMES[:4])
    evening.do("laid")
    page.wait_for_selector(".phase-guessing")
    assert page.locator("button:has-text('set-up')").count() == 0


def test_a_screen_reader_hears_who_sits_down_moves_and_leaves(table: Table) -> None:
    """By the keyboard; back at the evening before, nothing of the set-up is left standing."""
    evening = KeptEvening().play(NAMES[:4], phase="over")
    table.serve(evening)
    page = table.tablet()
    tap(page, "New table")
    for key, said in (
        ("ArrowRight", "Seat 3: Ben"),
        ("Delete", "Ben leaves. 3 at the table."),
    ):
        page.locator(".seat[aria-label*=Ben]").press(key)
        page.wait_for_selector(f"#say:text-is('{said}')", state="attached")
    page.locator(".chip:has-text('Ben')").press("Enter")
    page.wait_for_selector("#say:text-is('Seat 4: Ben')", state="attached")
    tap(page, "Back")
    page.wait_for_selector(".phase-over")
    assert page.text_content("#say") == ""


def test_after_the_end_a_new_table_is_set_with_the_same_people_in_the_ring(table: Table) -> None:
    """ "New table" opens the set-up with everybody seated and leads back; nobody begins unasked."""
    evening = KeptEvening().play(phase="over")
    table.serve(evening)
    page = table.tablet()
    page.click("button:has-text('New table')")
    page.wait_for_selector(".phase-setup")
    assert page.text_content("#say") == ""  # the evening before is told no more
    assert page.locator(".seat").count() == len(evening.board["players"])
    page.click("button:has-text('Back')")
    page.wait_for_selector(".phase-over")
    page.click("button:has-text('New table')")
    page.click(".seat >> nth=1")
    page.click("button:has-text('Begin')")
    page.wait_for_selector(".phase-secret")
    assert evening.board["round"]["daydreamer"] == 1


def test_the_rules_are_changed_in_the_middle_of_an_evening(table: Table) -> None:
    """More, this evening: another edition turns wrong cards over where they lie, at once, and undo
    takes it back; nothing that was won is lost."""
    evening = played()
    table.serve(evening)
    before = [player["cards"] for player in evening.board["players"]]
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.select_option("#edition", "de")
    page.wait_for_selector("#edition >> text=German edition", state="attached")
    page.evaluate("location.hash = ''")
    page.wait_for_selector(".clouds .back")
    assert evening.board["edition"] == "de"
    assert [player["cards"] for player in evening.board["players"]] == before
    page.click("button:has-text('the rules')")
    page.wait_for_selector(".clouds .back", state="detached")
    assert evening.board["edition"] == "en"


def test_evenings_before_are_looked_at_again(table: Table) -> None:
    """More, other evenings: each with its day and winner; touched, its standing, pictures and
    ledger stand there; a screen that only watches sees them too."""
    evening = KeptEvening(past=()).play(phase="over")
    rounds = len(
        [one for one in evening.board["rounds"] if one["ending"] in ("claimed", "lookout")]
    )
    evening.begin(NAMES[:4])
    table.serve(evening)
    for role in (Rule.CONTROL, Rule.WATCH):
        page = table.tablet(role=role)
        page.evaluate("location.hash = 'evenings'")
        page.click(".book-evening >> nth=0")
        page.wait_for_selector(".postcard")
        assert page.locator(".postcard").count() == rounds
        assert page.locator(".grid .round").count() == rounds
        assert page.locator(".grid button").count() == 0


def test_a_name_that_was_typed_and_not_added_sits_down_at_begin(table: Table) -> None:
    """Begin, a chip, a guest and "As last time" take in what stands in the field, the button that waits
    too; a name that sits there already is said before anything begins."""
    evening = KeptEvening(("Ada", "Bo", "Cy"))
    table.serve(evening)
    page = table.tablet()
    page.fill(".player-input", "Zoe")
    page.click(".last-table .button")
    page.wait_for_selector(".seat >> nth=3")
    page.click(".chip:has-text('New player')")
    page.keyboard.type("Gil")
    page.click(".chip:has-text('A guest')")
    page.wait_for_selector(".seat >> nth=5")
    page.click(".seat >> nth=1")
    page.fill(".player-input", "zoe")
    tap(page, "Begin")
    page.wait_for_selector(".note:has-text('zoe already sits at the table')")
    assert evening.board["phase"] == "setup"
    page.fill(".player-input", "Eva")
    tap(page, "Begin")
    page.wait_for_selector(".phase-secret")
    assert [player["name"] for player in evening.board["players"]] == [
        "Ada", "Bo", "Cy", "Zoe", "Gil", "Guest", "Eva",
    ]  # fmt: skip


def test_the_button_that_waits_for_people_takes_the_typed_one(table: Table) -> None:
    """Two sit there, the third is typed: a tap on "one more person" is not lost."""
    table.serve(KeptEvening(past=()))
    page = table.tablet()
    for name in NAMES[:2]:
        page.fill(".player-input", name)
        page.keyboard.press("Enter")
    assert page.is_disabled("button:has-text('one more person')")
    page.fill(".player-input", NAMES[2])
    tap(page, "one more person")
    page.wait_for_selector(".seat >> nth=2")
    assert page.is_disabled("button:has-text('who looked up last')")


def test_another_screens_begin_ends_a_set_up_that_is_open_here(table: Table) -> None:
    """ "New table" stands open on one screen, another one goes on with the same people: the first one
    shows that evening, says so, and neither hides its end nor brings the old ring back."""
    evening = KeptEvening().play(phase="over")
    table.serve(evening)
    page = table.tablet()
    tap(page, "New table")
    page.wait_for_selector(".phase-setup")
    page.click(".seat >> nth=1")
    evening.do("rematch")
    page.wait_for_selector(".phase-secret .toast:has-text('Someone was quicker')")
    evening.do("end")
    page.wait_for_selector(".phase-over")
    tap(page, "New table")
    page.wait_for_selector("h1:has-text('at the table'), .buttons .waits:has-text('who looked')")


def test_a_set_up_opened_again_is_left_when_the_first_cards_lie(table: Table) -> None:
    """Begin was to be taken back here while elsewhere the cards were laid: the round is shown, and the
    evening's end too."""
    evening = KeptEvening().begin(NAMES[:4])
    table.serve(evening)
    page = table.tablet()
    page.click("button:has-text('Undo')")
    page.wait_for_selector(".phase-setup")
    evening.do("laid")
    page.wait_for_selector(".phase-guessing")
    evening.do("end")
    page.wait_for_selector(".phase-over")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_the_sky_asks_until_it_is_answered(table: Table, locale: str) -> None:
    """Who looked at it last is asked in the sky while nobody is chosen; then the column says who begins
    and the sky no longer asks, only how another is chosen; whoever stands up again is asked for anew."""
    table.serve(KeptEvening(NAMES))
    page = table.tablet(locale, reduced_motion="reduce")
    for _ in range(4):
        page.click(".chip >> nth=0")
    page.wait_for_selector(".seat >> nth=3")  # all sit: nobody moves on any more
    still(page)
    assert "?" in page.locator(".sky-words .asks").last.text_content()
    page.click(".seat >> nth=1")
    page.wait_for_selector(f"h1:has-text('{NAMES[1]}')")
    assert page.locator(".asks").count() == 0
    page.click(".seat >> nth=2")
    page.wait_for_selector(f"h1:has-text('{NAMES[2]}')")
    page.focus(".seat >> nth=2")
    page.keyboard.press("Delete")
    page.wait_for_selector(".asks")


def test_a_set_up_that_is_loaded_anew_is_as_it_was(table: Table) -> None:
    """Names, the one in the field, who looked up last, edition, handling and the deck; while a new table is
    set after an evening's end, too."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet()

    def change_and_load_anew() -> None:
        page.click(".seat >> nth=1")
        page.click("button[aria-label='One card fewer']")
        page.select_option("#set-edition", "cs")
        page.select_option("#set-handling", "away")
        if not page.locator(".player-input").count():
            page.click(".chip:has-text('New player')")
        page.fill(".player-input", "Zoe")
        page.reload()
        page.wait_for_selector(".phase-setup .seat >> nth=2")
        assert page.input_value(".player-input") == "Zoe"
        assert page.locator(".seat[aria-pressed=true]").count() == 1
        assert "79" in page.inner_text(".stepper")
        assert page.input_value("#set-edition") == "cs"
        assert page.input_value("#set-handling") == "away"

    for name in NAMES[:3]:
        page.click(f".chip:has-text('{name}')")
    change_and_load_anew()
    evening.begin(NAMES[:3]).play_round(0).do("end")
    page.wait_for_selector(".phase-over")
    tap(page, "New table")
    page.wait_for_selector(".phase-setup .seat >> nth=2")
    change_and_load_anew()
    tap(page, "Back")
    page.wait_for_selector(".phase-over")
    page.reload()
    page.wait_for_selector(".phase-over")


def test_who_was_set_at_another_screen_is_named_when_one_begins(table: Table) -> None:
    """Two screens set the table: one begins, the other says who is missing, and where they are taken in."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet()
    page.click(f".chip:has-text('{NAMES[0]}')")
    for name in ("Nora", "Dora"):
        page.fill(".player-input", name)
        page.keyboard.press("Enter")
    page.wait_for_selector(".seat >> nth=2")
    evening.begin(NAMES[:3])
    page.wait_for_selector(".phase-secret .toast:has-text('without Nora, Dora')")


def test_who_is_renamed_in_the_book_is_called_so_in_an_open_set_up(table: Table) -> None:
    """Another screen corrects a name while a new table is set here: the seat has the new one."""
    evening = KeptEvening().play(NAMES[:3], phase="over")
    table.serve(evening)
    page = table.tablet()
    with page.expect_response("**/api/people"):
        page.click("button:has-text('New table')")
    page.wait_for_selector(f".seat[aria-label*='{NAMES[0]}']")
    renamed = {"do": "rename", "person": NAMES[0], "name": "Thomas"}
    assert isinstance(evening.session.book.act(renamed, "another screen"), Act)
    page.wait_for_selector(".seat[aria-label*='Thomas']")
    assert page.locator(f".seat[aria-label*='{NAMES[0]}']").count() == 0


def test_two_of_a_ring_who_become_one_person_have_one_seat(table: Table) -> None:
    """A name typed here is given to somebody who sits here, too, on another screen: one seat, and none
    that is empty and counted."""
    evening = KeptEvening().play(NAMES[:3], phase="over")
    table.serve(evening)
    page = table.tablet()
    with page.expect_response("**/api/people"):
        page.click("button:has-text('New table')")
    page.click(".chip:has-text('New player')")
    page.fill(".player-input", "Thomas")
    page.keyboard.press("Enter")
    page.wait_for_selector(".seat >> nth=3")
    renamed = {"do": "rename", "person": NAMES[0], "name": "Thomas"}
    assert isinstance(evening.session.book.act(renamed, "another screen"), Act)
    page.wait_for_selector(f".seat[aria-label*='{NAMES[0]}']", state="detached")
    assert page.locator(".seat").count() == 3
    assert page.locator(".seat[aria-label*='Thomas']").count() == 1


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_on_a_phone_what_begin_waits_for_and_more_share_one_row(table: Table, locale: str) -> None:
    """In the longest words, on the oldest phone too; and no word is cut."""
    table.serve(KeptEvening(NAMES))
    page = table.tablet(locale, (390, 844), reduced_motion="reduce")
    for _ in range(3):
        page.click(".chip >> nth=0")
    for width, height in ((390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        still(page)
        begin, more = (
            page.locator(one).bounding_box()
            for one in (".buttons .waits", ".buttons .button:last-child")
        )
        assert abs(begin["y"] - more["y"]) < 2
        cut = "node => node.scrollWidth > node.clientWidth + 1"
        assert not page.locator(".buttons .waits").evaluate(cut)
