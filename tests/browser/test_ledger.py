"""The ledger in a real browser: guesses, cards, rounds and roles corrected by a steady finger."""

from __future__ import annotations

import pytest

from companion.game.events import CardsMissing, PlayersChanged
from companion.web import Rule
from tests.support.kept_evening import NAMES, KeptEvening, played
from tests.support.tablet_in_chromium import Table, hold, tap
from tests.support.tablet_states import unseen

pytestmark = pytest.mark.browser


def test_a_guess_is_corrected_in_the_ledger_by_holding(table: Table) -> None:
    """Open a round, open a guess, choose, hold: the consequence is told before, and the round says
    "corrected"."""
    table.serve(played(rounds=3))
    page = table.tablet()
    page.click("button:has-text('Ledger')")
    page.click("button[aria-label^='Round 1']")
    page.click("button.guess >> nth=1", position={"x": 40, "y": 20})
    page.click(".guess.picked .switch button:has-text('wrong')")
    page.click(".guess .switch >> nth=1 >> button:has-text('right')")
    assert "Ida +5 → 0" in page.inner_text(".moves")
    hold(page, "button.hold")
    page.wait_for_selector("text=corrected")
    assert [g["right"] for g in table.evening.board["rounds"][0]["guesses"]] == [False, False, True]


def test_a_round_nobody_saw_is_filled_in_as_the_answer_promises(table: Table) -> None:
    """Answered with "Played: fill it in later", its row says that it waits, and takes guess after guess; the rounds after
    it keep their numbers and roles."""
    evening = unseen(KeptEvening())
    table.serve(evening)
    page = table.tablet(reduced_motion="reduce")
    spectator = table.tablet(role=Rule.WATCH)
    page.click(".waits button")
    page.click(".answer:has-text('Played: fill it in later')")
    page.wait_for_selector(".phase-guessing .column:not(:has(.answer))")
    before = evening.board["rounds"]
    for screen in (page, spectator):
        screen.evaluate("location.hash = 'ledger'")
        screen.wait_for_selector("text=not filled in")
        screen.click("button[aria-label^='Round 5']")
        screen.wait_for_selector("text=Nobody saw this round")
    assert spectator.locator(".opened .switch").count() == 0
    page.click(".opened .switch button:has-text('wrong')")
    page.click(".opened .switch >> nth=1 >> button:has-text('right')")
    hold(page, ".side .hold:not([disabled])")
    page.wait_for_selector("text=not filled in", state="detached")
    after = evening.board["rounds"]
    assert [guess["right"] for guess in after[4]["guesses"]] == [False, True]
    assert sum(after[4]["gains"]) == len(after[4]["cards"])
    told = ("number", "daydreamer", "lookout", "cards")
    assert [[one[key] for key in told] for one in after] == [
        [one[key] for key in told] for one in before
    ]


def test_another_cloud_and_other_cards_are_named_in_the_ledger(table: Table) -> None:
    """A guess gets another cloud of its round, the round gets other clouds; what cannot be read
    cannot be held."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 4:']")
    before = table.evening.board["rounds"][3]
    page.click(".opened .guess >> nth=0")
    page.select_option(".which", str(before["cards"][1]))
    tap(page, "Other clouds lay there")
    page.fill(".round-cards input", "77, 77")
    page.wait_for_selector(".side .note")
    assert page.is_disabled(".side .hold")
    told = [77, *before["cards"][1:]]
    page.fill(".round-cards input", ", ".join(map(str, told)))
    hold(page, ".side .hold:not([disabled])")
    page.wait_for_selector(".line:has-text('corrected')")
    after = table.evening.board["rounds"][3]
    assert (after["cards"], after["guesses"][0]["card"]) == (told, before["cards"][1])


def test_a_change_that_was_not_entered_stays_behind(table: Table) -> None:
    """Where the next guess is not told yet nothing can be held; and who goes to the table and comes
    back finds the round open, with its guesses as they were entered."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 4:']")
    page.click(".opened .guess >> nth=-1")
    assert page.locator(".side .hold").count() == 0
    page.click(".opened .switch button:has-text('wrong')")
    page.wait_for_selector(".side .moves:has-text('set that too')")
    assert page.locator(".side .hold").count() == 0
    page.evaluate("location.hash = ''")
    page.wait_for_selector(".phase-guessing.table")
    page.wait_for_selector(".toast:has-text('The change of round 4 was not')")
    page.evaluate("location.hash = 'ledger'")
    page.wait_for_selector(".opened")
    page.wait_for_selector(".opened .side .see")
    assert page.locator(".side .moves").count() == 0


def test_what_is_being_changed_stays_while_a_repair_is_opened_entered_and_closed(
    table: Table,
) -> None:
    """A missed round is written in beside a half-made change: the change stays; only another round
    that is opened drops it, and that is said."""
    table.serve(played(rounds=3))
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 2:']")
    page.click(".opened .guess >> nth=0")
    page.click(".opened .guess.picked .switch button:has-text('right')")
    will = page.inner_text(".side .moves")
    tap(page, "A card is missing")
    page.wait_for_selector("#lost")
    tap(page, "A card is missing")
    page.wait_for_selector(".insert-form", state="detached")
    assert page.inner_text(".side .moves") == will
    tap(page, "A round is missing")
    hold(page, ".insert-form .hold")
    page.wait_for_selector(".insert-form", state="detached")
    page.wait_for_selector("button[aria-label^='Round 5:']")
    assert page.inner_text(".side .moves") == will
    assert page.locator(".whole > .toast").count() == 0
    page.click("button[aria-label^='Round 1:']")
    page.wait_for_selector(".whole > .toast:has-text('The change of round 2 was not entered')")
    assert page.locator(".side .moves").count() == 0
    page.click("button[aria-label^='Round 2:']")
    page.click(".opened .guess >> nth=0")
    page.click(".opened .guess.picked .switch button:has-text('right')")
    hold(page, ".side .hold")
    page.wait_for_selector(".side .moves", state="detached")
    assert page.locator(".whole > .toast:has-text('not entered')").count() == 0


def test_as_many_lost_cards_are_typed_as_may_be_lost(table: Table) -> None:
    """Forty numbers fit the field, and all of them are entered."""
    table.serve(played(rounds=1))
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A card is missing")
    lost = list(range(41, 81))
    page.locator("#lost").press_sequentially(", ".join(map(str, lost)), delay=0)
    hold(page, ".insert-form .hold:not([disabled])")
    page.wait_for_selector(".insert-form", state="detached")
    told = table.evening.entries[-1].event
    assert isinstance(told, CardsMissing)
    assert list(told.cards) == lost
    tap(page, "A card is missing")
    page.wait_for_selector(f".insert-form :text('Missing tonight: {', '.join(map(str, lost))}')")


def test_a_missing_round_is_added_in_the_ledger(table: Table) -> None:
    """A round nobody entered is put where it was, with its ending, by a steady finger."""
    table.serve(played())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    rounds = len(table.evening.board["rounds"])
    tap(page, "A round is missing")
    page.select_option("#mend-at", "2")
    page.select_option("#mend-how", "3")
    before = [person["cards"] for person in table.evening.board["players"]]
    page.wait_for_selector(".insert-form .moves .move >> nth=1")
    told = page.locator(".insert-form .move").all_inner_texts()
    hold(page, ".insert-form .hold")
    page.wait_for_selector("button[aria-label^='Round 6:']")
    people = table.evening.board["players"]
    moved = [
        f"{person['name']} {was} → {person['cards']}"
        for person, was in zip(people, before, strict=True)
        if person["cards"] != was
    ]
    assert told == moved
    after = table.evening.board["rounds"]
    assert [guess["right"] for guess in after[1]["guesses"]] == [False, False, True]
    assert len(after) == rounds + 1


def test_the_first_round_can_be_the_missing_one(table: Table) -> None:
    """Before any round was entered, and for the round after the last one that was."""
    table.serve(KeptEvening(NAMES).begin())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    for number in (1, 2):
        tap(page, "A round is missing")
        assert page.input_value("#mend-at") == str(number)
        hold(page, ".insert-form .hold")
        page.wait_for_selector(f"button[aria-label^='Round {number}:']")
        page.wait_for_selector(".insert-form", state="detached")
        assert len(table.evening.board["rounds"]) == number


def test_a_round_that_was_missed_has_the_guesses_of_its_own_circle(table: Table) -> None:
    """Before a fifth came there were more clouds, and one guess more."""
    evening = KeptEvening(NAMES).begin(NAMES[:4])
    evening.play_round(0).do("players", players=list(NAMES[:5])).play_round(0)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A round is missing")
    offered = "#mend-how option"
    four, five = (evening.board["rounds"][i]["full_attempts"] for i in (0, 1))
    for number, attempts in (("1", four), ("2", four), ("3", five)):
        page.select_option("#mend-at", number)
        assert page.locator(offered).count() == attempts + 1
    page.select_option("#mend-at", "1")
    page.select_option("#mend-how", "0")
    hold(page, ".insert-form .hold")
    page.wait_for_selector("button[aria-label^='Round 3:']")
    missed = evening.board["rounds"][0]
    assert (missed["ending"], max(missed["gains"])) == ("lookout", 6)


def test_a_correction_goes_to_the_round_that_was_opened(table: Table) -> None:
    """Meanwhile another tablet writes in a round that was missed, and the numbers move on: the opened round is
    the same, under its new number."""
    evening = KeptEvening(NAMES).begin(NAMES[:4])
    for _ in range(3):
        evening.play_round(0).do("next")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 3:']")
    page.click(".opened .guess >> nth=0")
    page.click(".guess.picked .switch button:has-text('wrong')")
    page.click(".guess .switch >> nth=1 >> button:has-text('right')")
    page.wait_for_selector(".side .hold")
    evening.do("insert", round=2, guesses=[{"right": True}])
    page.wait_for_selector(".round.open button[aria-label^='Round 4:']")
    hold(page, ".side .hold")
    page.wait_for_selector(".line:has-text('corrected')")
    told = [[guess["right"] for guess in one["guesses"]] for one in evening.board["rounds"]]
    assert told == [[True], [True], [True], [False, True]]


def test_what_was_to_be_mended_is_chosen_anew_where_the_numbers_moved(table: Table) -> None:
    """Two tablets write in the same missed round: the second is told that the table has gone on."""
    evening = KeptEvening(NAMES).begin(NAMES[:4]).play_round(0)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A round is missing")
    evening.do("insert", round=1, guesses=[{"right": True}])
    page.wait_for_selector(".insert-form", state="detached")
    page.wait_for_selector(".toast:not(:empty)")
    assert len(evening.board["rounds"]) == 2


def test_the_name_that_is_being_written_stays_with_its_cloud(table: Table) -> None:
    """A round that was missed is written in before it: the name is the later number's."""
    evening = KeptEvening(NAMES).begin(NAMES[:4]).play_round(0).do("next").do("laid")
    table.serve(evening)
    page = table.tablet()
    page.click("text=Write down its name")
    page.fill("#words", "shy heron")
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A round is missing")
    page.select_option("#mend-at", "1")
    hold(page, ".insert-form .hold")
    page.wait_for_selector(".insert-form", state="detached")
    page.evaluate("location.hash = ''")
    page.wait_for_selector(".cloud-name:has-text('shy heron')")
    assert [one["name"] for one in evening.board["rounds"]] == [None, None, "shy heron"]


def test_a_name_that_another_tablet_gave_meanwhile_stays(table: Table) -> None:
    """Who taps on loses the own name, and is told; Keep says first what it is called, and changes it when
    tapped again; an empty field takes nothing away that was not seen in it."""
    evening = KeptEvening(NAMES).begin(NAMES[:4]).do("laid")
    table.serve(evening)
    page = table.tablet()
    page.click("text=Write down its name")
    page.fill("#words", "old shoe")
    evening.do("name", words="blue cow")
    page.wait_for_selector("#five:has-text('empty field')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('blue cow')")
    assert evening.board["round"]["name"] == "blue cow"
    page.keyboard.press("Enter")
    page.wait_for_selector(".cloud-name:has-text('old shoe')")
    page.evaluate("location.hash = 'ledger'")
    page.evaluate("location.hash = ''")
    evening.do("name", words="").do("set_aside")
    page.click("text=Write down its name")
    page.fill("#words", "red kite")
    evening.do("name", words="blue cow")
    page.wait_for_selector("#five:has-text('empty field')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('Tap Keep again')")
    tap(page, "Right")
    page.wait_for_selector(".toast:has-text('red kite')")
    assert evening.board["rounds"][0]["name"] == "blue cow"


def test_who_wrote_it_is_told_of_now(table: Table) -> None:
    """What another tablet takes back meanwhile is struck out."""
    evening = KeptEvening(NAMES).begin(NAMES[:4]).do("laid").do("right")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 1:']")
    tap(page, "Who wrote it")
    page.wait_for_selector(".history li")
    assert page.locator(".history li.gone").count() == 0
    evening.do("undo").do("set_aside").do("right")
    page.wait_for_selector(".history li.gone")
    assert page.locator(".history li:not(.gone)").count() > 2
    wrong = page.inner_text(".history li:has-text('guess 1 wrong')")
    assert "card" not in wrong  # a touched guess names none


def test_a_steady_finger_is_needed_and_its_time_is_its_own(table: Table) -> None:
    """Holding: 800 ms do nothing, 950 do it; neither a finger that slides off nor a state that
    comes in between matters."""
    table.serve(played().watched())
    page = table.tablet(reduced_motion="reduce")
    page.evaluate("location.hash = 'evening'")
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
    assert table.evening.board["phase"] == "guessing"
    button.hover()
    page.mouse.down()
    page.clock.run_for(500)
    table.evening.camera_is("stopped")
    page.wait_for_timeout(400)
    assert table.evening.board["phase"] == "guessing"
    page.clock.run_for(450)
    page.wait_for_selector(".phase-over")
    page.mouse.up()


def test_a_corrected_rounds_result_is_seen_again(table: Table) -> None:
    """From the opened round back to the window: that round's winner and sky; one tap leads back to
    the game."""
    table.serve(played().watched())
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 2:']")
    tap(page, "See its result again")
    page.wait_for_selector(".phase-result h1.gain")
    line = table.evening.board["rounds"][1]
    winner = line["claimer"] if line["claimer"] is not None else line["lookout"]
    assert table.evening.board["players"][winner]["name"] in page.inner_text("h1")
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
    told = table.evening.entries[-1].event
    assert isinstance(told, PlayersChanged)
    assert told.daydreamer == "Mia"
    tap(page, "A card is missing")
    page.fill("#lost", "60 sixty")
    assert page.is_disabled(".insert-form .hold")
    page.fill("#lost", "60, ?")
    hold(page, ".insert-form .hold:not([disabled])")
    page.wait_for_selector(".insert-form", state="detached")
    lost = table.evening.entries[-1].event
    assert isinstance(lost, CardsMissing)
    assert lost.cards == (60, None)


def test_a_refused_change_is_said_where_it_was_made(table: Table) -> None:
    """A correction the rules forbid: the sentence stands on the ledger's page, and is announced."""
    table.serve(played().do("missing", cards=[60]))
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A card is missing")
    page.fill("#lost", "60")
    hold(page, ".insert-form .hold:not([disabled])")
    page.wait_for_selector(".whole > .toast:has-text('named twice')")
    assert "named twice" in page.inner_text("#alert")


def test_a_clouds_name_can_be_written_at_any_time(table: Table) -> None:
    """On the result, and in the ledger for any round before, also once the evening is over; the
    album has it then; a round without a name has an empty place, not words."""
    evening = played(phase="result")
    table.serve(evening)
    page = table.tablet()
    lines = evening.board["rounds"]
    unnamed = next(line["number"] for line in lines if not line["name"])
    evening.finish()
    page.wait_for_selector(".phase-over")
    page.evaluate("location.hash = 'ledger'")
    assert "no name" not in page.inner_text(".grid")
    page.click(f"button[aria-label^='Round {unnamed}:']")
    tap(page, "Write down its name")
    page.fill("#words", "a whale on a bicycle")
    page.keyboard.press("Enter")
    page.wait_for_selector(".round.open .cloud-name:has-text('a whale')")
    assert evening.board["rounds"][unnamed - 1]["name"] == "a whale on a bicycle"
    page.evaluate("location.hash = 'pictures'")
    page.wait_for_selector(".postcard .cloud-name:has-text('a whale')")


def test_a_clouds_name_is_taken_away_with_an_empty_field(table: Table) -> None:
    """Six words are refused aloud; an empty field that is kept takes the name away, and undo, which says
    so, brings it back; the round is not called corrected, and the camera is not asked anew."""
    evening = played(phase="guessing").watched()
    table.serve(evening)
    page = table.tablet()
    named = next(line for line in evening.board["rounds"] if line["name"])
    page.evaluate("location.hash = 'ledger'")
    page.click(f"button[aria-label^='Round {named['number']}:']")
    tap(page, "Write another name")
    page.wait_for_selector("label:has-text('an empty field takes it away')")
    page.fill("#words", "one two three four five six")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast:has-text('five words at most')")
    assert evening.board["rounds"][named["number"] - 1]["name"] == named["name"]
    page.fill("#words", "")
    tap(page, "Keep")
    page.wait_for_selector("button:has-text('Write down its name')")
    line = evening.board["rounds"][named["number"] - 1]
    assert (line["name"], line["corrected"]) == (None, False)
    page.evaluate("location.hash = ''")
    tap(page, "the name")
    page.wait_for_selector("button:has-text('the name')", state="detached")
    assert evening.board["rounds"][named["number"] - 1]["name"] == named["name"]


def test_a_name_that_came_to_mind_late_is_written_on_the_result(table: Table) -> None:
    """The round is won before anybody wrote; the result does not go away meanwhile."""
    evening = played(phase="secret").do("laid")
    table.serve(evening)
    page = table.tablet()
    tap(page, "Right")
    page.wait_for_selector(".phase-result")
    tap(page, "Write down its name")
    page.fill("#words", "a door left open")
    page.keyboard.press("Enter")
    page.wait_for_selector(".phase-result .cloud-name:has-text('a door')")
    assert evening.board["rounds"][-1]["name"] == "a door left open"


def test_the_standing_stays_at_the_foot_of_a_long_ledger(table: Table) -> None:
    """Twelve rounds: the sums are in view without scrolling."""
    evening = played(rounds=11)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    box = page.locator(".sum").bounding_box()
    assert box["y"] + box["height"] <= 800


def test_a_guess_that_was_only_looked_at_is_no_change(table: Table) -> None:
    """A guess of the open round is touched and left as it is; others enter two more: nothing is offered to
    be held, and nothing of theirs is lost."""
    evening = played(rounds=1, wrong=1)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 2:']")
    page.click(".opened .guess >> nth=0")
    page.wait_for_selector(".opened .guess.picked .switch")
    evening.do("wrong", card=evening.lying[0])
    page.wait_for_selector(".opened .guess >> nth=1")
    evening.do("right", card=evening.lying[0])
    page.wait_for_selector(".opened .guess >> nth=2")
    assert page.locator(".opened .guess.picked").count() == 1
    assert page.locator(".side .moves, .side .hold").count() == 0


def test_a_change_is_dropped_aloud_when_its_guesses_change(table: Table) -> None:
    """Another screen changes the round that is being changed here: the change is gone and that is said;
    a change of another round stays, and so does this one where only another round was corrected."""
    evening = played(rounds=3)
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 2:']")
    page.click(".opened .guess >> nth=0")
    page.click(".opened .guess.picked .switch button:has-text('right')")
    page.wait_for_selector(".side .hold")
    evening.do("correct", round=1, guesses=[{"right": True}])
    page.wait_for_selector(".round >> nth=-1 >> text=corrected")
    page.wait_for_selector(".side .hold")
    theirs = [{"right": False}, {"right": True}]
    evening.do("correct", round=2, guesses=theirs)
    page.wait_for_selector(".whole > .toast:has-text('Someone was quicker')")
    page.wait_for_selector(".opened .guess >> nth=1")
    assert page.locator(".side .moves, .side .hold").count() == 0
    assert [guess["right"] for guess in evening.board["rounds"][1]["guesses"]] == [False, True]


def test_a_held_repair_that_went_away_is_not_entered(table: Table) -> None:
    """While a finger rests on it another tablet writes in a missed round: the form goes, and with it what it
    would have done to another round."""
    evening = KeptEvening(NAMES).begin(NAMES[:4]).play_round(0).do("next")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A round is missing")
    page.dispatch_event(
        ".insert-form .hold", "pointerdown"
    )  # a finger, which moves with what it holds
    evening.do("insert", round=1, guesses=[{"right": True}])
    page.wait_for_selector(".insert-form", state="detached")
    page.wait_for_timeout(1500)
    assert len(evening.board["rounds"]) == 2


def test_a_held_correction_lands_on_no_other_round(table: Table) -> None:
    """The numbers move on while the finger rests on the button: it is held anew, for the round that was opened."""
    evening = KeptEvening(NAMES).begin(NAMES[:4])
    for _ in range(2):
        evening.do("laid").do("right").do("next")  # by touch all are alike
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    page.click("button[aria-label^='Round 2:']")
    page.click(".opened .guess >> nth=0")
    page.click(".guess.picked .switch button:has-text('wrong')")
    page.click(".guess .switch >> nth=1 >> button:has-text('right')")
    page.dispatch_event(".side .hold", "pointerdown")  # a finger, which moves with what it holds
    evening.do("insert", round=1, guesses=[{"right": True}])
    page.wait_for_selector(".toast:not(:empty)")
    assert all(one["guesses"][0]["right"] for one in evening.board["rounds"])
    hold(page, ".side .hold")
    page.wait_for_selector(".line:has-text('corrected')")
    told = [[guess["right"] for guess in one["guesses"]] for one in evening.board["rounds"]]
    assert told == [[True], [True], [False, True]]


def test_a_missed_round_keeps_the_number_its_form_was_opened_with(table: Table) -> None:
    """The open round ends meanwhile: what was to come before it still does."""
    evening = KeptEvening(NAMES).begin(NAMES[:4]).play_round(0).do("next").do("laid")
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "A round is missing")
    assert page.input_value("#mend-at") == "2"
    evening.do("right").do("next")
    page.wait_for_selector("#mend-at option >> nth=2", state="attached")
    assert page.input_value("#mend-at") == "2"


def test_another_daydreamer_is_meant_for_the_round_that_was_next(table: Table) -> None:
    """Its cards are laid meanwhile: the choice is not the round's after it, and that is said."""
    evening = KeptEvening(NAMES).begin(NAMES[:4])
    table.serve(evening)
    page = table.tablet()
    page.evaluate("location.hash = 'ledger'")
    tap(page, "Someone else daydreams")
    page.select_option("#mend-dreams", "2")
    evening.do("laid")
    page.wait_for_selector(".insert-form", state="detached")
    page.wait_for_selector(".toast:not(:empty)")
