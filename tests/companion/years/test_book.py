"""The book of evenings: found, renamed, merged, forgotten, deleted, and each taken back for a minute."""

from __future__ import annotations

import contextlib
import errno
import gc
import json
import math
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from threading import Event, Thread
from typing import Any

import pytest

from companion.errors import JournalTrouble
from companion.evening.session import Session
from companion.game.change import undo
from companion.game.events import EveningBegun, PlayersChanged
from companion.game.fold import fold
from companion.game.log import Log
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.journal.store import FILE
from companion.outbox.link import HallLink, LinkFile
from companion.web import Door, Rule, create_app
from companion.years.book import StillReading
from companion.years.index import INDEX, YearsIndex
from companion.years.persons import SOMEBODY, WAY_BACK_S
from tests.support.companion_web_client import JSON, enter
from tests.support.game_evening import Told, begun
from tests.support.hall.tables import played_log
from tests.support.kept_evening import KeptEvening
from tests.support.years.generated import evenings
from tests.support.years.settled import settled

PEOPLE = ("Livia", "Tomas", "Tomáš", "Ida", "Oskar", "Mia", "Ben")


class Shelf:
    """A session over some evenings, with a clock that a test moves."""

    def __init__(self, folder: Path, logs: list[Log]) -> None:
        self.folder = folder
        self.now_s = 2_000_000_000.0
        self.journal = Journal(folder, lambda: self.now_s)
        self.journal.import_evenings(logs)
        self.session = Session(self.journal, clock=lambda: self.now_s)
        self.book = self.session.book

    def do(self, what: str, **more: Any) -> int:
        done = self.book.act({"do": what, **more}, "Tablet")
        assert not isinstance(done, Refusal), done
        return done.number

    def refused(self, what: str, **more: Any) -> str:
        done = self.book.act({"do": what, **more}, None)
        assert isinstance(done, Refusal)
        return done.reason

    def names(self) -> list[list[str]]:
        return [[one["name"] for one in line["players"]] for line in self.page()["evenings"]]

    def page(self, **asked: Any) -> dict[str, Any]:
        return self.book.page(count=100, **asked)

    def later(self, seconds: float = WAY_BACK_S + 1) -> None:
        """A minute passes, and somebody looks into the book."""
        self.now_s += seconds
        self.book.page()

    def on_disk(self, name: str) -> list[str]:
        """The files in which these letters stand."""
        with sqlite3.connect(self.folder / FILE) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        wanted = (name.encode(), json.dumps(name)[1:-1].encode())
        return [
            path.name
            for path in self.folder.rglob("*")
            if path.is_file() and any(one in path.read_bytes() for one in wanted)
        ]


@pytest.fixture(autouse=True)
def who_looks_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is: what is to leave the disk does so at a look."""
    monkeypatch.setattr("companion.years.book.AT_A_LOOK_S", math.inf)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    opened = Shelf(tmp_path, [one for one in evenings(30, 8, people=PEOPLE) if not both(one)])
    yield opened
    opened.session.close()
    gc.collect()


def both(log: Log) -> bool:
    return {"Tomas", "Tomáš"} <= set(fold(log).ledger.names)


def test_evenings_are_found_by_player_year_and_place(shelf: Shelf) -> None:
    """The newest is first; a person, a year and a place each leave those that fit, whatever the case
    of the letters."""
    all_of = shelf.page()["evenings"]
    assert [one["began_s"] for one in all_of] == sorted(
        (one["began_s"] for one in all_of), reverse=True
    )
    with_ida = shelf.page(person="iDA")["evenings"]
    assert [one["number"] for one in with_ida] == [
        one["number"] for one in all_of if any(p["name"] == "Ida" for p in one["players"])
    ]
    assert 0 < len(with_ida) < len(all_of)
    year = shelf.page()["years"][0]
    assert shelf.page(year=year)["total"] == len(all_of)
    assert shelf.page(year=1999)["total"] == 0
    shelf.do("place", evening=all_of[3]["number"], place="  Omas   Küche ")
    assert shelf.page()["places"] == ["Omas Küche"]
    assert [one["number"] for one in shelf.page(place="omas küche")["evenings"]] == [
        all_of[3]["number"]
    ]
    second = shelf.book.page(after=5, count=4)
    assert [one["number"] for one in second["evenings"]] == [one["number"] for one in all_of[5:9]]
    for one in all_of:
        assert len(one["sky"]) <= one["rounds"]
        assert {p["name"] for p in one["players"] if p["winner"]} <= {
            p["name"] for p in one["players"]
        }


def test_a_person_is_renamed_everywhere_and_keeps_sign_and_clouds(shelf: Shelf) -> None:
    """The new name stands on every evening, in files and at the next set-up, with the same sign; the
    points stay; within a minute all of it can be taken back, later not."""
    before = shelf.names()
    sign = dict(shelf.session.past_players())["Livia"]
    act = shelf.do("rename", person="livia", name="Lívia")
    assert shelf.names() == [["Lívia" if n == "Livia" else n for n in one] for one in before]
    assert dict(shelf.session.past_players())["Lívia"] == sign
    assert "Livia" not in dict(shelf.session.past_players())
    number = next(one["number"] for one in shelf.page(person="Lívia")["evenings"])
    board = shelf.session.past_scoreboard(number)
    assert board is not None
    assert "Lívia" in [one["name"] for one in board["players"]]
    assert shelf.page()["acts"][0]["left_s"] == WAY_BACK_S
    shelf.now_s += WAY_BACK_S - 1
    shelf.do("undo", act=act)
    assert shelf.names() == before
    act = shelf.do("rename", person="Livia", name="Lívia")
    shelf.later()
    assert shelf.refused("undo", act=act) == "too_late"
    assert [one.what["do"] for one in shelf.journal.acts.acts] == ["rename", "undo", "rename"]


def test_a_clock_that_is_set_back_by_seconds_takes_no_way_back(shelf: Shelf) -> None:
    """As clocks in a network are: the deleted evening was off the disk at once, and the screen still
    promised a minute."""
    first, second = [one["number"] for one in shelf.page()["evenings"][:2]]
    acts = [shelf.do("delete", evening=number) for number in (first, second)]
    shelf.later(-30)
    assert [one["left_s"] for one in shelf.page()["acts"]] == [WAY_BACK_S, WAY_BACK_S]
    shelf.do("undo", act=acts[0])
    shelf.later(31 + WAY_BACK_S)
    assert shelf.journal.find_evening(first) is not None
    assert shelf.journal.find_evening(second) is None


@pytest.mark.parametrize("set_back_s", [61.0, 3.15e8])
def test_what_was_forgotten_goes_though_the_clock_was_set_back(
    shelf: Shelf, set_back_s: float
) -> None:
    """The computer took the year for another one and learnt better: the name must not stay on the disk
    until that year comes, nor the deleted evening."""
    number = shelf.page(person="Livia")["evenings"][0]["number"]
    shelf.do("delete", evening=number)
    shelf.do("forget", person="Livia")
    shelf.later(-set_back_s)
    assert shelf.on_disk("Livia") == []
    assert shelf.journal.find_evening(number) is None


def test_two_names_of_one_person_become_one(shelf: Shelf) -> None:
    """Merged, both names' evenings are one person's; who sat together cannot be one person."""
    counts = {one["name"]: one["evenings"] for one in shelf.page()["people"]}
    assert shelf.refused("merge", person="Ida", into="Livia") == "were_together"
    assert shelf.refused("rename", person="Tomas", name="Tomáš") == "name_taken"
    shelf.do("merge", person="Tomas", into="Tomáš")
    after = {one["name"]: one["evenings"] for one in shelf.page()["people"]}
    assert (
        after["Tomáš"] == counts["Tomas"] + counts["Tomáš"] == shelf.page(person="Tomáš")["total"]
    )
    assert "Tomas" not in after


def test_a_forgotten_person_is_somebody_and_their_name_leaves_the_disk(shelf: Shelf) -> None:
    """At once nobody sees the name; it can be taken back; a minute later not a byte of it is left in
    any file, every point is where it was, and a new person may have the name."""
    totals = {
        one["number"]: [p["cards"] for p in one["players"]] for one in shelf.page()["evenings"]
    }
    act = shelf.do("forget", person="Oskar")
    assert not any("Oskar" in one for one in shelf.names())
    assert "Oskar" not in dict(shelf.session.past_players())
    shelf.do("undo", act=act)
    assert any("Oskar" in one for one in shelf.names())
    shelf.do("rename", person="Oskar", name="Oskar the Great")
    shelf.do("forget", person="Oskar the Great")
    shelf.do("forget", person="Mia")
    assert shelf.on_disk("Oskar")
    shelf.later()
    assert shelf.on_disk("Oskar") == shelf.on_disk("Mia") == []
    assert {
        one["number"]: [p["cards"] for p in one["players"]] for one in shelf.page()["evenings"]
    } == totals
    names = {name for one in shelf.names() for name in one}
    assert names == {"Livia", "Tomas", "Tomáš", "Ida", "Ben", SOMEBODY, f"{SOMEBODY} 2"}
    assert SOMEBODY not in [one["name"] for one in shelf.page()["people"]]
    for number in totals:
        assert fold(shelf.journal.read_evening(number)).misfit is None
    assert [one.what["do"] for one in shelf.journal.acts.acts].count("forget") == 3


def test_who_was_to_sit_down_and_did_not_is_forgotten_there_too(tmp_path: Path) -> None:
    """A change of seats that was undone, and one that another took the place of before the next cards lay, leave
    a name in the evening's log; who is forgotten leaves that, too."""
    told = begun(3)
    told.play((1, 2, 3, 4), 0)
    told.enter(PlayersChanged(2, ("Ada", "Ben", "Cleo", "Zoe")))
    told.change(undo(told.log))
    told.enter(PlayersChanged(2, ("Ada", "Ben", "Cleo", "Xia")))
    told.enter(PlayersChanged(2, ("Ada", "Ben", "Cleo")))
    told.play((5, 6, 7, 8), 0)
    other = Told(at_s=1e6)
    other.enter(EveningBegun(("Ada", "Zoe", "Xia"), 0, "en", 80))
    other.play((1, 2, 3, 4), 0)
    shelf = Shelf(tmp_path, [told.log, other.log])
    try:
        for name in ("Zoe", "Xia"):
            shelf.do("forget", person=name)
        shelf.later()
        assert shelf.on_disk("Zoe") == shelf.on_disk("Xia") == []
        assert fold(shelf.journal.read_evening(1)).ledger.totals == told.ledger.totals
    finally:
        shelf.session.close()


def test_an_evening_is_deleted_and_comes_back_or_goes(shelf: Shelf) -> None:
    """Deleted, it is nowhere; within a minute it comes back whole; after it, it is off the disk and
    its number is never another's."""
    newest = shelf.page()["evenings"][0]["number"]
    log = shelf.journal.read_evening(newest)
    act = shelf.do("delete", evening=newest)
    assert newest not in [one["number"] for one in shelf.page()["evenings"]]
    assert shelf.session.past_scoreboard(newest) is shelf.session.film(newest) is None
    shelf.do("undo", act=act)
    assert shelf.page()["evenings"][0]["number"] == newest
    shelf.do("delete", evening=newest)
    shelf.later()
    assert newest not in [one.number for one in shelf.journal.evenings()]
    assert not (shelf.folder / "evenings" / f"{newest:04d}.jsonl").exists()
    assert shelf.journal.next_evening > newest
    assert shelf.journal.import_evenings([log]) == 1  # from a backup or another companion


class Stopped(BaseException):
    """The process is killed here."""


class StopsAt:
    """Counts what is done to the disk, and stops before or after the n-th step of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
        self.left = step
        for place in (
            "evenings.in_one",
            "acts.in_one",
            "evenings.remove_files",
            "side.remove_files",
        ):
            name = f"companion.journal.{place}"
            monkeypatch.setattr(name, self._counting(resolve_name(name)))

    def _counting(self, work: Any) -> Any:
        def counted(*asked: Any) -> Any:
            self._step()
            done = work(*asked)
            self._step()
            return done

        return counted

    def _step(self) -> None:
        if self.left == 0:
            raise Stopped
        self.left -= 1


def wait_until(done: Callable[[], bool]) -> None:
    """Return once that is so; fails after 20 seconds."""
    until_s = time.monotonic() + 20
    while not done():
        assert time.monotonic() < until_s
        time.sleep(0.01)


def test_the_table_waits_for_no_more_than_one_evening_that_forgets(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who was at two hundred evenings is forgotten while a game is undone: screens and camera
    stood still for seconds until all were rewritten. The others follow at the next look."""
    shelf.do("forget", person="Ida")
    written, rewrite = [], shelf.journal.rewrite_evening
    written_when_undone = []

    def undo() -> None:
        with shelf.book.unchanged():
            written_when_undone.append(len(written))

    table = Thread(target=undo)

    def rewritten(evening: int, log: Log) -> None:
        rewrite(evening, log)
        written.append(evening)
        if len(written) == 1:
            table.start()
            wait_until(lambda: shelf.book._turn.waiting > 0)

    monkeypatch.setattr(shelf.journal, "rewrite_evening", rewritten)
    shelf.later()
    table.join(20)
    assert written_when_undone == [1]
    assert shelf.on_disk("Ida")
    shelf.book.page()
    assert len(set(written)) == len(written) > 5
    assert shelf.on_disk("Ida") == []


def test_the_table_waits_for_no_index_that_is_made_for_a_forgetting(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody looked at the book since the start, and its index must be made anew: of three thousand evenings
    that took seconds, and a begin and the companion's end waited for it."""
    shelf.do("forget", person="Ida")
    read: list[int] = []
    read_when_begun: list[int] = []

    def begin() -> None:
        with shelf.book.unchanged():
            read_when_begun.append(len(read))

    table, take_in = Thread(target=begin), YearsIndex._take_in

    def noted(index: YearsIndex, number: int) -> None:
        take_in(index, number)
        read.append(number)
        if len(read) == 1:
            table.start()
            wait_until(lambda: shelf.book._turn.waiting > 0)

    monkeypatch.setattr("companion.years.index.AT_ONCE", 1)
    monkeypatch.setattr(YearsIndex, "_take_in", noted)
    shelf.book.close()
    (shelf.folder / INDEX).unlink()
    shelf.now_s += 61.0
    with shelf.book._turn.lock:  # as its timer does
        shelf.book._settle()
    table.join(20)
    assert read_when_begun == [1]
    assert shelf.on_disk("Ida")
    shelf.book.page()
    assert shelf.on_disk("Ida") == []


def test_an_evening_that_cannot_be_read_keeps_nobody_from_being_forgotten(shelf: Shelf) -> None:
    """A newer companion's was deleted, after a way back to this one: it stayed, and with it all that was
    deleted or forgotten later."""
    newer = next(one.number for one in shelf.journal.evenings() if "Ida" in one.players)
    shelf.session.close()
    with contextlib.closing(sqlite3.connect(shelf.folder / FILE)) as db:
        db.execute(
            "UPDATE entries SET entry = replace(entry, '\"round-dealt\"', '\"round-dreamt\"') WHERE evening = ?",
            (newer,),
        )
        db.commit()
    shutil.rmtree(shelf.folder / "evenings")
    again = Shelf(shelf.folder, [])
    again.do("delete", evening=newer)
    again.do("forget", person="Ida")
    again.later()
    again.later()
    assert again.book._leaving.left == ()
    assert again.on_disk("Ida") == []


@pytest.mark.parametrize("do", ["forget", "delete"])
def test_nobody_waits_for_another_program_that_reads(shelf: Shelf, do: str) -> None:
    """A backup onto a slow stick: what leaves the disk waited five seconds an evening for it, and each tap with
    it. What lies in SQLite's log goes when the other program is done."""
    shelf.do(do, **({"person": "Ida"} if do == "forget" else {"evening": 2}))
    other = sqlite3.connect(shelf.folder / FILE, isolation_level=None)
    with contextlib.closing(other):
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM entries").fetchone()
        began_s = time.monotonic()
        shelf.later()
        assert time.monotonic() - began_s < 4.0
        assert len(shelf.book._leaving.left) == 1
        other.execute("COMMIT")
    shelf.later()
    assert shelf.book._leaving.left == ()
    assert do == "delete" or shelf.on_disk("Ida") == []


def test_the_end_of_the_companion_undoes_no_forgetting(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is being made anew when the companion is told to stop, and somebody looks at the book once
    more: it knows none of the evenings in which the name stands, which was taken for forgotten."""
    shelf.do("forget", person="Ida")
    shelf.book.close()
    (shelf.folder / INDEX).unlink()
    monkeypatch.setattr("companion.years.book.AT_ONCE_WAITED", 0)
    monkeypatch.setattr(YearsIndex, "_take_in", lambda index, _: index.give_up())
    shelf.book.page()
    wait_until(lambda: not shelf.book._reading.is_set())
    shelf.later()
    assert len(shelf.book._leaving.left) == 1
    monkeypatch.undo()
    shelf.session.close()
    again = Shelf(shelf.folder, [])
    again.now_s = shelf.now_s
    assert "Ida" not in [one["name"] for one in again.book.page()["people"]]
    again.book._settle()
    assert again.on_disk("Ida") == []


def test_who_looks_at_the_book_waits_for_no_long_forgetting(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who was at three thousand evenings: the book opened after half a minute. The name is hidden
    at once, and leaves the disk by itself."""
    shelf.do("forget", person="Ida")
    shelf.now_s += 61.0
    monkeypatch.setattr("companion.years.book.AT_A_LOOK_S", 0.0)
    people = shelf.book.page()["people"]
    assert "Ida" not in [one["name"] for one in people]
    assert shelf.on_disk("Ida")
    shelf.book._settle()
    assert shelf.on_disk("Ida") == []


@pytest.mark.parametrize("started_anew", [False, True])
def test_a_name_leaves_the_disk_where_nobody_looks_at_the_book(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, started_anew: bool
) -> None:
    """The tablet is put away after somebody was forgotten, or the companion is ended: the name is gone
    after the minute, or soon after the next start, also from the file of the hall."""
    if not started_anew:
        monkeypatch.setattr("companion.years.book.WAY_BACK_S", 0.2)
    links = LinkFile(shelf.folder)
    links.keep(HallLink("http://127.0.0.1:9", "companion_table", "token", 7, "ab" * 16, 1))
    told = {name: links.pseudonym_of(name) for name in ("Ida", "Mia")}
    shelf.book.tell_forgotten(links.forget_names)
    shelf.do("forget", person="Ida")
    shelf.now_s += 61.0
    if started_anew:
        shelf.session.close()
        shelf = Shelf(shelf.folder, [])
        links = LinkFile(shelf.folder)
        shelf.book.tell_forgotten(links.forget_names)
        shelf.now_s += 61.0
    until_s = time.monotonic() + 30
    while shelf.on_disk("Ida") and time.monotonic() < until_s:
        time.sleep(0.05)
    assert shelf.on_disk("Ida") == []
    assert links.link is not None
    assert links.link.known_as == {told["Mia"]: "Mia"}
    assert "ida" not in links.link.pseudonyms
    assert links.pseudonym_of("Mia") == told["Mia"]
    assert links.pseudonym_of("Ida") != told["Ida"]
    shelf.session.close()


def test_a_stop_while_the_disk_forgets_is_made_good_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed at every third step of taking a deleted evening and a forgotten person off the disk: after the
    next start the book is open, and neither is on it any more."""
    logs = evenings(6, 8, people=PEOPLE)
    before = Shelf(tmp_path / "before", logs)
    before.do("forget", person="Ida")
    number = before.page()["evenings"][2]["number"]
    before.do("delete", evening=number)
    left = [one["number"] for one in before.page()["evenings"]]
    before.session.close()
    for step in count(0, 3):
        shelf = Shelf(shutil.copytree(tmp_path / "before", tmp_path / str(step)), [])
        with monkeypatch.context() as stopping:
            stops = StopsAt(stopping, step)
            with contextlib.suppress(Stopped):
                shelf.later()
        shelf.session.close()
        again = Shelf(shelf.folder, [])
        again.later()
        assert [one["number"] for one in again.page()["evenings"]] == left, step
        assert again.journal.find_evening(number) is None, step
        again.session.close()
        assert again.on_disk("Ida") == [], step
        gc.collect()
        if stops.left > 0:
            break
    assert step > 10


def test_a_disk_that_takes_nothing_off_shuts_no_book(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full, with a deletion and a forgotten person a minute old: the book is open without them; once there
    is room they leave the disk, the copy of the acts included."""
    number = shelf.page()["evenings"][2]["number"]
    shelf.do("delete", evening=number)
    shelf.do("rename", person="Oskar", name="Oskarina")
    shelf.do("forget", person="Oskarina")
    whole = shelf.journal._db
    with monkeypatch.context() as full:
        full.setattr(shelf.journal, "_db", Failing(whole, "DELETE"))
        shelf.later()
        shown = shelf.page()["evenings"]
        assert number not in [one["number"] for one in shown]
        assert shelf.book.line(number) is None
        assert not {"Oskar", "Oskarina"} & {name for names in shelf.names() for name in names}
        assert shelf.book.found_out() is not None
    with monkeypatch.context() as locked:
        locked.setattr("companion.journal.acts.write_beside_then_replace", refused_by_the_disk)
        shelf.page()
        assert number not in [one.number for one in shelf.journal.evenings()]
    shelf.page()
    assert [one["number"] for one in shelf.page()["evenings"]] == [one["number"] for one in shown]
    assert shelf.on_disk("Oskar") == []


def refused_by_the_disk(*_: object) -> None:
    """As where nobody may write."""
    raise PermissionError(errno.EACCES, "not allowed")


def test_the_evening_on_the_table_is_left_alone(tmp_path: Path) -> None:
    """The running evening is not in the book; one that lies on the table is neither deleted, nor is
    anybody of it forgotten."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1)
    book = kept.session.book
    assert book.page()["total"] == 0
    kept.finish()
    (one,) = book.page()["evenings"]
    for asked in ({"do": "delete", "evening": one["number"]}, {"do": "forget", "person": "Ada"}):
        assert isinstance(book.act(asked, None), Refusal)
    kept.do("rematch")
    done = book.act({"do": "delete", "evening": one["number"]}, None)
    assert not isinstance(done, Refusal)


def test_a_game_that_was_broken_off_is_gone_on_with_next_week(tmp_path: Path) -> None:
    """Another game was played meanwhile; then the one of last week lies on the table as it was left,
    to the card, also after a restart; a game played to its end, or one while another runs, does not."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1).do("next").play_round(2)
    left = kept.board
    kept.do("end").do("begin", players=["Eva", "Finn", "Gus", "Ida"], daydreamer=0)
    kept.play_round(1)
    go_on = kept.session.go_on
    assert go_on(1, None) == Refusal("evening_begun")
    kept.finish()
    assert (go_on(2, None), go_on(7, None)) == (
        Refusal("played_to_the_end"),
        Refusal("no_such_evening"),
    )
    assert kept.session.book.line(1)["broken_off"]
    assert not kept.session.book.line(2)["broken_off"]
    assert go_on(1, "Tablet") is None
    for part in ("players", "rounds", "deck_left", "round", "phase"):
        assert kept.board[part] == left[part], part
    assert kept.board["undo"]["what"] == "go_on"
    kept.do("next")
    kept.session.close()
    with Journal(kept.journal.folder) as again:
        assert again.evening == 1
        assert fold(again.log).ledger.phase == "secret"


def test_a_game_put_back_in_the_place_of_one_just_begun_is_there_after_a_restart() -> None:
    """People sat down for another game, of which nothing was played, and then go on with last week's: that
    is on the table when the companion starts again, and once it ended its winner."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1).do("end")
    kept.begin(("Eva", "Finn", "Gus")).play_round(1).do("end")
    kept.begin(("Xen", "Yan", "Zoe"))
    assert kept.session.go_on(1, None) is None
    on_the_table = kept.board["players"]
    assert kept.close_and_open().board["players"] == on_the_table
    assert kept.board["phase"] == "result"
    kept.do("end").close_and_open()
    assert (kept.board["phase"], kept.board["evening"]) == ("over", 1)


def test_a_game_gone_on_with_after_its_end_and_a_rematch_were_undone_is_there_next_week() -> None:
    """Its end and the rematch after it were taken back, it is played on and paused: it is on the table when
    the companion starts a week later."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1).do("end").do("rematch")
    kept.do("undo").do("undo").do("next").play_round(0).do("pause")
    left = kept.board
    kept.now_s += 7 * 86400.0
    assert kept.close_and_open().board == left


@pytest.mark.parametrize("way", ["go_on", "rematch_left"])
def test_an_evening_laid_on_the_table_is_not_deleted_at_that_moment(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another tablet deletes it between the look whether it is there and its being laid on the table: it
    is refused, and what is played on stays."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1)
    if way == "go_on":
        kept.do("end").do("begin", players=["Eva", "Finn", "Gus", "Ida"], daydreamer=0).do("end")
        lays = "go_on_with"
    else:
        kept.finish().do("rematch")
        lays = "resume"
    answered: list[object] = []
    other = Thread(
        target=lambda: answered.append(kept.session.book.act({"do": "delete", "evening": 1}, "two"))
    )
    laid = getattr(kept.journal, lays)

    def deleted_meanwhile(*told: Any) -> Any:
        other.start()
        other.join(0.5)
        return laid(*told)

    monkeypatch.setattr(kept.journal, lays, deleted_meanwhile)
    if way == "go_on":
        assert kept.session.go_on(1, None) is None
    else:
        kept.do("undo")
    other.join(10)
    assert answered == [Refusal("evening_on_table")]
    assert kept.board["evening"] == 1
    assert 1 not in kept.session.book.persons.deleted


@pytest.mark.parametrize("fails", ["INSERT INTO entries", "INSERT INTO acts", "COMMIT"])
def test_a_game_the_disk_does_not_put_back_leaves_the_table_as_it_is(
    fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full as an earlier game is put back: the evening on the table is the one it was, for
    every command, and the earlier one has no entry that was not played there."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1).do("end")
    kept.do("begin", players=["Xen", "Yan", "Zoe"], daydreamer=0).play_round(1).do("end")
    before = [kept.journal.read_evening(number) for number in (1, 2)]
    acts = kept.journal.acts.acts
    whole = kept.journal._db
    with monkeypatch.context() as broken:
        broken.setattr(kept.journal, "_db", Failing(whole, fails))
        broken.setattr(kept.journal.acts, "_db", Failing(whole, fails))
        with pytest.raises(JournalTrouble, match="is full"):
            kept.session.go_on(1, None)
    assert (kept.journal.evening, kept.journal.acts.acts) == (2, acts)
    assert [kept.journal.read_evening(number) for number in (1, 2)] == before
    kept.do("undo")
    assert kept.journal.read_evening(1) == before[0]
    assert [one["name"] for one in kept.board["players"]] == ["Xen", "Yan", "Zoe"]
    kept.do("end")
    assert kept.session.go_on(1, None) is None
    assert [one["name"] for one in kept.board["players"]] == ["Ada", "Ben", "Cleo"]
    kept.session.close()


class Failing:
    """A database on a disk that is full as soon as this statement is to be stored."""

    def __init__(self, whole: sqlite3.Connection, at: str) -> None:
        self._whole, self._at = whole, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

    def execute(self, sql: str, *values: Any) -> Any:
        self._check(sql)
        return self._whole.execute(sql, *values)

    def executemany(self, sql: str, *values: Any) -> Any:
        self._check(sql)
        return self._whole.executemany(sql, *values)

    def _check(self, sql: str) -> None:
        if sql.startswith(self._at):
            full = sqlite3.OperationalError("database or disk is full")
            full.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise full


def test_only_a_correction_is_told_as_one() -> None:
    """A round written in and taken out again, a name given and taken away, a guess undone and done
    again: nothing of it was corrected. A round whose guesses were changed was."""
    kept = KeptEvening(past=()).begin(("Ada", "Ben", "Cleo")).play_round(1).do("next").play_round(1)
    kept.do("insert", round=1, guesses=[{"right": True}]).do("undo")
    kept.do("name", round=1, words="the red door")
    kept.do("name", round=1, words="", instead_of="the red door")
    kept.do("undo").do("undo").do("redo")
    assert kept.session.book.line(1)["corrections"] == []
    kept.do("correct", round=2, guesses=[{"right": True}])
    assert [one["round"] for one in kept.session.book.line(1)["corrections"]] == [2]
    kept.session.close()


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"do": "burn"}, {"do": "rename"}, {"do": "rename", "person": "Ida", "name": 7},
        {"do": "rename", "person": "Ida", "name": ""}, {"do": "rename", "person": "Nobody", "name": "X"},
        {"do": "rename", "person": "Ida", "name": "x" * 10_000}, {"do": "rename", "person": "Ida", "name": "somebody"},
        {"do": "rename", "person": "Ida", "name": "\ud800"}, {"do": "delete", "evening": True},
        {"do": "delete", "evening": 10**30}, {"do": "undo", "act": 1}, {"do": "merge", "person": "Ida", "into": "Ida"},
        {"do": "place", "evening": 1, "place": "x" * 41},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_written(
    shelf: Shelf, asked: dict[str, Any]
) -> None:
    """Acts that make no sense are refused with a reason, and the log of acts stays as it was."""
    assert isinstance(shelf.book.act(asked, None), Refusal)
    assert shelf.journal.acts.acts == ()


def test_the_acts_survive_a_damaged_database(tmp_path: Path) -> None:
    """Rebuilt from what lies beside it, the book still knows who was renamed and what is deleted."""
    shelf = Shelf(tmp_path, evenings(3, 4, people=(*PEOPLE[2:], "Jo", "Zoë")))
    first = shelf.page()["people"][0]["name"]
    shelf.do("rename", person=first, name="Another")
    names = shelf.names()
    shelf.session.close()
    (tmp_path / FILE).write_bytes(b"damaged" * 1000)
    again = Journal(tmp_path)
    with again:
        book = Session(again).book
        assert sorted(map(str, names)) == sorted(
            str([p["name"] for p in one["players"]]) for one in book.page()["evenings"]
        )
        book.close()


def test_a_film_is_the_evening_step_by_step(shelf: Shelf) -> None:
    """The film begins with the first deal's waiting and ends with the ledger's totals; in between each
    board is a state the window can draw, with no card before it lay there."""
    number = shelf.page()["evenings"][0]["number"]
    film = shelf.session.film(number)
    board = shelf.session.past_scoreboard(number)
    assert film is not None
    assert board is not None
    assert film[-1]["board"]["rounds"] == board["rounds"]
    assert [p["cards"] for p in film[-1]["board"]["players"]] == [
        p["cards"] for p in board["players"]
    ]
    assert [one["at_s"] for one in film] == sorted(one["at_s"] for one in film)
    phases = {one["board"]["phase"] for one in film}
    assert phases <= {"secret", "guessing", "result", "over"}
    for one in film:
        assert len(one["board"]["rounds"]) <= 1 or one is film[-1]
        if one["board"]["phase"] == "secret":
            assert one["board"]["round"]["middle"] == []


def test_an_evening_that_changes_while_the_book_is_looked_at_is_shown_as_it_was(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its only round was taken back when it had been found already: it has no night any more, and the page
    was answered with an error."""
    found = [one["number"] for one in shelf.book.page()["evenings"]]
    monkeypatch.setattr(YearsIndex, "near", lambda *_: [])
    lines = shelf.book.page()["evenings"]
    assert [one["number"] for one in lines] == found
    assert [one["night"] for one in lines] == [None] * len(found)


def test_while_evenings_are_still_read_what_needs_all_of_them_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten tablets ask for an export and a person is renamed meanwhile: all are told so at once, each evening
    is read once, and the companion's end does not wait for the rest."""
    goes_on = Event()
    read: list[int] = []
    refresh, take_in = YearsIndex._refresh, YearsIndex._take_in

    def late(index: YearsIndex, waited_for: Callable[[], bool]) -> int:
        goes_on.wait(20)
        return refresh(index, waited_for)

    def noted(index: YearsIndex, number: int) -> None:
        read.append(number)
        take_in(index, number)

    monkeypatch.setattr(YearsIndex, "_refresh", late)
    monkeypatch.setattr(YearsIndex, "_take_in", noted)
    journal = Journal(tmp_path)
    journal.import_evenings(list(evenings(40, 3)))
    session = Session(journal, clock=lambda: 2_000_000_000.0)
    tablet = enter(create_app(session, Door()))
    for _ in range(10):
        assert tablet.get("/api/book/export/csv").status_code == 503
    assert session.book.act({"do": "rename", "person": "Ada", "name": "Eve"}, None) == Refusal(
        "still_reading"
    )
    assert tablet.get("/api/book").json["reading"] == 40
    goes_on.set()
    settled(session.book)
    assert sorted(read) == sorted(one.number for one in journal.evenings())
    assert tablet.get("/api/book/export/csv").status_code == 200
    journal.import_evenings(list(evenings(30, 4)))
    goes_on.clear()
    session.book.index()
    session.book.stop_reading()
    goes_on.set()
    with pytest.raises(StillReading):
        session.book.settled_index()
    assert len(read) == 40
    session.close()


def test_who_and_where_can_be_asked_for_is_what_the_book_shows(tmp_path: Path) -> None:
    """At how many evenings somebody was, and which places there are, without what is deleted or on the
    table: whatever is offered finds as many evenings as it says."""
    shelf = Shelf(tmp_path, evenings(8, 3, people=PEOPLE))
    newest, oldest = shelf.page()["evenings"][0], shelf.page()["evenings"][-1]
    shelf.do("place", evening=newest["number"], place="Brno")
    shelf.do("place", evening=oldest["number"], place="Praha")
    assert shelf.page()["places"] == ["Brno", "Praha"]
    before = {one["name"]: one["evenings"] for one in shelf.page()["people"]}
    shelf.do("delete", evening=newest["number"])
    assert shelf.page()["places"] == ["Praha"]
    told = {one["name"]: one["evenings"] for one in shelf.page()["people"]}
    gone = {one["name"] for one in newest["players"]}
    assert told == {
        name: often - (name in gone) for name, often in before.items() if often > (name in gone)
    }
    for name, often in told.items():
        assert shelf.page(person=name)["total"] == often
    shelf.session.close()


def test_the_game_on_the_table_has_its_page(tmp_path: Path) -> None:
    """Asked for by its number while it is played, with a round finished: it is told, and not yet as
    one of the night's."""
    with Journal(tmp_path) as journal:
        journal.append(played_log(3, 4).entries)
        session = Session(journal)
        watching = enter(create_app(session, Door()), Rule.WATCH)
        told = watching.get(f"/api/book/{journal.evening}").get_json()["evening"]
        assert told["rounds"]
        assert not told["over"]
        assert told["night"] is None
        session.close()


def test_a_damaged_evening_cuts_no_answer(shelf: Shelf) -> None:
    """200 was said, and then nothing came."""
    watching = enter(create_app(shelf.session, Door()), Rule.WATCH)
    whole = json.loads(watching.get("/api/book/export/json").data)["evenings"]
    with sqlite3.connect(shelf.session.folder / FILE) as db:
        db.execute(
            "UPDATE entries SET entry = CAST(x'7bff7d' AS TEXT) WHERE evening = 2 AND number = 3"
        )
    db.close()
    left = json.loads(watching.get("/api/book/export/json").data)["evenings"]
    assert len(left) == len(whole) - 1
    alone = json.loads(watching.get("/api/book/export/json?evening=2").data)
    assert alone["evenings"] == []


def test_over_http_the_book_is_for_those_who_were_let_in(shelf: Shelf) -> None:
    """Who watches may look and take along; only who may tap changes the book or has the backup."""
    app = create_app(shelf.session, Door())
    watching, tapping = enter(app, Rule.WATCH), enter(app)
    number = watching.get("/api/book").get_json()["evenings"][0]["number"]
    assert watching.get(f"/api/book/{number}").get_json()["board"]["rounds"]
    assert watching.get(f"/api/book/{number}/film").get_json()["film"]
    for path in ("/api/book/999", "/api/book/999/film"):
        assert watching.get(path).status_code == 404
    found = watching.get("/api/book/findings").get_json()
    assert found["evenings"] == shelf.page()["total"]
    assert {one["name"] for one in found["people"]} == {
        one["name"] for one in shelf.page()["people"]
    }
    assert watching.get("/api/book/findings").get_json() == found
    began_s = {one["number"]: one["began_s"] for one in shelf.page()["evenings"]}
    assert found["closest"]
    for close in found["closest"]:
        assert close["began_s"] == began_s[close["number"]]
    link = watching.get(f"/api/book/{number}").get_json()["evening"]["bgstats"]
    assert link.startswith("bgstats://")
    rename = json.dumps({"do": "rename", "person": "Ida", "name": "Eda"})
    assert watching.post("/api/book", data=rename, headers=JSON).status_code == 403
    assert tapping.post("/api/book", data=rename, headers=JSON).status_code == 200
    assert (
        tapping.post("/api/book", data=rename, headers=JSON).get_json()["reason"]
        == "no_such_person"
    )
    assert tapping.post("/api/book", data="[1]", headers=JSON).status_code == 400
    table = watching.get(f"/api/book/export/csv?evening={number}").data
    assert table.startswith(b"\xef\xbb\xbfevening,")
    whole = json.loads(watching.get("/api/book/export/json").data)
    assert len(whole["evenings"]) == shelf.page()["total"]
    assert json.loads(watching.get("/api/book/export/bgsplay").data)["plays"]
    assert watching.get("/api/backup").status_code == 403
    with tapping.get("/api/backup") as packed:
        assert packed.data[:2] == b"PK"
    assert watching.get(f"/api/book/{10**30}").status_code == 404
    assert watching.get(f"/api/book?after={10**30}&year={10**30}&count=-5").status_code == 200
