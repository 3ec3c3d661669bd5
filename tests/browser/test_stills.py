"""Looking again in a real browser: switched on at set-up, said while it is on, and one tap that mends."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.table.sighting import PlaceState
from companion.web import Rule
from tests.support.kept_evening import NAMES, KeptEvening
from tests.support.stills.drawn_table import one_guess
from tests.support.tablet_in_chromium import Table, quick, still, tap

pytestmark = pytest.mark.browser


def test_looking_again_is_asked_at_set_up_and_said_while_it_is_on(table: Table) -> None:
    """Off by default; one switch at set-up; every screen says it while it is on."""
    table.serve(KeptEvening().watched())
    page, watcher = table.tablet(), table.tablet(role=Rule.WATCH)
    row = ".settings .row:has-text('Stills to look again')"
    assert page.get_attribute(f"{row} button >> nth=0", "aria-pressed") == "true"
    assert page.locator(".stills-mark").count() == 0
    page.click(f"{row} button:has-text('On')")
    for one in (page, watcher):
        one.wait_for_selector(".stills-mark")
    page.click(f"{row} button:has-text('Off')")
    watcher.wait_for_selector(".stills-mark", state="detached")


CHANGES: tuple[tuple[dict[str, Any], list[int] | None, list[str]], ...] = (
    ({"card": 3, "right": False}, [3, 5], ["was_right", "was_cloud 5", "no_guess"]),
    ({"card": 3, "right": False}, [5, 3], ["was_cloud 5", "was_right", "no_guess"]),
    ({"card": 3, "right": False}, [5, 6, 7], ["was_cloud 5", "was_cloud 6", "was_right", "no_guess"]),
    ({"card": None, "right": False}, [5], ["was_cloud 5", "was_right", "no_guess"]),
    ({"card": 3, "right": False}, [], ["no_guess", "was_right"]),
    ({"card": 3, "right": False}, [9], ["was_right", "no_guess"]),
    ({"card": 3, "right": False}, None, ["was_right", "no_guess"]),
    ({"card": 3, "right": True}, [3, 5], ["was_wrong", "no_guess"]),
)  # fmt: skip
"""A guess as it is written down, the clouds that left by the stills, and what is offered, in this order."""


def test_the_likelier_change_comes_first(table: Table) -> None:
    """Another cloud stands first where it left nearer to the moment than the one written down, or where
    none is; no guess where nothing left at all; a cloud that another guess has is not offered."""
    table.serve(KeptEvening().watched())
    page = table.tablet()
    for guess, left, first in CHANGES:
        offered = page.evaluate(
            """([guess, left]) => import('/static/stills/stills_page.js').then(({ changesOf }) =>
              changesOf({ guesses: [guess, { card: 9, right: false }] }, 0, left).map(
                ({ key, card }) => key.replace('stills.', '') + (card ? ' ' + card : '')))""",
            [guess, left],
        )
        assert offered == first, (guess, left)


def test_a_disputed_guess_is_looked_at_and_mended_with_one_tap(table: Table) -> None:
    """Beside the guess: its stills with the camera's places drawn in, the likelier changes first; one
    tap keeps it, another makes it right."""
    evening = one_guess(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    tap(page, "Look again")
    page.wait_for_selector(".still .believed")
    href = page.get_attribute(".still image", "href")
    assert href.startswith("blob:")
    cards = len(evening.board["rounds"][-1]["cards"])
    assert page.locator(".still .believed text").count() == cards
    page.fill(".film-way", "0")
    assert page.locator(".still .table").count() == 0
    page.fill(".film-way", page.get_attribute(".film-way", "max"))
    assert page.locator(".still .table").count() == 1
    answers = page.locator(".look-answers button").all_inner_texts()
    assert [one.split("\n")[0] for one in answers] == [
        "It stays: wrong",
        "The guess was right",
        "That was no guess",
    ]
    tap(page, "It stays")
    page.wait_for_selector(".window-box")
    assert len(evening.board["rounds"][-1]["guesses"]) == 1
    quick(page)
    tap(page, "Look again")
    tap(page, "The guess was right")
    page.wait_for_selector(".phase-result")
    assert [one["right"] for one in evening.board["rounds"][-1]["guesses"]] == [True]


LOOKS = """(state) => {
  document.body.insertAdjacentHTML('beforeend',
    `<svg class="still"><g class="believed ${state}"><circle class="ring" /></g></svg>`);
  const { strokeDasharray, fill } = getComputedStyle(document.body.lastChild.querySelector('.ring'));
  return [strokeDasharray, fill];
}"""


def test_each_thing_believed_is_drawn_as_the_legend_says(table: Table) -> None:
    """A ring, dashed, dotted, blue: four looks, and each state of a place has the one that is said of
    it."""
    table.serve(KeptEvening())
    page = table.tablet()
    look = {state: tuple(page.evaluate(LOOKS, str(state))) for state in PlaceState}
    lies, gone, back = (
        look[state] for state in (PlaceState.MARKER, PlaceState.TABLE, PlaceState.BACK)
    )
    hidden = {look[state] for state in (PlaceState.MOVING, PlaceState.OTHER, PlaceState.UNKNOWN)}
    assert len({lies, gone, back} | hidden) == 4
    assert lies[0] == "none"
    assert "142, 181, 232" in back[1]
    assert [float(px) for px in re.findall(r"[\d.]+", gone[0])] == [3, 14]
    assert {float(re.findall(r"[\d.]+", dash)[0]) for dash, _ in hidden} == {22}


def test_the_seconds_are_written_as_the_language_writes_them(table: Table) -> None:
    """From the first still to the last: a comma before the tenths in German, never a point."""
    table.serve(one_guess(KeptEvening()))
    page = table.tablet("de-DE")
    tap(page, "Noch einmal hinsehen")
    page.wait_for_selector(".still .believed")
    words = []
    for at in range(int(page.get_attribute(".film-way", "max") or 0) + 1):
        page.fill(".film-way", str(at))
        page.wait_for_function(f"document.querySelector('.film-way').value === '{at}'")
        words.append(page.inner_text(".still-when strong"))
    assert any("," in one for one in words)
    assert not [one for one in words if "." in one]


BROKEN = """() => [...document.querySelectorAll('.guess.picked .person, .guess.picked .switch button')].filter((node) => {
  const words = document.createRange();
  words.selectNodeContents(node);
  return new Set([...words.getClientRects()].map((one) => Math.round(one.top))).size > 1;
}).map((node) => node.textContent.trim())"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_no_word_of_a_chosen_guess_is_broken(table: Table, locale: str) -> None:
    """Who it was, wrong, right: each in one line of the ledger, whatever else stands beside it."""
    table.serve(one_guess(KeptEvening()))
    page = table.tablet(locale)
    page.evaluate("location.hash = 'ledger'")
    page.click(".opener >> nth=0")
    page.click(".opened .guess >> nth=0")
    page.wait_for_selector(".guess.picked .text-button")
    for size in ((320, 640), (390, 844), (768, 1024), (1024, 768), (1280, 800)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        still(page)
        assert page.evaluate(BROKEN) == [], size


def test_on_the_smallest_phone_the_chosen_page_comes_before_all_pages(table: Table) -> None:
    """Who sits where is seen at once, not below the list of everything."""
    table.serve(KeptEvening().play())
    page = table.tablet(size=(320, 640))
    page.evaluate("location.hash = 'more'")
    page.wait_for_selector(".way")
    tops = "() => ['.ways', '.settings-list'].map((one) => document.querySelector(one).getBoundingClientRect().top)"
    ways, chosen = page.evaluate(tops)
    assert ways < chosen
    quick(page)
    page.click(".way[href='#seats']")
    page.wait_for_selector(".seat-list")
    ways, chosen = page.evaluate(tops)
    assert chosen < 200 < ways


MARKS_CLEAR = """() => {
  const boxes = (those) => [...document.querySelectorAll(those)].map((node) => node.getBoundingClientRect());
  const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const marks = boxes('.recording-mark');
  const others = marks.concat(boxes('.seat .shape, .score, .role .sign-in'));
  return marks.length === 3 && marks.every((one) => others.every((other) => one === other || !touch(one, other)));
}"""


def test_each_mark_of_what_is_kept_has_its_own_sign_and_its_own_corner(table: Table) -> None:
    """Recorded, stills kept, pictures kept: on screens without room for words, too, no two of them look
    alike, and none lies over a seat; on the page of all pages no two ways do either."""
    evening = KeptEvening().watched()
    table.serve(evening)
    page = table.tablet(reduced_motion="reduce")
    for count in (3, 6, 8):
        evening.unwatched().play(NAMES[:count], 2, 1).watched()
        evening.session.stills.switch(True)
        evening.session.pictures.switch(True)
        evening.session.recording.switch(on=True)
        page.wait_for_selector(f".n{count} .kept-mark")
        for size in ((320, 568), (390, 844), (800, 1280), (844, 390), (1280, 800)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            still(page)
            assert page.evaluate(MARKS_CLEAR), (count, size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
    drawn = "those => new Set(those.map((one) => one.innerHTML)).size"
    assert page.eval_on_selector_all(".recording-mark .sign", drawn) == 3
    page.evaluate("location.hash = 'more'")
    page.wait_for_selector(".way")
    assert page.eval_on_selector_all(".way .sign", drawn) == page.locator(".way").count()
