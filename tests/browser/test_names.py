"""Languages, names and sizes in a real browser: nothing is cut off, a name stays a name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.kept_evening import LONG, NAMES, KeptEvening, played
from tests.support.tablet_in_chromium import Table, still, struck, tap
from tests.support.tablet_states import LOOKS, asked_before, stand

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("locale", "words"), [("en-GB", "guesses"), ("de-DE", "rät"), ("cs-CZ", "hádá")]
)
def test_each_screen_speaks_its_own_language(table: Table, locale: str, words: str) -> None:
    """The browser's language is taken; another can be chosen without a reload, for this screen
    only."""
    table.serve(played())
    page = table.tablet(locale)
    assert page.inner_text(".verb") == words
    page.evaluate("location.hash = 'more'")
    page.click("button[lang=cs]")
    page.wait_for_selector("html[lang=cs]", state="attached")


def test_czech_numbers_take_the_preposition_they_are_spoken_with(table: Table) -> None:
    """ "Kolo 5 ze 13", "Pokus 3 ze 4", but "z 5" and "z 10"."""
    table.serve(played())
    page = table.tablet("cs-CZ")
    assert "Kolo 5 ze 13" in page.inner_text(".where")
    assert page.inner_text(".pips .words") == "Pokus 3 ze 4"
    said = page.evaluate("""import('/static/core/words.js').then((words) => [2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 18, 20, 80].map(
      (n) => words.spoken('cs', 'Kolo 1 z ' + n).split(' ')[2]))""")
    assert said == [
        "ze",
        "ze",
        "ze",
        "z",
        "ze",
        "ze",
        "z",
        "z",
        "z",
        "ze",
        "ze",
        "ze",
        "z",
        "ze",
        "z",
    ]


def test_numbers_are_written_as_the_language_writes_them(table: Table) -> None:
    """Thousands stand apart, and no line ends in a number; what is less than one has its own mark."""
    table.serve(played())
    for locale, said in (
        ("en-GB", ["7", "999", "4,184", "1,234,567", "2.1", "-5,000", "Ada 5"]),
        ("de-DE", ["7", "999", "4.184", "1.234.567", "2,1", "-5.000", "Ada 5"]),
        ("cs-CZ", ["7", "999", "4\u00a0184", "1\u00a0234\u00a0567", "2,1", "-5\u00a0000", "Ada 5"]),
    ):
        page = table.tablet(locale)
        written = page.evaluate("""import('/static/core/words.js').then(({ written }) =>
          [7, 999, 4184, 1234567, 2.1, -5000, 'Ada 5'].map(written))""")
        assert written == said
        shown = page.evaluate("""import('/static/core/words.js').then(({ t, say }) =>
          [t('book.rounds', { n: 4184 }), say('book.rounds', { n: 4184 }).join('')])""")
        assert all(one.startswith(said[2] + " ") for one in shown)


NASTY = (
    "<script>alert(1)</script>",
    "نور الدين",
    "👩‍👩‍👧 Tři",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A",
    "=1+2",
    "x" * 40,
    "‮evil",
    "Jo",
)


def test_nasty_names_stay_names_on_every_page(table: Table) -> None:
    """Markup, right-to-left, emoji, stacked marks and 40 letters: shown as text, nothing leaves the
    page, no script runs."""
    evening = played(NASTY, 2, 1)
    table.serve(evening)
    page = table.tablet()
    for where in ("", "ledger", "more", "rules"):
        page.evaluate(f"location.hash = '{where}'")
        still(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), where
    page.evaluate("location.hash = ''")
    evening.finish()
    page.wait_for_selector(".phase-over")
    assert page.locator("#app script").count() == 0


HOSTILE = (
    "__proto__", "constructor", "<img src=x onerror=alert(1)>", "${7*7}{{7*7}}", "\"'`;--", "Ďáblice\u200dŽ",
    "\U0001f3f4\U000e0067\U000e0062\U000e007f", "%s%n%00&lt;",
)  # fmt: skip
PAGES = ("", "ledger", "more", "evening", "seats", "evenings", "rules", "privacy", "recording", "camera", "screens", "print",
         "piles", "pictures", "deck", "expert", "__proto__", "constructor", "<b>", "%00")  # fmt: skip


def test_no_name_breaks_a_script_on_any_page_in_any_phase(table: Table) -> None:
    """Names that language and markup know, eight of them: every page, in each phase of an evening, on a
    screen that keeps the score; one of them goes in mid-round. A script error fails it at its end."""
    evening = played(HOSTILE, 1, 1)
    table.serve(evening)
    page = table.tablet()
    for act in ("", "leave", "end"):
        if act == "leave":
            evening.do("players", players=list(HOSTILE[:5]))
        elif act == "end":
            evening.finish()
        for where in PAGES:
            page.evaluate("where => { location.hash = where; }", where)
            still(page)
            assert page.locator(".page").count() == 1, (act, where)
    assert page.locator("#app script, #app img[onerror]").count() == 0


def test_a_player_may_be_called_like_a_part_of_the_language(table: Table) -> None:
    """Names that JavaScript's own objects have: each has a shape, and no script fails."""
    table.serve(played(("__proto__", "constructor", "toString", "Jo"), 1, 1))
    page = table.tablet()
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    for where in ("ledger", "players", ""):
        page.evaluate(f"location.hash = '{where}'")
        still(page)
    shapes = page.evaluate("""import('/static/parts/people.js').then(({ signsAt }) =>
      signsAt(['__proto__', 'constructor', 'toString', 'Jo'], []))""")
    assert len(set(shapes)) == 4
    assert all(isinstance(shape, int) for shape in shapes)
    assert failed == []


ALIKE = (
    "Anne-Sophie-Charlotte",
    "Anne-Sophie-Chantal",
    "Ben",
    "Bea",
    "Bert",
    "Jo",
    "Karl",
    "Karla",
)


def test_names_that_begin_alike_are_told_apart_everywhere(table: Table) -> None:
    """Two Anne-Sophies, Ben, Bea and Bert: no two badges are the same; in the set-up's ring, the
    standings and Undo each shows, on a tablet and on a phone, what the other has not."""
    evening = played(ALIKE, 1, 1)
    table.serve(evening)
    page = table.tablet("de-DE", reduced_motion="reduce")
    for width, height in (SIZES["tablet"], SIZES["phone"]):
        page.set_viewport_size({"width": width, "height": height})
        badges = [one.strip() for one in page.locator(".seats .initial").all_text_contents()]
        assert len(set(badges)) == 8, badges
        cut = page.eval_on_selector_all(
            ".cuts .alike",
            """names => names.filter((name) => name.offsetWidth &&
              name.children[1].getBoundingClientRect().right > name.getBoundingClientRect().right + 1).map((name) => name.innerText)""",
        )
        assert cut == []
        framed = page.eval_on_selector_all(
            ".name.alike", "names => names.map((name) => getComputedStyle(name).borderTopWidth)"
        )
        assert framed
        assert set(framed) == {"0px"}
    evening.finish()
    page.click("text=Neuer Tisch")
    shown = [one.strip() for one in page.locator(".sky-words .strong").all_text_contents()]
    others = [one for one in shown if not one.startswith("Anne-S")]
    assert len(set(others)) == len(others) == 8, shown
    assert any("rlotte" in one for one in shown), shown
    assert any("ntal" in one for one in shown), shown


THIRTEEN = (
    "Bartholomaeus", "Maximilianowa", "Wilhelmina Ro", "Konstantinopo", "Anne-Sophie B", "Przemyslawaaa", "Hannelore Mai",
    "Friederike Wo",
)  # fmt: skip
WIDE = tuple("W" * 13 + letter for letter in "abcdefgh")
RING = """([names, first]) => import('/static/set_up/ring.js').then(({ ring }) => { ring.set({ names, came: names, first });
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); }).then(() => {
  const unit = document.querySelector('.window-box svg').getBoundingClientRect().width / 1000;
  const ink = (node, above, below) => { const r = node.getBoundingClientRect();
    return { words: node.textContent.trim(), left: r.left, right: r.right, top: r.top + above * r.height, bottom: r.bottom - below * r.height }; };
  const words = [...document.querySelectorAll('svg text.on-sky')].map((node) => ink(node, 0.17, 0.14));
  const seats = [...document.querySelectorAll('.seat .shape')].map((node) => ink(node, 0, 0));
  const touch = (a, b) => a !== b && a.left - b.right < 12 * unit && b.left - a.right < 12 * unit && a.top < b.bottom && b.top < a.bottom;
  return words.flatMap((one) => words.concat(seats).filter((other) => touch(one, other)).map((other) => one.words + ' | ' + other.words)); })"""


@pytest.mark.parametrize("language", ["en", "de", "cs"])
def test_no_name_in_the_ring_touches_another(table: Table, language: str) -> None:
    """Three to eight people with names of thirteen letters, with long ones, with names that begin alike and
    with the widest letters: each stands clear of the others, of the question and of the seats, on a tablet and the oldest phone."""
    table.serve(KeptEvening(past=()))
    page = table.tablet(reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.evaluate(
        "one => import('/static/core/words.js').then((words) => words.loadLanguage(one))", language
    )
    touching = {}
    for size in (SIZES["oldest phone"], SIZES["tablet"], (1024, 768)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for names in (THIRTEEN, LONG, ALIKE, WIDE):
            for count in range(3, 9):
                for first in (None, names[0]):
                    ring = [names[:count], first]
                    touching[size, names[:count], first] = page.evaluate(RING, ring)
    assert {where: words for where, words in touching.items() if words} == {}


COVERED = """names => import('/static/set_up/ring.js').then(({ ring }) => { ring.set({ names, came: names, first: null });
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); }).then(() => {
  const on_top = (node) => { const r = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)); };
  const asks = [...document.querySelectorAll('.recording-question button')];
  const seats = [...document.querySelectorAll('.seat')];
  return [seats.length, asks.length, [...seats, ...asks].filter((one) => !on_top(one)).map((one) => one.textContent)]; })"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_whether_to_record_is_asked_beside_no_seat(table: Table, locale: str) -> None:
    """The question lies in the middle of the window: all eight seats can be touched meanwhile, and its
    answers, at every size. It covered whoever sat at the bottom."""
    evening = KeptEvening(NAMES).watched()
    table.serve(evening)
    evening.session.recording.ask_people()
    page = table.tablet(locale, reduced_motion="reduce")
    page.wait_for_selector(".recording-question")
    page.evaluate("document.fonts.ready.then(() => 1)")
    told = {}
    for size, (width, height) in (SIZES | ON_ITS_SIDE).items():
        page.set_viewport_size({"width": width, "height": height})
        told[size] = page.evaluate(COVERED, list(NAMES))
    assert told == {size: [8, 3, []] for size in told}


SIZES = {
    "tablet": (1280, 800), "upright": (800, 1280), "four to three": (1080, 810), "upright, four to three": (810, 1080),
    "phone": (390, 844), "old phone": (360, 640), "oldest phone": (320, 568), "laptop": (1366, 768), "tv": (1920, 1080),
}  # fmt: skip
ON_ITS_SIDE = {"phone on its side": (844, 390)}
"""Where the foot stays in reach and the rest may be scrolled."""
PHONES = ("oldest phone", "old phone", "phone", "phone on its side")

WRONG = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
  const bad = [];
  if (document.documentElement.scrollWidth > innerWidth + 1) bad.push('page wider');
  const c = document.querySelector('.column');
  if (c && getComputedStyle(c).overflowY === 'auto' && c.scrollHeight > c.clientHeight + 2) bad.push('column overflows');
  document.querySelectorAll('#app button, #app select, #app a').forEach((e) => {
    const r = e.getBoundingClientRect();
    if (r.width && (r.height < 47.5 || r.width < 47.5)) bad.push('small: ' + e.textContent);
    if (r.right > innerWidth + 1) bad.push('off the page: ' + e.textContent);
  });
  document.querySelectorAll('#app .column *').forEach((e) => {
    const size = parseFloat(getComputedStyle(e).fontSize);
    if (!e.closest('svg') && e.firstChild && e.firstChild.nodeType === 3 && size < 17.9) bad.push('tiny: ' + e.textContent);
  });
  return bad; })"""


def test_nothing_is_cut_off_at_any_size(table: Table) -> None:
    """From the oldest phone to a TV, in the longest language, in every state: nothing wider than
    the page, no text under 18 px, no target under 48 px; beside the window the column never needs
    to be scrolled."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet("de-DE", reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    found = {}
    for name in LOOKS:
        stand(page, evening, name)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            found[name, size] = page.evaluate(WRONG)
    assert {where: wrong for where, wrong in found.items() if wrong} == {}


def test_the_name_is_the_last_to_shrink(table: Table) -> None:
    """Whoever guesses is read from three metres: with eight long names at the table, by camera and
    by touch, the name has two lines of 68 px rather than one small one; verb and cloud name are
    smaller than it at every size."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet("de-DE", reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    px = "node => parseFloat(getComputedStyle(node).fontSize)"
    for name in ("eight", "guessing, mixed", "camera lost"):
        stand(page, evening, name)
        for width, height in (SIZES | ON_ITS_SIDE).values():
            page.set_viewport_size({"width": width, "height": height})
            still(page)
            sizes = [
                page.eval_on_selector(f".column {one}", px)
                for one in (".who", ".verb", ".cloud-name")
            ]
            assert sizes[0] == max(sizes), (name, width)
            if (width, height) == (1280, 800):
                assert sizes[0] >= 68, name


CUT_LABELS = """() => [...document.querySelectorAll('.buttons .undo *, .hand-row .answer .main, .first *')].filter((node) => {
  const whole = node.offsetWidth && getComputedStyle(node).display !== 'inline' && !node.closest('.cuts, svg');
  return whole && !node.querySelector('.cuts') && node.scrollWidth > node.clientWidth + 1;
}).map((node) => node.innerText + ' ' + node.scrollWidth + ' > ' + node.clientWidth)"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "cs-CZ"])
def test_no_word_on_undo_or_an_answer_is_cut(table: Table, locale: str) -> None:
    """On narrow screens, upright and lying: after the same people began again, and where a guess is
    answered by touch. Only people's names may be shortened there."""
    evening = played(wrong=0).finish()
    table.serve(evening)
    page = table.tablet(locale, (320, 568), reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    cut = {}
    for step in ("rematch", "laid"):
        evening.do(step)
        page.wait_for_selector(".phase-secret" if step == "rematch" else ".phase-guessing")
        for size in ((320, 568), (360, 640), (390, 844), (568, 320), (800, 600)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            still(page)
            cut[step, size] = page.evaluate(CUT_LABELS)
    assert {where: words for where, words in cut.items() if words} == {}


def test_what_moves_the_game_on_is_always_in_reach_on_a_phone(table: Table) -> None:
    """Without scrolling: the two answers of a guess, the one big button, undo; with eight long
    names, too; on every phone, upright and on its side."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    phones = {size: (SIZES | ON_ITS_SIDE)[size] for size in PHONES}
    page = table.tablet("de-DE", phones["phone"], reduced_motion="reduce")
    answers, first = ".hand-row .answer", ".first .button"
    for name, wanted in (("by hand", answers), ("camera lost", answers), ("secret, by hand", first),
                         ("result, eight", first), ("eight", ".undo"), ("over", ".first .primary")):  # fmt: skip
        stand(page, evening, name)
        for size, (width, height) in phones.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            still(page)
            assert page.locator(wanted).count(), (name, size)
            for button in page.locator(wanted).all():
                box = button.bounding_box()
                middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
                assert button.evaluate(
                    "(node, [x, y]) => node.contains(document.elementFromPoint(x, y))", middle
                ), (name, size, box)


def test_a_typed_name_is_kept_without_keep(table: Table) -> None:
    """Who types a cloud's name and taps Right has named it all the same; nothing is left in the field
    for the next person."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().do("laid")
    page = table.tablet()
    page.click("text=Write down its name")
    page.fill("#words", "sleepy whale")
    tap(page, "Right")
    page.wait_for_selector(".phase-result")
    page.wait_for_selector(".cloud-name:has-text('sleepy whale')")
    assert evening.board["rounds"][0]["name"] == "sleepy whale"


def test_a_typed_name_outlives_the_next_tap(table: Table) -> None:
    """Right, and Undo at once: the name is kept all the same."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().do("laid")
    page = table.tablet()
    page.click("text=Write down its name")
    page.fill("#words", "shy heron")
    tap(page, "Right")
    tap(page, "Undo")
    for _ in range(600):
        if evening.board["rounds"] and evening.board["rounds"][0].get("name") == "shy heron":
            return
        page.wait_for_timeout(50)
    raise AssertionError(evening.board["rounds"])


def test_a_name_half_typed_stays_while_others_tap_and_the_camera_enters(table: Table) -> None:
    """Another screen enters a guess, a right one, and goes on: the field stays open with what was typed and
    says which round it is for; when the round after that one begins the name has gone to its own."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().do("laid")
    page = table.tablet()
    page.click("text=Write down its name")
    page.fill("#words", "shy her")
    evening.do("wrong")
    struck(page, 1)
    assert page.input_value("#words") == "shy her"
    assert evening.board["round"].get("name") is None
    page.type("#words", "on")
    evening.do("right").do("next").do("laid")
    page.wait_for_selector(".name-form label:has-text('Round 1:')")
    assert page.input_value("#words") == "shy heron"
    evening.do("right").do("next")
    page.wait_for_selector("#words", state="detached")
    named(page, evening, 1, "shy heron")
    assert evening.board["rounds"][1]["name"] is None


def named(page: Any, evening: KeptEvening, number: int, name: str) -> None:
    """Wait until that round is called so."""
    for _ in range(600):
        if evening.board["rounds"][number - 1]["name"] == name:
            return
        page.wait_for_timeout(50)
    raise AssertionError(evening.board["rounds"][number - 1])


def test_a_name_is_typed_to_its_end_whoever_goes_on(table: Table) -> None:
    """On the result, while another tablet goes on: the field keeps its text and the fingers, and the whole
    name is the round's for which it was begun; at the evening's end, too."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().do("laid").do("right")
    page = table.tablet()
    tap(page, "Write down its name")
    page.wait_for_selector("#words")
    page.keyboard.type("a horse wi")
    evening.do("next")
    page.wait_for_selector(".phase-secret")
    page.keyboard.type("th wi")
    evening.do("end")
    page.wait_for_selector(".phase-over")
    page.keyboard.type("ngs")
    page.keyboard.press("Enter")
    page.wait_for_selector("#words", state="detached")
    named(page, evening, 1, "a horse with wings")


def test_a_name_that_is_too_long_stays_in_its_field(table: Table) -> None:
    """Six words and "Next round": that is said, and the field is still there with all of them; made
    shorter, it is the name of its own round."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().do("laid").do("right")
    page = table.tablet()
    tap(page, "Write down its name")
    page.fill("#words", "one two three four five six")
    tap(page, "Next round")
    page.wait_for_selector(".phase-secret .toast:has-text('five words at most')")
    assert page.input_value("#words") == "one two three four five six"
    page.fill("#words", "one two three four five")
    tap(page, "All cards lie open")
    page.wait_for_selector("#words", state="detached")
    named(page, evening, 1, "one two three four five")
    assert evening.board["round"]["name"] is None


def test_a_name_typed_in_the_ledger_counts_when_another_round_is_opened(table: Table) -> None:
    """As at the table; one that is too long keeps its round open."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().play_round(0).do("next").play_round(0)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 1:']")
    tap(page, "Write down its name")
    page.fill("#words", "one two three four five six")
    page.click("button[aria-label^='Round 2:']")
    page.wait_for_selector(".toast:has-text('five words at most')")
    assert page.input_value("#words") == "one two three four five six"
    page.fill("#words", "a cat in the rain")
    page.click("button[aria-label^='Round 2:']")
    page.wait_for_selector("button[aria-label^='Round 2:'][aria-expanded=true]")
    named(page, evening, 1, "a cat in the rain")
    assert page.locator("#words").count() == 0


def test_the_ledger_names_the_round_it_shows(table: Table) -> None:
    """A name half typed at the table and not kept does not open a field in the ledger, nor the other
    way round; what is kept there is the round's that stands open."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().play_round(0).do("next").do("laid")
    page = table.tablet()
    page.click("text=Write down its name")
    page.fill("#words", "half a")
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 1:']")
    page.wait_for_selector(".round.open")
    assert page.locator("#words").count() == 0
    tap(page, "Write down its name")
    assert page.input_value("#words") == ""
    page.fill("#words", "a cat in the rain")
    page.keyboard.press("Enter")
    page.wait_for_selector(".round.open .cloud-name:has-text('a cat')")
    assert evening.board["rounds"][0]["name"] == "a cat in the rain"
    assert not evening.board["round"].get("name")


OUT_OF_REACH = """() => {
  const reached = (node) => { const r = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)); };
  const bad = [...document.querySelectorAll('.question .answer, .buttons .button')].filter((node) => !reached(node));
  const asked = document.querySelector('.question h1');
  const card = document.querySelector('.question').getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(asked);
  if (words.getBoundingClientRect().right > card.right - 8) bad.push(asked);
  return bad.map((node) => node.innerText || node.getAttribute('aria-label')); }"""


def test_a_question_stands_whole_with_its_answers_and_the_foot_in_reach(table: Table) -> None:
    """On small screens, lying and upright: the question's words within its card, and without scrolling both
    answers, undo, the ledger and more."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet("de-DE", reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    stand(page, evening, "question, practice")
    found = {}
    for size in ((800, 600), (1024, 768), (844, 390), (320, 640)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        still(page)
        found[size] = page.evaluate(OUT_OF_REACH)
    assert {size: bad for size, bad in found.items() if bad} == {}


def test_a_question_about_an_earlier_round_stands_whole_too(table: Table) -> None:
    """Its clouds stand in a line above the answers, and "later" is in reach as well."""
    table.serve(asked_before(KeptEvening()))
    page = table.tablet("de-DE", reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.click(".waits button")
    page.wait_for_selector(".question.earlier .asked-clouds")
    reach = OUT_OF_REACH.replace(".question .answer", ".question .answer, .question .text-button")
    found = {}
    for size in ((844, 390), (667, 375), (320, 568), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        still(page)
        found[size] = page.evaluate(reach)
    assert {size: bad for size, bad in found.items() if bad} == {}


def test_undo_says_what_it_undoes_beside_a_long_name(table: Table) -> None:
    """With eight long names the name is shortened on Undo, never what is taken back."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    page = table.tablet(reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    stand(page, evening, "eight")
    page.wait_for_selector(".undo .what:has-text('wrong')")
    still(page)
    room = """node => node.closest('.label').getBoundingClientRect().right + 1
      - node.getBoundingClientRect().right"""
    assert page.locator(".undo .what").evaluate(room) >= 0


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("look", ["guessing", "by hand"])
def test_on_a_phone_the_name_takes_the_room_that_there_is(
    table: Table, look: str, locale: str
) -> None:
    """Also where the page is squeezed for it: the next larger step would push the page's end out of view."""
    evening = KeptEvening()
    table.serve(evening)
    page = table.tablet(locale, size=(390, 844), reduced_motion="reduce")
    stand(page, evening, look)
    still(page)
    assert page.evaluate("document.documentElement.scrollHeight") == 844
    larger = page.evaluate("""() => {
      const name = document.querySelector('.who');
      const steps = name.dataset.steps.split(' ').map((step) => step * (step > 5 ? 0.62 : 0.66));
      const taken = parseFloat(name.style.fontSize);
      const next = steps.filter((step) => step > taken + 0.01).pop();
      if (!next) return true;
      name.style.fontSize = `${next}rem`;
      return document.documentElement.scrollHeight > 844 || name.scrollWidth > name.clientWidth + 1;
    }""")
    assert larger


OVERLAPPING = """() => {
  const shown = [...document.querySelectorAll('.column button, .column input')].filter((node) => node.offsetWidth);
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return shown.flatMap((one, at) => shown.slice(at + 1)
    .filter((other) => over(one.getBoundingClientRect(), other.getBoundingClientRect()))
    .map((other) => (one.innerText || one.id) + ' | ' + other.innerText)); }"""


def test_nothing_lies_over_a_name_that_is_typed_on_a_phone_on_its_side(table: Table) -> None:
    """While a guess is kept by touch, and on the result: the field, what keeps the name and what leaves it
    out stand clear of the game's own buttons."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().do("laid")
    page = table.tablet("de-DE", reduced_motion="reduce")
    page.evaluate("document.fonts.ready.then(() => 1)")
    page.click(".text-button:has-text('Namen')")
    found = {}
    for step in ("laid", "right"):
        if step == "right":
            evening.do(step)
            page.wait_for_selector(".phase-result")
        for size in ((844, 390), (740, 360), (667, 375), (568, 320)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.wait_for_selector(".name-form #words")
            still(page)
            found[step, size] = page.evaluate(OVERLAPPING)
    assert {where: words for where, words in found.items() if words} == {}
