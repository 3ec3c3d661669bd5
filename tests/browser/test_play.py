"""Play by touch in a real browser: rounds, whole games, undo, questions, names of clouds."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Route

from companion.capture.jpeg import encode_jpeg
from companion.web import Rule
from tests.support.kept_evening import NAMES, KeptEvening, played
from tests.support.tablet_in_chromium import COUNT, Table, hold, quick, struck, tap
from tests.support.tablet_states import asked, asked_before, short

pytestmark = pytest.mark.browser


def test_a_round_by_touch_takes_one_tap_more_than_its_guesses(table: Table) -> None:
    """Two wrong guesses and a right one: four taps from the deal to the next round, which comes by
    itself."""
    table.serve(played(phase="secret"))
    page = table.tablet(reduced_motion="reduce")
    page.clock.install()
    page.evaluate(COUNT)
    number = table.evening.board["round"]["number"]
    for words, shown in (
        ("All cards lie open", ".phase-guessing"),
        ("Wrong", ".pips .past"),
        ("Wrong", ".pips .past + .past"),
    ):
        page.clock.run_for(700)
        tap(page, words)
        page.wait_for_selector(shown)
    page.clock.run_for(700)
    tap(page, "Right")
    page.wait_for_selector(".phase-result")
    for _ in range(20):
        page.clock.run_for(1000)
        if page.locator(".phase-secret").is_visible():
            break
    page.wait_for_selector(".phase-secret")
    assert table.evening.board["round"]["number"] == number + 1
    assert page.evaluate("window.taps") == 3 + 1


def test_a_whole_game_is_kept_by_touch(table: Table) -> None:
    """Three people, 12 cards, three rounds, nothing but taps: laid, wrong or right; the last one's result
    is shown as every other, and then, without a tap, the winners' names stand there."""
    evening = KeptEvening(NAMES)
    evening.begin(("Ben", "Ida", "Mia"), deck_size=12)
    table.serve(evening)
    page = table.tablet(reduced_motion="reduce")
    for number in range(3):
        page.wait_for_selector(".phase-secret")
        tap(page, "All cards lie open")
        page.wait_for_selector(".phase-guessing")
        if number % 2:
            tap(page, "Wrong")
            struck(page, 1)
        tap(page, "Right")
        page.wait_for_selector(".phase-result h1:has-text('+')")
        tap(page, "Next round") if number < 2 else page.wait_for_selector("text=To the end")
    page.wait_for_selector(".phase-over")
    winners = [evening.board["players"][seat]["name"] for seat in evening.board["winners"]]
    assert all(name in page.inner_text("h1") for name in winners)
    assert sum(p["cards"] for p in evening.board["players"]) == 12
    assert page.locator(".cloud.won").count() == 12


CAMERA_SEES = """([guesses, attempt, turn]) => import('/static/core/evening.js').then((page) => {
  const { board } = page.evening.get();
  const seen = { seat: board.round.turn, card: null, right: false, source: 'camera', at_s: 0 };
  const round = Object.assign({}, board.round, { attempt, turn, guesses: Array(guesses).fill(seen) });
  page.receiveScoreboard(Object.assign({}, board, { round }));
  return document.querySelector('.turn .who').textContent;
})"""


def test_what_the_camera_takes_back_at_once_is_not_shown(table: Table) -> None:
    """A wrong guess that the camera has seen calls up the next person a moment later, and nobody where it was
    taken back meanwhile; a tap about the guess before it is not entered for the next one."""
    table.serve(played(wrong=0))
    page = table.tablet(reduced_motion="reduce")
    for way in ("stream", "scoreboard"):  # what the table says itself is not asked for again
        page.route(f"**/api/{way}*", lambda route: route.abort())
    page.clock.install(time=0)
    page.clock.pause_at(60)
    now = table.evening.board["round"]
    first, second = (
        [p["name"] for p in table.evening.board["players"]][s] for s in now["spectators"][:2]
    )
    quiet, seen = [0, 1, now["turn"]], [1, 2, now["spectators"][1]]
    assert page.evaluate(CAMERA_SEES, seen) == first
    page.clock.run_for(900)
    assert page.inner_text(".turn .who") == first
    assert page.evaluate(CAMERA_SEES, quiet) == first
    page.clock.run_for(2000)
    assert page.inner_text(".turn .who") == first
    assert page.evaluate(CAMERA_SEES, seen) == first
    page.clock.run_for(2000)
    assert page.inner_text(".turn .who") == second
    page.evaluate(CAMERA_SEES, quiet)
    page.clock.run_for(1000)
    assert page.evaluate(CAMERA_SEES, seen) == first
    page.locator("button:has-text('Wrong')").evaluate("node => node.click()")
    page.wait_for_selector(".toast:has-text('Someone was quicker')")
    assert page.inner_text(".turn .who") == second
    assert table.evening.board["round"]["guesses"] == []


def test_what_a_tap_was_answered_goes_with_its_game(table: Table) -> None:
    """That a game lies on the table is not said any more where it is over."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.evaluate(
        "import('/static/core/toast.js').then((page) => page.showToast('refused.evening_begun'))"
    )
    page.wait_for_selector(".toast")
    table.evening.do("end")
    page.wait_for_selector(".phase-over")
    assert page.locator(".toast").count() == 0


def test_a_double_tap_enters_one_guess(table: Table) -> None:
    """A second tap of the same finger lands on the next player's button and is not meant."""
    table.serve(played(wrong=0))
    page = table.tablet()
    page.dblclick("button:has-text('Wrong')")
    page.wait_for_timeout(500)
    assert len(table.evening.board["round"]["guesses"]) == 1


def test_an_early_tap_that_means_something_else_by_now_is_said_to_be_lost(table: Table) -> None:
    """Right, meant for the guess before, while the tap that entered another one is under way."""
    table.serve(played(wrong=0))
    page = table.tablet(reduced_motion="reduce")
    page.evaluate(
        """() => {
          const buttons = Array.from(document.querySelectorAll('button'));
          for (const words of ['Wrong', 'Right'])
            buttons.find((one) => one.textContent.includes(words)).click();
        }"""
    )
    page.wait_for_selector(".toast:has-text('Someone was quicker')")
    assert [guess["right"] for guess in table.evening.board["round"]["guesses"]] == [False]


def test_a_tap_counts_where_another_tablet_only_named_the_cloud(table: Table) -> None:
    """Twice it is quicker; the guess is still the same one, and is entered once."""
    table.serve(played(wrong=0))
    page = table.tablet()
    words = iter(("a ship", "two ships"))

    def name_first(route: Route) -> None:
        if (name := next(words, None)) is not None:
            table.evening.do("name", words=name)
        route.continue_()

    page.route("**/api/command", name_first)
    tap(page, "Wrong")
    page.wait_for_selector(".pips .past")
    assert [guess["right"] for guess in table.evening.board["round"]["guesses"]] == [False]
    assert page.locator(".toast").count() == 0


def test_undo_takes_back_and_says_what(table: Table) -> None:
    """The undo button names the person and the guess it will take back, and does it."""
    table.serve(played(wrong=2))
    page = table.tablet()
    page.click("button:has-text('Mia · wrong')")
    struck(page, 1)
    assert page.inner_text(".turn .who") == "Mia"


def test_an_undo_can_be_undone_until_something_else_happens(table: Table) -> None:
    """Undo offers its opposite, and only until the next step."""
    table.serve(played(wrong=1))
    page = table.tablet()
    struck(page, 1)
    tap(page, "Undo")
    struck(page, 0)
    page.wait_for_selector("button:has-text('Do it again')")
    below = page.locator(".undo .below")
    assert below.evaluate("node => node.scrollWidth <= node.clientWidth"), below.inner_text()
    tap(page, "Do it again")
    struck(page, 1)
    page.wait_for_selector("button:has-text('Do it again')", state="detached")


def test_a_name_half_written_keeps_what_was_taken_back(table: Table) -> None:
    """A wrong guess is taken back while somebody writes the cloud's name: the name is kept, and the guess
    can still be brought back."""
    evening = KeptEvening(NAMES)
    table.serve(evening)
    evening.begin().do("laid")
    page = table.tablet()
    tap(page, "Wrong")
    struck(page, 1)
    page.click("text=Write down its name")
    page.fill("#words", "shy heron")
    tap(page, "Undo")
    struck(page, 0)
    page.wait_for_selector(".cloud-name:has-text('shy heron')")
    tap(page, "Do it again")
    struck(page, 1)
    assert evening.board["round"]["name"] == "shy heron"


def test_a_question_is_answered_with_one_tap_or_left_for_later(table: Table) -> None:
    """Two stories as gains, each with its reason; "later" brings the game back, the question can be taken up again,
    one tap answers it."""
    evening = asked(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    page.click("button:has-text('Later')")
    page.wait_for_selector(".do-now:text-is('The camera is not sure how it went on.')")
    page.click("button:has-text('A question waits')")
    assert page.locator(".question .answer .main").all_inner_texts() == ["Mia +5", "Livia +4"]
    assert page.locator(".question .answer .below").all_inner_texts() == [
        "after Oskar was wrong",
        "after Oskar and Mia were wrong",
    ]
    page.click("button:has-text('Livia +4')")
    page.wait_for_selector(".question", state="detached")
    assert evening.board["question"] is None
    told = evening.board["rounds"][-1]
    assert (NAMES[told["claimer"]], len(told["guesses"])) == ("Livia", 3)


def test_what_was_put_off_stays_put_off_where_the_page_is_loaded_anew(table: Table) -> None:
    """Also in another window of this screen; the next question is asked anew."""
    table.serve(asked(KeptEvening()))
    page = table.tablet()
    page.click("button:has-text('Later')")
    page.wait_for_selector("button:has-text('A question waits')")
    page.reload()
    page.wait_for_selector("button:has-text('A question waits')")
    assert page.locator(".question").count() == 0


def test_a_question_of_which_no_answer_is_so_is_told_by_hand(table: Table) -> None:
    """About the present round the two buttons tell it, after the wrong guess that was entered by hand."""
    evening = asked(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    page.click("button:has-text('It was otherwise')")
    tap(page, "Right")
    page.wait_for_selector(".waits", state="detached")
    assert evening.board["question"] is None
    told = evening.board["rounds"][-1]["guesses"]
    assert [guess["right"] for guess in told] == [False, True]


def test_an_earlier_round_of_which_no_answer_is_so_is_told_in_the_ledger(table: Table) -> None:
    """Its row is open, and what is entered there is the answer."""
    evening = asked_before(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    page.click("button:has-text('A question about round 5 waits')")
    page.click("button:has-text('It was otherwise')")
    page.click(".round.open .guess >> nth=0", position={"x": 40, "y": 20})
    page.click(".guess.picked .switch button:has-text('right')")
    hold(page, ".side .hold:not([disabled])")
    page.wait_for_selector(".guess.picked", state="detached")
    assert evening.board["question"] is None


def test_no_two_answers_have_one_reason(table: Table) -> None:
    """Two people guess in turn: where one of them would have been wrong twice, it is told by the guess."""
    evening = KeptEvening().play(NAMES[:4], phase="secret", handling="away").watched()
    one, two, three, *rest = evening.fresh_cards
    evening.lie(6, one, two, three, *rest)
    evening.lie(3, None, two, three, *rest).do("set_aside", card=one)
    evening.lie(3, None, None, three, *rest).do("set_aside", card=two)
    evening.lie(6, None, None, three, *rest).lie(2, None, None, None, *rest).lie(5)
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".question .answer")
    reasons = page.locator(".question .answer .below").all_inner_texts()
    assert [one[:5] for one in reasons] == ["after", "right"], reasons
    assert reasons[1] == "right at the fourth guess"


def test_what_an_answer_came_to_is_read_aloud_where_another_question_waits(table: Table) -> None:
    """The result first, then that a question waits, and which; one in the middle of a turn is told alone."""
    evening = asked_before(KeptEvening())
    one, two, *rest = evening.lying
    table.serve(evening)
    page = table.tablet()
    evening.lie(3, None, two, *rest).do("set_aside", card=one)
    page.wait_for_selector("#say:text-is('Oskar guesses, attempt 2 of 4.')", state="attached")
    evening.lie(6, None, two, *rest).lie(2, None, None, *rest).lie(5)
    asked_now = "A question waits: Who took the clouds?"
    page.wait_for_selector(f"#say:text-is('{asked_now}')", state="attached")
    page.click("button:has-text('Oskar +5')")
    asked_before_it = "A question about round 5 waits: Who took the clouds?"
    page.wait_for_selector(f"#say:text-is('Oskar plus 5. {asked_before_it}')", state="attached")


def test_what_was_read_aloud_is_not_left_for_who_comes_by_later(table: Table) -> None:
    """A reader of the screen finds whose turn it was for some seconds; nothing there is old."""
    evening = played(wrong=0)
    table.serve(evening)
    page = table.tablet()
    page.clock.install()
    evening.do("set_aside", card=evening.lying[0])
    page.wait_for_selector("#say:has-text('attempt 2 of')", state="attached")
    page.clock.run_for(11_000)
    page.wait_for_selector("#say:text-is('')", state="attached")


def test_a_question_that_stands_again_is_read_aloud_again(table: Table) -> None:
    """After a pause, and after what was taken back and entered again."""
    evening = asked(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    aloud = "A question waits: Who took the clouds?"
    for do, said in (
        ("pause", f"The evening rests. {aloud}"),
        ("resume", f"Mia guesses, attempt 2 of 4. {aloud}"),
        ("undo", "Oskar guesses, attempt 1 of 4."),
        ("redo", f"Mia guesses, attempt 2 of 4. {aloud}"),
    ):
        evening.do(do)
        page.wait_for_selector(f"#say:text-is('{said}')", state="attached")


def test_a_question_about_an_earlier_round_leaves_the_present_one_in_place(table: Table) -> None:
    """The next round's cards lie and its name, attempt and standings stand there; one quiet line
    opens the earlier round's question with that round's clouds; a screen that only watches is told
    in one line."""
    evening = asked_before(KeptEvening())
    table.serve(evening)
    about, now = evening.board["question"]["round"], evening.board["round"]["number"]
    assert (about, evening.board["phase"]) == (now - 1, "guessing")
    page = table.tablet()
    spectator = table.tablet(role=Rule.WATCH, size=(1920, 1080))
    for screen in (page, spectator):
        assert screen.locator(".turn .who, .pips .now, .standings").count() == 3
        assert f"A question about round {about} waits" in screen.inner_text(".waits")
        assert screen.locator(".question, .spots .ring").count() == 0
    assert spectator.locator("button").count() == 0
    page.click(".waits button")
    assert page.inner_text(".question .about") == f"About round {about}"
    dealt = evening.board["rounds"][about - 1]["cards"]
    shown = page.eval_on_selector_all(
        ".question image", "found => found.map((one) => one.getAttribute('href'))"
    )
    assert shown == [f"/art/{card}" for card in dealt]
    assert page.locator(".spots .ring").count() == 0
    page.click(".question .answer >> nth=1")
    page.wait_for_selector(".turn .who")
    assert evening.board["question"] is None


def test_a_choice_about_a_question_is_not_the_next_evenings(table: Table) -> None:
    """A question of one evening is put off; the next evening's about the round of the same number is asked."""
    evening = asked(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    first = evening.board["question"]["id"]
    tap(page, "Later")
    page.wait_for_selector(".question", state="detached")
    asked(evening)
    assert evening.board["question"]["id"] == first
    page.wait_for_selector(".question")


OTHER_TABLET_FIRST = """(asked) => {
  const send = (how, where, what) => {
    const request = new XMLHttpRequest();
    request.open(how, where, false);
    if (what) request.setRequestHeader('Content-Type', 'application/json');
    request.send(what && JSON.stringify(what));
    return request;
  };
  const { version } = JSON.parse(send('GET', '/api/scoreboard').responseText);
  const { status } = send('POST', '/api/command', { id: 'another-tablet-1', version, ...asked });
  document.querySelector('button.answer').click();
  return status;
}"""
"""A command that another tablet's finger sends, and this one's tap on the first answer at the same moment."""


def test_an_answer_is_the_story_that_was_read(table: Table) -> None:
    """Another tablet writes in a missed round at that moment, and the roles of the round in question move
    on: the tap is not taken for another person's story; it is said that the table has gone on."""
    evening = asked_before(KeptEvening())
    table.serve(evening)
    page = table.tablet()
    page.click(".waits button")
    page.wait_for_selector("button.answer")
    before = evening.board["question"]
    missed = {"do": "insert", "round": 2, "guesses": [{"card": None, "right": True}]}
    assert page.evaluate(OTHER_TABLET_FIRST, missed) == 200
    page.wait_for_selector(".toast:not(:empty)")
    assert evening.board["question"]["options"] != before["options"]
    page.click("button.answer >> nth=0")
    page.wait_for_selector(".question", state="detached")
    assert evening.board["question"] is None


ANOTHER_GAME_FIRST = """async () => {
  const { command } = await import('/static/core/commands.js');
  const send = (how, where, what) => {
    const request = new XMLHttpRequest();
    request.open(how, where, false);
    if (what) request.setRequestHeader('Content-Type', 'application/json');
    request.send(what && JSON.stringify(what));
    return request;
  };
  const statuses = ['end', 'rematch'].map((what) => {
    const { version } = JSON.parse(send('GET', '/api/scoreboard').responseText);
    return send('POST', '/api/command', { id: 'another-tablet-' + what, version, do: what }).status;
  });
  return [...statuses, await command({ do: 'pause' })];
}"""
"""Another tablet ends the game and begins the next one; at the same moment this one's tap for a pause."""


def test_a_tap_of_one_game_is_not_entered_in_the_next(table: Table) -> None:
    """A pause that was meant for the game that ends at that moment: the next one goes on, and it is said."""
    table.serve(played())
    page = table.tablet()
    quick(page)
    assert page.evaluate(ANOTHER_GAME_FIRST) == [200, 200, False]
    page.wait_for_selector(".toast:not(:empty)")
    assert table.evening.board["phase"] == "secret"


def test_a_question_can_be_opened_in_a_pause(table: Table) -> None:
    """The line under the pause says that it is about the round that rests, and opens it."""
    evening = asked(KeptEvening()).do("pause")
    table.serve(evening)
    page = table.tablet()
    assert page.inner_text(".waits") == "A question waits"
    page.click(".waits button")
    page.click(".question .answer:has-text('Livia +4')")
    page.wait_for_selector(".phase-paused .instruct")
    assert evening.board["question"] is None
    assert evening.board["phase"] == "paused"


def test_nobody_has_won_while_a_question_waits(table: Table) -> None:
    """The evening was ended with a question open: it is asked before a winner is named, stays in reach
    when it is put off, and a watching screen names nobody either."""
    evening = asked(KeptEvening()).do("end")
    table.serve(evening)
    page = table.tablet()
    spectator = table.tablet(role=Rule.WATCH, size=(1920, 1080))
    assert evening.board["phase"] == "over"
    assert page.locator(".question .answer").count() == 2
    assert page.inner_text(".where .round-line") == "The evening is over."
    page.click(".question button:has-text('Later')")
    for screen in (page, spectator):
        screen.wait_for_selector(".phase-over h1:has-text('The evening is over')")
        assert "A question about round" in screen.inner_text(".waits")
        assert not screen.locator("text=has the sky").count()
    page.click(".waits button")
    page.click(".question .answer:has-text('Livia +4')")
    for screen in (page, spectator):
        screen.wait_for_selector(".phase-over h1:has-text('Mia has the sky')")


def test_the_result_names_those_who_play_next(table: Table) -> None:
    """Who left, who comes and who dreams after a change of the table: the result says of the next round
    what the next round says of itself."""
    evening = KeptEvening().begin(("Ada", "Ben", "Cleo", "Dan")).do("laid")
    table.serve(evening)
    page = table.tablet()
    evening.do("players", players=["Ada", "Dora", "Ben", "Cleo"], daydreamer=2)
    for _ in range(5):
        evening.do("right")
        page.wait_for_selector(".next-roles")
        told = page.locator(".next-role strong").all_inner_texts()
        evening.do("next")
        coming = evening.board["round"]
        names = [player["name"] for player in evening.board["players"]]
        assert told == [names[coming["daydreamer"]], names[coming["lookout"]]]
        assert "Dan" not in told
        evening.do("laid")
        page.wait_for_selector(".phase-guessing")


def test_a_name_has_five_words_at_most(table: Table) -> None:
    """Six words are not sent; five are kept with the round."""
    evening = played(phase="secret")
    table.serve(evening)
    evening.do("laid")
    page = table.tablet()
    page.click("button:has-text('Write down its name')")
    page.fill("#words", "one two three four five six")
    page.keyboard.press("Enter")
    assert evening.board["round"]["name"] is None
    page.fill("#words", "<b>a whale</b> on a bicycle")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cloud-name")
    assert "<b>a whale</b>" in page.inner_text(".cloud-name")
    assert page.locator(".cloud-name b").count() == 0


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_leave_it_out_begins_where_the_field_does(table: Table, size: tuple[int, int]) -> None:
    """The words below the field for the cloud's name stand flush with it, on a phone too."""
    table.serve(played(phase="secret").do("laid"))
    page = table.tablet(size=size)
    page.click(".quiet .text-button >> nth=0")
    field, words = page.locator(".cloud-input"), page.locator(".quiet-button .label")
    assert abs(words.bounding_box()["x"] - field.bounding_box()["x"]) < 1


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_wrong_says_who_gains_by_it(table: Table, size: tuple[int, int]) -> None:
    """Each wrong cloud lies aside for the Daydreamer; with the last attempt all go to the Lookout."""
    evening = KeptEvening(NAMES[:4]).begin(NAMES[:4]).do("laid")
    table.serve(evening)
    page = table.tablet(size=size)
    while evening.board["phase"] == "guessing":
        told = evening.board["round"]
        last = told["attempt"] == told["attempts"]
        gains = NAMES[told["lookout" if last else "daydreamer"]]
        page.wait_for_selector(f".hand-row .button:has-text('Wrong'):has-text('{gains}')")
        tap(page, "Wrong")
        page.wait_for_selector(".page:not(.settling)")
    ended = evening.board["rounds"][-1]
    assert ended["gains"][told["lookout"]] == len(ended["cards"])


def test_another_number_of_cards_is_accepted_with_one_tap(table: Table) -> None:
    """Six expected, five seen: the notice stands with one button, and the round is played with
    five, as the camera sees them next."""
    evening = short(KeptEvening())
    five = evening.fresh_cards[:5]
    table.serve(evening)
    page = table.tablet()
    assert "6 expected, 5 seen" in page.inner_text(".note")
    tap(page, "Play with 5")
    page.wait_for_selector(".page:not(.settling)")
    evening.lie(1, *five)
    page.wait_for_selector(".phase-guessing")
    assert len(evening.board["round"]["middle"]) == 5


@pytest.mark.parametrize(
    ("notice", "said"),
    [
        ("one_twice", "A cloud lies there twice."),
        ("foreign", "on no card"),
        ("readers_differ", "cannot be read for certain"),
    ],
)
def test_why_another_number_lies_there_is_said_before_the_number(
    table: Table, notice: str, said: str
) -> None:
    """A cloud that lies twice, a card of another deck, one that cannot be read: none of them is counted, and
    nobody is offered a round without it, for more cards lie there than that."""
    evening = short(KeptEvening())
    assert evening.camera is not None
    evening.camera.notices = (notice,)
    evening.session.camera_changed()
    table.serve(evening)
    page = table.tablet()
    assert said in page.inner_text(".note")
    assert page.locator("button:has-text('Play with 5')").count() == 0


def test_the_practice_table_does_not_claim_a_closed_eye(table: Table) -> None:
    """Its secret part shows the picture and says so."""
    evening = played(phase="secret").watched(practice=True)
    table.serve(evening)
    page = table.tablet()
    assert "its picture stays open" in page.inner_text(".column")
    assert page.locator(".lid-line").count() == 0


def test_the_practice_table_is_seen_larger_in_its_secret_part_too(table: Table) -> None:
    """Its small picture, touched, opens the large one; nothing asks for corner tokens."""
    picture = np.zeros((9, 16, 3), np.uint8)
    evening = played(phase="secret").watched(practice=True, picture=picture)
    jpeg = encode_jpeg(picture, 16)
    report = {"verdict": "ready", "advice_key": "ready", "params": {}, "picture": jpeg}
    evening.session.camera.calibration = lambda *_: dict(report)
    table.serve(evening)
    page = table.tablet()
    page.click(".practice-frame.seen")
    page.wait_for_selector(".camera-two img.live.large")
    assert "Ready to play." in page.inner_text(".camera-words")
    assert "token" not in page.inner_text(".camera-more")


def test_while_the_practice_table_plays_nothing_else_is_offered(table: Table) -> None:
    """No set-up is taken back, nobody comes or goes, no End is held, and it is said why; its game over,
    that is said, and what there is then."""
    evening = KeptEvening().begin(NAMES[:5]).watched(practice=True)
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".phase-secret")
    assert page.locator("footer .undo").count() == 0
    for where in ("evening", "seats"):
        page.evaluate(f"location.hash = '{where}'")
        page.wait_for_function(FIXED)
        assert page.locator(".settings-list button").count() == 0
    page.evaluate("location.hash = ''")
    evening.play_round(1).camera_is("ended").do("end")
    page.wait_for_selector(".phase-over")
    page.wait_for_function("document.body.innerText.includes('The practice game is over.')")
    assert "kept by touch" in page.inner_text(".column")
    assert page.locator("button:has-text('Same people again')").count() == 0
    tap(page, "New table")
    page.wait_for_selector(".phase-setup")


FIXED = """() => document.querySelector('.settings-list p') &&
  document.querySelector('.settings-list p').innerText.includes('While the practice table plays')"""


MOVING = """() => [...new Set([].concat(...document.getAnimations().map((a) => a.transitionProperty
  ? [a.transitionProperty]
  : [].concat(...a.effect.getKeyframes().map((frame) => Object.keys(frame))))))].filter((name) =>
    !['offset', 'computedOffset', 'easing', 'composite', 'transform', 'opacity'].includes(name))"""
SAME = """() => [...document.querySelectorAll('.clouds .cloud')].map((node) =>
  window.clouds ? window.clouds.indexOf(node) >= 0 : (window.first = window.first || []).push(node))"""


COUNTED = """() => {
  window.counted = [];
  new MutationObserver(() => window.counted.push([...document.querySelectorAll('.score')].map((node) => node.textContent.trim())))
    .observe(document.getElementById('app'), { subtree: true, childList: true, characterData: true });
}"""
"""Every score that was shown, in its order."""


def test_by_touch_a_claim_is_the_same_journey_as_by_camera(table: Table) -> None:
    """Clouds that nobody knows by number travel, each the same one from the middle to the moon and
    to the pile; nothing but place and opacity moves; the score counts up as they arrive."""
    evening = KeptEvening().begin(NAMES[:6]).do("laid")
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".clouds .cloud >> nth=5")
    page.evaluate(SAME)
    page.evaluate("window.clouds = window.first")
    shapes = "nodes => nodes.map((node) => node.querySelector('.face path').getAttribute('d'))"
    assert len(set(page.eval_on_selector_all(".clouds .cloud", shapes))) == 6
    page.evaluate(COUNTED)
    for words in ("Wrong", "Right"):
        tap(page, words)
        page.wait_for_selector(".phase-result" if words == "Right" else ".pips .past")
        assert page.evaluate(SAME) == [True] * 6, words
        assert page.evaluate(MOVING) == [], words
    winner = evening.board["last"]["seat"]
    name = evening.board["players"][winner]["name"]
    page.wait_for_function(
        "([at]) => document.querySelectorAll('.score')[at].textContent.trim() === '5'", arg=[winner]
    )
    counted = page.evaluate("at => window.counted.map((scores) => scores[at])", winner)
    assert list(dict.fromkeys(counted)) == ["0", "1", "2", "3", "4", "5"]
    assert name in page.inner_text("h1")


def test_a_round_that_changes_while_its_clouds_travel_takes_no_cloud_from_anybody(
    table: Table,
) -> None:
    """The clouds are on their way to who was right when that is corrected: they are that other person's at
    once, and nobody ever has fewer than none."""
    evening = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo"))
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".phase-secret")
    page.evaluate(COUNTED)
    evening.do("laid", cards=evening.fresh_cards)
    page.wait_for_selector(".phase-guessing")
    evening.do("right", card=1)
    page.wait_for_selector(".phase-result")
    evening.do("correct", round=1, guesses=[{"card": card, "right": False} for card in (1, 2)])
    page.wait_for_selector(".gain:has-text('Cleo')")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.score')].map((one) => one.textContent.trim()).join() === '0,0,4'"
    )
    shown = {score for scores in page.evaluate("window.counted") for score in scores}
    assert shown <= {"0", "1", "2", "3", "4"}


def test_no_place_of_the_last_games_cards_is_left_in_the_next_game(table: Table) -> None:
    """The first game's first round lay somewhere else: in the second game's first round only its own
    places are there."""
    evening = KeptEvening().begin(NAMES[:6]).do("laid", cards=[1, 2, 3, 4, 5, 6])
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".clouds .cloud >> nth=5")
    evening.do("set_aside", card=2)
    page.wait_for_selector(".empty-place")
    page.evaluate("location.hash = 'rules'")  # the table is not looked at while the game changes
    evening.do("end").do("rematch").do("laid", cards=[11, 12, 13, 14, 15, 16])
    page.evaluate("location.hash = ''")
    page.wait_for_selector(".clouds .cloud >> nth=5")
    assert page.locator(".empty-place").count() == 0


@pytest.mark.parametrize(
    ("shows", "said", "why"),
    [
        ("black", "The camera shows only black", "Is its lens covered"),
        (
            "still",
            "The camera sends the same picture all the time",
            "Unplug it and plug it in again",
        ),
        ("", "The camera has stopped", "The score is kept by touch until it is back"),
    ],
)
def test_a_stopped_camera_is_told_by_what_it_shows(
    table: Table, shows: str, said: str, why: str
) -> None:
    """In the middle of a round, and on the camera's page, where the headline says it already."""
    table.serve(played(phase="guessing").watched(state="stopped", shows=shows))
    page = table.tablet()
    page.wait_for_selector(f".note:has-text('{said}')")
    page.evaluate("location.hash = 'camera'")
    page.wait_for_selector(f".whole:has-text('{why}')")


def test_a_table_that_the_camera_seeks_can_be_played_on_in_secret(table: Table) -> None:
    """While the next clouds are handed round it says that it looks for the table, and how to go on by touch."""
    table.serve(played(phase="secret").watched(state="searching"))
    page = table.tablet()
    page.wait_for_selector("button:has-text('All cards lie open')")
    page.wait_for_selector(".note:has-text('looking for the table')")


def test_the_keyboard_goes_on_where_the_page_begins(table: Table) -> None:
    """The button that was pressed is gone with the next state, and with another page: the first one after it
    is one Tab away."""
    table.serve(played(phase="secret"))
    page = table.tablet()
    page.focus("button:has-text('All cards lie open')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn")
    assert page.evaluate("document.activeElement.tagName") == "MAIN"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main .buttons, main button') !== null")
    page.focus("button[aria-label='More']")
    page.keyboard.press("Enter")
    page.wait_for_selector("main.sheet")
    assert page.evaluate("document.activeElement.tagName") == "MAIN"


def test_what_the_camera_needs_is_read_aloud_while_it_stands(table: Table) -> None:
    """A camera that stopped, and words that do not hold any more are not left there; what comes and goes
    within a second is not said."""
    evening = played(phase="guessing").watched()
    table.serve(evening)
    page = table.tablet()
    page.wait_for_selector(".turn")
    evening.camera_is("stopped")
    said = "The camera has stopped. Play on by touch; it picks up when it is back."
    page.wait_for_selector(f"#say:text-is('{said}')", state="attached")
    evening.camera_is("live")
    page.wait_for_selector("#say:text-is('')", state="attached")
    evening.camera_is("stopped")
    page.wait_for_selector(".note:has-text('The camera has stopped')")
    evening.camera_is("live")
    page.wait_for_selector(".note", state="detached")
    page.wait_for_timeout(1800)
    assert page.text_content("#say") == ""


def test_a_round_that_does_not_count_is_called_by_its_number(table: Table) -> None:
    """The table goes on while a finger rests on the button: the round after is not meant by it."""
    evening = KeptEvening(NAMES).begin(NAMES[:4]).play_round(0)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'evening'")
    page.wait_for_selector("text=Strike out round 1.")
    evening.do("next").do("laid")
    page.wait_for_selector("text=Strike out round 2.")
    page.dispatch_event(".settings-list .hold >> nth=0", "pointerdown")
    evening.do("right").do("next").do("laid")
    page.wait_for_selector("text=Strike out round 3.")
    page.wait_for_timeout(1500)
    assert not any(one["ending"] == "void" for one in evening.board["rounds"])
