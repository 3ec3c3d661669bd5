"""The session: one writer, whole acts, the same answer to the same command, and nothing lost."""

from __future__ import annotations

import json
import math
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.evening.session import Session
from companion.game.round_history import history_of
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.journal.side import SideLog
from companion.journal.watched import Watched
from companion.table.sighting import (
    Glimpse,
    PlaceReport,
    PlaceState,
    RawGlimpse,
    Sighting,
    TableView,
)
from tests.support.kept_evening import NAMES, KeptEvening, played
from tests.support.tablet_states import asked, asked_before

PLAYERS = ["Guido", "Martino", "Giacomo", "Gabriele", "Livio", "Demis"]
MIDDLE = ((0.0, 0.0), (700.0, 0.0), (700.0, 400.0), (0.0, 400.0))
TRAY = ((750.0, 0.0), (950.0, 0.0), (950.0, 300.0), (750.0, 300.0))


class Table:
    """A session with a count of its commands."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder)
        self.session = Session(self.journal)
        self.count = 0

    def do(self, what: str, **more: Any) -> tuple[int, dict[str, Any]]:
        """Send one command with the present version."""
        self.count += 1
        asked = {
            "id": f"command-{id(self)}-{self.count:05d}",
            "version": self.session.version,
            "do": what,
            **more,
        }
        return self.session.command(asked)

    def begin(self, players: list[str] | None = None) -> dict[str, Any]:
        """Sit down and show the board."""
        status, answer = self.do(
            "begin",
            players=players or PLAYERS,
            daydreamer=0,
            edition="en",
            deck_size=80,
            handling="auto",
        )
        assert status == 200, answer
        board: dict[str, Any] = answer["scoreboard"]
        return board


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table with an empty journal."""
    table = Table(tmp_path)
    yield table
    table.session.close()


FIXED = (
    ("begin", {"players": NAMES[:6], "daydreamer": 0}),
    ("rematch", {}),
    ("players", {"players": NAMES[:4]}),
    ("rules", {"edition": "de", "handling": "auto"}),
    ("deck", {"size": 60}),
    ("end", {}),
)


@pytest.mark.parametrize("played_s", [0, 1])
def test_while_the_practice_table_plays_its_people_and_rules_stay(played_s: int) -> None:
    """In its first secret part as in the middle; what is said of a round goes on."""
    evening = KeptEvening().begin(NAMES[:5])
    if played_s:
        evening.play_round(1)
    evening.watched(practice=True)
    before = evening.entries
    for do, more in FIXED:
        status, answer = evening.ask(do, **more)
        assert (status, answer.get("reason")) == (422, "practice_plays"), do
    refused = evening.session.go_on(1, None)
    assert isinstance(refused, Refusal)
    assert refused.reason == "practice_plays"
    assert evening.entries == before
    evening.do("name", round=1, words="a whale")


@pytest.mark.parametrize("how", ["begin", "rematch"])
def test_after_the_practice_game_a_new_evening_is_kept_by_touch(how: str) -> None:
    """Its end is said for as long as its evening is shown; the next one's is people's own."""
    evening = KeptEvening().begin(NAMES[:5]).play_round(1).watched(practice=True)
    evening.camera_is("ended").do("end")
    assert (evening.board["practice"], evening.board["practice_over"]) == (False, True)
    evening.do(how, **({"players": NAMES[:4], "daydreamer": 1} if how == "begin" else {}))
    assert (evening.board["practice"], evening.board["practice_over"]) == (False, False)
    assert evening.board["camera"]["state"] == "off"


def test_the_worked_example_by_touch(table: Table) -> None:
    """Three wrong, then Livio is right: Guido and Livio gain three each, and the roles pass one
    seat to the right."""
    board = table.begin()
    assert board["phase"] == "secret"
    assert (board["round"]["daydreamer"], board["round"]["lookout"], board["round"]["draw"]) == (
        0,
        5,
        6,
    )
    table.do("laid")
    for _ in range(3):
        table.do("set_aside")
    status, answer = table.do("right")
    board = answer["scoreboard"]
    assert status == 200
    assert [player["cards"] for player in board["players"]] == [3, 0, 0, 0, 3, 0]
    assert board["last"] == {
        "text_key": "right",
        "seat": 4,
        "gain": 3,
        "guess": 4,
        "others": [[0, 3]],
    }
    board = table.do("next")[1]["scoreboard"]
    assert (board["round"]["daydreamer"], board["round"]["lookout"], board["round"]["number"]) == (
        5,
        4,
        2,
    )


@pytest.mark.parametrize("edition", ["de", "en"])
def test_wrong_guesses_by_touch_stay_where_the_edition_keeps_them(
    table: Table, edition: str
) -> None:
    """In German they lie among the clouds, face down; elsewhere their places stay empty. No other
    cloud moves."""
    table.do("begin", players=PLAYERS, daydreamer=0, edition=edition, deck_size=80, handling="auto")
    table.do("laid")
    before = table.session.scoreboard()["round"]["middle"]
    table.do("set_aside")
    table.do("set_aside")
    after = table.session.scoreboard()["round"]["middle"]
    lying = [cloud for cloud in after if not cloud["down"]]
    assert lying == before[:4]
    assert [(cloud["x"], cloud["y"]) for cloud in after if cloud["down"]] == (
        [(cloud["x"], cloud["y"]) for cloud in before[4:]] if edition == "de" else []
    )


def test_the_same_command_twice_counts_once(table: Table) -> None:
    """A tablet that sends a tap again gets the same answer, and the guess stands once."""
    table.begin()
    table.do("laid")
    asked = {"id": "tap-0001", "version": table.session.version, "do": "wrong"}
    first = table.session.command(dict(asked))
    again = table.session.command(dict(asked))
    assert first == again
    assert len(table.session.scoreboard()["round"]["guesses"]) == 1


def test_a_stale_command_is_shown_the_present_state(table: Table) -> None:
    """A tap that did not see the last entry changes nothing and gets 409 with the state."""
    table.begin()
    old = table.session.version
    table.do("laid")
    status, answer = table.session.command({"id": "late-tap-1", "version": old, "do": "laid"})
    assert status == 409
    assert answer["scoreboard"] == table.session.scoreboard()


def test_two_tablets_at_once_never_double_a_point(table: Table) -> None:
    """Of eight taps that saw the same state, one wins and seven are told to look again."""
    table.begin()
    table.do("laid")
    version = table.session.version
    results: list[int] = []

    def tap(number: int) -> None:
        results.append(
            table.session.command({"id": f"race-{number:04d}", "version": version, "do": "wrong"})[
                0
            ]
        )

    threads = [threading.Thread(target=tap, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [200] + [409] * 7
    assert len(table.session.scoreboard()["round"]["guesses"]) == 1


def test_an_evening_goes_on_at_the_exact_event(tmp_path: Path) -> None:
    """Closed in the middle of a round and opened again, the board is the same, and so is the answer
    to the last tap."""
    table = Table(tmp_path)
    table.begin()
    table.do("laid", cards=[1, 2, 3, 4, 5, 6])
    asked = {"id": "last-tap-1", "version": table.session.version, "do": "wrong", "card": 3}
    answer = table.session.command(dict(asked))
    before = table.session.scoreboard()
    table.session.close()
    again = Table(tmp_path)
    assert again.session.scoreboard() == before
    assert again.session.command(dict(asked)) == (answer[0], json.loads(json.dumps(answer[1])))
    again.session.close()


@pytest.mark.parametrize(
    ("do", "more", "reason"),
    [
        ("right", {}, "no_round"),
        ("begin", {"players": ["A", "B"], "daydreamer": 0}, "players_count"),
        ("begin", {"players": ["A", "B", "a "], "daydreamer": 0}, "player_twice"),
        ("begin", {"players": ["A", "", "C"], "daydreamer": 0}, "player_unnamed"),
        ("begin", {"players": ["A", "B", "C"], "daydreamer": 7}, "unknown_daydreamer"),
        ("begin", {"players": "ABC"}, "command_shape"),
        ("fly", {}, "unknown_command"),
        ("answer", {"question": "q9", "option": 0}, "question_gone"),
        ("name", {"words": "one two three four five six"}, "name_words"),
        ("correct", {"round": 3, "guesses": [{"right": True}]}, "no_round"),
        ("players", {"players": ["A", 4]}, "command_shape"),
        ("camera", {"on": True}, "no_camera"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    table: Table, do: str, more: dict[str, Any], reason: str
) -> None:
    """A refused command names its reason and changes nothing."""
    if do != "begin":
        table.begin()
    before = table.session.scoreboard()
    status, answer = table.do(do, **more)
    assert (status, answer.get("reason")) == (422, reason)
    assert table.session.scoreboard() == before


def test_a_past_guess_is_corrected_and_everything_after_follows(table: Table) -> None:
    """Round one's claim becomes a wrong guess and a later claim; the totals change, round two
    stays."""
    table.begin(["A", "B", "C", "D", "E"])
    table.do("laid", cards=[1, 2, 3, 4, 5])
    table.do("right", card=2)
    table.do("laid", cards=[6, 7, 8, 9, 10])
    table.do("set_aside", card=6)
    status, answer = table.do(
        "correct", round=1, guesses=[{"card": 2, "right": False}, {"card": 3, "right": True}]
    )
    board = answer["scoreboard"]
    assert status == 200
    assert board["rounds"][0]["gains"] == [1, 0, 4, 0, 0]
    assert board["rounds"][0]["corrected"]
    assert board["round"]["guesses"][0]["card"] == 6
    assert table.do("undo")[1]["scoreboard"]["rounds"][0]["gains"] == [0, 5, 0, 0, 0]


def _lie(
    t_s: float, cards: dict[int, tuple[float, float]], gone: dict[int, tuple[float, float]]
) -> Glimpse:
    seen = tuple(
        Sighting(c, at, 0.0, ((0, 0), (1, 0), (1, 1), (0, 1)), 0.9) for c, at in cards.items()
    )
    places = [PlaceReport(c, at, PlaceState.MARKER) for c, at in cards.items()]
    places += [PlaceReport(c, at, PlaceState.TABLE) for c, at in gone.items() if c not in cards]
    return Glimpse(t_s, seen, tuple(places), table=TableView(MIDDLE, TRAY))


def test_glimpses_become_entries_and_a_score(table: Table) -> None:
    """Five cards lie, one goes to the tray, four are taken: Daydreamer +1, the second Spectator +4,
    without a tap."""
    table.begin(["A", "B", "C", "D", "E"])
    spots = {card: (100.0 * card, 150.0) for card in range(1, 6)}
    for tick in range(400):
        t_s = tick / 10
        cards = dict(spots)
        if t_s > 8:
            cards[3] = (850.0, 100.0)
        if t_s > 15:
            cards = {3: cards[3]}
        seen = table.session.draw_curtain(RawGlimpse(_lie(t_s, cards, spots)))
        table.session.observe_glimpse(seen, 1_000.0)
    board = table.session.scoreboard()
    assert [player["cards"] for player in board["players"]] == [1, 0, 4, 0, 0]
    assert board["rounds"][0]["guesses"][0]["source"] == "camera"
    assert board["question"] is None


def test_a_full_disk_enters_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the journal cannot write, the tap is refused in words, the board stays, and the next tap
    works again."""
    from companion.errors import JournalTrouble

    table.begin()
    before = table.session.scoreboard()
    with monkeypatch.context() as broken:
        broken.setattr(
            table.journal,
            "append",
            _raise(JournalTrouble("The disk is full: make room and tap again.")),
        )
        status, answer = table.do("laid")
    assert (status, answer["error"]) == (503, "cannot_save")
    assert table.session.scoreboard()["phase"] == before["phase"] == "secret"
    assert table.do("laid")[0] == 200


def test_a_disk_that_takes_no_second_copy_is_told_of(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database still takes what the side log cannot: the tap counts, and every screen says that it
    stands there once, until the next tap writes what is missing. Nobody had heard of it."""
    table.begin()
    with monkeypatch.context() as full:
        full.setattr(SideLog, "_catch_up", _raise(OSError(28, "No space left on device")))
        assert table.do("laid")[0] == 200
    notices = [one["key"] for one in table.session.scoreboard()["notices"]]
    assert notices == ["kept_once"]
    assert table.do("set_aside")[0] == 200
    assert table.session.scoreboard()["notices"] == []
    lines = (table.journal.folder / "evenings" / "0001.jsonl").read_bytes().splitlines()
    assert len(lines) == len(table.journal.log.entries)


def _raise(error: Exception) -> Any:
    def act(*_: object, **__: object) -> None:
        raise error

    return act


def test_a_restart_knows_when_somebody_looked_last(tmp_path: Path) -> None:
    """The time of the last look outlives the process, to within some seconds, and a disk that does
    not take it stops nothing."""
    table = Table(tmp_path)
    table.begin()
    now_s = table.session.clock()
    for t_s in (0.0, 1.0, 5.0, 6.0):
        table.session.observe_glimpse(Glimpse(t_s, (), table=TableView(MIDDLE, TRAY)), now_s)
    table.session.close()
    assert now_s + 4.0 < Watched(tmp_path).until_s < now_s + 6.0
    (tmp_path / "journal.watched").unlink()
    (tmp_path / "journal.watched").mkdir()
    table = Table(tmp_path)
    table.session.observe_glimpse(Glimpse(0.0, (), table=TableView(MIDDLE, TRAY)), now_s + 60.0)
    assert table.session.scoreboard()["phase"] == "secret"
    table.session.close()


@pytest.mark.parametrize("told", [b"", b"nan", b"inf", b"-1e999", b"\xff\x00", b"9" * 100_000])
def test_a_note_that_is_none_says_nothing(tmp_path: Path, told: bytes) -> None:
    """No time, no text, or no end."""
    (tmp_path / "journal.watched").write_bytes(told)
    watched = Watched(tmp_path)
    assert watched.until_s == -math.inf
    watched.note_look(5.0)
    assert Watched(tmp_path).until_s == 5.0


def test_a_damaged_note_says_nothing(tmp_path: Path) -> None:
    """One wrong bit anywhere or a cut: no other time is believed."""
    note = tmp_path / "journal.watched"
    Watched(tmp_path).note_look(1_763_874_000.5)
    told = note.read_bytes()
    assert Watched(tmp_path).until_s == 1_763_874_000.5
    flipped = [
        told[:at] + bytes([told[at] ^ 1 << bit]) + told[at + 1 :]
        for at in range(len(told))
        for bit in range(8)
    ]
    for damaged in (*flipped, *(told[:end] for end in range(len(told)))):
        note.write_bytes(damaged)
        assert Watched(tmp_path).until_s == -math.inf, damaged


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes in the file system")
def test_a_pipe_in_place_of_the_note_holds_nobody_up(tmp_path: Path) -> None:
    """Whoever opened it would wait for ever."""
    os.mkfifo(tmp_path / "journal.watched")
    watched = Watched(tmp_path)
    watched.note_look(5.0)
    assert watched.until_s == 5.0


def test_a_result_that_was_taken_back_is_shown_again(table: Table) -> None:
    """Right, on to the next round, Undo, Right: the result stands there as the first time."""
    table.begin()
    table.do("laid")
    table.do("right")
    table.do("next")
    status, answer = table.do("undo")
    assert status == 200
    assert answer["scoreboard"]["phase"] == "guessing"
    _, answer = table.do("right")
    assert answer["scoreboard"]["phase"] == "result"
    _, answer = table.do("undo")
    _, answer = table.do("redo")
    assert answer["scoreboard"]["phase"] == "result"


def test_clouds_laid_beside_a_result_are_counted_once_the_next_round_is_shown() -> None:
    """ "5 expected, 2 seen" beside the result of five clouds would seem to be said of those."""
    evening = played(NAMES[:5], phase="result").watched()
    laid = evening.fresh_cards[:2]
    evening.lie(1).lie(6, *laid)
    assert (evening.board["phase"], evening.board["notices"]) == ("result", [])
    evening.do("next")
    assert [notice["key"] for notice in evening.board["notices"]] == ["expected_seen"]


def test_a_pause_before_a_deal_keeps_the_round_that_comes() -> None:
    """The next round was shown already: it rests as that round, and after the pause the result of the one
    before does not come back."""
    evening = played(NAMES[:5], phase="result").watched()
    comes = evening.board["next"]["number"]
    evening.now_s += 20.0
    before = evening.camera_is("live").board
    assert (before["phase"], before["round"]["number"]) == ("secret", comes)
    resting = evening.do("pause").board
    assert (resting["phase"], resting["round"]) == ("paused", before["round"])
    after = evening.do("resume").board
    assert (after["phase"], after["round"]) == ("secret", before["round"])


def test_undo_after_an_answer_says_that_it_was_one() -> None:
    """An answer is taken back as an answer, and a correction as a correction."""
    evening = asked(KeptEvening())
    question = evening.board["question"]

    def history() -> list[str]:
        return [line["what"] for line in history_of(evening.session.log, question["round"])]

    evening.do("answer", question=question["id"], option=0)
    assert evening.board["undo"] == {"what": "answer", "seat": None}
    assert "answer" in history()
    told = evening.session.book.line(evening.journal.evening)
    assert [one["round"] for one in told["answers"]] == [question["round"]]
    assert told["corrections"] == []
    assert [one["waits"] for one in told["questions"]] == [False]
    assert "back" not in history(), "nothing was taken back: it is struck out nowhere"
    evening.do("undo")
    assert "back" in history()
    assert evening.board["question"]["id"] == question["id"]
    evening.do("correct", round=question["round"], guesses=[{"card": None, "right": True}])
    assert evening.board["undo"] == {"what": "correct", "seat": None}


@pytest.mark.parametrize("option", [0, 1])
def test_an_answer_is_no_correction_whatever_stood_till_then(option: int) -> None:
    """What was taken for the time being, or the other answer: the round is not called corrected; until
    somebody answers, the book says that nobody did."""
    evening = asked_before(KeptEvening())
    question = evening.board["question"]

    def told() -> dict[str, Any]:
        line: dict[str, Any] = evening.session.book.line(evening.journal.evening)
        return line

    assert [one["waits"] for one in told()["questions"]] == [True]
    stood = evening.board["rounds"][question["round"] - 1]["gains"]
    evening.do("answer", question=question["id"], option=option)
    round_ = evening.board["rounds"][question["round"] - 1]
    assert (round_["gains"] == stood) == (option == 0)
    assert not round_["corrected"]
    assert [len(told()[what]) for what in ("answers", "corrections")] == [1, 0]
    assert [one["waits"] for one in told()["questions"]] == [False]
