"""After the evening in a real browser: piles counted, the evening in pictures, pages to print."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.vision.eye import Eye
from companion.web.views.pile_count import takers
from companion.web.views.print_room import marker_needed
from tests.support.kept_evening import NAMES, KeptEvening, played
from tests.support.tablet_in_chromium import Table, drawn, still, tap
from tests.support.tablet_states import asked

pytestmark = pytest.mark.browser


def test_a_pile_is_counted_under_the_camera(table: Table) -> None:
    """At the end each pile is counted; one that agrees is confirmed, one that does not names the
    cloud that is off."""
    evening = played().watched().finish()
    table.serve(evening)
    page = table.tablet()
    assert evening.camera is not None
    lying = evening.camera.lying
    lying |= {card for card, seats in takers(evening.board).items() if seats == {0}}
    tap(page, "Count the piles")
    page.click(".audit-list li:nth-child(1) button")
    page.wait_for_selector(".audit-list li:nth-child(1) :text('as written')")
    lost = lying.pop()
    page.click(".audit-list li:nth-child(1) button")
    page.wait_for_selector(".audit-list li:nth-child(1) :text('Not here')")
    assert page.inner_text(".audit-list li:nth-child(1) .pile-card strong") == str(lost)


def test_a_verdict_on_a_pile_goes_with_the_ledger_it_was_given_beside(table: Table) -> None:
    """A round is corrected after the count: nothing is said of the pile until it is counted again."""
    evening = played().watched().finish()
    table.serve(evening)
    page = table.tablet()
    assert evening.camera is not None
    evening.camera.lying |= {card for card, seats in takers(evening.board).items() if seats == {0}}
    tap(page, "Count the piles")
    verdict = ".audit-list li:nth-child(1) .off"
    page.click(".audit-list li:nth-child(1) button")
    page.wait_for_selector(f"{verdict}:has-text('as written')")
    mine = next(one for one in evening.board["rounds"] if one["gains"][0])
    wrong = [{"right": False}] * mine["attempts"]
    evening.do("correct", round=mine["number"], guesses=wrong)
    page.wait_for_selector(verdict, state="detached")


def test_a_camera_that_cannot_count_says_nothing_of_the_pile(table: Table) -> None:
    """Neither on the page nor aloud."""
    evening = played().watched().finish()
    table.serve(evening)
    page = table.tablet()
    tap(page, "Count the piles")
    page.route("**/api/pile/*", lambda route: route.fulfill(status=503))
    page.click(".audit-list li:nth-child(1) button")
    page.wait_for_selector(".audit-list .off:has-text('cannot count now')")
    page.wait_for_selector("#say:has-text('cannot count now')", state="attached")
    assert "does not agree" not in page.inner_text("body")


def test_without_a_camera_people_count_by_hand(table: Table) -> None:
    """The page of the piles says so, and how many clouds of each stand in the ledger."""
    evening = played().watched(state="stopped").finish()
    table.serve(evening)
    page = table.tablet()
    tap(page, "Count the piles")
    page.wait_for_selector(".about-words:has-text('count by hand')")
    told = [" ".join(one.split()) for one in page.locator(".audit-list li .who").all_inner_texts()]
    assert told == [f"{one['name']} {one['cards']} clouds" for one in evening.board["players"]]


def test_before_the_end_the_piles_are_promised_to_no_camera_that_is_not_there(
    table: Table,
) -> None:
    """Opened by its address during the game: with a camera, that it will count; without one, that
    people will; both times with what stands in the ledger."""
    evening = played()
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'piles'")
    page.wait_for_selector(".about-words:has-text('count the piles by hand')")
    assert "the camera counts" not in page.inner_text(".sheet")
    assert page.locator(".audit-list li").count() == len(evening.board["players"])
    assert page.locator(".audit-list button").count() == 0
    evening.watched().camera_is("live")
    page.wait_for_selector(".about-words:has-text('the camera counts the piles')")
    assert "by hand" not in page.inner_text(".sheet")


def test_a_page_with_nothing_to_show_yet_says_what_to_do(table: Table) -> None:
    """The deck, a deck to be learnt, screens and the camera where there is none: drawn, and told in two
    sentences or more."""
    table.serve(played())
    page = table.tablet()
    for where, told in (
        ("deck", ".about-words li"),
        ("learn", ".about-words li"),
        ("screens", ".drawing"),
        ("camera", ".about-words li"),
    ):
        page.evaluate(f"location.hash = '{where}'")
        page.wait_for_selector(f".sheet.{where} .drawing")
        assert page.locator(told).count() >= (1 if told == ".drawing" else 2), where


def test_a_table_that_learns_no_decks_says_so_and_nothing_is_an_error(table: Table) -> None:
    """As the practice table: the page tells how it would be, and the browser's console stays empty."""
    table.serve(KeptEvening())
    page = table.tablet()
    logged: list[str] = []
    page.on("console", lambda told: logged.append(told.text))
    page.evaluate("location.hash = 'learn'")
    page.wait_for_selector(".sheet.learn .about-words li")
    assert logged == []


def test_before_the_first_evening_the_findings_say_what_will_be_found(table: Table) -> None:
    """No figure and no button, but a sentence that is true while the first evening is played, too."""
    table.serve(KeptEvening(past=()).begin(NAMES[:5]).play_round(1))
    page = table.tablet()
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".findings-none:has-text('No evening is counted yet')")
    assert page.locator(".findings button:not(.back)").count() == 0


@pytest.mark.parametrize(("wrong", "best"), [(0, []), (1, ["a whale on a bicycle"])])
def test_a_cloud_found_at_the_first_guess_is_not_called_the_best_kept(
    table: Table, wrong: int, best: list[str]
) -> None:
    """At the end of an evening of which one cloud has a name."""
    evening = KeptEvening(past=()).begin(NAMES[:5]).play_round(wrong, "a whale on a bicycle")
    table.serve(evening.do("end"))
    page = table.tablet()
    page.wait_for_selector(".phase-over")
    assert [
        words.strip("“”") for words in page.locator(".best .cloud-name").all_inner_texts()
    ] == best


UNDER_A_BUTTON = """() => [...document.querySelectorAll('.column p, .column li')].filter((node) => {
  const r = node.getBoundingClientRect();
  const [x, y] = [r.left + r.width / 3, r.bottom - 4];
  const top = y < innerHeight && document.elementFromPoint(x, y);
  const button = top && top.closest('.first, .buttons');
  return button && !button.contains(node);
}).map((node) => node.innerText)"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_on_a_small_phone_no_button_lies_over_the_end_of_the_evening(
    table: Table, locale: str
) -> None:
    """Who won what and the best-kept cloud stand clear of the buttons, wherever the page is scrolled
    to."""
    evening = played(wrong=0).finish()
    table.serve(evening)
    page = table.tablet(locale, (320, 568), reduced_motion="reduce")
    page.wait_for_selector(".best")
    for size in ((320, 568), (360, 640), (375, 667)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for down in (0, 60, 120, 2000):
            page.evaluate("down => scrollTo(0, down)", down)
            still(page)
            assert page.evaluate(UNDER_A_BUTTON) == [], (size, down)


@pytest.mark.parametrize("shown", ["over", "new table", "practice over"])
def test_on_an_upright_tablet_the_last_buttons_stand_above_the_ribbon(
    table: Table, shown: str
) -> None:
    """However much stands above them at the end and where a new table is set, in German."""
    evening = played(NAMES[:6], phase="over")
    if shown == "practice over":
        evening.watched(practice=True).camera_is("ended")
    table.serve(evening)
    page = table.tablet("de-DE", size=(768, 1024))
    if shown == "new table":
        tap(page, "Neuer Tisch")
        page.wait_for_selector(".phase-setup")
    still(page)
    buttons = page.locator(".column > .first .button:visible, .column > .buttons .button:visible")
    assert buttons.count() >= 3
    hit = """node => {
      const { left, right, bottom } = node.getBoundingClientRect();
      const ribbon = document.querySelector('.ribbon').getBoundingClientRect().top;
      const found = document.elementFromPoint((left + right) / 2, bottom - 3);
      return bottom <= ribbon && node.contains(found);
    }"""
    assert all(buttons.nth(i).evaluate(hit) for i in range(buttons.count()))


def test_the_evening_in_pictures_shows_every_rounds_clouds(table: Table) -> None:
    """One small window a round, with all its clouds, its name and who won it; before, a touched
    player's clouds are said, and the deck is counted under the camera, the practice table's too."""
    evening = played().watched(practice=True).finish()
    table.serve(evening)
    page = table.tablet()
    winner = max(evening.board["players"], key=lambda player: player["cards"])
    page.click(f".seat[aria-label^='{winner['name']}:']")
    said = page.inner_text(".touched")
    assert f"{winner['name']}, {winner['cards']} clouds" in " ".join(said.split())
    page.evaluate("location.hash = 'deck'")
    page.wait_for_selector(".deck-view .frame")
    page.go_back()
    tap(page, "The evening in pictures")
    page.wait_for_selector(".postcard")
    counted = [r for r in evening.board["rounds"] if r["ending"] in ("claimed", "lookout")]
    assert page.locator(".postcard").count() == len(counted)
    assert page.locator(".postcard .cloud").count() == sum(len(r["cards"]) for r in counted)


PAPER = "node => getComputedStyle(node).backgroundColor"


def test_a_page_is_no_white_paper_before_it_is_drawn(table: Table) -> None:
    """While the first pages are drawn they are empty frames: nobody takes them for empty pages."""
    table.serve(KeptEvening())
    page = table.tablet()
    page.route("**/api/print/page/**", lambda route: route.abort())
    page.evaluate("location.hash = 'print'")
    page.wait_for_selector(".print-pages img", state="attached")
    assert page.locator(".print-pages img").first.evaluate(PAPER) == "rgba(0, 0, 0, 0)"


def test_the_pages_are_seen_and_the_pdf_is_taken_home(table: Table) -> None:
    """Print: two cards are chosen, the pages appear as pictures, an odd marker is refused in
    German beneath its field while the pages stay, the PDF is downloaded."""
    evening = played()
    places = [{"px_per_module": 0.862, "blur_px": 0.8}]
    evening.session.camera.calibration = lambda *_: {"map": places}
    table.serve(evening)
    page = table.tablet("de-DE")
    page.evaluate("location.hash = 'print'")
    page.fill("#print-cards", "7,12")
    first = page.wait_for_selector(".print-pages img")
    drawn(first)
    assert first.evaluate(PAPER) == "rgb(255, 255, 255)"
    page.fill("#print-symbol_mm", "90")
    wrong = "#print-symbol_mm[aria-invalid=true] + .note:has-text('passt nicht auf die Karte')"
    page.wait_for_selector(wrong)
    assert page.locator(".print-pages.stale img").count() > 0
    needed = marker_needed(places)
    assert needed is not None
    tap(page, f"{needed['mm']:.0f} mm nehmen")
    drawn(page.wait_for_selector(".print-pages img"))
    assert page.input_value("#print-symbol_mm") == f"{needed['mm']:.0f}"
    tap(page, "PDF erstellen")
    with page.expect_download(timeout=20000) as taken:
        page.click("a:has-text('PDF holen')", timeout=20000)
    assert Path(taken.value.path()).read_bytes()[:5] == b"%PDF-"


DRAWN = """() => [...document.querySelectorAll('section')].map((section) =>
  [...section.querySelectorAll('.shares li')].map((row) => ({
    name: row.querySelector('.name').textContent,
    bar: [...row.querySelectorAll('.share-bar')].map((one) => [one.x1, one.x2].map((end) => end.baseVal.value - 4))[0],
    dot: row.querySelector('.share-dot').cx.baseVal.value - 4,
  }))).filter((rows) => rows.length)"""
"""Of each list of shares, each person's bar and dot, from where the scale begins."""

ASKED = "() => fetch('/api/book/findings').then((answer) => answer.json())"


def test_no_bar_of_the_findings_is_cut_at_the_end_of_its_scale(table: Table) -> None:
    """Few rounds: the true shares may lie far up. Of everybody in a list, bar and dot are drawn to one
    scale, and none beyond its end."""
    evening = KeptEvening(past=()).play(rounds=3).do("end")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".shares .share-number")
    people = {one["name"]: one for one in page.evaluate(ASKED)["people"]}
    lists = page.evaluate(DRAWN)
    assert len(lists) >= 2
    for kind, rows in zip(("guess", "read", "lookout"), lists, strict=False):
        ends = [row["bar"][1] / people[row["name"]][kind]["high"] for row in rows]
        assert max(ends) - min(ends) < 2, kind  # drawn to a tenth of 292
        for row in rows:
            assert row["bar"][0] <= row["dot"] <= row["bar"][1] <= 292.1


def test_the_end_says_that_the_table_is_out_of_reach(table: Table) -> None:
    """The server stops while the winner stands there: a sentence says so."""
    table.serve(played().finish())
    page = table.tablet()
    assert table.server is not None
    table.server.stop()
    page.wait_for_selector(".phase-over.offline .note:has-text('can’t be reached')")
    assert "Keep playing" not in page.inner_text(".note")
    table.serve(table.evening)


def test_a_question_says_that_the_table_is_out_of_reach(table: Table) -> None:
    """Its answers are dim then: the line above says why, and nothing waits for one."""
    table.serve(asked(KeptEvening()))
    page = table.tablet()
    page.wait_for_selector(".question .answer")
    assert table.server is not None
    table.server.stop()
    page.wait_for_selector(".asking.offline .where .note:has-text('can’t be reached')")
    assert page.locator(".question :text('waits a minute')").count() == 0
    table.serve(table.evening)


def test_the_same_people_again_says_who_begins_under_a_long_name(table: Table) -> None:
    """Whoever should begin has a long name: the word after it is not cut off."""
    names = ("Anne-Sophie-Charlotte", "Maximilian-Alexander", "Bartholomew Featherstone")
    table.serve(played(names, 1, 1).finish())
    page = table.tablet(reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    below = page.locator(".two-ways .below")
    assert below.inner_text().endswith("begins")
    for width, height in ((1280, 800), (1024, 768), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        still(page)
        assert below.evaluate("node => node.scrollWidth <= node.clientWidth + 1"), width


def test_the_seats_page_says_that_the_evening_is_over(table: Table) -> None:
    """It was open when the evening ended: a sentence, not a heading alone."""
    evening = played()
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'seats'")
    page.wait_for_selector(".seat-list")
    evening.do("end")
    page.wait_for_selector(".settings-list p:has-text('Nobody is playing now')")


def test_what_is_read_aloud_is_what_stands_there(table: Table) -> None:
    """A pause and a correction of the result or of the end are told too, a round that does not count has no winner, and
    where nobody won a cloud nobody has the most."""
    found, unfound = [{"card": None, "right": True}], [{"card": None, "right": False}] * 4
    evening = KeptEvening(past=()).begin(NAMES[:4]).play_round(0)
    table.serve(evening)
    page = table.tablet()

    def said(words: str) -> None:
        page.wait_for_selector(f"#say:text-is('{words}')", state="attached")

    said("Ben plus 6.")
    evening.do("pause")
    said("The evening rests.")
    evening.do("resume")
    said("Ben plus 6.")
    evening.do("correct", round=1, guesses=unfound)
    said("Oskar plus 6.")
    evening.do("void", round=1, cards="out")
    said("This round does not count.")
    evening.do("undo").do("end")
    said("The evening is over. Most clouds: Oskar.")
    evening.do("correct", round=1, guesses=found)
    said("The evening is over. Most clouds: Ben.")
    evening.do("void", round=1, cards="out")
    said("The evening is over.")


def test_a_sentence_that_answered_a_tap_is_read_no_longer_than_shown(table: Table) -> None:
    """It goes from where it is read aloud together with the screen."""
    table.serve(played())
    page = table.tablet()
    page.clock.install()
    page.evaluate(
        "import('/static/core/toast.js').then(({ showToast }) => showToast('said.stale'))"
    )
    page.wait_for_selector("#alert:has-text('Someone was quicker')", state="attached")
    page.clock.run_for(8000)
    page.wait_for_selector(".toast", state="detached")
    page.wait_for_selector("#alert:text-is('')", state="attached")


def test_a_new_table_is_set_with_the_deck_that_was_chosen_since(table: Table) -> None:
    """Its name and its size, on a screen that had shown another; nothing there is counted by codes."""
    evening = KeptEvening().play(phase="over")
    table.serve(evening)
    page = table.tablet()
    assert evening.session.play_with(Eye(), frozenset(range(1, 21)), "Our box") is None
    tap(page, "New table")
    page.wait_for_selector(".stepper:has-text('20 clouds')")
    page.wait_for_selector(".settings button:has-text('Our box')")
    assert page.locator("button:has-text('Count the deck')").count() == 0
    assert evening.session.play_with(Eye(), frozenset(range(1, 81))) is None
    page.wait_for_selector(".stepper:has-text('80 clouds')")
