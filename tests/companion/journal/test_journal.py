"""The journal: one writer, whole acts, the same answer to the same command, and plain words when
the disk is trouble."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from pkgutil import resolve_name
from typing import IO, Any

import pytest

from companion.errors import JournalTrouble
from companion.game.change import correct_round
from companion.game.events import CardSetAside, EveningBegun, RoundDealt
from companion.game.log import Entry, Log
from companion.journal import Journal
from companion.journal.acts import BESIDE
from companion.journal.side import check_sum
from companion.journal.store import FILE, Broken, read_only, said
from tests.support.game_evening import NAMES, Told, begun
from tests.support.victims.journal_victim import acts_in, story
from tests.support.victims.plain_user import give_away, open_way_to, without_rights


def filled(folder: Path, acts: int = 12) -> Log:
    """An evening with some acts, closed again."""
    with Journal(folder) as journal:
        for act, entries in enumerate(story()[:acts]):
            journal.append(entries, f"c{act}", {"act": act})
        return journal.log


def test_an_evening_is_resumed_exactly_as_it_was_left(tmp_path: Path) -> None:
    """Opened again, the newest unfinished evening is the current one, entry for entry."""
    log = filled(tmp_path)
    with Journal(tmp_path) as journal:
        assert (journal.log, journal.evening) == (log, 1)


def test_a_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    """A new folder, also inside another new one, is an empty journal."""
    with Journal(tmp_path / "a" / "b") as journal:
        assert (journal.evening, journal.log, journal.evenings(), journal.known_players()) == (
            None,
            Log(),
            (),
            (),
        )


def test_several_evenings_live_in_one_folder(tmp_path: Path) -> None:
    """Evenings are listed with players, totals and dates; a finished one is not resumed by itself
    but can be opened."""
    clock = iter(range(1000, 9000))
    with Journal(tmp_path, lambda: float(next(clock))) as journal:
        for entries in story():
            journal.append(entries)
        first = journal.log
        journal.append(begun(3).log.entries)
    with Journal(tmp_path) as journal:
        one, two = journal.evenings()
        assert (one.players, one.over, one.rounds, sum(one.totals)) == (NAMES[:5], True, 16, 80)
        assert (two.players, two.over, two.began_s > one.changed_s > one.began_s) == (
            NAMES[:3],
            False,
            True,
        )
        assert (journal.evening, journal.next_evening, journal.read_evening(1)) == (2, 3, first)
        assert journal.known_players() == NAMES[:5]
        assert journal.resume(1) == first
    with pytest.raises(JournalTrouble, match="no evening 3"), Journal(tmp_path) as journal:
        journal.read_evening(3)


def test_a_finished_evening_is_left_alone_after_a_start(tmp_path: Path) -> None:
    """When the newest evening is over, no evening is current."""
    filled(tmp_path, len(story()))
    with Journal(tmp_path) as journal:
        assert (journal.evening, journal.log) == (None, Log())


def test_a_finished_evening_can_be_disputed_after_a_restart(tmp_path: Path) -> None:
    """Resumed by hand, a past evening takes corrections, and its line in the list follows."""
    filled(tmp_path, len(story()))
    with Journal(tmp_path) as journal:
        told = Told(journal.resume(1))
        before = journal.evenings()[0].totals
        told.change(correct_round(told.log, 1, ((None, False), (None, False), (None, False))))
        journal.append(told.log.entries[len(journal.log.entries) :])
        assert journal.evenings()[0].totals == told.ledger.totals != before


def test_the_same_command_gets_the_same_answer_and_does_nothing_twice(tmp_path: Path) -> None:
    """Resent at once, after other commands and after a restart, an id brings its stored answer and
    no entry."""
    log = filled(tmp_path)
    with Journal(tmp_path) as journal:
        for act in (11, 3, 0):
            assert journal.append(story()[act], f"c{act}", {"something": "else"}) == {"act": act}
        assert journal.log == log
        assert journal.answer_to("c3") == {"act": 3}
        assert journal.answer_to("c99") is None


def test_a_refused_command_keeps_its_answer_too(tmp_path: Path) -> None:
    """A command without entries stores its answer, before any evening as well."""
    with Journal(tmp_path) as journal:
        assert journal.append((), "r1", {"error": "refused"}) == {"error": "refused"}
        assert journal.append((), "r1", {"error": "other"}) == {"error": "refused"}


def test_eight_devices_tapping_at_once_tap_once(tmp_path: Path) -> None:
    """The same command from eight threads, 25 times over, is stored exactly once and answered alike
    to all."""
    with Journal(tmp_path) as journal, ThreadPoolExecutor(8) as devices:
        for act, entries in enumerate(story()[:25]):

            def tap(device: int, act: int = act, entries: tuple[Entry, ...] = entries) -> object:
                return journal.append(entries, f"c{act}", {"by": device})

            answers = list(devices.map(tap, range(8)))
            assert all(answer == answers[0] for answer in answers)
        assert journal.log.entries == tuple(entry for act in story()[:25] for entry in act)


def test_old_answers_go_with_the_evening_before_last(tmp_path: Path) -> None:
    """Answers of the current and the previous evening are kept; older ones no longer fill the disk."""
    with Journal(tmp_path) as journal:
        for number in range(1, 5):
            journal.append(begun(3).log.entries, f"begin-{number}", number)
        assert [journal.answer_to(f"begin-{number}") for number in range(1, 5)] == [
            None,
            None,
            3,
            4,
        ]


def test_entries_that_do_not_follow_are_an_error(tmp_path: Path) -> None:
    """A gap in the numbers, and an entry before any evening began, are refused and nothing is
    stored."""
    with Journal(tmp_path) as journal:
        with pytest.raises(ValueError, match="beginning"):
            journal.append((Entry(1, 0.0, "person", RoundDealt(1, (1, 2, 3))),))
        journal.append(story()[0])
        with pytest.raises(ValueError, match="cannot follow"):
            journal.append((Entry(3, 0.0, "person", CardSetAside(1, 1)),))
        assert len(journal.log.entries) == len(journal.read_evening(1).entries) == 1


SECOND = """
import sys
from pathlib import Path
from companion.errors import JournalTrouble
from companion.journal import Journal
try:
    Journal(Path(sys.argv[1]))
except JournalTrouble as error:
    print(error)
"""


def second(folder: Path) -> str:
    """What another process says that opens the folder."""
    here = Path(__file__).parents[1]
    asked = [sys.executable, "-c", SECOND, str(folder)]
    return subprocess.run(asked, capture_output=True, text=True, check=True, cwd=here).stdout


def test_a_second_companion_on_the_folder_is_refused(tmp_path: Path) -> None:
    """While one process writes, another is told which process and what to do; afterwards it may."""
    with Journal(tmp_path):
        words = second(tmp_path)
        assert f"process {os.getpid()}" in words
        assert "stop it first, or choose another folder" in words
        with pytest.raises(JournalTrouble, match="Another companion"):
            Journal(tmp_path)
    assert second(tmp_path) == ""


def test_readers_do_not_disturb_the_writer(tmp_path: Path) -> None:
    """With another program reading all the time, every act is stored."""
    with Journal(tmp_path) as journal:
        journal.append(story()[0])
        reader = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
        for entries in story()[1:20]:
            journal.append(entries)
        reader.close()


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("journal.sqlite3*"))}


def test_a_journal_of_a_newer_companion_is_not_touched(tmp_path: Path) -> None:
    """A higher version is refused with what to do, and not a byte of the file changes."""
    filled(tmp_path)
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("PRAGMA user_version = 99")
    database.close()
    before = bytes_of(tmp_path)
    with pytest.raises(
        JournalTrouble, match=r"newer companion \(version 99, this one knows 2\): update"
    ):
        Journal(tmp_path)
    assert bytes_of(tmp_path) == before


def test_an_event_of_a_newer_companion_is_said(tmp_path: Path) -> None:
    """An entry this release does not know is not skipped over, nor taken for a damaged one, whichever
    copy has it: the evening does not open, and nothing changes."""
    filled(tmp_path)
    side = tmp_path / "evenings" / "0001.jsonl"
    lines = side.read_bytes().splitlines(keepends=True)
    told = lines[4].replace(b'"v":1', b'"v":9')[: lines[4].rindex(b',"sum":"')]
    lines[4] = told + f',"sum":"{check_sum(told)}"}}\n'.encode()
    side.write_bytes(b"".join(lines))
    database = sqlite3.connect(tmp_path / FILE)
    database.execute(
        "UPDATE entries SET entry = replace(entry, '\"v\":1', '\"v\":9') WHERE number = 5"
    )
    database.commit()
    database.close()
    before = bytes_of(tmp_path)[FILE]
    with pytest.raises(JournalTrouble, match=r"version 9.*update the companion"):
        Journal(tmp_path)
    assert bytes_of(tmp_path)[FILE] == before
    side.unlink()
    with pytest.raises(JournalTrouble, match=r"version 9.*update the companion"):
        Journal(tmp_path)


def test_another_programs_database_is_not_touched(tmp_path: Path) -> None:
    """A database that is not a journal is refused, unchanged."""
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("CREATE TABLE recipes (cake TEXT)")
    database.close()
    before = bytes_of(tmp_path)
    with pytest.raises(JournalTrouble, match="belongs to another program"):
        Journal(tmp_path)
    assert bytes_of(tmp_path) == before


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """Where a file is in the way, the sentence names the folder and the way out."""
    (tmp_path / "file").write_text("")
    with pytest.raises(
        JournalTrouble, match=r"is no folder, or lies in none: .* or choose another with --data"
    ):
        Journal(tmp_path / "file" / "evenings")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no write bit there")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """A folder without the right to write is said, empty or with a journal in it, and nothing in it
    changes."""
    open_way_to(tmp_path)
    filled(tmp_path)
    before = bytes_of(tmp_path)
    tmp_path.chmod(0o555)
    (tmp_path / "journal.lock").unlink()
    with without_rights(), pytest.raises(JournalTrouble, match="cannot be written to: allow it"):
        Journal(tmp_path)
    tmp_path.chmod(0o755)
    assert bytes_of(tmp_path) == before


def test_a_file_beside_that_may_not_be_read_is_said(tmp_path: Path) -> None:
    """After one start as another user: the list of devices was put aside as damaged, and all of them were
    out."""
    open_way_to(tmp_path)
    filled(tmp_path)
    devices = tmp_path / "devices.json"
    devices.write_text("{}")
    give_away(tmp_path)
    devices.chmod(0)
    with without_rights(), pytest.raises(JournalTrouble, match="may not be read: allow it to this"):
        Journal(tmp_path)
    devices.chmod(0o600)
    with without_rights():
        Journal(tmp_path).close()
    assert devices.read_text() == "{}"


def test_a_full_disk_refuses_whole_acts_and_works_again_when_freed(tmp_path: Path) -> None:
    """When the file cannot grow, the act is refused in words, nothing is half stored, and the same
    act goes through later."""
    with Journal(tmp_path) as journal:
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count = {pages + 1}")

        def play(first: int) -> None:
            for act, entries in enumerate(story()[first:], first):
                journal.append(entries, f"c{act}", {"padding": "x" * 500})

        with pytest.raises(
            JournalTrouble, match="is full: nothing was half-saved; free some space"
        ):
            play(0)
        stored = acts_in(journal.log)
        assert 0 < stored < len(story())
        assert journal.log == journal.read_evening(1)
        assert journal.answer_to(f"c{stored}") is None
        journal._db.execute("PRAGMA max_page_count = 100000")
        play(stored)
        assert acts_in(journal.read_evening(1)) == len(story())


def test_a_disk_that_is_full_at_the_start_is_said_to_be_full(tmp_path: Path) -> None:
    """With 16 to 40 kB free there is room for the database and none for what SQLite shares with readers:
    it calls that an I/O error."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert "is full: nothing was half-saved; free some space" in str(said(error, tmp_path))


def test_a_file_system_gone_read_only_is_said(tmp_path: Path) -> None:
    """When writing is no longer allowed, the act is refused in words and reading goes on."""
    with Journal(tmp_path) as journal:
        journal.append(story()[0])
        journal._db.execute("PRAGMA query_only = ON")
        with pytest.raises(JournalTrouble, match="cannot be written to"):
            journal.append(story()[1], "c1", "x")
        assert len(journal.read_evening(1).entries) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="what is open cannot be taken away there")
@pytest.mark.parametrize("how", ["removed", "moved", "replaced"])
def test_a_journal_taken_away_takes_no_more(tmp_path: Path, how: str) -> None:
    """What is written to a file that is in no folder any more would be gone: every act is refused in
    words, those of the book too, until the file is back where it was."""
    folder, away = tmp_path / "here", tmp_path / "away"
    with Journal(folder) as journal:
        journal.append(story()[0])
        assert journal.in_place
        if how == "removed":
            shutil.rmtree(folder)
        else:
            folder.rename(away)
        if how == "replaced":
            shutil.copytree(away, folder)
        for _ in range(2):
            with pytest.raises(JournalTrouble, match="was taken away"):
                journal.append(story()[1], "c1", "x")
        with pytest.raises(JournalTrouble, match="was taken away"):
            journal.acts.append({"do": "place", "evening": 1, "place": "home"}, None)
        assert not journal.in_place
        assert acts_in(journal.log) == 1
        if how == "moved":
            away.rename(folder)
            assert journal.append(story()[1], "c1", "x") == "x"
    if how == "moved":
        with Journal(folder) as journal:
            assert acts_in(journal.log) == 2


@pytest.mark.parametrize("spoil", ["garbage", "torn", "gone"])
def test_a_damaged_database_is_kept_and_rebuilt_from_the_side_log(
    tmp_path: Path, spoil: str
) -> None:
    """Overwritten, cut in half or deleted: the evenings come back entry for entry, and the damaged
    file is still there."""
    log = filled(tmp_path, 40)
    file = tmp_path / FILE
    whole = file.read_bytes()
    damaged = {
        "garbage": b"\x17" * len(whole),
        "torn": whole[: len(whole) // 2 + 100],
        "gone": b"",
    }[spoil]
    file.write_bytes(damaged)
    if spoil == "gone":
        file.unlink()
    with Journal(tmp_path) as journal:
        assert journal.log == log
        assert journal.evenings()[0].players == NAMES[:5]
        assert (journal.kept is None) == (spoil == "gone")
        assert journal.kept is None or journal.kept.read_bytes() == damaged
        journal.append(story()[40])


def test_the_side_log_is_caught_up_after_damage(tmp_path: Path) -> None:
    """A torn last line is written again; a line that differs is replaced, with a copy of the old
    file kept."""
    log = filled(tmp_path, 20)
    side = tmp_path / "evenings" / "0001.jsonl"
    lines = side.read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["entry"]["number"] for line in lines] == [
        entry.number for entry in log.entries
    ]
    other = b"".join([*lines[:5], b"nonsense\n", *lines[6:]])
    for spoiled in (b"".join(lines)[:-9], other, b""):
        side.write_bytes(spoiled)
        with Journal(tmp_path):
            pass
        assert side.read_bytes() == b"".join(lines)
    assert [path.read_bytes() for path in side.parent.glob("*.kept-*")] == [other]


def test_a_side_log_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    """The database counts: with the side log's folder blocked, acts are stored, and once it is free
    the lines follow."""
    (tmp_path / "evenings").write_text("in the way")
    filled(tmp_path, 8)
    (tmp_path / "evenings").unlink()
    log = filled(tmp_path, 8)
    assert len((tmp_path / "evenings" / "0001.jsonl").read_bytes().splitlines()) == len(log.entries)


def test_names_in_any_script_survive(tmp_path: Path) -> None:
    """Letters, quotes, new scripts and emoji come back as typed."""
    names = ("Žofie 🦊", 'Björn "B" O\'Neil', "美咲\u202e=1+1")
    told = Told()
    told.enter(EveningBegun(names, 0))
    with Journal(tmp_path) as journal:
        journal.append(told.log.entries)
    (tmp_path / FILE).unlink()
    with Journal(tmp_path) as journal:
        assert journal.known_players() == names


def test_a_lock_that_is_removed_is_taken_again(tmp_path: Path) -> None:
    """Who tidies the folder while an evening is kept lets no second companion in, and stops nothing."""
    with Journal(tmp_path) as journal:
        journal.append(story()[0], "c0", {})
        (tmp_path / "journal.lock").unlink()
        journal.append(story()[1], "c1", {})
        with pytest.raises(JournalTrouble, match="Another companion"):
            Journal(tmp_path)
        assert acts_in(journal.read_evening(1)) == 2


def test_a_lock_that_is_replaced_where_nobody_else_writes_is_taken_again(tmp_path: Path) -> None:
    """A program that synchronises folders puts another file in its place: the evening goes on."""
    with Journal(tmp_path) as journal:
        journal.append(story()[0], "c0", {})
        (tmp_path / "journal.lock").replace(tmp_path / "old")
        (tmp_path / "journal.lock").touch()
        journal.append(story()[1], "c1", {})
        with pytest.raises(JournalTrouble, match="Another companion"):
            Journal(tmp_path)


def test_a_lock_in_a_folder_that_was_taken_away_and_put_back_is_still_held(tmp_path: Path) -> None:
    """Somebody is let in meanwhile, which asks for the lock: refused, and then all is as before."""
    folder, away = tmp_path / "data", tmp_path / "away"
    with Journal(folder) as journal:
        folder.rename(away)
        for _ in range(2):
            with pytest.raises(JournalTrouble, match="put it back where it was"):
                journal.require_alone()
        with pytest.raises(JournalTrouble, match="Another companion"):
            Journal(away)
        away.rename(folder)
        with pytest.raises(JournalTrouble, match="Another companion"):
            Journal(folder)
        journal.append(story()[0], "c0", {})
        assert acts_in(journal.log) == 1


def test_a_lock_that_could_not_be_taken_again_is_not_held(tmp_path: Path) -> None:
    """Something else lay in its place for a while: the one of before came back, and is taken anew."""
    lock, kept = tmp_path / "journal.lock", tmp_path / "kept"
    with Journal(tmp_path) as journal:
        lock.rename(kept)
        lock.symlink_to(tmp_path / "nowhere" / "lock")
        with pytest.raises(JournalTrouble):
            journal.require_alone()
        lock.unlink()
        kept.rename(lock)
        journal.require_alone()
        with pytest.raises(JournalTrouble, match="Another companion"):
            Journal(tmp_path)


@pytest.mark.parametrize("still_there", [True, False])
def test_two_that_write_since_the_lock_was_removed_are_told(
    tmp_path: Path, still_there: bool
) -> None:
    """A second companion that got in, and is still there or has written and gone: the first is told to
    stop, each time, and what the second wrote stays as it is."""
    with Journal(tmp_path) as first:
        first.append(story()[0], "c0", {})
        (tmp_path / "journal.lock").unlink()
        second = Journal(tmp_path)
        second.append(story()[1], "c1", {})
        written = second.log
        if not still_there:
            second.close()
        for _ in range(2):
            with pytest.raises(JournalTrouble, match=r"Another companion .* stop both"):
                first.append(story()[1], "c2", {})
        second.close()
        with pytest.raises(JournalTrouble, match="stop both, and start one"):
            first.append(story()[1], "c3", {})
    with Journal(tmp_path) as again:
        assert again.log == written


@pytest.mark.parametrize("spoil", ["garbage", "folder", "cut"])
def test_a_lock_that_is_none_is_set_aside(tmp_path: Path, spoil: str) -> None:
    """Garbage or a folder where the lock should be: said, kept, and the evening goes on under a lock
    that holds."""
    log = filled(tmp_path)
    lock = tmp_path / "journal.lock"
    lock.unlink(missing_ok=True)
    if spoil == "folder":
        lock.mkdir()
    else:
        lock.write_bytes(b"SQLite format 3\0" if spoil == "cut" else b"\x17" * 5000)
    with Journal(tmp_path) as journal:
        assert journal.log == log
        assert len(journal.notices) == 1
        assert (tmp_path / "journal.lock.broken-1").exists()
        with pytest.raises(JournalTrouble, match="Another companion"):
            Journal(tmp_path)


def test_a_folder_in_place_of_a_file_stops_no_evening(tmp_path: Path) -> None:
    """The database's, the owner's and a side log's names taken by folders: the evening comes back
    from what is left."""
    log = filled(tmp_path)
    (tmp_path / FILE).unlink()
    (tmp_path / FILE).mkdir()
    (tmp_path / "journal.owner").mkdir()
    (tmp_path / "evenings" / "0007.jsonl").mkdir()
    with Journal(tmp_path) as journal:
        assert journal.log == log
        assert journal.kept is not None
        assert journal.kept.is_dir()
    assert (tmp_path / "journal.owner").is_dir()


def test_an_owner_that_cannot_be_removed_spoils_no_good_night(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note of who writes here is only a note: a disk that refuses it, at the beginning or at the
    end, is no trouble."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(Path, "write_text", refuse)
        broken.setattr(Path, "unlink", refuse)
        filled(tmp_path)
    with Journal(tmp_path) as journal:
        assert journal.evening == 1


@pytest.mark.parametrize("what", ["a file", "a link to itself", "a link to nothing"])
def test_a_folder_that_is_none_is_called_that(tmp_path: Path, what: str) -> None:
    """Not "cannot be written to": nobody could allow it."""
    at = tmp_path / "evenings"
    if what == "a file":
        at.write_bytes(b"")
    else:
        at.symlink_to(at if what == "a link to itself" else tmp_path / "gone" / "far")
    with pytest.raises(JournalTrouble, match="is no folder"):
        Journal(at)


def test_a_full_disk_at_a_start_that_has_something_to_mend_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands over the newest evening is not what its entries add up to, and cannot be written."""
    filled(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("UPDATE evenings SET rounds = rounds + 1")
        db.commit()

    def full(*_: object) -> None:
        refused = sqlite3.OperationalError("database or disk is full")
        refused.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise refused

    monkeypatch.setattr("companion.journal.evenings.in_one", full)
    with pytest.raises(JournalTrouble, match="is full"):
        Journal(tmp_path)
    monkeypatch.undo()
    Journal(tmp_path).close()


def test_a_copy_of_the_acts_that_cannot_be_looked_at_refuses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The act stood in the database, and was answered as refused."""
    with Journal(tmp_path) as journal:

        def failing(path: Path) -> bool:
            raise OSError(5, "Input/output error", str(path))

        with monkeypatch.context() as disk:
            disk.setattr(Path, "is_dir", failing)
            disk.setattr(Path, "exists", failing)
            act = journal.acts.append({"do": "place", "evening": 1, "place": "home"}, None)
        assert [one.number for one in journal.acts.acts] == [act.number]
        assert not (tmp_path / BESIDE).exists()
        journal.acts.catch_up()
        assert (tmp_path / BESIDE).exists()


def test_what_a_power_cut_left_of_a_file_of_before_goes_with_the_next_start(tmp_path: Path) -> None:
    """It may hold the name of who was forgotten, and nobody writes that file again. What is somebody's own
    stays."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left, own = tmp_path / f"people.json.{gone.pid}.old", tmp_path / f"notes.{gone.pid}.old"
    for file in (left, own, tmp_path / "people.json"):
        file.write_text("{}")
    Journal(tmp_path).close()
    assert (left.exists(), own.exists()) == (os.name == "nt", True)


@pytest.mark.parametrize("where", ["connect", "Proving.begin"])
def test_a_database_that_could_not_be_read_once_is_not_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """SQLite calls it damaged; a folder that was just restored has no lines beside it to make another one
    of, and showed no evening any more."""
    log = filled(tmp_path)
    shutil.rmtree(tmp_path / "evenings")
    name = f"companion.journal.evenings.{where}"
    works, left = resolve_name(name), [1]

    def fails_once(*asked: Any) -> Any:
        if left and left.pop():
            damaged = sqlite3.DatabaseError("database disk image is malformed")
            damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise Broken("unable to get the page") if where == "connect" else damaged
        return works(*asked)

    monkeypatch.setattr(name, fails_once)
    with Journal(tmp_path) as journal:
        assert (journal.log, journal.kept) == (log, None)
    assert not left


def test_a_database_that_the_disk_does_not_give_is_not_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails is told, and the file stays where it is."""
    filled(tmp_path)
    before = sorted(file.name for file in tmp_path.iterdir())

    def unread(folder: Path) -> sqlite3.Connection:
        raise Broken(f"unable to get the page of {folder}")

    def failing(file: Path, *_: object, **__: object) -> IO[bytes]:
        raise OSError(5, "Input/output error", str(file))

    monkeypatch.setattr("companion.journal.evenings.connect", unread)
    monkeypatch.setattr(Path, "open", failing)
    with pytest.raises(JournalTrouble, match=r"cannot be read .*, and nothing was changed"):
        Journal(tmp_path)
    monkeypatch.undo()
    assert sorted(file.name for file in tmp_path.iterdir()) == before


@pytest.mark.parametrize("to", ["journal.lock", "gone/journal.lock"])
def test_a_lock_that_leads_nowhere_is_set_aside(tmp_path: Path, to: str) -> None:
    """It locks nothing: the folder can be written all the same, and that is said."""
    (tmp_path / "journal.lock").symlink_to(tmp_path / to)
    with Journal(tmp_path) as journal:
        assert "journal.lock.broken-1" in journal.notices[0]


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
@pytest.mark.parametrize(
    "name", [f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", "journal.lock-journal"]
)
@pytest.mark.parametrize("shape", ["pipe", "folder"])
def test_what_stands_where_sqlite_keeps_its_own_files_is_set_aside(
    tmp_path: Path, name: str, shape: str
) -> None:
    """SQLite waits for a pipe for ever, also when it is told to end; a folder it takes for a disk that
    refuses. Both are put out of the way, and the evening goes on."""
    log = filled(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name) if shape == "pipe" else (tmp_path / name).mkdir()
    opened = f"from pathlib import Path; from companion.journal import Journal; print(Journal(Path({str(tmp_path)!r})).evening)"
    told = subprocess.run(
        [sys.executable, "-c", opened], capture_output=True, text=True, timeout=60, check=False
    )
    assert (told.stdout, told.returncode) == ("1\n", 0), told.stderr
    assert f"{name} is no file" in told.stderr
    with Journal(tmp_path) as journal:
        assert journal.log == log


def test_a_wrong_bit_in_the_database_s_own_words_loses_nothing(tmp_path: Path) -> None:
    """A column that is called otherwise all at once: SQLite finds its pages in order. The database is
    rebuilt from the side log, and that is said."""
    log = filled(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, 'over INTEGER', 'ovez INTEGER')")
    with Journal(tmp_path) as journal:
        assert journal.log == log
        assert journal.kept is not None


@pytest.mark.skipif(sys.platform == "win32", reason="what is open cannot be taken away there")
@pytest.mark.parametrize("also_shared", [False, True])
def test_a_log_taken_away_is_begun_anew(tmp_path: Path, also_shared: bool) -> None:
    """The book of evenings could not read beside it until a restart."""
    with Journal(tmp_path) as journal:
        journal.append(story()[0])
        (tmp_path / f"{FILE}-wal").unlink()
        if also_shared:
            (tmp_path / f"{FILE}-shm").unlink()
        journal.append(story()[1], "c1", "x")
        with contextlib.closing(sqlite3.connect(read_only(tmp_path / FILE), uri=True)) as db:
            told = db.execute("SELECT count(*) FROM entries").fetchone()
        assert told == (len(journal.log.entries),)
        journal.append(story()[2], "c2", "x")
        kept = journal.log
    with Journal(tmp_path) as journal:
        assert (journal.log, journal.kept, journal.notices) == (kept, None, ())


@pytest.mark.skipif(sys.platform == "win32", reason="what is open cannot be taken away there")
@pytest.mark.parametrize("harm", ["folder", "cut"])
def test_where_no_log_can_be_begun_the_evening_goes_on(tmp_path: Path, harm: str) -> None:
    """Into what is held open and the lines beside it, which come back at the next start."""
    with Journal(tmp_path) as journal:
        journal.append(story()[0])
        (tmp_path / f"{FILE}-wal").unlink()
        if harm == "folder":
            (tmp_path / f"{FILE}-wal").mkdir()
        else:
            os.truncate(tmp_path / FILE, 0)
        journal.append(story()[1], "c1", "x")
        kept = journal.log
    with Journal(tmp_path) as journal:
        assert journal.log.entries == kept.entries
