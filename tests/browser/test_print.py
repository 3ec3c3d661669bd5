"""Print page and deck check in a real browser, in front of the real session and a camera under the
test's hand."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.capture.jpeg import encode_jpeg
from companion.capture.watching import Watching
from companion.evening.session import Session
from companion.journal import Journal
from companion.vision.eye import Eye
from companion.web import Door, Rule, Server, create_app
from tests.companion.set_up.test_deck_check import NUMBERS, Showing, spread
from tests.support.kept_evening import KeptEvening
from tests.support.tablet_in_chromium import Table, tap

pytestmark = pytest.mark.browser
PHONE, LAPTOP = (390, 844), (1280, 800)


class Room:
    """A running companion; watched, its camera shows what the test lays before it."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.session, self.browser = Session(Journal(folder), NUMBERS), browser
        self.camera = Showing()
        self.door = Door()
        self.server = Server(create_app(self.session, self.door), "127.0.0.1", 0).start()
        self.faults: list[str] = []

    def watch(self) -> None:
        """Let the camera look at the table."""
        watching = Watching(self.camera, Eye(NUMBERS))
        self.session.attach(watching)
        watching.start(self.session)

    def page(self, where: str, locale: str = "en-GB", size: tuple[int, int] = LAPTOP) -> Any:
        """A tablet that was let in, on this page."""
        context = self.browser.new_context(
            locale=locale, viewport={"width": size[0], "height": size[1]}
        )
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(f"http://127.0.0.1:{self.server.port}/in/{self.door.invite(Rule.CONTROL)}")
        page.wait_for_selector(".page")
        page.evaluate(f"location.hash = '{where}'")
        return page


@pytest.fixture
def room(browser: Any, tmp_path: Path) -> Iterator[Room]:
    """One room a test, without a camera: to print needs none; faults in any page fail it."""
    opened = Room(browser, tmp_path)
    yield opened
    for context in browser.contexts:
        context.close()
    opened.server.stop()
    opened.session.close()
    assert opened.faults == []


@pytest.fixture
def watched(room: Room) -> Room:
    """The room with its camera."""
    room.watch()
    return room


def test_the_deck_ticks_itself_off_and_becomes_the_evenings_deck(watched: Room) -> None:
    """Eleven of twelve under the camera: the missing one is named, printed again with one tap, and
    eleven are played with."""
    watched.camera.image = spread(sorted(NUMBERS - {5}))
    page = watched.page("")
    page.click("text=Count the deck")
    page.wait_for_selector(".deck-count strong:text-is('11')")
    assert page.locator(".ticks .gone").all_inner_texts() == ["5"]
    assert page.inner_text(".deck-line .pile-card strong") == "5"
    page.click("button:has-text('Print these again')")
    assert page.input_value("#print-cards") == "5"
    page.evaluate("location.hash = 'deck'")
    page.set_input_files(
        ".deck-buttons input",
        {
            "name": "deck.jpg",
            "mimeType": "image/jpeg",
            "buffer": encode_jpeg(spread([2, 2, 3]), 1280),
        },
    )
    page.wait_for_selector("text=3 clouds in this photo.")
    tap(page, "Count anew")
    page.wait_for_selector("text=3 clouds in this photo.", state="detached")
    page.wait_for_selector(".deck-count strong:text-is('11')")
    page.click("button:has-text('Play with 11 clouds')")
    assert "11 clouds" in page.inner_text(".stepper")


def test_pictures_for_a_print_service_are_taken_home_as_a_zip(room: Room) -> None:
    """PNG instead of PDF: two faces and the back are shown, made and downloaded."""
    page = room.page("print")
    page.select_option("#print-format", "png")
    page.fill("#print-cards", "7,12")
    page.wait_for_selector(".print-press :text('3 pictures')")
    page.click("button:has-text('Make the pictures')")
    with page.expect_download() as taken:
        page.click("a:has-text('Take the ZIP file')")
    assert zipfile.ZipFile(taken.value.path()).namelist() == [
        "card-07.png",
        "card-12.png",
        "back.png",
    ]


def test_a_phones_large_photo_is_shrunk_before_it_is_sent(watched: Room, tmp_path: Path) -> None:
    """Twelve million grainy dots, more bytes than the server takes: its cards are ticked off; a
    text file is refused."""
    photo = cv2.resize(spread(sorted(NUMBERS)), (4000, 3000), interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(1).integers(0, 25, photo.shape, np.uint8)
    cv2.imwrite(str(tmp_path / "photo.jpg"), cv2.add(photo, grain), [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert (tmp_path / "photo.jpg").stat().st_size > 3_000_000
    watched.camera.image = spread([])
    page = watched.page("deck")
    page.set_input_files("input[type=file]", str(tmp_path / "photo.jpg"))
    page.wait_for_selector(".deck-buttons [role=status]:has-text('12 clouds in this photo')")
    (tmp_path / "diary.jpg").write_text("dear diary")
    page.set_input_files("input[type=file]", str(tmp_path / "diary.jpg"))
    page.wait_for_selector(".deck-buttons .note:has-text('could not be read')")


def test_card_numbers_that_run_backwards_are_said_at_their_field(room: Room) -> None:
    """7-3,x: the field is marked, and what to write instead stands below it."""
    page = room.page("print")
    page.wait_for_selector("#print-cards")
    page.fill("#print-cards", "7-3,x")
    page.wait_for_selector("#print-cards[aria-invalid=true]")
    assert page.inner_text("#wrong-cards") == "7-3 runs backwards: write 3-7."
    assert page.get_attribute("#print-cards", "aria-describedby") == "wrong-cards"


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_nothing_is_cut_short_on_a_phone(room: Room, locale: str) -> None:
    """390 px: no choice ends in dots and the page does not scroll sideways, for cards, labels and a
    sheet of one's own."""
    page = room.page("print", locale, PHONE)
    for field, value in (
        ("backs", "short"),
        ("kind", "stickers"),
        ("sheet", "endisch-20"),
        ("sheet", "custom"),
    ):
        page.wait_for_selector(f"#print-{field} option[value={value}]", state="attached")
        page.select_option(f"#print-{field}", value)
        page.wait_for_timeout(100)
        cut = "[...document.querySelectorAll('.print-choices select')].filter(s => s.scrollWidth > s.clientWidth).map(s => s.id)"
        assert page.evaluate(cut) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_a_page_that_was_refused_is_asked_for_again(room: Room) -> None:
    """The table had too much to do and drew no preview: it is asked for again, and comes."""
    page = room.page("rules")
    refused: list[str] = []

    def refuse_once(route: Any) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503)

    page.route("**/api/print/page/1?*", refuse_once)
    page.evaluate("location.hash = 'print'")
    page.wait_for_function(
        "() => { const image = document.querySelector('.print-pages img'); return image && image.naturalWidth > 1; }"
    )
    assert len(refused) == 1


def test_what_did_not_reach_the_table_is_asked_for_again(table: Table) -> None:
    """Print opened while the table is out of reach: that is said, and when the line is back the pages
    come by themselves. They never came, also when the page was left and opened again."""
    table.serve(KeptEvening())
    page = table.tablet()
    page.route("**/api/print**", lambda route: route.abort())
    page.evaluate("location.hash = 'print'")
    page.wait_for_selector("text=can’t be reached")
    assert page.locator("button:has-text('Make the PDF')").is_disabled()
    page.unroute_all()
    page.wait_for_selector("button:has-text('Make the PDF'):not([disabled])")
    page.wait_for_selector("text=can’t be reached", state="detached")


def test_what_the_page_does_not_show_is_not_in_the_way(room: Room) -> None:
    """The first label of a sheet, and how far a back is moved, were typed and then have no field any
    more: they are neither printed nor refused without a word."""
    page = room.page("print")
    page.select_option("#print-kind", "stickers")
    page.select_option("#print-sheet", "ol5425")
    page.fill("#print-start", "99")
    page.wait_for_selector("#wrong-start")
    page.select_option("#print-sheet", "scissors")
    page.wait_for_selector("button:has-text('Make the PDF'):not([disabled])")
    page.select_option("#print-kind", "cards")
    page.click("text=The printer scales or shifts")
    page.fill("#print-back_right", "far")
    page.wait_for_selector(".print-press .note")
    page.select_option("#print-backs", "none")
    page.wait_for_selector("button:has-text('Make the PDF'):not([disabled])")


def test_the_file_that_is_offered_is_the_one_of_the_pages_shown(room: Room) -> None:
    """Something else was chosen, or another language, while the file of before was being made or lay
    there."""
    page = room.page("print")
    page.select_option("#print-kind", "ruler")
    held: list[Any] = []
    page.route("**/api/print", lambda route: held.append(route))
    page.click("button:has-text('Make the PDF')")
    page.wait_for_selector("progress")
    page.select_option("#print-kind", "test-sheet")
    page.wait_for_selector("button:has-text('Make the PDF'):not([disabled])")
    with page.expect_response("**/api/print"):
        held[0].continue_()
    page.unroute("**/api/print")
    page.wait_for_timeout(1500)
    assert page.locator("progress, .print-press a").count() == 0
    page.click("button:has-text('Make the PDF')")
    page.wait_for_selector(".print-press a")
    page.evaluate("location.hash = 'more'")
    page.click("button:has-text('Deutsch')")
    page.wait_for_selector("html[lang=de]")
    page.evaluate("location.hash = 'print'")
    page.wait_for_selector(".print-press button:not([disabled])")
    assert page.locator(".print-press a").count() == 0
