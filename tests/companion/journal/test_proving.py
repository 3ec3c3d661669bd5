"""Evenings of before are compared with the lines beside them when they are opened, or behind the play:
what the disk changed in them is mended and said all the same, and the start does not wait for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.errors import JournalTrouble
from companion.game.log import Log
from companion.journal import Journal
from companion.journal.side import SideLog
from companion.journal.store import FILE
from companion.years.calling import with_names
from companion.years.index import YearsIndex
from tests.support.victims.journal_victim import story

ACTS = 24
EVENINGS = 5


@pytest.fixture
def whole(tmp_path: Path) -> Log:
    """The log of each of five evenings."""
    for _ in range(EVENINGS):
        with Journal(tmp_path) as journal:
            for act, entries in enumerate(story()[:ACTS]):
                journal.append(entries, f"{journal.next_evening}-{act}", {"ok": True})
            log = journal.log
    return log


def changed(folder: Path, *changes: str) -> None:
    """Change the database behind the journal's back."""
    database = sqlite3.connect(folder / FILE)
    for sql in changes:
        database.execute(sql)
    database.commit()
    database.close()


def side(folder: Path, evening: int) -> Path:
    """The lines beside an evening."""
    return folder / "evenings" / f"{evening:04d}.jsonl"


def test_the_start_reads_tonights_lines_only(
    tmp_path: Path, whole: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many evenings there are."""
    read: list[int] = []
    reads = SideLog.read

    def noted(log: SideLog, evening: int) -> bytes:
        read.append(evening)
        return reads(log, evening)

    monkeypatch.setattr(SideLog, "read", noted)
    with Journal(tmp_path) as journal:
        assert read == [EVENINGS]
        assert sorted(journal.prove_rest()) == [1, 2, 3, 4, 5]
        journal.read_evening(2)
    assert sorted(read) == [1, 2, 3, 4, 5]


WRONG = (
    "UPDATE entries SET entry = replace(entry, '\"attempt\":1', '\"attempt\":3') WHERE evening = 2"
)


@pytest.mark.parametrize("how", ["opened", "behind the play"])
def test_a_wrong_bit_in_an_evening_of_before_is_mended(
    tmp_path: Path, whole: Log, how: str
) -> None:
    """When somebody opens it, or soon after the start; said once, and the database as it was is kept."""
    changed(tmp_path, WRONG)
    told: list[str] = []
    with Journal(tmp_path) as journal:
        assert (journal.notices, journal.kept) == ((), None)
        journal.on_notice = told.append
        if how == "opened":
            assert journal.read_evening(2) == whole
        for _ in journal.prove_rest():
            pass
        assert len(told) == 1
        assert "Evening 2" in told[0]
        assert journal.notices == tuple(told)
        assert journal.kept is not None
        assert journal.read_evening(2) == whole
    with Journal(tmp_path) as again:
        for _ in again.prove_rest():
            pass
        assert (again.read_evening(2), again.notices) == (whole, ())


def test_who_has_read_a_wrong_evening_reads_it_again(tmp_path: Path, whole: Log) -> None:
    """The index of the evenings took it in as the disk had it; the mended one is another."""
    changed(tmp_path, WRONG)
    with Journal(tmp_path) as journal, YearsIndex(tmp_path) as index:
        index.refresh()
        assert index.stale() == []
        for _ in journal.prove_rest():
            pass
        assert index.stale() == [2]


def test_an_evening_of_before_gets_its_last_entries_back(tmp_path: Path, whole: Log) -> None:
    """Rows are gone from its end; the lines beside it still have them."""
    changed(
        tmp_path, f"DELETE FROM entries WHERE evening = 2 AND number > {len(whole.entries) - 3}"
    )
    with Journal(tmp_path) as journal:
        assert journal.read_evening(2) == whole
        assert "lost its last 3 entries" in journal.notices[0]


def test_an_evening_of_before_that_is_gone_comes_back(tmp_path: Path, whole: Log) -> None:
    """Head and rows: it is in the list again at the start, and people hear of it."""
    changed(
        tmp_path, "DELETE FROM entries WHERE evening = 2", "DELETE FROM evenings WHERE evening = 2"
    )
    with Journal(tmp_path) as journal:
        assert [line.number for line in journal.evenings()] == [1, 2, 3, 4, 5]
        assert journal.read_evening(2) == whole
        assert "Evening 2 was missing" in journal.notices[0]


def test_an_evening_that_people_deleted_stays_away(tmp_path: Path, whole: Log) -> None:
    """Nothing beside it brings it back."""
    with Journal(tmp_path) as journal:
        journal.remove_evening(2)
    with Journal(tmp_path) as journal:
        assert [line.number for line in journal.evenings()] == [1, 3, 4, 5]
        assert journal.notices == ()


def test_copies_of_damaged_files_go_with_a_name_that_is_forgotten(
    tmp_path: Path, whole: Log
) -> None:
    """They were kept as they were, with every name in them."""
    changed(tmp_path, WRONG)
    side(tmp_path, 2).write_bytes(b"?\n" + side(tmp_path, 2).read_bytes())
    with Journal(tmp_path) as journal:
        for _ in journal.prove_rest():
            pass
        assert journal.kept is not None
        assert list((tmp_path / "evenings").glob("*.kept-*"))
        journal.rewrite_evening(2, with_names(whole, {"Ada": "somebody"}))
        kept = [p for p in tmp_path.rglob("*") if "broken" in p.name or "kept" in p.name]
        assert kept == []
    lines = side(tmp_path, 2).read_bytes()
    assert b"Ada" not in lines
    assert b"somebody" in lines


def test_rows_under_another_number_are_no_evening(tmp_path: Path, whole: Log) -> None:
    """A wrong bit in the number that one row is found by: the evening is whole, and no other is there."""
    changed(
        tmp_path,
        "PRAGMA foreign_keys = OFF",
        "UPDATE entries SET evening = 130 WHERE evening = 2 AND number = 7",
    )
    with Journal(tmp_path) as journal:
        assert journal.read_evening(2) == whole
        assert len(journal.evenings()) == EVENINGS


@pytest.mark.parametrize(("evening", "other"), [(2, 66), (EVENINGS, 7), (1, 130)])
def test_an_evening_listed_under_another_number_is_listed_as_it_was(
    tmp_path: Path, whole: Log, evening: int, other: int
) -> None:
    """A wrong bit in the number that its line is found by, which is now the newest: the start is not
    refused, the evening comes back from its entries, the other is left out and that is said."""
    changed(tmp_path, f"UPDATE evenings SET evening = {other} WHERE evening = {evening}")
    with Journal(tmp_path) as journal:
        assert sorted(line.number for line in journal.evenings()) == [1, 2, 3, 4, 5]
        assert journal.read_evening(evening) == whole
        assert any(f"Evening {other} stood in the list" in told for told in journal.notices)
        assert journal.kept is not None
    with Journal(tmp_path) as again:
        assert again.notices == ()


@pytest.mark.parametrize("letters", [b"TABLE entries", b"INTEGER NOT NULL"])
def test_a_wrong_bit_in_what_the_tables_are_made_of_stops_no_start(
    tmp_path: Path, whole: Log, letters: bytes
) -> None:
    """The highest of a letter, after which SQLite's own sentence is no UTF-8: the file is set aside, and
    every evening comes back from the lines."""
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[data.index(letters) + 3] ^= 0x80
    (tmp_path / FILE).write_bytes(data)
    with Journal(tmp_path) as journal:
        assert journal.kept is not None
        assert len(journal.evenings()) == EVENINGS
        assert journal.read_evening(2) == whole


@pytest.mark.parametrize("spoil", ["sum", "gone", "cut", "garbage"])
def test_damaged_lines_of_an_evening_of_before_are_written_anew(
    tmp_path: Path, whole: Log, spoil: str
) -> None:
    """So that both copies are whole again before the next thing happens to one of them."""
    good = side(tmp_path, 2).read_bytes()
    spoilt = {
        "sum": good[:-5] + b"0" + good[-4:]
        if good[-5:-4] != b"0"
        else good[:-5] + b"1" + good[-4:],
        "cut": good[: len(good) // 2],
        "garbage": good + b"[\n",
    }
    side(tmp_path, 2).unlink()
    if spoil != "gone":
        side(tmp_path, 2).write_bytes(spoilt[spoil])
    with Journal(tmp_path) as journal:
        for _ in journal.prove_rest():
            pass
        assert journal.read_evening(2) == whole
    assert side(tmp_path, 2).read_bytes() == good


def test_an_import_that_was_stopped_at_its_end_has_damaged_nothing(
    tmp_path: Path, whole: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The evenings are in the database and have no lines yet: they get them, and nothing is said."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with Journal(tmp_path) as journal, monkeypatch.context() as stopped:
        stopped.setattr(SideLog, "catch_up", stop)
        with pytest.raises(KeyboardInterrupt):
            journal.import_evenings([whole])
    with Journal(tmp_path) as journal:
        for _ in journal.prove_rest():
            pass
        assert journal.notices == ()
        assert journal.read_evening(EVENINGS + 1) == whole
    assert side(tmp_path, EVENINGS + 1).exists()


def test_an_evening_of_before_that_a_newer_companion_wrote_is_said(
    tmp_path: Path, whole: Log
) -> None:
    """It stops neither the start nor the proving of the others, and nothing of it is changed."""
    newer = "UPDATE entries SET entry = replace(entry, '\"v\":1', '\"v\":99') WHERE evening = 2"
    changed(tmp_path, newer, WRONG.replace("evening = 2", "evening = 1"))
    side(tmp_path, 2).unlink()
    with Journal(tmp_path) as journal:
        for _ in journal.prove_rest():
            pass
        assert "update the companion" in journal.notices[0]
        assert journal.read_evening(1) == whole
        with pytest.raises(JournalTrouble, match="update the companion"):
            journal.read_evening(2)
        assert journal.find_evening(2) is None


def test_proving_ends_with_the_journal(tmp_path: Path, whole: Log) -> None:
    """Closed in the middle of it: it ends in silence."""
    journal = Journal(tmp_path)
    steps = journal.prove_rest()
    next(steps)
    journal.close()
    assert list(steps) == []
