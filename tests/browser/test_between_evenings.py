"""Between evenings in a real browser: a fair start, guests, who comes late and who leaves, the album."""

from __future__ import annotations

import math

import pytest

from companion.journal.round_pictures import RoundPictures
from tests.support.kept_evening import KeptEvening
from tests.support.stills.drawn_table import drawn, lying, straight_above, watched_round
from tests.support.tablet_in_chromium import Table, hold, quick, tap

pytestmark = pytest.mark.browser

FOUR = ("Ada", "Ben", "Cleo", "Dan")


def test_whoever_has_begun_least_is_offered_and_anybody_else_may_begin(table: Table) -> None:
    """At the end the same people go on with who has begun least; at set-up it is said quietly, one touch
    takes it, and touching somebody else overrides it."""
    evening = KeptEvening(past=()).begin(FOUR, daydreamer=0).play_round(1).do("next").do("end")
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector("button:has-text('Same people again'):has-text('Ben begins')")
    tap(page, "New table")
    page.click(".seat >> nth=1")
    page.wait_for_selector("h1:has-text('Ben begins')")
    tap(page, "Back")
    page.wait_for_selector("button:has-text('Ben begins')")
    tap(page, "Same people again")
    page.wait_for_selector(".phase-secret")
    board = evening.board
    assert board["players"][board["round"]["daydreamer"]]["name"] == "Ben"


TIP = """() => {
  const [, x, y] = document.querySelector('.handover .way').getAttribute('d').match(/ (-?[\\d.]+) (-?[\\d.]+)$/);
  return [Number(x), Number(y)];
}"""
SEATS = """() => [...document.querySelectorAll('.seats .seat')].map((seat) =>
  seat.style.transform.match(/-?[\\d.]+(?=px)/g).map(Number))"""


@pytest.mark.parametrize("leave", [1, 4])
def test_the_cards_are_shown_on_their_way_to_the_lookout_past_who_left(
    table: Table, leave: int
) -> None:
    """Those who left sit between the Daydreamer and the Lookout on the rim: the arrow goes on to the Lookout;
    the rules show how many cards those take who play."""
    names = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus")
    evening = KeptEvening(past=()).begin(names).play_round(1).do("next")
    evening.do("players", players=list(names[:1] + names[1 + leave :]), daydreamer=0)
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".handover")
    x, y = page.evaluate(TIP)
    nearest = min(range(len(names)), key=lambda at: math.dist((x, y), page.evaluate(SEATS)[at]))
    lookout = evening.board["round"]["lookout"]
    assert (nearest, evening.board["players"][lookout]["name"]) == (lookout, "Gus")
    page.evaluate("location.hash = 'rules'")
    page.wait_for_selector(".rules-sizes .ours")
    ours = page.locator(".rules-sizes .ours").all_inner_texts()
    assert ours[:2] == [str(7 - leave), str(evening.board["round"]["draw"])]


def test_a_screen_stays_before_the_person_it_lies_before(table: Table) -> None:
    """It lies before Dan; Ben leaves and comes back: Dan stays at its lower edge, and More says so."""
    evening = KeptEvening(past=()).begin(FOUR).play_round(1).do("next")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'more'")
    page.select_option("#side", label="Dan")
    for names in (("Ada", "Cleo", "Dan"), FOUR):
        evening.do("players", players=list(names), daydreamer=0)
        page.evaluate("location.hash = ''")
        page.wait_for_selector(".handover")
        at = [one["name"] for one in evening.board["players"]].index("Dan")
        page.wait_for_function(f"() => ({SEATS})()[{at}][1] > 400")
        page.evaluate("location.hash = 'more'")
        page.wait_for_selector("#side")
        assert page.eval_on_selector("#side", "node => node.selectedOptions[0].label") == "Dan"


def test_the_rules_at_set_up_are_those_of_the_table_being_set(table: Table) -> None:
    """After an evening by the English rules another table is set, by the German ones."""
    evening = KeptEvening(past=()).begin(FOUR).play_round(1).do("next").do("end")
    table.serve(evening)
    page = table.tablet()
    tap(page, "New table")
    page.select_option("select:has(option:text('German edition'))", label="German edition")
    page.evaluate("location.hash = 'rules'")
    page.wait_for_selector(".rules-sizes")
    assert "German edition" in page.inner_text("#app")
    assert "turned over where it lies" in page.inner_text(".pictured")


GAPS = """() => [...document.querySelectorAll('.fair-start bdi')].filter((name) => {
  const before = name.previousSibling;
  if (!before || before.nodeType !== 3 || !/\\S\\s+$/.test(before.data)) return false;
  const words = document.createRange();
  words.setStart(before, 0);
  words.setEnd(before, before.data.trimEnd().length);
  return name.getBoundingClientRect().left - words.getBoundingClientRect().right < 2;
}).map((name) => name.parentElement.textContent)"""
"""Names that stand against the word before them, though there is a space in the sentence."""


def test_a_quiet_line_at_set_up_says_who_has_begun_least(table: Table) -> None:
    """Only once three sit there and nobody was chosen; in three languages; a guest is never named."""
    evening = KeptEvening(past=())
    for first in (0, 1, 3):
        evening.begin(FOUR, daydreamer=first).play_round(1).do("next").do("end")
    evening.now_s += 9 * 3600
    evening.close_and_open()
    table.serve(evening)
    for locale, words in (
        ("en-GB", "Begun least so far: Cleo, 0 of 3 games"),
        ("de-DE", "Bisher am seltensten begonnen: Cleo, 0 von 3 Partien"),
        ("cs-CZ", "Cleo zatím začíná nejméně: 0× (her: 3)"),
    ):
        page = table.tablet(locale)
        page.click(".last-table .button")
        page.wait_for_selector(f".fair-start button:has-text('{words}')")
        assert page.evaluate(GAPS) == [], locale
    quick(page)
    page.click(".fair-start button")
    page.wait_for_selector("h1:has-text('Cleo')")
    assert page.locator(".fair-start").count() == 0


def test_who_has_begun_least_is_told_anew_when_a_game_is_deleted_elsewhere(table: Table) -> None:
    """At the end and at set-up, without the page being loaded anew; once two have begun as seldom nobody
    is offered in a line of their own."""
    evening = KeptEvening(past=())
    for first in (0, 1, 0):
        evening.begin(FOUR[:3], daydreamer=first).play_round(1).do("next").do("end")
    table.serve(evening)
    end, setting = table.tablet(), table.tablet()
    end.wait_for_selector("button:has-text('Same people again'):has-text('Cleo begins')")
    tap(setting, "New table")
    setting.wait_for_selector(".fair-start:has-text('Cleo, 0 of 3 games')")
    first, second, _ = sorted(one["number"] for one in evening.session.book.page()["evenings"])
    evening.session.book.act({"do": "delete", "evening": first}, None)
    setting.wait_for_selector(".fair-start:has-text('Cleo, 0 of 2 games')")
    evening.session.book.act({"do": "delete", "evening": second}, None)
    setting.wait_for_selector(".fair-start", state="detached")
    end.wait_for_selector("button:has-text('Same people again'):has-text('Ben begins')")


def test_a_guest_sits_down_with_one_touch(table: Table) -> None:
    """Guest, Guest 2; in each language its own word; the book knows none of them afterwards."""
    evening = KeptEvening(past=())
    table.serve(evening)
    for locale, chip, guest in (
        ("en-GB", "A guest", "Guest"),
        ("de-DE", "Ein Gast", "Gast"),
        ("cs-CZ", "Nějaký host", "Host"),
    ):
        page = table.tablet(locale)
        for _ in range(3):
            quick(page)
            page.click(f".chip:has-text('{chip}')")
        seats = page.locator(".seats .seat")
        labels = [seats.nth(at).get_attribute("aria-label") for at in range(seats.count())]
        assert [label.split(": ")[1] for label in labels] == [guest, f"{guest} 2", f"{guest} 3"]
        page.context.close()
        table.contexts.clear()


def test_who_leaves_and_who_comes_late_is_said_before_and_after(table: Table) -> None:
    """The seats' page says what will follow for clouds and rounds; the ledger says from which round on
    it was so, beside the right people's points."""
    evening = KeptEvening(past=()).begin(FOUR).play_round(2).do("next")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'seats'")
    page.click("button[aria-label='Ben leaves']")
    gone = "Ben leaves; clouds already won stay won and count at the end."
    assert page.text_content("#say") == gone
    page.fill("input[name=late]", "Eva")
    tap(page, "Add")
    tap(page, "A guest")
    came = "Eva, Guest play from round 2 on, with no cloud yet."
    assert page.text_content("#say") == f"{came} {gone}"
    page.click("button[aria-label='Guest: one seat back']")
    assert page.text_content("#say") == "Seat 4: Guest"
    told = page.inner_text(".what-follows")
    assert "Guest and Eva play from round 2 on" in told
    assert "Ben leaves; clouds already won stay won" in told
    assert "5 at the table: 5 clouds a round. The deck lasts for 14 more rounds." in told
    hold(page, "button:has-text('from round 2')")
    page.wait_for_selector(".what-follows", state="detached")
    came = "Guest, Eva play from round 2 on, with no cloud yet."
    page.wait_for_selector(f"#say:text-is('Entered. {came} {gone}')", state="attached")
    evening.play_round(1).do("next")
    page.evaluate("location.hash = 'ledger'")
    page.wait_for_selector(".who-came")
    line = page.inner_text(".who-came")
    assert "Guest and Eva joined with round 2." in line
    assert (
        "Ben left before round 2 and keeps every cloud won. 5 at the table: 5 clouds a round."
        in line
    )
    people = [one["name"] for one in evening.board["players"]]
    assert people[-1] == "Ben"
    page.click("button[aria-label*=' 1:']")
    first = page.locator(".opened .guess").all_inner_texts()
    assert len(first) == 3
    guessers = [people[guess["seat"]] for guess in evening.board["rounds"][0]["guesses"]]
    assert guessers == ["Ben", "Cleo", "Ben"]
    for said, name in zip(first, guessers, strict=True):
        assert name in said


def test_who_comes_back_is_known_however_the_name_is_typed(table: Table) -> None:
    """Ben left with clouds: "ben" is he, and plays with them."""
    evening = KeptEvening(past=()).begin(FOUR).play_round(0).do("next")
    winner = next(one["name"] for one in evening.board["players"] if one["cards"])
    rest = [name for name in FOUR if name != winner]
    evening.do("players", players=rest).play_round(1).do("next")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'seats'")
    page.fill("input[name=late]", winner.lower())
    tap(page, "Add")
    page.wait_for_selector(f".what-follows:has-text('{winner} plays again from round 3 on')")


def test_pictures_are_switched_on_and_shown_in_the_album(table: Table) -> None:
    """Off by default; while it is on every screen says so; the evening's album shows them beside the
    skies, and the page says how much lies there and deletes it."""
    evening = watched_round(KeptEvening(past=()))
    evening.session.stills.switch(False)
    table.serve(evening)
    page = table.tablet()
    assert page.locator(".kept-mark").count() == 0
    page.evaluate("location.hash = 'kept'")
    page.wait_for_selector(".kept-there:has-text('No picture lies here.')")
    tap(page, "On")
    page.evaluate("location.hash = ''")
    page.wait_for_selector(".kept-mark")
    evening.now_s += 1
    glimpse = lying(evening, evening.now_s)
    bare = type(glimpse)(glimpse.t_s, places=glimpse.places, table=glimpse.table)
    evening.session.pictures.keep_picture(bare, drawn(bare), straight_above(), evening.now_s)
    evening.do("right", card=evening.lying[0]).do("next").do("end")
    page.evaluate("location.hash = 'evenings'")
    page.click(".book-evening >> nth=0")
    quick(page)
    page.click("button:has-text('Album')")
    photo = page.wait_for_selector(".album-photo")
    assert photo.evaluate("image => image.decode().then(() => image.naturalWidth)") > 400
    assert page.locator(".album-round").count() == len(evening.board["rounds"])
    page.evaluate("location.hash = 'kept'")
    page.wait_for_selector(".kept-there:has-text('1 picture lies here')")
    hold(page, "button:has-text('Hold to delete all pictures')")
    page.wait_for_selector(".kept-there:has-text('No picture lies here.')")
    store: RoundPictures = evening.session.pictures.store
    assert store.kept().pictures == 0
    with page.expect_response("**/api/pictures"):
        page.select_option("#kept-days", "30")
    assert store.days == 30


def test_the_second_game_of_a_night_leads_to_the_first(table: Table) -> None:
    """Both say so in the book; an opened one has everybody's clouds of the whole night."""
    evening = KeptEvening(past=())
    for _ in range(2):
        evening.begin(FOUR).play_round(1).do("next").play_round(0).do("next").do("end")
    table.serve(evening)
    page = table.tablet("de-DE")
    page.evaluate("location.hash = 'evenings'")
    page.wait_for_selector(".book-evening:has-text('Partie 2 von 2')")
    page.click(".book-evening >> nth=0")
    page.wait_for_selector("h2:has-text('Der ganze Abend: 2 Partien')")
    page.click("button:has-text('Zu Partie 1')")
    page.wait_for_selector(".sheet-head:has-text('Partie 1 von 2')")


def test_a_late_comers_name_counts_as_soon_as_it_is_typed(table: Table) -> None:
    """Not added, only typed: what follows is said at once, and the steady finger enters it; another
    evening finds nothing of what was left in the field."""
    evening = KeptEvening(past=()).begin(FOUR)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'seats'")
    page.fill("input[name=late]", "Eva")
    page.wait_for_selector(".what-follows:has-text('Eva plays from round 1 on')")
    hold(page, "button:has-text('from round 1')")
    page.wait_for_selector(".what-follows", state="detached")
    assert [one["name"] for one in evening.board["players"]] == [*FOUR, "Eva"]
    page.fill("input[name=late]", "Flo")
    page.wait_for_selector(".what-follows")
    evening.begin(FOUR)
    page.wait_for_selector(".what-follows", state="detached")
    assert page.input_value("input[name=late]") == ""


def circle(evening: KeptEvening) -> list[str]:
    """Who sits from the next round on."""
    board = evening.board
    return [board["players"][place]["name"] for place in board["next"]["circle"]]


def test_the_seats_show_who_will_sit_and_changes_build_on_it(table: Table) -> None:
    """While people guess: who was entered as leaving is in the list no more, and it says so; who comes is
    in it; the next change, and another Daydreamer, cancel neither; and who was taken out can stay."""
    evening = KeptEvening(past=()).begin((*FOUR, "Ida", "Konstantin")).play_round(1).do("next")
    evening.do("laid")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'seats'")
    page.click("button[aria-label='Ida leaves']")
    hold(page, "button:has-text('from round 3')")
    page.wait_for_selector("button:has-text('from round 3')", state="detached")
    assert page.locator(".seat-list .who:text-is('Ida')").count() == 0
    assert "Ida leaves" in page.inner_text(".what-follows")
    page.fill("input[name=late]", "Nora")
    hold(page, "button:has-text('from round 3')")
    page.wait_for_selector(".seat-list .who:text-is('Nora')")
    page.wait_for_selector("button:has-text('from round 3')", state="detached")
    page.click("button[aria-label='Konstantin leaves']")
    hold(page, "button:has-text('from round 3')")
    page.wait_for_selector("button:has-text('from round 3')", state="detached")
    assert circle(evening) == [*FOUR, "Nora"]
    assert "Ida and Konstantin leave" in page.inner_text(".what-follows")
    page.evaluate("location.hash = 'ledger'")
    tap(page, "Someone else daydreams")
    page.select_option("#mend-dreams", label="Nora")
    hold(page, ".insert-form .hold")
    page.wait_for_selector(".insert-form", state="detached")
    assert circle(evening) == [*FOUR, "Nora"]
    page.evaluate("location.hash = 'seats'")
    page.fill("input[name=late]", "Ida")
    page.wait_for_selector(".what-follows:has-text('Ida stays after all')")


def test_an_older_list_of_seats_never_wins(table: Table) -> None:
    """Someone was moved up and down again, which is no change: others' change is shown at once. A change
    that was begun is dropped, aloud, when others change who sits."""
    evening = KeptEvening(past=()).begin(FOUR)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'seats'")
    page.click("button[aria-label='Ben: one seat on']")
    page.click("button[aria-label='Ben: one seat back']")
    page.wait_for_selector("button:has-text('from round 3')", state="detached")
    evening.do("players", players=[*FOUR, "Eva"])
    page.wait_for_selector(".seat-list .who:text-is('Eva')")
    assert page.locator(".toast").count() == 0
    page.click("button[aria-label='Ben leaves']")
    page.wait_for_selector(".what-follows:has-text('Ben leaves')")
    evening.do("players", players=[*FOUR, "Eva", "Flo"])
    page.wait_for_selector(".toast:has-text('Someone was quicker')")
    page.wait_for_selector(".seat-list .who:text-is('Flo')")
    assert page.locator(".seat-list .who:text-is('Ben')").count() == 1
    assert page.locator("button:has-text('from round 3')").count() == 0
