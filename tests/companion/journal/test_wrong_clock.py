"""A clock that is before 1970, or after every calendar: what is entered then is kept and read again, and
nobody calls it damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from companion.evening.session import Session
from companion.game.log import LAST_S, Log, in_time
from companion.journal import Journal
from companion.journal.store import FILE
from companion.years.backup import back_up
from companion.years.index import YearsIndex
from companion.years.take_along import import_file
from tests.support.victims.journal_victim import story

PLACE = {"do": "place", "evening": 1, "place": "the lake"}


def played(folder: Path, from_s: float) -> Log:
    """Two evenings of the same people by a clock that says `from_s` at first, and an act of the book."""
    clock = count(from_s).__next__
    with Journal(folder, clock) as journal:
        for _ in range(2):
            for entries in story():
                journal.append(tuple(replace(one, at_s=clock()) for one in entries))
        journal.acts.append(PLACE, None)
        return journal.log


@pytest.mark.parametrize("from_s", [-260_000.0, -1e9, 9e10])
def test_what_is_entered_by_a_wrong_clock_is_read_again(tmp_path: Path, from_s: float) -> None:
    """The next start believes it, and so does another companion that gets the backup: each evening is
    one of its own."""
    log = played(tmp_path / "home", from_s)
    with Journal(tmp_path / "home") as journal:
        assert (journal.kept, journal.notices) == (None, ())
        assert journal.read_evening(2) == log
        assert [act.what for act in journal.acts.acts] == [PLACE]
        assert all(0 <= one.began_s <= one.changed_s <= LAST_S for one in journal.evenings())
    back_up(tmp_path / "home", tmp_path / "backup.zip")
    with Journal(tmp_path / "other") as journal:
        assert import_file(journal, {}, tmp_path / "backup.zip").new == 2
        assert journal.read_evening(2) == log
    with YearsIndex(tmp_path / "other") as index:
        index.refresh()
        assert len(index.ids()) == 2


def test_what_was_kept_under_a_wrong_clock_before_is_no_damage(tmp_path: Path) -> None:
    """A companion of before wrote the clock's time as it was, into the database and beside it."""
    log = played(tmp_path, 1000.0)
    (tmp_path / "acts.json").unlink()
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE evenings SET began_s = -began_s, changed_s = -changed_s")
        db.execute("""UPDATE entries SET entry = replace(entry, '"at_s":', '"at_s":-')""")
        db.execute("UPDATE acts SET at_s = -at_s")
    for lines in (tmp_path / "evenings").iterdir():
        lines.unlink()
    with Journal(tmp_path) as journal:
        assert (journal.kept, journal.notices) == (None, ())
        again = journal.read_evening(2)
        assert [one.event for one in again.entries] == [one.event for one in log.entries]
        assert [act.what for act in journal.acts.acts] == [PLACE]
    with Journal(tmp_path) as journal:
        assert (journal.kept, journal.notices, journal.read_evening(2)) == (None, (), again)


def test_the_table_goes_by_the_time_that_is_kept(tmp_path: Path) -> None:
    """What is compared with entries (how long ago an act was) is told by the same clock."""
    with Journal(tmp_path, lambda: -5.0) as journal:
        session = Session(journal, clock=lambda: -5.0)
        assert session.clock() == in_time(-5.0) == 86_395.0
        assert journal.acts.append(PLACE, None).at_s == session.clock()


def test_a_time_of_every_calendar_stays_as_it_is() -> None:
    """From 1970 to the year 3000; others are told apart by their time of day."""
    assert [in_time(at_s) for at_s in (0.0, 1.5, LAST_S)] == [0.0, 1.5, LAST_S]
    assert in_time(-86_399.0) == 1.0
    assert in_time(LAST_S + 1.0) == LAST_S - 86_399.0
