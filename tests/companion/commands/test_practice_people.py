"""The practice table waits for somebody to look, its people give their clouds names, and in
one round it asks."""

from __future__ import annotations

import threading
from argparse import ArgumentParser, Namespace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from calibration.cameras.port import Frame
from calibration.check.sentences import LANGUAGES
from companion.capture.pacing import Pacer
from companion.commands import play
from companion.commands.shared import narrate, practice_people
from companion.commands.shared.decks import PlayedDeck
from companion.commands.shared.practice_people import CLOUD_NAMES, PracticePeople
from companion.commands.shared.sources import practice_source
from companion.evening.loop import keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.change import Changes
from companion.game.events import MOST_WORDS, QuestionAsked, RoundDealt
from companion.game.log import Entry
from companion.journal import Journal
from companion.practice.evening import open_practice
from companion.practice.truth import GuessTruth, RoundTruth, Truth
from companion.practice.witness import Witness
from companion.vision.second_reader.guarded import GuardedReader
from companion.web import Door, Server, create_app
from tests.support.kept_evening import NAMES, KeptEvening, played
from tests.support.tablet_states import asked as asked_of_a_round


def test_every_name_can_be_kept() -> None:
    """Five words at most, sixteen of them in each language, no two the same."""
    for names in CLOUD_NAMES.values():
        assert len(set(names)) == 16
        assert all(len(name.split()) <= MOST_WORDS for name in names)


def test_a_name_follows_the_deal_that_the_camera_saw(monkeypatch: Any) -> None:
    """A moment after the cards lie it stands with its round; cards laid by touch are people's own."""
    monkeypatch.setattr(practice_people, "TYPED_AFTER_S", 0.0)
    evening = played(phase="secret").do("laid")
    names = PracticePeople()
    names.session = evening.session
    number = evening.board["round"]["number"]
    for source in ("person", "camera"):
        names.hear(Entry(1, 0.0, source, RoundDealt(number, (None,) * 6)), evening.session.keeper)
        if names._typing is not None:
            names._typing.join()
        said = evening.board["round"]["name"]
        assert said == (None if source == "person" else CLOUD_NAMES["en"][number - 1])


def test_the_names_are_in_the_language_of_whoever_watches(monkeypatch: Any) -> None:
    """Whatever the edition; they have names in each language of the screens, and the server knows in which
    the first screen reads."""
    monkeypatch.setattr(practice_people, "TYPED_AFTER_S", 0.0)
    assert set(CLOUD_NAMES) == set(LANGUAGES)
    evening = played(phase="secret").do("laid")
    app = create_app(evening.session, Door())
    server = Server(app, "127.0.0.1", 0)
    people = PracticePeople()
    people.session = evening.session
    play._practice_waits(server, people)
    number = evening.board["round"]["number"]
    for asked, named in (("en", "en"), ("de", "de"), ("cs", "de")):
        if asked != "en":
            assert app.test_client().get(f"/words/{asked}.json").status_code == 200
        people.hear(
            Entry(1, 0.0, "camera", RoundDealt(number, (None,) * 6)), evening.session.keeper
        )
        assert people._typing is not None
        people._typing.join()
        assert evening.board["round"]["name"] == CLOUD_NAMES[named][number - 1]


def test_the_practice_table_begins_when_somebody_looks(monkeypatch: Any) -> None:
    """Where a screen is in, and for good also when it leaves; else after its minute."""
    now_s = [100.0]
    monkeypatch.setattr("companion.commands.play.time.monotonic", lambda: now_s[0])
    server: Any = SimpleNamespace(looked_at=False)
    nobody: Any = SimpleNamespace(looked_at=False)
    waits, alone = play.nobody_looks(server), play.nobody_looks(nobody)
    assert waits()
    server.looked_at = True
    assert not waits()
    server.looked_at = False
    assert not waits()
    now_s[0] += play.FIRST_SCREEN_S - 0.1
    assert alone()
    now_s[0] += 0.1
    assert not alone()


def test_the_practice_table_is_seen_before_anything_has_read_it(tmp_path: Path) -> None:
    """Its first picture is there before the watching begins, so before the terminal says an address;
    what is watched then begins with this very picture."""
    parser = ArgumentParser()
    play.configure(parser)
    args = parser.parse_args(["--data", str(tmp_path)])
    source = practice_source("practice", Namespace(players=3, edition="en", seed=5, rounds=1))
    with Journal(tmp_path / "practice") as journal, GuardedReader() as second_reader:
        session = Session(journal)
        deck = PlayedDeck(args, None, second_reader, tmp_path)
        watching = play._look_on(session, source, args, None, deck)
        assert watching is not None
        assert session.camera.picture_jpeg(320)
        watched = watching.camera.read()
        assert watched is not None
        assert watched.image is watching.frames.picture
        session.close()


def test_footage_stays_at_its_first_frame_while_it_is_held() -> None:
    """The first frame passes at once, so that there is a picture; the next when it is let go, or
    when the watching is stopped."""
    stop, held = threading.Event(), threading.Event()
    held.set()
    pacer = Pacer(1.0, stop, held.is_set)
    picture = np.zeros((2, 2, 3), np.uint8)
    passed: list[int] = []

    def watch() -> None:
        for number in range(3):
            pacer.wait_until_due(Frame(picture, 0.001 * number, number))
            passed.append(number)

    thread = threading.Thread(target=watch)
    thread.start()
    thread.join(0.3)
    assert passed == [0]
    held.clear()
    thread.join(5.0)
    assert passed == [0, 1, 2]


def test_an_eye_that_rests_reads_not_even_the_first_frame() -> None:
    """The practice table's picture is there without it: whoever opens the page at once has the machine."""
    stop, rests = threading.Event(), threading.Event()
    rests.set()
    pacer = Pacer(1.0, stop)
    pacer.held_first = rests.is_set
    passed = threading.Event()

    def watch() -> None:
        pacer.wait_until_due(Frame(np.zeros((2, 2, 3), np.uint8), 0.0, 0))
        passed.set()

    threading.Thread(target=watch, daemon=True).start()
    assert not passed.wait(0.3)
    rests.clear()
    assert passed.wait(30.0)


@pytest.mark.parametrize(("players", "edition", "seed"), [(3, "en", 1), (5, "de", 4)])
def test_one_round_of_the_practice_table_asks(players: int, edition: str, seed: int) -> None:
    """Its picture stands still in the second round, so that a question is asked before the next
    round lies; what really happened is one of its answers."""
    table = open_practice(Namespace(players=players, edition=edition, seed=seed))
    keeper = Scorekeeper()
    keeper.change(Changes((table.begun,)), 0.0)
    second, third = table.truth.rounds[1:3]
    witness = Witness(table.script, seed)
    moments = (witness.read_moment(n / 3) for n in range(int(third.dealt_s * 3)))
    seen = (raw for raw in moments if raw is not None)
    asked: set[int] = set()
    options: list[tuple[str, int]] = []
    for _ in keep_score(lambda _attention: next(seen, None), keeper):
        asked |= set(keeper.book.pending_questions)
        if (pending := keeper.book.pending_questions.get(2)) is not None:
            options = [(o.ending, o.wrong_count) for o in pending.question.options]
    assert asked == {2}
    assert (second.ending, len(second.guesses) - 1) in options


def test_the_practice_table_waits_for_an_answer() -> None:
    """It stands still from the question on, until somebody who watches answers; entries of other
    things change nothing of it."""
    evening = asked_of_a_round(KeptEvening(NAMES))
    question, keeper = evening.board["question"], evening.session.keeper
    people = PracticePeople()
    people.session = evening.session
    waits = play._practice_waits(cast(Any, SimpleNamespace(looked_at=True, language=None)), people)
    assert not waits()
    people.hear(Entry(1, 0.0, "camera", QuestionAsked(question["round"], "who_took")), keeper)
    assert waits()
    people.hear(Entry(2, 0.0, "camera", RoundDealt(question["round"] + 1, (None,) * 6)), keeper)
    assert waits()
    evening.do("answer", question=question["id"], option=question["options"][0]["option"])
    people.hear(evening.entries[-1], keeper)
    assert not waits()
    people.stop()


def test_they_answer_what_really_happened(monkeypatch: Any) -> None:
    """Some seconds after the question, unless somebody who watches was quicker."""
    monkeypatch.setattr(practice_people, "ANSWERED_AFTER_S", 0.0)
    evening = asked_of_a_round(KeptEvening(NAMES))
    number = evening.board["question"]["round"]
    options = {o["set_aside"]: o["key"] for o in evening.board["question"]["options"]}
    assert set(options) == {1, 2}
    guesses = tuple(GuessTruth(0, card, card == 3, 0.0) for card in (1, 2, 3))
    line = RoundTruth(number, 0, 1, (1, 2, 3), guesses, "claimed", 0.0, 0.0)
    truth = Truth(NAMES, 0, "en", "away", (), (line,) * number)
    people = PracticePeople(truth)
    people.session = evening.session
    entry = Entry(1, 0.0, "camera", QuestionAsked(number, "who_took"))
    people.hear(entry, evening.session.keeper)
    assert people._answering is not None
    people._answering.join()
    assert evening.board["question"] is None
    assert not people.wait_for_answer
    said = [guess["right"] for guess in evening.board["rounds"][number - 1]["guesses"]]
    assert said == [False, False, True]


def test_their_evening_ends_with_their_film() -> None:
    """No round is left to come where no more will be played; a question is waited for first."""
    evening = asked_of_a_round(KeptEvening(NAMES))
    question = evening.board["question"]
    people = PracticePeople()
    people.session = evening.session
    entry = Entry(1, 0.0, "camera", QuestionAsked(question["round"], "who_took"))
    people.hear(entry, evening.session.keeper)
    people.end_game()
    assert evening.board["phase"] != "over"
    evening.do("answer", question=question["id"], option=question["options"][0]["option"])
    people.hear(evening.entries[-1], evening.session.keeper)
    assert people._ending is not None
    people._ending.join()
    assert evening.board["phase"] == "over"


def test_the_last_line_names_the_command_that_goes_on() -> None:
    """A practice game goes on with `companion practice`, one that is over does not go on."""
    evening = played(phase="secret")
    assert "`companion` goes on" in play._good_night(evening.session, practice=False)
    assert "`companion practice` goes on" in play._good_night(evening.session, practice=True)
    evening.do("end")
    assert "`companion practice` begins another" in play._good_night(evening.session, practice=True)


def test_winners_are_listed_as_people_say_it() -> None:
    """ "and" stands before the last one only."""
    assert narrate.listed(["Ada"]) == "Ada"
    assert narrate.listed(["Ada", "Ben"]) == "Ada and Ben"
    assert narrate.listed(["Ada", "Ben", "Cleo", "Dan"]) == "Ada, Ben, Cleo and Dan"


def test_the_practice_table_waits_for_an_answer_that_was_taken_back() -> None:
    """The question is there again, and is answered in a minute by its people, should nobody do it."""
    evening = asked_of_a_round(KeptEvening(NAMES))
    people = PracticePeople()
    people.session = evening.session
    people.hear(evening.entries[-1], evening.session.keeper)
    assert people.wait_for_answer
    for act, waits in (("answer", False), ("undo", True), ("redo", False)):
        question = evening.board["question"]
        evening.do(act, **({"question": question["id"], "option": 0} if act == "answer" else {}))
        people.hear(evening.entries[-1], evening.session.keeper)
        assert people.wait_for_answer is waits, act
    people.stop()
