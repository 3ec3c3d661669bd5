"""The book of evenings in a real browser: how days and figures are written, and what is chosen once it is gone."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.game.rules import Refusal
from companion.vision.eye import Eye
from tests.support.kept_evening import KeptEvening
from tests.support.tablet_in_chromium import Table, hold, quick, tap

pytestmark = pytest.mark.browser

FOUR = ("Ada", "Ben", "Cleo", "Dan")
NIGHT_S = datetime(2021, 1, 17, 20, 5).timestamp()
"""A Sunday."""


def two_nights() -> KeptEvening:
    """Four people, a week apart; the same one had the sky twice."""
    evening = KeptEvening(past=())
    for night in range(2):
        evening.now_s = NIGHT_S + night * 7 * 86_400
        evening.begin(FOUR, daydreamer=0).play_round(0).do("next").do("end")
    return evening


@pytest.mark.parametrize(
    ("locale", "short", "long"),
    [
        ("en-US", "Sun, 17 Jan 2021", "Sunday 17 January 2021"),
        ("de-DE", "So., 17. Jan. 2021", "Sonntag, 17. Januar 2021"),
        ("cs-CZ", "Ne 17. 1. 2021", "Neděle 17. ledna 2021"),
    ],
)
def test_a_day_is_written_as_its_language_writes_it(
    table: Table, locale: str, short: str, long: str
) -> None:
    """English as in Britain whatever the browser is set to; a day that stands alone begins with a capital
    in Czech too."""
    evening = KeptEvening(past=())
    evening.now_s = NIGHT_S
    evening.begin(FOUR).play_round(0).do("next").do("end")
    table.serve(evening)
    page = table.tablet(locale)
    page.evaluate("location.hash = 'evenings'")
    told = page.wait_for_selector(".book-day").inner_text()
    assert plain(told) == plain(short)
    page.click(".book-evening")
    page.wait_for_selector(".evenings .ways-of")
    assert plain(page.inner_text("h1")) == plain(long)


def plain(day: str) -> str:
    """Without what browsers write differently: the comma after the weekday, kinds of spaces."""
    return re.sub(r"\s+", " ", day.replace(",", ""))


def test_a_name_that_was_taken_back_is_not_looked_for_any_more(table: Table) -> None:
    """Renamed by the keyboard's own key, then taken back: the new name is nobody's, so everybody's evenings are shown, not none."""
    table.serve(two_nights())
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening")
    page.select_option("#by-person", value="Ben")
    page.wait_for_selector(".book-person")
    tap(page, "Rename")
    page.fill("#new-name", "Benedikt")
    page.press("#new-name", "Enter")
    page.wait_for_selector(".way-back")
    page.wait_for_selector("#by-person option[value='Benedikt']:checked", state="attached")
    tap(page, "Take back")
    page.wait_for_selector(".way-back", state="detached")
    page.wait_for_selector(".book-evening >> nth=1")
    assert page.input_value("#by-person") == ""
    page.select_option("#by-person", value="Ben")
    page.wait_for_selector(".book-person")


def test_the_book_says_what_a_game_on_the_table_does_not_let_it_do(table: Table) -> None:
    """Its people keep their names there, and no old game is offered before it is over; what was refused is
    not said any more beside what was done after it."""
    evening = two_nights()
    evening.begin(FOUR, daydreamer=0).play_round(0).do("next")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening")
    page.select_option("#by-person", value="Ben")
    tap(page, "Rename")
    assert "goes on with the name that it began with" in page.inner_text(".book-do")
    page.fill("#new-name", "ada")
    page.press("#new-name", "Enter")
    page.wait_for_selector(".toast")
    page.fill("#new-name", "Benedikt")
    page.press("#new-name", "Enter")
    page.wait_for_selector(".way-back")
    assert page.locator(".toast").count() == 0
    page.click(".book-evening >> nth=1")
    page.wait_for_selector(".book-changes .note:has-text('Another game is on the table')")
    assert page.locator("button:has-text('go on with this game')").count() == 0
    evening.do("end")
    page.wait_for_selector("button:has-text('go on with this game')")
    assert page.locator(".book-changes .note").count() == 0


def test_everybody_and_everywhere_can_be_chosen_again(table: Table) -> None:
    """After a person, a year or a place, the choice without any shows every evening."""
    evening = two_nights()
    first = evening.session.book.page()["evenings"][-1]["number"]
    evening.session.book.act({"do": "place", "evening": first, "place": "Brno"}, None)
    evening.now_s += 365 * 86_400
    evening.begin(("Eva", "Zoe", "Jo")).play_round(0).do("next").do("end")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening")
    for field, choice, lead in (
        ("person", "Ada", "2 evenings"),
        ("year", "2021", "2 evenings"),
        ("place", "Brno", "1 evening"),
    ):
        page.select_option(f"#by-{field}", value=choice)
        page.wait_for_selector(f".sheet-head .soft:text-is('{lead}')")
        assert page.input_value(f"#by-{field}") == choice
        page.select_option(f"#by-{field}", value="")
        page.wait_for_selector(".sheet-head .soft:text-is('3 evenings')")
        assert page.locator(".book-evening").count() == 3


def test_an_evening_that_is_deleted_takes_its_people_out_of_the_choice(table: Table) -> None:
    """Whoever was there only that night cannot be chosen any more; taken back, they can again."""
    evening = KeptEvening(past=()).begin(FOUR).play_round(0).do("next").do("end")
    evening.now_s += 86_400
    evening.begin(("Ada", "Ben", "Zoe")).play_round(0).do("next").do("end")
    evening.now_s += 86_400
    evening.begin(FOUR).play_round(0).do("next").do("end")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening")
    zoe = "#by-person option[value='Zoe']"
    page.select_option("#by-person", value="Zoe")
    page.wait_for_selector(".book-person")
    page.click(".book-evening")
    hold(page, "button:has-text('Hold to delete this evening')")
    page.wait_for_selector(".book-evening >> nth=1")
    assert page.locator(zoe).count() == 0
    tap(page, "Take back")
    page.wait_for_selector(zoe, state="attached")


def test_the_browsers_way_back_leaves_what_was_opened_last(table: Table) -> None:
    """Out of the film and the album to their evening, out of the evening to the book, out of the book to the
    table."""
    table.serve(two_nights())
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.click(".book-evening >> nth=0")
    page.wait_for_selector(".evening-of-before, main.evenings .ways-of button:has-text('Album')")
    tap(page, "Album")
    page.wait_for_selector("main.album")
    page.go_back()
    page.wait_for_selector("main.album", state="detached")
    page.click("main .ways-of button >> nth=0")
    page.wait_for_selector("main.film")
    page.go_back()
    page.wait_for_selector("main.film", state="detached")
    assert page.locator(".book-evening").count() == 0, "the evening is still open"
    page.go_back()
    page.wait_for_selector(".book-evening >> nth=1")
    page.go_back()
    page.wait_for_selector(".column")


def test_an_evening_that_is_open_follows_what_is_entered_elsewhere(table: Table) -> None:
    """A round of the evening that was just ended is corrected on another screen."""
    evening = KeptEvening(past=()).begin(FOUR).play_round(0).do("next").do("end")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.click(".book-evening")
    page.wait_for_selector(".grid .round")
    guesses = [{"card": None, "right": False}, {"card": None, "right": True}]
    gains = ".grid .round .cell.some"
    assert page.locator(gains).count() == 1
    evening.do("correct", round=1, guesses=guesses)
    page.wait_for_selector(f"{gains} >> nth=1")


def test_words_beside_names_keep_their_space(table: Table) -> None:
    """A streak's sentence as the catalogue has it, behind the person's sign."""
    table.serve(two_nights())
    page = table.tablet()
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".closest .button")
    streak = page.locator(".findings li:has-text('in a row')").first.inner_text()
    assert re.search(r"\b(Ada|Ben|Cleo|Dan) had the sky 2 evenings in a row\.$", streak)
    page.click(".closest .button >> nth=0")
    page.wait_for_selector(".evenings h1:has-text('January 2021')")


def test_nothing_more_or_less_has_neither_sign(table: Table) -> None:
    """Beside what the chairs paid: what is written as zero is neither more nor less."""
    evening = two_nights()
    table.serve(evening)
    page = table.tablet()
    told = evening.session.book.found_out()
    for one, beside in zip(told["people"], (0.004, -0.004, 0.006, -0.25), strict=True):
        one["fair"]["beside"] = beside
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".fair strong")
    written = [one.strip() for one in page.locator(".fair strong").all_inner_texts()]
    assert written == ["+0.01", "±0.00", "±0.00", "−0.25"]


def test_the_book_on_another_tablet_follows(table: Table) -> None:
    """The list, an opened evening and the findings have the new name by themselves, what is being typed
    stays, and an evening that is deleted elsewhere is shut with a word; the screen that did it says
    nothing of the kind."""
    table.serve(two_nights())
    first, lists, opens, finds = (table.tablet() for _ in range(4))
    for page in (first, lists, opens):
        page.evaluate("location.hash = 'evenings'")
        page.wait_for_selector(".book-evening >> nth=1")
    finds.evaluate("location.hash = 'findings'")
    finds.wait_for_selector(".findings li:has-text('Ada')")
    lists.select_option("#by-person", value="Cleo")
    lists.wait_for_selector(".book-person")
    tap(lists, "Rename")
    lists.fill("#new-name", "Cleopatra")
    opens.click(".book-evening >> nth=1")
    opens.wait_for_selector(".evenings .ways-of")

    first.select_option("#by-person", value="Ada")
    first.wait_for_selector(".book-person")
    tap(first, "Rename")
    first.fill("#new-name", "Adelheid")
    quick(first)
    first.click(".book-do .button")
    for page in (lists, opens, finds):
        page.wait_for_selector("text=Adelheid")
    lists.wait_for_selector("#by-person option[value='Adelheid']", state="attached")
    assert lists.locator("#by-person option[value='Ada']").count() == 0
    assert lists.input_value("#by-person") == "Cleo"
    assert lists.input_value("#new-name") == "Cleopatra"

    first.wait_for_selector("#by-person option[value='Adelheid']:checked", state="attached")
    first.click(".book-evening >> nth=1")
    hold(first, "button:has-text('Hold to delete this evening')")
    opens.wait_for_selector("text=This evening was deleted on another screen.")
    for page in (first, lists, opens):
        page.wait_for_selector(".sheet-head .soft:text-is('1 evening')")
        assert page.locator(".book-evening").count() == 1
    assert first.locator("text=deleted on another screen").count() == 0


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_paper_is_always_day(table: Table, scheme: str) -> None:
    """What is printed from a dark screen has the dark letters of the light one."""
    table.serve(two_nights())
    page = table.tablet(color_scheme=scheme)
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".closest .button")
    ink = "getComputedStyle(document.querySelector('h1')).color"
    assert (page.evaluate(ink) == "rgb(21, 32, 67)") == (scheme == "light")
    page.emulate_media(media="print", color_scheme=scheme)
    assert page.evaluate(ink) == "rgb(21, 32, 67)"


def test_of_few_guesses_no_share_is_drawn(table: Table) -> None:
    """Who reads whom: one of one is written as what it is; from ten guesses on there is a disc."""
    evening = KeptEvening(past=())
    for night in range(11):
        evening.now_s = NIGHT_S + night * 86_400
        evening.begin(FOUR, daydreamer=0 if night else 2).play_round(1).do("next").do("end")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".matrix")
    rows = evening.session.book.found_out()["matrix"]["cells"]
    cells = [cell for row in rows for cell in row if cell and cell["of"]]
    few = [f"{cell['hits']} of {cell['of']}" for cell in cells if cell["of"] < 10]
    many = [cell for cell in cells if cell["of"] >= 10]
    assert few
    assert many
    assert page.locator(".matrix .reads").count() == len(many)
    told = [text.strip() for text in page.locator(".matrix td").all_inner_texts()]
    assert [text for text in told if " of " in text] == few


def test_the_only_evening_is_not_called_the_closest(table: Table) -> None:
    """Closest is a word for one of several; with the second evening it is said."""
    evening = KeptEvening(past=())
    evening.now_s = NIGHT_S
    evening.begin(FOUR).play_round(1).do("next").play_round(0).do("next").do("end")
    assert evening.session.book.found_out()["closest"]
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".findings .bars")
    assert page.locator(".closest").count() == 0
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening")
    evening.begin(FOUR).play_round(1).do("next").play_round(0).do("next").do("end")
    page.evaluate("location.hash = 'findings'")
    page.wait_for_selector(".closest .button >> nth=1")


def test_the_way_back_counts_down_and_goes_with_its_minute(table: Table) -> None:
    """In an opened evening and in the list, by the page's own clock; what was done is said aloud, the
    seconds are not."""
    evening = two_nights()
    table.serve(evening)
    page = table.tablet()
    page.clock.install()
    page.evaluate("location.hash = 'evenings'")
    page.click(".book-evening")
    tap(page, "Where was it?")
    page.fill("#place", "Kitchen")
    quick(page)
    page.click(".book-do .button:has-text('Keep')")
    page.wait_for_selector(".way-back .left:has-text('s left')")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)
    before = seconds_left(page)
    page.clock.run_for(20_000)
    assert seconds_left(page) == before - 20
    assert page.locator(".way-back [role=status]").inner_text() == "The place is kept."
    page.click("button:has-text('All evenings')")
    page.wait_for_selector(".book-evening >> nth=1")
    page.clock.run_for(10_000)
    assert seconds_left(page) == before - 30
    page.click(".book-evening >> nth=0")
    page.wait_for_selector(".evenings .ways-of")
    evening.now_s += 61
    page.clock.run_for(61_000)
    page.wait_for_selector(".way-back", state="detached")
    page.click("button:has-text('All evenings')")
    page.wait_for_selector(".book-evening >> nth=1")
    assert page.locator(".way-back").count() == 0


def seconds_left(page: Page) -> int:
    """What the way back says of its minute."""
    return int(re.findall(r"\d+", page.locator(".way-back .left").inner_text())[0])


def test_a_file_of_an_evening_that_another_screen_deleted_says_so(table: Table) -> None:
    """Where the news did not get through it stays open here; whoever asks for its picture reads why there
    is none."""
    evening = two_nights()
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.click(".book-evening >> nth=1")
    page.wait_for_selector(".take-along a")
    number = evening.session.book.page()["evenings"][1]["number"]
    lost: list[str] = []
    news = f"**/api/book/{number}"

    def lose(route: Any) -> None:
        lost.append(route.request.url)
        route.abort()

    page.route(news, lose)
    done = evening.session.book.act({"do": "delete", "evening": number}, None)
    assert not isinstance(done, Refusal)
    for _ in range(600):
        if lost:
            break
        page.wait_for_timeout(50)
    assert lost
    page.unroute(news)
    page.click(".take-along a >> nth=0")
    page.wait_for_selector("text=This evening was deleted on another screen.")


def test_the_book_counts_finished_rounds(table: Table) -> None:
    """Ended in the middle of the second: one round on the card, over the evening and on its postcard."""
    evening = KeptEvening(past=()).begin(FOUR).play_round(1).do("next")
    evening.do("laid", cards=evening.fresh_cards).do("end")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening:has-text('1 round ')")
    page.click(".book-evening")
    page.wait_for_selector(".gallery .soft:text-is('Round 1 of 1')")
    tap(page, "Album")
    page.wait_for_selector(".album-round .soft:text-is('Round 1 of 1')")


def test_every_evening_is_shown_with_its_own_cards(table: Table) -> None:
    """A learnt deck's numbers are other cards than the printed ones: the small skies, the opened evening
    and its film ask for that deck's pictures, the drawings for printed ones."""
    evening = KeptEvening(past=())
    assert evening.session.play_with(Eye(), evening.session.numbers, "Our box") is None
    evening.begin(FOUR).play_round(0).do("next").do("end")
    assert evening.session.play_with(Eye(), evening.session.numbers) is None
    evening.now_s += 86_400
    evening.begin(FOUR).play_round(0).do("next").do("end")
    table.serve(evening)
    page = table.tablet()

    def decks(within: str) -> set[str]:
        return set(
            page.eval_on_selector_all(
                f"{within} image[href^='/art/']",
                "all => all.map((one) => new URL(one.href.baseVal, location).searchParams.get('deck') || '')",
            )
        )

    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening >> nth=1")
    assert decks(".book li:nth-child(1)") == {""}
    assert decks(".book li:nth-child(2)") == {"Our box"}
    page.click(".book-evening >> nth=1")
    page.wait_for_selector(".gallery")
    assert decks(".gallery") == {"Our box"}
    tap(page, "Play it again")
    page.wait_for_selector(".film")
    page.wait_for_selector(".film .cloud image", state="attached")
    assert decks(".film") == {"Our box"}
    page.evaluate("location.hash = 'rules'")
    page.wait_for_selector(".rules image")
    assert decks(".rules") == {""}
