"""What people can ask for over an evening: begin, insert, missing cards, other players; and what a
restart shows."""

from __future__ import annotations

import csv
import io
import threading
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from calibration.cameras.webcam import CameraName
from companion.commands.shared import sources
from companion.commands.shared.practice_restart import TABLE, unfinished
from companion.errors import CameraTrouble, JournalTrouble
from companion.evening.session import LAST_SHOWN_S, Session
from companion.game.events import EveningBegun
from companion.game.round_history import history_of
from companion.journal import Journal
from companion.journal.export import evening_file
from companion.journal.people_signs import person_key
from companion.vision.eye import Eye

PLAYERS = ["Ada", "Ben", "Cleo", "Dan", "Eva"]


class Table:
    """A session with a clock of its own and a count of its commands."""

    def __init__(self, folder: Path, now_s: float = 1_000.0) -> None:
        self.folder, self.now_s, self.count = folder, now_s, 0
        self.journal = Journal(folder, lambda: self.now_s)
        self.session = Session(self.journal, clock=lambda: self.now_s)

    def ask(self, what: str, **more: Any) -> tuple[int, dict[str, Any]]:
        """Send one command with the present version."""
        self.count += 1
        asked = {
            "id": f"tap-{self.now_s}-{self.count:05d}",
            "version": self.session.version,
            "do": what,
            **more,
        }
        return self.session.command(asked)

    def do(self, what: str, **more: Any) -> dict[str, Any]:
        """A command that must be accepted; the scoreboard after it."""
        status, answer = self.ask(what, **more)
        assert status == 200, answer
        board: dict[str, Any] = answer["scoreboard"]
        return board

    def begin(self) -> dict[str, Any]:
        """Five players sit down."""
        return self.do("begin", players=PLAYERS, daydreamer=0)

    def round(self, *cards: int | None) -> dict[str, Any]:
        """A round whose first guess is right."""
        self.do("laid", cards=list(cards))
        return self.do("right")

    def again(self, after_s: float) -> Table:
        """The same folder after a restart."""
        self.session.close()
        return Table(self.folder, self.now_s + after_s)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """An empty table."""
    table = Table(tmp_path)
    yield table
    table.session.close()


def test_a_new_evening_is_one_act(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """`begin` is written once, with its command and its answer, whose version is already the new
    evening's."""
    writes: list[tuple[int, str | None]] = []
    append = table.journal.append

    def watched(entries: Any, command: str | None = None, *more: Any) -> Any:
        writes.append((len(entries), command))
        return append(entries, command, *more)

    monkeypatch.setattr(table.journal, "append", watched)
    asked = {
        "id": "begin-00001",
        "version": table.session.version,
        "do": "begin",
        "players": PLAYERS,
        "daydreamer": 2,
    }
    answer = table.session.command(dict(asked))
    assert writes == [(1, "begin-00001")]
    assert answer[1]["scoreboard"] == table.session.scoreboard()
    assert answer[1]["scoreboard"]["version"] == table.session.version
    assert table.session.command(dict(asked)) == answer


def test_an_evening_that_cannot_be_stored_did_not_begin(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full: the table is still being set, and the same tap works later."""

    def full(*_: object) -> None:
        raise JournalTrouble("The disk is full: make room and tap again.")

    with monkeypatch.context() as broken:
        broken.setattr(table.journal, "append", full)
        assert table.ask("begin", players=PLAYERS, daydreamer=0)[0] == 503
    assert table.session.scoreboard()["phase"] == "setup"
    assert table.begin()["phase"] == "secret"


def test_a_missing_round_is_added_and_the_roles_move_on(table: Table) -> None:
    """A round nobody entered is put before the first one: later rounds count one higher, undo takes
    it out again."""
    table.begin()
    before = table.round(1, 2, 3, 4, 5)
    board = table.do(
        "insert",
        round=1,
        guesses=[{"card": 7, "right": False}, {"right": True}],
        cards=[6, 7, 8, 9, 10],
    )
    assert [line["cards"] for line in board["rounds"]] == [[6, 7, 8, 9, 10], [1, 2, 3, 4, 5]]
    assert [line["daydreamer"] for line in board["rounds"]] == [0, 4]
    assert board["rounds"][0]["gains"] == [1, 0, 4, 0, 0]
    assert board["undo"]["what"] == "insert"
    assert table.do("undo")["rounds"] == before["rounds"]


def test_a_round_that_people_let_not_count_is_none_that_nobody_saw(table: Table) -> None:
    """By touch no card has a number; the round was played, and nobody is asked to fill it in."""
    table.begin()
    for at in range(2):
        table.now_s += 10
        table.do("laid")
        table.now_s += 10
        if at == 0:
            table.do("right")
        void = table.do("void", round=at + 1, cards="out")
    assert [(line["ending"], line["unseen"]) for line in void["rounds"]] == [("void", False)] * 2


def test_a_missing_round_is_counted_for_those_who_sat_there_then(table: Table) -> None:
    """Four sat there and six clouds lay; that a fifth came later changes nothing of it."""
    table.do("begin", players=PLAYERS[:4], daydreamer=0)
    table.do("laid")
    table.do("right")
    table.do("players", players=PLAYERS)
    board = table.do("laid")
    assert [line["full_attempts"] for line in board["rounds"]] == [4, 3]
    board = table.do("insert", round=1, guesses=[{"right": False}] * 4)
    assert board["inserted"] == [1]
    missed = board["rounds"][0]
    assert (len(missed["cards"]), missed["ending"], missed["gains"][missed["lookout"]]) == (
        6,
        "lookout",
        6,
    )
    assert [len(line["circle"]) for line in board["rounds"]] == [4, 4, 5]
    assert board["balanced"]


def test_who_was_seated_before_the_first_deal_sat_in_a_first_round_that_was_missed(
    table: Table,
) -> None:
    """Eva was forgotten at set-up, and entered before any cloud lay: the round that is written in
    before the first one is hers, too."""
    table.do("begin", players=PLAYERS[:4], daydreamer=0)
    table.do("players", players=PLAYERS)
    table.do("laid")
    table.do("right")
    board = table.do("insert", round=1, guesses=[{"right": True}])
    assert [len(line["circle"]) for line in board["rounds"]] == [5, 5]
    assert [len(line["cards"]) for line in board["rounds"]] == [5, 5]
    assert table.do("undo")["inserted"] == []


def test_a_name_told_in_place_of_another_one_is_refused(table: Table) -> None:
    """Another screen gave one meanwhile; the same name, and one told in place of it, are taken."""
    table.begin()
    table.do("laid")
    table.do("name", words="blue cow")
    status, told = table.ask("name", words="old shoe", instead_of="")
    assert (status, told["reason"], told["params"]) == (
        422,
        "name_changed",
        {"round": 1, "now": "blue cow"},
    )
    table.do("name", words="blue cow", instead_of="")
    assert table.do("name", words="old shoe", instead_of="blue cow")["round"]["name"] == "old shoe"
    assert table.do("name", words="", instead_of="old shoe")["round"]["name"] is None


def test_a_name_stays_with_its_round_when_an_added_one_is_taken_back(table: Table) -> None:
    """Named while the numbers were higher: it moves back with its round, and the name of the added
    round goes and comes with it."""
    table.begin()
    for first in (1, 6, 11):
        table.round(*range(first, first + 5))
    table.do("insert", round=1, guesses=[{"right": True}])
    table.do("name", round=3, words="shy heron")
    table.do("name", round=1, words="a whale")
    names = [line["name"] for line in table.do("undo")["rounds"]]
    assert names == [None, "shy heron", None]
    names = [line["name"] for line in table.do("redo")["rounds"]]
    assert names == ["a whale", None, "shy heron", None]
    names = [line["name"] for line in table.do("undo")["rounds"]]
    assert names == [None, "shy heron", None]


def test_what_is_entered_while_an_added_round_is_taken_back_keeps_its_round(table: Table) -> None:
    """Named then, and the round comes back: the name moves on with its round."""
    table.begin()
    table.round(*range(1, 6))
    table.round(*range(6, 11))
    table.do("insert", round=1, guesses=[{"right": True}])
    table.do("undo")
    table.do("name", round=2, words="shy heron")
    names = [line["name"] for line in table.do("redo")["rounds"]]
    assert names == [None, None, "shy heron"]


def test_the_result_is_shown_after_an_added_round_was_taken_back(table: Table) -> None:
    """The next round was waited for by a higher number: the result of that round is not passed over."""
    table.begin()
    table.round(*range(1, 6))
    table.do("insert", round=1, guesses=[{"right": True}])
    table.do("next")
    table.do("undo")
    table.do("next")
    assert table.round(*range(6, 11))["phase"] == "result"


def test_an_added_round_may_have_cards_nobody_remembers(table: Table) -> None:
    """Without card numbers as many unknown ones are entered as a deal has."""
    table.begin()
    board = table.do("insert", round=1, guesses=[{"right": True}])
    assert board["rounds"][0]["cards"] == [None] * 5
    assert board["players"][1]["cards"] == 5


def test_missing_cards_shorten_the_evening(table: Table) -> None:
    """Two cards are not in the box, one of them known: the deck holds two fewer; twice the same is
    refused; undo works."""
    left = table.begin()["deck_left"]
    board = table.do("missing", cards=[17, None])
    assert board["deck_left"] == left - 2
    assert (board["undo"]["what"], board["deck_size"]) == ("deck", 78)
    assert table.do("deck", size=78)["deck_left"] == left - 2
    assert table.ask("missing", cards=[17])[1]["reason"] == "card_twice"
    assert table.ask("missing", cards="17")[1]["reason"] == "command_shape"
    assert board["missing"] == [17, None]
    assert table.do("undo")["deck_left"] == left - 2
    assert table.do("undo")["deck_left"] == left


def test_a_number_that_no_cloud_has_is_refused(table: Table) -> None:
    """A slip of the finger, where cards are missing and where a round is written down, costs no round;
    a deck that is counted larger has more numbers."""
    table.begin()
    table.round(1, 2, 3, 4, 5)
    right = [{"card": 99, "right": True}]
    for do, told in (
        ("missing", {}),
        ("correct", {"round": 1, "guesses": right}),
        ("insert", {"round": 1, "guesses": right}),
    ):
        status, answer = table.ask(do, cards=[99, 2, 3, 4, 5], **told)
        assert (status, answer["reason"], answer["params"]) == (422, "no_such_card", {"card": 99})
    table.do("deck", size=99)
    assert table.do("missing", cards=[99])["missing"] == [99]


def test_other_players_and_who_goes_on(table: Table) -> None:
    """A player leaves, one comes, and the named one is the next Daydreamer; a seat that is not
    there is refused."""
    table.begin()
    table.round(1, 2, 3, 4, 5)
    board = table.do("players", players=["Ada", "Ben", "Fritz", "Eva"], daydreamer=2)
    names = {player["seat"]: player["name"] for player in board["players"]}
    board = table.do("next")
    assert names[board["round"]["daydreamer"]] == "Fritz"
    assert board["round"]["draw"] == 6
    assert (
        table.ask("players", players=["Ada", "Ben", "Eva"], daydreamer=9)[1]["reason"]
        == "command_shape"
    )


def test_the_winner_stands_there_again_after_a_restart(table: Table) -> None:
    """Soon after the end a restart shows the finished evening; long after, an empty table; both can
    begin anew."""
    table.begin()
    table.round(1, 2, 3, 4, 5)
    ended = table.do("end")
    assert ended["phase"] == "over"
    soon = table.again(60.0)
    assert soon.session.scoreboard() == ended
    assert soon.do("rematch")["phase"] == "secret"
    soon.do("end")
    late = soon.again(LAST_SHOWN_S + 60.0)
    assert late.session.scoreboard()["phase"] == "setup"
    assert late.begin()["round"]["number"] == 1
    late.session.close()


def test_the_table_for_spreadsheets_opens_with_every_letter(table: Table) -> None:
    """The CSV begins with the mark that spreadsheets need, and holds names of any language."""
    table.do("begin", players=["Ñandú", "Řehoř", "Zoë"], daydreamer=0)
    table.round(1, 2, 3, 4)
    name, data = evening_file(table.session.log, "csv")
    assert name.endswith(".csv")
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert rows[0][-3:] == ["Ñandú", "Řehoř", "Zoë"]


def test_a_terminal_that_is_gone_does_not_stop_the_evening(tmp_path: Path) -> None:
    """Whoever listens to the entries may break; the entry counts all the same."""

    def gone(*_: object) -> None:
        raise BrokenPipeError

    session = Session(Journal(tmp_path), on_entry=gone)
    asked = {"id": "begin-00001", "version": 0, "do": "begin", "players": PLAYERS, "daydreamer": 0}
    assert session.command(asked)[0] == 200
    assert session.scoreboard()["phase"] == "secret"
    session.close()


# --- which camera, which evening


@pytest.fixture
def no_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without cameras."""
    monkeypatch.setattr("calibration.cameras.webcam.list_cameras", list)


@pytest.mark.usefixtures("no_cameras")
def test_without_a_camera_an_evening_that_was_begun_goes_on_by_touch(table: Table) -> None:
    """`auto` never plays practice over a real evening that is not over; once it is, the practice
    table opens."""
    table.begin()
    table.session.close()
    source = sources.open_source("auto", table.folder)
    assert source.camera is None
    assert "by touch" in source.said
    table = table.again(10.0)
    table.do("end")
    table.session.close()
    assert sources.open_source("auto", table.folder).practice


class Opened:
    """Takes a live camera's place: remembers how it would be opened."""

    sources: ClassVar[list[str]] = []

    def __init__(self, opener: object, source: str, name: str) -> None:
        self.sources.append(source)
        self.name = name

    def open(self) -> Opened:
        """Number 0 is taken by another program."""
        if self.name == "Busy":
            raise CameraTrouble("camera 0 does not open")
        return self

    def close(self) -> None:
        """Nothing to let go of."""


@pytest.mark.parametrize(
    ("chosen", "opened_by"),
    [("2", "HD Pro"), ("pro", "pro"), ("3", "3"), ("auto", "HD Pro"), ("9", "9")],
)
def test_a_camera_is_found_again_by_its_name(
    monkeypatch: pytest.MonkeyPatch, chosen: str, opened_by: str
) -> None:
    """A camera with a name of its own is opened by that, so that another number after a replug does
    not matter; twins by number. `auto` passes over cameras that do not open."""
    there = [
        CameraName(0, "Busy"),
        CameraName(2, "HD Pro"),
        CameraName(3, "Twin"),
        CameraName(4, "Twin"),
    ]
    monkeypatch.setattr("calibration.cameras.webcam.list_cameras", lambda: there)
    monkeypatch.setattr("companion.capture.live.LiveCamera", Opened)
    Opened.sources.clear()
    source = sources.open_source(chosen)
    assert source.camera is not None
    assert Opened.sources[-1] == opened_by
    assert source.camera.name in source.said


def sit_down(folder: Path, args: Namespace | None = None) -> tuple[int, EveningBegun, float]:
    """Open the practice table as a start of the companion does, without looking: evening, who
    plays, the film's moment."""
    source = sources.practice_source("practice", args, folder)
    with Journal(folder / "practice") as journal:
        session = Session(journal)
        source.prepare(session)
        frames: Any = source.camera
        return session.journal.evening or 0, frames.begun, frames._number / frames.fps


def test_a_practice_evening_goes_on_at_the_same_table(tmp_path: Path) -> None:
    """Started again it is the same evening with the same game; other options, or a damaged file,
    make a new one."""
    first = sit_down(tmp_path, Namespace(players=3, rounds=1))
    assert sit_down(tmp_path, Namespace(players=3, rounds=1)) == first
    assert sit_down(tmp_path) == first
    other = sit_down(tmp_path, Namespace(players=4, rounds=1))
    assert (other[0], len(other[1].players)) == (first[0] + 1, 4)
    (tmp_path / "practice" / TABLE).write_text("{")
    assert sit_down(tmp_path)[0] == other[0] + 1
    evening = unfinished(tmp_path / "practice")
    assert evening is not None
    assert evening.film_s == 0.0


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("players", {"players": "abc"}),
        ("players", {"players": {"a": 1, "b": 2, "c": 3}}),
        ("laid", {"cards": "1234"}),
        ("laid", {"cards": [1, 2, 3, 4, 1000]}),
        ("laid", {"cards": [0, 1, 2, 3, 4]}),
        ("name", {"words": {"a": 1}}),
        ("name", {"words": None}),
        ("insert", {"round": 1, "guesses": [{"right": "yes"}]}),
        ("insert", {"round": 1, "guesses": [[True]]}),
        ("insert", {"round": 1, "guesses": {"right": True}}),
        ("missing", {"cards": "17"}),
    ],
)
def test_a_command_of_another_shape_is_refused(
    table: Table, what: str, more: dict[str, Any]
) -> None:
    """Text where a list belongs, numbers no card has, words that are none: refused, and nothing
    changes."""
    before = table.begin()
    status, answer = table.ask(what, **more)
    assert (status, answer["reason"]) == (422, "command_shape")
    assert table.session.scoreboard() == before


def test_what_people_write_commands_no_terminal(table: Table) -> None:
    """Control characters and marks that turn the writing round never get in; an Arabic name and a
    family of emoji do."""
    names = ["Ada\x1b[2J", "\u202eBen", "نور الدين", "👩\u200d👩\u200d👧 Tři\x00"]
    table.do("begin", players=names, daydreamer=0)
    board = table.do("name", words="a\x1b]0;whale\x07 on\u2066 ice")
    assert [p["name"] for p in board["players"]] == [
        "Ada [2J",
        "Ben",
        "نور الدين",
        "👩\u200d👩\u200d👧 Tři",
    ]
    assert board["round"]["name"] == "a ]0;whale on ice"


@pytest.mark.parametrize("twin", ["Ada\u200b", "A\u00adda", "\ufeffAda", "\u200d", "\u2060 \u200b"])
def test_no_name_differs_only_in_what_nobody_sees(table: Table, twin: str) -> None:
    """A second Ada with an unseen character is the same name, and unseen characters alone are none:
    both are refused."""
    assert table.ask("begin", players=["Ada", twin, "Ben"], daydreamer=0)[0] == 422


@pytest.mark.parametrize("twin", ["Jose\u0301", "JOSE\u0301", "Jose\u200b\u0301"])
def test_no_name_differs_only_in_how_its_letters_are_written(table: Table, twin: str) -> None:
    """An e with an accent is one sign or two: nobody sees which, so it is one name, at the table and in
    the book of evenings."""
    assert table.ask("begin", players=["José", twin, "Ben"], daydreamer=0)[0] == 422
    board = table.do("begin", players=["Ada", "Jose\u0301", "Ben"], daydreamer=0)
    assert board["players"][1]["name"] == "José"
    assert person_key(twin.replace("\u200b", "")) == person_key("José")


def test_a_rematch_waits_for_the_end(table: Table) -> None:
    """In the middle of an evening nobody begins another one by a touch: it is refused, and the
    evening goes on."""
    table.begin()
    before = table.round(1, 2, 3, 4, 5)
    status, answer = table.ask("rematch")
    assert (status, answer["reason"]) == (422, "evening_begun")
    assert table.session.scoreboard() == before


def test_a_rematch_is_played_with_the_cards_that_lie_here_now(table: Table) -> None:
    """A deck that was chosen after the end has its own number of cards; else there are as many as the
    evening had. It is known without a camera, too."""
    table.do("begin", players=PLAYERS, daydreamer=0, deck_size=75)
    table.round(1, 2, 3, 4, 5)
    assert table.do("end")["coming_deck_size"] == 75
    assert table.session.play_with(Eye(), frozenset(range(1, 21)), "Our box") is None
    board = table.session.scoreboard()
    assert (board["learnt_deck"], board["coming_deck_size"]) == ("Our box", 20)
    board = table.do("rematch")
    assert (board["played_deck"], board["deck_size"]) == ("Our box", 20)
    assert board["round"]["of"] == 4
    table.do("end")
    assert table.session.play_with(Eye(), frozenset(range(1, 31)), "Our box") is None
    assert table.do("rematch")["deck_size"] == 30  # more of it was learnt meanwhile
    table.do("undo")
    assert table.session.play_with(Eye(), frozenset(range(1, 81))) is None
    assert table.do("rematch")["deck_size"] == 80


def test_a_table_is_set_with_the_deck_it_plays_with(tmp_path: Path) -> None:
    """Also where no camera looks: its name, and how many cards it has."""
    session = Session(Journal(tmp_path), frozenset(range(1, 21)), learnt_deck="Our box")
    board = session.scoreboard()
    assert (board["learnt_deck"], board["deck_size"], board["coming_deck_size"]) == (
        "Our box",
        20,
        20,
    )
    session.close()


def test_undo_leads_from_a_rematch_back_to_the_finished_evening(table: Table) -> None:
    """As long as nothing was played, also after a restart; then undo takes back what was played, and
    the same people can sit down again."""
    table.begin()
    table.round(1, 2, 3, 4, 5)
    ended = table.do("end")
    assert table.do("rematch")["undo"] == {"what": "rematch", "seat": None}
    assert table.do("undo") == ended
    table = table.again(60.0)
    assert table.session.scoreboard() == ended
    table.do("rematch")
    laid = table.do("laid", cards=[1, 2, 3, 4, 5])
    assert laid["undo"]["what"] == "laid"
    assert table.do("undo")["undo"]["what"] == "rematch"
    assert table.do("undo") == ended


def test_redo_is_offered_until_something_else_happens(table: Table) -> None:
    """The scoreboard says so on every screen: after an undo yes, after the next act no; a name is
    none."""
    table.begin()
    assert table.do("laid", cards=[1, 2, 3, 4, 5])["redo"] is False
    assert table.do("undo")["redo"] is True
    assert table.do("redo")["redo"] is False
    table.do("undo")
    assert table.do("name", words="a whale")["redo"] is True
    assert table.do("laid", cards=[6, 7, 8, 9, 10])["redo"] is False


def test_a_screen_gets_every_scoreboard_in_order_and_skips_only_when_far_behind(
    table: Table,
) -> None:
    """Ten changes between two looks are all given, one after the other; after forty more the newest
    comes at once."""
    table.begin()
    session = table.session
    first, seen = session.wait_for_change(-1, 1)
    assert first is not None
    told = [table.do("name", words=f"cloud {i}")["version"] for i in range(10)]
    got = []
    for _ in told:
        board, seen = session.wait_for_change(seen, 1)
        got.append(board["version"] if board else None)
    assert got == told
    assert session.wait_for_change(seen, 0.01) == (None, seen)
    newest = [table.do("name", words=f"cloud {i}") for i in range(40)][-1]
    assert session.wait_for_change(seen, 1)[0] == newest


def test_a_screen_that_waits_is_woken_when_the_server_stops(table: Table) -> None:
    """It would wait for minutes, and hold a thread of the server as long."""
    table.begin()
    session = table.session
    _, seen = session.wait_for_change(-1, 1)
    got: list[Any] = []
    screen = threading.Thread(
        target=lambda: got.append(session.wait_for_change(seen, 300)), daemon=True
    )
    screen.start()
    for _ in range(600):
        session.wake_screens()
        screen.join(0.05)
        if got:
            break
    assert got == [(None, seen)]


def test_every_version_of_a_round_is_kept_with_its_author(table: Table) -> None:
    """A guess, its undo and a correction: each line says who, and what no longer counts is marked."""
    table.begin()
    table.do("laid", cards=[1, 2, 3, 4, 5], author="Tablet")
    table.do("set_aside", card=1, author="Tablet")
    table.do("undo", author="Phone")
    table.do("right", author="Phone")
    told = [
        (e["what"], e["author"], e["attempt"], e["card"], e["gone"])
        for e in history_of(table.session.log, 1)
    ]
    assert told == [
        ("laid", "Tablet", None, None, False),
        ("set_aside", "Tablet", 1, 1, True),
        ("back", "Phone", None, None, False),
        ("right", "Phone", 1, None, False),
    ]
    assert history_of(table.session.log, 7) == []


def test_a_correction_made_from_older_guesses_is_refused(table: Table) -> None:
    """Another screen corrected the round since: refused, and the round stays as it was left; from the
    guesses as they are now it is entered."""
    table.begin()
    told = table.round(1, 2, 3, 4, 5)["rounds"][0]["guesses"]
    seen = [{"card": guess["card"], "right": guess["right"]} for guess in told]
    theirs = [{"card": 2, "right": False}, {"card": 3, "right": True}]
    board = table.do("correct", round=1, guesses=theirs, instead_of=seen)
    mine = [{"card": 4, "right": True}]
    status, answer = table.ask("correct", round=1, guesses=mine, instead_of=seen)
    assert (status, answer["reason"]) == (422, "round_changed")
    assert table.session.scoreboard()["rounds"] == board["rounds"]
    after = table.do("correct", round=1, guesses=mine, instead_of=theirs)
    assert [guess["card"] for guess in after["rounds"][0]["guesses"]] == [4]


def test_a_circle_told_in_place_of_an_older_one_is_refused(table: Table) -> None:
    """Another screen seated somebody since: an older list wins over nothing, not even one that only says who
    daydreams; told in place of the present circle it is entered."""
    table.begin()
    table.do("players", players=[*PLAYERS, "Flo"], instead_of=PLAYERS)
    status, answer = table.ask("players", players=PLAYERS, daydreamer=2, instead_of=PLAYERS)
    assert (status, answer["reason"]) == (422, "seats_changed")
    board = table.do("players", players=PLAYERS, instead_of=[*PLAYERS, "Flo"])
    assert [board["players"][at]["name"] for at in board["next"]["circle"]] == PLAYERS
