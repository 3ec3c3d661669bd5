"""The journal: the evenings' logs on disk.

Knows one data folder with SQLite (`store`) and JSON lines beside it (`side`); knows no camera and
no screen. An act is stored whole or not at all, with the id of the command that asked for it: after
a kill the last act is usually stored but its answer never sent, and then the same id brings the
same answer and changes nothing.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from card_printables.files import sweep
from companion.errors import JournalTrouble
from companion.game.event_json import UnknownEvent, entry_from_dict
from companion.game.events import EveningBegun
from companion.game.fold import fold
from companion.game.ledger import Ledger
from companion.game.log import Entry, Log, in_time
from companion.journal.acts import BESIDE, GO_ON, Act, ActLog, is_understood, read_acts
from companion.journal.proving import Proving, newer_trouble
from companion.journal.rows import store_entries
from companion.journal.side import SideLog
from companion.journal.store import (
    BROKEN,
    FILE,
    KEPT_BESIDE,
    Broken,
    Lock,
    LogInReach,
    OpenFile,
    connect,
    copy_aside,
    empty_log,
    in_one,
    remove_files,
    require_allowed,
    require_readable,
    said,
    set_aside,
    unread_acts,
)

COMMANDS_KEPT_EVENINGS = 2
"""Answers are kept for this evening and the one before: a tablet that slept through a rematch still
gets its own."""


@dataclass(frozen=True, slots=True)
class Evening:
    """One line of the list of evenings; `totals` by seat, times in seconds since 1970."""

    number: int
    began_s: float
    changed_s: float
    players: tuple[str, ...]
    totals: tuple[int, ...]
    rounds: int
    over: bool
    imported: bool = False
    """It came from another companion: it is never gone on with by itself."""


class Journal:
    """The one writer of a data folder. Safe to call from several threads; a context manager that
    closes itself.

    Many methods: what is written is written here, the evening of tonight and, between evenings, what
    people do to those of before.
    Many attributes: each of its files, the log of tonight, and what was found when they were opened.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        """Opens the folder, making it where needed, and goes on with its newest evening if that is
        not over.

        A damaged database is kept beside the new one and rebuilt from the side log (`kept` names
        it). Raises JournalTrouble when another companion writes here, the folder cannot be written,
        or a newer release wrote it.
        """
        self.folder = folder
        self.kept: Path | None = None
        self.notices: tuple[str, ...] = ()
        """What was found beside the evenings and could not be believed, as sentences."""
        self.on_notice: Callable[[str], None] | None = None
        """Told each of those that comes after the start."""
        self.evening: int | None = None
        self._clock: Callable[[], float] = lambda: in_time(clock())
        self._mutex = threading.RLock()
        self._log = Log()
        self._began_s = 0.0
        self._closed = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(folder)
        except (OSError, sqlite3.Error) as error:
            raise said(error, folder) from error
        if self._lock.notice is not None:
            self._say(self._lock.notice)
        try:
            require_allowed(folder)
            for name in KEPT_BESIDE:
                sweep(folder, name, "old")
            self._side = SideLog(folder)
            self._db = self._opened()
            self._file = self._held()
            had_some = self._holds_evenings()
            self._look_behind()
            self._proving = self._proven_begin()
            self._log_in_reach = LogInReach(self._db, folder)
            newest = self._counted_again()
            if newest is not None and not newest.over and not newest.imported:
                self.resume(newest.number)
            if newest and not had_some and self.kept is None:
                self._say(
                    f"{FILE} held no evening any more: they came back from the lines beside it. Look the "
                    "ledger's end over."
                )
            self.acts = ActLog(
                self._db, self._mutex, folder, self._clock, self._check_in_place, self._keep_copy
            )
            """What people did to the book of evenings."""
            for sentence in self.acts.notices:
                self._say(sentence)
            self._go_on_with_older()
        except BaseException:
            self._lock.release()
            raise

    def _opened(self) -> sqlite3.Connection:
        try:
            try:
                return connect(self.folder)
            except Broken:
                require_readable(self.folder)
            try:  # the disk may have failed to read it once: that is no damage
                return connect(self.folder)
            except Broken:
                self._set_aside()
            return connect(self.folder)
        except Broken as error:
            raise JournalTrouble(
                f"The disk with {self.folder} does not give what was written on it ({error}): start again, or choose "
                "another folder with --data."
            ) from error
        except (OSError, sqlite3.Error) as error:
            raise said(error, self.folder) from error

    def _held(self) -> OpenFile:
        try:
            return OpenFile.at(self.folder)
        except OSError as error:
            raise said(error, self.folder) from error

    def _holds_evenings(self) -> bool:
        try:
            return bool(self._db.execute("SELECT 1 FROM evenings LIMIT 1").fetchone())
        except sqlite3.Error:  # whoever reads it next says what is wrong
            return True

    def _look_behind(self) -> None:
        """Say it where the newest acts of the database could not be read; what is left is kept."""
        behind = unread_acts(self._db, self.folder)
        if behind:
            self.kept = copy_aside(self._db, self.folder, with_wal=True)
            self._say(
                f"The end of {FILE} was damaged, and {behind} acts that stood there could not be read: what the "
                "lines beside it tell of them came back. Look the ledger's end over."
            )

    def _proven_begin(self) -> Proving:
        """Mend what the disk made of the database, where the lines beside it say otherwise. One that
        cannot even be asked, twice, is kept, and rebuilt from all lines."""
        for put_right in (partial(require_readable, self.folder), self._set_aside):
            try:
                return self._proving_begun()
            except sqlite3.Error as error:
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if code not in (*BROKEN, sqlite3.SQLITE_ERROR):
                    raise said(error, self.folder) from error
            self._db.close()
            put_right()
            self._db = self._opened()
            self._file = self._held()
        return self._proving_begun()

    def _proving_begun(self) -> Proving:
        read_acts(self._db)
        proving = Proving(self._db, self._side, self._say)
        proving.begin()
        self.kept = self.kept or proving.kept
        return proving

    def _set_aside(self) -> None:
        self.kept = set_aside(self.folder)

    def _keep_copy(self) -> None:
        self.kept = self.kept or copy_aside(self._db, self.folder)

    def _say(self, sentence: str) -> None:
        self.notices += (sentence,)
        if self.on_notice is not None:
            self.on_notice(sentence)

    def _prove(self, evening: int) -> None:
        """Compare the two copies of this evening, if nobody did since the start."""
        with self._mutex:
            try:
                self._proving.prove(evening)
            except OverflowError:  # a number of thirty digits: no database holds it
                return
            except sqlite3.Error as error:
                raise said(error, self.folder) from error
            self.kept = self.kept or self._proving.kept

    def prove_rest(self) -> Iterator[int]:
        """Compare the two copies of every evening that was not opened yet, one at each step, and mend
        what differs; `on_notice` hears of it, and of what could not be."""
        for line in reversed(self.evenings()):
            with self._mutex:
                if self._closed:
                    return
                try:
                    self._prove(line.number)
                except JournalTrouble as trouble:
                    if str(trouble) not in self.notices:
                        self._say(str(trouble))
            yield line.number

    def _counted_again(self) -> Evening | None:
        """Our newest evening, after what stands over it was made what its entries add up to: whether it
        is over decides whether it goes on."""
        line = self.newest_evening()
        if line is not None:
            ledger = fold(self.read_evening(line.number)).ledger
            head = (line.players, line.totals, line.rounds, line.over)
            if head != (ledger.names, ledger.totals, len(ledger.rounds), ledger.over):
                number, began_s, changed_s = line.number, line.began_s, line.changed_s
                store = partial(store_entries, self._db, number, began_s, changed_s, ledger, ())
                self._in_one(store)
        return self.newest_evening()

    def _go_on_with_older(self) -> None:
        """An older evening that was put back on the table, or was written in last, is still there."""
        if self.evening is not None:
            return
        own = [line for line in self.evenings() if not line.imported]
        last = max(own, key=lambda line: line.changed_s, default=None)
        again = [self._line(number) for number in self._named_in(GO_ON)[-1:]]
        there = next((line for line in (*again, last) if line is not None and not line.over), None)
        if there is not None:
            self.resume(there.number)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the files and gives the folder free; a second call does nothing."""
        with self._mutex:
            self._closed = True
            self._db.close()
            self._lock.release()

    @property
    def log(self) -> Log:
        """The log of the current evening; empty before one began."""
        return self._log

    def evenings(self) -> tuple[Evening, ...]:
        """All evenings of the folder, oldest first; those of other companions before our own."""
        return self._lines("ORDER BY imported DESC, evening")

    def newest_evening(self) -> Evening | None:
        """Our own newest one; where there is none, the newest of another companion's."""
        return next(iter(self._lines("ORDER BY imported, evening DESC LIMIT 1")), None)

    def _line(self, evening: int) -> Evening | None:
        return next(iter(self._lines("WHERE evening = ?", evening)), None)

    def _lines(self, which: str, *values: object) -> tuple[Evening, ...]:
        rows = self._read(
            f"SELECT evening, began_s, changed_s, players, totals, rounds, over, imported FROM evenings {which}",
            *values,
        )
        return tuple(
            Evening(
                row[0],
                in_time(row[1]),
                in_time(row[2]),
                tuple(json.loads(row[3])),
                tuple(json.loads(row[4])),
                row[5],
                bool(row[6]),
                bool(row[7]),
            )
            for row in rows
        )

    def is_over(self, evening: int) -> bool:
        """True once the game of this evening is over; False where there is no such evening."""
        rows = self._read("SELECT over FROM evenings WHERE evening = ?", evening)
        return bool(rows and rows[0][0])

    def known_players(self) -> tuple[str, ...]:
        """The names of everyone who ever played, those of the newest evening first."""
        tables = self._read(
            "SELECT players FROM evenings GROUP BY players, imported ORDER BY imported, max(evening) DESC"
        )
        return tuple(dict.fromkeys(name for (told,) in tables for name in json.loads(told)))

    def read_evening(self, evening: int) -> Log:
        """The log of one evening. Raises JournalTrouble when there is none or a newer release wrote
        it."""
        self._prove(evening)
        rows = self._read("SELECT entry FROM entries WHERE evening = ? ORDER BY number", evening)
        if not rows:
            raise JournalTrouble(
                f"There is no evening {evening} in {self.folder}: choose one of those listed."
            )
        try:
            return Log().append(*(entry_from_dict(json.loads(row[0])) for row in rows))
        except (UnknownEvent, ValueError) as error:
            raise newer_trouble(self.folder, evening, error) from error

    def log_of(self, evening: int) -> Log | None:
        """The log of one evening as it is stored; None where there is none. Raises JournalTrouble when
        a newer release wrote it."""
        with self._mutex:
            if evening == self.evening:
                return self._log
        return self.read_evening(evening) if 0 < evening < self.next_evening else None

    def find_evening(self, evening: int) -> Log | None:
        """The log of one evening; None where there is none that can be read."""
        try:
            return self.read_evening(evening)
        except JournalTrouble:
            return None

    def resume(self, evening: int) -> Log:
        """Makes this evening the current one and returns its log, exactly as it was left. Raises
        JournalTrouble like `read`."""
        with self._mutex:
            self._log = self.read_evening(evening)
            self.evening = evening
            line = self._line(evening)
            assert line is not None
            self._began_s = line.began_s
            self._side.catch_up(evening, self._log.entries, self._began_s)
            return self._log

    def go_on_with(
        self,
        evening: int,
        entries: tuple[Entry, ...],
        ledger: Ledger,
        author: str | None,
        ending: tuple[Entry, ...] = (),
    ) -> None:
        """Puts an evening of before back on the table: it gets these entries, the evening of now those of
        its `ending`, the book the act, and it becomes the current one; all of it, or nothing. `ledger` is
        what its log adds up to with them. Raises JournalTrouble when the disk refuses: then the evening of
        now stays the current one."""

        def work() -> tuple[Act, ...]:
            now_s = self._clock()
            if entries:
                store_entries(self._db, evening, began_s, now_s, ledger, entries)
            if ending and left:
                store_entries(self._db, left, left_began_s, now_s, fold(left_log).ledger, ending)
            return self.acts.insert([{"do": GO_ON, "evening": evening}], author)

        with self._mutex:
            left, left_began_s, left_log = self.evening, self._began_s, self._log.append(*ending)
            log = self.read_evening(evening).append(*entries)
            line = self._line(evening)
            assert line is not None
            began_s = line.began_s
            self._check_in_place()
            try:
                acts = in_one(self._db, work)
            except sqlite3.Error as error:
                raise said(error, self.folder) from error
            self.acts.follow(acts)
            self._log, self.evening, self._began_s = log, evening, began_s
            self._proving.note_written(evening)
            if ending and left:
                self._side.catch_up(left, left_log.entries, left_began_s)
            self._side.catch_up(evening, log.entries, began_s)

    def answer_to(self, command_id: str) -> Any | None:
        """The stored answer to a command, or None when it is new."""
        rows = self._read("SELECT CAST(answer AS BLOB) FROM commands WHERE command = ?", command_id)
        return _answer(rows[0][0]) if rows else None

    def append(
        self,
        entries: tuple[Entry, ...],
        command_id: str | None = None,
        answer: Any = None,
        ledger: Ledger | None = None,
    ) -> Any:
        """Stores the entries, the command's id and its answer in one transaction, and returns the
        answer. `ledger` is what the log adds up to with the entries, where that is known already.

        A known id stores nothing and returns the answer it had. An entry of EveningBegun with
        number 1 begins a new evening. Raises JournalTrouble when the disk refuses: then nothing is
        stored and the same call may be made again; ValueError when the entries do not continue the
        log.
        """
        with self._mutex:
            if command_id is not None and (
                known := self._read(
                    "SELECT CAST(answer AS BLOB) FROM commands WHERE command = ?", command_id
                )
            ):
                return _answer(known[0][0])
            fresh = (
                bool(entries)
                and entries[0].number == 1
                and isinstance(entries[0].event, EveningBegun)
            )
            log = (Log() if fresh else self._log).append(*entries)
            if entries or command_id is not None:
                self._write(fresh, log, entries, command_id, answer, ledger)
            return answer

    def _write(
        self,
        fresh: bool,
        log: Log,
        entries: tuple[Entry, ...],
        command_id: str | None,
        answer: Any,
        ledger: Ledger | None,
    ) -> None:
        now_s = self._clock()
        evening = self.next_evening if fresh else self.evening or 0
        began_s = now_s if fresh else self._began_s
        if entries and not evening:
            raise ValueError("the first entry of an evening is its beginning")

        def work() -> None:
            if entries:
                store_entries(
                    self._db, evening, began_s, now_s, ledger or fold(log).ledger, entries
                )
            if command_id is not None:
                self._db.execute(
                    "INSERT INTO commands VALUES (?, ?, ?)",
                    (command_id, evening, json.dumps(answer)),
                )
            if fresh:
                self._db.execute(
                    "DELETE FROM commands WHERE evening <= ?", (evening - COMMANDS_KEPT_EVENINGS,)
                )

        self._check_in_place()
        try:
            in_one(self._db, work)
        except sqlite3.Error as error:
            if not self._stored(evening, log, command_id):
                raise said(error, self.folder) from error
        if entries:
            self._log = log
            self.evening = evening
            self._began_s = began_s
            self._proving.note_written(evening)
            self._side.catch_up(evening, log.entries, began_s)

    def _check_in_place(self) -> None:
        """Raises JournalTrouble where the file that is held open was taken away, or the folder itself by
        another companion; its log alone is begun anew, and a lock that was removed."""
        try:
            self._file.check()
        except OSError as error:
            raise said(error, self.folder) from error
        self._lock.check()
        self._log_in_reach.mend()

    def require_alone(self) -> None:
        """Raises JournalTrouble where another companion keeps what is in the folder as well."""
        with self._mutex:
            self._lock.check()

    @property
    def log_lost(self) -> bool:
        """Whether the file's log was taken away, and another one can be begun once nobody else has the
        file open: who opens it does not read what was written."""
        return self.in_place and self._log_in_reach.lost

    def let_others_read(self) -> None:
        """Begin a lost log anew, if nobody else has the file open."""
        with self._mutex:
            if self.log_lost:
                self._log_in_reach.mend()

    @property
    def kept_once(self) -> bool:
        """True while the disk takes no second copy of what is entered."""
        return self._side.behind

    @property
    def in_place(self) -> bool:
        """Whether the file that is held open still lies in the folder."""
        try:
            self._file.check()
        except OSError:
            return False
        return True

    def _stored(self, evening: int, log: Log, command_id: str | None) -> bool:
        """True when the act is in the file although the disk complained: then it counts."""
        last = self._read(
            "SELECT coalesce(max(number), 0) FROM entries WHERE evening = ?", evening
        )[0][0]
        known = command_id is None or self._read(
            "SELECT 1 FROM commands WHERE command = ?", command_id
        )
        return bool(known) and last == log.next_number - 1

    @property
    def next_evening(self) -> int:
        """The number the next new evening will get: never one that was deleted."""
        deleted = self._named_in("delete")
        stored = int(self._read("SELECT coalesce(max(evening), 0) FROM evenings")[0][0])
        return max([stored, *deleted]) + 1

    def own_lengths(self, first: int) -> dict[int, int]:
        """How many entries each evening of this table has, from number `first` on; those that came from
        another companion are not among them."""
        rows = self._read(
            "SELECT evening, (SELECT max(number) FROM entries WHERE entries.evening = evenings.evening) "
            "FROM evenings WHERE evening >= ? AND NOT imported ORDER BY evening",
            first,
        )
        return {evening: length for evening, length in rows if length is not None}

    def _named_in(self, do: str) -> list[int]:
        """The evenings that the acts of this kind name, in the acts' order."""
        return [
            act.what["evening"]
            for act in self.acts.acts
            if act.what.get("do") == do and is_understood(act.what)
        ]

    # --- evenings of before

    def import_evenings(
        self, logs: Iterable[Log], acts: Callable[[], Sequence[dict[str, Any]]] = tuple
    ) -> int:
        """Put these evenings of another companion beside our own, with what `acts` says of them once
        all are read, all or none; how many evenings. Raises JournalTrouble when the disk refuses."""
        first = number = self.next_evening
        stored: tuple[Act, ...] = ()

        def work() -> None:
            nonlocal number, stored
            for log in logs:
                began_s, changed_s = log.entries[0].at_s, log.entries[-1].at_s
                store_entries(self._db, number, began_s, changed_s, fold(log).ledger, log.entries)
                self._db.execute("UPDATE evenings SET imported = 1 WHERE evening = ?", (number,))
                number += 1
            stored = self.acts.insert(acts(), None)

        with self._mutex:
            self._in_one(work)
            self.acts.follow(stored)
            self._side.imported |= set(range(first, number))
            for line in self.evenings():
                if line.number >= first:
                    self._proving.note_written(line.number)
                    log = self.read_evening(line.number)
                    self._side.catch_up(line.number, log.entries, line.began_s)
        return number - first

    def rewrite_evening(self, evening: int, log: Log) -> None:
        """Let an evening that is not played now have this log instead: the same entries in other
        words, when a person's name is forgotten. Nothing of the old words stays on the disk."""
        assert evening != self.evening

        def work() -> None:
            line = self._line(evening)
            assert line is not None
            self._db.execute("DELETE FROM entries WHERE evening = ?", (evening,))
            changed_s = line.changed_s + 0.001  # not tonight, and yet another evening than before
            store_entries(self._db, evening, line.began_s, changed_s, fold(log).ledger, log.entries)

        with self._mutex:
            self._without_lines(evening, work)
            self._side.catch_up(evening, log.entries, log.entries[0].at_s)

    def remove_evening(self, evening: int) -> None:
        """Take an evening that is not played now off the disk; nothing happens where it is gone."""
        assert evening != self.evening
        if self._line(evening) is None:
            self._side.remove(evening)
            return

        def work() -> None:
            for table in ("entries", "commands", "evenings"):
                self._db.execute(f"DELETE FROM {table} WHERE evening = ?", (evening,))

        with self._mutex:
            self._without_lines(evening, work)

    def _without_lines(self, evening: int, work: Callable[[], None]) -> None:
        """Do this after the evening's lines were taken away: a stop in between must not leave lines of
        before, which would be believed. Copies of damaged files go too: they hold the old words."""
        # None: a newer companion's, of which no lines can be made again
        log = self.find_evening(evening)
        set_aside_before = (f"{FILE}.broken-*", f"{BESIDE}.broken-*")
        copies = [path for which in set_aside_before for path in self.folder.glob(which)]
        remove_files(copies, self.folder)
        self._side.remove(evening)
        try:
            self._between(work)
        except JournalTrouble:  # done or not: the lines tell what the database has now
            left = self.find_evening(evening)
            if log is not None and left is not None:
                self._side.catch_up(evening, left.entries, log.entries[0].at_s)
            raise

    def _between(self, work: Callable[[], None]) -> None:
        """Do this in one transaction, and leave nothing of what it removed in the file; in its log as
        `empty_log` says. Raises JournalTrouble also where it is done and something is left."""
        self._read("PRAGMA secure_delete = ON")
        self._in_one(work)
        self.empty_log()

    def empty_log(self) -> bool:
        """Whether nothing of what was removed is left in the write-ahead log either: not while another
        program reads. Raises JournalTrouble where the disk refuses."""
        with self._mutex:
            try:
                return empty_log(self._db)
            except sqlite3.Error as error:
                raise said(error, self.folder) from error

    def _in_one(self, work: Callable[[], None]) -> None:
        self._check_in_place()
        try:
            in_one(self._db, work)
        except sqlite3.Error as error:
            raise said(error, self.folder) from error

    def _read(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._mutex:
            try:
                return self._db.execute(sql, values).fetchall()
            except OverflowError:  # a number of thirty digits: no database holds it
                return []
            except sqlite3.Error as error:
                raise said(error, self.folder) from error


def _answer(text: bytes) -> Any:
    """A stored answer. Where the disk damaged it, all that is sure: the command was done."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {"ok": True}
